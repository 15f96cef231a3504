"""What a check says of a promise agrees with the figures beside it, and with what the plan says."""

from __future__ import annotations

import re
from collections import Counter
from itertools import permutations

import pytest

from rivalry_tournament import making
from rivalry_tournament.checking import check
from rivalry_tournament.checking.finding import Finding
from rivalry_tournament.schedule import Block, Schedule
from rivalry_tournament.settings import Kind
from tournament.made import played, settings

RANGE = re.compile(r"(\d+) to (\d+)")
WITHIN = re.compile(r"differs by at most (\d+) matches")
LEFT = re.compile(r"sits left of")


def schedules(kind, seats, blocks):
    """Schedules with the usual settings, and where there are such with others."""
    two = kind in (Kind.GAUNTLET, Kind.KNOCKOUT, Kind.DOUBLE_KNOCKOUT)
    usual = [{}] if two else [{"rotations": "full"}] if seats <= 3 else [{"rotations": "cyclic"}]
    if kind in (Kind.ROUND_ROBIN, Kind.SWISS) and seats > 2:
        usual += [{"bots": 2}, {"rotations": f"balanced {2 * seats}"}]
    if kind is Kind.EVALUATION and seats > 2:
        usual += [{"rotations": "cyclic"}, {"rotations": f"balanced {2 * seats}"}]
    if kind in (Kind.GAUNTLET, Kind.EVALUATION):
        usual += [{**each, "subjects": ("b00", "b01")} for each in usual]
    if two and seats > 2:
        usual.append({"splits": "all"})
    for entrants in (7, 3) if kind is Kind.EVALUATION else (4,) if two else (seats + 1,):
        for more in usual:
            few = kind is Kind.EVALUATION and entrants - len(more.get("subjects", "x")) < seats - 1
            if (entrants >= seats or two or few) and not (few and more.get("rotations", "").startswith("balanced")):
                yield making.schedule(settings(kind, entrants, seats, blocks=blocks, **more))


def left_of(blocks: list[Block]) -> set[int]:
    """In how many matches of a table one sits left of another, over all pairs of its bots."""
    left = Counter(dict.fromkeys(permutations(blocks[0].bots, 2), 0))
    left.update((m.seats[at - 1], m.seats[at]) for block in blocks for m in block.matches for at in range(len(m.seats)))
    return {times for (one, other), times in left.items() if one != other}


def agrees(finding: Finding) -> bool:
    """True where nothing beside the verdict says the contrary: equal is one figure, and near is as near as is said."""
    if not finding.promised:
        return finding.verdict == "not promised" and finding.json()["held"] is None
    gaps = [int(high) - int(low) for low, high in RANGE.findall(finding.figures)]
    if within := WITHIN.search(finding.promise):
        allowed = int(within[1])
    else:
        near = "once more or less" in finding.promise or "two byes more" in finding.promise
        allowed = 1 if near or "a level tie goes on" in finding.promise else 0
    return finding.verdict == "yes" and "not promised" not in finding.figures and all(gap <= allowed for gap in gaps)


def neighbours_are_as_said(made: Schedule, told: str) -> bool:
    """Counts anew what the plan, or the check, says of neighbours."""
    tables: dict[tuple[str, ...], list[Block]] = {}
    for block in made.rounds[0].blocks:
        tables.setdefault(block.bots, []).append(block)
    over = [left_of(blocks) for blocks in tables.values()]
    if told.startswith("in every block"):
        return all(len(left_of([block])) == 1 for blocks in tables.values() for block in blocks)
    if within := WITHIN.search(told):
        return all(max(left) - min(left) <= int(within[1]) for left in over)
    if found := RANGE.search(told):
        return all((min(left), max(left)) == (int(found[1]), int(found[2])) for left in over)
    return all(len(left) == 1 for left in over)


@pytest.mark.parametrize("kind", Kind)
@pytest.mark.parametrize("seats", range(2, 7))
@pytest.mark.parametrize("blocks", range(1, 8))
def test_no_figure_of_a_row_contradicts_its_verdict_nor_what_the_plan_says(kind, seats, blocks):
    for made in schedules(kind, seats, blocks):
        rounds = played(made) if seats == 2 else made.rounds
        for finding in check(made, rounds):
            assert agrees(finding), (made.settings, finding)
            if LEFT.search(finding.promise) and finding.promised:
                assert neighbours_are_as_said(made, finding.promise)
        for promise in made.promises:
            assert " are 1 " not in promise
            if LEFT.search(promise):
                assert neighbours_are_as_said(made, promise), (made.settings, promise)


def row(made: Schedule, what: str) -> Finding:
    (found,) = [finding for finding in check(made) if what in finding.promise]
    return found


def test_three_of_six_orders_are_not_called_equal():
    made = making.schedule(settings("round-robin", 4, 4, blocks=3))

    assert row(made, "left of").promise.endswith("differs by at most 8 matches")
    assert row(made, "left of").figures == "in 0 to 8 matches"
    assert (
        "over the 3 blocks of a table each bot sits left of every other in 0 to 8 of its 12 matches; 6 blocks, or a"
        " multiple of them, would make that equal" in made.promises
    )


def test_a_whole_cycle_of_orders_is():
    made = making.schedule(settings("round-robin", 4, 4, blocks=6))

    assert (row(made, "left of").verdict, row(made, "left of").figures) == ("yes", "in 8 matches")
    assert "over the 6 blocks of a table each bot sits left of every other equally often" in made.promises


def test_what_is_drawn_or_shared_promises_no_neighbours():
    for made in (
        making.schedule(settings("evaluation", 7, 5, blocks=4)),
        making.schedule(settings("gauntlet", 4, 5)),
    ):
        assert row(made, "left of").verdict == "not promised"
        assert not [promise for promise in made.promises if "left of" in promise]


def test_a_field_that_is_drawn_from_is_not_said_to_have_equally_many_seats():
    made = making.schedule(settings("evaluation", 7, 5, blocks=1, subjects=("b00", "b01")))

    assert (row(made, "many seats").promise, row(made, "many seats").figures) == (
        "every subject has equally many seats",
        "every subject 5",
    )
    assert row(made, "once more or less").figures == "0 to 1 times"


def test_who_plays_on_by_results_has_as_many_seats_as_they_say():
    assert row(making.schedule(settings("swiss", 5, 2)), "many seats").verdict == "not promised"
