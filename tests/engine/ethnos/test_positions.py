"""Positions: written and read back they are the same state; impossible ones are refused with the path of the key."""

import json

import pytest

from engine.ethnos.read_positions import EXAMPLE, OPTIONS, read
from engine.ethnos.table import KINGDOMS, SIX, TRIBES, asked, at, do, hand, offered, placed, played
from rivalry_engine.error import PositionError
from rivalry_engine.ethnos import Ethnos


def test_a_position_by_hand_is_read_as_it_is_written():
    state = placed(EXAMPLE)
    place = state.position()

    assert place["seed"] == "0x78"
    assert (place["age"], place["movers"], place["dragons"], place["deck"]) == (1, [0], 2, ["dragon", "red elf"])
    assert place["face_up"] == ["blue orc"]
    assert place["glory_tokens"]["Rhea"] == [2, 8]
    seat = place["seats"][0]
    assert sorted(seat["hand"]) == ["blue elf", "red elf", "skeleton"]
    assert seat["glory"] == 4
    assert {name: count for name, count in seat["markers"].items() if count} == {"Rhea": 2}
    assert seat["bands"] == [{"leader": "red orc", "cards": ["red orc", "skeleton"]}]
    assert (seat["orc_board"], seat["troll_tokens"], seat["giant_token"]) == (["red"], [3], False)
    assert [len(other["hand"]) for other in place["seats"][1:]] == [1, 1]


@pytest.mark.parametrize("seats", [2, 3, 4, 5, 6])
@pytest.mark.parametrize("seed", ["", "x", "0x00ff", "ärger"])
def test_a_position_that_states_only_the_seed_is_the_beginning_of_that_game(seats, seed):
    game = Ethnos({"seats": seats})
    raw = bytes.fromhex(seed[2:]) if seed.startswith("0x") else seed.encode()

    assert game.state_at({"seed": seed}).position() == game.new_state(raw).position()


def test_a_hand_and_a_mover_make_a_turn():
    state = read(movers=[1], seats=[{}, {"hand": ["red elf", "red orc"]}])

    assert asked(state) == ("turn", 1)
    assert {"draw", "band red elf: red orc"} <= offered(state)
    place = state.position()
    assert [len(seat["hand"]) for seat in place["seats"]] == [1, 2, 1]
    assert len(place["face_up"]) == 6
    assert len(place["deck"]) == 60 - 1 - 2 - 1 - 6 + 3
    assert place["first_player"] == 1


def test_stated_pieces_are_taken_out_before_the_rest_is_dealt():
    stated = [f"{colour} elf" for colour in KINGDOMS.values()] + ["skeleton"] * 4
    band = {"leader": "red giant", "cards": ["red giant", "red giant"]}
    place = read(age=2, face_up=["red elf"], seats=[{"hand": stated, "bands": [band]}]).position()

    every = [*place["deck"], *place["face_up"], *(card for seat in place["seats"] for card in seat["hand"])]
    assert every.count("red elf") == 2
    assert every.count("skeleton") == 12
    assert every.count("red giant") == 0
    assert every.count("dragon") == 3
    assert len(every) == 63 - 2


def test_the_seed_settles_the_rest():
    first, again, other = (read(seed=seed, face_up=["red elf"]).position() for seed in ("a", "a", "b"))

    assert first == again
    assert {**first, "seed": ""} != {**other, "seed": ""}


def test_dragons_that_came_are_not_dealt():
    place = read(dragons=2).position()

    assert place["deck"].count("dragon") == 1
    assert place["deck"].index("dragon") >= (len(place["deck"]) - 1) // 2
    assert place["safe"] == 0
    more = read(dragons=1).position()
    assert more["deck"].count("dragon") == 2
    assert more["deck"].index("dragon") >= 25
    assert len(more["deck"]) == 51 + 2
    assert read(dragons=0).position()["safe"] == 25


def test_with_pieces_stated_the_dragons_still_lie_in_the_lower_half():
    """E3.2"""
    firsts, lasts = set(), set()
    for number in range(60):
        place = read(seed=f"{number}", face_up=["red elf"]).position()
        where = [index for index, card in enumerate(place["deck"]) if card == "dragon"]
        firsts.add(where[0])
        lasts.add(where[2])
        assert (len(place["deck"]), place["safe"], len(where)) == (56 + 3, 28, 3)
    assert min(firsts) in (28, 29, 30)
    assert max(lasts) == 58


