"""OpenSpiel's games on the wire: JSON, which is read as their own observations where OpenSpiel is installed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rivalry_openspiel.notation import action_read
from rivalry_openspiel.seen import Sight
from rivalry_wire.json_codec import JsonCodec


class OpenSpielCodec(JsonCodec):
    """Of every game of the family: a part is an action."""

    def observed(self, seat: int, facts: Mapping[str, Any]) -> Sight:
        return Sight(seat, facts)

    def part(self, text: str) -> int:
        return action_read(text)
