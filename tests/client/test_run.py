"""A bot as its author runs it: a file, a command line, an exit status."""

from __future__ import annotations

import asyncio
import os
import shutil
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from client.arena import Script, one_kuhn_prompt, scripted_arena
from client.scripted import KuhnTable, ScriptedArena
from rivalry.arena.v1 import errors_pb2, session_pb2
from rivalry_client import Bot, Setting
from rivalry_client.prompt import Prompt
from rivalry_client.run import main
from rivalry_client.template import TEXT

LIMIT_S = 50
PLAIN = """\
from rivalry_client import Bot, run


class MyBot(Bot):
    def choose(self, prompt):
        return 0


if __name__ == "__main__":
    run(MyBot)
"""


class Tuned(Bot):
    """Has a setting."""

    name = "tuned"
    declared = (Setting("depth", "integer", 2, (1, 2, 3), "how far it looks"),)

    def choose(self, prompt: Prompt) -> object:
        return 0


def ran(text: str, script: Script, tmp_path: Path, *arguments: str, interrupt_on: str = "") -> tuple[int, str, str]:
    """Runs a bot's file against a scripted arena; returns status, stdout and stderr.

    ``interrupt_on`` sends Ctrl-C when that line has been printed.
    """
    file = tmp_path / "my_bot.py"
    file.write_text(text)

    async def main_() -> tuple[int, str, str]:
        async with scripted_arena(script) as address:
            process = await asyncio.create_subprocess_exec(
                sys.executable,
                str(file),
                *arguments,
                stdin=asyncio.subprocess.DEVNULL,
                stdout=asyncio.subprocess.PIPE,
                stderr=asyncio.subprocess.PIPE,
                env={**os.environ, "RIVALRY_ADDRESS": address, "PYTHONUNBUFFERED": "1"},
            )
            stream = process.stderr if interrupt_on == "welcome" else process.stdout
            assert stream is not None
            seen = b""
            while interrupt_on and interrupt_on.encode() not in seen:
                seen += await asyncio.wait_for(stream.readline(), LIMIT_S)
            if interrupt_on:
                process.send_signal(signal.SIGINT)
            out, err = await asyncio.wait_for(process.communicate(), LIMIT_S)
            assert process.returncode is not None
            if stream is process.stderr:
                return process.returncode, out.decode(), (seen + err).decode()
            return process.returncode, (seen + out).decode(), err.decode()

    return asyncio.run(main_())


def test_the_template_plays(tmp_path: Path) -> None:
    assert ran(TEXT, one_kuhn_prompt, tmp_path) == (0, "", "")


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no kill for one process")
def test_a_bot_that_was_killed_goes_on_when_it_is_started_again_with_its_resume_file(tmp_path: Path) -> None:
    kept = tmp_path / "token"
    table = KuhnTable()

    async def killed(arena: ScriptedArena) -> None:
        await arena.welcome(resume_token=b"token")
        await arena.frame(table.started(), table.prompt())
        await arena.hear("ping")
        await arena.hear("answer")
        os.kill(int((tmp_path / "pid").read_text()), signal.SIGKILL)

    async def resuming(arena: ScriptedArena) -> None:
        resume = await arena.hear("resume")
        assert (resume.token, list(resume.acks)) == (b"token", [])
        await arena.say(welcome=session_pb2.Welcome(protocol=1, resume_token=b"next", resumed=True))
        await arena.hear("ping")
        started = table.started()
        started.match_started.resumed = True
        await arena.frame(started, table.prompt(number=2))
        assert (await arena.hear("answer")).number == 2
        await arena.frame(table.ended())
        await arena.hear("ack")
        await arena.end()

    text = f"import os, pathlib\npathlib.Path({str(tmp_path / 'pid')!r}).write_text(str(os.getpid()))\n{PLAIN}"

    assert ran(text, killed, tmp_path, "--resume-file", str(kept))[0] == -signal.SIGKILL
    assert kept.read_text() == b"token".hex() + "\n"
    assert ran(text, resuming, tmp_path, "--resume-file", str(kept)) == (0, "", "")
    assert not kept.exists()


def test_the_course_of_things_is_told_when_asked_for(tmp_path: Path) -> None:
    status, out, err = ran(PLAIN, one_kuhn_prompt, tmp_path, "--verbose")

    assert (status, out) == (0, "")
    assert "kuhn, seat 0 of 2, against other" in err
    assert "rank 1 of 2, score 1" in err


