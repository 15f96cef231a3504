from __future__ import annotations

from collections import Counter
from itertools import combinations, islice

import pytest

from rivalry_tournament import making
from rivalry_tournament.kinds import evaluation
from tournament.made import settings


@pytest.mark.parametrize(("field", "seats"), [(1, 3), (2, 3), (4, 3), (5, 5), (7, 3), (9, 1)])
def test_after_every_block_the_field_was_drawn_evenly(field, seats):
    names = [f"f{at}" for at in range(field)]
    drawn = Counter(dict.fromkeys(names, 0))

    for draw in islice(evaluation.draws(b"seed", names, seats), 40):
        drawn.update(draw)

        assert len(draw) == seats
        assert max(drawn.values()) - min(drawn.values()) <= 1


def test_pairs_of_the_field_meet_about_equally_often():
    names = [f"f{at}" for at in range(6)]
    met = Counter(
        pair for draw in islice(evaluation.draws(b"seed", names, 3), 100) for pair in combinations(sorted(draw), 2)
    )

    assert len(met) == 15
    assert max(met.values()) - min(met.values()) <= 8


def test_subjects_have_the_same_seeds_and_the_same_draws_and_every_seat_in_turn():
    made = making.schedule(settings("evaluation", 7, 4, subjects=("b00", "b03"), blocks=10))
    one, other = ([block for block in made.blocks if block.bots[0] == name] for name in ("b00", "b03"))

    assert [block.seed for block in one] == [block.seed for block in other]
    for first, second in zip(one, other, strict=True):
        assert [match.seats.index("b00") for match in first.matches] == [0, 3, 2, 1]
        swapped = [tuple("b03" if bot == "b00" else bot for bot in match.seats) for match in first.matches]
        assert swapped == [match.seats for match in second.matches]


def test_blocks_without_an_end_begin_as_the_schedule_does():
    of = settings("evaluation", 5, 3, blocks=6)

    made = [block for blocks in islice(evaluation.numbered(of), 6) for block in blocks]

    assert tuple(made) == making.schedule(of).blocks


def test_a_gauntlet_is_each_subject_against_each_other_and_others_do_not_meet():
    made = making.schedule(settings("gauntlet", 5, 4, subjects=("b00", "b01"), blocks=2))

    met = Counter(block.bots for block in made.blocks)

    assert met == {(subject, other): 2 for subject in ("b00", "b01") for other in ("b02", "b03", "b04")}
    assert {len(block.matches) for block in made.blocks} == {6}
