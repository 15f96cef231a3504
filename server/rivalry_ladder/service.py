"""LadderService: each method a few lines over the ladder."""

from __future__ import annotations

import asyncio
import shlex
from collections.abc import Callable, Coroutine
from functools import partial
from typing import TYPE_CHECKING, Any, Final

import grpc
import grpc.aio
from sqlalchemy.exc import SQLAlchemyError

from rivalry.ladder.v1 import bot_pb2, table_pb2
from rivalry.ladder.v1 import ladder_pb2 as pb
from rivalry_ladder import book, official, registry, seasons, told
from rivalry_ladder.error import ForbiddenError, LadderError, OthersBotError, StoreError, TakenError, UnknownError
from rivalry_ladder.fitting import NotYetError
from rivalry_ladder.registry import Means, Wanted
from rivalry_ladder.store import reason
from rivalry_server.greeting import RefusedError
from rivalry_server.identity import Identity, Kind
from rivalry_server.limits import TooMuchError
from rivalry_server.link import bearer
from rivalry_server.logs import log
from rivalry_server.service import Context, aborted, answering, serialised
from rivalry_server.tokens import Kind as TokenKind
from rivalry_server.tokens import Token
from rivalry_server.words import cleaned

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from rivalry_ladder.ladder import Ladder

NAME: Final = "rivalry.ladder.v1.LadderService"
OWNERS: Final = frozenset({"RegisterBot", "PauseBot", "ResumeBot"})
"""Calls for owners and operators, where tokens are asked for."""
OPERATORS: Final = frozenset({"StartSeason", "PauseQueue", "ResumeQueue"})
PAGE: Final = 100
PAGE_MOST: Final = 1_000
LOCAL_OWNER: Final = "local"
"""Whose bots they are that are registered without a token and without a name."""
WHY_MOST: Final = 200


def handlers(ladder: Ladder) -> dict[str, grpc.RpcMethodHandler[Any, Any]]:
    """The methods of the service, for ``Arena.services``."""
    methods = _Methods(ladder)
    unary: dict[str, tuple[Callable[..., Any], Any]] = {
        "RegisterBot": (methods.register_bot, pb.RegisterBotRequest),
        "ListBots": (methods.list_bots, pb.ListBotsRequest),
        "GetBot": (methods.bot, pb.GetBotRequest),
        "ExplainBot": (methods.explain_bot, pb.ExplainBotRequest),
        "PauseBot": (methods.pause_bot, pb.PauseBotRequest),
        "ResumeBot": (methods.resume_bot, pb.ResumeBotRequest),
        "ListQueues": (methods.list_queues, pb.ListQueuesRequest),
        "PauseQueue": (methods.pause_queue, pb.PauseQueueRequest),
        "ResumeQueue": (methods.resume_queue, pb.ResumeQueueRequest),
        "GetTable": (methods.table, pb.GetTableRequest),
        "ListLadderMatches": (methods.list_matches, pb.ListLadderMatchesRequest),
        "ListSeasons": (methods.list_seasons, pb.ListSeasonsRequest),
        "StartSeason": (methods.start_season, pb.StartSeasonRequest),
    }
    return {
        name: grpc.unary_unary_rpc_method_handler(answering(methods.permitted(name, method), request), None, serialised)
        for name, (method, request) in unary.items()
    }


