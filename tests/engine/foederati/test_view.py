"""The text view: everything that an observation holds, in words, and nothing else."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from rivalry_engine import catalog
from rivalry_engine.chance import Stream
from rivalry_engine.foederati import squares
from rivalry_engine.game import PUBLIC, State
from rivalry_engine.playout import picked
from rivalry_engine.prompt import judged


def states(seed: bytes, seats: int = 3) -> Iterator[State]:
    """A game played by chance, before each decision and at its end."""
    game = catalog.game("foederati", {"seats": seats})
    state, stream = game.new_state(seed), Stream(seed, "walk")
    while state.movers():
        yield state
        (seat,) = state.movers()
        choices = state.choices(seat)
        shapes = [(len(choice.parts), choice.least, choice.most, choice.usual) for choice in choices]
        action = judged(state, seat, choices, picked(shapes, stream))
        assert isinstance(action, int)
        state.apply(seat, action)
    yield state


def test_every_shield_is_drawn_on_its_square() -> None:
    for number, state in enumerate(states(b"drawn")):
        if number % 10:
            continue
        seen = state.observe(PUBLIC)
        lines = state.game.view(seen).splitlines()
        rows = [line for line in lines if line[:3] in {f"{row}  " for row in squares.ROWS}]
        drawn = [word.strip("[]") for row in rows for word in row.replace("]", "] ").split()[1:]]

        owners = {square: player["seat"] for player in seen.json()["seats"] for square in player["shields"]}
        assert len(drawn) == squares.SQUARES
        for square, cell in enumerate(drawn):
            assert cell[1:] == str(owners.get(squares.name(square), "."))


def test_a_seat_sees_its_own_hand_and_no_other() -> None:
    for number, state in enumerate(states(b"hands")):
        if number % 20:
            continue
        for seat in range(3):
            seen = state.observe(seat)
            other = state.game.imagine(seat, seen, Stream(b"other", str(number)))

            told = state.game.view(seen)
            assert f"Your hand ({len(seen.json()['hand'])})" in told
            assert state.game.view(other.observe(seat)) == told
        assert "Your hand" not in state.game.view(state.observe(PUBLIC))


@pytest.mark.parametrize("seats", [2, 5])
def test_what_changes_an_observation_changes_its_text(seats: int) -> None:
    told: dict[str, object] = {}
    for state in states(b"changes", seats):
        seen = state.observe(0)
        text = state.game.view(seen)
        assert told.setdefault(text, seen.json()) == seen.json()

    assert len(told) > 50
    assert "The game is over." in text


def test_a_battle_is_told_with_its_strengths_and_cards() -> None:
    battles = 0
    for state in states(b"battle"):
        battle = state.observe(PUBLIC).json()["turn"]["battle"]
        if battle:
            battles += 1
            text = state.game.view(state.observe(PUBLIC))
            assert f"Battle for {battle['target']}: seat {battle['attacker']} attacks with {battle['attack']}" in text
            assert all(f"seat {played['seat']} {played['card']}" in text for played in battle["played"])
    assert battles
