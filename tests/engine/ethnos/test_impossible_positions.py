"""Positions that cannot be are refused, with the path of the key."""

import json

import pytest

from engine.ethnos.read_positions import EXAMPLE, OPTIONS, further, read
from engine.ethnos.table import FIVE, TRIBES, asked, at, do, ending
from rivalry_engine.chance import Stream
from rivalry_engine.error import PositionError
from rivalry_engine.ethnos import Ethnos

SEAT = "seats[0]"


BAND = {"leader": "red elf", "cards": ["red elf", "red orc"]}


IMPOSSIBLE = [
    ("game", {"game": "chess"}),
    ("game", {"game": None}),
    ("colour", {"colour": "red"}),
    ("options", {"options": 3}),
    ("options", {"options": {"seats": 9}}),
    ("options", {"options": {"seats": 3, "tribes": ["elves"]}}),
    ("seed", {"seed": 7}),
    ("seed", {"seed": "0xabc"}),
    ("seed", {"seed": "\ud800"}),
    ("age", {"age": 0}),
    ("age", {"age": 3}),
    ("age", {"age": "1"}),
    ("age", {"age": True}),
    ("age", {"age": None}),
    ("movers", {"movers": 0}),
    ("movers", {"movers": []}),
    ("movers", {"movers": [0, 1]}),
    ("movers[0]", {"movers": [3]}),
    ("movers[0]", {"movers": [-1]}),
    ("movers[0]", {"movers": ["0"]}),
    ("movers[0]", {"movers": [False]}),
    ("movers", {"movers": [0], "over": True}),
    ("first_player", {"first_player": 3}),
    ("first_player", {"first_player": -1}),
    ("first_player", {"first_player": None}),
    ("dragons", {"dragons": 3}),
    ("dragons", {"dragons": -1}),
    ("dragons", {"dragons": 1.0}),
    ("dragons", {"over": True, "dragons": 4}),
    ("third_dragon", {"third_dragon": 0}),
    ("third_dragon", {"over": True, "third_dragon": 3}),
    ("third_dragon", {"over": True, "third_dragon": -1}),
    ("dragons", {"over": True, "dragons": -1}),
    ("third_dragon", {"over": True, "third_dragon": "0"}),
    ("deck", {"deck": "dragon"}),
    ("deck", {"deck": ["red elf"]}),
    ("deck", {"deck": ["dragon"], "dragons": 1}),
    ("deck", {"deck": ["dragon"] * 4}),
    ("deck", {"deck": ["dragon"], "over": True}),
    ("deck[1]", {"deck": ["dragon", "red fox"]}),
    ("deck[1]", {"deck": ["dragon", 7]}),
    ("deck[1]", {"deck": ["dragon", ["red elf"]]}),
    ("deck[3]", {"deck": ["dragon", "red elf", "red elf", "red elf"]}),
    ("deck[1]", {"deck": ["dragon", "red dwarf"]}),
    ("safe", {"safe": 2, "deck": ["red elf", "dragon", "dragon", "dragon"]}),
    ("safe", {"safe": 5, "deck": ["red elf", "dragon", "dragon", "dragon"]}),
    ("safe", {"safe": -1}),
    ("safe", {"safe": "1"}),
    ("safe", {"safe": 1, "over": True}),
    ("face_up", {"face_up": {"red elf": 1}}),
    ("face_up[0]", {"face_up": ["dragon"]}),
    ("face_up[0]", {"face_up": ["elf"]}),
    ("face_up[0]", {"face_up": ["red skeleton"]}),
    ("face_up[2]", {"face_up": ["red elf", "red elf", "red elf"]}),
    ("face_up[12]", {"face_up": ["skeleton"] * 13}),
    ("face_up", {"face_up": ["red elf"], "over": True}),
    ("glory_tokens", {"glory_tokens": [2, 4]}),
    ("glory_tokens.Roma", {"glory_tokens": {"Roma": [2, 4]}}),
    ("glory_tokens.Rhea", {"glory_tokens": {"Rhea": [4, 2]}}),
    ("glory_tokens.Rhea", {"glory_tokens": {"Rhea": [2, 4, 6]}}),
    ("glory_tokens.Rhea", {"glory_tokens": {"Rhea": [2]}}),
    ("glory_tokens.Rhea", {"glory_tokens": {"Rhea": 2}}),
    ("glory_tokens.Rhea[1]", {"glory_tokens": {"Rhea": [2, "4"]}}),
    ("glory_tokens.Rhea[0]", {"glory_tokens": {"Rhea": [3, 4]}}),
    ("glory_tokens.Rhea[1]", {"glory_tokens": {"Rhea": [0, 0]}}),
    ("glory_tokens.Duris[1]", {"glory_tokens": {"Rhea": [8, 10], "Duris": [8, 10]}}),
    ("pending", {"pending": "turn"}),
    ("pending.who", {"pending": {"kind": "turn", "who": 0}}),
    ("pending.kind", {"pending": {}}),
    ("pending.kind", {"pending": {"kind": "target"}}),
    ("pending.kind", {"pending": {"kind": ["turn"]}}),
    ("pending.kind", {"pending": {"kind": "marker"}}),
    ("pending.seat", {"pending": {"kind": "turn", "seat": 3}}),
    ("pending.seat", {"pending": {"kind": "turn", "seat": -1}}),
    ("pending.seat", {"pending": {"kind": "turn", "seat": "0"}}),
    ("pending.seat", {"pending": {"kind": "turn", "seat": 1}, "movers": [0]}),
    ("pending.band", {"pending": {"kind": "turn", "band": 0}}),
    ("pending.symbols", {"pending": {"kind": "turn", "symbols": 1}}),
    ("pending", {"pending": {"kind": "turn"}, "over": True}),
    ("pending.kind", {"pending": {"kind": "empty", "seat": 0}}),
    ("pending.kind", {"pending": {"kind": "empty", "seat": 1}, "seats": [{"orc_board": ["red"]}]}),
    ("pending.kind", {"age": 2, "pending": {"kind": "empty", "seat": 0}, "seats": [{"orc_board": ["red"]}]}),
    ("over", {"over": 1}),
    ("over", {"over": None}),
    ("seats", {"seats": {}}),
    ("seats[3]", {"seats": [{}, {}, {}, {}]}),
    ("seats[1]", {"seats": [{}, 5]}),
    ("seats[1].name", {"seats": [{}, {"name": "x"}]}),
    (f"{SEAT}.hand", {"seats": [{"hand": "red elf"}]}),
    (f"{SEAT}.hand", {"seats": [{"hand": ["skeleton"] * 11}]}),
    (f"{SEAT}.hand[0]", {"seats": [{"hand": ["dragon"]}]}),
    (f"{SEAT}.hand[1]", {"seats": [{"hand": ["red elf", None]}]}),
    (f"{SEAT}.hand[2]", {"seats": [{"hand": ["red elf", "red elf", "red elf"]}]}),
    ("seats[1].hand[0]", {"face_up": [], "seats": [{"hand": ["red elf", "red elf"]}, {"hand": ["red elf"]}]}),
    (f"{SEAT}.hand", {"over": True, "seats": [{"hand": ["red elf"]}]}),
    (f"{SEAT}.known", {"seats": [{"hand": ["red elf"], "known": "red elf"}]}),
    (f"{SEAT}.known[0]", {"seats": [{"hand": ["red elf"], "known": ["blue elf"]}]}),
    (f"{SEAT}.known[1]", {"seats": [{"hand": ["red elf"], "known": ["red elf", "red elf"]}]}),
    (f"{SEAT}.known[0]", {"seats": [{"hand": ["red elf"], "known": ["dragon"]}]}),
    (f"{SEAT}.glory", {"seats": [{"glory": -1}]}),
    (f"{SEAT}.glory", {"seats": [{"glory": "4"}]}),
    (f"{SEAT}.glory", {"seats": [{"glory": 1_000_001}]}),
    (f"{SEAT}.glory", {"seats": [{"glory": 10**5000}]}),
    (f"{SEAT}.markers.Rhea", {"seats": [{"markers": {"Rhea": 10**30}}]}),
    (f"{SEAT}.glory", {"seats": [{"glory": None}]}),
    (f"{SEAT}.markers", {"seats": [{"markers": []}]}),
    (f"{SEAT}.markers.red", {"seats": [{"markers": {"red": 1}}]}),
    (f"{SEAT}.markers.Rhea", {"seats": [{"markers": {"Rhea": -1}}]}),
    (f"{SEAT}.markers.Rhea", {"seats": [{"markers": {"Rhea": "2"}}]}),
    (f"{SEAT}.markers", {"seats": [{"markers": {"Rhea": 26}}]}),
    (f"{SEAT}.markers", {"seats": [{"markers": {"Rhea": 20, "Ithys": 5}, "orc_board": ["red"]}]}),
    (f"{SEAT}.bands", {"seats": [{"bands": BAND}]}),
    (f"{SEAT}.bands[0]", {"seats": [{"bands": ["red elf"]}]}),
    (f"{SEAT}.bands[0].size", {"seats": [{"bands": [{**BAND, "size": 2}]}]}),
    (f"{SEAT}.bands[0].leader", {"seats": [{"bands": [{"cards": ["red elf"]}]}]}),
    (f"{SEAT}.bands[0].leader", {"seats": [{"bands": [{**BAND, "leader": "red troll"}]}]}),
    (f"{SEAT}.bands[0].leader", {"seats": [{"bands": [{**BAND, "leader": 3}]}]}),
    (f"{SEAT}.bands[0].leader", {"seats": [{"bands": [{"leader": "skeleton", "cards": ["red elf", "skeleton"]}]}]}),
    (f"{SEAT}.bands[0].cards", {"seats": [{"bands": [{**BAND, "cards": "red elf"}]}]}),
    (f"{SEAT}.bands[0].cards", {"seats": [{"bands": [{**BAND, "cards": ["red elf", "blue elf", "red orc"]}]}]}),
    (f"{SEAT}.bands[0].cards", {"seats": [{"bands": [{**BAND, "cards": ["red elf"] + ["skeleton"] * 10}]}]}),
    (f"{SEAT}.bands[0].cards[1]", {"seats": [{"bands": [{**BAND, "cards": ["red elf", "dragon"]}]}]}),
    (f"{SEAT}.bands[1].cards[1]", {"seats": [{"bands": [BAND, {**BAND, "cards": ["red elf", "red elf"]}]}]}),
    (
        f"{SEAT}.bands[0].cards",
        {"over": True, "seats": [{"bands": [{"leader": "red elf", "cards": ["red elf", "skeleton"]}]}]},
    ),
    (f"{SEAT}.merfolk", {"seats": [{"merfolk": 1}]}),
    (f"{SEAT}.merfolk", {"seats": [{"merfolk": False}]}),
    (f"{SEAT}.orc_board", {"seats": [{"orc_board": "red"}]}),
    (f"{SEAT}.orc_board[0]", {"seats": [{"orc_board": ["Rhea"]}]}),
    (f"{SEAT}.orc_board[0]", {"seats": [{"orc_board": [""]}]}),
    (f"{SEAT}.orc_board[1]", {"seats": [{"orc_board": ["red", "red"]}]}),
    (f"{SEAT}.orc_board[0]", {"seats": [{"orc_board": [6]}]}),
    (f"{SEAT}.troll_tokens", {"seats": [{"troll_tokens": 3}]}),
    (f"{SEAT}.troll_tokens[0]", {"seats": [{"troll_tokens": [0]}]}),
    (f"{SEAT}.troll_tokens[0]", {"seats": [{"troll_tokens": [7]}]}),
    (f"{SEAT}.troll_tokens[1]", {"seats": [{"troll_tokens": [3, 3]}]}),
    ("seats[1].troll_tokens[0]", {"seats": [{"troll_tokens": [3]}, {"troll_tokens": [3]}]}),
    (f"{SEAT}.giant_token", {"seats": [{"giant_token": 1}]}),
    ("seats[1].giant_token", {"seats": [{"giant_token": True}, {"giant_token": True}]}),
]


