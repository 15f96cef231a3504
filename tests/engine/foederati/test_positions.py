"""Positions: what may be stated, what is dealt, and what is refused with its key."""

import json

import pytest

from engine.foederati.table import asked, at, country, game, played
from rivalry_engine import catalog
from rivalry_engine.chance import Stream
from rivalry_engine.error import PositionError

EXAMPLE = {
    "game": "foederati",
    "options": {"seats": 3},
    "round": 3,
    "movers": [0],
    "founded": [{"country": "Ausonia", "seat": 1, "round": 1}],
    "question": "battle",
    "turn": {"used": 1, "attacked": [1]},
    "battle": {"target": "H5", "attacker": 0, "played": [{"seat": 1, "card": "row H"}]},
    "draw_pile": ["sea", "row A"],
    "seats": [
        {"shields": ["G5", "H4"], "hand": ["column 5", "neighbour"], "position": 7},
        {"shields": ["H5", "I5"], "hand": ["country Ausonia"], "position": 2, "lost": 1},
        {"shields": ["H6"], "position": 4},
    ],
}


def placed(position):
    return catalog.state_at(position)


def test_the_example_of_the_rules_is_a_position():
    state = placed(EXAMPLE)

    assert asked(state) == ("battle", 0)
    told = state.position()
    assert [seat["supply"] for seat in told["seats"]] == [28, 27, 29]
    assert told["draw_pile"] == ["sea", "row A"]
    assert "row H" in told["discard"]
    assert len(told["seats"][2]["hand"]) == 10
    assert placed(told).position() == told


def test_nothing_stated_is_the_start_of_a_game():
    empty = placed({"game": "foederati", "seed": "some"})

    assert empty.position() == game(seats=4).new_state(b"some").position()


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_every_state_of_a_game_is_a_position_and_comes_back_from_it(seats):
    state = game(seats=seats, preset="red-only").new_state(b"positions")
    for number, _ in enumerate(played(state, b"positions")):
        if number % 11 == 0:
            place = json.loads(json.dumps(state.position()))
            assert placed(place).position() == state.position()
    assert placed(state.position()).position() == state.position()


def test_cards_that_are_left_lie_in_the_pile_of_which_nothing_is_stated():
    state = at("A2", "J1", seats={0: {"hand": []}, 1: {"hand": []}}, draw_pile=["sea"])
    assert len(state.position()["discard"]) == 97
    state = at("A2", "J1", seats={0: {"hand": []}, 1: {"hand": []}}, discard=["sea"])
    assert len(state.position()["draw_pile"]) == 97
    assert state.position() == at("A2", "J1", seats={0: {"hand": []}, 1: {"hand": []}}, discard=["sea"]).position()


