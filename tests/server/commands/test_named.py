"""What reading or writing a file raises that somebody named: one line with the file, what happened and what to do."""

from __future__ import annotations

import errno
import hashlib
import os
import resource
import subprocess
import sys
from pathlib import Path

import pytest

from e2e.program import RIVALRY, environment
from rivalry_ladder import register_command
from rivalry_server.commands import games

KUHN = ("--game", "kuhn", "--bot", "inproc:first", "--bot", "inproc:first")
CUP = ("--kind", "round-robin", "--game", "kuhn", "--seed", "cup", "--bot", "inproc:first", "--bot", "inproc:random")
NO_ROOM = "File too large; allow longer files (ulimit -f)"
REGISTER = ("ladder", "register", "bob", "--version", 1, "--file")
MAP = ("match", "--game", "foederati", "--bot", "inproc:first", "--bot", "inproc:first", "--option")


LIMITED = """
import os, resource, sys
resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[1]),) * 2)
os.execv(sys.argv[2], sys.argv[2:])
"""


def limited(size: int, *arguments: object, stdout: int = subprocess.PIPE) -> subprocess.CompletedProcess[str]:
    """``rivalry`` that may not write a file of more than ``size`` bytes."""
    kept = {key: value for key, value in environment().items() if key != "PYTHONUNBUFFERED"}
    return subprocess.run(
        [sys.executable, "-ISc", LIMITED, str(size), RIVALRY, *map(str, arguments)],
        env=kept | {"PYTHONDONTWRITEBYTECODE": "1"},  # of a compiled module it would keep the beginning
        stdin=subprocess.DEVNULL,
        stdout=stdout,
        stderr=subprocess.PIPE,
        text=True,
        timeout=60,
        check=False,
    )


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        (("token", "new", "--kind", "bot", "--name", "x", "--data", "{}"), "tokens"),
        (("bot", "new", "{}/my_bot.py"), "my_bot.py"),
        (("match", *KUHN, "--record", "{}/k.jsonl"), "k.jsonl"),
        (("tournament", "plan", *CUP, "--write", "{}/plan.json"), "plan.json"),
    ],
)
def test_a_file_that_cannot_be_written_is_named_and_none_is_left(tmp_path, arguments, named):
    words = [str(word).format(tmp_path) for word in arguments]

    first, second = limited(5, *words), limited(5, *words)

    assert (first.returncode, first.stderr.count("\n")) == (1, 1)
    assert f"{tmp_path / named}: " in first.stderr
    assert "File too large" in first.stderr
    assert second.stderr == first.stderr
    assert {path.name for path in tmp_path.iterdir()} <= {"tokens.lock"}
    assert limited(resource.RLIM_INFINITY, *words).returncode == 0


@pytest.fixture
def cup(rivalry, tmp_path):
    """The folder of a tournament that has been played, without a report."""
    assert rivalry("tournament", "run", *CUP, "--dir", tmp_path / "cup", "--no-report").status == 0
    return tmp_path / "cup"


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        (("tournament", "run", *CUP, "--dir", "{}/new"), "new/schedule.json"),
        (("compare", "inproc:first", "inproc:random", "--game", "kuhn", "--out", "{}/new"), "new/compare.json"),
        (("tournament", "report", "{}/cup", "--out", "{}/new"), "new/table.txt"),
        (("records", "export", "{}/cup", "--to", "{}/new.jsonl"), "new.jsonl"),
        (("records", "export", "{}/cup", "--to", "{}/new.parquet"), "new.parquet"),
    ],
)
def test_a_file_of_a_tournament_that_cannot_be_written_is_named_and_none_is_left(tmp_path, cup, arguments, named):
    done = limited(3, *(word.format(tmp_path) for word in arguments))

    assert (done.returncode, done.stderr) == (1, f"rivalry: {tmp_path / named}: {NO_ROOM}\n")
    assert not [path for path in tmp_path.rglob("new*") if path.is_file()]
    assert not list(tmp_path.rglob("*.part"))