@pytest.mark.parametrize(("path", "keys"), IMPOSSIBLE, ids=[f"{path}-{n}" for n, (path, _) in enumerate(IMPOSSIBLE)])
def test_an_impossible_position_is_refused_with_the_path_of_the_key(path, keys):
    with pytest.raises(PositionError) as caught:
        read(**keys)

    assert str(caught.value).startswith(f"position key {path}: ")


@pytest.mark.parametrize("given", [None, 3, "x", []])
def test_what_is_no_object_is_no_position(given):
    with pytest.raises(PositionError, match="object"):
        Ethnos(OPTIONS).state_at(given)


BOARDLESS = ("dwarves", "elves", "halflings", "minotaurs", "wingfolk")


@pytest.mark.parametrize(
    ("key", "piece", "resting"),
    [("merfolk", 3, 0), ("orc_board", ["red"], []), ("troll_tokens", [1], []), ("giant_token", True, False)],
)
def test_a_piece_of_a_tribe_that_is_not_in_play_is_refused_but_its_resting_value_is_allowed(key, piece, resting):
    """E2.3"""
    assert asked(at(tribes=BOARDLESS, players=[{key: resting}])) == ("turn", 0)
    with pytest.raises(PositionError, match=rf"seats\[0\]\.{key}: "):
        at(tribes=BOARDLESS, players=[{key: piece}])


