"""Calls of an arena over gRPC, whose failures are one line each: what came, what was expected, what to do."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine
from time import monotonic
from typing import TYPE_CHECKING, Any, Final, TypeVar

from rivalry_server import stop
from rivalry_server.commands.failure import FailedError

if TYPE_CHECKING:
    import grpc.aio

    from rivalry.arena.v1 import match_pb2, play_pb2
    from rivalry_server.commands.arena_where import Where

T = TypeVar("T")
ANSWER_S: Final = 30.0
"""A call that is not answered so long has failed; those that watch may last."""
BUSY: Final = frozenset({"RESOURCE_EXHAUSTED"})
AWAY: Final = frozenset({"UNAVAILABLE", "CANCELLED", "DEADLINE_EXCEEDED"})
"""What follows when an arena is being started again."""
REFUSED: Final = frozenset(
    {
        "INVALID_ARGUMENT",
        "NOT_FOUND",
        "ALREADY_EXISTS",
        "FAILED_PRECONDITION",
        "PERMISSION_DENIED",
        "UNAUTHENTICATED",
        "RESOURCE_EXHAUSTED",
        "UNIMPLEMENTED",
        "TOO_LARGE",
    }
)
"""Exit status 2: the arena is well, and does not do this."""
FIRST_WAIT_S: Final = 0.1
LONGEST_WAIT_S: Final = 5.0
OPERATORS: Final = frozenset({"CreateMatch", "CancelMatch"})
_NO_CONNECTION: Final = re.compile(r"failed to connect|errors resolving|DNS resolution|name resolution", re.IGNORECASE)
_LOST: Final = re.compile(r"socket closed|reset by peer|broken pipe|goaway|endpoint|transport|ping", re.IGNORECASE)


class CallError(FailedError):
    """A call that failed.  ``code`` is gRPC's name, or TOO_LARGE; ``heard`` is False if it surely reached nobody."""

    def __init__(self, text: str, *, code: str, heard: bool = True) -> None:
        super().__init__(text, status=2 if code in REFUSED or not heard else 1)
        self.code = code
        self.heard = heard


class Calls:
    """The calls of one arena; each raises CallError."""

    def __init__(self, channel: grpc.aio.Channel, where: Where) -> None:
        from rivalry.arena.v1 import play_pb2_grpc
        from rivalry_client.grpc_link import metadata

        self.where = where
        self._stub = play_pb2_grpc.ArenaServiceStub(channel)  # type: ignore[no-untyped-call]
        self._metadata = metadata(where.token)

    async def create(self, request: play_pb2.CreateMatchRequest) -> play_pb2.CreateMatchResponse:
        """Makes a match, or gives the one that the same request made."""
        made: play_pb2.CreateMatchResponse = await self._answer("CreateMatch", request)
        return made

    async def match(self, match_id: str) -> match_pb2.Match:
        """A match as it is now."""
        from rivalry.arena.v1 import play_pb2

        match: match_pb2.Match = (await self._answer("GetMatch", play_pb2.GetMatchRequest(match_id=match_id))).match
        return match

    async def matches(self, phase: match_pb2.MatchPhase, most: int) -> list[match_pb2.Match]:
        """The newest ``most`` matches in a phase (0: in any), newest first."""
        from rivalry.arena.v1 import play_pb2

        found: list[match_pb2.Match] = []
        token = ""
        while len(found) < most:
            request = play_pb2.ListMatchesRequest(phase=phase, page_size=min(100, most - len(found)), page_token=token)
            page: play_pb2.ListMatchesResponse = await self._answer("ListMatches", request)
            found += page.matches
            token = page.next_page_token
            if not token:
                break
        return found

    async def cancel(self, match_id: str, why: str) -> match_pb2.Match:
        """Cancels a match; returns it as it is after."""
        from rivalry.arena.v1 import play_pb2

        request = play_pb2.CancelMatchRequest(match_id=match_id, why=why)
        match: match_pb2.Match = (await self._answer("CancelMatch", request)).match
        return match

    async def record(self, match_id: str) -> str:
        """The record of a match that has ended."""
        from rivalry.arena.v1 import play_pb2

        record: str = (await self._answer("GetRecord", play_pb2.GetRecordRequest(match_id=match_id))).record
        return record

    async def games(self) -> play_pb2.ListGamesResponse:
        """The games and families that are hosted there."""
        from rivalry.arena.v1 import play_pb2

        listed: play_pb2.ListGamesResponse = await self._answer("ListGames", play_pb2.ListGamesRequest())
        return listed

    async def game(self, name: str) -> play_pb2.DescribeGameResponse:
        """One game with its options, its rules in short and its glossary."""
        from rivalry.arena.v1 import play_pb2

        request = play_pb2.DescribeGameRequest(game=name)
        told: play_pb2.DescribeGameResponse = await self._answer("DescribeGame", request)
        return told

    async def watched(self, match_id: str, *, begun: Callable[[], None]) -> AsyncIterator[match_pb2.Watched]:
        """What everybody may see of a match, until it has ended; ``begun`` is called when nothing more is missed."""
        import grpc.aio

        from rivalry.arena.v1 import play_pb2

        request = play_pb2.WatchMatchRequest(match_id=match_id)
        try:
            call = self._stub.WatchMatch(request, metadata=self._metadata)
            await call.initial_metadata()  # the arena sends it when it has begun
            if not call.done():
                begun()
            async for response in call:
                for message in response.messages:
                    yield message
        except grpc.aio.AioRpcError as error:
            raise await self._failure("WatchMatch", error) from error

    async def _answer(self, name: str, request: Any) -> Any:
        import grpc.aio

        try:
            return await getattr(self._stub, name)(request, metadata=self._metadata, timeout=ANSWER_S)
        except grpc.aio.AioRpcError as error:
            raise await self._failure(name, error) from error

    async def _failure(self, name: str, error: grpc.aio.AioRpcError) -> CallError:
        from rivalry_client.tls import trouble
        from rivalry_server.words import shortened

        code, details = error.code().name, shortened(error.details() or "")
        arena = f"the arena at {self.where.address}"
        if code == "UNAVAILABLE" and (_NO_CONNECTION.search(details) or _LOST.search(details)):
            if why := await trouble(error.details() or "", self.where.address, tls=bool(self.where.tls)):
                return CallError(f"{arena} cannot be spoken with: {why}", code=code, heard=False)
            if _NO_CONNECTION.search(details):
                return CallError(_nobody(self.where.address, details), code=code, heard=False)
            return CallError(f"{arena} was lost ({details}); try again when it is back", code=code)
        if code == "UNAUTHENTICATED":
            return CallError(_token_asked(arena, name, details, shown=bool(self.where.token)), code=code)
        if code == "UNIMPLEMENTED":
            text = f"what answers at {self.where.address} is no arena, or one of another version, which has no {name}"
            return CallError(f"{text}; look what --address says", code=code)
        if code == "DEADLINE_EXCEEDED":
            return CallError(f"{arena} did not answer {name} in {ANSWER_S:g} s; try again", code=code)
        if code == "RESOURCE_EXHAUSTED" and "message larger" in details:
            return CallError(f"{arena}: {details}", code="TOO_LARGE")
        return CallError(f"{arena}: {details or code.lower()}", code=code)


