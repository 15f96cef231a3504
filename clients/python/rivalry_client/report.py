"""What the author of a bot sees on stderr: crashes and rulings always, the course of things on a terminal."""

from __future__ import annotations

import sys
from types import TracebackType

from rivalry_client.bot import AnswerError, GivenUpError
from rivalry_client.match import Match, Outcome, Ruling
from rivalry_client.words import line

RULINGS_SHOWN = 10


class Report:
    """Writes lines to stderr; ``talkative`` ones also while all goes well."""

    def __init__(self, *, talkative: bool) -> None:
        self._talkative = talkative
        self._rulings = 0
        self.seats_left = 0
        """How many seats the bot gave up because it was interrupted."""

    def left(self) -> str:
        """What to add to the word that it was interrupted: that it left its seats, where it had any."""
        if not self.seats_left:
            return ""
        return "; the bot left its seat" if self.seats_left == 1 else f"; the bot left its {self.seats_left} seats"

    def line(self, text: str) -> None:
        """One line."""
        sys.stderr.write(f"rivalry: {line(text)}\n")
        sys.stderr.flush()

    def note(self, text: str) -> None:
        """One line, for a person who watches."""
        if self._talkative:
            self.line(text)

    def ruling(self, match: int, number: int, ruling: Ruling) -> None:
        """Why an answer was not taken."""
        self._rulings += 1
        if self._rulings > RULINGS_SHOWN:
            return
        reason = ruling.code or ruling.reason
        self.line(f"answer {ruling.kind} (match {match}, prompt {number}, {reason}): {ruling.text}")
        if self._rulings == RULINGS_SHOWN:
            self.line("further rulings are not shown")

    def outcome(self, match: Match, outcome: Outcome) -> None:
        """How a match ended for this seat."""
        if outcome.void or match.seat >= len(outcome.seats):
            self.note(f"match {match.id} is void: {outcome.text}")
            return
        seat = outcome.seats[match.seat]
        why = "" if seat.end == "normal" else f", {seat.end} ({seat.text})"
        self.note(f"match {match.id} is over: rank {seat.rank} of {len(outcome.seats)}, score {seat.score}{why}")

    def crash(self, error: BaseException) -> None:
        """The traceback, from the bot's own lines on; one line where no line of the bot's raised it."""
        if isinstance(error, AnswerError | GivenUpError):
            self.line(str(error))
            return
        import traceback

        shown = error.with_traceback(_theirs(error.__traceback__))
        sys.stderr.write("".join(traceback.format_exception(shown)))
        sys.stderr.flush()


def _theirs(trace: TracebackType | None) -> TracebackType | None:
    rest = trace
    while rest is not None and str(rest.tb_frame.f_globals.get("__name__")).startswith("rivalry_client."):
        rest = rest.tb_next
    return rest or trace
