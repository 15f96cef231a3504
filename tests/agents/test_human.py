"""A person at a terminal: a pseudo terminal where a match starts the bot, pipes where somebody starts it by hand."""

from __future__ import annotations

import asyncio
import os
import pty
import re
import select
import subprocess
import time
from collections.abc import Sequence
from pathlib import Path

import pytest

from agents.table import match_over_grpc
from e2e.program import RIVALRY, SOON_S, environment
from rivalry_agents import human, human_text
from rivalry_agents.human_terminal import Terminal
from rivalry_client.bot import SettingError
from rivalry_server import program

Typed = tuple[int, str]


def at_a_terminal(answers: Sequence[str], *arguments: str) -> Typed:
    """``rivalry`` on a pseudo terminal at which somebody answers each question; its exit status and what was shown."""
    ours, theirs = pty.openpty()
    with subprocess.Popen(
        [RIVALRY, *arguments], stdin=theirs, stdout=theirs, stderr=theirs, env=environment(), start_new_session=True
    ) as process:
        os.close(theirs)
        waiting, shown = list(answers), b""
        until = time.monotonic() + 120
        while time.monotonic() < until and (piece := _read(ours)):
            shown += piece
            if re.search(rb"\nseat \d> $", shown) and waiting:
                os.write(ours, waiting.pop(0).encode() + b"\n")
        os.close(ours)
        process.kill() if time.monotonic() >= until else process.wait(60)
    return process.returncode, shown.decode().replace("\r\n", "\n")


def _read(terminal: int) -> bytes:
    """What is shown next; nothing once the last who had the terminal open has left, or nobody writes for long."""
    if not select.select([terminal], [], [], 60)[0]:
        return b""
    try:
        return os.read(terminal, 65_536)
    except OSError:
        return b""


def by_pipe(text: str, game: str, *others: str, prompt_s: float | None = 60.0, keep_open: bool = False):
    """``rivalry bot human`` with ``text`` on stdin at an arena; the match's result, and what stdout showed."""
    shown = []

    async def own(address: str, token: str) -> None:
        pipe = asyncio.subprocess.PIPE
        bot = await asyncio.create_subprocess_exec(
            RIVALRY, "bot", "human", "--address", address, stdin=pipe, stdout=pipe, stderr=pipe,
            env={**environment(), "RIVALRY_TOKEN": token},
        )  # fmt: skip
        assert bot.stdin is not None
        if keep_open:
            bot.stdin.write(text.encode())
            out, _ = await bot.stdout.read(), await bot.wait()
        else:
            out, _ = await bot.communicate(text.encode())
        shown.append(out.decode())

    result = asyncio.run(match_over_grpc(game, own, *others, prompt_s=prompt_s))
    return result, shown[0]


def test_a_match_asks_on_the_terminal_that_it_was_started_on() -> None:
    status, shown = at_a_terminal(
        ("help", "glossary bet", "rules", "fly", "7", "1 0", "bet"),
        "match", "--game", "kuhn", "--bot", "human", "--bot", "first", "--seed", "3", "--time", "untimed",
    )  # fmt: skip

    assert status == 0
    assert "Kuhn poker (kuhn): seat 0 you, seat 1 first; no time limit." in shown
    assert "Your card: queen" in shown
    assert "  [1] bet" in shown
    assert human_text.HELP in shown
    assert "\nbet: put in one more chip" in shown
    assert "Two players, three cards" in shown
    assert "Not understood: 'fly' is neither the number of a choice nor an action" in shown
    assert "there is no choice 7; the numbers are 0 to 1" in shown
    assert "choice 1 has no parts" in shown
    assert "seat 1: pass\nseat 0 wins 1\n" in shown
    assert "rank 1: seat 0 human (you), score 1" in shown