@pytest.mark.parametrize("most", [1_000, 1_250])
def test_a_tournament_whose_records_or_log_cannot_be_written_is_gone_on_with(rivalry, tmp_path, most):
    folder = tmp_path / "cup"
    assert rivalry("tournament", "plan", *CUP, "--write", tmp_path / "schedule.json").status == 0
    folder.mkdir()
    (tmp_path / "schedule.json").rename(folder / "schedule.json")

    done = limited(most, "tournament", "resume", folder, "--no-report")

    assert done.returncode == 1
    last = done.stderr.splitlines()[-1]
    assert last.startswith(f"rivalry: {folder}/{'records/' if most == 1_000 else 'log.jsonl: '}")
    assert "File too large" in last and "go on with: rivalry tournament resume" in last
    assert not list(folder.rglob("*.part"))
    assert rivalry("tournament", "resume", folder, "--no-report").status == 0


def test_a_journal_that_cannot_be_written_is_named(tmp_path):
    done = limited(5, "serve", "--port", 0, "--data", tmp_path)

    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert done.stderr.startswith(f"rivalry: {tmp_path}/journal.db: ")


@pytest.mark.parametrize("arena", [("serve",), ("ladder", "serve")])
@pytest.mark.parametrize(
    ("number", "status"), [(errno.ENOSPC, 1), (errno.EDQUOT, 1), (errno.EIO, 1), (errno.EACCES, 2)]
)
def test_a_folder_in_which_nothing_can_be_kept_is_named(rivalry, tmp_path, monkeypatch, arena, number, status):
    (tmp_path / "ladder.toml").write_text('[queues.kuhn]\ngame = "kuhn"\n', encoding="utf-8")

    def full(*_: object) -> None:
        raise OSError(number, os.strerror(number), *([] if status == 1 else [str(tmp_path)]))

    monkeypatch.setattr("rivalry_server.journal.store.os.truncate", full)

    said = rivalry(*arena, "--data", tmp_path)

    assert (said.status, said.err.count("\n")) == (status, 1)
    assert said.err.startswith(f"rivalry: {tmp_path}: {os.strerror(number)}; ")


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("verify", "/proc/self/mem"), "/proc/self/mem: Input/output error; see to the disk"),
        (("replay", "/proc/self/mem"), "/proc/self/mem: Input/output error; see to the disk"),
        (("position", "show", "/proc/self/mem"), "/proc/self/mem: Input/output error; see to the disk"),
        ((*MAP, "map=/proc/self/mem"), "--option map=/proc/self/mem: Input/output error; expected JSON"),
        (("position", "show", "/dev/zero"), "/dev/zero: more than 64 MiB, which is the most that is read"),
        ((*MAP, "map=/dev/zero"), "--option map=/dev/zero: more than 64 MiB, which is the most that is read; expected"),
        (("match", *KUHN, "--position", "/dev/zero"), "/dev/zero: more than 64 MiB"),
        (("verify", "/dev/zero"), "/dev/zero: more than 128 MiB, which is the most that is read"),
        (("replay", "/dev/zero"), "/dev/zero: more than 128 MiB, which is the most that is read"),
        (("position", "show", "/"), "/: Is a directory; give a file"),
        (("verify", "/nowhere"), "/nowhere: No such file or directory; give one that is there"),
        (("replay", "/dev/null"), "/dev/null: this is no record"),
        (("verify", "/dev/null"), "/dev/null: this is no record"),
        (("bot", "new", "/nowhere/my_bot.py"), "/nowhere/my_bot.py: there is no folder /nowhere; make it first"),
        (("serve", "--data", "/dev/null"), "/dev/null: is no folder; give one that tokens are kept in"),
        (("serve", "--data", "/dev/null/x"), "/dev/null/x: is no folder; give one that tokens are kept in"),
        (("token", "list", "--data", "/dev/null"), "--data /dev/null: a file; expected a folder"),
        (("tournament", "plan", "/proc/self/mem"), "/proc/self/mem: Input/output error; see to the disk"),
        (("tournament", "plan", "/dev/zero"), "/dev/zero: more than 64 MiB, which is the most that is read"),
        (("tournament", "check", "/proc/self/mem"), "/proc/self/mem: Input/output error; see to the disk"),
        (("ladder", "serve", "--data", "/", "--settings", "/proc/self/mem"), "/proc/self/mem: Input/output error; see"),
        (("ladder", "serve", "--data", "/", "--settings", "/dev/zero"), "/dev/zero: more than 64 MiB"),
        (("ladder", "serve", "--data", "/", "--settings", "/dev"), "--settings /dev: a folder; expected a file"),
        (("ladder", "serve", "--data", "/", "--settings", "/dev/null"), "/dev/null: no queues; expected at least one"),
        ((*REGISTER, "/dev/zero"), "--file /dev/zero: no regular file; give the bot's own, or --digest"),
        ((*REGISTER, "/proc/self/mem"), "/proc/self/mem: Input/output error; see to the disk"),
        ((*REGISTER, "/nowhere"), "/nowhere: No such file or directory; give one that is there"),
        (("ladder", "register", "alice", "--version"), "rivalry ladder register: Option '--version' requires"),
        (("position", "new", "--game"), "Option '--game' requires an argument; see rivalry position new --help"),
        (("--what",), "rivalry: No such option '--what'; see rivalry --help"),
    ],
)
def test_what_cannot_be_read_is_told_in_a_line(rivalry, arguments, told):
    said = rivalry(*arguments)

    assert (said.status, said.out, said.err.count("\n")) == (2, "", 1)
    assert told in said.err


