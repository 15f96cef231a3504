"""What becomes of matches, answers and events while the stream is away."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from client.resuming import FromArena, Second, again, done, heard_next, lost_with_a_match
from client.scripted import KuhnTable, ScriptedArena
from client.streams import played, resumed, welcome
from rivalry.arena.v1 import errors_pb2, outcome_pb2, session_pb2
from rivalry_client import Bot, Match, Outcome, Resign
from rivalry_client.prompt import Prompt
from rivalry_engine.event import Event, Seen, seen


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
        assert isinstance(await heard_next(arena), session_pb2.Ping)  # the stream is quiet
        answer = await heard_next(arena)
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