def test_an_exception_is_shown_told_to_the_arena_and_is_status_1(tmp_path: Path) -> None:
    told: list[str] = []

    async def script(arena: ScriptedArena) -> None:
        table = KuhnTable()
        await arena.welcome()
        await arena.frame(table.started(), table.prompt())
        leave = await arena.hear("leave")
        told.append(leave.text)
        await arena.end(reason=errors_pb2.SESSION_END_REASON_LEFT)

    status, _, err = ran(PLAIN.replace("return 0", "return prompt.nothing"), script, tmp_path)

    assert status == 1
    assert told == ["AttributeError: 'WirePrompt' object has no attribute 'nothing'"]
    assert err.startswith("Traceback") and err.rstrip().endswith(told[0])
    assert "my_bot.py" in err and "rivalry_client" not in err


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no SIGINT for one process")
@pytest.mark.parametrize("way", ["def", "async def", "quick"])
def test_ctrl_c_leaves_the_arena_and_is_status_130(tmp_path: Path, way: str) -> None:
    heard: list[session_pb2.Leave] = []

    async def script(arena: ScriptedArena) -> None:
        table = KuhnTable()
        await arena.welcome()
        await arena.frame(table.started(), table.prompt())
        if way == "quick":
            await arena.hear("answer")
        heard.append(await arena.hear("leave"))
        await arena.end(reason=errors_pb2.SESSION_END_REASON_LEFT)

    body = {
        "def": "import time\n        print('thinking')\n        time.sleep(60)\n        return 0",
        "async def": "import asyncio\n        print('thinking')\n        await asyncio.sleep(60)\n        return 0",
        "quick": "print('thinking')\n        return 0",
    }[way]
    text = PLAIN.replace("return 0", body)
    if way == "async def":
        text = text.replace("def choose", "async def choose")
    if way == "quick":
        text = text.replace("    def choose", "    quick = True\n\n    def choose")

    status, _, err = ran(text, script, tmp_path, interrupt_on="thinking")

    assert (status, err) == (130, "rivalry: interrupted; the bot left its seat\n")
    assert [leave.reason for leave in heard] == [session_pb2.LEAVE_REASON_DONE]


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has neither unix sockets nor SIGTERM for one process")
@pytest.mark.parametrize("quick", [False, True])
@pytest.mark.parametrize(("sent", "status", "told"), [("SIGINT", 130, "interrupted"), ("SIGTERM", 143, "terminated")])
def test_a_host_that_is_stopped_removes_its_socket_and_had_no_seat_to_leave(
    tmp_path: Path, sent: str, status: int, told: str, quick: bool
) -> None:
    file, socket = tmp_path / "my_bot.py", Path(tempfile.mkdtemp(dir="/tmp")) / "bot"
    file.write_text(PLAIN.replace("    def choose", f"    quick = {quick}\n\n    def choose"))
    command = [sys.executable, str(file), "--host-bot", f"unix:{socket}", "-v"]

    with subprocess.Popen(command, stdin=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True) as bot:
        assert bot.stderr is not None
        waiting = bot.stderr.readline()
        there = socket.is_socket()
        bot.send_signal(signal.Signals[sent])
        try:
            _, err = bot.communicate(timeout=LIMIT_S)
        finally:
            bot.kill()
    left = socket.exists()
    shutil.rmtree(socket.parent)

    assert waiting == f"rivalry: waits to be dialled at unix:{socket}\n"
    assert (bot.returncode, err, there, left) == (status, f"rivalry: {told}\n", True, False)


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no SIGINT for one process")
def test_ctrl_c_without_a_seat_says_nothing_of_one(tmp_path: Path) -> None:
    async def script(arena: ScriptedArena) -> None:
        await arena.welcome()
        await arena.hear("leave")
        await arena.end(reason=errors_pb2.SESSION_END_REASON_LEFT)

    status, _, err = ran(PLAIN, script, tmp_path, "-v", interrupt_on="welcome")

    assert status == 130
    assert err.endswith("waiting for a match\nrivalry: interrupted\n")


def test_an_arenas_words_neither_fill_the_terminal_nor_move_its_cursor(tmp_path: Path) -> None:
    async def script(arena: ScriptedArena) -> None:
        await arena.hear("hello")
        refused = session_pb2.Refused(
            reason=errors_pb2.REFUSAL_REASON_BUSY, ours="\x1b[2J\nyours", remedy="\u202e" + "x" * 100_000
        )
        await arena.say(refused=refused)

    status, _, err = ran(PLAIN, script, tmp_path)

    assert status == 2
    assert err.count("\n") == 1 and err[:-1].isprintable()
    assert len(err) < 1_020 and err.endswith("x…\n")


def test_a_refusal_is_one_line_and_status_2(tmp_path: Path) -> None:
    async def script(arena: ScriptedArena) -> None:
        await arena.hear("hello")
        refused = session_pb2.Refused(
            reason=errors_pb2.REFUSAL_REASON_VERSION, ours="protocol 2 to 3", yours="protocol 1", remedy="upgrade"
        )
        await arena.say(refused=refused)

    status, _, err = ran(PLAIN, script, tmp_path)

    assert status == 2
    assert err.count("\n") == 1
    assert err.endswith("refused this bot: version: protocol 2 to 3; protocol 1; upgrade\n")