def test_a_schedule_beyond_the_most_is_refused_and_a_record_is_left_out(rivalry, tmp_path):
    sparse, target = tmp_path / "sparse", tmp_path / "rows.jsonl"
    sparse.touch()
    os.truncate(sparse, 6 << 30)

    schedule = rivalry("tournament", "check", sparse)
    record = rivalry("records", "export", sparse, "--to", target)

    assert (schedule.status, schedule.err) == (
        2,
        f"rivalry: {sparse}: more than 1024 MiB, which is the most that is read\n",
    )
    assert record.status == 1
    assert f"{sparse}: left out: more than 128 MiB" in record.err


def test_the_digest_of_a_large_file_is_made_piece_by_piece(tmp_path, monkeypatch):
    path = tmp_path / "bot"
    path.write_bytes(b"x" * 100)
    monkeypatch.setattr(Path, "read_bytes", lambda _: pytest.fail("all of it was read"))

    assert register_command._digest(path) == hashlib.sha256(b"x" * 100).hexdigest()


def test_stdin_without_an_end_is_left(rivalry, monkeypatch):
    with Path("/dev/zero").open(encoding="utf-8") as zeros:
        monkeypatch.setattr("sys.stdin", zeros)
        position, record = rivalry("position", "show", "-"), rivalry("verify", "-")

    assert position.err == "rivalry: -: more than 64 MiB, which is the most that is read\n"
    assert record.err == "rivalry: -: more than 128 MiB, which is the most that is read\n"


@pytest.mark.parametrize("size", [0, 5])
def test_an_output_that_cannot_be_written_is_status_1(tmp_path, size):
    with (tmp_path / "out").open("wb") as out:
        done = limited(size, "games", stdout=out.fileno())

    assert (done.returncode, done.stderr) == (1, "rivalry: the output was not written: File too large\n")


def test_an_output_that_is_open_for_reading_alone_is_told(tmp_path):
    with Path(os.devnull).open("rb") as out:
        done = limited(resource.RLIM_INFINITY, "games", stdout=out.fileno())

    assert (done.returncode, done.stderr) == (1, "rivalry: the output was not written: Bad file descriptor\n")


def test_a_fault_of_ours_keeps_its_traceback(rivalry, monkeypatch):
    def broken(_: object) -> None:
        raise OSError(errno.ENOTCONN, "Transport endpoint is not connected")

    monkeypatch.setattr(games, "_all", broken)

    with pytest.raises(OSError, match="endpoint"):
        rivalry("games")
