"""The gRPC services: thin, each method a few lines over the arena.

``Play`` has no message objects: its frames are bytes, spliced from messages that were serialised before.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from contextvars import ContextVar
from time import monotonic, thread_time
from typing import TYPE_CHECKING, Any, Final, NoReturn, TypeVar

import grpc
import grpc.aio
from google.protobuf.message import DecodeError

from rivalry.arena.v1 import play_pb2 as pb
from rivalry_engine.error import RivalryError, UnknownGameError
from rivalry_server import describe
from rivalry_server.attempt import TooManyMatchesError
from rivalry_server.creation import Creations, RequestReusedError
from rivalry_server.drain import DrainingError
from rivalry_server.greeting import RefusedError
from rivalry_server.hosted import Wanted
from rivalry_server.identity import Identity, Kind
from rivalry_server.journal import JournalStuckError
from rivalry_server.limits import TooMuchError
from rivalry_server.link import StreamLink, bearer
from rivalry_server.logs import log
from rivalry_server.outcome import shortened
from rivalry_server.settings import RECEIVED_BYTES
from rivalry_server.watching import watched

if TYPE_CHECKING:
    from rivalry.arena.v1 import match_pb2
    from rivalry_server.arena import Arena
    from rivalry_server.attempt import Attempt

NAME: Final = "rivalry.arena.v1.ArenaService"
OPTIONS: Final = (
    # Without this a second server binds the same port and nobody is told.
    ("grpc.so_reuseport", 0),
    # A bot that thinks silently may ping as often as it likes; by default it would be cut off (too_many_pings).
    ("grpc.keepalive_permit_without_calls", 1),
    ("grpc.http2.min_recv_ping_interval_without_data_ms", 5_000),
    ("grpc.http2.max_ping_strikes", 0),
    # A connection that is half open is found out.
    ("grpc.keepalive_time_ms", 30_000),
    ("grpc.keepalive_timeout_ms", 20_000),
    ("grpc.http2.max_pings_without_data", 0),
    # A connection without a call is given up after ten minutes; a client dials again by itself when it needs one.
    ("grpc.max_connection_idle_ms", 600_000),
    # What is larger is refused before it is kept, packed or not.
    ("grpc.max_receive_message_length", RECEIVED_BYTES),
)
OPERATORS: Final = frozenset({"CreateMatch", "CancelMatch"})
"""Calls for operators alone, where tokens are asked for; all others are for whoever is known."""
WAITING: Final = frozenset({"CancelMatch", "ListGames", "WatchMatch"})
"""Calls that wait, for a match or until the games are known; all others are work of the caller's own making."""
PAGE: Final = 100
PAGE_MOST: Final = 1_000
PAGE_BYTES: Final = 1 << 20
"""A page is shorter where matches are large: most clients take no more than 4 MiB."""
PAGE_TOKEN_MOST: Final = 18
"""Digits."""

_WAITED: Final = ContextVar("waited", default=0.0)
"""How many seconds a call has waited until a game of a family was made."""

T = TypeVar("T")
Context = grpc.aio.ServicerContext[Any, Any]


def served(arena: Arena, *, introspection: bool) -> grpc.aio.Server:
    """A server with the arena's services, bound to no address yet."""
    # Whoever connects and says nothing is cut off as one whose stream says nothing is.
    silent = ("grpc.server_handshake_timeout_ms", round(arena.settings.hello_s * 1_000))
    server = grpc.aio.server(options=(*OPTIONS, silent))
    methods = _Methods(arena)
    unary: dict[str, tuple[Callable[..., Any], Any]] = {
        "ListGames": (methods.list_games, pb.ListGamesRequest),
        "DescribeGame": (methods.describe_game, pb.DescribeGameRequest),
        "CreateMatch": (methods.create_match, pb.CreateMatchRequest),
        "GetMatch": (methods.match, pb.GetMatchRequest),
        "ListMatches": (methods.list_matches, pb.ListMatchesRequest),
        "CancelMatch": (methods.cancel_match, pb.CancelMatchRequest),
        "GetRecord": (methods.record, pb.GetRecordRequest),
    }
    handlers: dict[str, grpc.RpcMethodHandler[Any, Any]] = {
        name: grpc.unary_unary_rpc_method_handler(answering(methods.permitted(name, method), request), None, serialised)
        for name, (method, request) in unary.items()
    }
    handlers["Play"] = grpc.stream_stream_rpc_method_handler(guarded_call(methods.play))
    handlers["WatchMatch"] = grpc.unary_stream_rpc_method_handler(
        answering(methods.permitted("WatchMatch", methods.watch_match), pb.WatchMatchRequest), None, serialised
    )
    for name, methods_of_it in {NAME: handlers, **arena.services}.items():
        server.add_generic_rpc_handlers((grpc.method_handlers_generic_handler(name, methods_of_it),))
    if introspection:
        from rivalry_server import introspection as introspected

        arena.on_drain.append(introspected.added(server, arena.gate, (NAME, *arena.services)))
    return server


