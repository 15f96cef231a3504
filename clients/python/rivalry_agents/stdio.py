"""``stdio``: a seat for any program that reads JSON lines and writes JSON lines.

Each match starts the program anew, so that it needs no bookkeeping.  The protocol: ``clients/stdio/README.md``.
"""

from __future__ import annotations

import asyncio
import os
import shlex
import shutil
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar
from urllib.parse import quote

from rivalry_agents import stdio_lines, stdio_program
from rivalry_agents.stdio_program import Program, ProgramError
from rivalry_client.bot import Bot, GivenUpError, Setting, SettingError
from rivalry_client.match import Match, Outcome
from rivalry_client.prompt import Prompt
from rivalry_engine.prompt import Answer, shown


class StdioBot(Bot):
    """Starts a program that reads JSON lines and writes its answers as such."""

    name = "stdio"
    version = "1"
    needs_wire = True
    starts_programs = True
    private = True
    wants_view = True
    declared: ClassVar[tuple[Setting, ...]] = (
        Setting("command", "word", "", (), "the program and its arguments, split as a shell would"),
    )

    @classmethod
    def settings_from(cls, given: Mapping[str, str]) -> dict[str, Any]:
        """The command, looked for; raises SettingError."""
        values = super().settings_from(given)
        words(values["command"])
        return values

    async def start(self, match: Match) -> None:
        """Starts the program and tells it what the match is."""
        self._owed = 0
        """Prompts that it was told and has not answered."""
        self._number = 0
        most_s = match.first_prompt_s or match.prompt_s  # the first prompt's time runs by now
        self._until = None if most_s is None else asyncio.get_running_loop().time() + most_s
        self._program = Program(words(self.settings["command"]))
        self._program.last_words_s = self._soon(stdio_program.LAST_WORDS_S)
        await self._program.start()
        await self._or_end(self._program.say(stdio_lines.line(stdio_lines.started(match))))

    async def choose(self, prompt: Prompt) -> Answer:
        """The program's answer, which it gives within a line; raises GivenUpError and Resign."""
        answer: Answer = await self._or_end(self._answered(prompt))
        return answer

    async def ended(self, match: Match, outcome: Outcome) -> None:
        """Tells the program, and ends it."""
        try:
            async with asyncio.timeout(1):
                await self._program.say(stdio_lines.line(stdio_lines.over(match, outcome)))
        except (TimeoutError, ProgramError):  # it reads no more, which is no matter now
            pass
        await self._program.end(stdio_program.LEAVE_S)

    async def _answered(self, prompt: Prompt) -> Answer:
        program = self._program
        if not self._owed and program.spoke_unasked:
            line = await program.hear()
            raise GivenUpError(
                f"the program wrote {shown(line.decode(errors='replace'))} before prompt {prompt.number}"
            )
        told = b""
        if prompt.ruling is not None:
            told = stdio_lines.line(stdio_lines.ruled(prompt.number, prompt.ruling))
        told += stdio_lines.line(stdio_lines.asked(prompt, self._left(prompt)))
        program.last_words_s = self._soon(stdio_program.LAST_WORDS_S)
        self._owed += 1
        await program.say(told)
        while True:
            line = await program.hear()
            self._owed -= 1
            if self._owed:  # the answer to a prompt that was withdrawn
                continue
            answer = stdio_lines.answer_in(line, prompt.number)
            if answer is not None:
                return answer
            self._owed += 1

    def _left(self, prompt: Prompt) -> float | None:
        """Seconds left: of a prompt that is asked again, what is left of the same time."""
        now = asyncio.get_running_loop().time()
        if prompt.number != self._number or prompt.ruling is None:
            self._number = prompt.number
            self._until = None if prompt.budget_s is None else now + prompt.budget_s
        return None if self._until is None else self._until - now

    def _soon(self, most_s: float) -> float:
        """``most_s``, or a quarter of what is left of the prompt's time where that is less: a crash is no timeout."""
        if self._until is None:
            return most_s
        return min(most_s, max(self._until - asyncio.get_running_loop().time(), 0.0) / 4)

    async def _or_end(self, doing: Any) -> Any:
        """What ``doing`` returns; where it fails for good, the program is ended first."""
        try:
            return await doing
        except GivenUpError:
            await self._program.end(self._soon(stdio_program.CRASH_LEAVE_S))
            raise


def words(line: str) -> Sequence[str]:
    """The words of a command line whose program is there; raises SettingError."""
    try:
        found = shlex.split(line)
    except ValueError as error:
        raise SettingError(f"the command {line!r}: {error}; expected a command line as a shell reads it") from None
    if not found:
        raise SettingError("stdio has no command; expected one, as in: rivalry bot stdio -- ./my_program")
    if shutil.which(found[0]) is None:
        raise SettingError(_missing(found[0]))
    return found


def _missing(program: str) -> str:
    """Why there is nothing to run."""
    if not Path(program).is_file():
        return f"there is no program {program!r}; expected one on the path, or a file that may be run"
    if os.access(program, os.X_OK):
        return f"{program!r} is a file in this folder and not on the path; write ./{program}"
    return f"{program!r} is not executable: chmod +x {shlex.quote(program)}, or name its interpreter before it"


def spec(line: str) -> str:
    """The specification of the bot that runs a command line; raises SettingError."""
    words(line)
    return f"stdio?command={quote(line, safe='')}"


def shown_name(line: str) -> str:
    """How the bot is called in tables: as the file that the command names last, else as its program."""
    first, *rest = words(line)
    named = [word for word in rest if not word.startswith("-") and Path(word).is_file()]
    return Path((named or [first])[-1]).name


def command(line: str) -> tuple[str, ...]:
    """The words that run a command line as a bot at an arena; raises SettingError."""
    called = f"{StdioBot.__module__}:{StdioBot.__qualname__}"
    bot = f"{called}{spec(line).removeprefix('stdio')}"
    return (sys.executable, "-m", "rivalry_bots", bot, f"--name={shown_name(line)}")
