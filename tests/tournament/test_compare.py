"""``rivalry compare``: what a block's score is, when it stops, and what does not count."""

from __future__ import annotations

import asyncio
import io
import re
import signal
from pathlib import Path
from typing import Any

import pytest

from rivalry_evaluation.sprt import Sprt
from rivalry_tournament import compare, compare_command
from rivalry_tournament.compare import ALIKE, Comparison
from rivalry_tournament.compare_run import Run
from rivalry_tournament.compare_shown import Course, show, so_far
from rivalry_tournament.lines import Result
from rivalry_tournament.made import Making
from rivalry_tournament.results import Order
from rivalry_tournament.settings import Entrant, Kind, Settings
from tournament.hall import DreamHall, settings

KUHN = ("--game", "kuhn", "--seed", "a seed", "--concurrency", 1)
PAIR = (Entrant("a", "inproc:random"), Entrant("b", "inproc:random"))
FIELD = (*PAIR, Entrant("c", "inproc:random"))


def result(bots: str, ranks: tuple[int, ...]) -> Result:
    many = len(bots)
    none = (0,) * many
    return Result(
        *("1.1", 1, "id", 1, tuple(bots), none, ranks, ("normal",) * many, ("",) * many, "", "", ""),
        *(none, none, none, ((0, 0, 0, 0),) * many, 0),
    )


def four(kind: Kind, **more: Any) -> Settings:
    return settings(kind, game="ethnos", options={"seats": 4}, seats=4, **more)


def after(of: Settings, hall: DreamHall, *, most: int = 40, **more: Any) -> Comparison:
    comparison = Comparison(0.05, **more)
    asyncio.run(Run(of, comparison, hall, most=most, on_block=lambda: None).run())
    return comparison


def test_two_that_fill_the_table_play_every_split_of_its_seats() -> None:
    (block,) = next(compare.groups(four(Kind.ROUND_ROBIN, entrants=PAIR, splits="all")))

    seatings = {"".join(match.seats) for match in block.matches}
    assert len(seatings) == len(block.matches) == 14
    assert all(one.translate(str.maketrans("ab", "ba")) in seatings for one in seatings)


def test_beside_a_field_both_take_every_seat_against_the_same_bots_with_the_same_seed() -> None:
    of = four(Kind.EVALUATION, entrants=FIELD, subjects=("a", "b"), bots=4)
    of_a, of_b = next(compare.groups(of))

    assert of_a.seed == of_b.seed
    assert [[name.replace("a", "b") for name in match.seats] for match in of_a.matches] == [
        list(match.seats) for match in of_b.matches
    ]
    assert sorted(match.seats.index("a") for match in of_a.matches) == [0, 1, 2, 3]


def test_a_score_is_the_utility_of_a_where_the_two_fill_the_table() -> None:
    results = [result("aabb", (1, 2, 3, 4)), result("abbb", (4, 1, 2, 3))]

    assert compare.score(four(Kind.ROUND_ROBIN, entrants=PAIR), results) == 0.5
    assert compare.score(four(Kind.ROUND_ROBIN, entrants=PAIR), results[:1]) == 1.0


def test_a_score_is_from_the_difference_of_utilities_beside_a_field() -> None:
    of = four(Kind.EVALUATION, entrants=FIELD, subjects=("a", "b"))

    scored = compare.score(of, [result("accc", (1, 2, 3, 4)), result("bccc", (3, 1, 2, 4))])

    assert scored == pytest.approx((1 + 1 - 1 / 3) / 2)


def test_blocks_that_are_all_alike_count_once_and_end_it() -> None:
    comparison = Comparison(0.05)
    while not comparison.over:
        comparison.add(1.0, ("x", "y"))

    assert (comparison.blocks, comparison.copies, comparison.verdict) == (1, ALIKE, "undecided")


def test_blocks_held_back_count_when_chance_is_seen_to_be_at_work() -> None:
    comparison = Comparison(0.05)
    for transcript in ("x", "x", "x", "y", "x"):
        comparison.add(1.0, (transcript,))

    assert (comparison.blocks, comparison.copies) == (5, 0)


def test_there_is_no_verdict_before_the_least_number_of_blocks() -> None:
    comparison = Comparison(0.05, least=12)
    verdicts = []
    for block in range(12):
        comparison.add(1.0, (str(block),))
        verdicts.append(comparison.verdict)

    assert verdicts == ["undecided"] * 11 + ["a"]


def test_the_classical_test_decides_where_it_is_asked_for() -> None:
    comparison = Comparison(0.05, sprt=Sprt(-50, 50, 0.05))
    while not comparison.over:
        comparison.add(0.25 if comparison.blocks % 2 else 0.5, (str(comparison.blocks),))

    assert (comparison.accepted, comparison.verdict) == ("H0", "b")
    assert comparison.ratio <= -comparison.sprt.bound if comparison.sprt else False


