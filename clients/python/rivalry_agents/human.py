"""``human``: a person at a terminal, who reads what the seat sees and types the answers."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar
from urllib.parse import quote

from rivalry_agents import human_text
from rivalry_agents.human_terminal import Terminal, shared
from rivalry_agents.llm_reply import UnclearError, answer_in
from rivalry_client.bot import Bot, Setting, SettingError
from rivalry_client.match import Match, Outcome
from rivalry_client.prompt import Prompt
from rivalry_engine.event import Seen
from rivalry_engine.prompt import Answer, Resign


class HumanBot(Bot):
    """Asks a person at the terminal: shows what the seat sees, takes a number, parts or notation."""

    name = "human"
    version = "1"
    needs_wire = True
    private = True
    wants_view = True
    features = ("live_events",)
    declared: ClassVar[tuple[Setting, ...]] = (
        Setting("terminal", "word", "", (), "the terminal to ask on, as tty tells it; empty: stdin and stdout"),
    )

    @classmethod
    def settings_from(cls, given: Mapping[str, str]) -> dict[str, Any]:
        """The terminal, looked for; raises SettingError."""
        values = super().settings_from(given)
        if path := values["terminal"]:
            _check(path)
        return values

    _away = False
    """True from when the person gave up or was too late, until asked again: nothing is told then but the outcome."""

    def start(self, match: Match) -> None:
        """Says which match it is, and whose seats."""
        self._say(human_text.opening(match))

    async def choose(self, prompt: Prompt) -> Answer:
        """What the person answers; raises Resign for ``quit`` and for the end of the input."""
        terminal = self._terminal
        async with terminal.turn:  # of several matches one asks at a time
            self._away = False
            if prompt.ruling is None:
                terminal.say(human_text.question(prompt))
            else:
                terminal.say(human_text.rejected(prompt, prompt.ruling))
            try:
                return await self._answer(prompt, terminal)
            except asyncio.CancelledError:
                self._away = True
                terminal.say("\n" + human_text.WITHDRAWN)
                raise
            except Resign:
                self._away = True
                terminal.say(human_text.out(prompt.seat))
                raise

    def happened(self, match: Match, events: Sequence[Seen]) -> None:
        """Tells what happens while it happens."""
        if not self._away:
            self._say("\n".join(human_text.happened(match, events)))

    def ended(self, match: Match, outcome: Outcome) -> None:
        """Tells what happened last, and how the match ended for everybody."""
        self.happened(match, match.last_events)
        self._say(human_text.outcome(match, outcome))

    @property
    def _terminal(self) -> Terminal:
        return shared(self.settings["terminal"])

    def _say(self, text: str) -> None:
        if text:
            self._terminal.say(text)

    async def _answer(self, prompt: Prompt, terminal: Terminal) -> Answer:
        terminal.forget()
        texts = prompt.texts()
        while True:
            line = await terminal.line(f"seat {prompt.seat}> ")
            if line is None:
                raise Resign("the input of the person at the terminal ended")
            said = " ".join(line.split())
            if not said:
                continue
            if said not in texts:
                if said == "quit":
                    raise Resign("the person at the terminal gave up")
                if told := human_text.told(prompt, said):
                    terminal.say(told)
                    continue
            try:
                return answer_in(prompt, human_text.spelled(said, texts))
            except UnclearError as error:
                terminal.say(f"Not understood: {error}; help tells how to answer")


def _check(path: str) -> None:
    try:
        number = os.open(path, os.O_RDWR | os.O_NOCTTY)
    except OSError as error:
        raise SettingError(f"bot human: terminal {path!r}: {error.strerror}; expected what tty prints there") from None
    found = os.isatty(number)
    os.close(number)
    if not found:
        raise SettingError(f"bot human: {path!r} is no terminal; expected what tty prints there")


def here(text: str) -> str:
    """The specification ``text`` of a human, with the terminal of this process; raises SettingError if it has none.

    A bot that an arena starts has no terminal of its own: its stdin is empty and its output goes to the arena.
    """
    name, mark, settings = text.partition("?")
    if "terminal=" in settings:
        return text
    for number in (0, 1, 2):
        if os.isatty(number):
            return f"{name}?{settings + '&' if mark and settings else ''}terminal={quote(os.ttyname(number), safe='')}"
    raise SettingError(
        "human needs a terminal, and there is none here; seat `listen` and start `rivalry bot human --address …`"
        " where the person is"
    )
