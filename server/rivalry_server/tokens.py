"""Tokens that live long: how they are written, and the file that keeps them hashed.

``rvb_ID_SECRET`` lets a bot ask for sessions, ``rvo_ID_SECRET`` an operator make matches, ``rvw_ID_SECRET`` an owner
register bots at a ladder.  ID is public and stands in logs; of SECRET the file keeps the SHA-256 alone.  Tokens of
seats are ``identity.token`` and live in the lobby.
"""

from __future__ import annotations

import hashlib
import hmac
import re
import secrets
from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any, Final, Self

from rivalry_engine.error import RivalryError

NAME_MOST: Final = 64
_ALPHABET: Final = "abcdefghijkmnpqrstuvwxyz23456789"
_FORM: Final = re.compile(r"rv(?P<kind>[bow])_(?P<id>[a-z0-9]{10})_(?P<secret>[A-Za-z0-9_-]{43})")
_NOBODYS: Final = hashlib.sha256(secrets.token_bytes(32)).hexdigest()
"""Compared with where no token has the id, so that this takes as long."""


class TokenError(RivalryError):
    """A token that cannot be made, found or revoked, or a file of tokens that cannot be used."""


class Kind(StrEnum):
    """What a token is good for."""

    BOT = "bot"
    OPERATOR = "operator"
    OWNER = "owner"

    @property
    def letter(self) -> str:
        """What stands for it in a token."""
        return "w" if self is Kind.OWNER else self.value[0]


@dataclass(frozen=True, slots=True)
class Token:
    """What is kept of one token.  Times are whole seconds since 1970."""

    token_id: str
    kind: Kind
    name: str
    created: int
    digest: str
    """SHA-256 of the secret, in hex."""
    expires: int | None = None
    revoked: int | None = None

    @classmethod
    def made(cls, kind: Kind, name: str, *, now: float, lasts_s: float | None = None) -> tuple[Self, str]:
        """A new token and its text, which is kept nowhere; raises TokenError for a name that is none."""
        if not 1 <= len(name) <= NAME_MOST or not name.isprintable():
            raise TokenError(f"the name {name[:80]!r} of a token: expected 1 to {NAME_MOST} printable characters")
        token_id = "".join(secrets.choice(_ALPHABET) for _ in range(10))
        secret = secrets.token_urlsafe(32)
        expires = None if lasts_s is None else int(now + lasts_s)
        token = cls(token_id, kind, name, int(now), _digest(secret), expires)
        return token, f"rv{kind.letter}_{token_id}_{secret}"

    @classmethod
    def of(cls, row: Any) -> Self:
        """The token of a row of the file; raises TokenError."""
        expected = {"id", "kind", "name", "created", "digest", "expires", "revoked"}
        if not isinstance(row, dict) or row.keys() != expected:
            raise TokenError("a token has other fields than this version of rivalry writes")
        times = (row["created"], row["expires"] or 0, row["revoked"] or 0)
        if not all(type(time) is int for time in times) or row["kind"] not in list(Kind):
            raise TokenError("a token's kind or times cannot be read")
        words = (row["id"], row["name"], row["digest"])
        if not all(isinstance(word, str) for word in words) or re.fullmatch(r"[0-9a-f]{64}", row["digest"]) is None:
            raise TokenError("a token's id, name or digest cannot be read")
        token_id, name, digest = words
        return cls(token_id, Kind(row["kind"]), name, row["created"], digest, row["expires"], row["revoked"])

    def row(self) -> dict[str, Any]:
        """The token as the file holds it."""
        return {
            "id": self.token_id,
            "kind": self.kind.value,
            "name": self.name,
            "created": self.created,
            "digest": self.digest,
            "expires": self.expires,
            "revoked": self.revoked,
        }

    def ended(self, now: float) -> str:
        """``revoked`` or ``expired`` if the token is good for nothing any more; empty while it is good."""
        if self.revoked is not None:
            return "revoked"
        if self.expires is not None and now >= self.expires:
            return "expired"
        return ""

    def revoke(self, now: float) -> Self:
        """The token from now on; raises TokenError if it was revoked before."""
        if self.revoked is not None:
            raise TokenError(f"token {self.token_id} was revoked before")
        return replace(self, revoked=int(now))


def shown(text: str, tokens: Mapping[str, Token]) -> Token | None:
    """The token among ``tokens``, by id, that ``text`` is, whether or not it is still good; None if it is none.

    A secret is compared in constant time, and an id that nobody has takes as long as one that somebody has.
    """
    read = _FORM.fullmatch(text)
    if read is None:
        return None
    token = tokens.get(read["id"])
    same = hmac.compare_digest(_digest(read["secret"]), _NOBODYS if token is None else token.digest)
    return token if token is not None and same and token.kind.letter == read["kind"] else None


def _digest(secret: str) -> str:
    return hashlib.sha256(secret.encode()).hexdigest()
