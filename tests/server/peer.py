"""A scripted bot at the other end of a queue link, and the arena it talks to."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from rivalry.arena.v1 import play_pb2, session_pb2
from rivalry_engine import catalog
from rivalry_engine.game import Game
from rivalry_server.arena import Arena
from rivalry_server.clock import TimeControl
from rivalry_server.link import pair
from rivalry_server.match_spec import MatchSpec
from rivalry_server.outcome import Result
from rivalry_server.policies import Policies
from rivalry_server.seating import Listen, Occupant
from server.tally import Tally

FromBot = session_pb2.FromBot
MATCH_ID = "0" * 31 + "1"


class Peer:
    """Says and hears messages one by one; remembers all that it heard in ``heard`` and the raw frames in ``frames``."""

    def __init__(self, arena: Arena, *, token: str | None = None, frames: int = 64) -> None:
        theirs, self.link = pair(token=token, frames=frames)
        self.session = asyncio.ensure_future(arena.hold(theirs))
        self.heard: list[session_pb2.FromArena] = []
        self.frames: list[bytes] = []
        self._pending: deque[session_pb2.FromArena] = deque()

    async def say(self, *messages: session_pb2.FromBot) -> None:
        """One frame that holds ``messages``."""
        await self.link.write(play_pb2.PlayRequest(messages=messages).SerializeToString())

    async def hear(self) -> session_pb2.FromArena | None:
        """The next message; None when the arena sends no more."""
        while not self._pending:
            frame = await self.link.read()
            if frame is None:
                return None
            self.frames.append(frame)
            self._pending.extend(play_pb2.PlayResponse.FromString(frame).messages)
        message = self._pending.popleft()
        self.heard.append(message)
        return message

    async def until(self, kind: str) -> Any:
        """The next message of a kind; those before it are passed over."""
        while (message := await self.hear()) is not None:
            if message.WhichOneof("message") == kind:
                return getattr(message, kind)
        raise AssertionError(f"the arena sent no {kind}; it sent {self.kinds()}")

    def after(self, before: Peer) -> Peer:
        """This peer, which goes on where ``before`` was: all that both heard."""
        self.heard = before.heard + self.heard
        return self

    def kinds(self) -> list[str | None]:
        """The kinds of all that was heard, pings left out."""
        kinds = [message.WhichOneof("message") for message in self.heard]
        return [kind for kind in kinds if kind != "ping"]

    def all(self, kind: str) -> list[Any]:
        """All messages of a kind that were heard."""
        return [getattr(message, kind) for message in self.heard if message.WhichOneof("message") == kind]

    async def hello(self, name: str = "peer", **fields: Any) -> None:
        """Says hello."""
        await self.say(hello(name, **fields))

    async def sit(self, name: str = "peer", **fields: Any) -> session_pb2.MatchStarted:
        """Says hello, takes the seat it is offered, and hears the match begin."""
        await self.hello(name, **fields)
        await self.accept()
        started: session_pb2.MatchStarted = await self.until("match_started")
        return started

    async def accept(self) -> None:
        """Takes the next seat it is offered."""
        offer = await self.until("seat_offer")
        await self.say(FromBot(seat_reply=session_pb2.SeatReply(offer=offer.offer, accepted=True)))

    async def answer(self, prompt: session_pb2.Prompt, index: int = 0, **fields: Any) -> None:
        """Answers a prompt by number."""
        await self.say(answer(prompt, index=index, **fields))

    async def play(self, choose: Callable[[session_pb2.Prompt], int] = lambda prompt: 0) -> session_pb2.MatchEnded:
        """Answers every prompt until the match has ended."""
        while (message := await self.hear()) is not None:
            kind = message.WhichOneof("message")
            if kind == "prompt":
                await self.answer(message.prompt, choose(message.prompt))
            elif kind == "match_ended":
                return message.match_ended
        raise AssertionError(f"the arena hung up before the end; it sent {self.kinds()}")

    async def sit_and_play(self, name: str = "peer", **fields: Any) -> session_pb2.MatchEnded:
        """A whole match with first choices."""
        await self.sit(name, **fields)
        return await self.play()


def hello(name: str = "peer", **fields: Any) -> session_pb2.FromBot:
    """A hello of protocol 1."""
    fields.setdefault("protocol", session_pb2.VersionRange(least=1, most=1))
    return FromBot(hello=session_pb2.Hello(name=name, **fields))


def answer(prompt: session_pb2.Prompt, **fields: Any) -> session_pb2.FromBot:
    """An answer to a prompt."""
    fields.setdefault("match", prompt.match)
    fields.setdefault("number", prompt.number)
    return FromBot(answer=session_pb2.Answer(**fields))


def kuhn() -> Game:
    """Kuhn poker."""
    return catalog.game("kuhn")


def tally(seats: int = 3, **options: Any) -> Game:
    """The test game."""
    return Tally({"seats": seats, **options})


def spec(game: Game | None = None, *, time: str = "2s", wait_s: float = 60.0, **policies: Any) -> MatchSpec:
    """A match with the same seed and id always; the first prompt has the time of the others."""
    limit = TimeControl.parsed(time)
    return MatchSpec(
        game or kuhn(),
        b"the seed of this match",
        MATCH_ID,
        time_control=replace(limit, first_prompt_us=limit.prompt_us),
        policies=Policies(**policies),
        wait_s=wait_s,
    )


def opened(arena: Arena, spec: MatchSpec, occupants: list[Occupant] | None = None) -> asyncio.Future[Result]:
    """A match that was started, with all seats open unless ``occupants`` says otherwise."""
    seats = occupants or [Listen() for _ in range(spec.game.seats)]
    return asyncio.ensure_future(arena.run_match(spec, seats))
