"""Ages, scoring and settlement boards of the second edition (N2.4, N3.4 to N3.6, N4, N5)."""

import pytest

from engine.ethnos.table import CLANS, do, glory, seat_of, second, second_ending
from rivalry_engine.chance import Stream
from rivalry_engine.error import PositionError
from rivalry_engine.event import seen
from rivalry_engine.game import PUBLIC

REGIONS = ("red", "blue", "green", "yellow", "black", "white")
SMALL = {"red": [4, 6], "blue": [4, 4], "green": [6, 6], "yellow": [8, 8], "black": [8, 8], "white": [10, 12]}


def red(*markers, seats=None, coins=(), tokens=None, trolls=(), **keys):
    """What the seats earn when an age ends with so many markers on red and nowhere else."""
    seats = seats or len(markers)
    players = [
        {"markers": {"red": count} if count else {}, "troll_tokens": [value] if value else []}
        for count, value in zip(markers, (*trolls, *[0] * len(markers)), strict=False)
    ]
    tokens = {**SMALL, "red": tokens} if tokens and len(tokens) == 2 else {"red": tokens} if tokens else {}
    state = second_ending(
        seats, CLANS[: 5 if seats < 4 else 6], players=players, coins={"red": list(coins)}, glory_tokens=tokens, **keys
    )
    state.log = []
    do(state, "draw")
    (paid,) = [
        event.facts["glory"] for event in state.log if event.kind == "kingdom_scored" and event.facts["kingdom"] == 1
    ]
    assert "coins" not in state.position() or not any(state.position()["coins"].values())
    return list(paid)


def test_coins_go_to_the_first_of_the_region():
    """N3.4, worked example 2"""
    assert red(2, 1, 0, 0, age=1, tokens=[4, 6, 8], coins=[1, 2]) == [7, 0, 0, 0]
    assert red(2, 2, 1, 0, age=1, tokens=[4, 6, 8], coins=[1, 2]) == [3, 3, 0, 0]
    assert red(2, 2, 1, 0, age=1, tokens=[4, 6, 8], coins=[1, 2], trolls=[0, 3]) == [0, 7, 0, 0]
    assert red(0, 0, 0, 0, age=1, tokens=[4, 6, 8], coins=[1, 2]) == [0, 0, 0, 0]


def test_coins_come_once_to_the_pot_of_all_places_that_are_shared():
    """N3.4, N4.1: II, I and the coins between three; the second place earns no coin."""
    assert red(2, 2, 2, 0, age=2, tokens=[4, 6, 8], coins=[1, 2]) == [4, 4, 4, 0]
    assert red(3, 2, 1, 0, age=3, tokens=[4, 6, 8], coins=[3]) == [11, 6, 4, 0]


def test_two_players_share_coins_by_their_exceptions_or_without_them():
    """N3.4, N4.1, worked example 6"""
    keys = {"age": 2, "tokens": [4, 6], "coins": [1, 2]}
    assert red(3, 1, **keys) == [9, 0]
    assert red(3, 0, **keys) == [13, 0]
    assert red(0, 3, **keys) == [0, 13]
    assert red(2, 2, **keys) == [4, 4]

    assert red(3, 1, **keys, two_player_exceptions=False) == [9, 4]
    assert red(3, 0, **keys, two_player_exceptions=False) == [9, 0]
    assert red(2, 2, **keys, two_player_exceptions=False) == [6, 6]


def test_coins_leave_when_the_age_is_scored_though_nobody_was_there():
    """N3.4: the next age begins without them, with those left in the supply."""
    state = second_ending(coins={"red": [1], "white": [1, 2]}, coins_left=8)

    do(state, "draw")

    assert state.position()["age"] == 2
    assert set(map(tuple, state.position()["coins"].values())) == {()}
    assert state.position()["coins_left"] == 8


@pytest.mark.parametrize(
    ("exceptions", "spaces", "paid"),
    [
        (True, (9, 4), [4, 0]),
        (True, (9, 0), [6, 0]),
        (True, (9, 9), [2, 2]),
        (True, (0, 0), [0, 0]),
        (False, (9, 4), [4, 2]),
        (False, (9, 0), [4, 0]),
        (False, (9, 9), [3, 3]),
    ],
)
def test_the_koi_board_of_two_players(exceptions, spaces, paid):
    """N3.5, N3.10"""
    players = [{"merfolk": space} for space in spaces]

    assert glory(do(second_ending(2, age=2, players=players, two_player_exceptions=exceptions), "draw")) == paid


