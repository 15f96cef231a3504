"""Bots that misbehave on purpose, each in one way: what an arena must survive.

How each ends at an arena: ``clients/python/README.md``.
"""

from __future__ import annotations

import asyncio
import os
from typing import TYPE_CHECKING, ClassVar, Final

from rivalry_client.bot import Bot, Setting
from rivalry_client.prompt import Prompt
from rivalry_engine.prompt import Answer

if TYPE_CHECKING:
    from rivalry.arena.v1 import session_pb2
    from rivalry_client.wire import Wire

AFTER: Final = Setting("after", "integer", 0, (), "how many prompts it answers well before it begins")
LATE_S: Final = 0.25
EXIT_STATUS: Final = 3


class BadBot(Bot):
    """Answers the first choice; after ``after`` prompts of a match it misbehaves in ``misbehave``."""

    version = "1"
    quick = True
    needs_wire = True
    declared: ClassVar[tuple[Setting, ...]] = (AFTER,)

    def choose(self, prompt: Prompt) -> object:
        """Choice 0."""
        return 0

    def reply(self, prompt: Prompt, answer: Answer, wire: Wire) -> None:
        """Answers well for a while."""
        if prompt.number > self.settings["after"]:
            self.misbehave(prompt, answer, wire)
        else:
            wire.answer(prompt, answer)

    def misbehave(self, prompt: Prompt, answer: Answer, wire: Wire) -> None:
        """What is bad about the bot."""
        raise NotImplementedError


class TwiceBot(BadBot):
    """Answers every prompt twice."""

    name = "bad-twice"

    def misbehave(self, prompt: Prompt, answer: Answer, wire: Wire) -> None:
        wire.answer(prompt, answer)
        wire.answer(prompt, answer)


class LateBot(BadBot):
    """Answers when the time is up; without a limit, at once."""

    name = "bad-late"

    async def choose(self, prompt: Prompt) -> object:
        budget_s = prompt.budget_s
        if budget_s is not None and prompt.number > self.settings["after"]:
            await asyncio.sleep(budget_s + LATE_S)
        return 0

    def misbehave(self, prompt: Prompt, answer: Answer, wire: Wire) -> None:
        wire.answer(prompt, answer)


class StaleBot(BadBot):
    """Answers every prompt but the first under the number before, and so never the open prompt."""

    name = "bad-stale"

    def misbehave(self, prompt: Prompt, answer: Answer, wire: Wire) -> None:
        wire.answer(prompt, answer, number=max(1, prompt.number - 1))


class GarbageBot(BadBot):
    """Sends bytes that are no frame; or, by setting, an action or a notation that mean nothing."""

    name = "bad-garbage"
    declared = (AFTER, Setting("what", "word", "frame", ("frame", "action", "text"), "what is garbage"))

    def misbehave(self, prompt: Prompt, answer: Answer, wire: Wire) -> None:
        what = self.settings["what"]
        if what == "frame":
            wire.frame(b"\x0a\xff\xff\xff\xff\x0f not a frame")
        elif what == "text":
            wire.answer(prompt, Answer(text="\N{PILE OF POO} please"))
        else:
            from rivalry_client.prompt import WirePrompt

            assert isinstance(prompt, WirePrompt)
            wire.say(nonsense(prompt.handle, prompt.number))


class IllegalBot(BadBot):
    """Names a choice that is not there."""

    name = "bad-illegal"

    def misbehave(self, prompt: Prompt, answer: Answer, wire: Wire) -> None:
        wire.answer(prompt, Answer(index=1 << 20))


class HangupBot(BadBot):
    """Closes the stream without a word."""

    name = "bad-hangup"

    def misbehave(self, prompt: Prompt, answer: Answer, wire: Wire) -> None:
        wire.hang_up()


class FloodBot(BadBot):
    """Answers, and then sends messages that nobody asked for, up to a bound."""

    name = "bad-flood"
    declared = (AFTER, Setting("messages", "integer", 50_000, (), "how many it sends at each prompt"))

    def misbehave(self, prompt: Prompt, answer: Answer, wire: Wire) -> None:
        for _ in range(self.settings["messages"]):
            wire.answer(prompt, answer, number=0)
        wire.answer(prompt, answer)


class SilentBot(BadBot):
    """Never answers; the client library still answers pings."""

    name = "bad-silent"

    def misbehave(self, prompt: Prompt, answer: Answer, wire: Wire) -> None:
        return


class ExitBot(BadBot):
    """Its process ends in the middle of a match, with status 3 and without a goodbye."""

    name = "bad-exit"

    def misbehave(self, prompt: Prompt, answer: Answer, wire: Wire) -> None:
        os._exit(EXIT_STATUS)


def nonsense(match: int, number: int) -> session_pb2.FromBot:
    """An answer whose action is of no game."""
    from rivalry.arena.v1 import session_pb2

    message = session_pb2.FromBot(answer=session_pb2.Answer(match=match, number=number))
    message.answer.action.type_url = "type.googleapis.com/nobody.knows.v1.This"
    message.answer.action.value = b"\xff\xff\xff"
    return message
