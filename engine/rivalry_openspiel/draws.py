"""From OpenSpiel's probabilities to draws from derived chance, the same on every machine.

The outcomes of a chance node are taken in the order of their numbers.  Where all are as likely as one another (their
probabilities differ by less than 2**-40) the draw is ``below(outcomes)``.  Otherwise each gets a whole number of
tickets, its probability times 2**40, rounded, and the draw is ``below(all tickets)``.  So a last bit that differs
between machines or builds changes no draw but where it falls just on the border of a ticket, and an outcome is less or
more likely by 2**-41 at most than OpenSpiel says.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from rivalry_engine.chance import Stream
from rivalry_engine.error import RivalryError

TICKETS: Final = 1 << 40


def drawn(outcomes: Sequence[tuple[int, float]], stream: Stream) -> int:
    """One of the outcomes, given with their probabilities."""
    ordered = sorted(outcomes)
    if not ordered:
        raise RivalryError("OpenSpiel offers no outcome at a chance node")
    likely = ordered[0][1]
    if all([abs(probability - likely) * TICKETS < 1 for _, probability in ordered]):  # noqa: C419 - quicker so
        return ordered[stream.below(len(ordered))][0]
    tickets = [round(probability * TICKETS) for _, probability in ordered]
    ticket = stream.below(sum(tickets))
    for (outcome, _), share in zip(ordered, tickets, strict=True):
        if ticket < share:
            return outcome
        ticket -= share
    raise AssertionError("a ticket is below their sum")


def unit(stream: Stream) -> float:
    """A number from 0 to 1, without 1, as OpenSpiel's resampling asks for: the upper 53 bits of a word."""
    return (stream.word() >> 11) / (1 << 53)
