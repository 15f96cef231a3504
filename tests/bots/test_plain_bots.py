"""random, first and hoarder."""

from __future__ import annotations

import pytest

from rivalry_bots import catalog as bots
from rivalry_bots.hoarder import ENOUGH
from rivalry_engine import catalog
from rivalry_engine.ethnos.actions import BAND, verb
from rivalry_engine.ethnos.cards import size
from rivalry_engine.ethnos.sight import EthnosObservation
from rivalry_engine.playout import Chooser, first, play, uniform
from rivalry_engine.prompt import Prompt


@pytest.mark.parametrize(("name", "chooser"), [("random", uniform), ("first", first)])
@pytest.mark.parametrize("game", ["kuhn", "ethnos"])
def test_random_and_first_are_the_engines_own(name: str, chooser: Chooser, game: str) -> None:
    rules = catalog.game(game)
    ours: list[Chooser] = [bots.local(name, game) for _ in range(rules.seats)]

    assert play(rules, ours, b"same").moves == play(rules, [chooser] * rules.seats, b"same").moves


def test_a_bot_draws_from_its_seats_chance_alone() -> None:
    rules = catalog.game("ethnos")

    def moves() -> object:
        ours: list[Chooser] = [bots.local(name) for name in ("random", "hoarder", "greedy", "random")]
        return play(rules, ours, b"again").moves

    assert moves() == moves()


@pytest.mark.parametrize("seats", range(2, 7))
def test_hoarder_and_greedy_play_whole_games_at_every_number_of_seats(seats: int) -> None:
    rules = catalog.game("ethnos", {"seats": seats})
    names = [("greedy", "hoarder", "random")[seat % 3] for seat in range(seats)]
    ours: list[Chooser] = [bots.local(name, "ethnos") for name in names]

    assert not play(rules, ours, b"whole").state.movers()


def test_hoarder_recruits_to_eight_cards_and_then_plays_the_largest_band() -> None:
    hoarder = bots.local("hoarder")
    turns = 0

    def watched(prompt: Prompt) -> object:
        nonlocal turns
        answer = hoarder(prompt)
        seen = prompt.observation
        if prompt.kind == "turn" and isinstance(seen, EthnosObservation) and isinstance(answer, int):
            actions = [choice.action for choice in prompt.choices]
            played = verb(actions[answer]) == BAND
            turns += played
            assert played == (size(seen.hand_pack) >= ENOUGH)
            if played:
                assert size(actions[answer] >> 12) == max(
                    size(action >> 12) for action in actions if verb(action) == BAND
                )
        return answer

    play(catalog.game("ethnos"), [watched, uniform, uniform, uniform], b"hoard")

    assert turns
