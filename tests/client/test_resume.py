"""A session that goes on over another stream: what it says, how long it tries, how it ends."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from client.scripted import KuhnTable, ScriptedArena
from client.streams import TOKEN, played, resumed, welcome
from rivalry.arena.v1 import errors_pb2, outcome_pb2, session_pb2
from rivalry_client import Bot, Match, Outcome, Resign
from rivalry_client.ending import Ending
from rivalry_client.prompt import Prompt
from rivalry_client.resume_file import ResumeFile, ResumeFileError
from rivalry_engine.event import Event, Seen, seen

FromArena = session_pb2.FromArena


class Second(Bot):
    """Takes the second choice."""

    quick = True

    def choose(self, prompt: Prompt) -> object:
        return 1


async def lost_with_a_match(arena: ScriptedArena) -> None:
    """A stream that is lost while the bot has answered the first prompt of match 1."""
    table = KuhnTable()
    await welcome(arena)
    await arena.frame(table.started(), table.prompt())
    await arena.hear("answer")


async def lost_without_a_match(arena: ScriptedArena) -> None:
    """A stream that is lost before a seat was offered."""
    await welcome(arena)


def again(table: KuhnTable, **facts: object) -> FromArena:
    """MatchStarted for a match that had begun before."""
    started = table.started()
    started.match_started.resumed = True
    for name, value in facts.items():
        setattr(started.match_started, name, value)
    return started


async def done(arena: ScriptedArena, table: KuhnTable) -> None:
    """The end of the match, which is acknowledged, and of the session."""
    await arena.frame(table.ended())
    ack = await arena.hear("ack")
    assert (ack.match, ack.ended) == (table.handle, True)
    await arena.end()


async def refused(arena: ScriptedArena, reason: int = errors_pb2.REFUSAL_REASON_RESUME) -> None:
    """Refuses a resume."""
    await arena.hear("resume")
    await arena.say(refused=session_pb2.Refused(reason=reason, ours="no such session"))  # type: ignore[arg-type]


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


def test_a_thought_goes_on_while_the_stream_is_away_and_is_not_begun_again() -> None:
    thoughts: list[str] = []
    table = KuhnTable()

    class Thinking(Bot):
        async def choose(self, prompt: Prompt) -> object:
            thoughts.append("begun")
            await asyncio.sleep(30.0)
            thoughts.append(f"ended with {prompt.budget_s} s")
            return 1

    async def first(arena: ScriptedArena) -> None:
        await welcome(arena)
        await arena.frame(table.started(), table.prompt(budget_us=60_000_000))
        await asyncio.sleep(1.0)

    async def second(arena: ScriptedArena) -> None:
        resume = await resumed(arena)
        assert resume.acks[0].prompt == 1
        await arena.frame(again(table), table.prompt(budget_us=50_000_000))
        assert isinstance(await _next(arena), session_pb2.Ping)  # the stream is quiet
        answer = await _next(arena)
        assert isinstance(answer, session_pb2.Answer) and answer.index == 1
        await done(arena, table)

    ending, _ = played(Thinking, first, *[None] * 4, second)

    assert ending.kind == "done"
    assert thoughts == ["begun", "ended with 50.0 s"]


def test_an_answer_to_a_prompt_that_is_closed_meanwhile_is_not_sent() -> None:
    table = KuhnTable()

    async def second(arena: ScriptedArena) -> None:
        await resumed(arena)
        await arena.frame(again(table), table.prompt(number=2))
        answer = await arena.hear("answer")
        assert answer.number == 2
        await done(arena, table)

    assert played(Second, lost_with_a_match, second)[0].kind == "done"


def test_a_rejection_that_came_before_the_cut_is_not_told_twice() -> None:
    asked: list[object] = []
    table = KuhnTable()
    rejection = session_pb2.Ruling(match=1, number=1, kind=errors_pb2.RULING_KIND_REJECTED, tries_left=2)

    class Learning(Bot):
        async def choose(self, prompt: Prompt) -> object:
            asked.append(prompt.ruling and prompt.ruling.tries_left)
            if prompt.ruling is None:
                return 99
            await asyncio.sleep(1.0)
            return 1

    async def first(arena: ScriptedArena) -> None:
        await welcome(arena)
        await arena.frame(table.started(), table.prompt())
        await arena.hear("answer")
        await arena.say(ruling=rejection)
        await asyncio.sleep(0.1)

    async def second(arena: ScriptedArena) -> None:
        await resumed(arena)
        prompt = table.prompt()
        prompt.prompt.tries_left = 2
        await arena.frame(again(table), prompt, FromArena(ruling=rejection))
        assert (await arena.hear("answer")).index == 1
        await done(arena, table)

    played(Learning, first, second)

    assert asked == [None, 2]


def test_a_resignation_that_was_lost_is_said_again_when_the_prompt_is_still_open() -> None:
    table = KuhnTable()
    thoughts: list[int] = []

    class GivingUp(Bot):
        async def choose(self, prompt: Prompt) -> object:
            thoughts.append(prompt.number)
            await asyncio.sleep(0.02)
            raise Resign("hopeless")

    async def first(arena: ScriptedArena) -> None:
        await welcome(arena)
        await arena.frame(table.started(), table.prompt())
        await asyncio.sleep(0.01)

    async def second(arena: ScriptedArena) -> None:
        await resumed(arena)
        await arena.frame(again(table), table.prompt())
        assert (await arena.hear("resign")).why == "hopeless"
        await done(arena, table)

    assert played(GivingUp, first, second)[0].kind == "done"
    assert thoughts == [1]


def test_a_crash_without_a_stream_is_told_if_the_arena_is_back_soon() -> None:
    class Crashing(Bot):
        async def choose(self, prompt: Prompt) -> object:
            await asyncio.sleep(0.05)
            raise LookupError("no plan")

    async def first(arena: ScriptedArena) -> None:
        table = KuhnTable()
        await welcome(arena)
        await arena.frame(table.started(), table.prompt())
        await asyncio.sleep(0.01)

    async def second(arena: ScriptedArena) -> None:
        await arena.hear("resume")
        await arena.say(welcome=session_pb2.Welcome(protocol=1, resume_token=b"next", resumed=True))
        await arena.hear("ping")
        leave = await arena.hear("leave")
        assert (leave.reason, leave.text) == (session_pb2.LEAVE_REASON_CRASH, "LookupError: no plan")
        await arena.end(reason=errors_pb2.SESSION_END_REASON_LEFT)

    assert played(Crashing, first, None, second)[0].kind == "crash"
    ending, waits = played(Crashing, first)
    assert ending.kind == "crash"
    assert sum(waits) < 3.0


def test_a_match_with_a_new_handle_keeps_its_bot_and_drops_what_was_thought_about() -> None:
    diary: list[object] = []
    old, new = KuhnTable(1), KuhnTable(2)
    dealt = old.codec.event(seen(Event("dealt", {}, {0: {"card": 3}}), 0))

    class Thinking(Bot):
        def start(self, match: Match) -> None:
            diary.append("start")

        async def choose(self, prompt: Prompt) -> object:
            diary.append((prompt.number, len(prompt.events)))
            await asyncio.sleep(3600.0 if prompt.number == 7 else 0.0)
            return 0

        def ended(self, match: Match, outcome: Outcome) -> None:
            diary.append("ended")

    async def first(arena: ScriptedArena) -> None:
        await welcome(arena)
        prompt = old.prompt(number=7, event_count=2)
        prompt.prompt.events.value = dealt + dealt
        await arena.frame(old.started(), prompt)
        await asyncio.sleep(1.0)

    async def second(arena: ScriptedArena) -> None:
        await resumed(arena)
        prompt = new.prompt(number=6, event_count=1)
        prompt.prompt.events.value = dealt
        await arena.frame(again(new, replaces=1), prompt)
        answer = await arena.hear("answer")
        assert (answer.match, answer.number) == (2, 6)
        await done(arena, new)

    ending, _ = played(Thinking, first, second)

    assert (ending.kind, ending.matches) == ("done", 1)
    assert diary == ["start", (7, 2), (6, 1), "ended"]


def test_events_are_told_once_whatever_is_said_again() -> None:
    table = KuhnTable()
    told: list[list[str]] = []

    class Reading(Bot):
        quick = True

        def choose(self, prompt: Prompt) -> object:
            told.append([event.kind for event in prompt.events])
            return 0

        def ended(self, match: Match, outcome: Outcome) -> None:
            told.append([event.kind for event in match.last_events])

    dealt = table.codec.event(seen(Event("dealt", {}, {0: {"card": 3}}), 0))
    moved = table.codec.event(seen(Event("moved", {"seat": 1, "move": 1}), 0))

    async def first(arena: ScriptedArena) -> None:
        await welcome(arena)
        prompt = table.prompt(event_count=1)
        prompt.prompt.events.value = dealt
        await arena.frame(table.started(), prompt)
        await arena.hear("answer")

    async def second(arena: ScriptedArena) -> None:
        assert (await resumed(arena)).acks[0].events == 1
        piece = session_pb2.Events(match=1, first_event=1, event_count=2)
        piece.events.value = dealt + moved
        prompt = table.prompt(number=2)
        prompt.prompt.first_event, prompt.prompt.event_count = 2, 2
        prompt.prompt.events.value = moved + dealt
        await arena.frame(again(table), FromArena(events=piece), prompt)
        assert (await arena.hear("ack")).events == 2
        await arena.hear("answer")
        ended = table.ended(first_event=3, event_count=2)
        ended.match_ended.events.value = dealt + moved
        await arena.frame(ended)
        ack = await arena.hear("ack")
        assert (ack.events, ack.ended) == (4, True)
        await arena.end()

    played(Reading, first, second)

    assert told == [["dealt"], ["moved", "dealt"], ["moved"]]


def test_an_end_that_is_told_again_is_acknowledged_again_and_otherwise_ignored() -> None:
    ends: list[Outcome] = []
    table = KuhnTable()

    class Counting(Second):
        def ended(self, match: Match, outcome: Outcome) -> None:
            ends.append(outcome)

    async def first(arena: ScriptedArena) -> None:
        await lost_with_a_match(arena)
        await arena.frame(table.ended())
        await asyncio.sleep(0.01)

    async def second(arena: ScriptedArena) -> None:
        assert not (await resumed(arena)).acks
        await done(arena, table)

    ending, _ = played(Counting, first, second)

    assert (ending.kind, ending.matches, len(ends)) == ("done", 1, 1)


def test_an_end_is_acknowledged_before_the_stream_is_closed_though_the_session_ends_in_the_same_frame() -> None:
    table = KuhnTable()

    async def only(arena: ScriptedArena) -> None:
        await lost_with_a_match(arena)
        ended = session_pb2.SessionEnded(reason=errors_pb2.SESSION_END_REASON_DONE)
        await arena.frame(table.ended(first_event=1, event_count=3), FromArena(session_ended=ended))
        ack = await arena.hear("ack")
        assert (ack.match, ack.events, ack.ended) == (1, 3, True)
        assert await arena.hung_up()

    assert played(Second, only)[0].kind == "done"


def test_a_match_that_the_arena_does_not_know_any_more_is_void() -> None:
    voids: list[bool] = []

    class Told(Second):
        def ended(self, match: Match, outcome: Outcome) -> None:
            voids.append(outcome.void)

    async def second(arena: ScriptedArena) -> None:
        await resumed(arena)
        outcome = outcome_pb2.Outcome(void=True, text="not known here")
        await arena.say(match_ended=session_pb2.MatchEnded(match=1, outcome=outcome))
        await arena.hear("ack")
        await arena.end()

    assert played(Told, lost_with_a_match, second)[0].kind == "done"
    assert voids == [True]


def test_ctrl_c_without_a_stream_ends_at_once() -> None:
    async def first(arena: ScriptedArena) -> None:
        await lost_with_a_match(arena)
        playing = next(task for task in asyncio.all_tasks() if "Session.play" in repr(task.get_coro()))
        asyncio.get_running_loop().call_later(10.0, playing.cancel)

    with pytest.raises(asyncio.CancelledError):
        played(Second, first)


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


# Signs of life


def test_a_quiet_arena_is_pinged_and_one_that_has_answered_before_and_is_silent_is_lost() -> None:
    heard: list[float] = []

    async def first(arena: ScriptedArena) -> None:
        loop = asyncio.get_running_loop()
        await welcome(arena)
        await arena.say(pong=session_pb2.Pong(nonce=1))
        assert isinstance(await _next(arena), session_pb2.Ping)
        await arena.say(pong=session_pb2.Pong(nonce=2))
        silent_since = loop.time()
        for _ in range(2):
            assert isinstance(await asyncio.wait_for(_next(arena), 100), session_pb2.Ping)
            heard.append(loop.time() - silent_since)
        assert await asyncio.wait_for(arena.link.read(), 100) is None
        heard.append(loop.time() - silent_since)

    async def second(arena: ScriptedArena) -> None:
        await resumed(arena)
        await arena.end()

    ending, _ = played(Second, first, second)

    assert ending.kind == "done"
    assert [round(at, 3) for at in heard] == [15.0, 30.0, 45.0]


def test_an_arena_that_never_answered_a_ping_is_not_given_up() -> None:
    async def only(arena: ScriptedArena) -> None:
        await welcome(arena)
        await asyncio.sleep(600.0)
        await arena.end()

    assert played(Second, only)[0].kind == "done"


def test_while_the_arena_is_heard_it_is_not_pinged() -> None:
    async def only(arena: ScriptedArena) -> None:
        await welcome(arena)
        await arena.say(pong=session_pb2.Pong(nonce=1))
        for nonce in range(20):
            await asyncio.sleep(10.0)
            await arena.say(ping=session_pb2.Ping(nonce=nonce))
            assert (await arena.hear("pong")).nonce == nonce
        await arena.end()

    assert played(Second, only)[0].kind == "done"


def test_a_quick_bot_that_holds_up_the_loop_does_not_take_the_arena_for_lost() -> None:
    table = KuhnTable()

    class Slow(Second):
        def choose(self, prompt: Prompt) -> object:
            asyncio.get_running_loop().jump(300.0)  # type: ignore[attr-defined]
            return 1

    async def only(arena: ScriptedArena) -> None:
        await welcome(arena)
        await arena.say(pong=session_pb2.Pong(nonce=1))
        await arena.frame(table.started(), table.prompt())
        await arena.hear("answer")
        await arena.frame(table.ended())
        while not isinstance(await arena.hear(), session_pb2.Ack):
            pass
        await arena.end()

    ending: Ending = played(Slow, only)[0]
    assert ending.kind == "done"


async def _next(arena: ScriptedArena) -> object:
    """The bot's next message, however long it takes."""
    from rivalry.arena.v1 import play_pb2

    frame = await arena.link.read()
    assert frame is not None
    (message,) = play_pb2.PlayRequest.FromString(frame).messages
    return getattr(message, str(message.WhichOneof("message")))


def test_live_events_that_were_told_before_the_cut_are_not_told_again() -> None:
    table = KuhnTable()
    heard: list[str] = []

    class Listening(Second):
        features = ("live_events",)

        def happened(self, match: Match, events: Sequence[Seen]) -> None:
            heard.extend(event.kind for event in events)

    dealt = table.codec.event(seen(Event("dealt", {}, {0: {"card": 3}}), 0))
    moved = table.codec.event(seen(Event("moved", {"seat": 1, "move": 1}), 0))

    async def first(arena: ScriptedArena) -> None:
        await welcome(arena)
        live = session_pb2.Events(match=1, first_event=1, event_count=1)
        live.events.value = dealt
        await arena.frame(table.started(), FromArena(events=live))
        await arena.hear("ack")

    async def second(arena: ScriptedArena) -> None:
        assert (await resumed(arena)).acks[0].events == 1
        live = session_pb2.Events(match=1, first_event=1, event_count=2)
        live.events.value = dealt + moved
        await arena.frame(again(table), FromArena(events=live))
        assert (await arena.hear("ack")).events == 2
        await done(arena, table)

    played(Listening, first, second)

    assert heard == ["dealt", "moved"]
