"""The other side of a session in these tests: an arena that says what the script says and hears what the bot says."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

from rivalry.arena.v1 import outcome_pb2, play_pb2, session_pb2
from rivalry_client.bot import Bot
from rivalry_client.ending import Ending
from rivalry_client.link import QueueLink
from rivalry_client.report import Report
from rivalry_client.session import Session
from rivalry_client.thinking import OnLoop, Thinking
from rivalry_engine.chance import luck
from rivalry_engine.kuhn import Kuhn
from rivalry_wire.codec import codec

PATIENCE_S = 50.0
"""For what comes at once; below the patience of a bot whose stream was lost."""


class ScriptedArena:
    """One end of a queue link.  ``hear`` gives the bot's messages one by one, whatever the frames."""

    def __init__(self, link: QueueLink) -> None:
        self.link = link
        self.frames: list[bytes] = []
        self.over = False
        """True once the arena has said its last word: then the bot closes the stream."""
        self._heard: list[session_pb2.FromBot] = []

    async def say(self, **message: Any) -> None:
        """One frame with one message: ``say(ping=session_pb2.Ping(nonce=1))``."""
        await self.frame(session_pb2.FromArena(**message))

    async def frame(self, *messages: session_pb2.FromArena) -> None:
        """One frame with several messages."""
        self.over |= any(message.WhichOneof("message") in ("session_ended", "refused") for message in messages)
        await self.link.write(play_pb2.PlayResponse(messages=messages).SerializeToString())

    async def hear(self, kind: str = "") -> Any:
        """The bot's next message, without its wrapper; it must be of ``kind`` if that is given."""
        while not self._heard:
            frame = await asyncio.wait_for(self.link.read(), PATIENCE_S)
            assert frame is not None, "the bot hung up"
            self.frames.append(frame)
            self._heard.extend(play_pb2.PlayRequest.FromString(frame).messages)
        message = self._heard.pop(0)
        said = message.WhichOneof("message")
        assert said is not None
        assert kind in ("", said), f"the bot said {message}"
        return getattr(message, said)

    async def pass_over(self, kind: str) -> None:
        """Hears the bot out until it has said a message of ``kind``, and takes that one alone away."""
        while (at := next((at for at, said in enumerate(self._heard) if said.WhichOneof("message") == kind), -1)) < 0:
            frame = await asyncio.wait_for(self.link.read(), PATIENCE_S)
            assert frame is not None, "the bot hung up"
            self.frames.append(frame)
            self._heard.extend(play_pb2.PlayRequest.FromString(frame).messages)
        del self._heard[at]

    async def hung_up(self) -> bool:
        """True once the bot closed the link with nothing more said."""
        return not self._heard and await asyncio.wait_for(self.link.read(), PATIENCE_S) is None

    async def welcome(self, **facts: Any) -> session_pb2.Hello:
        """Hears the hello and takes it."""
        hello: session_pb2.Hello = await self.hear("hello")
        await self.say(welcome=session_pb2.Welcome(protocol=1, arena="scripted", session="s", **facts))
        return hello

    async def end(self, reason: int = 2, text: str = "", remedy: str = "") -> None:
        """The last word: DONE unless another reason is given."""
        await self.say(session_ended=session_pb2.SessionEnded(reason=reason, text=text, remedy=remedy))  # type: ignore[arg-type]


class KuhnTable:
    """Messages of a match of Kuhn poker for seat 0, as an arena would write them."""

    def __init__(self, handle: int = 1, seed: bytes = b"table") -> None:
        self.handle = handle
        self.game = Kuhn()
        self.codec = codec(self.game)
        self.state = self.game.new_state(seed)
        self.state.log = []
        self.luck = luck(seed, 0)

    def started(self) -> session_pb2.FromArena:
        """MatchStarted."""
        started = session_pb2.MatchStarted(
            match=self.handle,
            match_id="ab" * 16,
            game="kuhn",
            rules_version=1,
            options_json='{"seats":2}',
            players=[session_pb2.Player(seat=0, name="me"), session_pb2.Player(seat=1, name="other")],
            luck=self.luck,
        )
        started.setup.type_url = self.codec.url("Setup")
        started.setup.value = self.codec.setup(self.state.setup())
        return session_pb2.FromArena(match_started=started)

    def prompt(self, number: int = 1, **facts: Any) -> session_pb2.FromArena:
        """The first prompt of the game, under any number."""
        prompt = session_pb2.Prompt(
            match=self.handle, number=number, kind="open", parts=[0, 0], tries_left=3, first_event=1, **facts
        )
        prompt.observation.type_url = self.codec.url("Observation")
        prompt.observation.value = self.codec.observation(self.state.observe(0))
        prompt.choices.type_url = self.codec.url("Choices")
        prompt.choices.value = self.codec.choices(self.state.choices(0))
        return session_pb2.FromArena(prompt=prompt)

    def ended(self, **facts: Any) -> session_pb2.FromArena:
        """MatchEnded: seat 0 won a chip."""
        outcome = outcome_pb2.Outcome(
            seats=[
                outcome_pb2.SeatOutcome(seat=0, name="me", score=1, rank=1, end=outcome_pb2.END_NORMAL),
                outcome_pb2.SeatOutcome(seat=1, name="other", score=-1, rank=2, end=outcome_pb2.END_NORMAL),
            ],
            score_unit=1,
        )
        return session_pb2.FromArena(
            match_ended=session_pb2.MatchEnded(match=self.handle, match_id="ab" * 16, outcome=outcome, **facts)
        )


def played(
    bot: type[Bot],
    script: Callable[[ScriptedArena], Awaitable[None]],
    *,
    thinking: Callable[[], Thinking] = OnLoop,
    **seating: Any,
) -> Ending:
    """Plays ``bot`` against ``script`` to the end of the session; returns how it ended."""

    async def both() -> Ending:
        ours, theirs = QueueLink.pair()
        arena = ScriptedArena(theirs)
        session = Session(ours, bot, thinking=thinking(), report=Report(talkative=False), **seating)
        playing = asyncio.ensure_future(session.play())
        try:
            await script(arena)
            return await asyncio.wait_for(playing, PATIENCE_S)
        finally:
            playing.cancel()
            await asyncio.gather(playing, return_exceptions=True)

    return asyncio.run(both())
