"""OpenSpiel's game parameters as options of ours."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final

from rivalry_engine.error import OptionError, RivalryError, UnknownGameError
from rivalry_engine.option import Option, OptionValue
from rivalry_openspiel.library import pyspiel, tried

SEATS: Final = ("players", "numPlayers", "num_players")
"""What OpenSpiel's games call the number of players: our option ``seats``."""
SEEDS: Final = "rng_seed"
"""The seed of the games that draw chance themselves: it follows from the match's."""
FILES: Final = ("filename", "instances_file", "boards_file", "word_list_file", "puzzles_root", "gamedef")
"""Parameters that name a file of the machine where the game is played: nobody who asks for a match may choose them."""
MEANINGS: Final = {
    "board_size": "how many cells a side of the board has",
    "rows": "how many rows the board has",
    "columns": "how many columns the board has",
    "num_rows": "how many rows the board has",
    "num_cols": "how many columns the board has",
    "horizon": "after how many steps the game ends at the latest",
    "max_turns": "after how many turns the game ends at the latest",
    "max_moves": "after how many moves the game ends at the latest",
    "max_game_length": "after how many moves the game ends at the latest; 0 is OpenSpiel's usual",
    "komi": "points that the second player gets for moving second",
    "handicap": "how many stones the first player begins with",
    "dice_sides": "how many sides a die has",
    "fen": "the position to begin from, in Forsyth-Edwards notation; empty is the usual one",
    "egocentric": "whether a player's observation puts the player first",
}
_NAME: Final = re.compile(r"([A-Za-z0-9_]+)(\(.*\))?", re.DOTALL)
NAME_LONGEST: Final = 500
_PLAYERS: Final = re.compile(r"\(players=([0-9]{1,4})\)")
"""What OpenSpiel itself checks well: no trial is needed."""


def short_name(name: str) -> str:
    """OpenSpiel's short name in ``name``, which may hold parameters, as ``kuhn_poker(players=3)``.

    Raises UnknownGameError.
    """
    found = _NAME.fullmatch(name)
    if found is None or len(name) > NAME_LONGEST or not name.isprintable():
        form = "a name of OpenSpiel's, or one with parameters, as kuhn_poker(players=3)"
        raise UnknownGameError(f"there is no game {'openspiel:' + name[:80]!r}; expected {form}")
    return found[1]


def pinned(name: str, kind: Any) -> tuple[dict[str, Any], bool]:
    """The parameters that stand in ``name``, of a game that OpenSpiel registers as ``kind``, and if they make it heavy.

    Raises OptionError.
    """
    text = name[len(short_name(name)) :]
    if text in ("", "()"):
        return {}, False
    for key in re.findall(r"([^(),=\s]+)\s*=", text):  # before OpenSpiel looks at any of it
        if key in FILES:
            raise OptionError(f"openspiel:{name}: {key} names a file where the game is played; it cannot be chosen")
        if key == SEEDS:
            raise OptionError(f"openspiel:{name}: {SEEDS} follows from the seed of the match; leave it out")
    players = _PLAYERS.fullmatch(text)
    heavy = False
    if players is None or not kind.min_num_players <= int(players[1]) <= kind.max_num_players:
        heavy = tried(name, None)
    return in_name(name), heavy


def in_name(name: str) -> dict[str, Any]:
    """The parameters that stand in ``name``, which OpenSpiel reads: where they are wrong it may end the process."""
    parameters = dict(pyspiel().game_parameters_from_string(name))
    del parameters["name"]
    return parameters


def seats_key(specification: Mapping[str, Any], fixed: Mapping[str, Any]) -> str | None:
    """The parameter that is our option ``seats``; None where the game has none or the name settles it."""
    return next((key for key in SEATS if key in specification and key not in fixed), None)


def declared(specification: Mapping[str, Any], fixed: Mapping[str, Any]) -> tuple[Option, ...]:
    """The options of a game: its parameters but those that the name settles or that are no options of ours."""
    options = []
    for key, default in sorted(specification.items()):
        if key in fixed or key in SEATS or key in FILES or key == SEEDS or isinstance(default, Mapping):
            continue
        meaning = MEANINGS.get(key, f"OpenSpiel's parameter {key}")
        if isinstance(default, bool):
            options.append(Option(key, "flag", default, (), meaning))
        elif isinstance(default, int):
            options.append(Option(key, "integer", default, (), meaning))
        elif isinstance(default, float):
            options.append(Option(key, "word", repr(default), (), f"{meaning}, a decimal number"))
        else:
            options.append(Option(key, "word", str(default), (), meaning))
    return tuple(options)


def chosen(
    game: str, specification: Mapping[str, Any], options: Mapping[str, OptionValue], seats: str | None
) -> dict[str, Any]:
    """The parameters that ``options`` ask for and that are not OpenSpiel's own; raises OptionError."""
    parameters: dict[str, Any] = {}
    for key, value in options.items():
        if key == "seats":
            continue
        default = specification[key]
        if isinstance(default, float):
            value = _decimal(key, value)
        elif isinstance(default, int) and not -(1 << 31) <= value < 1 << 31:
            raise OptionError(f"option {key}: {value} is not allowed; expected an integer of 32 bits")
        if value != default:
            parameters[key] = value
    if seats is not None and options["seats"] != specification[seats]:
        parameters[seats] = options["seats"]
    return parameters


def _decimal(key: str, text: str) -> float:
    try:
        number = float(text)
    except ValueError:
        number = float("nan")
    if number != number or number in (float("inf"), float("-inf")):
        raise OptionError(f"option {key}: {text!r} is not allowed; expected a decimal number, such as 7.5")
    if repr(number) != text:
        raise OptionError(f"option {key}: {text!r} is not allowed; write it as {number!r}")
    return number


def trusted(parameters: Mapping[str, Any]) -> bool:
    """True if OpenSpiel itself refuses what is wrong in ``parameters``, so that no trial is needed."""
    return not parameters or set(parameters) == {"players"}


def refusal(short: str, kind: Any) -> RivalryError | None:
    """Why a game of OpenSpiel's cannot be played here at all, whatever its parameters; None where it can."""
    spiel = pyspiel()
    specification = kind.parameter_specification
    if kind.dynamics == spiel.GameType.Dynamics.MEAN_FIELD:
        return RivalryError(
            f"openspiel:{short} is a mean-field game: one player stands for a crowd, so it has no seats"
        )
    if "filename" in specification:
        return RivalryError(
            f"openspiel:{short} reads its rules from a file, which nobody who asks for a match may name"
        )
    return None
