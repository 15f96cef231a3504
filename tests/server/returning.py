"""A scripted bot that comes back when its stream is lost, and links that are cut at a given moment."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

from rivalry.arena.v1 import errors_pb2, play_pb2, session_pb2
from rivalry_engine.chance import Stream
from rivalry_server.arena import Arena
from rivalry_server.link import Link, LinkLostError, QueueLink, pair
from server.peer import FromBot, answer, hello

Choose = Callable[[session_pb2.Prompt, bytes], int]


def by_luck(prompt: session_pb2.Prompt, luck: bytes) -> int:
    """A choice that depends on the seat's chance and the prompt's number alone."""
    return Stream(luck, f"prompt/{prompt.number}").below(len(prompt.parts))


class Knife:
    """Cuts a pair of links when ``at`` moments have passed: before and after each read and write of both ends."""

    def __init__(self, at: int) -> None:
        self.at = at
        self.moments = 0
        self.cut: Callable[[], None] = lambda: None

    def passes(self) -> None:
        """One more moment."""
        self.moments += 1
        if self.moments == self.at:
            self.cut()


class Marked(Link):
    """A link whose every moment passes under a knife."""

    def __init__(self, link: QueueLink, knife: Knife) -> None:
        self._link = link
        self._knife = knife
        self.token = link.token
        self.peer = link.peer

    async def read(self) -> bytes | None:
        self._knife.passes()
        frame = await self._link.read()
        self._knife.passes()
        return frame

    async def write(self, frame: bytes) -> None:
        self._knife.passes()
        await self._link.write(frame)
        self._knife.passes()

    def hang_up(self) -> None:
        self._link.hang_up()


class Returning:
    """Plays one seat; dials again and resumes when its stream is lost.  ``streams`` counts how often it dialled."""

    def __init__(
        self, arena: Arena, *, knife: Knife | None = None, token: str | None = None, choose: Choose = by_luck
    ) -> None:
        self.streams = 0
        self.chosen = 0
        """How often it made a choice: an answer that is sent again is not made again."""
        self.ended: session_pb2.MatchEnded | None = None
        self.over: session_pb2.SessionEnded | None = None
        self.heard: list[session_pb2.FromArena] = []
        self._arena = arena
        self._knife = knife or Knife(0)
        self._seat_token = token
        self._choose = choose
        self._resume_token = b""
        self._luck: dict[int, bytes] = {}
        self._answers: dict[tuple[int, int], session_pb2.FromBot] = {}
        self._events: dict[int, int] = {}
        self._prompts: dict[int, int] = {}

    async def play(self, *, cut: Callable[[], None] | None = None) -> session_pb2.MatchEnded:
        """Plays until the match is over and the arena has said so; ``cut`` is what the knife does, if not that."""
        while self.ended is None or self.over is None:
            self.streams += 1
            assert self.streams < 20, "the bot had to dial too often"
            theirs, ours = pair(token=self._seat_token)
            self._knife.cut = cut or theirs.cut
            holding = asyncio.ensure_future(self._arena.hold(Marked(theirs, self._knife)))
            try:
                await self._converse(Marked(ours, self._knife))
            except LinkLostError:
                pass
            finally:
                ours.close()
                await asyncio.wait((holding,))
        return self.ended

    async def _converse(self, link: Link) -> None:
        await _say(link, self._first())
        while (frame := await link.read()) is not None:
            said: list[session_pb2.FromBot] = []
            for message in play_pb2.PlayResponse.FromString(frame).messages:
                self.heard.append(message)
                said += self._reply(message)
            if said:
                await _say(link, *said)
            if self.over is not None:
                return

    def _first(self) -> session_pb2.FromBot:
        if not self._resume_token:
            return hello("returning", features=["resume"])
        acks = [
            session_pb2.Ack(match=match, events=self._events.get(match, 0), prompt=self._prompts.get(match, 0))
            for match in self._luck
        ]
        versions = session_pb2.VersionRange(least=1, most=1)
        return FromBot(resume=session_pb2.Resume(protocol=versions, token=self._resume_token, acks=acks))

    def _reply(self, message: session_pb2.FromArena) -> list[session_pb2.FromBot]:
        kind = message.WhichOneof("message")
        body: Any = getattr(message, kind or "welcome")
        if kind == "welcome":
            self._resume_token = body.resume_token
        elif kind == "refused":
            assert body.reason == errors_pb2.REFUSAL_REASON_RESUME, body
            self._resume_token = b""
            self._luck.clear()
        elif kind == "seat_offer":
            return [FromBot(seat_reply=session_pb2.SeatReply(offer=body.offer, accepted=True))]
        elif kind == "match_started":
            self._luck.pop(body.replaces, None)
            self._luck[body.match] = body.luck
        elif kind == "ping":
            return [FromBot(pong=session_pb2.Pong(nonce=body.nonce))]
        elif kind == "prompt":
            return self._answered(body)
        elif kind == "match_ended":
            self.ended = body
            return [FromBot(ack=session_pb2.Ack(match=body.match, ended=True))]
        elif kind == "session_ended":
            self.over = body
        return []

    def _answered(self, prompt: session_pb2.Prompt) -> list[session_pb2.FromBot]:
        have = self._events.get(prompt.match, 0)
        if prompt.event_count:
            assert prompt.first_event <= have + 1, f"event {have + 1} is missing"
            self._events[prompt.match] = max(have, prompt.first_event + prompt.event_count - 1)
        self._prompts[prompt.match] = prompt.number
        key = (prompt.match, prompt.number)
        if key not in self._answers:
            self.chosen += 1
            self._answers[key] = answer(prompt, index=self._choose(prompt, self._luck[prompt.match]))
        return [self._answers[key]]


async def _say(link: Link, *messages: session_pb2.FromBot) -> None:
    await link.write(play_pb2.PlayRequest(messages=messages).SerializeToString())
