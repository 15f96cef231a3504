"""What the statistics are computed from: matches that count, each in its block."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Played:
    """One match that counts.

    Raises ValueError when the seats of its fields differ in number.
    """

    block: str
    """The unit of analysis: all its matches share one seed."""
    match: str
    """The match id."""
    bots: tuple[str, ...]
    """By seat: the entrant's name; the same name may hold several seats."""
    ranks: tuple[int, ...]
    """By seat, from 1; equals share one."""
    scores: tuple[int, ...]
    """By seat."""
    ends: tuple[str, ...]
    """By seat: normal, illegal, timeout, …"""
    transcript: str
    """SHA-256 over game, options, actions and scores without the seed: copies have the same."""

    def __post_init__(self) -> None:
        seats = {len(self.bots), len(self.ranks), len(self.scores), len(self.ends)}
        if len(seats) != 1:
            raise ValueError(
                f"match {self.match} has {len(self.bots)} bots, {len(self.ranks)} ranks, {len(self.scores)} scores and "
                f"{len(self.ends)} ends: one of each a seat"
            )