FULL = " ".join(country("F"))
BAD = [
    ({"game": "kuhn"}, "game", None),
    ({"more": 1}, "more", None),
    ({"seed": 3}, "seed", None),
    ({"seed": "0xz"}, "seed", None),
    ({"options": {"seats": 3}}, r"options\.seats", None),
    ({"options": {"seat": 3}}, "options", None),
    ({"options": []}, "options", None),
    ({"round": 0, "movers": [1]}, r"seats\[0\]\.shields", None),
    ({"round": -1}, "round", None),
    ({"round": True}, "round", None),
    ({"question": "draw"}, "question", None),
    ({"question": None}, "question", None),
    ({"question": "first"}, "question|movers", None),
    ({"question": "placement"}, "round", None),
    ({"question": "battle"}, "battle", None),
    ({"over": 1}, "over", None),
    ({"over": True, "movers": []}, "triggers", None),
    ({"movers": []}, "movers", None),
    ({"movers": [0, 1]}, "movers", None),
    ({"movers": [2]}, r"movers\[0\]", None),
    ({"first_player": 2}, "first_player", None),
    ({"founded": [{"country": "Atlantis", "seat": 0}]}, r"founded\[0\]\.country", None),
    ({"founded": [{"country": "Albion", "seat": 0}] * 2}, r"founded\[1\]\.country", None),
    ({"founded": [{"country": "Albion"}]}, r"founded\[0\]\.seat", None),
    ({"founded": [{"country": "Albion", "seat": 0, "round": 3}]}, r"founded\[0\]\.round", None),
    ({"founded": [{"country": "Albion", "seat": 0, "round": 2}], "stirred": False}, "stirred", None),
    ({"passed": [0, 1], "triggers": []}, "triggers", None),
    ({"triggers": [5]}, r"triggers\[0\]", None),
    ({"triggers": [4]}, "triggers", None),
    ({"stall": 10}, "stall", None),
    ({"turn": {"used": 3}}, r"turn\.used", None),
    ({"turn": {"moved": ["E5"]}}, r"turn\.moved", None),
    ({"turn": {"moved": ["A2", "A2"]}}, r"turn\.moved\[1\]", None),
    ({"turn": {"acted": True}}, r"turn\.acted", None),
    ({"turn": {"used": 1, "attacked": [0]}}, r"turn\.attacked", None),
    ({"turn": {"attacked": [1]}}, r"turn\.attacked", None),
    ({"battle": {"target": "A2"}}, "battle", None),
    ({"draw_pile": ["row Z"]}, r"draw_pile\[0\]", None),
    ({"draw_pile": ["row A"] * 3}, "", None),
    ({"reshuffles": 0, "pool": ["row A"]}, "pool", None),
    ({"reshuffles": 1, "pool": ["row A"]}, "pool", None),
    ({}, r"seats\[0\]\.shields\[0\]", {"shields": ["K1"]}),
    ({}, r"seats\[0\]\.shields\[1\]", {"shields": ["A3", "A3"]}),
    ({}, r"seats\[1\]\.shields", {"shields": ["J1"]}),
    ({}, "founded", {"shields": FULL.split()}),
    ({}, r"seats\[0\]\.lost", {"supply": 44}),
    ({}, r"seats\[0\]\.supply", {"supply": 40, "lost": 4}),
    ({}, r"seats\[0\]\.lost", {"lost": -1}),
    ({}, r"seats\[0\]\.position|seats\[1\]\.position", {"position": 1}),
    ({}, r"seats\[0\]\.position", {"position": 1.5}),
    ({}, r"seats\[0\]\.hand", {"hand": ["sea"] * 11}),
    ({}, r"seats\[0\]\.hand\[0\]", {"hand": [3]}),
    ({}, r"seats\[0\]\.kept", {"kept": ["sea"]}),
    ({}, r"seats\[0\]\.since", {"since": ["sea"]}),
    ({}, r"seats\[0\]\.more", {"more": 1}),
    ({"reshuffles": 1}, r"seats\[0\]\.since", {"hand": ["sea"], "kept": ["row A"]}),
    ({"reshuffles": 1}, r"seats\[0\]\.since", {"hand": ["sea"], "kept": [], "since": ["row A", 2]}),
]


@pytest.mark.parametrize(("keys", "path", "own"), BAD)
def test_a_position_that_cannot_be_is_refused_with_its_key(keys, path, own):
    seats = [{"shields": ["A2"], "position": 0, **(own or {})}, {"shields": ["J1"], "position": 1}]
    given = {"options": {"seats": 2}, "round": 2, "movers": [0], "first_player": 0, "seats": seats, **keys}

    with pytest.raises(PositionError, match=f"^position( key ({path})\\b|: one|\\b.*{path})"):
        game(seats=2).state_at(given)


