"""A new process goes on with the token that was kept, and the file it is kept in."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from client.resuming import Second, again, done, lost_with_a_match, refused
from client.scripted import KuhnTable, ScriptedArena
from client.streams import TOKEN, played, resumed, welcome
from rivalry.arena.v1 import errors_pb2
from rivalry_client import Match
from rivalry_client.resume_file import ResumeFile, ResumeFileError

# A process that was killed


def test_a_new_process_with_the_token_goes_on_from_the_open_prompt(tmp_path: Path) -> None:
    table = KuhnTable()
    kept = ResumeFile(tmp_path / "token")
    kept.keep(b"of the killed one")
    started: list[bool] = []

    class Told(Second):
        def start(self, match: Match) -> None:
            started.append(match.resumed)

    async def only(arena: ScriptedArena) -> None:
        resume = await resumed(arena)
        assert (resume.token, list(resume.acks)) == (b"of the killed one", [])
        assert kept.token() == b"next token"
        await arena.frame(again(table), table.prompt(number=5))
        assert (await arena.hear("answer")).number == 5
        await done(arena, table)

    ending, _ = played(Told, only, resume_file=kept)

    assert (ending.kind, ending.matches, started) == ("done", 1, [True])
    assert not kept.path.exists()


def test_a_new_process_whose_token_is_refused_begins_a_new_session(tmp_path: Path) -> None:
    kept = ResumeFile(tmp_path / "token")
    kept.keep(b"old")

    async def anew(arena: ScriptedArena) -> None:
        assert not kept.path.exists()
        await welcome(arena)
        assert kept.token() == TOKEN
        await arena.end()

    assert played(Second, refused, anew, resume_file=kept)[0].kind == "done"


def test_a_new_process_waits_for_an_arena_that_is_not_back_yet(tmp_path: Path) -> None:
    kept = ResumeFile(tmp_path / "token")
    kept.keep(b"old")

    async def back(arena: ScriptedArena) -> None:
        await resumed(arena)
        await arena.end()

    assert played(Second, None, None, back, resume_file=kept)[0].kind == "done"


@pytest.mark.parametrize("reason", ["BUSY", "LIMIT", "DRAINING"])
def test_a_new_process_whose_token_is_refused_for_now_waits_and_tries_again(tmp_path: Path, reason: str) -> None:
    kept = ResumeFile(tmp_path / "token")
    kept.keep(b"old")

    async def busy(arena: ScriptedArena) -> None:
        await refused(arena, errors_pb2.RefusalReason.Value(f"REFUSAL_REASON_{reason}"))

    async def back(arena: ScriptedArena) -> None:
        assert (await resumed(arena)).token == b"old"
        await arena.end()

    ending, waits = played(Second, busy, back, resume_file=kept)

    assert (ending.kind, len(waits)) == ("done", 1)


def test_a_new_process_that_is_to_try_nothing_again_ends_where_it_is_refused(tmp_path: Path) -> None:
    kept = ResumeFile(tmp_path / "token")
    kept.keep(b"old")

    async def busy(arena: ScriptedArena) -> None:
        await refused(arena, errors_pb2.REFUSAL_REASON_LIMIT)

    ending, waits = played(Second, busy, resume_file=kept, patience_s=0.0)

    assert (ending.kind, waits) == ("refused", [])
    assert kept.token() == b"old"


@pytest.mark.parametrize(
    ("reason", "stays"), [("DONE", False), ("SHUTDOWN", False), ("FLOOD", False), ("REPLACED", True)]
)
def test_the_token_is_kept_where_the_session_may_still_be_there(tmp_path: Path, reason: str, stays: bool) -> None:
    kept = ResumeFile(tmp_path / "token")

    async def only(arena: ScriptedArena) -> None:
        await welcome(arena)
        assert kept.token() == TOKEN
        await arena.end(reason=errors_pb2.SessionEndReason.Value(f"SESSION_END_REASON_{reason}"))

    played(Second, only, resume_file=kept)

    assert kept.path.exists() is stays


def test_a_bot_that_gave_up_leaves_its_token_for_a_later_start(tmp_path: Path) -> None:
    kept = ResumeFile(tmp_path / "token")

    assert played(Second, lost_with_a_match, resume_file=kept)[0].kind == "lost"

    assert kept.token() == TOKEN


def test_a_token_file_is_its_owners_alone_and_is_replaced_as_a_whole(tmp_path: Path) -> None:
    kept = ResumeFile(tmp_path / "token")

    for token in (b"one", b"two"):
        kept.keep(token)

    assert kept.token() == b"two"
    assert kept.path.read_bytes() == b"74776f\n"
    assert list(tmp_path.iterdir()) == [kept.path]
    if sys.platform != "win32":
        assert kept.path.stat().st_mode & 0o777 == 0o600


def test_a_file_that_is_anothers_is_not_touched(tmp_path: Path) -> None:
    notes = tmp_path / "notes"
    notes.write_text("dear diary\n")

    with pytest.raises(ResumeFileError, match="holds something else than a resume token"):
        ResumeFile(notes).token()
    with pytest.raises(ResumeFileError, match="there is no folder"):
        ResumeFile(tmp_path / "nowhere" / "token").token()
    (tmp_path / "empty").touch()
    assert ResumeFile(tmp_path / "empty").token() == b""


def test_a_token_that_cannot_be_kept_is_said_and_the_session_goes_on(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "folder"
    folder.mkdir()
    kept = ResumeFile(folder / "token")

    async def only(arena: ScriptedArena) -> None:
        folder.rmdir()
        await welcome(arena)
        await arena.end()

    assert played(Second, only, resume_file=kept)[0].kind == "done"
    assert "the resume token cannot be kept in" in capsys.readouterr().err
