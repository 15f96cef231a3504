"""What leaves the game: its setup, the lots that are over, and what a seat sees."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from rivalry_engine.game import PUBLIC, Observation, View


@dataclass(frozen=True, slots=True)
class AuctionSetup(View):
    """How many lots there are, and who wins a tie."""

    lots: int
    ties: str

    def json(self) -> dict[str, Any]:
        return {"lots": self.lots, "ties": self.ties}


@dataclass(frozen=True, slots=True)
class Lot:
    """A lot that is over: each seat's bid, who won (PUBLIC for nobody) and what was paid, in coins."""

    bids: tuple[int, ...]
    winner: int
    paid: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class AuctionObservation(Observation):
    """What ``seat`` may know.

    ``worth`` is what each lot up to the present one is worth to it, empty for the public; ``purses`` are everybody's
    coins; ``over`` are the lots that are over; ``final`` is what every lot was worth to every seat, by seat, once all
    are over, else empty.
    """

    seat: int
    lots: int
    worth: tuple[int, ...]
    purses: tuple[tuple[int, ...], ...]
    over: tuple[Lot, ...]
    final: tuple[tuple[int, ...], ...] = ()

    def json(self) -> dict[str, Any]:
        return {
            "seat": None if self.seat == PUBLIC else self.seat,
            "lots": self.lots,
            "worth": list(self.worth),
            "purses": [list(purse) for purse in self.purses],
            "over": [
                {
                    "bids": list(lot.bids),
                    "winner": None if lot.winner == PUBLIC else lot.winner,
                    "paid": list(lot.paid),
                }
                for lot in self.over
            ],
            "final": [list(worth) for worth in self.final],
        }