@pytest.mark.parametrize("tribes", [FIVE, ("merfolk", "orcs", "trolls", "elves", "giants")])
def test_markers_go_up_to_the_supply(tribes):
    """E1.6"""
    most = 24 if "merfolk" in tribes else 25

    at(tribes=tribes, players=[{"markers": {"Rhea": most}}])
    at(tribes=tribes, players=[{"markers": {"Rhea": most - 1}, "orc_board": ["red"]}])
    with pytest.raises(PositionError):
        at(tribes=tribes, players=[{"markers": {"Rhea": most + 1}}])


@pytest.mark.parametrize("space", [19, -1])
def test_the_merfolk_board_ends_at_eighteen(space):
    """E1.7"""
    tribes = ("merfolk", "orcs", "trolls", "elves", "giants")

    assert at(tribes=tribes, players=[{"merfolk": 18}])
    with pytest.raises(PositionError, match="merfolk"):
        at(tribes=tribes, players=[{"merfolk": space}])


@pytest.mark.parametrize(
    ("kind", "leader", "player"),
    [
        ("marker", "red halfling", {}),
        ("marker", "red elf", {"markers": {"Rhea": 2}}),
        ("marker", "red elf", {"markers": {"Ithys": 25}}),
        ("horde", "red elf", {}),
        ("horde", "red orc", {"orc_board": ["red"]}),
        ("horde", "red orc", {"markers": {"Ithys": 25}}),
        ("token", "red orc", {}),
        ("token", "red troll", {"troll_tokens": [1, 2]}),
        ("keep", "red elf", {"hand": []}),
        ("keep", "red orc", {"hand": ["blue orc"]}),
        ("draw", "red orc", {"hand": []}),
        ("draw", "red wizard", {"hand": ["blue orc"]}),
        ("further", "red centaur", {"hand": [], "markers": {"Rhea": 1}}),
        ("further", "red centaur", {"hand": ["blue orc"]}),
        ("further", "red orc", {"hand": ["blue orc"], "markers": {"Rhea": 1}}),
        ("advance", "red orc", {}),
        ("advance", "red merfolk", {"merfolk": 18}),
        ("bonus", "red orc", {}),
        ("bonus", "red merfolk", {"merfolk": 2}),
        ("bonus", "red merfolk", {"merfolk": 5}),
        ("bonus", "red merfolk", {"merfolk": 3, "markers": {"Ithys": 24}}),
    ],
)
def test_a_question_that_cannot_be_open_is_refused(kind, leader, player):
    """E5.8: the Band has two cards."""
    word = leader.split()[1]
    (tribe,) = (name for name, singular in TRIBES.items() if singular == word)
    tribes = [
        tribe,
        *[name for name in ("orcs", "trolls", "skeletons", "dwarves", "giants", "minotaurs") if name != tribe],
    ]
    band = {"leader": leader, "cards": [leader, "skeleton"]}

    with pytest.raises(PositionError, match=r"pending\.kind|hand"):
        at(4, tribes[:6], pending={"kind": kind, "seat": 0}, players=[{"bands": [band], **player}])


