"""Targets: where an arena is, or where a bot waits, as people write it."""

from __future__ import annotations

from typing import Final

from rivalry_engine.error import RivalryError

FORMS: Final = "host:port, [v6]:port or unix:/path"


class TargetError(RivalryError):
    """A text that is no target."""


def checked(text: str, what: str = "address", *, least_port: int = 1) -> str:
    """``text`` if it is one of FORMS; raises TargetError, which calls it ``what``.  Port 0 lets a host take any."""
    if text.startswith("unix:") and len(text) > len("unix:"):
        return text
    host, colon, port = text.rpartition(":")
    bare = ":" not in host or (host.startswith("[") and host.endswith("]"))
    number = int(port) if port.isascii() and port.isdecimal() and len(port) < 6 else -1
    if colon and host and bare and not set(host) & set("/ ") and least_port <= number < 65_536:
        return text
    raise TargetError(f"{what} {text!r}: expected {FORMS}")
