"""The map that is built in, and what another one is refused for (FO4)."""

import json
from collections import Counter

import pytest

from engine.foederati.table import FILE, GRID, NAMES, SQUARES, a_map, country, game, near, region
from rivalry_engine.error import OptionError
from rivalry_engine.foederati import Foederati


def board():
    return game(seats=4).new_state(b"").setup().json()


def cards() -> dict[str, int]:
    return {name: card["copies"] for name, card in board()["cards"].items()}


def test_the_board_has_a_hundred_squares_in_twelve_countries_and_four_seas():
    """FO4.1"""
    told = board()["map"]

    assert told["grid"] == GRID
    assert Counter(region["kind"] for region in told["regions"].values()) == {"country": 12, "sea": 4}
    sizes = Counter(region(square) for square in SQUARES)
    assert [sizes[key] for key in "ATSVIU"] == [8] * 6
    assert [sizes[key] for key in "FNPRGY"] == [4] * 6
    assert [sizes[key] for key in "wnbm"] == [9, 5, 4, 10]


def test_there_are_98_cards():
    """FO4.2"""
    found = cards()
    kinds = Counter()
    for name, copies in found.items():
        kinds[name.split()[0]] += copies

    assert kinds == {"row": 26, "column": 26, "country": 18, "neighbour": 16, "sea": 12}
    assert sum(found.values()) == 98
    for row in "ABCDEFGHIJ":
        assert found[f"row {row}"] == (1 if row == "J" else 2)
    for column in range(1, 11):
        assert found[f"column {column}"] == (1 if column == 1 else 2)
    singles = [f"row {line}" for line in ("A/B", "C/D", "E/F", "G/H", "I/J", "D/G", "B/F/J")]
    singles += [f"column {line}" for line in ("1/2", "3/4", "5/6", "7/8", "9/10", "4/7", "1/5/9")]
    assert [found[name] for name in singles] == [1] * 14
    for key, name in NAMES.items():
        assert found[f"country {name}"] == (2 if key in "ATSVIU" else 1)


def test_the_foundation_track_has_twelve_fields_three_of_them_red():
    """FO4.3"""
    track = board()["map"]["foundationTrack"]

    assert [points for points, _ in track] == [3, 3, 3, 4, 4, 4, 5, 5, 5, 6, 6, 7]
    assert [order for order, (_, red) in enumerate(track, start=1) if red] == [4, 8, 12]


def test_the_numbers_are_those_of_the_file():
    """FO4.4, FO4.5"""
    told = board()["map"]

    assert told == {key: value for key, value in json.loads(FILE.read_text()).items() if key != "flags"}
    assert told["clan"] == {"minSize": 3, "points": [8, 6, 4, 2, 1]}
    assert told["maritime"] == {"points": [2, 1], "perShip": 1}
    assert (told["classes"]["large"]["tribal"], told["classes"]["small"]["tribal"]) == ([4, 2, 1], [2, 1, 0])


def test_next_to_means_up_down_left_and_right():
    """FO4.1, FO10.11: a neighbour card around single shields in the middle, on a border and in a corner"""
    from engine.foederati.table import at, offered

    for square in ("E5", "A1", "J10", "A5", "F1", "F10", "J4"):
        state = at(square, "", seats={0: {"hand": ["neighbour"]}})
        assert offered(state, "expand") == {f"expand neighbour: {free}" for free in near(square)}


def without(key):
    return {name: value for name, value in a_map().items() if name != key}


def changed(path, value):
    """The map with one value replaced, by its path."""
    made = a_map()
    at = made
    for step in path[:-1]:
        at = at[step]
    at[path[-1]] = value
    return made


def swapped(*pairs):
    """The map with squares given to other regions."""
    rows = [list(row) for row in GRID]
    for square, key in pairs:
        rows["ABCDEFGHIJ".index(square[0])][int(square[1:]) - 1] = key
    return a_map(grid=["".join(row) for row in rows])


