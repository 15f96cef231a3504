"""The text view: everything that an observation holds, in the words of the edition, and nothing else."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from rivalry_engine import catalog
from rivalry_engine.chance import Stream
from rivalry_engine.ethnos import primer
from rivalry_engine.game import PUBLIC, State
from rivalry_engine.playout import picked
from rivalry_engine.prompt import judged

TABLES = [
    {"seats": 4},
    {"seats": 2, "edition": "second"},
    {"seats": 5, "edition": "second"},
    {"seats": 3, "fairies": True, "tribes": ["fairies", "giants", "merfolk", "orcs", "trolls"]},
]


def states(options: dict[str, object]) -> Iterator[State]:
    """A game played by chance, before each decision and at its end."""
    state, stream = catalog.game("ethnos", options).new_state(b"view"), Stream(b"view", "walk")
    while state.movers():
        for seat in tuple(state.movers()):
            yield state
            choices = state.choices(seat)
            shapes = [(len(choice.parts), choice.least, choice.most, choice.usual) for choice in choices]
            action = judged(state, seat, choices, picked(shapes, stream))
            assert isinstance(action, int)
            state.apply(seat, action)
    yield state


@pytest.mark.parametrize("options", TABLES, ids=str)
def test_what_changes_an_observation_changes_its_text(options: dict[str, object]) -> None:
    told: dict[str, object] = {}
    for state in states(options):
        seen = state.observe(0)
        text = state.game.view(seen)
        assert told.setdefault(text, seen.json()) == seen.json()

    assert len(told) > 100
    assert "The game is over." in text


@pytest.mark.parametrize("options", TABLES[:2], ids=str)
def test_a_seat_reads_its_own_hand_and_no_other(options: dict[str, object]) -> None:
    for number, state in enumerate(states(options)):
        if number % 30:
            continue
        for seat in range(state.game.seats):
            seen = state.observe(seat)
            other = state.game.imagine(seat, seen, Stream(b"other", str(number)))

            told = state.game.view(seen)
            assert f"Your hand ({len(seen.json()['hand'])})" in told
            assert state.game.view(other.observe(seat)) == told
        assert "Your hand" not in state.game.view(state.observe(PUBLIC))


def test_each_edition_is_told_in_its_own_words() -> None:
    first, second = (catalog.game("ethnos", {"edition": edition}) for edition in ("first", "second"))
    told = {game: game.view(game.new_state(b"words").observe(0)) for game in (first, second)}

    assert "Kingdoms: Glory" in told[first] and "region" not in told[first].lower()
    assert "Regions: prestige" in told[second] and "kingdom" not in told[second].lower()
    assert (first.primer, second.primer) == (primer.FIRST, primer.SECOND)
    assert "prestige" not in first.primer and "Glory" not in second.primer


def test_each_primer_says_who_earns_what_with_two_players() -> None:
    """E9.4, N4.1"""
    for edition, age in (("first", "Age II"), ("second", "age II")):
        told = " ".join(catalog.game("ethnos", {"edition": edition, "seats": 2}).primer.split())

        assert f"With two players, in {age} the one with most gets the second token and the other nothing;" in told
        assert "those who tie share that token; whoever is alone there gets the first and the second" in told


def test_a_band_has_the_number_by_which_a_swap_names_it() -> None:
    offered = 0
    for state in states(TABLES[3]):
        for seat in state.movers():
            if state.question(seat) != "target":
                continue
            text = state.game.view(state.observe(seat))
            for action in state.legal_actions(seat):
                words = state.game.text(action).split()
                if words[1] != "none":
                    offered += 1
                    owner = text.partition(f"\nseat {words[1]}:")[2].partition("\nseat ")[0]
                    leader = state.observe(seat).seats[int(words[1])].bands[int(words[2])].leader.name
                    assert re.search(rf"Band {words[2]}: \d+ under {leader}:", owner)
    assert offered