class _Methods:
    def __init__(self, arena: Arena) -> None:
        self._arena = arena
        self._creations = Creations(arena)

    def permitted(self, name: str, method: Callable[..., Coroutine[Any, Any, Any]]) -> Callable[..., Any]:
        """``method`` for those who may call ``name``; others are told why not, before anything is read."""

        async def permitted(request: Any, context: Context) -> Any:
            who = await self._caller(context)
            if self._arena.settings.ask_for_tokens and name in OPERATORS and who.kind is not Kind.OPERATOR:
                await aborted(
                    context,
                    grpc.StatusCode.PERMISSION_DENIED,
                    f"{name} is for operators, and the token shown is that of a {who.kind}; "
                    "`rivalry token new --kind operator` makes another",
                )
            if who.kind is Kind.OPERATOR:
                return await method(request, context)
            use = self._arena.gate.use(who)
            try:
                use.call(asyncio.get_running_loop().time())
            except TooMuchError as error:
                await aborted(context, grpc.StatusCode.RESOURCE_EXHAUSTED, str(error))
            began = monotonic()
            _WAITED.set(0.0)
            try:
                return await method(request, context)
            finally:
                if name not in WAITING:
                    use.worked(monotonic() - began - _WAITED.get())

        permitted.__name__ = method.__name__
        return permitted

    async def play(self, requests: object, context: Context) -> None:
        try:
            await self._arena.hold(StreamLink(context))
        except TooMuchError as error:
            await aborted(context, grpc.StatusCode.RESOURCE_EXHAUSTED, str(error))

    async def list_games(self, request: pb.ListGamesRequest, context: Context) -> pb.ListGamesResponse:
        return await self._arena.hosted.listed()

    async def describe_game(self, request: pb.DescribeGameRequest, context: Context) -> pb.DescribeGameResponse:
        try:
            return await self._aside(Wanted(request.game), context, lambda: describe.described(request.game))
        except TooMuchError as error:
            await aborted(context, grpc.StatusCode.RESOURCE_EXHAUSTED, str(error))
        except UnknownGameError as error:
            await _not_found(context, str(error))
        except RivalryError as error:
            await aborted(context, grpc.StatusCode.FAILED_PRECONDITION, str(error))

    async def create_match(self, request: pb.CreateMatchRequest, context: Context) -> pb.CreateMatchResponse:
        try:
            wanted = Wanted(request.game, request.options_json, len(request.seats))
            game = None
            if wanted.family:
                game = await self._aside(wanted, context, lambda: self._creations.game_of(request))
            attempt, tokens = self._creations.created(request, game)
        except TooMuchError as error:
            await aborted(context, grpc.StatusCode.RESOURCE_EXHAUSTED, str(error))
        except UnknownGameError as error:
            await _not_found(context, str(error))
        except RequestReusedError as error:
            await aborted(context, grpc.StatusCode.ALREADY_EXISTS, str(error))
        except TooManyMatchesError as error:
            await aborted(context, grpc.StatusCode.RESOURCE_EXHAUSTED, str(error))
        except (DrainingError, JournalStuckError) as error:
            await aborted(context, grpc.StatusCode.UNAVAILABLE, str(error))
        except RivalryError as error:
            await aborted(context, grpc.StatusCode.INVALID_ARGUMENT, str(error))
        return pb.CreateMatchResponse(match=self._told(attempt), seat_tokens=tokens)

    async def match(self, request: pb.GetMatchRequest, context: Context) -> pb.GetMatchResponse:
        return pb.GetMatchResponse(match=self._told(await self._attempt(request.match_id, context)))

    async def list_matches(self, request: pb.ListMatchesRequest, context: Context) -> pb.ListMatchesResponse:
        token = request.page_token
        before = int(token) if token.isascii() and token.isdigit() and len(token) <= PAGE_TOKEN_MOST else None
        if before is None and token:
            await aborted(
                context, grpc.StatusCode.INVALID_ARGUMENT, "the page token is not from a response of ListMatches"
            )
        size = min(request.page_size, PAGE_MOST) if request.page_size > 0 else PAGE
        found = [
            attempt
            for attempt in reversed(self._arena.attempts.values())
            if (before is None or attempt.number < before) and request.phase in (0, describe.PHASES[attempt.phase])
        ]
        listed = pb.ListMatchesResponse()
        left = PAGE_BYTES
        for attempt in found[:size]:
            told = self._told(attempt)
            left -= told.ByteSize()
            if left < 0 and listed.matches:
                break
            listed.matches.append(told)
        count = len(listed.matches)
        listed.next_page_token = str(found[count - 1].number) if len(found) > count else ""
        return listed

    async def cancel_match(self, request: pb.CancelMatchRequest, context: Context) -> pb.CancelMatchResponse:
        attempt = await self._attempt(request.match_id, context)
        attempt.cancel(request.why[:200] or "cancelled by the operator")
        if not attempt.finished.done():
            await _settled(attempt)
        return pb.CancelMatchResponse(match=self._told(attempt))

    async def record(self, request: pb.GetRecordRequest, context: Context) -> pb.GetRecordResponse:
        attempt = await self._attempt(request.match_id, context)
        if attempt.result is None or not self._arena.told_all(attempt):
            await aborted(
                context,
                grpc.StatusCode.FAILED_PRECONDITION,
                "the record is given out when the match has ended and is not run again",
            )
        return pb.GetRecordResponse(record="".join(f"{line}\n" for line in attempt.result.record()))

    def _told(self, attempt: Attempt) -> match_pb2.Match:
        return describe.match(attempt, with_seed=self._arena.told_all(attempt))

    async def watch_match(self, request: pb.WatchMatchRequest, context: Context) -> None:
        attempt = await self._attempt(request.match_id, context)
        try:
            stay = self._arena.gate.use(await self._caller(context)).watch()
        except TooMuchError as error:
            await aborted(context, grpc.StatusCode.RESOURCE_EXHAUSTED, str(error))
        watching = asyncio.ensure_future(watched(attempt, context, self._arena.settings.write_s))
        revoked = asyncio.get_running_loop().create_future()
        stay.on_revoked = lambda: revoked.set_result(None)
        try:
            await asyncio.wait((watching, revoked), return_when=asyncio.FIRST_COMPLETED)
            if not watching.done():
                await aborted(context, grpc.StatusCode.UNAUTHENTICATED, "the token was revoked")
            watching.result()
        finally:
            watching.cancel()
            stay.over()

    async def _aside(self, wanted: Wanted, context: Context, work: Callable[[], T]) -> T:
        """What ``work``, which makes a game, returns; waiting for it is no work of the arena's."""
        worked = 0.0

        def measured() -> T:
            nonlocal worked
            began = thread_time()
            try:
                return work()
            finally:
                worked = thread_time() - began

        began = monotonic()
        try:
            return await self._arena.hosted.aside(wanted, measured, who=await self._caller(context))
        finally:
            if wanted.family:
                _WAITED.set(monotonic() - began - worked)

    async def _caller(self, context: Context) -> Identity:
        token = bearer(context.invocation_metadata() or ())
        try:
            return self._arena.lobby.caller(token, context.peer())
        except RefusedError as error:
            refused = error.refused
            await aborted(context, grpc.StatusCode.UNAUTHENTICATED, f"{refused.yours}; {refused.remedy}")

    async def _attempt(self, match_id: str, context: Context) -> Attempt:
        try:
            attempt = self._arena.match(match_id)
        except RivalryError as error:
            await aborted(context, grpc.StatusCode.FAILED_PRECONDITION, str(error))
        if attempt is None:
            await _not_found(context, f"there is no match {match_id[:64]!r} here; it may have been forgotten")
        return attempt


