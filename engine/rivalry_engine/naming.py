"""Names of games: a game of a family is called FAMILY:NAME."""

from __future__ import annotations

from collections.abc import Container


def family_of(game: str) -> str:
    """The family that a game's name says it belongs to; empty for a game that stands alone."""
    family, colon, _ = game.partition(":")
    return family if colon else ""


def among(game: str, games: Container[str]) -> bool:
    """True if ``games`` holds the name ``game``, or the name of its family."""
    return game in games or (":" in game and family_of(game) in games)