@pytest.mark.parametrize("concurrency", [1, 5])
def test_what_is_found_does_not_depend_on_what_runs_at_once(concurrency: int) -> None:
    alone = after(settings(entrants=PAIR, concurrency=1), DreamHall())
    found = after(settings(entrants=PAIR, concurrency=concurrency), DreamHall())

    assert (found.blocks, found.known, found.matches) == (40, alone.known, 80)


def test_a_void_match_takes_its_block_out_and_a_spoiled_one_is_run_again() -> None:
    found = after(settings(entrants=PAIR), DreamHall(void=[("1.3", 2)], spoiled={("1.1", 1): 1, ("1.5", 2): 9}), most=8)

    assert (found.blocks, found.played) == (6, 8)
    assert [re.sub("[0-9a-f]{32}", "ID", why) for why in found.left_out] == [
        "match ID is void: a seat crashed",
        "match ID is owed after 3 runs: it was spoiled",
    ]


def test_greedy_against_hoarder_stops_early(rivalry: Any) -> None:
    told = rivalry(
        "compare",
        "inproc:greedy",
        "inproc:hoarder",
        "--game",
        "ethnos",
        "--seats",
        2,
        "--seed",
        "x",
        "--min-blocks",
        8,
        "--concurrency",
        1,
        "--json",
    ).json()

    assert list(told)[:6] == ["verdict", "blocks", "estimate", "low", "high", "alpha"]
    assert told["verdict"] == "a"
    assert 5 <= told["blocks"] <= 15
    assert 0 < told["low"] < told["estimate"] <= told["high"]


def test_greedy_against_itself_does_not_stop_with_a_verdict(rivalry: Any) -> None:
    told = rivalry(
        *("compare", "inproc:greedy", "inproc:greedy", "--game", "ethnos", "--seats", 2),
        *("--seed", "x", "--max-blocks", 2, "--concurrency", 1, "--json"),
    ).json()

    assert (told["verdict"], told["blocks"], told["estimate"], told["matches"]) == ("undecided", 2, 0.0, 4)
    assert told["low"] < 0 < told["high"]