def test_what_is_typed_ahead_of_a_question_answers_nothing() -> None:
    _, shown = at_a_terminal(
        ("draw\nquit\nquit", "look", "quit"),
        "match", "--game", "ethnos", "--bot", "first", "--bot", "human", "--seed", "3", "--time", "untimed",
    )  # fmt: skip

    assert shown.count("\nPrompt 2 (turn)\n") == 1
    assert shown.count("Your choices:") >= 3
    assert "seat 1 human (you)" in shown
    assert "the person at the terminal gave up" in shown
    after = shown.split("seat 1> quit\n")[-1].splitlines()
    assert after[:2] == ["Seat 1 is out: a stand-in plays on for it. How the match ends is told here.", ""]
    assert not any(line.startswith("seat 0: ") for line in after), "what happens is not told any more"


def test_lines_that_nobody_has_read_yet_are_forgotten_and_one_that_was_begun_is_not() -> None:
    ours, theirs = pty.openpty()

    async def asked() -> list[str | None]:
        terminal = Terminal(os.ttyname(theirs))
        said = []
        for ahead in (b"one\ntwo\nthr", b"four\nfi"):
            os.write(ours, ahead)
            while not select.select([theirs], [], [], 0)[0] and not terminal._lines:  # noqa: ASYNC110 - nobody tells
                await asyncio.sleep(0)
            terminal.forget()
            line = asyncio.ensure_future(terminal.line("> "))
            os.write(ours, b"ee\n")
            said.append(await asyncio.wait_for(line, SOON_S))
        os.write(ours, b"\x04")  # the end, which is not forgotten
        while terminal._reading is not None and terminal._reading.is_alive():  # noqa: ASYNC110 - nobody tells
            await asyncio.sleep(0.01)
        terminal.forget()
        return [*said, await asyncio.wait_for(terminal.line("> "), SOON_S)]

    assert asyncio.run(asked()) == ["three", "fiee", None]
    os.close(theirs)
    os.close(ours)


def test_parts_notation_and_rejections_go_by_pipe_and_the_end_of_the_input_resigns() -> None:
    result, shown = by_pipe("draw\nswap none\n0\n", "ethnos", "first")

    assert str(result.seats[0].end) == "resigned"
    assert "input of the person at the terminal ended" in result.seats[0].text
    assert "Not taken (other_question): the question is turn" in shown
    assert shown.count("\nPrompt ") == 3


def test_a_person_who_takes_too_long_is_told_so() -> None:
    result, shown = by_pipe("", "kuhn", "first", prompt_s=3.0, keep_open=True)

    assert str(result.seats[0].end) == "timeout"
    assert human_text.WITHDRAWN in shown
    assert "rank 2: seat 0 human (you)" in shown or "ended by timeout" in shown


def test_without_a_terminal_a_match_says_what_to_do() -> None:
    done = subprocess.run(
        [RIVALRY, "match", "--game", "kuhn", "--bot", "human", "--bot", "first"],
        stdin=subprocess.DEVNULL, capture_output=True, text=True, env=environment(), timeout=60, check=False,
    )  # fmt: skip

    assert done.returncode == 2
    assert "human needs a terminal, and there is none here; seat `listen` and start `rivalry bot human" in done.stderr


@pytest.mark.parametrize(
    ("path", "told"), [("/nowhere", "No such file or directory"), (str(Path(__file__)), "is no terminal")]
)
def test_a_terminal_that_is_none_is_bad_input(path: str, told: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SettingError, match=told):
        human.HumanBot.settings_from({"terminal": path})
    assert program.run(["match", "--game", "kuhn", "--bot", f"human?terminal={path}", "--bot", "first"]) == 2
    assert told in capsys.readouterr().err


@pytest.mark.parametrize(
    ("said", "spelled"),
    [
        ("3", "3"),
        ("3 0 2", "3 with 0 2"),
        ("3 0, 2", "3 with 0, 2"),
        ("3 with 0 2", "3 with 0 2"),
        ("1 2", "1 2"),
        ("draw", "draw"),
    ],
)
def test_numbers_alone_are_a_choice_and_its_parts_unless_a_choice_is_written_so(said: str, spelled: str) -> None:
    assert human_text.spelled(said, ["1 2", "draw"]) == spelled
