"""What an observation and the setup hold, to the last value, and the numbers of cards and actions."""

import pytest

from engine.ethnos.table import KINGDOMS, at, do, ending, numbered, placed, position
from rivalry_engine.game import PUBLIC

TRIBES = ("merfolk", "orcs", "trolls", "giants", "elves")
TOKENS = {
    "Ithys": [0, 2],
    "Althea": [2, 2],
    "Pelagon": [4, 4],
    "Straton": [6, 6],
    "Duris": [8, 8],
    "Rhea": [8, 10],
}


def table():
    """Age II: seat 1 has passed a Merfolk symbol and is asked where its marker goes."""
    return placed(table_position())


def table_position():
    return position(
        2,
        TRIBES,
        seed="x",
        age=2,
        movers=[1],
        first_player=0,
        dragons=1,
        deck=["red elf", "blue elf", "dragon", "dragon"],
        safe=2,
        face_up=["red elf", "green orc"],
        glory_tokens=dict(TOKENS),
        pending={"kind": "bonus", "seat": 1},
        players=[
            {
                "hand": ["blue giant", "blue orc"],
                "known": ["blue orc"],
                "glory": 7,
                "markers": {"Rhea": 2, "Ithys": 1},
                "merfolk": 5,
                "orc_board": ["red", "grey"],
                "troll_tokens": [6, 2],
                "giant_token": True,
                "bands": [{"leader": "red giant", "cards": ["red giant", "red orc"]}],
            },
            {
                "hand": ["green elf"],
                "bands": [{"leader": "grey merfolk", "cards": ["grey merfolk", "red merfolk", "blue merfolk"]}],
                "merfolk": 7,
            },
        ],
    )


PUBLIC_VIEW = {
    "seat": None,
    "question": {
        "seat": 1,
        "movers": [1],
        "kind": "bonus",
        "bonus": 1,
        "band": {"leader": "grey merfolk", "cards": ["grey merfolk", "blue merfolk", "red merfolk"]},
    },
    "board": {
        "age": 2,
        "first": 0,
        "deck": 4,
        "safe": 2,
        "dragons": 1,
        "drawer": None,
        "giant": 0,
        "row": ["red elf", "green orc"],
    },
    "hand": [],
    "seats": [
        {
            "seat": 0,
            "glory": 7,
            "hand_size": 2,
            "known": ["blue orc"],
            "markers": {"Ithys": 1, "Althea": 0, "Pelagon": 0, "Straton": 0, "Duris": 0, "Rhea": 2},
            "supply": 19,
            "merfolk": 5,
            "horde": ["grey", "red"],
            "trolls": [2, 6],
            "bands": [{"leader": "red giant", "cards": ["red giant", "red orc"]}],
        },
        {
            "seat": 1,
            "glory": 0,
            "hand_size": 1,
            "known": [],
            "markers": dict.fromkeys(KINGDOMS, 0),
            "supply": 24,
            "merfolk": 7,
            "horde": [],
            "trolls": [],
            "bands": [{"leader": "grey merfolk", "cards": ["grey merfolk", "blue merfolk", "red merfolk"]}],
        },
    ],
}


def test_the_public_sees_all_that_lies_open():
    """E4.7"""
    assert table().observe(PUBLIC).json() == PUBLIC_VIEW


@pytest.mark.parametrize(("seat", "cards"), [(0, ["blue giant", "blue orc"]), (1, ["green elf"])])
def test_a_seat_sees_its_own_hand_besides(seat, cards):
    """E4.7"""
    assert table().observe(seat).json() == {**PUBLIC_VIEW, "seat": seat, "hand": cards}


