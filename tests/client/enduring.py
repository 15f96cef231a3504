"""An arena of one match that outlives its streams, and a bot that notes what it is asked: for cuts at every point."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any

from client.scripted import KuhnTable
from rivalry.arena.v1 import errors_pb2, play_pb2, session_pb2
from rivalry_client.bot import Bot
from rivalry_client.ending import Ending
from rivalry_client.link import Link, LinkError, QueueLink
from rivalry_client.match import Match, Outcome
from rivalry_client.prompt import Prompt
from rivalry_client.report import Report
from rivalry_client.session import Session
from rivalry_client.streams import Dialled, Streams
from rivalry_client.thinking import OnLoop, Thinking
from rivalry_engine.chance import Stream

FromArena = session_pb2.FromArena
ILLEGAL = 99
TURNS = 10
"""So many turns of the loop an arena waits at a step that a bot awaited: what the bot says then comes first."""


class Diary:
    """What a bot was told and asked, and what it answered."""

    def __init__(self) -> None:
        self.lines: list[object] = []


def noting(diary: Diary) -> type[Bot]:
    """A quick bot that keeps ``diary``; its first answer to the second prompt is not legal."""

    class Noting(Bot):
        quick = True

        def start(self, match: Match) -> None:
            diary.lines.append("start")

        def choose(self, prompt: Prompt) -> object:
            diary.lines.append((prompt.number, prompt.tries_left))
            return ILLEGAL if prompt.number == 2 and prompt.ruling is None else 0

        def ended(self, match: Match, outcome: Outcome) -> None:
            diary.lines.append("ended")

    return Noting


WHOLE = ["start", (1, 3), (2, 3), (2, 2), "ended"]
"""The diary of a match without a cut, and of one with any."""


class _CutError(Exception):
    """The stream is cut here."""


class EnduringArena:
    """Plays two prompts of one match with whoever dials; ``cuts`` says after how many steps each stream is lost.

    A step is a frame that came and is lost, one that was taken and is not answered, or one that was sent.
    """

    def __init__(self, *, cuts: Sequence[int] = (), ruling_first: bool = False, by_error: bool = False) -> None:
        self.steps = 0
        self.passed = 0
        """The steps of all streams together, and one for each dial."""
        self.welcomes = 0
        self.dialled_at: list[float] = []
        self.heard: list[session_pb2.FromBot] = []
        self.answers: list[tuple[int, int]] = []
        """Those that the arena took or rejected: number and index."""
        self.stray: list[session_pb2.Answer] = []
        """Those to no open prompt."""
        self.early: list[session_pb2.Answer] = []
        """Those that left over a stream before their prompt was told over it."""
        self.acknowledged = False
        self.over = False
        self._cuts = list(cuts)
        self._ruling_first = ruling_first
        self._by_error = by_error
        self._table = KuhnTable()
        self._accepted = False
        self._open = 0
        self._tries = 3
        self._rejection: FromArena | None = None
        self._ended = False
        self._tokens: list[bytes] = []
        self._streams: set[asyncio.Task[None]] = set()
        self._awaited: dict[asyncio.Future[None], int] = {}

    def dial(self) -> Link:
        """A new stream to the arena."""
        self.dialled_at.append(asyncio.get_running_loop().time())
        self._passes()
        ours, theirs = QueueLink.pair()
        link = _Watched(_Breaking(ours) if self._by_error else ours, self.early)
        serving = asyncio.ensure_future(self._serve(theirs))
        self._streams.add(serving)
        serving.add_done_callback(self._streams.discard)
        return link

    async def steps_on(self, steps: int) -> None:
        """Returns when so many more steps have passed, or after a second without that."""
        reached = asyncio.get_running_loop().create_future()
        self._awaited[reached] = self.passed + steps
        await asyncio.wait((reached,), timeout=1.0)

    async def close(self) -> None:
        """Ends what still runs, and raises what went wrong in it."""
        for serving in list(self._streams):
            serving.cancel()
        for outcome in await asyncio.gather(*self._streams, return_exceptions=True):
            if isinstance(outcome, Exception):
                raise outcome

    async def _serve(self, link: QueueLink) -> None:
        greeted = False
        try:
            while (frame := await link.read()) is not None:
                await self._step()
                told: list[FromArena] = []
                for message in play_pb2.PlayRequest.FromString(frame).messages:
                    self.heard.append(message)
                    if greeted:
                        self._tokens = self._tokens[-1:]
                        told += self._told(message)
                    else:
                        greeted = True
                        told += self._greeted(message)
                await self._step()
                for message in told:
                    await link.write(play_pb2.PlayResponse(messages=[message]).SerializeToString())
                    self.welcomes += message.HasField("welcome")
                    await self._step()
        except _CutError:
            link.hang_up()
        except LinkError:
            return

    async def _step(self) -> None:
        self.steps += 1
        if self._passes():
            for _ in range(TURNS):
                await asyncio.sleep(0)
        if self._cuts and self.steps >= self._cuts[0]:
            self._cuts.pop(0)
            self.steps = 0
            raise _CutError

    def _passes(self) -> bool:
        """One more step is taken; True if somebody awaited it."""
        self.passed += 1
        reached = [awaited for awaited, at in self._awaited.items() if self.passed >= at]
        for awaited in reached:
            del self._awaited[awaited]
            if not awaited.done():
                awaited.set_result(None)
        return bool(reached)

    def _greeted(self, message: session_pb2.FromBot) -> list[FromArena]:
        resumes = message.HasField("resume")
        if resumes and message.resume.token not in self._tokens:
            return [FromArena(refused=session_pb2.Refused(reason=errors_pb2.REFUSAL_REASON_RESUME))]
        if resumes:
            self._tokens = [message.resume.token]
        token = b"token %d" % (self.welcomes + 1) + bytes([len(self.heard)])
        self._tokens.append(token)
        told = [FromArena(welcome=session_pb2.Welcome(protocol=1, resume_token=token, resumed=resumes))]
        if not self._accepted:
            return [*told, FromArena(seat_offer=session_pb2.SeatOffer(offer=1, game="kuhn"))]
        if self._ended:
            return [*told, *([] if self.acknowledged else [self._table.ended()]), self._done()]
        started = self._table.started()
        started.match_started.resumed = True
        told.append(started)
        acks = {ack.match: ack for ack in message.resume.acks}
        again = [self._prompt()]
        if self._rejection is not None and 1 in acks and acks[1].prompt == self._open:
            again.insert(0 if self._ruling_first else 1, self._rejection)
        return told + again

    def _told(self, message: session_pb2.FromBot) -> list[FromArena]:
        kind = message.WhichOneof("message")
        if kind == "ping":
            return [FromArena(pong=session_pb2.Pong(nonce=message.ping.nonce))]
        if kind == "seat_reply" and not self._accepted:
            self._accepted = True
            self._open = 1
            return [self._table.started(), self._prompt()]
        if kind == "answer":
            return self._answered(message.answer)
        if kind == "ack" and message.ack.ended:
            self.acknowledged = True
        return []

    def _answered(self, answer: session_pb2.Answer) -> list[FromArena]:
        if self._ended or answer.number != self._open:
            self.stray.append(answer)
            return []
        self.answers.append((answer.number, answer.index))
        if answer.index == ILLEGAL:
            self._tries -= 1
            ruling = session_pb2.Ruling(
                match=1, number=self._open, kind=errors_pb2.RULING_KIND_REJECTED, tries_left=self._tries
            )
            self._rejection = FromArena(ruling=ruling)
            return [self._rejection]
        if self._open == 2:
            self._ended = self.over = True
            return [self._table.ended(), self._done()]
        self._open += 1
        return [self._prompt()]

    def _prompt(self) -> FromArena:
        prompt = self._table.prompt(number=self._open)
        prompt.prompt.tries_left = self._tries
        return prompt

    def _done(self) -> FromArena:
        return FromArena(session_ended=session_pb2.SessionEnded(reason=errors_pb2.SESSION_END_REASON_DONE))


class _Breaking(Link):
    """A link whose end is an error, as where a connection breaks."""

    def __init__(self, link: QueueLink) -> None:
        self._link = link

    async def read(self) -> bytes | None:
        frame = await self._link.read()
        if frame is None:
            raise LinkError("unavailable", "the connection broke")
        return frame

    async def write(self, frame: bytes) -> None:
        await self._link.write(frame)

    def hang_up(self) -> None:
        self._link.hang_up()

    async def close(self) -> None:
        await self._link.close()


class _Watched(Link):
    """A link that notes the answers which leave before their prompt has come."""

    def __init__(self, link: Link, early: list[session_pb2.Answer]) -> None:
        self._link = link
        self._early = early
        self._told: set[int] = set()

    async def read(self) -> bytes | None:
        frame = await self._link.read()
        for message in play_pb2.PlayResponse.FromString(frame or b"").messages:
            self._told.add(message.prompt.number)
        return frame

    async def write(self, frame: bytes) -> None:
        said = [message.answer for message in play_pb2.PlayRequest.FromString(frame).messages]
        self._early += [answer for answer in said if answer.number and answer.number not in self._told]
        await self._link.write(frame)

    def hang_up(self) -> None:
        self._link.hang_up()

    async def close(self) -> None:
        await self._link.close()


class AtOnce(Streams):
    """Dials again without a wait."""

    def __init__(self, arena: EnduringArena) -> None:
        self._arena = arena

    async def next(self, session: str) -> Link:
        await asyncio.sleep(0)
        return self._arena.dial()


async def played_on(
    arena: EnduringArena,
    bot: type[Bot],
    *,
    thinking: Thinking | None = None,
    streams: Streams | None = None,
    **facts: Any,
) -> Ending:
    """Plays ``bot`` at ``arena`` to the end of the session, over as many streams as it takes."""
    session = Session(
        arena.dial(),
        bot,
        thinking=thinking or OnLoop(),
        report=Report(talkative=False),
        streams=streams or Dialled(arena.dial, Stream(b"test", "back-off")),
        **facts,
    )
    try:
        return await session.play()
    finally:
        await arena.close()