async def _settled(attempt: Attempt) -> None:
    """Returns when a match that was cancelled has told its bots."""
    await asyncio.shield(attempt.finished)


async def _not_found(context: Context, text: str) -> NoReturn:
    await aborted(context, grpc.StatusCode.NOT_FOUND, text)


async def aborted(context: Context, code: grpc.StatusCode, text: str) -> NoReturn:
    """Ends a call with words that fit into a trailer, whatever the caller wrote into them."""
    await context.abort(code, shortened(text))


def answering(method: Callable[..., Coroutine[Any, Any, Any]], request: Any) -> Callable[..., Any]:
    """``method`` over the bytes of its request: what cannot be read is the caller's fault, anything unforeseen ours."""

    async def answered(data: bytes, context: Context) -> Any:
        try:
            message = request.FromString(data)
        except DecodeError:
            await aborted(
                context, grpc.StatusCode.INVALID_ARGUMENT, f"what was sent is no {request.DESCRIPTOR.full_name}"
            )
        return await guarded(message, context)

    guarded = guarded_call(method)
    return answered


def guarded_call(method: Callable[..., Coroutine[Any, Any, Any]]) -> Callable[..., Coroutine[Any, Any, Any]]:
    """``method``, which fails as the arena's fault where nobody foresaw it."""

    async def guarded(request: Any, context: Context) -> Any:
        try:
            return await method(request, context)
        except grpc.aio.AbortError:
            raise
        except Exception as error:
            log.error("call_failed", method=method.__name__, exc_info=error)
            await aborted(context, grpc.StatusCode.INTERNAL, "the arena failed")

    return guarded


def serialised(message: Any) -> bytes:
    return message.SerializeToString()  # type: ignore[no-any-return]
