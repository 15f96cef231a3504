"""Reading the parts of a map: what the file may say, and what it is refused for (FO4.5)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from rivalry_engine.foederati.map_values import a_flag, a_list, a_text, an_object, any_object, points, refused, whole
from rivalry_engine.foederati.packs import FACES
from rivalry_engine.foederati.squares import BIT, COLUMN_MASKS, ROW_MASKS, ROWS, WIDTH, components, names

if TYPE_CHECKING:
    from rivalry_engine.foederati.maps import Map

COUNTRIES: Final = 12
KEYS: Final = (
    "id", "version", "rows", "columns", "grid", "regions", "classes", "deck", "foundationTrack", "clan", "maritime",
    "tribalSoleBonus", "handSize", "actionsPerTurn", "exchangeMax", "battleCardBonus", "players",
)  # fmt: skip
STALL_MOST: Final = 1_000_000
FLAGS: Final[dict[str, tuple[str, dict[Any, Any]]]] = {
    "scoringScope": ("scoring_scope", {"seed": "seed", "redOnly": "red-only"}),
    "finalTribal": ("final_tribal", {"ifRed": "if-red", "always": "always"}),
    "attackFullSeas": ("attack_full_seas", {}),
    "attackNeedsOpeningCard": ("attack_needs_opening_card", {}),
    "attackerLosesShieldOnFailure": ("attacker_loses_shield_on_failure", {}),
    "battleTieTo": ("battle_tie_to", {"defender": "defender", "attacker": "attacker"}),
    "stallRounds": ("stall_rounds", {}),
    "startSpaces": ("start_spaces", {"0..n-1": 0, "1..n": 1}),
}
"""By key of the file, the name of the option and what the words of the file are as its values."""


class CountryClass(NamedTuple):
    """What the countries of one size have in common (FO4.5)."""

    size: int
    cap: int
    tribal: tuple[int, ...]
    cards: int


def identity(read: Mapping[str, Any]) -> tuple[str, int]:
    """The map's id and version."""
    return a_text(read["id"], "id"), whole(read["version"], "version", 0, STALL_MOST)


def lines(read: Mapping[str, Any]) -> None:
    """Rows and columns are named as on every board: A to J and 1 to 10."""
    if read["rows"] != list(ROWS):
        raise refused("rows", repr(read["rows"])[:80], f"the letters {', '.join(ROWS)}")
    if read["columns"] != list(range(1, WIDTH + 1)) or True in a_list(read["columns"], "columns")[1:]:
        raise refused("columns", repr(read["columns"])[:80], "the integers 1 to 10")


def regions(read: Mapping[str, Any]) -> dict[str, tuple[str, str]]:
    """By id, the name of a region and the class of a country; the class is empty for a sea."""
    found: dict[str, tuple[str, str]] = {}
    taken: set[str] = set()
    for key, value in any_object(read["regions"], "regions").items():
        path = f"regions.{key}"
        if len(key) != 1 or not key.isprintable() or key.isspace():
            raise refused(path, repr(key), "one printable character as the id of a region")
        kind = any_object(value, path).get("kind")
        if kind not in ("country", "sea"):
            raise refused(f"{path}.kind", repr(kind), "country or sea")
        region = an_object(value, path, ("name", "kind", "class") if kind == "country" else ("name", "kind"))
        name = a_text(region["name"], f"{path}.name")
        if name != " ".join(name.split()) or any(mark in name for mark in ",:;/") or name.lower() in taken:
            raise refused(f"{path}.name", repr(name), "a name of its own, with single spaces and none of , : ; /")
        taken.add(name.lower())
        found[key] = (name, a_text(region["class"], f"{path}.class") if kind == "country" else "")
    count = sum(1 for region in found.values() if region[1])
    if count != COUNTRIES:
        raise refused("regions", f"{count} countries", f"{COUNTRIES}")
    return found


def classes(read: Mapping[str, Any]) -> dict[str, CountryClass]:
    """By name, the classes of countries."""
    found: dict[str, CountryClass] = {}
    for key, value in any_object(read["classes"], "classes").items():
        path = f"classes.{key}"
        each = an_object(value, path, ("size", "initialCap", "tribal", "cards"))
        size = whole(each["size"], f"{path}.size", 1, 100)
        cap = whole(each["initialCap"], f"{path}.initialCap", 0, size)
        if cap == size:
            raise refused(f"{path}.initialCap", str(cap), "less than the size, so that placing founds no country")
        tribal = points(each["tribal"], f"{path}.tribal")
        found[key] = CountryClass(size, cap, tribal, whole(each["cards"], f"{path}.cards", 0, FACES))
    return found


def grid(read: Mapping[str, Any], known: Mapping[str, tuple[str, str]]) -> dict[str, int]:
    """By region, its squares: the grid is 10 by 10, and each region is there and hangs together."""
    rows = a_list(read["grid"], "grid")
    if len(rows) != len(ROWS):
        raise refused("grid", f"{len(rows)} rows", f"{len(ROWS)} rows of {WIDTH} region ids")
    masks = dict.fromkeys(known, 0)
    for place, row in enumerate(rows):
        if not isinstance(row, str) or len(row) != WIDTH:
            raise refused(f"grid[{place}]", repr(row)[:80], f"a text of {WIDTH} region ids")
        for column, key in enumerate(row):
            if key not in masks:
                raise refused(f"grid[{place}]", repr(key), "ids of regions, " + " ".join(known))
            masks[key] |= BIT[WIDTH * place + column]
    for key, mask in masks.items():
        groups = components(mask)
        if len(groups) != 1:
            told = "no square" if not groups else f"{len(groups)} parts, one of them {' '.join(names(groups[0]))}"
            raise refused("grid", f"region {key} ({known[key][0]}) has {told}", "squares that hang together")
    return masks


