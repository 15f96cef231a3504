"""Events: what happened, told to each audience as it may see it."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Final, NamedTuple

NOTHING: Mapping[int, Mapping[str, Any]] = MappingProxyType({})


class Event(NamedTuple):
    """Something that happened.

    ``facts`` is for everybody, PUBLIC included; ``secrets`` holds, by seat, what that seat alone sees besides.  Values
    are integers, texts, flags, or tuples of them.  A tuple, since that is what Python makes quickest.
    """

    kind: str
    facts: Mapping[str, Any]
    secrets: Mapping[int, Mapping[str, Any]] = NOTHING


class Seen(NamedTuple):
    """An event as one audience sees it."""

    kind: str
    facts: Mapping[str, Any]


_NEW: Final = tuple.__new__
"""Makes a named tuple without the detour through its own constructor."""


def seen(event: Event, audience: int) -> Seen:
    """``event`` for a seat or PUBLIC: the only way by which an event leaves."""
    secret = event.secrets.get(audience)
    return _NEW(Seen, (event.kind, event.facts if secret is None else {**event.facts, **secret}))
