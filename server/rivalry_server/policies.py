"""What follows when a seat ends other than normally."""

from __future__ import annotations

from dataclasses import dataclass, fields
from enum import StrEnum
from typing import TYPE_CHECKING

from rivalry_engine.error import RivalryError
from rivalry_server.outcome import End

if TYPE_CHECKING:
    from rivalry.arena.v1 import outcome_pb2


class Policy(StrEnum):
    """What follows when a seat ends other than normally."""

    STAND_IN = "stand-in"
    """The end is recorded and the first choice is played for the seat from there on."""
    END = "end"
    """The match stops; the others end normally and are ranked by the scores of that moment."""
    VOID = "void"
    """The match has no result: no scores, no ranks."""


def policy(text: str) -> Policy:
    """The policy of a word; raises RivalryError that lists the three."""
    try:
        return Policy(text)
    except ValueError:
        raise RivalryError(f"policy {text!r}; expected one of {', '.join(Policy)}") from None


@dataclass(frozen=True, slots=True)
class Policies:
    """One policy for each way a seat can fail."""

    on_illegal: Policy = Policy.STAND_IN
    on_timeout: Policy = Policy.STAND_IN
    on_disconnect: Policy = Policy.STAND_IN
    on_crash: Policy = Policy.STAND_IN
    on_no_show: Policy = Policy.STAND_IN

    def on(self, end: End) -> Policy:
        """The policy for one end; a seat that resigned is always played on by the stand-in."""
        return Policy.STAND_IN if end is End.RESIGNED else Policy(getattr(self, f"on_{end}"))

    def texts(self) -> dict[str, str]:
        """Each policy under its name, as records and logs hold them."""
        return {field.name: str(getattr(self, field.name)) for field in fields(self)}

    def message(self) -> outcome_pb2.Policies:
        """The same as a message."""
        from rivalry.arena.v1 import outcome_pb2

        words = {field.name: f"POLICY_{Policy(getattr(self, field.name)).name}" for field in fields(self)}
        return outcome_pb2.Policies(**words)

    @staticmethod
    def of(message: outcome_pb2.Policies) -> Policies:
        """From a message; unspecified and unknown values are stand-in."""
        known = {2: Policy.END, 3: Policy.VOID}
        return Policies(
            **{field.name: known.get(getattr(message, field.name), Policy.STAND_IN) for field in fields(Policies)}
        )
