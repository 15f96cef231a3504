"""What a person sees on stderr while a tournament is played."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Final, TextIO

from rivalry_engine.counting import counted
from rivalry_report.figures import percent
from rivalry_server.commands import output
from rivalry_tournament import points
from rivalry_tournament.lines import Line, Opened, Owed, Result
from rivalry_tournament.results import Tournament

TERMINAL_S: Final = 0.25
PLAIN_S: Final = 10.0
"""How often it is shown: on a terminal, and where each time is one more line."""
TOP: Final = 6
"""So many of the best are shown."""


class Tally:
    """Running figures of the matches until now, in blocks that are whole and that are not."""

    def __init__(self, tournament: Tournament) -> None:
        self._tournament = tournament
        self.won: dict[str, float] = dict.fromkeys(tournament.schedule.settings.names(), 0.0)
        self.matches: Counter[str] = Counter()
        self.ends: dict[str, Counter[str]] = {name: Counter() for name in self.won}
        self.void = 0
        self.owed = 0
        for result in tournament.results.values():
            self.add(result)
        for lines in tournament.owed.values():
            self.owed += len(lines)

    def add(self, line: Line) -> None:
        """One more line."""
        if isinstance(line, Owed):
            self.owed += 1
        if not isinstance(line, Result):
            return
        for bot, end in zip(line.bots, line.ends, strict=True):
            if end != "normal":
                self.ends[bot][end] += 1
        if line.void:
            self.void += 1
            return
        for bot, share in points.of_match(line.bots, line.ranks).items():
            self.won[bot] += float(share)
            self.matches[bot] += 1

    def standing(self) -> list[tuple[str, float | None]]:
        """Each bot and its mean rank utility, best first; None for one that has not played."""
        means = [(bot, self.won[bot] / self.matches[bot] if self.matches[bot] else None) for bot in self.won]
        return sorted(means, key=lambda one: -1.0 if one[1] is None else one[1], reverse=True)

    def faults(self) -> str:
        """The ends other than normal, in words; empty where there are none."""
        told = [
            f"{bot} {count} {end}" for bot, ends in self.ends.items() for end, count in sorted(ends.items()) if count
        ]
        if self.void:
            told.append(f"{self.void} void")
        if self.owed:
            told.append(f"{self.owed} spoiled by the arena and run again")
        return ", ".join(told)


class Progress:
    """Shows how far a tournament is, how fast it goes, when it may end, who leads, and what failed."""

    def __init__(self, tournament: Tournament, stream: TextIO, *, now: Callable[[], float], read: bool = False) -> None:
        """``now`` is a clock in seconds, by which speed is measured.

        ``read`` is true where a person plays on the same terminal: then a line follows each match, and nothing is drawn
        over what is read.
        """
        self._tournament = tournament
        self._stream = stream
        self._now = now
        self._read = read
        self._terminal = output.on_terminal(stream) and not read
        self._tally = Tally(tournament)
        self._shown_at = now()
        self._done_before = len(tournament.results)
        self._first: tuple[float, int] | None = None
        """When the first matches were seen to have ended, and how many had: before that programs were started."""
        self._drawn: list[str] = []
        """Lines on the terminal that the next picture takes the place of."""

    @property
    def every_s(self) -> float:
        """How often ``tick`` is to be called."""
        return TERMINAL_S if self._terminal else PLAIN_S / 10

    def add(self, line: Line) -> None:
        """A line is in the log."""
        self._tally.add(line)
        if self._read and isinstance(line, Result):
            self.show()
        elif isinstance(line, Owed):
            self.say(f"match {line.match} was spoiled by the arena, and is run again: {line.why}")
        elif isinstance(line, Opened):
            self.say(f"round {line.round.number}: {line.round.name}")

    def tick(self) -> None:
        """Time has passed: shows what there is, if it is time."""
        done = len(self._tournament.results)
        if self._first is None and done > self._done_before:
            self._first = self._now(), done
        if not self._read and self._now() - self._shown_at >= (TERMINAL_S if self._terminal else PLAIN_S):
            self.show()

    def say(self, text: str) -> None:
        """One line that stays."""
        self._clear()
        self._stream.write(text + "\n")
        self._stream.flush()

    def show(self) -> None:
        """Shows where the tournament is now."""
        self._shown_at = self._now()
        if self._terminal:
            width = output.width_of(self._stream)
            lines = [line[: width - 1] for line in self._lines()]
            if lines == self._drawn:
                return
            self._clear()
            self._drawn = lines
        else:
            lines = ["; ".join(self._lines())]
        self._stream.write("".join(line + "\n" for line in lines))
        self._stream.flush()

    def close(self) -> None:
        """The last picture is taken away."""
        self._clear()
        self._stream.flush()

    def _clear(self) -> None:
        if self._drawn:
            self._stream.write(f"\x1b[{len(self._drawn)}A\x1b[J")
            self._drawn = []

    def _lines(self) -> list[str]:
        faults = self._tally.faults()
        return [self._how_far(), self._leading(), *([f"faults: {faults}"] if faults else [])]

    def _how_far(self) -> str:
        done, whole = len(self._tournament.results), self._tournament.matches
        rate = self._rate(done)
        text = f"{done} of {counted(whole, 'match', 'matches')}"
        rounds = self._tournament.rounds
        if len(rounds) > 1 or len(self._tournament.schedule.rounds) < len(rounds):
            text += f", round {rounds[-1].number}"
        if rate > 0:
            text += f", {rate:.1f} a second" if rate >= 1 else f", {rate * 60:.1f} a minute"
            text += f", about {duration((whole - done) / rate)} left"
        return text

    def _rate(self, done: int) -> float:
        """Matches a second since the first were seen to have ended; 0 where that is not known yet."""
        since, before = self._first or (self._now(), done)
        passed = self._now() - since
        return (done - before) / passed if passed > 0 else 0.0

    def _leading(self) -> str:
        best = [f"{bot} {percent(mean)}" for bot, mean in self._tally.standing()[:TOP] if mean is not None]
        return f"leading (utility in percent): {', '.join(best)}" if best else "leading: nobody yet"


def duration(seconds: float) -> str:
    """A time in words: ``45 s``, ``12 min``, ``3 h 20 min``."""
    if seconds < 90:
        return f"{seconds:.0f} s"
    minutes = round(seconds / 60)
    return f"{minutes} min" if minutes < 90 else f"{minutes // 60} h {minutes % 60} min"
