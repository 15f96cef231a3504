"""Names of bots, versions, digests, and the label that a version has in tables."""

from __future__ import annotations

import re
from typing import Final

from rivalry_ladder.error import LadderError

_NAME: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,39}")
_DIGEST: Final = re.compile(r"(?:sha256:)?([0-9a-f]{64})")
VERSION_MOST: Final = 64
OWNER_MOST: Final = 64


def checked_name(name: str, what: str) -> str:
    """``name`` if a bot, a queue or a season may be called so; raises LadderError."""
    if _NAME.fullmatch(name) is None:
        raise LadderError(f"{what}: the name {name[:60]!r}: expected 1 to 40 of A-Z, a-z, 0-9, '.', '_' and '-'")
    return name


def checked_version(version: str, what: str) -> str:
    """``version`` if it is what a bot may say in its hello; raises LadderError."""
    if not 1 <= len(version) <= VERSION_MOST or not version.isprintable():
        raise LadderError(
            f"{what}: the version {version[:80]!r}: expected 1 to {VERSION_MOST} printable characters, "
            "the same as the bot says in its hello"
        )
    return version


def checked_owner(owner: str, what: str) -> str:
    """``owner`` if somebody who has bots may be called so; raises LadderError."""
    if not 1 <= len(owner) <= OWNER_MOST or not owner.isprintable():
        raise LadderError(f"{what}: the owner {owner[:80]!r}: expected 1 to {OWNER_MOST} printable characters")
    return owner


def checked_digest(digest: str, what: str) -> str:
    """The 64 hex digits of a digest, or nothing where none is given; raises LadderError."""
    found = _DIGEST.fullmatch(digest.lower())
    if digest and found is None:
        raise LadderError(f"{what}: the digest {digest[:80]!r}: expected a SHA-256, 64 hex digits, or none")
    return "" if found is None else found[1]


def label(bot: str, version: str) -> str:
    """What a version is called in tables; a bot's name has no @."""
    return f"{bot}@{version}"