def test_the_setup_tells_tribes_tokens_kingdoms_and_card_numbers():
    """E1.2, E2.1, E2.2"""
    setup = table().setup().json()

    cards = setup.pop("cards")
    assert setup == {
        "seats": 2,
        "ages": 2,
        "options": {
            "seats": 2,
            "edition": "first",
            "ruleset": "standard",
            "fairies": False,
            "tribes": ["elves", "giants", "merfolk", "orcs", "trolls"],
            "centaurs_need_marker": True,
        },
        "tribes": ["elves", "giants", "merfolk", "orcs", "trolls"],
        "tokens": TOKENS,
        "kingdoms": KINGDOMS,
    }
    assert list(cards) == [
        f"{colour} {word}" for word in ("elf", "giant", "merfolk", "orc", "troll") for colour in KINGDOMS.values()
    ]


def test_a_card_has_the_number_eight_times_its_type_plus_its_colour():
    types = (
        "centaur",
        "dwarf",
        "elf",
        "giant",
        "halfling",
        "merfolk",
        "minotaur",
        "orc",
        "troll",
        "wingfolk",
        "wizard",
    )
    names = ("centaurs", "dwarves", "elves", "giants", "halflings", "merfolk")
    others = ("minotaurs", "orcs", "trolls", "wingfolk", "wizards", "skeletons")
    numbers = at(4, names).setup().json()["cards"] | at(4, others).setup().json()["cards"]

    expected = {
        f"{colour} {word}": 8 * kind + number
        for kind, word in enumerate(types, start=1)
        for number, colour in enumerate(KINGDOMS.values(), start=1)
    }
    assert numbers == {**expected, "skeleton": 112}


def test_after_the_game_nobody_is_asked():
    """E8"""
    place = do(ending(movers=[1]), "draw").observe(PUBLIC).json()

    assert place["question"] == {"seat": None, "movers": [], "kind": "", "bonus": 0, "band": None}
    assert place["board"] == {
        "age": 2,
        "first": 1,
        "deck": 0,
        "safe": 0,
        "dragons": 3,
        "drawer": 1,
        "giant": None,
        "row": [],
    }


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("take red elf", 1 + 16 * 30),
        ("take skeleton", 1 + 16 * 112),
        ("draw", 2),
        ("pass", 3),
        ("mark none", 5),
        ("mark Ithys", 5 + 16 * 1),
        ("mark Rhea", 5 + 16 * 6),
        ("keep none", 6),
        ("stay", 7),
        ("advance", 7 + 16),
        ("no horde", 8),
        ("horde", 8 + 16),
        ("token none", 9),
        ("token 6", 9 + 16 * 6),
        ("draw none", 10),
        ("draw all", 10 + 16),
        ("stop", 11),
        ("keep board", 12),
        ("empty", 12 + 16),
        ("keep orange centaur", 6 + 4096),
        ("keep orange centaur, orange centaur", 6 + 4096 * 2),
        ("band orange centaur", 4 + 16 * 9 + 4096),
        ("band red elf", 4 + 16 * 30 + 4096 * 16**17),
        ("band red elf: skeleton", 4 + 16 * 30 + 4096 * (16**17 + 16**78)),
    ],
)
def test_an_action_has_its_number(text, number):
    game = at(4).game

    assert game.action(text) == number
    assert game.text(number) == text


def test_what_a_question_offers_stands_in_a_fixed_order():
    """E5.8: the face-up cards ascending, the deck, the Bands by Tribe, then by colour; Kingdoms in order, then none."""
    hand = ["red elf", "red orc", "blue elf", "skeleton"]
    state = at(players=[{"hand": hand}], face_up=["skeleton", "red troll", "blue elf"])

    assert numbered(state) == [
        "take blue elf",
        "take red troll",
        "take skeleton",
        "draw",
        "band blue elf: red elf, skeleton",
        "band red elf: blue elf, skeleton",
        "band red orc: skeleton",
        "band blue elf: skeleton",
        "band red elf: red orc, skeleton",
        "band red orc: red elf, skeleton",
    ]

    troll = at(players=[{"hand": ["red troll", "skeleton", "skeleton"]}, {"troll_tokens": [2]}])
    do(troll, "band red troll: skeleton, skeleton")
    assert numbered(troll) == ["mark Rhea", "mark none"]
    assert numbered(do(troll, "mark none")) == ["token 3", "token 1", "token none"]