def test_a_seat_of_a_game_that_the_bot_does_not_play_is_one_line_and_status_2(tmp_path: Path) -> None:
    async def script(arena: ScriptedArena) -> None:
        await arena.welcome()
        await arena.say(seat_offer=session_pb2.SeatOffer(offer=1, game="ethnos"))
        await arena.hear("seat_reply")
        await arena.end(text="the only seat for this session was declined")

    status, _, err = ran(PLAIN.replace("    def choose", "    games = ('kuhn',)\n\n    def choose"), script, tmp_path)

    assert status == 2
    assert err == "rivalry: declined a seat: the match plays ethnos; MyBot plays kuhn, not ethnos\n"


def test_an_arena_that_is_not_there_is_one_line_and_status_2(tmp_path: Path) -> None:
    status, _, err = ran(PLAIN, one_kuhn_prompt, tmp_path, "--address", "127.0.0.1:1")

    assert status == 2
    assert err.count("\n") == 1
    assert err.startswith("rivalry: no arena answers at 127.0.0.1:1 (")
    assert "start an arena with `rivalry serve`, a ladder with `rivalry ladder serve`" in err


def test_help_names_the_bot_its_options_and_its_settings(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as left:
        main(Tuned, ["--help"], program="tuned.py")

    shown = capsys.readouterr().out
    assert left.value.code == 0
    for word in (
        "--address",
        "--token",
        "--name",
        "--matches",
        "--host-bot",
        "--set",
        "--patience",
        "--resume-file",
        "RIVALRY_ADDRESS",
    ):
        assert word in shown
    assert "depth=2: how far it looks (one of 1, 2, 3)" in shown


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["--set", "depth=9"], "bot tuned: setting depth: 9 is not allowed; expected one of 1, 2, 3"),
        (["--set", "width=1"], "bot tuned has no setting 'width'; it has depth"),
        (["--set", "depth"], "--set depth: expected key=value"),
        (["--matches", "0"], "--matches 0; expected at least 1"),
        (["--address", "foo"], "--address 'foo': expected host:port, [v6]:port or unix:/path"),
        (["--address", "foo:http"], "--address 'foo:http': expected host:port, [v6]:port or unix:/path"),
        (["--address", "http://foo:7777"], "--address 'http://foo:7777': expected host:port, [v6]:port or unix:/path"),
        (["--address", "::1:7777"], "--address '::1:7777': expected host:port, [v6]:port or unix:/path"),
        (["--host-bot", "foo"], "--host-bot 'foo': expected host:port, [v6]:port or unix:/path"),
        (["--patience", "-1"], "--patience -1; expected 0 to 86400 seconds"),
        (["--patience", "nan"], "--patience nan; expected 0 to 86400 seconds"),
        (["--resume-file", "/"], "--resume-file /: Is a directory"),
        (["--resume-file", "/no/such/file"], "--resume-file /no/such/file: there is no folder /no/such"),
        (
            ["--resume-file", __file__],
            f"--resume-file {__file__}: holds something else than a resume token; name another file",
        ),
        (
            ["--host-bot", "127.0.0.1:0", "--resume-file", "token"],
            "--resume-file goes with dialling: a bot that waits with --host-bot keeps no token",
        ),
    ],
)
def test_bad_input_is_one_line_and_status_2(
    arguments: list[str], told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(Tuned, arguments) == 2
    assert capsys.readouterr().err == f"rivalry: {told}\n"


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["--set"], "--set: expected --set KEY=VALUE"),
        (["--address"], "--address: expected --address TARGET"),
        (["--matches", "x"], "--matches: invalid int value: 'x'"),
        (["--sett", "depth=1", "more"], "unrecognized arguments: --sett depth=1 more"),
    ],
)
def test_a_command_line_that_cannot_be_read_is_one_line_and_status_2(
    arguments: list[str], told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as left:
        main(Tuned, arguments)

    assert left.value.code == 2
    assert capsys.readouterr().err == f"rivalry: {told}; --help lists the options\n"


def test_an_address_from_the_environment_is_named_so(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("RIVALRY_ADDRESS", "foo")

    assert main(Tuned, []) == 2
    assert capsys.readouterr().err == "rivalry: RIVALRY_ADDRESS 'foo': expected host:port, [v6]:port or unix:/path\n"


@pytest.mark.parametrize("token", ["tökén", "two words", "line\nbreak"])
@pytest.mark.parametrize("way", ["--token", "RIVALRY_TOKEN"])
def test_what_is_no_token_is_told_without_what_is_in_it(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], way: str, token: str
) -> None:
    argv = ["--address", "127.0.0.1:1"]
    if way == "--token":
        argv += ["--token", token]
    else:
        monkeypatch.setenv(way, token)

    assert main(Tuned, argv) == 2
    assert capsys.readouterr().err == f"rivalry: {way}: expected a token, which is one word of ASCII\n"
