"""Whose the time of each decision was, for ``--explain-time``: while a match is played, and from its record."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final

from rivalry_server.clock import TimeControl
from rivalry_server.commands import output
from rivalry_server.ledger import Decision, decision
from rivalry_server.seat_clock import SeatClock
from rivalry_server.spectator import Spectator

if TYPE_CHECKING:
    from rivalry_engine.record import Record

SHARES: Final = ("measured", "bot", "network", "arena", "charged")
LINE: Final = ("seat", "prompt", "kind", *SHARES, "left")
TOTAL: Final = ("seat", "name", "prompts", *SHARES, "bot %", "network %", "arena %")


class Ledger(Spectator):
    """Keeps a match's ledger."""

    wants_decisions = True
    wants_events = False

    def __init__(self) -> None:
        self.lines: list[Decision] = []

    def decided(self, decision: Decision) -> None:
        self.lines.append(decision)


def facts(lines: Sequence[Decision]) -> list[dict[str, Any]]:
    """The ledger as programs read it: all times in microseconds."""
    return [{**line._asdict(), "measured_us": line.measured_us} for line in lines]


def recorded(read: Record) -> list[Decision]:
    """The ledger as far as a record holds it: no moments, and no prompts that were lost.

    Raises RivalryError where the record's time control cannot be read.
    """
    state = read.start()
    control = TimeControl.parsed(read.head["time"])
    clocks = [SeatClock(control) for _ in range(state.game.seats)]
    numbers = [0] * state.game.seats
    lines: list[Decision] = []
    for action in read.actions:
        seat, clock = action["seat"], clocks[action["seat"]]
        numbers[seat] += 1
        number = numbers[seat]
        if "by" not in action:
            charge = clock.charged(
                number, action["us"], network_us=action.get("network", 0), arena_us=action.get("arena", 0)
            )
            budget_us = clock.budget_us(number)
            lines.append(decision(seat, number, state.question(seat), charge=charge, budget_us=budget_us))
            clock.settle(charge)
        state.apply(seat, state.game.action(action["action"]))
    return lines


def table(ledger: Sequence[dict[str, Any]], names: Sequence[str]) -> None:
    """The ledger's ``facts`` for a person, and what each seat took in all."""
    rows = [
        (
            line["seat"],
            line["number"],
            f"{line['kind']} (lost)" if line["lost"] else line["kind"],
            *(_ms(line[f"{share}_us"]) for share in SHARES),
            None if line["left_us"] is None else _ms(line["left_us"]),
        )
        for line in ledger
    ]
    output.say("time of each decision, in milliseconds")
    output.table(LINE, rows, numbers=("seat", "prompt", *SHARES, "left"))
    totals = []
    for seat, name in enumerate(names):
        own = [line for line in ledger if line["seat"] == seat]
        sums = {share: sum(line[f"{share}_us"] for line in own) for share in SHARES}
        parts = [f"{100 * sums[share] / (sums['measured'] or 1):.1f}" for share in ("bot", "network", "arena")]
        totals.append((seat, name, len(own), *(_ms(sums[share]) for share in SHARES), *parts))
    output.say("in all")
    output.table(TOTAL, totals, numbers=[column for column in TOTAL if column != "name"])


def _ms(time_us: int) -> str:
    return f"{time_us / 1_000:.3f}"