def test_the_deck_that_is_stated_has_as_many_dragons_as_have_not_come():
    for out in range(3):
        deck = ["dragon"] * (3 - out)
        assert read(deck=deck).position()["dragons"] == out
        assert read(deck=deck, dragons=out).position()["deck"] == deck
        with pytest.raises(PositionError, match="deck"):
            read(deck=deck, dragons=(out + 1) % 3)


def test_safe_cards_end_where_the_first_dragon_lies():
    deck = ["red elf", "blue elf", "dragon", "red orc", "dragon", "dragon"]

    assert [read(deck=deck, safe=safe).position()["safe"] for safe in (0, 1, 2)] == [0, 1, 2]
    assert read(deck=deck).position()["safe"] == 0
    for safe in (3, 4, 6, 7):
        with pytest.raises(PositionError, match="safe"):
            read(deck=deck, safe=safe)


def test_ten_cards_are_a_hand_and_a_band_and_eleven_are_not():
    """E4.2, E5.1"""
    ten = ["red elf", *["skeleton"] * 9]
    assert len(hand(read(seats=[{"hand": ten}]))) == 10
    assert len(read(seats=[{"bands": [{"leader": "red elf", "cards": ten}]}]).position()["seats"][0]["bands"]) == 1


def test_glory_tokens_that_are_stated_are_taken_out_of_the_deal():
    tokens = read(glory_tokens={"Rhea": [0, 10], "Ithys": [8, 8]}).position()["glory_tokens"]

    assert (tokens["Rhea"], tokens["Ithys"]) == ([0, 10], [8, 8])
    assert sorted(value for row in tokens.values() for value in row) == [0, 2, 2, 2, 4, 4, 6, 6, 8, 8, 8, 10]
    assert all(row == sorted(row) for row in tokens.values())


def test_cards_that_stand_nowhere_are_aside_until_the_next_age():
    state = at(age=1, dragons=2, deck=["red elf", "dragon"], face_up=[])

    do(state, "draw", "draw")

    place = state.position()
    assert place["age"] == 2
    assert len(place["deck"]) == 60 - 9 + 3


def test_an_empty_deck_may_lack_dragons():
    """E4.5"""
    assert read(deck=[]).position()["deck"] == []
    assert read(deck=[], dragons=0).position()["dragons"] == 0


def test_the_options_of_the_game_and_of_the_position_agree():
    drawn = Ethnos({"seats": 3})
    state = drawn.new_state(b"drawn")
    again = drawn.state_at(state.position())

    assert again.position() == state.position()
    assert again.game is drawn
    with pytest.raises(PositionError, match=r"options\.seats"):
        Ethnos({"seats": 4}).state_at({"options": {"seats": 3}})
    with pytest.raises(PositionError, match=r"options\.ruleset"):
        Ethnos({"seats": 3, "ruleset": "bga"}).state_at({"options": {"seats": 3}})
    with pytest.raises(PositionError, match=r"options\.tribes"):
        Ethnos(OPTIONS).state_at({"options": {"seats": 3, "tribes": list(SIX[1:])}})


@pytest.mark.parametrize("seats", [2, 3, 4, 5, 6])
def test_every_decision_of_a_game_is_read_back_exactly(seats):
    """Position, state, position: the same JSON, the same choices, and the same game from there on."""
    game = Ethnos({"seats": seats, "centaurs_need_marker": seats % 2 == 0})
    state = game.new_state(b"exact")
    for step, (seat, action) in enumerate(played(state, b"exact")):
        place = state.position()
        again = game.state_at(json.loads(json.dumps(place)))
        assert again.position() == place
        assert again.choices(seat) == state.choices(seat)
        assert again.question(seat) == state.question(seat)
        for audience in range(-1, seats):
            assert again.observe(audience) == state.observe(audience)
        if step % 50 == 0:
            rest = [game.text(action) for _, action in played(again, b"rest")]
            other = state.clone()
            assert rest == [game.text(action) for _, action in played(other, b"rest")]
            assert (again.scores(), again.ranks()) == (other.scores(), other.ranks())
    place = state.position()
    assert place["over"] is True
    assert game.state_at(place).position() == place
    assert game.state_at(place).ranks() == state.ranks()


