"""A bot as a function in the arena's own process."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from rivalry_client import Bot, Match
from rivalry_client.bot import AnswerError
from rivalry_client.local import LocalBot
from rivalry_client.prompt import Prompt
from rivalry_engine.error import RivalryError
from rivalry_engine.kuhn import Kuhn
from rivalry_engine.playout import Chooser, first, play


def test_each_match_has_a_bot_of_its_own_that_was_told_of_it() -> None:
    made: list[Match] = []

    class Counting(Bot):
        def start(self, match: Match) -> None:
            made.append(match)

        def choose(self, prompt: Prompt) -> object:
            assert (prompt.budget_s, prompt.last, prompt.ruling, prompt.tries_left) == (None, None, None, 0)
            assert (prompt.clocks, prompt.strikes_left) == (None, None)
            assert self.match is made[-1]
            return 0

    ours: Sequence[Chooser] = [LocalBot(Counting), first]
    for seed in (b"one", b"two"):
        play(Kuhn(), ours, seed)

    assert [(match.game_name, match.seat, match.seats, match.options) for match in made] == [
        ("kuhn", 0, 2, {"seats": 2})
    ] * 2


def test_a_bot_that_must_wait_or_must_have_a_stream_is_refused() -> None:
    class Awaiting(Bot):
        async def choose(self, prompt: Prompt) -> object:
            return 0

    class Wired(Bot):
        needs_wire = True

    with pytest.raises(RivalryError, match="async hooks"):
        LocalBot(Awaiting)
    with pytest.raises(RivalryError, match="over a stream only"):
        LocalBot(Wired)


def test_what_is_no_answer_is_told_with_the_class_and_the_file_that_returned_it() -> None:
    class Mute(Bot):
        def choose(self, prompt: Prompt) -> object:
            return None

    with pytest.raises(
        AnswerError, match=r"^Mute\.choose \(test_local\.py, line \d+\) returned None; expected the number"
    ):
        play(Kuhn(), [LocalBot(Mute), first], b"mute")
