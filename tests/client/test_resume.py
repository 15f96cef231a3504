"""A session that goes on over another stream: what it says, how long it tries, how it ends."""

from __future__ import annotations

import asyncio

import pytest

from client.resuming import Second, again, done, lost_with_a_match, refused
from client.scripted import KuhnTable, ScriptedArena
from client.streams import TOKEN, played, resumed, welcome
from rivalry.arena.v1 import errors_pb2, session_pb2


async def lost_without_a_match(arena: ScriptedArena) -> None:
    """A stream that is lost before a seat was offered."""
    await welcome(arena)


def test_a_resume_shows_the_newest_token_and_what_the_bot_has_of_each_match(capsys: pytest.CaptureFixture[str]) -> None:
    table = KuhnTable()

    async def first(arena: ScriptedArena) -> None:
        await welcome(arena)
        prompt = table.prompt(number=3, event_count=2)
        await arena.frame(table.started(), prompt)
        await arena.hear("answer")

    async def second(arena: ScriptedArena) -> None:
        resume = await resumed(arena)
        assert (resume.token, resume.protocol.least, resume.protocol.most) == (TOKEN, 1, 1)
        assert list(resume.acks) == [session_pb2.Ack(match=1, events=2, prompt=3)]

    async def third(arena: ScriptedArena) -> None:
        assert (await resumed(arena)).token == b"next token"
        await arena.frame(again(table))
        await done(arena, table)

    ending, _ = played(Second, first, second, third)

    assert (ending.kind, ending.matches) == ("done", 1)
    lost = "rivalry: the stream was lost (the arena closed the stream without a word); trying to resume for 60 s\n"
    assert capsys.readouterr().err.count(lost) == 2


def test_a_resume_that_the_arena_never_heard_is_said_again() -> None:
    async def unheard(arena: ScriptedArena) -> None:
        await arena.end(reason=errors_pb2.SESSION_END_REASON_SILENT, text="no hello in 10 s")

    async def last(arena: ScriptedArena) -> None:
        await resumed(arena)
        await arena.end()

    ending, _ = played(Second, lost_with_a_match, unheard, last)

    assert ending.kind == "done"


def test_one_line_says_that_the_stream_was_lost_and_one_that_it_goes_on(capsys: pytest.CaptureFixture[str]) -> None:
    async def last(arena: ScriptedArena) -> None:
        await resumed(arena)
        await arena.end()

    played(Second, lost_without_a_match, None, None, last)

    lost, back = capsys.readouterr().err.splitlines()
    assert lost.startswith("rivalry: the stream was lost (")
    assert back == "rivalry: the session is resumed after 0.6 s"


def test_the_waits_double_from_a_tenth_of_a_second_to_five_seconds_each_from_the_upper_half_of_its_span() -> None:
    ending, waits = played(Second, lost_without_a_match)

    assert ending.kind == "lost"
    spans = [0.1, 0.2, 0.4, 0.8, 1.6, 3.2, *[5.0] * (len(waits) - 6)]
    assert len(waits) > 15
    assert all(span / 2 <= round(wait, 6) <= span for wait, span in zip(waits, spans, strict=True))
    assert len({round(wait / span, 3) for wait, span in zip(waits, spans, strict=True)}) > 10


def test_the_waits_begin_anew_after_a_stream_that_stood_for_a_while() -> None:
    async def standing(arena: ScriptedArena) -> None:
        await resumed(arena)
        await asyncio.sleep(10.0)

    async def brief(arena: ScriptedArena) -> None:
        await resumed(arena)

    async def last(arena: ScriptedArena) -> None:
        await resumed(arena)
        await arena.end()

    _, waits = played(Second, lost_without_a_match, None, None, standing, brief, last)

    assert waits[2] >= 0.2
    assert waits[3] - 10.0 <= 0.1
    assert 0.1 <= waits[4] <= 0.2


@pytest.mark.parametrize("patience_s", [3.0, 60.0])
def test_it_gives_up_when_its_patience_is_over_and_says_what_happened(patience_s: float) -> None:
    ending, waits = played(Second, lost_with_a_match, patience_s=patience_s)

    assert (ending.kind, ending.status) == ("lost", 1)
    assert ending.text.startswith("the arena closed the stream without a word; then nobody listens; not resumed within")
    assert patience_s - 5.0 <= sum(waits) <= patience_s


def test_an_arena_that_takes_the_stream_and_says_nothing_does_not_outlast_the_patience() -> None:
    async def mute(arena: ScriptedArena) -> None:
        await arena.hear("resume")
        await asyncio.sleep(3600)

    ending, waits = played(Second, lost_without_a_match, mute, mute, mute, patience_s=50.0)

    assert (ending.kind, len(waits)) == ("lost", 3)