@pytest.mark.parametrize(
    ("keys", "kind", "actions"),
    [
        ({"pending": {"kind": "turn"}, "movers": [2]}, "turn", {"draw"}),
        ({"pending": {"kind": "marker"}, "leader": "red elf"}, "marker", {"mark Rhea", "mark none"}),
        ({"pending": {"kind": "horde"}, "leader": "red orc"}, "horde", {"horde", "no horde"}),
        ({"pending": {"kind": "token"}, "leader": "red troll"}, "token", {"token 1", "token 2", "token none"}),
        ({"pending": {"kind": "draw"}, "leader": "red wizard"}, "draw", {"draw all", "draw none"}),
        (
            {"pending": {"kind": "keep"}, "leader": "red elf", "hand": ["blue orc", "skeleton"]},
            "keep",
            {"keep none", "keep blue orc", "keep skeleton", "keep blue orc, skeleton"},
        ),
        ({"pending": {"kind": "advance"}, "leader": "red merfolk", "merfolk": 17}, "advance", {"advance", "stay"}),
        (
            {"pending": {"kind": "bonus", "symbols": 2}, "leader": "red merfolk", "cards": 5, "merfolk": 7},
            "bonus",
            {f"mark {name}" for name in KINGDOMS} | {"mark none"},
        ),
        (
            {
                "pending": {"kind": "further", "band": 0},
                "leader": "red centaur",
                "markers": {"Rhea": 1},
                "hand": ["skeleton"],
            },
            "further",
            {"stop"},
        ),
    ],
)
def test_every_question_can_be_stated(keys, kind, actions):
    tribes = ("elves", "orcs", "trolls", "wizards", "merfolk", "centaurs")
    player = {"hand": keys.get("hand", []), "merfolk": keys.get("merfolk", 0), "markers": keys.get("markers", {})}
    if "leader" in keys:
        size = keys.get("cards", 2)
        player["bands"] = [{"leader": keys["leader"], "cards": [keys["leader"]] + ["skeleton"] * (size - 1)}]
    six = (*[tribe for tribe in tribes if TRIBES[tribe] in keys.get("leader", "")], "skeletons", "dwarves", "giants")
    six += tuple(tribe for tribe in ("orcs", "halflings", "minotaurs", "wingfolk") if tribe not in six)
    seat = keys.get("movers", [0])[0]
    players = [{}] * seat + [player]
    options = {"seats": 4, "tribes": list(six[:6])}
    game = Ethnos(options)

    state = game.state_at(
        {"options": options, "pending": keys["pending"], "movers": [seat], "face_up": [], "seats": players}
    )

    assert asked(state) == (kind, seat)
    assert offered(state) == actions
    assert game.state_at(state.position()).position() == state.position()


def test_the_question_about_orc_boards_can_be_stated():
    players = [{"orc_board": ["red"]}, {}, {"orc_board": ["blue", "grey"]}]
    state = read(pending={"kind": "empty", "seat": 2}, seats=players)

    assert state.position()["third_dragon"] == 2
    assert state.position()["deck"] == []
    do(state, "empty")
    assert asked(state) == ("empty", 0)

    last = read(pending={"kind": "empty", "seat": 0}, third_dragon=2, seats=players)
    do(last, "keep board")
    assert last.position()["age"] == 2


def test_a_game_that_is_over_can_be_stated():
    players = [{"glory": 3}, {"glory": 9}, {"glory": 3, "bands": [{"leader": "red elf"}]}]
    state = read(over=True, seats=players)

    assert state.movers() == ()
    assert state.ranks() == (3, 1, 2)
    place = state.position()
    assert (place["age"], place["movers"], place["dragons"], place["third_dragon"]) == (2, [], 3, 0)
    assert (place["deck"], place["face_up"], place["safe"]) == ([], [], 0)
    assert [hand(state, seat) for seat in range(3)] == [[], [], []]
    assert Ethnos({"seats": 4}).state_at({"over": True, "third_dragon": 3}).position()["age"] == 3
    assert read(over=True, dragons=2, third_dragon=1, first_player=2).position() == {
        **place,
        "seats": [{**seat, "glory": 0, "bands": []} for seat in place["seats"]],
        "dragons": 2,
        "third_dragon": 1,
        "first_player": 2,
    }