def test_a_bonus_question_has_no_more_symbols_than_were_passed():
    tribes = ("merfolk", "orcs", "skeletons", "elves", "giants")
    band = {"leader": "red merfolk", "cards": ["red merfolk", *["skeleton"] * 4]}
    players = [{"bands": [band], "merfolk": 7}]

    for symbols in (1, 2):
        at(tribes=tribes, pending={"kind": "bonus", "symbols": symbols}, players=players)
    for symbols in (0, 3, 5, "1", None):
        with pytest.raises(PositionError, match=r"pending"):
            at(tribes=tribes, pending={"kind": "bonus", "symbols": symbols}, players=players)


def test_a_question_is_about_the_last_band():
    bands = [{"leader": "red troll"}, {"leader": "blue troll"}]

    at(pending={"kind": "token", "band": 1}, players=[{"bands": bands}])
    for band in (0, 2, -1):
        with pytest.raises(PositionError, match=r"pending\.band"):
            at(pending={"kind": "token", "band": band}, players=[{"bands": bands}])


def test_no_broken_position_does_anything_but_raise_a_position_error():
    """Any value at any depth replaced by one of another type: read, or refused with PositionError."""
    place = do(ending(age=1, players=[{"orc_board": ["red"]}]), "draw").position()
    junk = [None, True, -1, 99, "x", [], {}, ["x"], {"x": 1}, 1.5]
    stream = Stream(b"junk", "values")

    refused = 0
    for start in (place, EXAMPLE, {**EXAMPLE, "pending": {"kind": "turn", "seat": 0}}):
        for _ in range(300):
            broken = json.loads(json.dumps(start))
            _replace_somewhere(broken, stream, junk)
            try:
                Ethnos(OPTIONS).state_at(broken)
            except PositionError as error:
                assert str(error).startswith("position key ")
                refused += 1
    assert refused > 400


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


