"""Imagined states: they look the same to the seat, keep what is known, and leave nothing out (FO10.48, FO10.72)."""

from collections import Counter

import pytest

from engine.foederati.table import at, do, hand, played
from engine.foederati.test_map import cards
from rivalry_engine.chance import Stream
from rivalry_engine.error import RivalryError
from rivalry_engine.foederati import labels
from rivalry_engine.game import PUBLIC


def imagined(state, audience, count):
    for number in range(count):
        yield state.game.imagine(audience, state.observe(audience), Stream(b"imagine", f"{number}"))


def but(*used):
    """All cards but those."""
    left = Counter(cards())
    left.subtract(Counter(name for names in used for name in names))
    return list(left.elements())


def reshuffled():
    """Two seats, just after a reshuffle: the pile is of rows alone, and seat 1 has kept three cards that are no rows.

    All other cards lie aside.
    """
    rows = [f"row {row}" for row in "ABCDEF"]
    return at("A2", "J1", seats={0: {"hand": ["sea"]}, 1: {"hand": ["column 2", "column 3", "column 4"]}},
              draw_pile=rows, discard=[], reshuffles=1)  # fmt: skip


def test_after_a_reshuffle_the_other_hand_is_known_not_to_be_of_the_pile():
    """FO10.72: with all cards in play, what the pile has not is in the hands"""
    own, other = ["sea"] * 10, ["neighbour"] * 4 + ["column 2"]
    state = at("A2", "J1", seats={0: {"hand": own}, 1: {"hand": other}},
               draw_pile=but(own, other), discard=[], reshuffles=1)  # fmt: skip

    hands = {tuple(hand(each, 1)) for each in imagined(state, 0, 20)}
    assert hands == {tuple(hand(state, 1))}
    assert len({tuple(hand(each, 0)) for each in imagined(state, 1, 20)}) == 1
    assert len({tuple(hand(each, 0)) for each in imagined(state, PUBLIC, 20)}) > 3


def test_cards_drawn_since_come_out_of_the_pile():
    """FO10.72"""
    own, other = ["sea"] * 10, ["neighbour"] * 4
    pile = but(own, other)
    state = at("A2", "J1", seats={0: {"hand": own}, 1: {"hand": other}}, draw_pile=pile, discard=[], reshuffles=1)
    do(state, "pass", "exchange neighbour", "end turn")
    assert state.observe(0).json()["seats"][1]["since"] == ["neighbour", 1, 6]

    for each in imagined(state, 0, 20):
        assert Counter(hand(each, 1))["neighbour"] >= 3
        assert not Counter(hand(each, 1)) - Counter(pile) - Counter(["neighbour"] * 3)
    assert len({tuple(hand(each, 1)) for each in imagined(state, 0, 20)}) > 10


def test_a_seat_remembers_which_of_its_own_cards_it_had_kept():
    """FO10.72: it alone knows, and so it knows which of its cards were in the pile"""
    state = at("A2", "J1", seats={0: {"hand": ["row A", "sea"]}, 1: {"hand": ["row A"]}},
               draw_pile=["row B"] * 2, discard=[], reshuffles=1)  # fmt: skip
    do(state, "exchange sea")

    assert state.observe(0).json()["kept"] == ["row A", "sea"]
    assert state.observe(1).json()["kept"] == ["row A"]
    assert state.observe(PUBLIC).json()["kept"] == []
    assert state.observe(PUBLIC).json()["board"]["pool"] == ["row B", "row B"]
    for each in imagined(state, 1, 10):
        assert "row B" in hand(each, 0)
        assert each.position()["draw_pile"] == ["row B"]


def test_every_consistent_state_is_reached_and_no_other():
    """FO10.48: three unseen cards in a hand of one and a pile of two"""
    state = at("A2", "J1", seats={0: {"hand": ["sea"]}, 1: {"hand": ["row A"]}},
               draw_pile=["row B", "row C"], discard=but(["sea", "row A", "row B", "row C"]))  # fmt: skip

    reached = {(*hand(each, 1), *each.position()["draw_pile"]) for each in imagined(state, 0, 200)}

    names = ["row A", "row B", "row C"]
    assert reached == {(a, b, c) for a in names for b in names for c in names if len({a, b, c}) == 3}


def test_an_imagined_game_can_be_played_to_its_end():
    state = at("A2 E5 E6", "J1 J2", "H8")
    for number, (seat, _) in enumerate(played(state, b"to the end")):
        if number % 40 == 0:
            (other,) = imagined(state, seat, 1)
            assert other.log is None
            for _ in played(other, b"on"):
                pass
            assert not other.movers()


def test_a_pile_of_a_position_with_cards_aside_is_imagined_as_large_as_it_is():
    state = reshuffled()
    for audience in (0, 1, PUBLIC):
        for each in imagined(state, audience, 5):
            assert sorted(each.position()["draw_pile"]) == sorted(state.position()["draw_pile"])
            assert [len(hand(each, seat)) for seat in (0, 1)] == [1, 3]


def test_only_an_observation_of_the_seat_itself_is_imagined_behind():
    """FO10.48"""
    state = at("A2", "J1")
    stream = Stream(b"whose", "imagine")

    for seat, observation in ((0, state.observe(1)), (0, state.observe(PUBLIC)), (0, state.setup()), (PUBLIC, None)):
        with pytest.raises(RivalryError, match="imagine"):
            state.game.imagine(seat, observation, stream)


def pack(*faces):
    return sum(1 << 8 * face for face in faces)


@pytest.mark.parametrize(
    ("since", "sizes", "old", "new", "expected"),
    [
        ([[3], []], [0, 0], (3,), (), ((3,), ())),
        ([[3], []], [0, 0], (), (3,), None),
        ([[-1, 3], []], [0, 0], (), (3,), ((), (3,))),
        ([[3, -1], []], [1, 0], (), (3,), None),
        ([[-1, 3, 3], []], [0, 0], (3,), (3,), ((3,), (3,))),
        ([[-1, 3, 3], []], [0, 0], (3, 3), (), None),
        ([[3, -1, 3], [-1, 3]], [1, 0], (3,), (3, 3), ((3,), (3, 3))),
        ([[-2, 4, 5], []], [0, 0], (4,), (5,), None),
        ([[-1, 4, 5], []], [0, 0], (4, 5), (5, 4), "either"),
    ],
)
def test_plays_are_labelled_as_kept_or_drawn_where_that_is_possible(since, sizes, old, new, expected):
    """FO10.72"""
    found = set()
    for number in range(20):
        plays = labels.drawn(since, sizes, [0, 1], pack(*old), pack(*new), Stream(b"labels", f"{number}"))
        found.add(None if plays is None else (sum(plays[0]), sum(plays[1])))

    if expected == "either":
        assert found == {(pack(4), pack(5)), (pack(5), pack(4))}
    else:
        assert found == {None if expected is None else (pack(*expected[0]), pack(*expected[1]))}
