"""Evaluations for the tests of reports: figures that follow from a number of bots, with names of all kinds."""

from __future__ import annotations

from functools import cache
from random import Random

from rivalry_evaluation.standing import Evaluation, Pair, Standing
from rivalry_report.facts import Entrant, Facts, Timing
from rivalry_report.report import Report, report

HOSTILE = (
    "<script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "a name that is very long and goes on and on and on until 2027",
    "ボット対戦太郎",
    "$x^2_1$ & co",
    "\u202eevil\nline\x00",
    "زيد",
    "🤖 robot",
    "`code` |pipe| [link](javascript:alert(1))",
    "=HYPERLINK(1)",
    "#fffffe",
    "</style><style>*{display:none}",
)


def bots(count, names=()):
    return [*names, *(f"bot-{number:02d}" for number in range(count))][:count]


def standing(bot, place, count, *, seats=4, faults=None):
    """Place ``place`` of ``count``, from 1."""
    utility = 0.5 + 0.4 * (count + 1 - 2 * place) / count
    rating = 300 * (count + 1 - 2 * place) / count
    return Standing(
        bot=bot,
        matches=120,
        blocks=30,
        utility=utility,
        utility_low=utility - 0.02,
        utility_high=utility + 0.02,
        share=utility / 2,
        rating=rating,
        rating_low=rating - 20.26,
        rating_high=rating + 20.24,
        rank=place,
        rank_low=place,
        rank_high=place,
        faults=faults or {},
        by_seat={seat: (30, utility + 0.03 * (seat - 1)) for seat in range(seats)},
    )


def pair(a, b, mean, *, reach=0.05, blocks=30):
    wins = round(mean * 100)
    return Pair(a, b, blocks, wins, 0, 100 - wins, mean, mean - reach, mean + reach)


def evaluation(count, names=(), *, seats=4, faulty=True, notes=()):
    """Bots of which each is surely better than the next."""
    entered = bots(count, names)
    faults = {"timeout": 7, "crash": 2} if faulty else {}
    standings = [
        standing(bot, place, count, seats=seats, faults=faults if place == count else None)
        for place, bot in enumerate(entered, 1)
    ]
    pairs = [pair(a, b, 0.6) if a < b else pair(b, a, 0.4) for at, a in enumerate(entered) for b in entered[at + 1 :]]
    return Evaluation(
        bots=tuple(sorted(entered)),
        standings=tuple(standings),
        pairs=tuple(sorted(pairs, key=lambda each: (each.a, each.b))),
        matches=120 * count // seats,
        blocks=30,
        copies=0,
        alpha=0.05,
        resamples=2000,
        seed="0x74657374",
        method="Plackett-Luce; percentile bootstrap over blocks.",
        notes=tuple(notes),
    )


def facts(entered, **changes):
    told = {
        "title": "Cup of <b>tests</b>",
        "kind": "round robin",
        "game": "kuhn",
        "options": (("seats", "2"),),
        "seats": 2,
        "seed": "0x6375",
        "time": "2s,bank=60s",
        "policies": (("on_illegal", "stand-in"),),
        "concurrency": 2,
        "entrants": tuple(Entrant(bot, f"inproc:{bot}") for bot in entered),
        "blocks_planned": 30,
        "blocks_whole": 30,
        "rules": ("a void match leaves its block out",),
        "promises": ("seats cancel",),
        "commands": ("rivalry tournament run cup.toml",),
    }
    return Facts(**(told | changes))


def timings(entered, matches=20):
    chance = Random(1)
    return [
        Timing(bot, 10, int(10 ** (3 + at % 3 + chance.random())))
        for at, bot in enumerate(entered)
        for _ in range(matches)
    ]


def fresh():
    """The report of two bots, with everything there is to draw."""
    entered = bots(2)
    return report(evaluation(2), facts(entered), timings(entered))


@cache
def usual() -> Report:
    """The same, drawn once for all tests of a process: plots take most of the time of a report."""
    return fresh()
