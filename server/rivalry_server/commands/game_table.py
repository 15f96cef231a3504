"""Games as people and programs read them, from what is installed here and from what an arena tells alike."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rivalry_engine import catalog
from rivalry_engine.answering import answering
from rivalry_engine.counting import counted
from rivalry_engine.error import RivalryError
from rivalry_engine.game import Game
from rivalry_engine.option import Option
from rivalry_server.commands import output

Facts = dict[str, Any]


def facts(game: type[Game], *, whole: bool = False) -> Facts:
    """A game for programs; the ``whole`` of it has the rules in short and the glossary, too."""
    told: Facts = {
        "name": game.name,
        "title": game.title,
        "rules_version": game.rules_version,
        "seat_counts": list(game.seat_counts),
        "score_unit": game.score_unit,
        "imagines": game.imagines,
        "has_positions": game.has_positions,
        "heavy": game.heavy,
        "options": [option_facts(each) for each in game.options_declared()],
    }
    return told | {"primer": game.primer, "glossary": dict(game.glossary)} if whole else told


def option_facts(option: Option) -> Facts:
    """An option for programs."""
    return {
        "name": option.name,
        "kind": option.kind,
        "default": option.default,
        "allowed": list(option.allowed),
        "meaning": option.meaning,
    }


def family_facts(name: str, family: catalog.Family) -> Facts:
    """A family for programs: the whole names of its games, or why there are none here."""
    try:
        with answering(name):
            games, unavailable = [f"{name}:{each}" for each in family.names()], ""
    except RivalryError as error:
        games, unavailable = [], str(error)
    return {"name": name, "title": family.title, "games": games, "unavailable": unavailable}


def show_list(games: Sequence[Facts], families: Sequence[Facts], asked: str = "rivalry games") -> None:
    """A table of a line a game; a family is one line, which names the command that was ``asked`` for its games."""
    rows: list[tuple[str, str, str | None, int | None]] = [
        (each["name"], each["title"], _span(each["seat_counts"]), each["rules_version"]) for each in games
    ]
    for family in families:
        about = _about(family, asked)
        rows.append((f"{family['name']}:NAME", f"{family['title']} ({about})", None, None))
    output.table(("game", "title", "seats", "rules"), sorted(rows), numbers=("rules",))


def _about(family: Facts, asked: str) -> str:
    """How many games it has, or that it has none here: what is to be done about it is too long for a table."""
    if family["unavailable"]:
        return f"not installed; `{asked} {family['name']}` says what it needs"
    return f"{counted(len(family['games']), 'game')}; `{asked} {family['name']}` lists them"


def show_family(family: Facts) -> None:
    """The games of a family, a line each."""
    output.say(f"{family['name']}: {family['title']}, {counted(len(family['games']), 'game')}")
    for game in family["games"]:
        output.say(game)


def show(game: Facts) -> None:
    """A game with its options, its words and its rules in short."""
    heavy = ", heavy (an arena takes its steps beside its other work)" if game["heavy"] else ""
    span = _span(game["seat_counts"])
    seats = f"{span} seat{'' if span == '1' else 's'}"
    output.say(f"{game['name']}: {game['title']}, {seats}, rules version {game['rules_version']}{heavy}")
    options = [_option(each) for each in game["options"]]
    output.table(
        ("option", "kind", "default", "allowed", "meaning"),
        [(each.name, each.kind, _default(each.default), _allowed(each), each.meaning) for each in options],
    )
    glossary: Mapping[str, str] = game["glossary"]
    if glossary:
        output.say("")
        output.table(("word", "meaning"), list(glossary.items()))
    if game["primer"]:
        output.say("")
        output.say(game["primer"].strip("\n"))


def _option(told: Facts) -> Option:
    return Option(told["name"], told["kind"], told["default"], tuple(told["allowed"]), told["meaning"])


def _span(counts: Sequence[int]) -> str:
    least, most = min(counts, default=0), max(counts, default=0)
    return str(least) if least == most else f"{least} to {most}"


def _allowed(option: Option) -> str:
    return f"only {_default(option.allowed[0])}" if len(option.allowed) == 1 else option.wording()


def _default(value: Any) -> str:
    if value is None:
        return "by chance"
    if isinstance(value, bool):
        return str(value).lower()
    return ",".join(map(str, value)) if isinstance(value, list | tuple) else str(value)