CHAIN = {"tribes": ["merfolk", "orcs", "trolls", "giants", "centaurs", "skeletons"], "seats": 4}


PAIR = {"tribes": ["merfolk", "orcs", "trolls", "centaurs", "skeletons"], "seats": 2}


@pytest.mark.parametrize(("options", "own", "others"), [(CHAIN, 1, 9), (CHAIN, 2, 0), (PAIR, 1, 1), (PAIR, 2, 0)])
def test_a_further_band_is_asked_where_the_marker_can_have_been_placed_e6_1(options, own, others):
    assert further(options, own=own, others=others).kind == "further"


@pytest.mark.parametrize(("options", "own", "others"), [(CHAIN, 0, 0), (CHAIN, 3, 0), (PAIR, 1, 2), (PAIR, 3, 0)])
def test_a_further_band_is_refused_where_no_marker_can_have_been_placed_e6_1(options, own, others):
    with pytest.raises(PositionError, match=r"position key pending\.kind: further"):
        further(options, own=own, others=others)


def test_a_band_and_the_rest_of_the_hand_were_ten_cards_at_most_e4_2():
    hand = [f"{colour} orc" for colour in ("blue", "red", "green", "grey", "purple") for _ in range(2)]
    seat = {"hand": hand, "bands": [{"leader": "red centaur", "cards": ["red centaur"]}]}
    pending = {"kind": "marker", "seat": 0, "band": 0}

    with pytest.raises(PositionError, match=r"position key seats\[0\]\.hand: 10 cards and a Band of 1; expected 10"):
        Ethnos(CHAIN).state_at({"movers": [0], "seats": [seat], "pending": pending})

    seat["hand"] = hand[1:]
    assert Ethnos(CHAIN).state_at({"movers": [0], "seats": [seat], "pending": pending}).kind == "marker"


@pytest.mark.parametrize(
    ("key", "position"),
    [
        ("age", {"age": 2}),
        (r"seats\[1\]\.orc_board", {"seats": [{}, {"orc_board": ["red"]}]}),
        (r"seats\[0\]\.troll_tokens", {"seats": [{"troll_tokens": [3]}]}),
        (r"seats\[1\]\.giant_token", {"seats": [{}, {"giant_token": True}]}),
    ],
)
def test_a_game_that_is_over_has_nothing_that_its_end_took_away_e8(key, position):
    with pytest.raises(PositionError, match=f"position key {key}: "):
        Ethnos(CHAIN).state_at({"over": True, **position})
