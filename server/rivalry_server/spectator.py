"""Follows a match from inside the program: the live view of the command line, and tests."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rivalry_engine.event import Seen
from rivalry_engine.game import Game
from rivalry_engine.prompt import StatePrompt

if TYPE_CHECKING:
    from rivalry_server.ledger import Decision
    from rivalry_server.outcome import End, Result
    from rivalry_server.player import Player
    from rivalry_server.record import Move


class Spectator:
    """Is told what happens in one match, at once and in order.  Every method may be left as it is: it does nothing.

    ``prompted`` shows what a seat may know, so it is for the organiser alone; the others tell public things only.
    """

    wants_prompts = False
    """True if ``prompted`` is to be called: making its prompts costs time."""

    wants_decisions = False
    """True if ``decided`` is to be called."""

    wants_events = True
    """False if ``happened`` need not be called: what it is told is copied for each event."""

    def seated(self, seat: int, name: str, version: str) -> None:
        """A seat was taken; may come before ``started``."""

    def started(self, game: Game, match_id: str, players: list[Player]) -> None:
        """All seats are taken or given up, the first prompt follows."""

    def asked(self, seat: int, number: int) -> None:
        """Prompt ``number`` of ``seat`` was opened."""

    def prompted(self, prompt: StatePrompt) -> None:
        """The same, with all that the seat may know."""

    def acted(self, move: Move) -> None:
        """An action was applied, after those of lower seats asked at the same time."""

    def decided(self, decision: Decision) -> None:
        """A line of the ledger: when a decision, or a prompt that was lost, went through, and whose the time was."""

    def happened(self, seen: Seen) -> None:
        """An event as the public sees it."""

    def failed(self, seat: int, end: End, text: str) -> None:
        """A seat ended other than normally."""

    def retried(self, seat: int, end: End, text: str, number: int) -> None:
        """A seat's bot failed and is started or awaited again, for the ``number``-th time."""

    def ended(self, result: Result) -> None:
        """The match is over."""
