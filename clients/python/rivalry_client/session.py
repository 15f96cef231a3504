"""The bot's side of the protocol, as a state machine over a link.

Greeting: hello is said, a welcome or a refusal is awaited.  Open: offers are answered, matches start, prompts go to
their bots, pings are answered at once.  Leaving: the last word is said, the arena's last word is awaited for a moment.
Kinds and values that are not known here are ignored.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from typing import Any, Final

from google.protobuf.message import DecodeError

from rivalry.arena.v1 import errors_pb2, play_pb2, session_pb2
from rivalry_client.answer import said
from rivalry_client.asking import Ask
from rivalry_client.bot import Bot, answered
from rivalry_client.ending import Ending
from rivalry_client.hello import hello
from rivalry_client.link import Link, LinkError
from rivalry_client.match import Ruling
from rivalry_client.outbox import Outbox
from rivalry_client.prompt import Prompt, WirePrompt
from rivalry_client.report import Report
from rivalry_client.table import Table, WireMatch, outcome
from rivalry_client.thinking import Job, Thinking
from rivalry_client.wire import Wire
from rivalry_client.words import word
from rivalry_engine.prompt import Answer

GREETING_S: Final = 20.0
"""How long the arena may take to answer the hello."""
FAREWELL_S: Final = 2.0
"""How long the arena's last word is awaited after ours."""