class _Methods:
    def __init__(self, ladder: Ladder) -> None:
        self._ladder = ladder
        self._desk = ladder.desk
        self._fitting = ladder.fitting

    def permitted(self, name: str, method: Callable[..., Coroutine[Any, Any, Any]]) -> Callable[..., Any]:
        """``method`` for those who may call ``name``; what the ladder refuses gets the status that fits."""

        async def permitted(request: Any, context: Context) -> Any:
            who = await self._caller(context)
            if self._ladder.arena.settings.ask_for_tokens:
                may = {Kind.OPERATOR, Kind.OWNER} if name in OWNERS else {Kind.OPERATOR}
                if name in OWNERS | OPERATORS and who.kind not in may:
                    whom = "owners and operators" if name in OWNERS else "operators"
                    made = "owner" if name in OWNERS else "operator"
                    article = "an" if str(who.kind)[0] in "aeiou" else "a"
                    text = f"{name} is for {whom}, and the token shown is that of {article} {who.kind}; "
                    text += f"`rivalry token new --kind {made}` makes another"
                    await aborted(context, grpc.StatusCode.PERMISSION_DENIED, text)
            try:
                if who.kind is not Kind.OPERATOR:
                    self._ladder.arena.gate.use(who).call(asyncio.get_running_loop().time())
                return await method(request, who)
            except TooMuchError as error:
                await aborted(context, grpc.StatusCode.RESOURCE_EXHAUSTED, str(error))
            except UnknownError as error:
                await aborted(context, grpc.StatusCode.NOT_FOUND, str(error))
            except TakenError as error:
                await aborted(context, grpc.StatusCode.ALREADY_EXISTS, str(error))
            except ForbiddenError as error:
                await aborted(context, grpc.StatusCode.PERMISSION_DENIED, str(error))
            except NotYetError as error:
                await aborted(context, grpc.StatusCode.UNAVAILABLE, str(error))
            except StoreError as error:
                await aborted(context, grpc.StatusCode.UNAVAILABLE, str(error))
            except LadderError as error:
                await aborted(context, grpc.StatusCode.INVALID_ARGUMENT, str(error))
            except SQLAlchemyError as error:
                log.error("call_failed", method=name, error=reason(error))
                text = f"the ladder's database cannot be used ({reason(error)}); try again in a moment"
                await aborted(context, grpc.StatusCode.UNAVAILABLE, text)

        permitted.__name__ = method.__name__
        return permitted

    async def register_bot(self, request: pb.RegisterBotRequest, who: Identity) -> pb.RegisterBotResponse:
        owner = _acts_for(who, request.owner)
        wanted = Wanted(request.name, owner, request.version, request.digest, tuple(request.queues), link=request.link)
        now = self._ladder.wall()
        try:
            done = await self._desk.do(lambda c: registry.register(c, wanted, Means.DIALS_IN, now=now))
        except OthersBotError as error:
            if who.kind is Kind.OWNER:
                raise
            raise ForbiddenError(f"{error}, or register it as theirs by --owner {shlex.quote(error.owner)}") from error
        bot = await self._desk.do(lambda c: registry.named(c, request.name))
        text = ""
        if request.new_token or not bot.token_id:
            text = await self._token(bot.id, request.name, bot.token_id)
        self._ladder.change()
        log.info("bot_registered", bot=request.name, version=request.version, owner=owner, new=done.new_version)
        return pb.RegisterBotResponse(
            bot=await self._bot(request.name), token=text, new_bot=done.new_bot, new_version=done.new_version
        )

    async def list_bots(self, request: pb.ListBotsRequest, who: Identity) -> pb.ListBotsResponse:
        rows = await self._desk.do(book.read)
        created = await self._desk.do(told.created)
        names = sorted({row.name for row in rows if request.owner in ("", row.owner)})
        return pb.ListBotsResponse(
            bots=[self._told([row for row in rows if row.name == name], created[name]) for name in names]
        )

    async def bot(self, request: pb.GetBotRequest, who: Identity) -> pb.GetBotResponse:
        rows = await self._rows(request.name)
        return pb.GetBotResponse(
            bot=await self._bot(request.name),
            versions=await self._desk.do(lambda c: told.versions(c, request.name)),
            faults=await self._desk.do(lambda c: told.faults(c, rows[0].version_id)),
            quarantines=await self._desk.do(lambda c: told.quarantines(c, request.name)),
        )

    async def explain_bot(self, request: pb.ExplainBotRequest, who: Identity) -> pb.ExplainBotResponse:
        return pb.ExplainBotResponse(
            explanations=[
                bot_pb2.Explanation(
                    queue=row.queue,
                    version=row.version,
                    playing=self._ladder.course.of_entry(row.entry),
                    reasons=[
                        bot_pb2.Reason(code=reason.why, text=reason.text, remedy=reason.remedy)
                        for reason in self._ladder.reasons(row)
                    ],
                )
                for row in await self._rows(request.name)
            ]
        )

    async def pause_bot(self, request: pb.PauseBotRequest, who: Identity) -> pb.PauseBotResponse:
        await self._desk.do(lambda c: registry.check_owner(c, request.name, _owner(who)))
        now, text = self._ladder.wall(), cleaned(request.why[:WHY_MOST])
        await self._desk.do(lambda c: registry.paused(c, request.name, text=text, now=now))
        await self._ladder.heeded()
        return pb.PauseBotResponse(bot=await self._bot(request.name))

    async def resume_bot(self, request: pb.ResumeBotRequest, who: Identity) -> pb.ResumeBotResponse:
        await self._desk.do(lambda c: registry.check_owner(c, request.name, _owner(who)))
        now = self._ladder.wall()
        await self._desk.do(lambda c: registry.resumed(c, request.name, by=who.name or str(who), now=now))
        self._ladder.change()
        return pb.ResumeBotResponse(bot=await self._bot(request.name))

    async def list_queues(self, request: pb.ListQueuesRequest, who: Identity) -> pb.ListQueuesResponse:
        return pb.ListQueuesResponse(queues=await self._desk.do(lambda c: told.queues(c, self._ladder.course.of_queue)))

    async def pause_queue(self, request: pb.PauseQueueRequest, who: Identity) -> pb.PauseQueueResponse:
        now, text = self._ladder.wall(), cleaned(request.why[:WHY_MOST])
        await self._desk.do(lambda c: registry.queue_paused(c, request.name, text=text, now=now))
        await self._ladder.heeded()
        return pb.PauseQueueResponse(queue=await self._queue(request.name))

    async def resume_queue(self, request: pb.ResumeQueueRequest, who: Identity) -> pb.ResumeQueueResponse:
        await self._desk.do(lambda c: registry.queue_paused(c, request.name, text="", now=None))
        self._ladder.change()
        return pb.ResumeQueueResponse(queue=await self._queue(request.name))

    async def table(self, request: pb.GetTableRequest, who: Identity) -> pb.GetTableResponse:
        queue = await self._desk.do(lambda c: _queue_asked(c, request.queue))
        season = await self._desk.do(lambda c: told.season_named(c, request.season))
        found = await self._desk.do(lambda c: seasons.snapshot(c, season.id, queue.id))
        snapshot = found is not None
        if found is None:
            log_ = await self._desk.do(lambda c: official.lines(c, queue.id, season.id))
            found = await self._fitting.table(queue.id, season.id, log_)
        fitted_table = found
        rows = await self._desk.do(lambda c: told.table(c, fitted_table, queue.id))
        kept = ("matches", "log_digest", "alpha", "method")
        return pb.GetTableResponse(
            table=table_pb2.Table(
                queue=queue.name,
                season=season.name,
                snapshot=snapshot,
                rows=[row for row in rows if row.HasField("rank") or not snapshot],
                **{key: found[key] for key in kept},
            )
        )

    async def list_matches(self, request: pb.ListLadderMatchesRequest, who: Identity) -> pb.ListLadderMatchesResponse:
        if request.bot:
            await self._rows(request.bot)
        if request.queue:
            await self._desk.do(lambda c: registry.queue_named(c, request.queue))
        size = min(request.page_size, PAGE_MOST) if request.page_size > 0 else PAGE
        found, following = await self._desk.do(
            lambda c: told.matches(c, bot=request.bot, queue=request.queue, size=size, token=request.page_token)
        )
        return pb.ListLadderMatchesResponse(matches=found, next_page_token=following)

    async def list_seasons(self, request: pb.ListSeasonsRequest, who: Identity) -> pb.ListSeasonsResponse:
        return pb.ListSeasonsResponse(seasons=await self._desk.do(told.seasons))

    async def start_season(self, request: pb.StartSeasonRequest, who: Identity) -> pb.StartSeasonResponse:
        await self._desk.do(lambda c: seasons.check_new(c, request.name))
        async with self._ladder.course.writing:
            season, logs = await self._desk.do(seasons.logs)
            tables = {queue: await self._fitting.exact(queue, season, lines) for queue, lines in logs.items()}
            now = self._ladder.wall()
            began = await self._desk.do(
                partial(seasons.start, name=request.name, season=season, tables=tables, now=now)
            )
        assert began, "a result was written while all had to wait"
        log.info("season_began", season=request.name)
        found = await self._desk.do(told.seasons)
        return pb.StartSeasonResponse(season=found[0])

    async def _token(self, bot: int, name: str, before: str) -> str:
        """A new token of a bot, in place of the one before."""
        now = self._ladder.wall()
        token, text = Token.made(TokenKind.BOT, name, now=now)

        def with_it(tokens: dict[str, Token]) -> dict[str, Token]:
            old = tokens.get(before)
            revoked = {} if old is None or old.revoked is not None else {before: old.revoke(now)}
            return {**tokens, **revoked, token.token_id: token}

        await asyncio.to_thread(self._ladder.tokens.changed, with_it)
        self._ladder.guests.invite((token.token_id,))
        await self._desk.do(lambda c: registry.token_given(c, bot, token.token_id))
        return text

    async def _rows(self, name: str) -> list[book.Row]:
        await self._desk.do(lambda c: registry.named(c, name))
        return await self._desk.do(lambda c: book.read(c, name))

    async def _bot(self, name: str) -> bot_pb2.Bot:
        created = await self._desk.do(told.created)
        return self._told(await self._rows(name), created[name])

    def _told(self, rows: list[book.Row], created: float) -> bot_pb2.Bot:
        sessions = self._ladder.presence.sessions()
        count = len(sessions.get(rows[0].token_id, ())) if rows[0].token_id else 0
        made: bot_pb2.Bot = told.bot(rows, created, sessions=count, live=self._live)
        return made

    def _live(self, entry: int) -> dict[str, Any]:
        return {
            "playing": len(self._ladder.course.of_entry(entry)),
            "waited_us": told.us(self._ladder.waiting.waited_s(entry)),
            "starving": self._ladder.waiting.starves(entry),
        }

    async def _queue(self, name: str) -> table_pb2.Queue:
        found = await self._desk.do(lambda c: told.queues(c, self._ladder.course.of_queue))
        return next(queue for queue in found if queue.name == name)

    async def _caller(self, context: Context) -> Identity:
        token = bearer(context.invocation_metadata() or ())
        try:
            return self._ladder.arena.lobby.caller(token, context.peer())
        except RefusedError as error:
            refused = error.refused
            await aborted(context, grpc.StatusCode.UNAUTHENTICATED, f"{refused.yours}; {refused.remedy}")


def _acts_for(who: Identity, owner: str) -> str:
    """The owner whose bot is registered; raises ForbiddenError if that is another than the caller's token says."""
    if who.kind is Kind.OWNER:
        if owner not in ("", who.name):
            raise ForbiddenError(f"the owner {owner!r} was given, and the token shown is {who.name}'s; give none")
        return who.name
    return owner or who.name or LOCAL_OWNER


def _owner(who: Identity) -> str | None:
    """The owner that a caller is; None for one who may all."""
    return who.name if who.kind is Kind.OWNER else None


def _queue_asked(connection: Connection, name: str) -> Any:
    """The queue of a name, or the only one that is open."""
    if name:
        return registry.queue_named(connection, name)
    from sqlalchemy import select

    from rivalry_ladder.tables import QUEUES

    found = connection.execute(select(QUEUES).where(~QUEUES.c.closed).order_by(QUEUES.c.name)).all()
    if len(found) != 1:
        names = ", ".join(queue.name for queue in found) or "none"
        raise LadderError(f"no queue was named, and open are: {names}; name one of them")
    return found[0]
