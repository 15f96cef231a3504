"""What a person reads of a comparison: while it is played, and at its end."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Final, TextIO

from rivalry_engine.counting import counted
from rivalry_report import drawn, figures
from rivalry_server.commands import output
from rivalry_tournament.names import seed

if TYPE_CHECKING:
    from rivalry_tournament.compare import Comparison
    from rivalry_tournament.settings import Settings

PLAIN_S: Final = 10.0
"""How often a line is written where each is one more."""


class Course:
    """How far it is, on ``stream``: one line that changes on a terminal, else now and then one more."""

    def __init__(self, comparison: Comparison, stream: TextIO, *, now: Callable[[], float], read: bool = False) -> None:
        """``now`` is a clock in seconds; ``read`` is true where a person plays on the same terminal."""
        self._comparison = comparison
        self._stream = stream
        self._now = now
        self._terminal = output.on_terminal(stream) and not read
        self._shown_at = now()

    def add(self) -> None:
        """One more block was played."""
        text = so_far(self._comparison)
        if self._terminal:
            self._stream.write(f"\r\x1b[K{text[: output.width_of(self._stream) - 1]}")
        elif self._now() - self._shown_at >= PLAIN_S:
            self._shown_at = self._now()
            self._stream.write(text + "\n")
        else:
            return
        self._stream.flush()

    def close(self) -> None:
        """The line that changes is taken away."""
        if self._terminal:
            self._stream.write("\r\x1b[K")
            self._stream.flush()


def so_far(comparison: Comparison) -> str:
    """What is known until now, in a line that says what its figures are."""
    estimate = f"{points(comparison.known.estimate)} percent" if comparison.blocks else figures.UNKNOWN
    return (
        f"{counted(comparison.blocks, 'block')}: utility of A less B {estimate},"
        f" {percent(comparison)} interval {interval(comparison)}"
    )


def points(difference: float) -> str:
    """A difference of utilities as people read utilities, in percent: ``+12.3``, ``−0.4``; −100 to +100."""
    return figures.fixed(100 * difference, 1, sign=True)


def interval(comparison: Comparison) -> str:
    """The interval of the difference; one that excludes nothing is not known."""
    known = comparison.known
    if known.low <= -1.0 and known.high >= 1.0:
        return figures.UNKNOWN
    return figures.interval(points(known.low), points(known.high))


def percent(comparison: Comparison) -> str:
    """How often the interval holds, as ``95 %``."""
    return f"{100 * (1 - comparison.alpha):g} %"


def copies(settings: Settings) -> str:
    """What is to be said before two of one SPEC are compared; empty for two different ones."""
    a, b = (
        next(entrant.spec for entrant in settings.entrants if entrant.name == name) for name in settings.names()[:2]
    )
    if a.strip() != b.strip():
        return ""
    return (
        f"A and B are both {a}: what follows from the seat and its luck alone they do alike, so that every block is"
        " level and no number of blocks shows more; only chance or time of their own can make a difference"
    )


def show(settings: Settings, comparison: Comparison) -> None:
    """What was found: first what decides, then the figures."""
    names = settings.names()
    better = {"a": names[0], "b": names[1]}.get(comparison.verdict)
    _sentence(f"{better} is better" if better else "undecided")
    if comparison.sprt is not None:
        _sprt(comparison, names)
    headings = ("blocks", "matches", "estimate", "interval")
    estimate = points(comparison.known.estimate) if comparison.blocks else figures.UNKNOWN
    cells = (str(comparison.blocks), str(comparison.matches), estimate, interval(comparison))
    for line in drawn.text(headings, [cells], (0, 1, 2), drawn.Narrow(None, (), ()))[0]:
        output.say(line)
    _sentence(f"estimate: mean utility of {names[0]} less that of {names[1]}, in percent: −100 to +100")
    _sentence(f"interval: holds at {percent(comparison)}, whenever one looks (alpha {comparison.alpha:g})")
    if comparison.copies:
        _sentence(
            f"{comparison.copies} further blocks went just as the first did and are not counted:"
            " neither the bots nor the game leave anything to chance"
        )
    for why in comparison.left_out:
        _sentence(f"a block is left out: {why}")
    _sentence(f"seed: {seed(settings.seed)}")


def _sentence(text: str) -> None:
    """Prints a line, broken between words at the width of a terminal."""
    output.say(output.wrapped(text, sys.stdout))


def _sprt(comparison: Comparison, names: tuple[str, ...]) -> None:
    """What Wald's test says, and that the interval below does not decide."""
    sprt = comparison.sprt
    assert sprt is not None
    zero, one = (_said(names, elo) for elo in (sprt.elo0, sprt.elo1))
    found = {"H0": f"H0 accepted, {zero}", "H1": f"H1 accepted, {one}"}.get(
        comparison.accepted or "", "neither hypothesis accepted"
    )
    _sentence(f"SPRT {sprt.elo0:g},{sprt.elo1:g}: {found}")
    _sentence(
        f"log likelihood ratio {_signed(comparison.ratio)}: above 0 the blocks fit H1 better ({one}), below 0 H0"
        f" ({zero}); {_signed(sprt.bound)} accepts H1, {_signed(-sprt.bound)} accepts H0"
    )
    _sentence("with --sprt the interval below does not decide")


def _signed(value: float) -> str:
    return figures.fixed(value, 2, sign=True)


def _said(names: tuple[str, ...], elo: float) -> str:
    """A difference as a hypothesis."""
    if elo == 0:
        return f"{names[0]} is as strong as {names[1]}"
    return f"{names[0]} is {abs(elo):g} Elo {'stronger' if elo > 0 else 'weaker'} than {names[1]}"
