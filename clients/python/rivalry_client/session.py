"""The bot's side of the protocol, as a state machine over one stream after the other.

Greeting: hello or resume is said, a welcome or a refusal is awaited.  Open: offers are answered, matches start, prompts
go to their bots, pings are answered at once.  Leaving: the last word is said, the arena's last word is awaited for a
moment.  Kinds and values that are not known here are ignored.

Without a stream the bots think on and nothing is sent.  What they said meanwhile is kept where it belongs, an answer
with its prompt and a resignation with its match, and is sent when the arena asks again for just that: a new stream that
is open, and even welcomed, is not enough, since to the arena no prompt is open on it that was not told on it.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, Final

from rivalry.arena.v1 import errors_pb2, play_pb2, session_pb2
from rivalry_client.answer import said
from rivalry_client.asking import Ask
from rivalry_client.bot import Bot, answered
from rivalry_client.connection import Connection
from rivalry_client.course import PATIENCE_S, Course, Speaker
from rivalry_client.ending import KEPT, Ending
from rivalry_client.hello import hello, protocol
from rivalry_client.link import Link
from rivalry_client.match import Ruling
from rivalry_client.prompt import Prompt, WirePrompt
from rivalry_client.report import Report
from rivalry_client.resume_file import ResumeFile
from rivalry_client.streams import Streams
from rivalry_client.table import Table, WireMatch, outcome
from rivalry_client.thinking import Job, Thinking
from rivalry_client.wire import Wire
from rivalry_client.words import word
from rivalry_engine.naming import among
from rivalry_engine.prompt import Answer

FAREWELL_S: Final = 10.0
"""How long the arena's last word is awaited after ours: a stream that is given up before may take ours with it."""
SOUGHT_S: Final = 2.0
"""How long a stream is sought to tell of a crash."""


BUSY: Final = frozenset({"busy", "limit", "draining"})
"""Refusals that may not last."""