def test_the_koi_board_of_four_players():
    """N3.5, N3.7: 2, 4, 6, without those on space 0, ties broken by Fox tokens."""
    players = [{"merfolk": 12, "troll_tokens": [1]}, {"merfolk": 12, "troll_tokens": [2]}, {"merfolk": 3}, {}]
    assert glory(do(second_ending(4, age=3, players=players), "draw")) == [4, 6, 2, 0]
    assert glory(do(second_ending(4, age=1, players=players), "draw")) == [0, 2, 0, 0]


def test_fox_tokens_break_ties_by_their_sum_and_then_by_the_highest():
    """N3.7"""
    both = [{"markers": {"red": 1}, "troll_tokens": tokens} for tokens in ([1, 4], [2, 3])]
    tokens = {**SMALL}
    assert glory(do(second_ending(3, age=1, players=both, glory_tokens=tokens), "draw")) == [4, 0, 0]


def test_a_rabbit_counts_one_more_after_the_dogs_left():
    """N3.2, N4.2, worked example 5"""
    clans = ("rabbit", "bear", "koi", "fox", "dog")
    party = {"leader": "red rabbit", "cards": ["red rabbit", "blue rabbit", "dog"]}

    assert glory(do(second_ending(3, clans, players=[{"bands": [party]}]), "draw")) == [3, 0, 0]


@pytest.mark.parametrize(("cards", "paid"), [(1, 0), (2, 1), (3, 3), (4, 6), (5, 10), (6, 15), (7, 15)])
def test_parties_pay_by_their_size(cards, paid):
    """N4.2"""
    party = ["red bear", "red bear", "blue bear", "blue bear", "green bear", "green bear", "white bear"][:cards]
    players = [{"bands": [{"leader": "red bear", "cards": party}]}]

    assert glory(do(second_ending(players=players), "draw"))[0] == paid


@pytest.mark.parametrize(
    ("seats", "literal", "ends"), [(3, False, 3), (3, True, 2), (2, True, 2), (4, True, 3), (4, False, 3)]
)
def test_an_age_ends_on_its_last_dragon(seats, literal, ends):
    """N5, worked example 4: all three are in the deck in any case."""
    state = second(seats, dragons_to_end="literal" if literal else "3", deck=["dragon", "dragon", "dragon"], face_up=[])
    state.log = []

    do(state, "draw")

    dragons = [event.facts["number"] for event in state.log if event.kind == "dragon"]
    assert dragons == list(range(1, ends + 1))
    begun = next(event for event in state.log if event.kind == "age_begun")
    assert begun.facts["age"] == 2
    assert state.position()["deck"].count("dragon") == 3


def test_with_three_players_the_second_age_is_the_last():
    """N2.4, worked example 4"""
    state = second_ending(3, age=2)

    assert not do(state, "draw").movers()


def test_the_bottom_half_of_an_odd_split_is_the_smaller_one():
    """N2.4: 60 − 3 − 6 = 51 cards, of which 26 lie on top."""
    fresh = second(3).game.new_state(b"odd")

    assert fresh.position()["safe"] == 26
    assert len(fresh.position()["deck"]) == 54
    assert fresh.game.state_at({"seed": "odd"}).position() == fresh.position()


def boards(**keys):
    """Seats 0 and 2 have markers on their settlement boards, and the age has just ended."""
    players = [{"orc_board": ["red", "blue"]}, {}, {"orc_board": ["red", "blue", "white"]}]
    return do(second_ending(players=players, **keys), "draw")


def views(state):
    return [state.observe(audience) for audience in range(PUBLIC, 3)]


def test_all_owners_of_settlement_boards_are_asked_at_once():
    """N3.6, N3.15, worked example 8"""
    state = boards()
    before, place = views(state), state.position()
    state.log = []
    assert (state.movers(), state.question(0), state.question(1)) == ((0, 2), "empty", "")
    assert state.choices(1) == ()
    assert place["movers"] == [0, 2]
    assert state.observe(2).json()["question"] == {
        "seat": None,
        "movers": [0, 2],
        "kind": "empty",
        "bonus": 0,
        "band": None,
    }

    state.apply(0, state.game.action("empty"))

    assert (state.movers(), state.question(0), state.scores()) == ((2,), "", (0, 0, 0))
    assert (views(state), state.position(), state.log) == (before, place, [])
    assert state.objection(0, state.game.action("empty")).code == "not_asked"

    state.apply(2, state.game.action("keep board"))

    told = [(event.kind, event.facts["seat"]) for event in state.log[:2]]
    assert told == [("horde_emptied", 0), ("declined", 2)]
    assert state.scores() == (3, 0, 0)
    assert (seat_of(state, 0)["orc_board"], seat_of(state, 2)["orc_board"]) == ([], ["red", "blue", "white"])
    assert state.position()["age"] == 2


