"""Notation, both ways, and every code of an objection."""

import pytest

from engine.foederati.table import at, do, game, refusal
from rivalry_engine.error import NotationError

TEXTS = [
    "place F5", "expand row A/B: B10", "expand column 1/5/9: J1", "expand country Ausonia: H5", "expand neighbour: A1",
    "expand sea: J10", "attack H5", "attack H5: row H, column 5, column 5, neighbour", "migrate F5 G5", "sail J3 J4",
    "exchange row A", "exchange row A, sea", "end turn", "pass", "reinforce column 5, neighbour", "yield",
    "choose first 0", "choose first 4", "exchange none", "reinforce none",
]  # fmt: skip


@pytest.mark.parametrize("text", TEXTS)
def test_an_action_is_read_as_it_is_written(text):
    """FO11"""
    rules = game(seats=5)
    action = rules.action(text)

    assert rules.text(action) == text
    assert rules.action(f"  {text.upper()} ".replace(" ", "  ")) == action


def test_cards_are_read_in_any_order_and_written_in_one():
    """FO11"""
    rules = game(seats=5)

    assert rules.text(rules.action("exchange sea, row A")) == "exchange row A, sea"


@pytest.mark.parametrize(
    "text",
    [
        "", "place", "place F", "place 5F", "place F5 G5", "expand F5", "expand row K: F5", "expand row A", "attack",
        "expand row A F5", "attack H5:", "attack H5: row H,", "migrate F5", "migrate F5G5", "sail J3 to J4", "exchange",
        "exchange rows", "end", "endturn", "pass 1", "yield 1", "reinforce", "choose first", "choose first x",
        "choose first 1000", "choose first -1", "choose 1", "exchange " + ", ".join(["sea"] * 11), "place F5\x00",
        "place " + "F" * 500, "choose first ²", "choose first 128",
    ],
)  # fmt: skip
def test_other_texts_are_no_actions(text):
    """FO11: and the error says what is expected"""
    with pytest.raises(NotationError, match=r"expected|at most"):
        game(seats=5).action(text)


@pytest.mark.parametrize("text", ["place K1", "place A11", "place A0", "expand sea: Z9", "attack A0", "sail J4 Z1",
                                  "migrate A99 A1"])  # fmt: skip
def test_a_square_that_is_not_on_the_board_is_refused_by_its_code(text):
    """FO10.75"""
    placing = text.startswith("place")
    state = at("A2 J4" if not placing else "", "", round=0 if placing else 2, seats={0: {"hand": ["sea"]}})

    assert refusal(state, text) == "NO_SUCH_SQUARE"
    action = state.game.action(text)
    assert state.game.action(state.game.text(action)) == action


CODES = {
    "NOT_YOUR_TURN", "WRONG_PHASE", "NO_SUCH_CARD", "CARD_DOES_NOT_FIT", "SQUARE_OCCUPIED", "CAP_EXCEEDED",
    "NO_ACTIONS_LEFT", "NO_SUPPLY", "MOVE_ALREADY_USED", "SHIP_ALREADY_MOVED", "NOT_YOUR_SHIELD", "NOT_A_SHIP",
    "NOT_ON_LAND", "UNREACHABLE", "TARGET_NOT_FOUNDED", "TARGET_NOT_ENEMY", "TARGET_NOT_ADJACENT",
    "OPENING_CARD_REQUIRED", "NOT_TO_ACT", "NOTHING_DONE", "ALREADY_ACTED", "NOT_LAST_PLACE", "BAD_COUNT",
    "NO_SUCH_SQUARE", "NO_SUCH_SEAT",
}  # fmt: skip


def test_every_code_is_tested_and_no_other_is_there():
    """FO11"""
    import re
    from pathlib import Path

    here = Path(__file__).parent
    source = here.parents[2] / "engine" / "rivalry_engine" / "foederati" / "legal.py"
    said = set(re.findall(r'Objection\(\s*"([A-Z_]+)"', source.read_text()))
    tests = "".join(path.read_text() for path in here.glob("test_*.py") if path.name != "test_notation.py")

    assert said == CODES
    assert {code for code in CODES - {"NO_SUCH_SQUARE"} if f'"{code}"' not in tests} == set()


@pytest.mark.parametrize(
    "action",
    [0, -1, -(1 << 200), 12, 15, 1 << 4000, 7 | 1 << 4, 8 | 1 << 11, 10 | 1 << 18, 2 | 100 << 11, 6 | 200 << 18,
     6 | 1 << (18 + 8 * 60), 6 | 1 << (18 + 8 * 97), 9 | 255 << 18, 1 | 120 << 4, 4 | 127 << 11, 5 | 1 << 300,
     11 | 1 << 4],
)  # fmt: skip
def test_an_int_that_is_no_action_is_refused(action):
    """FO11: whatever it is, in every phase"""
    states = [
        game(seats=2, first_player="0").new_state(b""),
        at("A2", "J1"),
        do(at("H4 G5", "H5", founded="U"), "attack H5"),
    ]
    for state in states:
        (seat,) = state.movers()
        objection = state.objection(seat, action)
        assert objection is not None
        assert objection.code in CODES
        assert len(objection.text) < 2_000


def test_parts_are_squares_and_cards():
    """FO11"""
    state = at("A2", "J1", seats={0: {"hand": ["row C", "neighbour"]}})
    parts = [[state.game.part_text(part) for part in choice.parts] for choice in state.choices(0)]

    assert parts[0] == [f"C{column}" for column in range(1, 11)]
    assert parts[-2] == ["row C", "neighbour"]
    assert parts[-1] == []