def test_bots_of_equal_strength_are_not_told_apart_and_the_same_seed_says_the_same(
    rivalry: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(Path(__file__).parent)
    asked = ("compare", "inproc:nulls:One", "inproc:nulls:Two", *KUHN, "--max-blocks", 30, "--json")

    one = rivalry(*asked, "--concurrency", 1).json()
    two = rivalry(*asked, "--concurrency", 2).json()

    assert one == two
    assert (one["verdict"], one["blocks"]) == ("undecided", 30)
    assert one["estimate"] != 0


def test_a_field_takes_the_other_seats_and_programs_play_as_functions_do(rivalry: Any) -> None:
    inside = rivalry(
        *("compare", "inproc:random", "inproc:first", "--against", "inproc:first", *KUHN, "--max-blocks", 4, "--json")
    ).json()
    outside = rivalry(
        *("compare", "random", "inproc:first", "--against", "inproc:first", *KUHN, "--max-blocks", 4, "--json")
    ).json()

    assert inside["against"] == ["inproc:first #2"]
    assert inside["matches"] == 16
    assert inside["estimate"] == outside["estimate"]


def test_a_person_reads_who_is_better_and_how_to_play_it_again(rivalry: Any) -> None:
    said = rivalry("compare", "inproc:first", "inproc:random", *KUHN, "--sprt", "-200,200")

    assert said.status == 0
    verdict, test, ratio, interval, headings, figures, estimate, holds, *_ = said.out.splitlines()
    assert verdict == "inproc:random is better"
    assert test == "SPRT -200,200: H0 accepted, inproc:first is 200 Elo weaker than inproc:random"
    assert re.fullmatch(
        r"log likelihood ratio −\d+\.\d\d: above 0 the blocks fit H1 better \(.* 200 Elo stronger .*\), below 0 H0"
        r" \(inproc:first is 200 Elo weaker .*\); \+2\.94 accepts H1, −2\.94 accepts H0",
        ratio,
    )
    assert interval == "with --sprt the interval below does not decide"
    assert headings.split() == ["blocks", "matches", "estimate", "interval"]
    assert re.fullmatch(r" *\d+ +\d+ +−\d+\.\d  −\d+\.\d to \+\d+\.\d", figures)
    assert estimate == "estimate: mean utility of inproc:first less that of inproc:random, in percent: −100 to +100"
    assert holds == "interval: holds at 95 %, whenever one looks (alpha 0.05)"
    assert said.out.endswith("seed: a seed\n")


def test_before_anything_is_known_no_figure_is_shown(capsys: pytest.CaptureFixture[str]) -> None:
    comparison = Comparison(0.05)
    assert so_far(comparison) == "0 blocks: utility of A less B not known, 95 % interval not known"

    comparison.add(0.5, ("a",))
    comparison.add(0.4, ("b",))
    show(settings(entrants=PAIR), comparison)

    assert capsys.readouterr().out.splitlines()[2].split() == ["2", "2", "−10.0", "−91.6", "to", "+89.6"]
    assert so_far(comparison) == "2 blocks: utility of A less B −10.0 percent, 95 % interval −91.6 to +89.6"


def test_how_far_it_is_fits_a_terminal_of_80_columns() -> None:
    comparison = Comparison(0.05)
    for at in range(1000):
        comparison.add(at % 2 * 0.01, (str(at),))

    assert so_far(comparison).startswith("1000 blocks: utility of A less B −99.0 percent")
    assert len(so_far(comparison)) < 80


def test_two_of_one_spec_are_told_that_they_are_level_by_themselves(
    rivalry: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("rivalry_tournament.compare_shown.PLAIN_S", 1_000.0)  # how far it is, is not told
    same = rivalry("compare", "inproc:random", "inproc:random", *KUHN, "--max-blocks", 12, "--json")
    other = rivalry("compare", "inproc:random", "inproc:first", *KUHN, "--max-blocks", 1, "--json")

    assert same.err.startswith("A and B are both inproc:random: ") and same.err.count("\n") == 1
    assert (same.json()["estimate"], same.json()["verdict"]) == (0.0, "undecided")
    assert not other.err


@pytest.mark.parametrize("terminal", [True, False])
def test_how_far_it_is_is_told_on_a_terminal_and_off_it(terminal: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rivalry_tournament.compare_shown.output.on_terminal", lambda stream: terminal)
    stream, clock, comparison = io.StringIO(), [0.0], Comparison(0.05)
    course = Course(comparison, stream, now=lambda: clock[0])
    for at in range(5):
        clock[0] += 4.0
        comparison.add(1.0, (str(at),))
        course.add()
    course.close()

    pieces = [piece for piece in re.split(r"\r\x1b\[K|\n", stream.getvalue()) if piece]
    assert [piece.split(":")[0] for piece in pieces] == (
        ["1 block", *(f"{count} blocks" for count in range(2, 6))] if terminal else ["3 blocks"]
    )


@pytest.mark.parametrize(
    ("given", "told"),
    [
        (("--sprt", "5,1"), "--sprt 5,1: expected two differences in Elo, the smaller first"),
        (("--sprt", "much"), "--sprt much: expected two differences"),
        (("--alpha", "0.7"), "--alpha 0.7: expected a number between 0 and 0.5"),
        (("--min-blocks", "9", "--max-blocks", "3"), "--min-blocks 9 is more than --max-blocks 3"),
        (("--against", "first", "--splits", "all"), "--splits with --against"),
        (("--against", "nobody"), "nobody"),
        (
            ("--against", "inproc:random,inproc:first?"),
            "--against inproc:random,inproc:first?: give each by itself, as --against inproc:random --against"
            " inproc:first?",
        ),
        (("--against", "random, first"), "give each by itself, as --against random --against first"),
        (("--against", "inproc:no,where:at all"), "--against inproc:no,where:at all = "),
        (("--seats", "7"), "--seats = 7; expected 2"),
    ],
)
def test_bad_input_is_told(rivalry: Any, given: tuple[str, ...], told: str) -> None:
    said = rivalry("compare", "inproc:first", "inproc:random", "--game", "kuhn", *given)

    assert said.status == 2
    assert told in said.err
    assert said.err.count("\n") == 1


class Interrupted(DreamHall):
    """Ctrl-C comes when three blocks have been played."""

    async def play(self, order: Order) -> Making:
        if order.block == "1.4":
            signal.raise_signal(signal.SIGINT)
        return await super().play(order)


def test_ctrl_c_says_how_far_it_was_and_how_to_play_it_again(rivalry: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compare_command, "_hall", lambda settings, address: Interrupted())

    said = rivalry("compare", "inproc:random", "inproc:first", *KUHN, "--concurrency", 1)

    assert said.status == 130
    assert re.fullmatch(
        r"rivalry: stopped by Ctrl-C after 3 blocks: utility of A less B"
        r" (0\.0|[+−]\d+\.\d) percent, 95 % interval [+−]\d+\.\d to [+−]\d+\.\d; nothing is kept: to play the same"
        r" blocks again, and on, give the same bots and --seed 'a seed'; --out DIR keeps it\n",
        said.err,
    )
