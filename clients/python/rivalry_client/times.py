"""Times as bots get them: seconds, from the microseconds of the wire."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rivalry_client.match import Measured, TimeControl, TimeSpent

if TYPE_CHECKING:
    from rivalry.arena.v1 import time_pb2


def time_control(message: time_pb2.TimeControl) -> TimeControl:
    """The whole time control; the first prompt has the limit of the others where it has none of its own."""

    def seconds(field: str) -> float | None:
        return getattr(message, field) / 1e6 if message.HasField(field) else None

    prompt_s = seconds("prompt_us")
    return TimeControl(
        prompt_s=prompt_s,
        first_prompt_s=seconds("first_prompt_us") if message.HasField("first_prompt_us") else prompt_s,
        soft_s=seconds("soft_us"),
        strikes=message.strikes,
        bank_s=seconds("bank_us"),
        increment_s=message.increment_us / 1e6,
        margin_s=seconds("margin_us"),
        watchdog_s=seconds("watchdog_us"),
    )


def measured(message: time_pb2.Measured) -> Measured:
    """What was measured of one decision."""
    return Measured(
        message.number,
        message.elapsed_us / 1e6,
        message.network_us / 1e6,
        message.arena_us / 1e6,
        message.charged_us / 1e6,
    )


def spent(message: time_pb2.TimeSpent) -> TimeSpent:
    """What the decisions of a whole match took."""
    return TimeSpent(message.bot_us / 1e6, message.network_us / 1e6, message.arena_us / 1e6, message.charged_us / 1e6)
