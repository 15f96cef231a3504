"""The options: declared, and with map and preset resolved (FO4.5).

A flag that is given counts; else what the preset says; else what the map's file says; else the default.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Final

from rivalry_engine.error import OptionError
from rivalry_engine.foederati import maps
from rivalry_engine.foederati.map_reading import STALL_MOST
from rivalry_engine.foederati.maps import Map
from rivalry_engine.option import Option, OptionValue
from rivalry_engine.prompt import shown

PRESETS: Final[Mapping[str, Mapping[str, Any]]] = MappingProxyType(
    {
        "seed": {
            "scoring_scope": "seed",
            "final_tribal": "if-red",
            "attack_full_seas": False,
            "attack_needs_opening_card": False,
            "attacker_loses_shield_on_failure": True,
            "battle_tie_to": "defender",
            "stall_rounds": 10,
            "start_spaces": 0,
        },
        "red-only": {
            "scoring_scope": "red-only",
            "final_tribal": "always",
            "attack_full_seas": True,
            "attack_needs_opening_card": True,
            "attacker_loses_shield_on_failure": True,
            "battle_tie_to": "defender",
            "stall_rounds": 10,
            "start_spaces": 1,
        },
    }
)
SEATS: Final = tuple(str(seat) for seat in range(maps.SEATS[-1]))

PRESET: Final = Option(
    "preset",
    "word",
    "seed",
    tuple(PRESETS),
    "sets all flags that are not given by themselves; flags are recorded (FO4.5)",
)
DECLARED: Final[tuple[Option, ...]] = (
    PRESET,
    Option(
        "scoring_scope", "word", "seed", ("seed", "red-only"),
        "when a round with foundings scores: seed, always, tribes on red; red-only, all three on red alone (FO8.3)",
    ),
    Option(
        "final_tribal", "word", "if-red", ("if-red", "always"), "whether tribes count at the end without red (FO8.2)"
    ),
    Option("attack_full_seas", "flag", False, (), "squares of a sea that is full may be attacked (FO7)"),
    Option("attack_needs_opening_card", "flag", False, (), "an attack needs one card or more (FO7)"),
    Option("attacker_loses_shield_on_failure", "flag", True, (), "a failed attack costs a shield of the supply (FO7)"),
    Option("battle_tie_to", "word", "defender", ("defender", "attacker"), "who wins a battle of equal strengths (FO7)"),
    Option("stall_rounds", "integer", 10, (), "so many rounds in which nothing stirs end the game, from 1 (FO8.2)"),
    Option("start_spaces", "integer", 0, (0, 1), "the space on the score track of the first player (FO5)"),
    Option("first_player", "word", "random", ("random", *SEATS), "the seat that begins, or random (FO5)"),
    Option("map", "json", {}, (), "a map as JSON; {} is the one that is built in (FO4.5)"),
)  # fmt: skip


def read_map(value: OptionValue) -> Map:
    """The map that the option ``map`` means; raises OptionError that names the path of what cannot be used."""
    if value == {}:
        return maps.usual()
    try:
        return Map(value)
    except RecursionError:
        raise OptionError("option map: nested too deep; expected a map") from None


def given_by_name(options: Mapping[str, OptionValue], board: Map) -> dict[str, OptionValue]:
    """The options with preset and map resolved into flags: what is given by itself, the preset's, the map's."""
    given = dict(options)
    preset = PRESET.checked(given.pop("preset", PRESET.default))
    found: dict[str, OptionValue] = dict(board.flags) if "preset" not in options else {}
    if "preset" in options:
        found.update(PRESETS[preset])
    found.update(given)
    first = found.get("first_player")
    if isinstance(first, int) and not isinstance(first, bool):
        found["first_player"] = str(first)
    found["map"] = {} if board.text == maps.usual().text else board.json
    return found


def check(options: Mapping[str, OptionValue]) -> None:
    """What the declarations alone cannot say."""
    seats, first, stall = options["seats"], options["first_player"], options["stall_rounds"]
    if first != "random" and int(first) >= seats:
        raise OptionError(f"option first_player: {first!r} with {seats} seats; expected random or 0 to {seats - 1}")
    if not 1 <= stall <= STALL_MOST:
        raise OptionError(f"option stall_rounds: {shown(stall)}; expected an integer from 1 to {STALL_MOST}")
