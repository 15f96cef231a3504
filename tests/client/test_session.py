"""The session as a state machine: what it says to what it hears."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Sequence
from typing import ClassVar

import pytest

from client.scripted import KuhnTable, ScriptedArena, played
from rivalry.arena.v1 import errors_pb2, play_pb2, session_pb2
from rivalry_client import Bot, Match, Outcome, Resign
from rivalry_client.prompt import Prompt
from rivalry_engine.event import Event, Seen, seen


class Second(Bot):
    """Takes the second choice."""

    quick = True

    def choose(self, prompt: Prompt) -> object:
        return 1


def test_hello_tells_what_the_bot_is() -> None:
    class Named(Second):
        name = "named"
        version = "7"
        games = ("kuhn",)

    async def script(arena: ScriptedArena) -> None:
        hello = await arena.welcome()
        assert (hello.name, hello.version, list(hello.games)) == ("named", "7", ["kuhn"])
        assert (hello.protocol.least, hello.protocol.most) == (1, 1)
        assert (hello.matches, hello.prompts) == (3, 2)
        assert not hello.features
        await arena.end()

    assert played(Named, script, matches=3, prompts=2).kind == "done"


def test_words_are_asked_for_when_a_game_is_not_installed_here() -> None:
    class Foreign(Second):
        games = ("no-such-game",)

    async def script(arena: ScriptedArena) -> None:
        assert list((await arena.welcome()).features) == ["legal_text"]
        await arena.end()

    played(Foreign, script)


def test_a_bot_that_plays_by_text_asks_for_all_of_it_and_for_nothing_twice() -> None:
    class Reader(Second):
        wants_view = True

    class Picky(Reader):
        features = ("legal_full", "legal_text")

    async def plain(arena: ScriptedArena) -> None:
        assert list((await arena.welcome()).features) == ["legal_text", "view_text"]
        await arena.end()

    async def picky(arena: ScriptedArena) -> None:
        assert list((await arena.welcome()).features) == ["legal_full", "legal_text", "view_text"]
        await arena.end()

    assert played(Reader, plain).kind == "done"
    assert played(Picky, picky).kind == "done"


def test_a_match_is_played_to_its_end() -> None:
    told: list[object] = []

    class Told(Second):
        def start(self, match: Match) -> None:
            told.append((match.id, match.seat, match.seats, match.game_name, match.options))
            assert self.match is match

        def ended(self, match: Match, outcome: Outcome) -> None:
            told.append((outcome.seats[0].rank, outcome.seats[0].end, outcome.seats[1].score))

    async def script(arena: ScriptedArena) -> None:
        table = KuhnTable()
        await arena.welcome()
        await arena.say(seat_offer=session_pb2.SeatOffer(offer=5, game="kuhn"))
        reply = await arena.hear("seat_reply")
        assert (reply.offer, reply.accepted) == (5, True)
        await arena.frame(table.started(), table.prompt())
        answer = await arena.hear("answer")
        assert (answer.match, answer.number, answer.index, answer.HasField("parts")) == (1, 1, 1, False)
        await arena.frame(table.ended())
        await arena.end()

    ending = played(Told, script)

    assert (ending.kind, ending.matches, ending.status) == ("done", 1, 0)
    assert told == [("ab" * 16, 0, 2, "kuhn", {"seats": 2}), (1, "normal", -1)]


def test_a_seat_of_another_game_is_declined_with_the_reason_and_told_once(capsys: pytest.CaptureFixture[str]) -> None:
    class KuhnOnly(Second):
        games = ("kuhn",)

    async def script(arena: ScriptedArena) -> None:
        await arena.welcome()
        for offer in (1, 2):
            await arena.say(seat_offer=session_pb2.SeatOffer(offer=offer, game="ethnos"))
            reply = await arena.hear("seat_reply")
            assert (reply.accepted, reply.why) == (False, "KuhnOnly plays kuhn, not ethnos")
        await arena.end()

    ending = played(KuhnOnly, script)

    assert (ending.kind, ending.status) == ("declined", 2)
    told = "rivalry: declined a seat: the match plays ethnos; KuhnOnly plays kuhn, not ethnos\n"
    assert capsys.readouterr().err == told


def test_the_name_of_a_family_stands_for_all_of_its_games() -> None:
    class Many(Second):
        games = ("many",)

    async def script(arena: ScriptedArena) -> None:
        await arena.welcome()
        for number, (game, accepted) in enumerate((("many:short", True), ("other:many", False), ("kuhn", False))):
            await arena.say(seat_offer=session_pb2.SeatOffer(offer=number, game=game))
            assert (await arena.hear("seat_reply")).accepted is accepted
        await arena.end()

    played(Many, script)


def test_a_bot_that_declined_a_seat_and_played_another_ended_well() -> None:
    class KuhnOnly(Second):
        games = ("kuhn",)

    async def script(arena: ScriptedArena) -> None:
        table = KuhnTable()
        await arena.welcome()
        await arena.say(seat_offer=session_pb2.SeatOffer(offer=1, game="ethnos"))
        await arena.hear("seat_reply")
        await arena.frame(table.started(), table.prompt())
        await arena.hear("answer")
        await arena.frame(table.ended())
        await arena.end()

    ending = played(KuhnOnly, script)

    assert (ending.kind, ending.status) == ("done", 0)


def test_answers_that_are_ready_in_one_turn_of_the_loop_leave_in_one_frame() -> None:
    async def script(arena: ScriptedArena) -> None:
        tables = [KuhnTable(handle) for handle in range(1, 9)]
        await arena.welcome()
        await arena.frame(*[table.started() for table in tables])
        await arena.frame(*[table.prompt() for table in tables])
        for table in tables:
            assert (await arena.hear("answer")).match == table.handle
        assert len(arena.frames) == 2
        await arena.end()

    played(Second, script, matches=8, prompts=8)


def test_answers_of_asynchronous_bots_leave_in_one_frame_too() -> None:
    class Slow(Bot):
        async def choose(self, prompt: Prompt) -> object:
            await asyncio.sleep(0)
            return 0

    async def script(arena: ScriptedArena) -> None:
        tables = [KuhnTable(handle) for handle in range(1, 9)]
        await arena.welcome()
        await arena.frame(*[table.started() for table in tables], *[table.prompt() for table in tables])
        for _ in tables:
            await arena.hear("answer")
        assert len(arena.frames) == 2
        await arena.end()

    played(Slow, script, matches=8, prompts=8)


def test_a_frame_holds_no_more_messages_than_the_arena_takes() -> None:
    async def script(arena: ScriptedArena) -> None:
        await arena.welcome(limits=session_pb2.Limits(frame_messages=4))
        await arena.frame(*[session_pb2.FromArena(ping=session_pb2.Ping(nonce=nonce)) for nonce in range(10)])
        assert [(await arena.hear("pong")).nonce for _ in range(10)] == list(range(10))
        assert all(len(play_pb2.PlayRequest.FromString(frame).messages) <= 4 for frame in arena.frames)
        await arena.end()

    played(Second, script)


def test_kinds_values_and_fields_that_nobody_knows_are_survived() -> None:
    unknown_kind = b"\x0a\x05\xfa\x3e\x02hi"
    unknown_field = session_pb2.FromArena.FromString(b"\x4a\x06\x08\x07\xfa\x3e\x01x")
    ends: list[str] = []

    class Looking(Second):
        def ended(self, match: Match, outcome: Outcome) -> None:
            ends.append(outcome.seats[0].end)

    async def script(arena: ScriptedArena) -> None:
        table = KuhnTable()
        await arena.welcome()
        await arena.link.write(unknown_kind)
        await arena.frame(session_pb2.FromArena(), unknown_field)
        assert (await arena.hear("pong")).nonce == 7
        await arena.frame(table.started(), table.prompt())
        await arena.hear("answer")
        ruling = session_pb2.Ruling(match=1, number=1, kind=999, reason=999, tries_left=2)  # type: ignore[arg-type]
        await arena.say(ruling=ruling)
        ended = table.ended()
        ended.match_ended.outcome.seats[0].end = 999  # type: ignore[assignment]
        await arena.frame(ended)
        await arena.end(reason=999)

    ending = played(Looking, script)

    assert ends == ["999"]
    assert ending.kind == "999"


def test_messages_about_matches_that_nobody_knows_are_survived() -> None:
    async def script(arena: ScriptedArena) -> None:
        table = KuhnTable(handle=77)
        await arena.welcome()
        await arena.frame(table.prompt(), table.ended())
        await arena.say(events=session_pb2.Events(match=77, first_event=1, event_count=1))
        await arena.say(ruling=session_pb2.Ruling(match=77, number=1))
        await arena.say(ping=session_pb2.Ping(nonce=1))
        await arena.hear("pong")
        await arena.end()

    assert played(Second, script).status == 0


def test_a_rejected_answer_is_asked_for_again_with_the_reason(capsys: pytest.CaptureFixture[str]) -> None:
    class Learning(Second):
        def choose(self, prompt: Prompt) -> object:
            return 99 if prompt.ruling is None else {2: "bett", 1: 1}[prompt.ruling.tries_left]

    async def script(arena: ScriptedArena) -> None:
        table = KuhnTable()
        rejected = errors_pb2.RULING_KIND_REJECTED
        await arena.welcome()
        await arena.frame(table.started(), table.prompt())
        assert (await arena.hear("answer")).index == 99
        reason = errors_pb2.RULING_REASON_NO_CHOICE
        await arena.say(
            ruling=session_pb2.Ruling(match=1, number=1, kind=rejected, reason=reason, text="no 99", tries_left=2)
        )
        assert (await arena.hear("answer")).text == "bett"
        await arena.say(ruling=session_pb2.Ruling(match=1, number=1, kind=rejected, tries_left=1))
        assert (await arena.hear("answer")).index == 1
        await arena.end()

    played(Learning, script)

    assert "answer rejected (match 1, prompt 1, no_choice): no 99" in capsys.readouterr().err


def test_the_third_rejection_is_not_answered() -> None:
    async def script(arena: ScriptedArena) -> None:
        table = KuhnTable()
        await arena.welcome()
        await arena.frame(table.started(), table.prompt())
        await arena.hear("answer")
        await arena.say(ruling=session_pb2.Ruling(match=1, number=1, kind=errors_pb2.RULING_KIND_REJECTED))
        await arena.say(ping=session_pb2.Ping(nonce=1))
        await arena.hear("pong")
        await arena.end()

    played(Second, script)


def test_a_crash_is_told_to_the_author_and_to_the_arena(capsys: pytest.CaptureFixture[str]) -> None:
    class Crashing(Second):
        def choose(self, prompt: Prompt) -> object:
            raise LookupError("no plan")

    async def script(arena: ScriptedArena) -> None:
        table = KuhnTable()
        await arena.welcome()
        await arena.frame(table.started(), table.prompt())
        leave = await arena.hear("leave")
        assert leave.reason == session_pb2.LEAVE_REASON_CRASH
        assert leave.text == "LookupError: no plan"
        await arena.end(reason=errors_pb2.SESSION_END_REASON_LEFT)

    ending = played(Crashing, script)
    shown = capsys.readouterr().err

    assert (ending.kind, ending.status, ending.text) == ("crash", 1, "LookupError: no plan")
    assert isinstance(ending.error, LookupError)
    assert shown.startswith("Traceback") and "LookupError: no plan" in shown
    assert "rivalry_client" not in shown


@pytest.mark.parametrize("value", [None, True, 1.0, [0]])
def test_an_answer_that_is_none_is_a_crash_that_says_who_returned_it_and_what_was_expected(
    value: object, capsys: pytest.CaptureFixture[str]
) -> None:
    class Mute(Second):
        def choose(self, prompt: Prompt) -> object:
            return value

    told = rf"Mute\.choose \(test_session\.py, line \d+\) returned {re.escape(repr(value))}; expected the number of a"

    async def script(arena: ScriptedArena) -> None:
        table = KuhnTable()
        await arena.welcome()
        await arena.frame(table.started(), table.prompt())
        assert re.search(told, (await arena.hear("leave")).text)
        await arena.end()

    assert played(Mute, script).kind == "crash"
    shown = capsys.readouterr().err
    assert shown.count("\n") == 1 and re.search(told, shown)


def test_a_crash_after_the_last_word_is_a_crash_all_the_same(capsys: pytest.CaptureFixture[str]) -> None:
    class CrashingLate(Bot):
        async def choose(self, prompt: Prompt) -> object:
            return 0

        async def ended(self, match: Match, outcome: Outcome) -> None:
            await asyncio.sleep(0.01)
            raise OSError("no room for the diary")

    async def script(arena: ScriptedArena) -> None:
        table = KuhnTable()
        await arena.welcome()
        await arena.frame(table.started(), table.prompt())
        await arena.hear("answer")
        await arena.frame(table.ended())
        await arena.end()

    ending = played(CrashingLate, script)

    assert (ending.kind, ending.status) == ("crash", 1)
    assert "no room for the diary" in capsys.readouterr().err


def test_a_bot_may_give_up_a_match_and_stays_in_the_session() -> None:
    class GivingUp(Second):
        def choose(self, prompt: Prompt) -> object:
            raise Resign("hopeless")

    async def script(arena: ScriptedArena) -> None:
        table = KuhnTable()
        await arena.welcome()
        await arena.frame(table.started(), table.prompt())
        resign = await arena.hear("resign")
        assert (resign.match, resign.why) == (1, "hopeless")
        await arena.frame(table.ended())
        await arena.end()

    assert played(GivingUp, script).kind == "done"


def test_live_events_reach_the_bot_once_and_are_acknowledged() -> None:
    heard: list[str] = []
    prompted: list[Sequence[Seen]] = []

    class Listening(Second):
        features: ClassVar[Sequence[str]] = ("live_events",)

        def happened(self, match: Match, events: Sequence[Seen]) -> None:
            heard.extend(event.kind for event in events)

        def choose(self, prompt: Prompt) -> object:
            prompted.append(prompt.events)
            return 0

    async def script(arena: ScriptedArena) -> None:
        table = KuhnTable()
        dealt = table.codec.event(seen(Event("dealt", {}, {0: {"card": 3}}), 0))
        moved = table.codec.event(seen(Event("moved", {"seat": 1, "move": 1}), 0))
        hello = await arena.welcome(features=["live_events"])
        assert list(hello.features) == ["live_events"]
        live = session_pb2.Events(match=1, first_event=1, event_count=1)
        live.events.value = dealt
        await arena.frame(table.started(), session_pb2.FromArena(events=live))
        ack = await arena.hear("ack")
        assert (ack.match, ack.events) == (1, 1)
        prompt = table.prompt(event_count=2)
        prompt.prompt.events.value = dealt + moved
        await arena.frame(prompt)
        await arena.hear("answer")
        await arena.end()

    played(Listening, script)

    assert heard == ["dealt"]
    assert [[event.kind for event in events] for events in prompted] == [["moved"]]


def test_a_refusal_names_both_sides_and_the_remedy() -> None:
    async def script(arena: ScriptedArena) -> None:
        await arena.hear("hello")
        await arena.say(
            refused=session_pb2.Refused(
                reason=errors_pb2.REFUSAL_REASON_VERSION, ours="speaks 2", yours="speaks 1", remedy="upgrade"
            )
        )

    ending = played(Second, script)

    assert (ending.kind, ending.status) == ("refused", 2)
    assert ending.text == "version: speaks 2; speaks 1; upgrade"


def test_an_arena_that_hangs_up_without_a_word_is_a_failure() -> None:
    async def script(arena: ScriptedArena) -> None:
        await arena.welcome()
        arena.link.hang_up()

    ending = played(Second, script)

    assert (ending.kind, ending.status) == ("closed", 1)


def test_bytes_that_are_no_frame_end_the_session() -> None:
    async def script(arena: ScriptedArena) -> None:
        await arena.welcome()
        await arena.link.write(b"\x0a\xff\xff\xff\xff\x0f")

    assert played(Second, script).kind == "protocol"


def test_a_redirect_says_where_to_go_on() -> None:
    async def script(arena: ScriptedArena) -> None:
        await arena.welcome()
        await arena.say(redirect=session_pb2.Redirect(target="127.0.0.1:9"))

    assert played(Second, script).target == "127.0.0.1:9"


def test_a_cancelled_session_says_goodbye_first() -> None:
    async def script(arena: ScriptedArena) -> None:
        await arena.welcome()
        await arena.say(ping=session_pb2.Ping(nonce=1))
        await arena.hear("pong")
        playing = next(task for task in asyncio.all_tasks() if "Session.play" in repr(task.get_coro()))
        playing.cancel()
        leave = await arena.hear("leave")
        assert leave.reason == session_pb2.LEAVE_REASON_DONE
        await arena.end(reason=errors_pb2.SESSION_END_REASON_LEFT)
        assert await arena.hung_up()

    with pytest.raises(asyncio.CancelledError):
        played(Second, script)
