"""Who somebody is, and names that nobody can guess: match ids, session ids, seat tokens."""

from __future__ import annotations

import hashlib
import re
import secrets
from base64 import b64encode
from dataclasses import dataclass
from enum import StrEnum
from ipaddress import IPv6Address, ip_address
from typing import Final
from urllib.parse import unquote

from rivalry_engine.error import RivalryError


class Kind(StrEnum):
    """What somebody was known by."""

    BOT = "bot"
    """A bot's token."""
    SEAT = "seat"
    """The token of one seat."""
    OPERATOR = "operator"
    """An operator's token."""
    OWNER = "owner"
    """The token of an owner of bots."""
    ADDRESS = "address"
    """No token: the address that the call came from."""


@dataclass(frozen=True, slots=True)
class Identity:
    """Whoever opens sessions and makes calls: limits are counted for it, and logs name it.

    ``key`` is a token's id, the beginning of a seat token's fingerprint, or an address.
    """

    kind: Kind
    key: str
    name: str = ""

    @property
    def local(self) -> bool:
        """True if it is a program of this machine that showed no token."""
        return self is LOCAL or self == LOCAL

    def __str__(self) -> str:
        return f"{self.kind} {self.key} ({self.name})" if self.name else f"{self.kind} {self.key}"


LOCAL: Final = Identity(Kind.ADDRESS, "of this machine")


def of_address(peer: str) -> Identity:
    """The identity of somebody without a token, from what gRPC calls a peer: ``ipv4:…``, ``ipv6:…``, ``unix:…``.

    All addresses of an IPv6 subnet are one identity, since whoever has one of them has all of them.
    """
    family, _, rest = peer.partition(":")
    if family not in ("ipv4", "ipv6"):
        return LOCAL
    host = unquote(rest).rpartition(":")[0].strip("[]").partition("%")[0]
    try:
        address = ip_address(host)
    except ValueError:
        return Identity(Kind.ADDRESS, host[:64])
    if isinstance(address, IPv6Address):
        address = address.ipv4_mapped or address
    if address.is_loopback:
        return LOCAL
    if isinstance(address, IPv6Address):
        return Identity(Kind.ADDRESS, f"{IPv6Address(int(address) >> 64 << 64)}/64")
    return Identity(Kind.ADDRESS, str(address))


def of_seat(fingerprint: bytes) -> Identity:
    """The identity of whoever shows the token of a seat."""
    return Identity(Kind.SEAT, fingerprint.hex()[:12])


def match_id() -> str:
    """A new match id: 32 hex digits."""
    return secrets.token_hex(16)


def next_match_id(match_id: str) -> str:
    """The id of the run that is made in place of another: always the same."""
    return hashlib.sha256(f"{match_id}/again".encode()).hexdigest()[:32]


def checked_match_id(text: str) -> str:
    """``text`` if it is a match id; raises RivalryError else."""
    if re.fullmatch(r"[0-9a-f]{32}", text) is None:
        raise RivalryError(f"match id {text!r}: expected 32 hex digits in lower case")
    return text


def session_id() -> str:
    """A new session id, for logs: 16 hex digits."""
    return secrets.token_hex(8)


def token() -> str:
    """A new token: 32 characters that go into a header and onto a command line as they are."""
    return written(secrets.token_bytes(24))


def written(secret: bytes) -> str:
    """The token of 24 bytes: base64 with ``.`` and ``_``, so that none begins as an option of a command does."""
    return b64encode(secret, b"._").decode()


def resume_token() -> bytes:
    """A new token with which a session goes on over another stream."""
    return secrets.token_bytes(32)


def key(token: bytes) -> bytes:
    """What is kept of a resume token."""
    return hashlib.sha256(token).digest()


def fingerprint(token: str) -> bytes:
    """What is kept of a token and looked up: finding it takes the same time whatever was guessed."""
    return hashlib.sha256(token.encode()).digest()
