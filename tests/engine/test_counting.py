from __future__ import annotations

from rivalry_engine import catalog
from rivalry_engine.counting import counted


def test_one_is_one_and_all_else_are_many() -> None:
    assert [counted(number, "card") for number in (0, 1, 2)] == ["0 cards", "1 card", "2 cards"]
    assert [counted(number, "match", "matches") for number in (1, 2)] == ["1 match", "2 matches"]


def test_a_view_counts_a_single_card_as_one() -> None:
    state = catalog.game("ethnos", {"seats": 2}).new_state(b"x")

    assert "1 card in hand" in state.game.view(state.observe(0))
