"""A match whose stream is cut at every point: it goes on, and the bot notices nothing."""

from __future__ import annotations

import asyncio
import itertools
import threading

import pytest

from client.enduring import WHOLE, AtOnce, Diary, EnduringArena, noting, played_on
from rivalry_client.bot import Bot
from rivalry_client.ending import Ending
from rivalry_client.prompt import Prompt
from rivalry_client.thinking import InThread
from server.virtual import run

ANSWERS = [(1, 0), (2, 99), (2, 0)]


def awaiting(diary: Diary) -> type[Bot]:
    """The same bot, which waits for a second before it answers."""

    class Awaiting(noting(diary)):  # type: ignore[misc]
        quick = False

        async def choose(self, prompt: Prompt) -> object:
            answer = super().choose(prompt)
            await asyncio.sleep(1.0)
            return answer

    return Awaiting


def ending_later(diary: Diary, arena: EnduringArena, steps: int, turns: int) -> type[Bot]:
    """The same bot, which answers so many steps of the arena after it was asked, and turns of the loop after those."""

    class EndingLater(noting(diary)):  # type: ignore[misc]
        quick = False

        async def choose(self, prompt: Prompt) -> object:
            answer = super().choose(prompt)
            await arena.steps_on(steps)
            for _ in range(turns):
                await asyncio.sleep(0)
            return answer

    return EndingLater


def blocking(diary: Diary) -> type[Bot]:
    """The same bot, which answers from a thread of its own."""

    class Blocking(noting(diary)):  # type: ignore[misc]
        quick = False

    return Blocking


async def in_thread(arena: EnduringArena, bot: type[Bot]) -> Ending:
    """Plays a bot that may block, in real time."""
    thinking = InThread(asyncio.get_running_loop())
    thread = threading.Thread(target=thinking.serve)
    thread.start()
    try:
        return await played_on(arena, bot, thinking=thinking, streams=AtOnce(arena))
    finally:
        thinking.close()
        thread.join()


def steps() -> int:
    """How many points there are at which the stream of the match can be cut."""
    arena = EnduringArena()
    run(played_on(arena, noting(Diary())))
    return arena.steps


def checked(arena: EnduringArena, ending: Ending, diary: Diary) -> None:
    """The session ended well, and the match was played as if there had been no cut."""
    if not arena.welcomes:  # lost before it had begun
        assert (ending.kind, diary.lines) == ("closed", [])
        return
    assert (ending.kind, ending.matches) == ("done", 1)
    assert diary.lines == WHOLE
    assert (arena.answers, arena.stray, arena.early) == (ANSWERS, [], [])


def test_a_match_without_a_cut_has_many_points_at_which_it_could_be_cut() -> None:
    arena, diary = EnduringArena(), Diary()

    ending = run(played_on(arena, noting(diary)))

    checked(arena, ending, diary)
    assert arena.acknowledged
    assert arena.steps > 20


@pytest.mark.parametrize("ruling_first", [False, True])
@pytest.mark.parametrize("kind", [noting, awaiting])
def test_a_stream_cut_at_any_point_is_resumed_and_no_choice_is_made_twice(kind: type, ruling_first: bool) -> None:
    for cut in range(1, steps() + 1):
        arena, diary = EnduringArena(cuts=[cut], ruling_first=ruling_first), Diary()

        ending = run(played_on(arena, kind(diary)))

        checked(arena, ending, diary)


@pytest.mark.parametrize("ruling_first", [False, True])
@pytest.mark.parametrize("turns", [0, 2])
def test_a_thought_that_ends_at_any_step_after_any_cut_is_said_when_its_prompt_was_told_again(
    turns: int, ruling_first: bool
) -> None:
    for cut, later in itertools.product(range(4, steps() + 1), range(1, 9)):
        arena, diary = EnduringArena(cuts=[cut], ruling_first=ruling_first), Diary()

        ending = run(played_on(arena, ending_later(diary, arena, later, turns)))

        checked(arena, ending, diary)


@pytest.mark.parametrize("kind", [noting, awaiting])
def test_a_stream_cut_at_any_two_points_is_resumed_and_no_choice_is_made_twice(kind: type) -> None:
    for cuts in itertools.product(range(3, steps() + 1), range(1, 16)):
        arena, diary = EnduringArena(cuts=cuts), Diary()

        ending = run(played_on(arena, kind(diary)))

        checked(arena, ending, diary)


def test_a_connection_that_breaks_at_any_point_is_resumed() -> None:
    for cut in range(4, steps() + 1):
        arena, diary = EnduringArena(cuts=[cut], by_error=True), Diary()

        ending = run(played_on(arena, noting(diary)))

        checked(arena, ending, diary)


def test_a_bot_in_a_thread_is_cut_at_any_point_and_makes_no_choice_twice() -> None:
    for cut in range(1, steps() + 1):
        arena, diary = EnduringArena(cuts=[cut]), Diary()

        ending = asyncio.run(in_thread(arena, blocking(diary)))

        checked(arena, ending, diary)


def test_what_is_answered_without_a_stream_is_said_when_the_prompt_is_asked_again() -> None:
    class Slow(awaiting(Diary())):  # type: ignore[misc]
        async def choose(self, prompt: Prompt) -> object:
            await asyncio.sleep(0.02)
            return 0

    whole = EnduringArena()
    run(played_on(whole, Slow))
    for cut in range(4, whole.steps + 1):
        arena = EnduringArena(cuts=[cut])

        ending = run(played_on(arena, Slow))

        assert ending.kind == "done"
        assert (arena.answers, arena.stray, arena.early) == ([(1, 0), (2, 0)], [], [])
