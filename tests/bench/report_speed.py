"""How long a report takes: 40 bots, 10,000 matches with 4 seats, made up from a seed.

    PYTHONPATH=tests python tests/bench/report_speed.py [--bots N] [--matches N] [--decisions N]

Seconds are those of the processor, which other work on the machine changes little.  ``--decisions`` measures an export
of so many decisions as well, with the memory it takes.
"""

from __future__ import annotations

import argparse
import resource
import tempfile
import time
from pathlib import Path
from random import Random

from report import sample
from rivalry_evaluation.evaluation import evaluate
from rivalry_evaluation.played import Played
from rivalry_report.export import writing
from rivalry_report.export.rows import decisions
from rivalry_report.export.schema import TABLES
from rivalry_report.facts import Timing
from rivalry_report.report import report


def played(bots, count):
    """Matches in blocks of 4, of bots whose strength falls with their number."""
    chance = Random(1)
    made = []
    for number in range(count):
        if number % 4 == 0:
            table = chance.sample(bots, 4)
        table = table[1:] + table[:1]
        points = [chance.gauss(-bots.index(bot) / len(bots) * 3, 1) for bot in table]
        ranks = tuple(1 + sum(other > own for other in points) for own in points)
        scores = tuple(round(10 * point + 100) for point in points)
        made.append(
            Played(f"{number // 4:x}", f"{number:032x}", tuple(table), ranks, scores, ("normal",) * 4, f"{number:x}")
        )
    return made


def exported(count, folder):
    """Exports ``count`` decisions from a record that is read again and again, as Parquet; returns seconds."""
    from rivalry_report.export.reading import read
    from rivalry_server.program import run

    path = folder / "one.jsonl"
    assert (
        run(
            (
                "match",
                "--game",
                "ethnos",
                "--seed",
                "x",
                "--record",
                str(path),
                "--json",
                *("--bot", "inproc:first") * 4,
            )
        )
        == 0
    )
    data, left = path.read_bytes(), count

    def rows():
        nonlocal left
        while left > 0:
            found = read(data)
            left -= len(found.actions)
            yield from decisions(found, None)

    begun = time.process_time()
    writing.write(folder / "x.parquet", "decisions", TABLES["decisions"], rows())
    return time.process_time() - begun


def main():
    """Measures, and prints a line each."""
    parser = argparse.ArgumentParser()
    for name, usual in (("bots", 40), ("matches", 10_000), ("decisions", 0)):
        parser.add_argument(f"--{name}", type=int, default=usual)
    given = parser.parse_args()
    bots = sample.bots(given.bots)
    matches = played(bots, given.matches)
    timings = [Timing(bot, 90, 1000 + at) for match in matches for at, bot in enumerate(match.bots)]
    begun = time.process_time()
    evaluation = evaluate(matches)
    evaluated = time.process_time()
    with tempfile.TemporaryDirectory() as folder:
        report(evaluation, sample.facts(bots), timings).write(Path(folder))
        written = time.process_time()
        print(f"evaluation {evaluated - begun:.1f} s, report {written - evaluated:.1f} s")
        if given.decisions:
            before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
            seconds = exported(given.decisions, Path(folder))
            more = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024
            print(f"{given.decisions:,} decisions: {seconds:.1f} s, {more:.0f} MiB more memory than before")


if __name__ == "__main__":
    main()
