"""What a bot says first."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from rivalry.arena.v1 import session_pb2
from rivalry_client.bot import Bot
from rivalry_engine.error import RivalryError

PROTOCOL: Final = 1
"""The protocol version spoken here."""

RESUME: Final = "resume"
"""The feature of a client that comes back when its stream is lost, and acknowledges the end of each match."""

WORDS: Final = ("legal_text", "view_text")
"""The features of a bot that plays by text."""


def protocol() -> session_pb2.VersionRange:
    """The protocol versions spoken here."""
    return session_pb2.VersionRange(least=PROTOCOL, most=PROTOCOL)


def hello(bot: type[Bot], *, name: str, matches: int, prompts: int, resume: bool = False) -> session_pb2.Hello:
    """The first message of a session; with ``resume`` it says that the bot comes back when its stream is lost."""
    return session_pb2.Hello(
        protocol=protocol(),
        name=name,
        version=bot.version,
        library="rivalry-python",
        games=bot.games,
        matches=matches,
        prompts=prompts,
        features=_features(bot, resume=resume),
    )


def _features(bot: type[Bot], *, resume: bool) -> Sequence[str]:
    words = WORDS if bot.wants_view else ()
    return list(dict.fromkeys((*_asked(bot), *words, *((RESUME,) if resume else ()))))


def _asked(bot: type[Bot]) -> Sequence[str]:
    if bot.features is not None:
        return bot.features
    if not bot.games:
        return ()
    from rivalry_engine import catalog

    try:
        for game in bot.games:
            catalog.rules(game)
    except RivalryError:
        return ("legal_text",)
    return ()
