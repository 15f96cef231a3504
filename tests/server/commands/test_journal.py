"""``rivalry journal``: what it lists, and that it finds what does not hold."""

from __future__ import annotations

import asyncio
import json
import shutil
from pathlib import Path

import pytest

from rivalry_server.journal.sealed import Kind, sealed
from rivalry_server.journal.store import FILE, Store
from rivalry_server.match_spec import MatchSpec
from rivalry_server.program import run
from rivalry_server.seating import Listen
from server import virtual
from server.journal.house import FILES, arena, built_in
from server.peer import kuhn

BOT = built_in("random", "kuhn")


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What a killed arena has left: three results, a match that lost a bot, one that waits."""
    folder, copy = tmp_path_factory.mktemp("data"), tmp_path_factory.mktemp("copy")

    async def whole() -> None:
        house = arena(folder)
        for number in range(3):
            await house.open_match(MatchSpec(kuhn(), b"%d" % number), [BOT, BOT]).finished
        await house.open_match(MatchSpec(kuhn(), b"no-show", wait_s=1), [BOT, Listen()]).finished
        house.open_match(MatchSpec(kuhn(), b"waits"), [BOT, Listen()])
        await asyncio.sleep(1)
        for name in FILES:
            shutil.copyfile(folder / name, copy / name)
        await house.stop()

    virtual.run(whole())
    return copy


def told(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    """Exit status, stdout and stderr of ``rivalry``."""
    status = run(arguments)
    shown = capsys.readouterr()
    return status, shown.out, shown.err


def test_the_matches_are_listed_with_phase_and_end(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = told(capsys, "journal", "list", "--data", str(data), "--json")

    matches = json.loads(out)["matches"]
    assert status == 0
    assert [match["phase"] for match in matches] == ["ended"] * 4 + ["waiting"]
    assert [match["end"] for match in matches] == ["normal"] * 3 + ["normal, no_show", ""]
    assert all(match["decisions"] >= 2 and match["attempt"] == 1 for match in matches[:4])


def test_a_person_gets_a_table(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = told(capsys, "journal", "list", "--data", str(data))

    assert status == 0
    assert out.splitlines()[0].split() == ["match", "game", "phase", "decisions", "attempt", "end"]
    assert len(out.splitlines()) == 6


def test_a_whole_journal_holds_and_is_left_as_it_is(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = (data / FILE).read_bytes()

    status, out, err = told(capsys, "journal", "check", "--data", str(data))

    assert (status, err) == (0, "")
    assert out == f"{data}: matches that go on: 1, that have ended: 4; all of it holds\n"
    assert (data / FILE).read_bytes() == before


def test_a_result_that_its_record_does_not_bear_out_is_found(
    data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in FILES:
        shutil.copyfile(data / name, tmp_path / name)
    store = Store(tmp_path / FILE)
    payload = store.row(Kind.RESULT, 2)
    assert payload is not None
    forged = sealed(Kind.RESULT, 2, payload.replace(b'"score":1,', b'"score":3,').replace(b'"score":2,', b'"score":3,'))
    store.execute("UPDATE results SET data = ? WHERE key = 2", (forged,))
    store.close()

    status, out, err = told(capsys, "journal", "check", "--data", str(tmp_path), "--json")

    found = json.loads(out)
    assert status == 1 and err == ""
    assert not found["whole"] and len(found["troubles"]) == 1
    assert "the record says scores" in found["troubles"][0]


def test_a_damaged_journal_is_told_in_one_line(data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name in FILES:
        shutil.copyfile(data / name, tmp_path / name)
    wal = tmp_path / FILES[1]
    content = bytearray(wal.read_bytes())
    content[len(content) // 3] ^= 255
    wal.write_bytes(bytes(content))

    status, out, err = told(capsys, "journal", "check", "--data", str(tmp_path))

    assert status == 1
    assert err.count("\n") == 1
    assert "its write-ahead log does not hold to its end" in out or "damaged" in out or "malformed" in out


def test_what_can_be_read_of_a_damaged_journal_is_listed(
    data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in FILES:
        shutil.copyfile(data / name, tmp_path / name)
    wal = tmp_path / FILES[1]
    content = wal.read_bytes()
    wal.write_bytes(content.replace(b"CREATE TABLE results", b"CRE@TE TABLE results"))
    before = sorted(tmp_path.iterdir())

    status, out, err = told(capsys, "journal", "list", "--data", str(tmp_path), "--json")

    found = json.loads(out)
    assert status == 1
    assert [match["phase"] for match in found["matches"]] == ["ended"] * 4 + ["waiting"]
    assert len(found["troubles"]) == 1 and found["troubles"][0] in err
    assert err.startswith(f"rivalry: {tmp_path}: damaged, and listed is what can be read: ") and err.count("\n") == 1
    assert {*before} <= {*tmp_path.iterdir()} and not list(tmp_path.glob("journal.damaged-*"))


@pytest.mark.parametrize("word", ["list", "check"])
def test_a_folder_without_a_journal_is_bad_input(word: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    status, out, err = told(capsys, "journal", word, "--data", str(tmp_path))

    assert (status, out) == (2, "")
    assert "there is no journal; expected the folder that was given to rivalry serve --data" in err
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("command", ["list", "check"])
@pytest.mark.parametrize(
    ("there", "said"), [("nothing", "there is no journal"), ("folder", "it is no file"), ("text", "not a database")]
)
def test_what_is_no_journal_is_told_and_left_as_it_was(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], there: str, said: str, command: str
) -> None:
    if there == "folder":
        (tmp_path / FILE).mkdir()
    elif there == "text":
        (tmp_path / FILE).write_text("notes of mine, and no journal")
    before = sorted(tmp_path.iterdir())

    assert run(["journal", command, "--data", str(tmp_path)]) == 2

    (line,) = capsys.readouterr().err.splitlines()
    assert said in line
    assert sorted(tmp_path.iterdir()) == before