class Session(Wire, Speaker):
    """A bot at an arena, over ``link`` and the streams that follow when that is lost.  ``play`` runs it to its end.

    Without ``streams``, and with a patience of 0, nothing is resumed.  Raises ResumeFileError.
    """

    def __init__(
        self,
        link: Link,
        bot: type[Bot],
        *,
        thinking: Thinking,
        report: Report,
        name: str = "",
        matches: int = 1,
        prompts: int = 1,
        settings: Mapping[str, Any] | None = None,
        streams: Streams | None = None,
        patience_s: float = PATIENCE_S,
        resume_file: ResumeFile | None = None,
    ) -> None:
        self.bot = bot
        self._thinking = thinking
        self._report = report
        self._name = name or bot.shown_name()
        self._matches = matches
        self._prompts = prompts
        self._settings = settings
        self._resume_file = resume_file
        self._live = "live_events" in (bot.features or ())
        self._told_again = False
        self._ended_matches = 0
        self._declined: dict[str, str] = {}
        self._held: list[session_pb2.SeatReply] = []
        """Seats that are taken as soon as what the bot does at the end of a match is done."""
        self._hooks_owed = 0
        self._hooks_done = asyncio.Event()
        self._tables: dict[int, Table] = {}
        self._takers: dict[str, Callable[[Any], None]] = {
            "prompt": self._prompt,
            "events": self._events,
            "ruling": self._ruling,
            "seat_offer": self._seat_offer,
            "match_started": self._match_started,
            "match_ended": self._match_ended,
            "ping": self._ping,
            "pong": self._pong,
            "welcome": self._welcome,
            "refused": self._refused,
            "drain": self._drain,
            "redirect": self._redirect,
            "session_ended": self._session_ended,
        }
        self._course = Course(self, report, streams=streams, patience_s=patience_s)
        self._course.token = b"" if resume_file is None else resume_file.token()
        self._course.open(link)

    async def play(self) -> Ending:
        """Runs the session; returns how it ended.  Cancelling it says goodbye first."""
        # A task of its own, since gRPC ends a call whose pending read is cancelled, and then no goodbye can be said.
        running = asyncio.get_running_loop().create_task(self._course.run())
        try:
            ending = await asyncio.shield(running)
            while self._hooks_owed and ending.kind != "crash":
                self._hooks_done.clear()
                await self._hooks_done.wait()
                if self._course.ending is not None:
                    ending = self._course.ending
        except asyncio.CancelledError:
            self._report.seats_left += len(self._tables)
            await self._goodbye(running)
            raise
        finally:
            for table in self._tables.values():
                self._thinking.drop(table.lane)
            running.cancel()
            await asyncio.gather(running, return_exceptions=True)
            await self.connection.link.close()
        if ending.kind not in KEPT:
            self._forget()
        return replace(ending, matches=self._ended_matches)

    def answer(self, prompt: Prompt, answer: Answer, *, number: int | None = None) -> None:
        """Sends an answer, under the prompt's number unless another is given."""
        assert isinstance(prompt, WirePrompt)
        message = said(prompt, answer, prompt.number if number is None else number)
        prompt.said.append(message)
        self._tell(self._tables.get(prompt.handle), message)

    def say(self, message: session_pb2.FromBot) -> None:
        """Sends any message with the next frame; what is about a match waits for its prompt as an answer does."""
        kind = message.WhichOneof("message")
        table = self._tables.get(getattr(getattr(message, kind), "match", 0)) if kind else None
        if table is not None and table.prompt is not None:
            table.prompt.said.append(message)
        self._tell(table, message)

    def frame(self, frame: bytes) -> None:
        """Sends bytes as a frame of their own."""
        self.connection.outbox.put_frame(frame)

    def hang_up(self) -> None:
        """Closes the stream without a word."""
        self._course.end(Ending("left", "hung up"))
        self.connection.link.hang_up()

    @property
    def connection(self) -> Connection:
        """The stream that is open, or was the last."""
        return self._course.connection

    @property
    def id(self) -> str:
        """What the arena calls the session; empty until it is welcome."""
        return self._course.session

    @property
    def holds(self) -> bool:
        return bool(self._tables)

    def first(self, token: bytes) -> session_pb2.FromBot:
        self._held.clear()  # what was offered on another stream is offered anew
        if token:
            acks = [table.ack() for table in self._tables.values()]
            return session_pb2.FromBot(resume=session_pb2.Resume(protocol=protocol(), token=token, acks=acks))
        resume = self._course.resumable
        greeting = hello(self.bot, name=self._name, matches=self._matches, prompts=self._prompts, resume=resume)
        return session_pb2.FromBot(hello=greeting)

    def take(self, frame: bytes) -> None:
        takers = self._takers
        for message in play_pb2.PlayResponse.FromString(frame).messages:
            kind = message.WhichOneof("message")
            if kind in takers:
                takers[kind](getattr(message, kind))

    def _welcome(self, welcome: session_pb2.Welcome) -> None:
        outbox = self.connection.outbox
        if welcome.limits.frame_messages:
            outbox.frame_messages = welcome.limits.frame_messages
        if welcome.limits.frame_bytes:
            outbox.frame_bytes = welcome.limits.frame_bytes
        self._keep(welcome.resume_token)
        self._course.welcomed(welcome.resume_token, welcome.session)
        self._told_again = welcome.resumed
        if welcome.resumed:
            self._report.note(f"back at {welcome.arena or 'the arena'}")
        else:
            self._report.note(f"welcome at {welcome.arena or 'the arena'}; waiting for a match")
        if self._course.ending is not None:  # it crashed while it was away
            self._leave_after_crash(self._course.ending)

    def _refused(self, refused: session_pb2.Refused) -> None:
        reason = word(errors_pb2.RefusalReason, refused.reason, "REFUSAL_REASON_")
        text = f"{reason}: {'; '.join(part for part in (refused.ours, refused.yours, refused.remedy) if part)}"
        course = self._course
        if course.resuming and reason == "resume":
            if self._tables:
                course.end(Ending("lost", f"the session could not be resumed: {text}"))
            else:  # nothing is lost with it
                self._forget()
                course.begin_anew()
        elif course.resuming and course.resumable and reason in BUSY:
            course.part(Ending("unreachable", f"refused for now: {text}"))
        else:
            course.end(Ending("refused", text))

    def _seat_offer(self, offer: session_pb2.SeatOffer) -> None:
        reply = session_pb2.SeatReply(offer=offer.offer, accepted=True)
        if self.bot.games and not among(offer.game, self.bot.games):
            reply.accepted = False
            reply.why = f"{self._name} plays {', '.join(self.bot.games)}, not {offer.game}"
            if offer.game not in self._declined:
                self._declined[offer.game] = reply.why
                self._report.line(f"declined a seat: the match plays {offer.game}; {reply.why}")
        if reply.accepted and not self._has_room:
            self._held.append(reply)
        else:
            self._put(session_pb2.FromBot(seat_reply=reply))

    @property
    def _has_room(self) -> bool:
        """True if the bot could begin another match now, and does not yet have to do with one that is over.

        Else the clock of the next would run meanwhile, and one that ends its program there would lose a seat.
        """
        return not self._hooks_owed or len(self._tables) + self._hooks_owed < self._matches

    def _match_started(self, started: session_pb2.MatchStarted) -> None:
        if started.resumed and self._goes_on(started):
            return
        match = WireMatch(started)
        others = ", ".join(player.name for player in match.players if player.seat != match.seat)
        self._report.note(f"match {match.id}: {match.game_name}, seat {match.seat} of {match.seats}, against {others}")

        def start() -> object:
            table.bot = self.bot.made(match, self._settings)
            return table.bot.start(match)

        table = self._tables[started.match] = Table(started.match, match)
        self._thinking.do(table.lane, Job(start, _nothing, self.failed))

    def _goes_on(self, started: session_pb2.MatchStarted) -> bool:
        """True if a match that had begun before is known here, perhaps by another handle."""
        if started.match in self._tables:
            return True
        table = self._tables.pop(started.replaces, None)
        if table is None:
            return False
        table.move(started.match)
        self._tables[started.match] = table
        self._thinking.interrupt(table.lane)
        return True

    def _prompt(self, message: session_pb2.Prompt) -> None:
        table = self._tables.get(message.match)
        if table is None or (message.number <= table.number and self._asked_before(table, message)):
            return
        table.number = message.number
        table.told_over = self.connection
        prompt = WirePrompt(table.match, message, handle=table.handle, events_seen=table.events_seen)
        table.events_seen = max(table.events_seen, message.first_event + message.event_count - 1)
        if table.backlog:
            prompt.earlier, table.backlog = table.backlog, []
        self._ask(table, prompt)

    def _asked_before(self, table: Table, message: session_pb2.Prompt) -> bool:
        """True for a prompt that the bot has had: it is not asked twice, and what it said is sent over this stream."""
        if message.number < table.number:
            return True
        told_over, table.told_over = table.told_over, self.connection
        if table.resign is not None:
            again = [table.resign]
        elif table.prompt is not None:
            again = table.prompt.told_again(message)
        else:
            return False
        if told_over is not self.connection:
            for said_before in again:
                self._put(said_before)
        return True

    def _ask(self, table: Table, prompt: WirePrompt) -> None:
        table.prompt = prompt
        ask = Ask(self, table, prompt)
        self._thinking.do(table.lane, Job(ask.choose, ask.chosen, ask.failed, True))

    def chosen(self, table: Table, prompt: WirePrompt, value: object) -> None:
        """The bot answered a prompt that is still open."""
        if self._course.parting:
            return
        try:
            table.bot.reply(prompt, answered(table.bot, value), self)
        except Exception as error:
            self.failed(error)

    def resigned(self, table: Table, why: str) -> None:
        """The bot gives up a match."""
        table.prompt = None
        table.resign = session_pb2.FromBot(resign=session_pb2.Resign(match=table.handle, why=why[:1000]))
        self._tell(table, table.resign)

    def _ruling(self, message: session_pb2.Ruling) -> None:
        ruling = Ruling(
            kind=word(errors_pb2.RulingKind, message.kind, "RULING_KIND_"),
            reason=word(errors_pb2.RulingReason, message.reason, "RULING_REASON_"),
            code=message.code,
            text=message.text,
            tries_left=message.tries_left,
        )
        table = self._tables.get(message.match)
        prompt = None if table is None else table.prompt
        if ruling.reason == "over" and (table is None or self._course.parting):
            return  # the answer crossed the end of its match, or our goodbye
        if table is None or prompt is None or prompt.number != message.number:
            self._report.ruling(message.match, message.number, ruling)
            return
        if self._told_again and ruling.kind == "rejected" and ruling.tries_left >= prompt.tries_left:
            return  # the bot has had it before the stream was lost
        self._report.ruling(message.match, message.number, ruling)
        if ruling.kind == "stale":  # to the arena it was not open: should that tell it again, the answer is due again
            table.told_over = None
        elif ruling.kind == "rejected" and ruling.tries_left > 0:
            self._ask(table, prompt.again(ruling))
        elif ruling.kind in ("rejected", "expired"):
            table.prompt = None

    def _events(self, message: session_pb2.Events) -> None:
        table = self._tables.get(message.match)
        if table is None:
            return
        fresh = message.first_event + message.event_count - 1 - table.events_seen
        if fresh <= 0:
            return
        table.events_seen += fresh
        self._put(session_pb2.FromBot(ack=session_pb2.Ack(match=table.handle, events=table.events_seen)))
        if not self._live:
            table.backlog.append((message.events, fresh))
            return

        def happened() -> object:
            return table.bot.happened(table.match, table.match.payloads.events(message.events)[-fresh:])

        self._thinking.do(table.lane, Job(happened, _nothing, self.failed))

    def _match_ended(self, message: session_pb2.MatchEnded) -> None:
        table = self._tables.pop(message.match, None)
        events = message.first_event + message.event_count - 1
        if self._course.token:  # also when it is told again: the arena keeps it until it knows that it came
            self._put(session_pb2.FromBot(ack=session_pb2.Ack(match=message.match, events=max(events, 0), ended=True)))
            self.connection.acknowledged = True
        if table is None:
            return
        result = outcome(message.outcome)
        table.prompt = None
        table.match.close(message, seen=table.events_seen, earlier=table.backlog)
        self._thinking.interrupt(table.lane)
        self._ended_matches += 1
        self._hooks_owed += 1
        self._report.outcome(table.match, result)

        def done(value: object) -> None:
            self._hooks_owed -= 1
            self._hooks_done.set()
            while self._held and self._has_room and not self._course.parting:
                self._put(session_pb2.FromBot(seat_reply=self._held.pop(0)))

        def failed(error: BaseException) -> None:
            self.failed(error)
            done(None)

        self._thinking.do(table.lane, Job(lambda: table.bot.ended(table.match, result), done, failed))

    def _ping(self, ping: session_pb2.Ping) -> None:
        self._put(session_pb2.FromBot(pong=session_pb2.Pong(nonce=ping.nonce)))

    def _pong(self, pong: session_pb2.Pong) -> None:
        self._course.answered()

    def _drain(self, drain: session_pb2.Drain) -> None:
        text = f": {drain.text}" if drain.text else ""
        self._report.line(f"the arena stops in {drain.remaining_us / 1e6:.0f} s{text}")

    def _redirect(self, redirect: session_pb2.Redirect) -> None:
        self._course.end(Ending("redirected", redirect.text, target=redirect.target))

    def _session_ended(self, message: session_pb2.SessionEnded) -> None:
        reason = word(errors_pb2.SessionEndReason, message.reason, "SESSION_END_REASON_")
        told = "; ".join(part for part in (message.text, message.remedy) if part)
        if reason == "done" and self._declined and not (self._ended_matches or self._tables):
            reason, told = "declined", "; ".join(self._declined.values())
        course = self._course
        if reason == "restart" and course.token and course.resumable:
            course.part(Ending(reason, told))
        elif reason == "silent" and course.resuming and not self.connection.welcomed:  # the resume was lost on its way
            course.part(Ending("lost", told))
        else:
            course.end(Ending(reason, told))

    def failed(self, error: BaseException) -> None:
        """The bot raised: tell its author and, if it still listens, the arena."""
        course = self._course
        if course.ending is not None and course.ending.kind == "crash":
            return
        self._report.crash(error)
        text = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
        over = course.ending is not None
        course.ending = Ending("crash", text, error=error)
        course.hasten(SOUGHT_S)
        if not (course.seeks or over):
            self._leave_after_crash(course.ending)

    def _leave_after_crash(self, crash: Ending) -> None:
        leave = session_pb2.Leave(reason=session_pb2.LEAVE_REASON_CRASH, text=crash.text[:1000])
        self._put(session_pb2.FromBot(leave=leave))
        asyncio.get_running_loop().call_later(FAREWELL_S, self.connection.link.hang_up)

    async def _goodbye(self, running: asyncio.Task[Ending]) -> None:
        """Says that the bot leaves, and waits a moment for the arena's last word, so that ours is not lost."""
        if self._course.parting or not self.connection.outbox.open:
            return
        self._course.leaving = True
        self._put(session_pb2.FromBot(leave=session_pb2.Leave(reason=session_pb2.LEAVE_REASON_DONE)))
        await asyncio.wait((running,), timeout=FAREWELL_S / 2)
        self._forget()

    def _tell(self, table: Table | None, message: session_pb2.FromBot) -> None:
        """Says something about a match if its newest prompt was told over this stream; else it waits until that is."""
        if table is None or table.told_over is self._course.connection:
            self._put(message)

    def _put(self, message: session_pb2.FromBot) -> None:
        """Sends a message with the next frame; without a stream it is dropped."""
        self._course.connection.outbox.put(message)

    def _keep(self, token: bytes) -> None:
        """Keeps the token for a later start, before it is used."""
        if self._resume_file is not None and token:
            try:
                self._resume_file.keep(token)
            except OSError as error:
                self._report.line(f"the resume token cannot be kept in {self._resume_file.path}: {error.strerror}")

    def _forget(self) -> None:
        if self._resume_file is not None:
            self._resume_file.forget()


def _nothing(value: object) -> None:
    """What follows from a hook that answers nothing."""