BAD = [
    ({"id": "x"}, "version: nothing"),
    ([], "expected an object"),
    ("map.json", "expected an object"),
    (7, "expected an object"),
    (without("deck"), "deck: nothing"),
    (a_map(more=1), "more: no such key"),
    (a_map(id=""), "id: "),
    (a_map(version="1"), "version: "),
    (a_map(rows=list("ABCDEFGHIK")), "rows: "),
    (a_map(columns=list(range(10))), "columns: "),
    (a_map(grid=GRID[:9]), "grid: 9 rows; expected 10"),
    (a_map(grid=[*GRID[:9], "IIm"]), r"grid\[9\]: 'IIm'; expected a text of 10"),
    (a_map(grid=[*GRID[:9], "IImmmmmmm?"]), r"grid\[9\]: '\?'; expected ids of regions"),
    (a_map(grid="IImmmmmmmm"), "grid: .*expected a list"),
    (swapped(("A10", "T"), ("C6", "S")), r"grid: region [ST] \(.*2 parts.*expected squares that hang together"),
    (swapped(("A2", "w")), "grid: country A has 7 squares; expected 8, as class large says"),
    (swapped(*[(square, "b") for square in country("S")]), r"grid: region S \(Sarmatia\) has no square"),
    (changed(("regions", "A", "kind"), "lake"), r"regions.A.kind: 'lake'; expected country or sea"),
    (changed(("regions", "A", "class"), "huge"), r"regions.A.class: 'huge'; expected one of large, small"),
    (changed(("regions", "A", "name"), "teutonia"), "regions.T.name: 'Teutonia'; expected a name of its own"),
    (changed(("regions", "A", "name"), "Al, bion"), "regions.A.name"),
    (changed(("regions", "Xx"), {"name": "X", "kind": "sea"}), "regions.Xx"),
    (changed(("regions", "x"), {"name": "X", "kind": "country", "class": "small"}), "regions: 13 countries"),
    (changed(("regions", "x"), {"name": "X", "kind": "sea"}), "region x .* has no square"),
    (changed(("classes", "large", "size"), 9), "grid: country A has 8 squares; expected 9"),
    (changed(("classes", "large", "initialCap"), 1), "classes: initial caps of 18 together; expected at least 24"),
    (changed(("classes", "large", "initialCap"), 8), "classes.large.initialCap: 8; expected less than the size"),
    (changed(("classes", "large", "tribal"), [1, 2]), "classes.large.tribal"),
    (changed(("classes", "large", "tribal"), []), "classes.large.tribal"),
    (changed(("classes", "large", "cards"), 3), "deck: 104 cards"),
    (changed(("deck", "sea"), 11), "deck: 97 cards, those of the countries among them; expected 98"),
    (changed(("deck", "neighbour"), 17), "deck: 99 cards"),
    (changed(("deck", "neighbour"), 1.0), "deck.neighbour"),
    (changed(("deck", "row", 0), ["K"]), r"deck.row\[0\]: \['K'\]; expected one or more rows"),
    (changed(("deck", "row", 0), []), r"deck.row\[0\]"),
    (changed(("deck", "row", 0), ["A", "A"]), r"deck.row\[0\]: \['A', 'A'\]; expected each line once"),
    (changed(("deck", "column", 0), [True]), r"deck.column\[0\]"),
    (changed(("deck", "column", 0), [11]), r"deck.column\[0\]"),
    (changed(("deck", "column", 0), [[1]]), r"deck.column\[0\]"),
    (a_map(foundationTrack=a_map()["foundationTrack"][:11]), "foundationTrack: 11 fields; expected 12"),
    (changed(("foundationTrack", 3), [4]), r"foundationTrack\[3\]"),
    (changed(("foundationTrack", 3), [4, 1]), r"foundationTrack\[3\]\[1\]: 1; expected true or false"),
    (changed(("clan", "minSize"), 0), "clan.minSize"),
    (changed(("clan", "points"), [8, 9]), "clan.points"),
    (changed(("maritime", "perShip"), -1), "maritime.perShip"),
    (a_map(tribalSoleBonus=None), "tribalSoleBonus"),
    (a_map(handSize=20), "handSize: 20; expected an integer from 1 to 19"),
    (a_map(exchangeMax=11), "exchangeMax"),
    (a_map(actionsPerTurn=0), "actionsPerTurn"),
    (changed(("players", "6"), {"shields": 20, "initial": 3}), "players.6: no such key"),
    (changed(("players", "2", "shields"), 12), "players.2.shields: 12; expected an integer from 13"),
    (changed(("players", "2", "initial"), 19), "classes: initial caps of 36 together; expected at least 38"),
    (changed(("flags", "scoringScope"), "red-only"), "flags.scoringScope: 'red-only'; expected one of seed, redOnly"),
    (changed(("flags", "attackFullSeas"), "no"), "flags.attackFullSeas"),
    (changed(("flags", "stallRounds"), 0), "flags.stallRounds"),
    (changed(("flags", "more"), 0), "flags.more: no such key"),
]  # fmt: skip


@pytest.mark.parametrize(("bad", "told"), BAD)
def test_a_map_that_cannot_be_is_refused_with_its_key(bad, told):
    """FO4.5"""
    with pytest.raises(OptionError, match=f"^option map: .*{told}|^option map: {told}"):
        Foederati({"map": bad})


def test_another_map_is_played_and_stands_in_the_options_and_the_setup():
    """FO4.5"""
    other = a_map(id="other", handSize=7, actionsPerTurn=3)
    made = Foederati({"seats": 3, "map": other})
    expected = {key: value for key, value in other.items() if key != "flags"}

    assert made.options_given() == {"seats": 3, "map": expected}
    assert made.new_state(b"").setup().json()["map"] == expected
    assert [len(seat["hand"]) for seat in made.new_state(b"").position()["seats"]] == [7, 7, 7]
    assert Foederati(made.options_given()).options == made.options


def test_a_map_without_neighbours_seas_or_a_country_s_cards_is_played():
    """FO4.5"""
    from engine.foederati.table import played

    rows = [[row] for row in "ABCDEFGHIJ"] * 4
    columns = [[column] for column in range(1, 11)] * 4
    deck = {"row": [*rows, *[["A", "B"]] * 3], "column": [*columns, *[[1, 2]] * 3], "neighbour": 0, "sea": 0}
    other = a_map(deck=deck)
    other["classes"]["small"]["cards"] = 0
    state = Foederati({"seats": 5, "map": other}).new_state(b"lines")

    for _ in played(state, b"lines"):
        pass

    assert not state.movers()


def test_the_usual_map_given_as_json_is_no_other_map():
    """FO4.5"""
    assert Foederati({"map": a_map()}).options_given() == {"seats": 4}


def test_the_flags_of_a_map_count_until_something_is_given():
    """FO4.5"""
    flags = {"scoringScope": "redOnly", "stallRounds": 3, "startSpaces": "1..n"}
    other = a_map(flags=flags)

    assert Foederati({"map": other}).options_given() == {
        "seats": 4, "scoring_scope": "red-only", "stall_rounds": 3, "start_spaces": 1,
    }  # fmt: skip
    assert Foederati({"map": changed(("flags",), {"stallRounds": 1})}).options["stall_rounds"] == 1
    assert Foederati({"map": other, "stall_rounds": 10}).options["stall_rounds"] == 10
    assert Foederati({"map": other, "preset": "seed"}).options_given() == {"seats": 4}