class Session(Wire):
    """One stream with an arena.  ``play`` runs it to its end."""

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
    ) -> None:
        self.link = link
        self.bot = bot
        self.resume_token = b""
        self._thinking = thinking
        self._report = report
        self._name = name or bot.shown_name()
        self._matches = matches
        self._prompts = prompts
        self._settings = settings
        self._outbox = Outbox(link)
        self._welcomed = False
        self._ending: Ending | None = None
        self._ended_matches = 0
        self._declined: dict[str, str] = {}
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
            "welcome": self._welcome,
            "refused": self._refused,
            "drain": self._drain,
            "redirect": self._redirect,
            "session_ended": self._session_ended,
        }

    async def play(self) -> Ending:
        """Runs the session; returns how it ended.  Cancelling it says goodbye first."""
        loop = asyncio.get_running_loop()
        writer = loop.create_task(self._outbox.run())
        # A task of its own, since gRPC ends a call whose pending read is cancelled, and then no goodbye can be said.
        reader = loop.create_task(self._read())
        self._outbox.put(
            session_pb2.FromBot(hello=hello(self.bot, name=self._name, matches=self._matches, prompts=self._prompts))
        )
        try:
            ending = await asyncio.shield(reader)
            while self._hooks_owed and ending.kind != "crash":
                self._hooks_done.clear()
                await self._hooks_done.wait()
                if self._ending is not None:
                    ending = self._ending
        except asyncio.CancelledError:
            self._report.seats_left += len(self._tables)
            await self._goodbye(reader)
            raise
        finally:
            for table in self._tables.values():
                self._thinking.drop(table.lane)
            writer.cancel()
            reader.cancel()
            await asyncio.gather(writer, reader, return_exceptions=True)
            await self.link.close()
        return ending

    def answer(self, prompt: Prompt, answer: Answer, *, number: int | None = None) -> None:
        """Sends an answer, under the prompt's number unless another is given."""
        assert isinstance(prompt, WirePrompt)
        self._outbox.put(said(prompt, answer, prompt.number if number is None else number))

    def say(self, message: session_pb2.FromBot) -> None:
        """Sends any message with the next frame."""
        self._outbox.put(message)

    def frame(self, frame: bytes) -> None:
        """Sends bytes as a frame of their own."""
        self._outbox.put_frame(frame)

    def hang_up(self) -> None:
        """Closes the stream without a word."""
        self._end(Ending("left", "hung up"))
        self.link.hang_up()

    async def _read(self) -> Ending:
        going_on = True
        try:
            async with asyncio.timeout(GREETING_S):
                while going_on and not self._welcomed:
                    going_on = await self._hears()
            while going_on:
                going_on = await self._hears()
        except TimeoutError:
            return Ending("unreachable", f"no answer to the hello in {GREETING_S:.0f} s")
        except DecodeError:
            return Ending("protocol", "the arena sent a frame that cannot be read")
        except LinkError as error:
            return self._ending or self._broken(error)
        return self._ending or Ending("closed", "the arena closed the stream without a word")

    async def _hears(self) -> bool:
        """Takes one frame; False when the session is over."""
        frame = await self.link.read()
        if frame is None:
            return False
        # What the frame leads to at once is written from here, without waking the writer.
        self._outbox.held = True
        try:
            self._take(frame)
        finally:
            self._outbox.held = False
        await self._outbox.flush()
        return self._ending is None or self._ending.kind == "crash"

    def _take(self, frame: bytes) -> None:
        takers = self._takers
        for message in play_pb2.PlayResponse.FromString(frame).messages:
            kind = message.WhichOneof("message")
            if kind in takers:
                takers[kind](getattr(message, kind))

    def _welcome(self, welcome: session_pb2.Welcome) -> None:
        self._welcomed = True
        self.resume_token = welcome.resume_token
        if welcome.limits.frame_messages:
            self._outbox.frame_messages = welcome.limits.frame_messages
        if welcome.limits.frame_bytes:
            self._outbox.frame_bytes = welcome.limits.frame_bytes
        self._report.note(f"welcome at {welcome.arena or 'the arena'}; waiting for a match")

    def _refused(self, refused: session_pb2.Refused) -> None:
        reason = word(errors_pb2.RefusalReason, refused.reason, "REFUSAL_REASON_")
        told = [refused.ours, refused.yours, refused.remedy]
        self._end(Ending("refused", f"{reason}: {'; '.join(part for part in told if part)}"))

    def _seat_offer(self, offer: session_pb2.SeatOffer) -> None:
        reply = session_pb2.SeatReply(offer=offer.offer, accepted=True)
        if self.bot.games and offer.game not in self.bot.games:
            reply.accepted = False
            reply.why = f"{self._name} plays {', '.join(self.bot.games)}, not {offer.game}"
            if offer.game not in self._declined:
                self._declined[offer.game] = reply.why
                self._report.line(f"declined a seat: the match plays {offer.game}; {reply.why}")
        self._outbox.put(session_pb2.FromBot(seat_reply=reply))

    def _match_started(self, started: session_pb2.MatchStarted) -> None:
        match = WireMatch(started)
        others = ", ".join(player.name for player in match.players if player.seat != match.seat)
        self._report.note(f"match {match.id}: {match.game_name}, seat {match.seat} of {match.seats}, against {others}")

        def start() -> object:
            table.bot = self.bot.made(match, self._settings)
            return table.bot.start(match)

        table = self._tables[started.match] = Table(started.match, match)
        self._thinking.do(table.lane, Job(start, _nothing, self.failed))

    def _prompt(self, message: session_pb2.Prompt) -> None:
        table = self._tables.get(message.match)
        if table is None:
            return
        prompt = WirePrompt(table.match, message, handle=table.handle, events_seen=table.events_seen)
        table.events_seen = max(table.events_seen, message.first_event + message.event_count - 1)
        self._ask(table, prompt)

    def _ask(self, table: Table, prompt: WirePrompt) -> None:
        table.prompt = prompt
        ask = Ask(self, table, prompt)
        self._thinking.do(table.lane, Job(ask.choose, ask.chosen, ask.failed))

    def chosen(self, table: Table, prompt: WirePrompt, value: object) -> None:
        """The bot answered a prompt that is still open."""
        if self._ending is not None:
            return
        try:
            table.bot.reply(prompt, answered(table.bot, value), self)
        except Exception as error:
            self.failed(error)

    def resigned(self, table: Table, why: str) -> None:
        """The bot gives up a match."""
        table.prompt = None
        self._outbox.put(session_pb2.FromBot(resign=session_pb2.Resign(match=table.handle, why=why[:1000])))

    def _ruling(self, message: session_pb2.Ruling) -> None:
        ruling = Ruling(
            kind=word(errors_pb2.RulingKind, message.kind, "RULING_KIND_"),
            reason=word(errors_pb2.RulingReason, message.reason, "RULING_REASON_"),
            code=message.code,
            text=message.text,
            tries_left=message.tries_left,
        )
        self._report.ruling(message.match, message.number, ruling)
        table = self._tables.get(message.match)
        if table is None or table.prompt is None or table.prompt.number != message.number:
            return
        if ruling.kind == "rejected" and ruling.tries_left > 0:
            self._ask(table, table.prompt.again(ruling))
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
        self._outbox.put(
            session_pb2.FromBot(ack=session_pb2.Ack(match=table.handle, events=table.events_seen)),
        )

        def happened() -> object:
            return table.bot.happened(table.match, table.match.payloads.events(message.events)[-fresh:])

        self._thinking.do(table.lane, Job(happened, _nothing, self.failed))

    def _match_ended(self, message: session_pb2.MatchEnded) -> None:
        table = self._tables.pop(message.match, None)
        if table is None:
            return
        result = outcome(message.outcome)
        table.prompt = None
        table.match.close(message)
        self._thinking.drop(table.lane)
        self._ended_matches += 1
        self._hooks_owed += 1
        self._report.outcome(table.match, result)

        def done(value: object) -> None:
            self._hooks_owed -= 1
            self._hooks_done.set()

        def failed(error: BaseException) -> None:
            done(None)
            self.failed(error)

        self._thinking.do(table.lane, Job(lambda: table.bot.ended(table.match, result), done, failed))

    def _ping(self, ping: session_pb2.Ping) -> None:
        self._outbox.put(session_pb2.FromBot(pong=session_pb2.Pong(nonce=ping.nonce)))

    def _drain(self, drain: session_pb2.Drain) -> None:
        text = f": {drain.text}" if drain.text else ""
        self._report.line(f"the arena stops in {drain.remaining_us / 1e6:.0f} s{text}")

    def _redirect(self, redirect: session_pb2.Redirect) -> None:
        self._end(Ending("redirected", redirect.text, self._ended_matches, target=redirect.target))

    def _session_ended(self, message: session_pb2.SessionEnded) -> None:
        reason = word(errors_pb2.SessionEndReason, message.reason, "SESSION_END_REASON_")
        told = "; ".join(part for part in (message.text, message.remedy) if part)
        if reason == "done" and self._declined and not (self._ended_matches or self._tables):
            reason, told = "declined", "; ".join(self._declined.values())
        self._end(Ending(reason, told, self._ended_matches))
        if self._ending is not None and self._ending.kind == "crash":
            self.link.hang_up()

    def failed(self, error: BaseException) -> None:
        """The bot raised: tell its author and, if it still listens, the arena."""
        if self._ending is not None and self._ending.kind == "crash":
            return
        self._report.crash(error)
        text = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
        over = self._ending is not None
        self._ending = Ending("crash", text, self._ended_matches, error=error)
        if not over:
            leave = session_pb2.Leave(reason=session_pb2.LEAVE_REASON_CRASH, text=text[:1000])
            self._outbox.put(session_pb2.FromBot(leave=leave))
            asyncio.get_running_loop().call_later(FAREWELL_S, self.link.hang_up)

    async def _goodbye(self, reader: asyncio.Task[Ending]) -> None:
        """Says that the bot leaves, and waits a moment for the arena's last word, so that ours is not lost."""
        if self._ending is not None:
            return
        self._outbox.put(session_pb2.FromBot(leave=session_pb2.Leave(reason=session_pb2.LEAVE_REASON_DONE)))
        await asyncio.wait((reader,), timeout=FAREWELL_S / 2)

    def _end(self, ending: Ending) -> None:
        if self._ending is None:
            self._ending = ending

    def _broken(self, error: LinkError) -> Ending:
        if self._welcomed:
            return Ending("lost", str(error), self._ended_matches)
        if error.code in ("unauthenticated", "permission_denied"):
            return Ending("refused", f"token: {error.text}")
        if error.code == "unimplemented":
            return Ending("unreachable", "what answers there is no arena")
        return Ending("unreachable", error.text or error.code)


def _nothing(value: object) -> None:
    """What follows from a hook that answers nothing."""
