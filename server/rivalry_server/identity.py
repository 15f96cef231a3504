"""Names that nobody can guess: match ids, session ids, seat tokens."""

from __future__ import annotations

import hashlib
import re
import secrets

from rivalry_engine.error import RivalryError


def match_id() -> str:
    """A new match id: 32 hex digits."""
    return secrets.token_hex(16)


def checked_match_id(text: str) -> str:
    """``text`` if it is a match id; raises RivalryError else."""
    if re.fullmatch(r"[0-9a-f]{32}", text) is None:
        raise RivalryError(f"match id {text!r}: expected 32 hex digits in lower case")
    return text


def session_id() -> str:
    """A new session id, for logs: 16 hex digits."""
    return secrets.token_hex(8)


def token() -> str:
    """A new token: 32 characters that go into a header as they are."""
    return secrets.token_urlsafe(24)


def resume_token() -> bytes:
    """A new token with which a session goes on over another stream."""
    return secrets.token_bytes(32)


def key(token: bytes) -> bytes:
    """What is kept of a resume token."""
    return hashlib.sha256(token).digest()


def fingerprint(token: str) -> bytes:
    """What is kept of a token and looked up: finding it takes the same time whatever was guessed."""
    return hashlib.sha256(token.encode()).digest()
