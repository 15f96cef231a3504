"""The log: only added to, one at a time, and whatever a power cut left of its last line cut off."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from rivalry_tournament import lines, log, making
from rivalry_tournament.chain import Chain
from rivalry_tournament.lines import Ended, LineError, Opened, Owed
from rivalry_tournament.log import Log, LogError
from rivalry_tournament.results import Tournament
from tournament.hall import dreamt, settings

SCHEDULE = making.schedule(settings())
ORDERS = Tournament(Path(), SCHEDULE).orders()
RESULT = replace(dreamt(ORDERS[0]), at=7)
DIGEST = "d" * 64
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
        (b'{"at":1,"kind":"round","round":{}}', "its round has no 'blocks'"),
    ],
)
def test_what_is_no_line_is_said(text: bytes, said: str) -> None:
    with pytest.raises(LineError) as failed:
        lines.read(text)

    assert said in str(failed.value)


def test_a_log_gives_back_what_was_added(tmp_path: Path) -> None:
    with Log(tmp_path, DIGEST, at=1) as first:
        assert first.lines == ()
        first.append(RESULT)
        first.append(OWED, Ended(11))

    with Log(tmp_path, DIGEST, at=99) as again:
        assert again.lines == (RESULT, OWED, Ended(11))
        assert (again.cut, again.mended()) == (b"", "")
    assert log.read(tmp_path / log.FILE, DIGEST) == (RESULT, OWED, Ended(11))


def test_a_torn_last_line_is_cut_off_and_the_log_goes_on_after_the_line_before(tmp_path: Path) -> None:
    with Log(tmp_path, DIGEST, at=1) as first:
        first.append(RESULT, OWED)
    path = tmp_path / log.FILE
    whole = path.read_bytes()
    path.write_bytes(whole[:-5])
    torn = whole.splitlines(keepends=True)[-1][:-5]

    assert log.read(path, DIGEST) == (RESULT,)
    with Log(tmp_path, DIGEST, at=1) as again:
        assert (again.lines, again.cut) == ((RESULT,), torn)
        assert f"the last line of {path} was torn: {len(torn)} bytes of it are cut off" in again.mended()
        again.append(OWED)
    assert path.read_bytes() == whole


def test_a_head_that_was_torn_is_written_anew(tmp_path: Path) -> None:
    (tmp_path / log.FILE).write_bytes(b'{"at":1,"for')

    with Log(tmp_path, DIGEST, at=1) as first:
        assert (first.lines, first.cut) == ((), b'{"at":1,"for')
    assert log.read(tmp_path / log.FILE, DIGEST) == ()


@pytest.mark.parametrize("tail", [b"\0" * 3000, b"\0" * 2999 + b"\n", b"\0\0\n\0\0\0", b"\0\n\0\n"])
@pytest.mark.parametrize("begun", [True, False])
def test_nul_bytes_that_a_power_cut_left_at_the_end_are_cut_off_and_said(
    tmp_path: Path, tail: bytes, begun: bool
) -> None:
    path = tmp_path / log.FILE
    if begun:
        with Log(tmp_path, DIGEST, at=1) as first:
            first.append(RESULT)
    whole = path.read_bytes() if begun else b""
    path.write_bytes(whole + tail)
    kept = (RESULT,) if begun else ()
    many = tail.count(b"\0")

    assert log.read(path, DIGEST) == kept
    with Log(tmp_path, DIGEST, at=1) as again:
        assert (again.lines, again.cut) == (kept, tail)
        assert f"log.jsonl ended in {many} NUL bytes, as a power cut leaves them: they are cut off" in again.mended()
    assert path.read_bytes().startswith(whole) and b"\0" not in path.read_bytes()


@pytest.mark.parametrize(("begin", "end"), [(0, 40), (-41, -1)])
def test_a_last_line_of_which_a_part_did_not_reach_the_disk_is_torn(tmp_path: Path, begin: int, end: int) -> None:
    with Log(tmp_path, DIGEST, at=1) as first:
        first.append(RESULT, OWED)
    path = tmp_path / log.FILE
    *before, last = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join(before) + last.replace(last[begin:end], b"\0" * 40))

    with Log(tmp_path, DIGEST, at=1) as again:
        assert again.lines == (RESULT,)
        assert f"was torn: {len(last)} bytes of it are cut off" in again.mended()


def test_nul_bytes_before_a_whole_line_are_no_torn_end(tmp_path: Path) -> None:
    with Log(tmp_path, DIGEST, at=1) as first:
        first.append(RESULT, OWED)
    path = tmp_path / log.FILE
    head, result, owed = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(head + b"\0" * (len(result) - 1) + b"\n" + owed)

    with pytest.raises(LogError, match=r"log\.jsonl: line 2 was damaged"):
        Log(tmp_path, DIGEST, at=1)


def test_a_log_of_another_schedule_is_refused(tmp_path: Path) -> None:
    Log(tmp_path, "a" * 64, at=1).close()

    with pytest.raises(
        LogError, match=r"goes with the schedule 'aaaaaaaaaaaa'…, and schedule\.json beside it is 'bbbb"
    ):
        Log(tmp_path, "b" * 64, at=1)
    with pytest.raises(LogError, match="put the schedule back as it was"):
        log.read(tmp_path / log.FILE, "b" * 64)


def test_a_line_that_was_changed_is_named_by_its_number(tmp_path: Path) -> None:
    with Log(tmp_path, DIGEST, at=1) as first:
        first.append(RESULT, OWED)
    path = tmp_path / log.FILE
    path.write_bytes(path.read_bytes().replace(b'"kind":"result"', b'"kind":"resolt"'))

    with pytest.raises(LogError, match=r"log\.jsonl: line 2 was damaged"):
        Log(tmp_path, DIGEST, at=1)


def test_no_byte_of_a_log_can_be_changed_and_no_line_left_out_or_moved(tmp_path: Path) -> None:
    with Log(tmp_path, DIGEST, at=1) as first:
        first.append(RESULT, OWED, Ended(11))
    path = tmp_path / log.FILE
    whole = path.read_bytes()
    head, *rest = whole.splitlines(keepends=True)
    bent = [whole[:at] + bytes([whole[at] ^ 1]) + whole[at + 1 :] for at in range(0, len(whole) - 1, 7)]
    moved = [b"".join((head, *order)) for order in (rest[1:], rest[::-1], (rest[0], rest[2]), (rest[0], *rest))]
    swapped = whole.replace(b'"ranks":[1,2]', b'"ranks":[2,1]').replace(b'"ranks":[2,1]', b'"ranks":[1,2]', 1)
    for text in (*bent, *moved, swapped, head + rest[0].replace(b'"at":7', b'"at": 7')):
        path.write_bytes(text)
        with pytest.raises(LogError, match=r"log\.jsonl: (line \d was damaged|its first line|it goes with|log format)"):
            log.read(path, DIGEST)


def test_a_chain_is_the_digest_over_the_one_before_and_the_line_and_begins_with_the_schedule(tmp_path: Path) -> None:
    with Log(tmp_path, DIGEST, at=1) as first:
        first.append(Ended(11))
    head, ended = map(json.loads, (tmp_path / log.FILE).read_bytes().splitlines())
    bare = f'{{"at":1,"format":1,"kind":"head","schedule":"{DIGEST}"}}'

    assert head["chain"] == hashlib.sha256(b"\xdd" * 32 + bare.encode()).hexdigest()
    assert ended["chain"] == hashlib.sha256(bytes.fromhex(head["chain"]) + b'{"at":11,"kind":"ended"}').hexdigest()


DEEP = b'{"at":' + b"[" * 900 + b"]" * 900 + b',"kind":"ended"}'


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"spent": [[1, 2, 3]] * 2}, "spent is '[[1, 2, 3], [1, 2, 3]]'; expected a list of lists of 4 whole numbers"),
        ({"spent": [[1, 2, 3, 4]]}, "spent has 1 value; expected 2, since there are 2 bots"),
        ({"spent": 5}, "spent is '5'; expected a list of lists"),
        ({"ranks": ["1", "2"]}, "expected a list of whole numbers"),
        ({"ranks": [1]}, "ranks has 1 value; expected 2"),
        ({"ranks": [1, 7]}, "ranks is [1, 7]; expected 1 to 2"),
        ({"ranks": [1, True]}, "expected a list of whole numbers"),
        ({"scores": [1.0, 2.0]}, "expected a list of whole numbers"),
        ({"decisions": None}, "decisions is 'None'; expected a list of whole numbers"),
        ({"decisions": [1, 2, 3]}, "decisions has 3 values; expected 2"),
        ({"void": "it is"}, "scores has 2 values; expected 0, since the match is void"),
        ({"bots": "ab"}, "bots is 'ab'; expected a list of texts"),
        ({"bots": []}, "ends has 2 values; expected 0, since there are 0 bots"),
        ({"block": ["1.1"]}, "block is \"['1.1']\"; expected a text"),
        ({"place": "1"}, "place is '1'; expected a whole number"),
        ({"duration_us": 1.5}, "duration_us is '1.5'; expected a whole number"),
        ({"at": None}, "at is 'None'; expected a whole number"),
        ({"texts": [{}, {}]}, "expected a list of texts"),
        ({"match": "\ud800"}, "surrogates not allowed"),
    ],
)
def test_values_of_another_type_or_number_are_said(tmp_path: Path, change: dict[str, Any], said: str) -> None:
    text = json.dumps({**json.loads(lines.written(RESULT)), **change, "chain": "0" * 64}).encode()

    with pytest.raises(LineError) as failed:
        Chain(DIGEST).read(text)

    assert said in str(failed.value)


@pytest.mark.parametrize(
    "change",
    [{"number": "1"}, {"number": 1.5}, {"blocks": {}}, {"blocks": [5]}, {"byes": "ab"}, {"name": 5}, {"more": 1}],
)
def test_a_round_of_other_types_is_said(change: dict[str, Any]) -> None:
    value = json.loads(lines.written(Opened(SCHEDULE.rounds[0], 9)))
    value["round"].update(change)

    with pytest.raises(LineError, match="its round"):
        lines.of(value)


def test_a_line_too_deep_to_be_read_is_said() -> None:
    for text in (DEEP, DEEP.replace(b"[" * 900, b"[" * 90_000)):
        with pytest.raises(LineError):
            Chain(DIGEST).read(text[:-1] + b',"chain":""}')


def test_a_log_of_another_format_or_without_a_head_is_refused(tmp_path: Path) -> None:
    path = tmp_path / log.FILE
    path.write_bytes(lines.written(lines.Head(DIGEST, 1, 2)))
    with pytest.raises(LogError, match="log format 2; this package reads 1"):
        Log(tmp_path, DIGEST, at=1)

    path.write_bytes(lines.written(OWED))
    with pytest.raises(LogError, match="its first line is no head"):
        Log(tmp_path, DIGEST, at=1)


def test_nobody_opens_a_log_that_is_open_and_its_end_is_the_end_of_the_process(tmp_path: Path) -> None:
    holds = (
        "import sys; from pathlib import Path; from rivalry_tournament.log import Log;"
        " log = Log(Path(sys.argv[1]), 'dd', at=1); print(1, flush=True); sys.stdin.read()"
    )
    with subprocess.Popen(
        [sys.executable, "-c", holds, str(tmp_path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as other:
        assert other.stdout is not None and other.stdout.readline()

        assert log.in_use(tmp_path / log.FILE)
        with pytest.raises(LogError, match="another process plays here; wait for it, or stop it"):
            Log(tmp_path, "dd", at=1)
        other.kill()
        other.wait()

    assert not log.in_use(tmp_path / log.FILE)
    Log(tmp_path, "dd", at=1).close()


def test_who_asks_whether_a_log_is_open_keeps_nobody_from_it_nor_takes_another_who_asks_for_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fcntl = pytest.importorskip("fcntl")
    waits: list[float] = []

    def has_asked(seconds: float) -> None:
        waits.append(seconds)
        os.close(asking)

    monkeypatch.setattr("rivalry_tournament.log.ASKED_S", 60.0)
    monkeypatch.setattr("time.sleep", has_asked)
    Log(tmp_path, "dd", at=1).close()
    asking = os.open(tmp_path / log.FILE, os.O_RDONLY)
    fcntl.flock(asking, fcntl.LOCK_SH)

    assert not log.in_use(tmp_path / log.FILE)
    Log(tmp_path, "dd", at=1).close()
    assert len(waits) == 1