def test_with_a_patience_of_0_nothing_is_resumed_and_the_hello_does_not_promise_it() -> None:
    async def first(arena: ScriptedArena) -> None:
        assert "resume" not in (await welcome(arena)).features

    ending, waits = played(Second, first, patience_s=0)

    assert (ending.kind, waits) == ("closed", [])


def test_a_bot_that_would_resume_says_so_in_its_hello() -> None:
    async def first(arena: ScriptedArena) -> None:
        assert list((await welcome(arena)).features) == ["resume"]
        await arena.end()

    played(Second, first)


def test_where_sessions_cannot_be_resumed_nothing_is_tried_and_nothing_new_is_said() -> None:
    table = KuhnTable()

    async def only(arena: ScriptedArena) -> None:
        await arena.welcome()
        await arena.frame(table.started(), table.prompt())
        await arena.hear("answer")
        await arena.frame(table.ended())
        await asyncio.sleep(100)
        await arena.end()
        assert await arena.hung_up()

    async def broken(arena: ScriptedArena) -> None:
        await arena.welcome()

    assert played(Second, only)[0].kind == "done"
    ending, waits = played(Second, broken)
    assert (ending.kind, waits) == ("closed", [])


def test_an_arena_that_restarts_is_resumed(capsys: pytest.CaptureFixture[str]) -> None:
    table = KuhnTable()

    async def first(arena: ScriptedArena) -> None:
        await welcome(arena)
        await arena.frame(table.started(), table.prompt())
        await arena.hear("answer")
        await arena.end(reason=errors_pb2.SESSION_END_REASON_RESTART, text="back in a minute")

    async def second(arena: ScriptedArena) -> None:
        await resumed(arena)
        await arena.frame(again(table), table.prompt(number=2))
        assert (await arena.hear("answer")).number == 2
        await done(arena, table)

    ending, _ = played(Second, first, None, second)

    assert (ending.kind, ending.matches) == ("done", 1)
    assert "the arena restarts (back in a minute); trying to resume for 60 s" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("reason", "kind"),
    [("REPLACED", "replaced"), ("SHUTDOWN", "shutdown"), ("FLOOD", "flood"), ("REVOKED", "revoked"), ("DONE", "done")],
)
def test_a_session_that_was_ended_is_not_resumed(reason: str, kind: str) -> None:
    async def first(arena: ScriptedArena) -> None:
        await lost_with_a_match(arena)
        await arena.end(reason=errors_pb2.SessionEndReason.Value(f"SESSION_END_REASON_{reason}"))

    ending, waits = played(Second, first)

    assert (ending.kind, waits) == (kind, [])


def test_a_refused_resume_with_a_match_open_is_the_end_and_says_so() -> None:
    ending, _ = played(Second, lost_with_a_match, refused)

    assert (ending.kind, ending.status) == ("lost", 1)
    assert ending.text == "the session could not be resumed: resume: no such session"


def test_after_a_refused_resume_with_no_match_open_a_new_session_begins(capsys: pytest.CaptureFixture[str]) -> None:
    async def anew(arena: ScriptedArena) -> None:
        await welcome(arena)
        table = KuhnTable()
        await arena.frame(table.started(), table.prompt())
        await arena.hear("answer")
        await done(arena, table)

    ending, _ = played(Second, lost_without_a_match, refused, None, anew)

    assert (ending.kind, ending.matches) == ("done", 1)
    assert "rivalry: the session is begun anew after" in capsys.readouterr().err


@pytest.mark.parametrize("reason", ["BUSY", "LIMIT", "DRAINING"])
def test_a_resume_that_is_refused_for_now_is_tried_again(reason: str) -> None:
    async def busy(arena: ScriptedArena) -> None:
        await refused(arena, errors_pb2.RefusalReason.Value(f"REFUSAL_REASON_{reason}"))

    async def last(arena: ScriptedArena) -> None:
        assert (await resumed(arena)).token == TOKEN
        await arena.end()

    assert played(Second, lost_with_a_match, busy, last)[0].kind == "done"


def test_a_resume_that_is_refused_for_another_reason_is_the_end() -> None:
    async def changed(arena: ScriptedArena) -> None:
        await refused(arena, errors_pb2.REFUSAL_REASON_VERSION)

    ending, _ = played(Second, lost_with_a_match, changed)

    assert (ending.kind, ending.text) == ("refused", "version: no such session")


def test_ctrl_c_without_a_stream_ends_at_once() -> None:
    async def first(arena: ScriptedArena) -> None:
        await lost_with_a_match(arena)
        playing = next(task for task in asyncio.all_tasks() if "Session.play" in repr(task.get_coro()))
        asyncio.get_running_loop().call_later(10.0, playing.cancel)

    with pytest.raises(asyncio.CancelledError):
        played(Second, first)