@pytest.mark.parametrize(
    ("changes", "path"),
    [
        ({"target": "G5"}, r"battle\.target"),
        ({"target": "A1"}, r"battle\.target"),
        ({"target": "H6"}, "turn|movers|battle"),
        ({"attacker": 2, "played": []}, "turn|movers|battle"),
        ({"attacker": 5}, r"battle\.attacker"),
        ({"played": [{"seat": 2, "card": "row H"}]}, r"battle\.played\[0\]\.seat"),
        ({"played": [{"seat": 1, "card": "row Z"}]}, r"battle\.played\[0\]\.card"),
        ({"played": [{"seat": 1, "card": "sea"}] * 12}, r"battle\.played\[\d+\]\.card"),
        ({"played": [{"seat": 0, "card": "row H"}]}, "movers"),
        ({"played": 3}, r"battle\.played"),
        ({"who": 3}, r"battle\.who"),
    ],
)
def test_a_battle_that_cannot_be_is_refused(changes, path):
    given = {**EXAMPLE, "battle": {**EXAMPLE["battle"], **changes}}

    with pytest.raises(PositionError, match=f"^position key ({path})"):
        placed(given)


def test_a_battle_needs_a_founded_country_an_attack_and_a_supply():
    for key, value in (("founded", []), ("turn", {"used": 1}), ("turn", {})):
        with pytest.raises(PositionError, match=r"position key (battle|turn)"):
            placed({**EXAMPLE, key: value})
    seats = [dict(seat) for seat in EXAMPLE["seats"]]
    seats[0].update(supply=0, lost=28)
    with pytest.raises(PositionError, match=r"position key battle\.attacker"):
        placed({**EXAMPLE, "seats": seats})


@pytest.mark.parametrize(
    ("shields", "path"),
    [
        (("A2", "A2"), r"seats\[1\]\.shields"),
        (("A2 A3", ""), r"seats\[\d\]\.shields"),
        (("D5 D6", "E4 E5"), "founded|seats"),
        (("D5 D6", "E4"), "seats"),
    ],
)
def test_an_initial_placement_that_cannot_be_is_refused(shields, path):
    """FO5.1"""
    total = sum(len(own.split()) for own in shields)
    with pytest.raises(PositionError, match=f"position key ({path})"):
        at(*shields, round=0, movers=[total % 2])


def test_broken_positions_are_refused_and_never_crash():
    """Any value in any place: a position, or a PositionError that names a key."""
    state = game(seats=3).new_state(b"junk")
    for _ in played(state, b"junk", limit=150):
        pass
    junk = [None, True, -1, 99, "x", [], {}, ["x"], {"x": 1}, 1.5, "sea", "A1", ["A1"], [0]]
    stream = Stream(b"junk", "values")

    refused = 0
    for start in (state.position(), EXAMPLE):
        for _ in range(250):
            broken = json.loads(json.dumps(start))
            _replace_somewhere(broken, stream, junk)
            try:
                made = game(seats=3).state_at(broken)
                assert made.choices(made.movers()[0]) if made.movers() else True
            except PositionError as error:
                assert str(error).startswith("position")
                refused += 1
    assert refused > 300


def _replace_somewhere(value, stream, junk) -> None:
    while True:
        keys = list(value) if isinstance(value, dict) else list(range(len(value)))
        if not keys:
            return
        key = stream.choice(keys)
        if not isinstance(value[key], dict | list) or not value[key] or stream.below(4) == 0:
            value[key] = stream.choice(junk)
            return
        value = value[key]


@pytest.mark.parametrize(
    ("keys", "triggers"),
    [({"stall": 10}, [4]), ({"passed": [0, 1]}, [1]), ({"passed": [0, 1], "stall": 10}, [1, 4])],
)
def test_what_ended_the_game_follows_from_the_rest(keys, triggers):
    """FO8.2"""
    state = at("A2", "J1", over=True, movers=[], **keys)

    assert state.position()["triggers"] == triggers
    assert asked(state) is None


def test_an_empty_supply_has_ended_the_game():
    """FO8.2"""
    state = at("A2", "J1", over=True, movers=[], seats={0: {"supply": 0, "lost": 43}})

    assert state.position()["triggers"] == [2]
