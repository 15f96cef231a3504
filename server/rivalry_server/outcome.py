"""How a match ends: for each seat its end, score and rank, and the whole as a result."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, Any

from rivalry_client.match import Outcome, SeatOutcome
from rivalry_engine.game import Game
from rivalry_server.seat_clock import NOTHING, Spent
from rivalry_server.words import shortened as shortened

if TYPE_CHECKING:
    from rivalry.arena.v1 import outcome_pb2


class End(StrEnum):
    """How a seat's part in a match ended."""

    NORMAL = "normal"
    ILLEGAL = "illegal"
    TIMEOUT = "timeout"
    DISCONNECT = "disconnect"
    CRASH = "crash"
    NO_SHOW = "no_show"
    RESIGNED = "resigned"
    ARENA_FAULT = "arena_fault"
    CANCELLED = "cancelled"


@dataclass(frozen=True, slots=True)
class SeatResult:
    """How a match ended for one seat.

    ``bot`` is the seat's specification as its organiser gave it, ``name`` and ``version`` what the bot says of itself.
    ``score`` (in units of ``Game.score_unit``) and ``rank`` (from 1, equals share) are None when the match is void.
    ``decisions`` counts the seat's own legal answers, ``illegal`` those that were rejected, ``retries`` how often its
    bot was started or awaited again.
    """

    seat: int
    bot: str
    name: str
    version: str
    score: int | None
    rank: int | None
    end: End
    text: str
    stood_in: bool
    decisions: int
    illegal: int
    spent: Spent = NOTHING
    retries: int = 0

    def json(self) -> dict[str, Any]:
        """The seat as command line and programs read it."""
        return {
            "seat": self.seat,
            "bot": self.bot,
            "name": self.name,
            "version": self.version,
            "score": self.score,
            "rank": self.rank,
            "end": str(self.end),
            "text": self.text,
            "stood_in": self.stood_in,
            "decisions": self.decisions,
            "illegal": self.illegal,
            "spent": self.spent.json(),
            "retries": self.retries,
        }


@dataclass(frozen=True, slots=True)
class Result:
    """What came of a match.

    ``decisions`` counts all actions, the stand-in's included; ``duration_s`` runs from the first prompt to the end.
    ``text`` is what its organiser is told, ``text_told`` what everybody is.  ``game_digest`` is empty when the match is
    void.
    """

    match_id: str
    game: Game
    seed: bytes
    seats: tuple[SeatResult, ...]
    void: bool
    text: str
    text_told: str
    decisions: int
    duration_s: float
    game_digest: str
    record: Callable[[], list[str]] = field(repr=False, compare=False)
    """The lines of the record without line ends, made when asked for."""
    attempt: int = 1
    """Which run of the match this was."""
    earlier: tuple[str, ...] = ()
    """The match ids of the runs before it, which the arena spoiled."""
    owed: bool = False
    """True if the arena spoiled this run: the match is to be run again with the same seed."""

    def told(self) -> Outcome:
        """The outcome as a bot is told of it."""
        seats = tuple(
            SeatOutcome(
                seat=seat.seat,
                name=seat.name,
                score=seat.score,
                rank=seat.rank,
                end=str(seat.end),
                text=seat.text,
                stood_in=seat.stood_in,
                decisions=seat.decisions,
                illegal=seat.illegal,
                retries=seat.retries,
            )
            for seat in self.seats
        )
        return Outcome(seats, self.game.score_unit, self.void, self.text_told, self.game_digest)

    def message(self) -> outcome_pb2.Outcome:
        """The outcome as a message."""
        from rivalry.arena.v1 import outcome_pb2, time_pb2

        return outcome_pb2.Outcome(
            seats=[
                outcome_pb2.SeatOutcome(
                    seat=seat.seat,
                    name=seat.name,
                    score=seat.score,
                    rank=seat.rank,
                    end=f"END_{seat.end.name}",
                    text=seat.text,
                    stood_in=seat.stood_in,
                    decisions=seat.decisions,
                    illegal=seat.illegal,
                    spent=time_pb2.TimeSpent(**seat.spent.json()),
                    retries=seat.retries,
                )
                for seat in self.seats
            ],
            score_unit=self.game.score_unit,
            void=self.void,
            text=self.text_told,
            game_digest=self.game_digest,
        )
