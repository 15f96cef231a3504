"""The log: only added to, one at a time, and whatever a power cut left of its last line cut off."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from rivalry_tournament import lines, log, making
from rivalry_tournament.lines import Ended, LineError, Opened, Owed
from rivalry_tournament.log import Log, LogError
from rivalry_tournament.results import Tournament
from tournament.hall import dreamt, settings

SCHEDULE = making.schedule(settings())
ORDERS = Tournament(Path(), SCHEDULE).orders()
RESULT = replace(dreamt(ORDERS[0]), at=7)
OWED = Owed("1.1", 2, "0" * 32, 1, "the arena held it up", 8)


@pytest.mark.parametrize(
    "line", [RESULT, OWED, Opened(SCHEDULE.rounds[0], 9), Ended(10)], ids=lambda line: type(line).__name__
)
def test_a_line_is_read_as_it_was_written(line: lines.Line) -> None:
    text = lines.written(line)

    assert lines.read(text) == line
    assert text.endswith(b"\n") and text.count(b"\n") == 1


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (b'{"kind":"result"', "it is not JSON"),
        (b"[]", "expected an object of kind head, round, result, owed, ended"),
        (b'{"kind":"cup"}', "expected an object of kind"),
        (b'{"kind":"ended"}', "a line of kind ended lacks 'at'"),
        (b'{"at":1,"kind":"ended","why":""}', "a line of kind ended does not hold 'why'"),
        (b'{"at":1,"kind":"round","round":{}}', "a line of kind round cannot be read: 'blocks'"),
    ],
)
def test_what_is_no_line_is_said(text: bytes, said: str) -> None:
    with pytest.raises(LineError) as failed:
        lines.read(text)

    assert said in str(failed.value)


def test_a_log_gives_back_what_was_added(tmp_path: Path) -> None:
    with Log(tmp_path, "the digest", at=1) as first:
        assert first.lines == ()
        first.append(RESULT)
        first.append(OWED, Ended(11))

    with Log(tmp_path, "the digest", at=99) as again:
        assert again.lines == (RESULT, OWED, Ended(11))
        assert again.cut == 0
    assert log.read(tmp_path / log.FILE, "the digest") == (RESULT, OWED, Ended(11))


def test_a_torn_last_line_is_cut_off_and_the_log_goes_on_after_the_line_before(tmp_path: Path) -> None:
    with Log(tmp_path, "the digest", at=1) as first:
        first.append(RESULT, OWED)
    path = tmp_path / log.FILE
    whole = path.read_bytes()
    path.write_bytes(whole[:-5])
    torn = len(lines.written(OWED)) - 5

    assert log.read(path, "the digest") == (RESULT,)
    with Log(tmp_path, "the digest", at=1) as again:
        assert (again.lines, again.cut) == ((RESULT,), torn)
        again.append(OWED)
    assert path.read_bytes() == whole


def test_a_head_that_was_torn_is_written_anew(tmp_path: Path) -> None:
    (tmp_path / log.FILE).write_bytes(b'{"at":1,"for')

    with Log(tmp_path, "the digest", at=1) as first:
        assert (first.lines, first.cut) == ((), 12)
    assert log.read(tmp_path / log.FILE, "the digest") == ()


def test_a_log_of_another_schedule_is_refused(tmp_path: Path) -> None:
    Log(tmp_path, "a" * 64, at=1).close()

    with pytest.raises(LogError, match=r"goes with the schedule aaaaaaaaaaaa…, and schedule\.json beside it is bbbb"):
        Log(tmp_path, "b" * 64, at=1)
    with pytest.raises(LogError, match="put the schedule back as it was"):
        log.read(tmp_path / log.FILE, "b" * 64)


def test_a_line_that_was_changed_is_named_by_its_number(tmp_path: Path) -> None:
    with Log(tmp_path, "the digest", at=1) as first:
        first.append(RESULT, OWED)
    path = tmp_path / log.FILE
    path.write_bytes(path.read_bytes().replace(b'"kind":"result"', b'"kind":"resolt"'))

    with pytest.raises(LogError, match=r"log\.jsonl: line 2 was damaged"):
        Log(tmp_path, "the digest", at=1)


def test_a_log_of_another_format_or_without_a_head_is_refused(tmp_path: Path) -> None:
    path = tmp_path / log.FILE
    path.write_bytes(lines.written(lines.Head("the digest", 1, 2)))
    with pytest.raises(LogError, match="log format 2; this package reads 1"):
        Log(tmp_path, "the digest", at=1)

    path.write_bytes(lines.written(OWED))
    with pytest.raises(LogError, match="its first line is no head"):
        Log(tmp_path, "the digest", at=1)


def test_nobody_opens_a_log_that_is_open_and_its_end_is_the_end_of_the_process(tmp_path: Path) -> None:
    holds = (
        "import sys; from pathlib import Path; from rivalry_tournament.log import Log;"
        " log = Log(Path(sys.argv[1]), 'd', at=1); print(1, flush=True); sys.stdin.read()"
    )
    with subprocess.Popen(
        [sys.executable, "-c", holds, str(tmp_path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as other:
        assert other.stdout is not None and other.stdout.readline()

        assert log.in_use(tmp_path / log.FILE)
        with pytest.raises(LogError, match="another process plays this tournament; wait for it, or stop it"):
            Log(tmp_path, "d", at=1)
        other.kill()
        other.wait()

    assert not log.in_use(tmp_path / log.FILE)
    Log(tmp_path, "d", at=1).close()