def test_answers_may_come_in_any_order_and_mean_the_same():
    """N3.6, N3.16: whoever answers for a seat, the last answer alone makes all of them known."""
    told = []
    for order in ((0, 2), (2, 0)):
        state = boards()
        state.log = []
        for seat in order:
            state.apply(seat, state.game.action("empty"))
        told.append([(event.kind, dict(seen(event, PUBLIC).facts)) for event in state.log])
        assert state.scores() == (3, 0, 6)
    assert told[0] == told[1]


def test_a_clone_keeps_the_answers_that_are_in_and_an_imagined_state_has_none():
    """N3.6"""
    state = boards()
    state.apply(0, state.game.action("empty"))

    twin = state.clone()
    twin.apply(2, twin.game.action("empty"))
    assert (twin.scores(), state.scores()) == ((3, 0, 6), (0, 0, 0))

    other = state.game.imagine(2, state.observe(2), Stream(b"boards", "imagine"))
    assert other.movers() == (0, 2)
    assert other.observe(2) == state.observe(2)


def test_nobody_with_markers_is_no_question_and_the_last_age_asks_nobody():
    """N3.6"""
    assert do(second_ending(), "draw").question(0) in ("turn", "")
    state = boards(age=2)

    assert not state.movers()
    assert state.scores() == (3, 0, 6)


def test_who_has_least_after_the_boards_starts_the_next_age():
    """N2.4, E3.3"""
    state = boards()
    for seat in (0, 2):
        state.apply(seat, state.game.action("empty"))

    assert state.position()["first_player"] == 1


@pytest.mark.parametrize(
    ("keys", "path"),
    [
        ({"movers": [0]}, "movers"),
        ({"movers": [0, 1]}, "movers"),
        ({"pending": {"kind": "empty", "seat": 0}}, "pending.seat"),
        ({"coins": {"red": [1]}}, "coins"),
        ({"age": 2}, "pending.kind"),
        ({"pending": {"kind": "advance", "seat": 0}}, "pending.kind"),
        ({"pending": {"kind": "horde", "seat": 0}}, "pending.kind"),
        ({"pending": {"kind": "draw", "seat": 0}}, "pending.kind"),
        ({"pending": {"kind": "target", "seat": 0}}, "pending.kind"),
    ],
)
def test_a_position_of_boards_that_cannot_be_is_refused(keys, path):
    """N3.0, N3.6"""
    state = boards()

    with pytest.raises(PositionError, match=f"key {path}"):
        state.game.state_at({**state.position(), **keys})


@pytest.mark.parametrize(
    "keys",
    [
        {"coins": {"red": [4]}},
        {"coins": {"red": [1] * 6}},
        {"coins": {"Rhea": [1]}},
        {"coins_left": 15},
        {"coins": {"red": [2]}, "coins_left": 14},
        {"coins": {"red": [1, 2]}, "coins_left": 9},
    ],
)
def test_a_position_of_coins_that_cannot_be_is_refused(keys):
    """N3.4"""
    with pytest.raises(PositionError, match="coins"):
        second(**keys)


def test_there_are_no_coins_without_raccoons():
    """N3.4, E2.3"""
    clans = ("rabbit", "bear", "koi", "fox", "dog")
    assert "coins" not in second(clans=clans).position()
    for keys in ({"coins": {"red": [1]}}, {"coins_left": 3}):
        with pytest.raises(PositionError, match="coins"):
            second(clans=clans, **keys)


def test_ranks_go_by_prestige_markers_and_parties():
    """N4.3"""
    players = [
        {"glory": 30, "markers": {"red": 10}, "bands": [{"leader": "red bear", "cards": ["red bear", "blue bear"]}]},
        {"glory": 30, "markers": {"red": 10}, "bands": [{"leader": "red koi", "cards": ["red koi", "blue koi"]}]},
        {"glory": 30, "markers": {"red": 11}},
    ]
    more = {"leader": "red fox", "cards": ["red fox"]}
    state = second(3, over=True, movers=[], players=players)
    assert state.ranks() == (2, 2, 1)

    players[1]["bands"].append(more)
    assert second(3, over=True, movers=[], players=players).ranks() == (3, 2, 1)


def test_two_players_outnumber_both_or_themselves_alone():
    """N4.1, E5.4"""
    players = [{"hand": ["red bear", "red bear"], "markers": {"red": 1}}, {"markers": {"red": 1}}]
    for exceptions, kind in ((True, ""), (False, "marker")):
        state = second(2, players=players, two_player_exceptions=exceptions)
        do(state, "band red bear: red bear")
        assert state.question(0) == kind
