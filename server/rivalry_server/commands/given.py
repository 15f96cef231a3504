"""What people give on the command line, read: options of a game, seeds, files of JSON."""

from __future__ import annotations

import json
import secrets
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import click

from rivalry_engine import catalog
from rivalry_engine.chance import seed_from_text
from rivalry_engine.error import RivalryError
from rivalry_engine.game import Game, State
from rivalry_engine.option import Option, OptionValue
from rivalry_server import files
from rivalry_server.commands import output

game_option = click.option(
    "--game", "game_name", required=True, metavar="GAME", help="The game; `rivalry games` lists them."
)
option_option = click.option(
    "--option", "pairs", multiple=True, metavar="K=V", help="An option of the game; lists with commas. May be repeated."
)
json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON and nothing else on stdout.")


def options(game_name: str, pairs: Sequence[str]) -> dict[str, OptionValue]:
    """The options of a game from texts ``k=v``; raises OptionError, UnknownGameError, or UsageError on another form."""
    return values(game_name, pairs, {option.name: option for option in catalog.rules(game_name).options_declared()})


def values(game_name: str, pairs: Sequence[str], declared: Mapping[str, Option]) -> dict[str, OptionValue]:
    """The same for a game that has the options ``declared``, by name."""
    read: dict[str, OptionValue] = {}
    for pair in pairs:
        name, equals, text = pair.partition("=")
        if not equals:
            raise click.UsageError(f"--option {pair}: expected K=V, for example --option seats=4")
        if name in read:
            raise click.UsageError(f"--option {pair}: {name} was given before; give it once")
        if name not in declared:
            raise click.UsageError(f"--option {pair}: {game_name} has no option {name!r}; it has {', '.join(declared)}")
        option = declared[name]
        read[name] = _json(pair, option, text) if option.kind == "json" else option.from_text(text)
    return read


def _json(pair: str, option: Option, text: str) -> OptionValue:
    """The value of an option of kind JSON: written out, or in the file whose path is given; raises UsageError."""
    try:
        return option.checked(json.loads(text, object_pairs_hook=_once))
    except RecursionError as error:
        raise click.UsageError(f"--option {option.name}: nested too deep") from error
    except ValueError as error:
        if isinstance(error, RivalryError):
            raise
    try:
        return option.checked(document(text, expected="a JSON value"))
    except OSError as error:
        shown = pair if len(pair) <= 80 else pair[:79] + "…"
        raise click.UsageError(
            f"--option {shown}: {error.strerror}; expected JSON, or the path of a file that holds it"
        ) from error


def installed() -> tuple[list[type[Game]], dict[str, catalog.Family]]:
    """All games that can be loaded, and all families by name; of each other entry a line is told."""
    games: list[type[Game]] = []
    families: dict[str, catalog.Family] = {}
    for name in catalog.names():
        try:
            family = catalog.family(name)
            if family is None:
                games.append(catalog.rules(name))
            else:
                families[name] = family
        except RivalryError as error:
            output.tell(f"rivalry: {error}")
    return games, families


def seed(text: str | None) -> bytes:
    """The seed of ``--seed``: the text's bytes, raw bytes after ``0x``, or 32 by chance where none was given."""
    return secrets.token_bytes(32) if text is None else seed_from_text(text)


def utf8(option: str, text: str) -> str:
    """``text``, which goes over the wire; raises UsageError when it is no text."""
    try:
        text.encode()
    except UnicodeEncodeError as error:
        raise click.UsageError(f"{option} {text!r}: expected text in UTF-8") from error
    return text


def content(path: str, *, most: int = files.TEXT_MOST) -> bytes:
    """The bytes of a file, or of stdin for ``-``; an OSError names the file, also where it has more than ``most``."""
    if path != "-":
        return files.content(Path(path), most=most)
    with files.reading(path):
        return files.bounded(sys.stdin.buffer, path, most=most)


def record(path: str) -> bytes:
    """The same of a record."""
    return content(path, most=files.RECORD_MOST)


def document(path: str, *, expected: str = "a position, as `rivalry position new` prints") -> Any:
    """The JSON value in a file, or on stdin for ``-``; raises UsageError that says where it breaks."""
    try:
        return json.loads(content(path), object_pairs_hook=_once)
    except RecursionError as error:
        raise click.UsageError(f"{path}: nested too deep; expected {expected}") from error
    except ValueError as error:
        raise click.UsageError(f"{path}: not JSON ({error}); expected {expected}") from error


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object whose keys are all different; raises UsageError."""
    made = dict(pairs)
    if len(made) < len(pairs):
        keys = [key for key, _ in pairs]
        double = next(key for key in keys if keys.count(key) > 1)
        raise click.UsageError(f"key {double!r} is there twice; give it once")
    return made


def position(path: str) -> tuple[State, Any]:
    """The state of the position in a file, or on stdin for ``-``, and the position as it is written there."""
    written = document(path)
    try:
        return catalog.state_at(written), written
    except RecursionError as error:
        raise click.UsageError(f"{path}: nested too deep; expected a position") from error


def state(path: str) -> State:
    """The state of the position in a file, or on stdin for ``-``."""
    return position(path)[0]