def asked(where: Where, work: Callable[[Calls], Coroutine[Any, Any, T]]) -> T:
    """What ``work`` returns, which is given the arena's calls.

    Raises CallError, TlsError, and Stopped on Ctrl-C and SIGTERM once ``work`` was cancelled and has ended.
    """
    with stop.held():  # an import that is broken off leaves tracebacks of others
        from rivalry_client.grpc_link import channel
        from rivalry_server.commands.loop import run

    async def main() -> T:
        line = channel(where.address, where.tls)
        try:
            return await work(Calls(line, where))
        finally:
            await line.close()

    return run(main)


async def patient(
    call: Callable[[], Awaitable[T]],
    *,
    codes: frozenset[str],
    patience_s: float,
    told: Callable[[CallError], None] | None = None,
) -> T:
    """What ``call`` returns, tried again after a wait that doubles while it fails by one of ``codes``.

    ``told`` is called with the first of these failures.  Raises CallError for any other, and after ``patience_s``.
    """
    began = monotonic()
    wait_s = FIRST_WAIT_S
    while True:
        try:
            return await call()
        except CallError as error:
            if error.code not in codes or monotonic() - began + wait_s > patience_s:
                raise
            if told is not None:
                told(error)
                told = None
        await asyncio.sleep(wait_s)
        wait_s = min(2 * wait_s, LONGEST_WAIT_S)


def _nobody(address: str, details: str) -> str:
    """That nobody listens at ``address``, and what to do."""
    why = details.removeprefix("failed to connect to all addresses; last error: ")
    return f"no arena answers at {address} ({why}); start one with `rivalry serve`, or give its address with --address"


def _token_asked(arena: str, name: str, details: str, *, shown: bool) -> str:
    """Which kind of token a call takes, and where such a token comes from."""
    kind = "an operator's token" if name in OPERATORS else "a token, an operator's or a bot's"
    what = details.partition(";")[0] if shown else "none was shown"
    return (
        f"{arena} asks for {kind}, and {what}; give one with --token-file FILE or RIVALRY_TOKEN, "
        "which `rivalry token new` makes where the arena runs"
    )