def check_classes(known: Mapping[str, tuple[str, str]], sizes: Mapping[str, CountryClass]) -> None:
    """Each country is of a class that there is."""
    for key, (_, size) in known.items():
        if size and size not in sizes:
            raise refused(f"regions.{key}.class", repr(size), "one of " + ", ".join(sizes))


def check_sizes(made: Map, known: Mapping[str, CountryClass]) -> None:
    """Each country is as large as its class says."""
    for key, name, mask in zip(made.country_ids, made.classes, made.country_masks, strict=True):
        size = mask.bit_count()
        if size != known[name].size:
            raise refused("grid", f"country {key} has {size} squares", f"{known[name].size}, as class {name} says")


def track(read: Mapping[str, Any], countries: int) -> tuple[tuple[int, bool], ...]:
    """The foundation track: a field for each country."""
    fields = a_list(read["foundationTrack"], "foundationTrack")
    if len(fields) != countries:
        raise refused("foundationTrack", f"{len(fields)} fields", f"{countries}, one for each country")
    found: list[tuple[int, bool]] = []
    for place, field in enumerate(fields):
        path = f"foundationTrack[{place}]"
        if len(a_list(field, path)) != 2:
            raise refused(path, repr(field)[:80], "points and whether the field is red, as [4, true]")
        found.append((whole(field[0], f"{path}[0]"), a_flag(field[1], f"{path}[1]")))
    return tuple(found)


def players(read: Mapping[str, Any]) -> tuple[dict[int, int], dict[int, int]]:
    """By number of seats, shields of each and how many of them are placed first."""
    given = an_object(read["players"], "players", ("2", "3", "4", "5"))
    shields: dict[int, int] = {}
    initial: dict[int, int] = {}
    for key in ("2", "3", "4", "5"):
        each = an_object(given[key], f"players.{key}", ("shields", "initial"))
        initial[int(key)] = whole(each["initial"], f"players.{key}.initial", 1, 100)
        shields[int(key)] = whole(each["shields"], f"players.{key}.shields", initial[int(key)] + 1)
    return shields, initial


Face = tuple[str, str, int, int]
"""Kind, name, squares and copies."""


def faces(
    read: Mapping[str, Any], countries: Sequence[str], masks: Sequence[int], copies: Sequence[int], sea: int
) -> Iterator[Face]:
    """The faces of the deck in their order."""
    deck = an_object(read["deck"], "deck", ("row", "column", "neighbour", "sea"))
    yield from _line_faces("row", deck["row"], dict(zip(ROWS, ROW_MASKS, strict=True)))
    yield from _line_faces("column", deck["column"], dict(zip(range(1, WIDTH + 1), COLUMN_MASKS, strict=True)))
    for name, mask, count in zip(countries, masks, copies, strict=True):
        if count:
            yield "country", f"country {name}", mask, count
    for kind, mask in (("neighbour", 0), ("sea", sea)):
        count = whole(deck[kind], f"deck.{kind}", 0, FACES)
        if count:
            yield kind, kind, mask, count


def _line_faces(kind: str, cards: Any, known: Mapping[Any, int]) -> list[Face]:
    found: dict[str, Face] = {}
    for place, card in enumerate(a_list(cards, f"deck.{kind}")):
        path = f"deck.{kind}[{place}]"
        named = a_list(card, path, most=WIDTH)
        if not named or any(isinstance(line, bool | float | list | dict) or line not in known for line in named):
            raise refused(path, repr(card)[:80], f"one or more {kind}s out of {', '.join(map(str, known))}")
        mask = sum(known[line] for line in set(named))
        if len(set(named)) != len(named):
            raise refused(path, repr(card)[:80], "each line once")
        name = f"{kind} " + "/".join([str(line) for line in known if line in named])
        found[name] = (kind, name, mask, found[name][3] + 1 if name in found else 1)
    return list(found.values())


def check_totals(made: Map) -> None:
    """98 cards, and room for the initial placement at every number of seats."""
    if len(made.deck) != FACES:
        raise refused("deck", f"{len(made.deck)} cards, those of the countries among them", f"{FACES}")
    room = sum(made.caps)
    largest = max(seats * count for seats, count in made.initial.items())
    if room < largest:
        raise refused("classes", f"initial caps of {room} together", f"at least {largest}, which are placed at first")


def flags(given: Any) -> dict[str, Any]:
    """The flags that a file states, as options."""
    found: dict[str, Any] = {}
    for key, value in an_object(given, "flags", (), tuple(FLAGS)).items():
        option, words = FLAGS[key]
        path = f"flags.{key}"
        if key == "stallRounds":
            found[option] = whole(value, path, 1, STALL_MOST)
        elif not words:
            found[option] = a_flag(value, path)
        elif not isinstance(value, str) or value not in words:
            raise refused(path, repr(value)[:80], "one of " + ", ".join(words))
        else:
            found[option] = words[value]
    return found
