"""Programs that read and write lines: how they play over gRPC, and how they end when they misbehave."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import cast

import pytest

from agents.table import match_over_grpc
from e2e.program import RIVALRY, SOON_S, environment, match
from rivalry_agents.stdio import StdioBot
from rivalry_agents.stdio_program import Program, ProgramError
from rivalry_client import connect
from rivalry_client.ending import Ending
from rivalry_client.local import UNTOLD
from rivalry_client.match import LocalMatch, Outcome, Player
from rivalry_client.prompt import Prompt
from rivalry_engine import catalog
from rivalry_engine.prompt import Answer, StatePrompt
from rivalry_server import program
from rivalry_server.outcome import Result

EXAMPLES = Path(__file__).resolve().parents[2] / "clients" / "stdio"
FIRST = """\
while IFS= read -r line; do
  case $line in
    '{"type":"prompt",'*) echo '{"index":0}' ;;
    '{"type":"ended",'*) exit 0 ;;
  esac
done
"""

Play = Callable[..., tuple[Result, Ending]]


@pytest.fixture
def play(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Play:
    """Plays a shell script at an arena over gRPC; how the match and the session ended."""
    monkeypatch.setattr("rivalry_agents.stdio_program.LEAVE_S", SOON_S)  # what it does at the end, it does

    def played(body: str, *, game: str = "kuhn", prompt_s: float | None = 60.0) -> tuple[Result, Ending]:
        path = tmp_path / "program.sh"
        path.write_text(body)
        endings: list[Ending] = []

        async def own(address: str, token: str) -> None:
            async with connect(address, token=token) as arena:
                endings.append(await arena.play(StdioBot, settings={"command": f"sh {path}"}))

        result = asyncio.run(match_over_grpc(game, own, "first", prompt_s=prompt_s))
        return result, endings[0]

    return played


def test_the_example_in_shell_plays_a_whole_match_over_grpc() -> None:
    played = match("ethnos", f"stdio:sh {EXAMPLES}/last.sh", "inproc:random", more=("--seed", "7"))

    own = played["seats"][0]
    assert [seat["end"] for seat in played["seats"]] == ["normal", "normal"]
    assert own["illegal"] == 0
    assert own["decisions"] > 20
    assert (own["bot"], own["name"]) == (f"stdio:sh {EXAMPLES}/last.sh", "last.sh")


def test_rivalry_bot_stdio_takes_a_seat_at_an_arena_with_the_options_of_every_bot() -> None:
    async def own(address: str, token: str) -> None:
        words = ("bot", "stdio", "--address", address, "--name", "shell", "--", "sh", str(EXAMPLES / "last.sh"))
        bot = await asyncio.create_subprocess_exec(RIVALRY, *words, env={**environment(), "RIVALRY_TOKEN": token})
        assert await bot.wait() == 0

    result = asyncio.run(match_over_grpc("kuhn", own, "first"))

    assert (str(result.seats[0].end), result.seats[0].name) == ("normal", "shell")


def test_the_example_in_python_is_told_the_match_each_prompt_and_the_end(play: Play, tmp_path: Path) -> None:
    heard = tmp_path / "heard"
    result, _ = play(f"tee {heard} | {sys.executable} {EXAMPLES}/largest.py", game="ethnos")

    lines = [json.loads(line) for line in heard.read_text().splitlines()]
    first, *prompts, last = lines
    assert (str(result.seats[0].end), result.seats[0].illegal) == ("normal", 0)
    assert (first["type"], first["protocol"], first["game"], first["seat"], first["seats"]) == (
        "match",
        1,
        "ethnos",
        0,
        2,
    )
    assert first["players"] == ["stdio", "first"]
    assert (first["prompt_ms"], first["options"]["seats"]) == (60_000, 2)
    assert first["setup"] is not None
    assert {line["type"] for line in prompts} == {"prompt"}
    assert [line["number"] for line in prompts] == list(range(1, result.seats[0].decisions + 1))
    one = prompts[2]
    assert list(one)[:6] == ["type", "number", "count", "kind", "time_left_ms", "tries_left"]
    assert len(one["choices"]) == one["count"]
    assert 0 < one["time_left_ms"] <= 60_000
    assert one["events"] and one["view"] and one["observation"]
    assert any(
        {"text", "parts", "least", "most", "usual"} == set(choice) for line in prompts for choice in line["choices"]
    )
    assert (last["type"], last["end"], last["rank"]) == ("ended", "normal", result.seats[0].rank)
    assert "RIVALRY_TOKEN" not in heard.read_text()


def test_an_illegal_answer_is_told_with_the_reason_and_the_prompt_comes_once_more(play: Play, tmp_path: Path) -> None:
    heard = tmp_path / "heard"
    bad = FIRST.replace("echo '{\"index\":0}'", "[ $((n += 1)) -le 2 ] && echo '{\"index\":9}' || echo '{\"index\":0}'")
    result, _ = play(f"tee {heard} | (\n{bad})")

    lines = [json.loads(line) for line in heard.read_text().splitlines()]
    assert (str(result.seats[0].end), result.seats[0].illegal) == ("normal", 2)
    assert [line["type"] for line in lines[:6]] == ["match", "prompt", "ruling", "prompt", "ruling", "prompt"]
    assert lines[2]["text"] == "there is no choice 9; the prompt has 0 to 1"
    assert (lines[2]["kind"], lines[2]["reason"], lines[2]["tries_left"]) == ("rejected", "no_choice", 2)
    assert lines[1]["number"] == lines[3]["number"] == lines[5]["number"]
    assert lines[5]["tries_left"] == 1


def test_the_answer_to_a_prompt_that_was_withdrawn_is_never_taken_for_the_next(tmp_path: Path) -> None:
    path = tmp_path / "program.sh"
    path.write_text(FIRST.replace("echo '{\"index\":0}'", 'sleep 0.2; echo "{\\"index\\":$((n += 1))}"'))
    state = catalog.game("kuhn").new_state(b"x")
    prompts = [StatePrompt(state, 0, number=number, luck=bytes(32)) for number in (1, 2)]
    for prompt in prompts:
        vars(prompt).update(UNTOLD)
    match = LocalMatch(
        state.game, seat=0, players=[Player(0, "a"), Player(1, "b")], luck=bytes(32), setup=state.setup()
    )

    async def asked() -> Answer:
        bot = StdioBot.made(match, {"command": f"sh {path}"})
        await bot.start(match)
        first = asyncio.ensure_future(bot.choose(cast(Prompt, prompts[0])))
        await asyncio.sleep(0.1)
        first.cancel()
        answer = await bot.choose(cast(Prompt, prompts[1]))
        await bot.ended(match, Outcome(()))
        return answer

    assert asyncio.run(asked()).index == 2


READ = "read -r line; read -r line\n"


@pytest.mark.parametrize(
    ("body", "end", "text"),
    [
        (f"{READ}echo could not think >&2; exit 3", "crash",
         "ProgramError: the program ended with status 3; its last words: could not think"),
        (f"{READ}kill -9 $$", "crash", "ProgramError: the program was ended by SIGKILL"),
        ("exit 0", "crash", "ProgramError: the program ended with status 0"),
        (f"{READ}exec >&-; exec sleep 60", "crash", "ProgramError: the program closed its stdout"),
        ("exec >&-; exec sleep 60", "crash", "ProgramError: the program closed its stdout"),
        (f"{READ}exec <&-; echo '{{\"index\":0}}'; sleep 60", "crash", "ProgramError: the program closed its stdin"),
        (f"{READ}echo hello; exec sleep 60", "crash",
         "RubbishError: the program answered prompt 1 with 'hello'; expected one line such as {\"index\":0}"),
        (f"{READ}head -c 200000 /dev/zero; exec sleep 60", "crash",
         "ProgramError: the program wrote a line of more than 65536 bytes"),
        ("yes '{\"index\":0}'", "crash", "GivenUpError: the program wrote '{\"index\":0}' before prompt "),
        ("trap '' TERM; while :; do sleep 60; done", "timeout", ""),
        (FIRST.replace("0", "9"), "illegal", "there is no choice 9"),
        (FIRST.replace("0", f'0,"note":"{1025 * "x"}"'), "illegal", "a note of 1025 bytes; at most 1024 are taken"),
        (f"{READ}echo '{{\"resign\":\"too hard\"}}'; exec sleep 60", "resigned", "too hard"),
        (f"{READ}echo '{{\"text\":\"fly\"}}'; read -r line; exit 7", "crash", "ended with status 7"),
    ],
    ids=["exits", "killed", "at-once", "closes", "closes-unasked", "closes-stdin", "rubbish", "long", "floods",
         "silent", "illegal", "long-note", "resigns", "after-no"],
)  # fmt: skip
def test_a_program_that_misbehaves_has_a_clear_end_and_leaves_nothing(
    play: Play, monkeypatch: pytest.MonkeyPatch, body: str, end: str, text: str
) -> None:
    mark = f"stdio-test-{os.getpid()}-{time.monotonic_ns()}"
    monkeypatch.setenv("STDIO_TEST_MARK", mark)
    monkeypatch.setattr("rivalry_agents.stdio_program.LEAVE_S", 0.1)
    monkeypatch.setattr("rivalry_agents.stdio_program.CRASH_LEAVE_S", 0.1)
    if "ended" in text:  # and it is seen that it did, however long that takes
        monkeypatch.setattr("rivalry_agents.stdio_program.LAST_WORDS_S", SOON_S)

    beside = "sleep 77 >/dev/null" if "exec >&-" in body else "sleep 77"  # else it holds the pipe, too
    game = "ethnos" if body.startswith("yes") or "<&-" in body else "kuhn"
    script = body if "<&-" in body else f"{beside} &\n{body}"  # until it has begun it holds stdin
    result, ending = play(f"{script}\n", game=game, prompt_s=0.3 if end == "timeout" else 60.0)

    assert str(result.seats[0].end) == end
    assert text in result.seats[0].text
    assert ending.kind == ("crash" if end == "crash" else "done")
    assert str(result.seats[1].end) == "normal"
    assert not _left(mark)


@pytest.mark.parametrize("said", [b"x\n", b"x" * 5_000_000], ids=["short", "long"])
def test_a_program_that_closed_its_stdout_and_lives_on_will_not_answer(said: bytes) -> None:
    """Be it asked a little, or more than its pipe holds."""

    async def main() -> None:
        program = Program(("sh", "-c", "exec >&-; exec sleep 60"))
        await program.start()
        try:
            async with asyncio.timeout(SOON_S):
                with pytest.raises(ProgramError, match=r"^the program closed its stdout$"):
                    await program.say(said)
                    await program.hear()
        finally:
            await program.end(0.05)

    asyncio.run(main())


def test_as_people_run_it_a_program_that_closed_its_stdout_is_a_crash_at_once(tmp_path: Path) -> None:
    (tmp_path / "program.sh").write_text(f"{READ}exec >&-; exec sleep 60")

    played = match("kuhn", f"stdio:sh {tmp_path}/program.sh", "inproc:first", more=("--time", "40s"))

    assert played["seats"][0]["end"] == "crash"
    assert "the program closed its stdout" in played["seats"][0]["text"]


def test_a_program_whose_end_is_not_awaited_to_the_last_is_killed_and_reaped() -> None:
    async def main() -> int | None:
        program = Program(("sh", "-c", "trap '' TERM; echo up; while :; do sleep 0.05; done"))
        await program.start()
        assert await program.hear() == b"up"
        ending = asyncio.ensure_future(program.end(60.0))
        await asyncio.sleep(0.01)
        ending.cancel()
        await asyncio.wait((ending,))
        assert ending.cancelled()
        status: int | None = program._transport.get_extra_info("subprocess").returncode
        return status

    assert asyncio.run(main()) is not None


@pytest.mark.skipif(not Path("/proc/self/fd").is_dir(), reason="no list of open files here")
def test_a_program_has_nothing_open_but_its_three_pipes(tmp_path: Path) -> None:
    async def main() -> None:
        look = 'n=0; while [ $n -lt 99 ]; do [ -e /proc/$$/fd/$n ] && open="$open $n"; n=$((n+1)); done; echo $open'
        program = Program(("sh", "-c", look))
        await program.start()
        try:
            assert await program.hear() == b"0 1 2"
        finally:
            await program.end(0.05)

    with (tmp_path / "ours").open("w") as ours:
        os.set_inheritable(ours.fileno(), True)
        asyncio.run(main())


@pytest.mark.parametrize("body", ["exec >&-; exec sleep 60", "echo hello; trap '' TERM; while :; do sleep 60; done"])
def test_a_crash_of_a_program_that_lives_on_is_told_before_the_clock_ends_the_seat(
    play: Play, monkeypatch: pytest.MonkeyPatch, body: str
) -> None:
    monkeypatch.setattr("rivalry_agents.stdio_program.LAST_WORDS_S", 60.0)
    monkeypatch.setattr("rivalry_agents.stdio_program.CRASH_LEAVE_S", 60.0)

    result, _ = play(f"{READ}{body}", prompt_s=6.0)

    assert str(result.seats[0].end) == "crash"


def _left(mark: str) -> list[str]:
    """Those that are alive still when all had the time to end: to be killed takes a moment."""
    until = time.monotonic() + SOON_S
    while (left := _alive(mark)) and time.monotonic() < until:
        time.sleep(0.02)
    return left


def _alive(mark: str) -> list[str]:
    """The processes that have the mark in their environment, ours left out."""
    found = []
    for each in Path("/proc").glob("[0-9]*"):
        try:
            if int(each.name) != os.getpid() and mark.encode() in (each / "environ").read_bytes():
                found.append((each / "cmdline").read_text())
        except OSError:
            continue
    return found


@pytest.mark.skipif(sys.platform != "linux", reason="no parent-death signal here")
def test_a_program_ends_with_a_bot_that_is_killed(tmp_path: Path) -> None:
    (tmp_path / "program.sh").write_text(
        "trap '' TERM HUP INT\necho up >&2\nread -r line\nwhile :; do sleep 0.1; done\n"
    )

    async def own(address: str, token: str) -> str:
        environ = {**environment(), "RIVALRY_TOKEN": token, "STDIO_TEST_MARK": mark}
        words = ("bot", "stdio", "--address", address, "--", "sh", str(tmp_path / "program.sh"))
        bot = await asyncio.create_subprocess_exec(RIVALRY, *words, env=environ, stderr=asyncio.subprocess.PIPE)
        assert bot.stderr is not None
        async with asyncio.timeout(60):
            assert b"up" in await bot.stderr.readuntil(b"up\n")
        bot.send_signal(signal.SIGKILL)
        await bot.wait()
        return mark

    mark = f"stdio-test-{os.getpid()}-{time.monotonic_ns()}"
    result = asyncio.run(match_over_grpc("kuhn", own, "first", prompt_s=3.0))

    assert str(result.seats[0].end) in ("disconnect", "timeout")  # the seat is kept for a while, its clock runs on
    assert not _left(mark)


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("bot", "stdio"), "stdio has no command; expected one, as in: rivalry bot stdio -- ./my_program"),
        (("bot", "stdio", "--", "./nowhere"), "there is no program './nowhere'; expected one on the path"),
        (("bot", "first", "--", "x"), "x: only `rivalry bot new` takes a file, and only `rivalry bot stdio` a command"),
        (("match", "--game", "kuhn", "--bot", "stdio:", "--bot", "first"), "--bot stdio:: stdio has no command"),
        (("match", "--game", "kuhn", "--bot", "stdio:a 'b", "--bot", "first"), "No closing quotation"),
        (("match", "--game", "kuhn", "--bot", "inproc:stdio?command=sh", "--bot", "first"), "plays over a stream only"),
    ],
)
def test_a_command_that_cannot_be_run_is_bad_input(
    words: tuple[str, ...], told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert program.run(words) == 2
    assert told in capsys.readouterr().err


def test_a_file_that_is_not_executable_or_not_on_the_path_is_told_as_such(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    script = Path("my bot.sh")
    script.write_text("#!/bin/sh\n")
    words = ("match", "--game", "kuhn", "--bot", "first", "--bot")

    assert program.run((*words, "stdio:'./my bot.sh'")) == 2
    assert "'./my bot.sh' is not executable: chmod +x './my bot.sh', or name its interpreter" in capsys.readouterr().err

    script.chmod(0o755)
    script.rename("mybot")
    assert program.run((*words, "stdio:mybot")) == 2
    assert "'mybot' is a file in this folder and not on the path; write ./mybot" in capsys.readouterr().err