CHANGES = [
    (lambda place: place.update(age=1), True),
    (lambda place: place.update(first_player=1), True),
    (lambda place: place.update(dragons=2, deck=["red elf", "blue elf", "grey elf", "dragon"]), True),
    (lambda place: place.update(safe=1), True),
    (lambda place: place["deck"].insert(0, "purple elf"), True),
    (lambda place: place["face_up"].append("green orc"), True),
    (lambda place: place["glory_tokens"].update(Duris=[8, 10], Rhea=[8, 8]), True),
    (lambda place: place.update(pending={"kind": "advance", "seat": 1}), True),
    (lambda place: place.update(movers=[0], pending=None), True),
    (lambda place: place["seats"][0].update(known=[]), True),
    (lambda place: place["seats"][0].update(glory=8), True),
    (lambda place: place["seats"][0]["markers"].update(Rhea=1), True),
    (lambda place: place["seats"][0]["markers"].update(Rhea=1, Duris=1), True),
    (lambda place: place["seats"][0].update(merfolk=6), True),
    (lambda place: place["seats"][0].update(orc_board=["red", "blue"]), True),
    (lambda place: place["seats"][0].update(troll_tokens=[6, 1]), True),
    (lambda place: place["seats"][0].update(giant_token=False), True),
    (lambda place: place["seats"][0]["hand"].append("blue troll"), True),
    (lambda place: place["seats"][0]["bands"][0].update(leader="red orc"), True),
    (lambda place: place["seats"][0]["bands"][0]["cards"].append("red troll"), True),
    (lambda place: place["options"].update(ruleset="bga"), True),
    (lambda place: place["options"].update(tribes=["merfolk", "orcs", "trolls", "giants", "dwarves"]), True),
    (lambda place: place.update(seed="y"), False),
    (lambda place: place["seats"][0].update(hand=["blue troll", "blue orc"]), False),
    (lambda place: place.update(deck=["grey elf", "purple elf", "dragon", "dragon"]), False),
]


@pytest.mark.parametrize("number", range(len(CHANGES)))
def test_an_observation_is_another_as_soon_as_anything_in_it_is(number):
    """E4.7: and only then: a hidden card or the seed makes none."""
    change, shows = CHANGES[number]
    ours, place = table_position(), table_position()
    if number == 21:
        for one in (ours, place):
            one.update(deck=["red orc", "blue orc", "dragon", "dragon"], face_up=["green orc"])
            one["seats"][1]["hand"] = []
    change(place)
    state, twin = placed(ours), placed(place)

    for audience in (PUBLIC, 1):
        assert (state.observe(audience) == twin.observe(audience)) is not shows
        assert state.observe(audience) == placed(ours).observe(audience)
        assert (hash(state.observe(audience)) == hash(placed(ours).observe(audience))) is True
    assert state.observe(0) != state.observe(1)
    assert (state.setup() == twin.setup()) is (number not in (6, 20, 21))
    assert hash(state.setup()) == hash(placed(ours).setup())


def test_an_observation_reads_as_a_bot_reads_it():
    seen = table().observe(1)

    assert [card.name for card in seen.hand] == ["green elf"]
    assert [(card.tribe, card.colour, int(card)) for card in seen.board.row] == [
        ("elves", "red", 30),
        ("orcs", "green", 66),
    ]
    assert (seen.me.seat, seen.me.merfolk, seen.me.hand_size) == (1, 7, 1)
    assert seen.seats[0].markers["Rhea"] == 2
    assert (seen.seats[0].horde, seen.seats[0].trolls) == (("grey", "red"), (2, 6))
    assert [card.name for card in seen.seats[0].known] == ["blue orc"]
    assert seen.band is not None
    assert (seen.band.leader.name, seen.band.size) == ("grey merfolk", 3)
    assert seen.band == seen.seats[1].bands[0]
    assert seen.band != seen.seats[0].bands[0]
    assert repr(seen.seats[0].bands[0]) == "red giant of red giant, red orc"
    assert at().observe(0).band is None
