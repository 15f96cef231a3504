"""The bots that are installed: found by entry point ``rivalry.bots``, ours and everybody's in the same way.

A specification is ``NAME`` or ``module:Class``, with settings behind a question mark: ``NAME?key=value&key=value``.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from rivalry_client.bot import Bot
from rivalry_client.local import LocalBot
from rivalry_engine.error import RivalryError
from rivalry_engine.naming import among

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

GROUP = "rivalry.bots"
OWN = "MODULE:CLASS"
"""How a class of one's own is named here; on the command line of a match it is ``inproc:MODULE:CLASS``."""


class UnknownBotError(RivalryError):
    """A name under which no bot is installed, or a class that is none."""


class Spec(NamedTuple):
    """A bot as somebody wrote it: its name (or ``module:Class``) and its settings as texts."""

    name: str
    settings: Mapping[str, str]


def parsed(text: str) -> Spec:
    """The specification in ``text``; raises RivalryError when its settings are not ``key=value&…``."""
    name, mark, rest = text.partition("?")
    if not mark:
        return Spec(name, {})
    from urllib.parse import parse_qsl

    try:
        pairs = parse_qsl(rest, keep_blank_values=True, strict_parsing=True)
    except ValueError:
        raise RivalryError(f"bot {text!r}: {rest!r} are no settings; expected {name}?key=value&key=value") from None
    return Spec(name, dict(pairs))


@cache
def _entries() -> dict[str, EntryPoint]:
    from rivalry_engine import entries

    return entries.installed(GROUP)


def names() -> list[str]:
    """The names of all bots, sorted, those that misbehave on purpose (``bad-…``) last."""
    return sorted(_entries(), key=lambda name: (name.startswith("bad-"), name))


def names_for(game: str) -> list[str]:
    """The names of the bots that play ``game``, mean well and are not private, sorted.

    One that cannot be loaded is left out: whoever asks for it by name is told why.
    """
    seated = {name: bot for name in names() if (bot := _found(name)) and not (bot.needs_wire or bot.private)}
    return [
        name for name, bot in seated.items() if (not bot.games or among(game, bot.games)) and _can_imagine(bot, game)
    ]


def _found(name: str) -> type[Bot] | None:
    try:
        return bot_class(name)
    except Exception:  # whatever a package of somebody else's does when it is imported
        return None


def path(name: str, *, own: str = OWN) -> str:
    """``module:Class`` of the bot ``name``; raises UnknownBotError that lists what there is, RivalryError where several
    packages have that name.

    ``own`` is how the caller's user would name a class of their own.
    """
    if ":" in name:
        return name
    entry = _entries().get(name)
    if entry is None:
        from difflib import get_close_matches

        near = "".join(f"did you mean {close}? " for close in get_close_matches(name, names(), 1))
        raise UnknownBotError(
            f"there is no bot {name!r}; {near}installed are {', '.join(names())}; a class of yours is {own}"
        )
    from rivalry_engine import entries

    entries.refuse_rivals(GROUP, name)
    return entry.value


def bot_class(name: str, *, own: str = OWN) -> type[Bot]:
    """The class of a bot by name or ``module:Class``; raises UnknownBotError, which tells ``own`` as ``path`` does."""
    from importlib import import_module

    module_name, _, class_name = path(name, own=own).partition(":")
    if not all(part.isidentifier() for part in (*module_name.split("."), class_name)):
        raise UnknownBotError(f"bot {name!r}: expected module:Class, such as my_bot:MyBot")
    try:
        found = getattr(import_module(module_name), class_name)
    except ModuleNotFoundError as error:
        raise UnknownBotError(f"bot {name!r}: {error}; run from the folder it is in, or install it") from error
    except AttributeError as error:
        raise UnknownBotError(f"bot {name!r}: module {module_name} has no {class_name!r}") from error
    if not (isinstance(found, type) and issubclass(found, Bot)):
        raise UnknownBotError(f"bot {name!r} is {found!r}; expected a subclass of rivalry_client.Bot")
    return found


def local(text: str, game: str = "", *, own: str = OWN) -> LocalBot:
    """The bot of a specification as a function for this process: a chooser of ``rivalry_engine.playout.play``.

    Raises RivalryError when there is none, a setting is wrong, it needs a stream, or it does not play ``game``.
    """
    spec = parsed(text)
    bot = bot_class(spec.name, own=own)
    settings = bot.settings_from(spec.settings)
    check_plays(bot, game)
    return LocalBot(bot, settings)


def command(text: str, game: str = "") -> tuple[str, ...]:
    """The command line that runs the bot of a specification as a process; raises RivalryError as ``local`` does.

    It names the class, so that the process need not search what is installed.
    """
    spec = parsed(text)
    bot = bot_class(spec.name, own=f"inproc:{OWN}")
    bot.settings_from(spec.settings)
    check_plays(bot, game)
    if game and bot.needs_imagination and _travels_as_json(game):
        raise RivalryError(
            f"bot {bot.shown_name()} imagines states, and {game} travels as JSON, from which none can be imagined:"
            f" seat it in the arena's process, as inproc:{text}, or give the game a rivalry_wire.json_codec.JsonCodec"
        )
    _, mark, settings = text.partition("?")
    return (sys.executable, "-m", "rivalry_bots", f"{bot.__module__}:{bot.__qualname__}{mark}{settings}")


def _travels_as_json(game: str) -> bool:
    """True if no typed observation of ``game`` comes over the wire; imports what reads the wire."""
    from rivalry_wire.codec import travels_as_json

    return travels_as_json(game)


def check_plays(bot: type[Bot], game: str) -> None:
    """Raises RivalryError when the bot does not play ``game``; an empty ``game`` is any."""
    if game and bot.games and not among(game, bot.games):
        raise RivalryError(f"bot {bot.shown_name()} plays {', '.join(bot.games)}, not {game}")
    if game and not _can_imagine(bot, game):
        raise RivalryError(f"bot {bot.shown_name()} plays games that can imagine states; {game} cannot")


def _can_imagine(bot: type[Bot], game: str) -> bool:
    """False if the bot needs a game that imagines states and ``game`` is known not to."""
    if not bot.needs_imagination or not game:
        return True
    from rivalry_engine import catalog

    return not catalog.is_known(game) or catalog.rules(game).imagines
