from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import settings as how
from hypothesis import strategies as st

from rivalry_tournament import making
from rivalry_tournament.checking import check
from rivalry_tournament.kinds import bracket
from tournament.made import by_name, level, outcomes, played, settings


def test_seeds_are_set_so_that_the_best_two_can_only_meet_in_the_final():
    assert bracket.seeded(8) == [0, 7, 3, 4, 1, 6, 2, 5]


@pytest.mark.parametrize("entrants", range(2, 18))
def test_who_never_loses_wins_and_the_second_best_comes_second(entrants):
    for kind in ("knockout", "double-knockout"):
        made = making.schedule(settings(kind, entrants))
        rounds = played(made)

        standing = making.standing(made, rounds, outcomes(rounds))

        assert standing[:2] == [(1, "b00"), (2, "b01")]
        assert sorted(name for _, name in standing) == list(made.settings.names())


@pytest.mark.parametrize(("entrants", "ties"), [(2, 1), (3, 2), (5, 4), (8, 7), (13, 12)])
def test_in_a_knockout_all_but_one_lose_once(entrants, ties):
    rounds = played(making.schedule(settings("knockout", entrants)))

    assert sum(len(round_.blocks) for round_ in rounds) == ties


@pytest.mark.parametrize(("entrants", "ties"), [(2, 2), (3, 4), (5, 8), (8, 14), (13, 24)])
def test_in_a_double_knockout_all_but_one_lose_twice(entrants, ties):
    rounds = played(making.schedule(settings("double-knockout", entrants)))

    assert sum(len(round_.blocks) for round_ in rounds) == ties


def test_the_final_is_played_again_if_who_had_not_lost_loses_it():
    made = making.schedule(settings("double-knockout", 4))
    rounds = list(made.rounds)
    results = outcomes(rounds)
    while (following := making.following(made, rounds, results)) is not None:
        rounds.append(following)
        turned = following.name == "final"
        results.update(outcomes([following], (lambda seats: by_name(seats)[::-1]) if turned else by_name))

    assert [round_.name for round_ in rounds][-2:] == ["final", "second final"]
    assert rounds[-1].blocks[0].bots == ("b00", "b01")
    assert making.standing(made, rounds, results)[:2] == [(1, "b00"), (2, "b01")]


def test_what_is_level_is_given_further_blocks_and_then_goes_to_the_better_seed():
    made = making.schedule(settings("knockout", 4, blocks=2, further=2))

    rounds = played(made, level)

    assert [round_.name for round_ in rounds] == [
        *("semi-final", "semi-final, level", "semi-final, level"),
        *("final", "final, level", "final, level"),
    ]
    assert [block.number for block in rounds[1].blocks] == [3, 3]
    assert rounds[3].blocks[0].bots == ("b00", "b01")
    assert [finding.promise for finding in check(made, rounds) if not finding.held] == []


def test_byes_go_to_the_best_seeds():
    made = making.schedule(settings("knockout", 6))

    assert made.rounds[0].byes == ("b00", "b01")
    assert [block.bots for block in made.blocks] == [("b03", "b04"), ("b02", "b05")]


def test_a_tie_left_out_goes_to_the_better_seed():
    made = making.schedule(settings("knockout", 2, further=0))
    results = {"1.1": None}

    assert making.following(made, made.rounds, results) is None
    assert making.standing(made, made.rounds, results) == [(1, "b00"), (2, "b01")]


@how(max_examples=25, deadline=None, derandomize=True)
@given(st.sampled_from(("knockout", "double-knockout")), st.integers(2, 13), st.randoms(use_true_random=False))
def test_whatever_the_results_there_is_one_winner_and_nobody_plays_who_is_out(kind, entrants, chance):
    made = making.schedule(settings(kind, entrants))
    ranks = {}

    def by_chance(seats):
        return ranks.setdefault(seats, chance.choice([(1, 2), (2, 1), (1, 1)]))

    rounds = played(made, by_chance)
    standing = making.standing(made, rounds, outcomes(rounds, by_chance))

    assert [finding.promise for finding in check(made, rounds) if not finding.held] == []
    assert [rank for rank, _ in standing].count(1) == 1
    assert sorted(name for _, name in standing) == list(made.settings.names())


@pytest.mark.parametrize("entrants", [8, 16])
def test_who_falls_into_the_lower_half_does_not_meet_at_once_whom_it_beat(entrants):
    rounds = played(making.schedule(settings("double-knockout", entrants)))

    pairs = [frozenset(block.bots) for round_ in rounds[:4] for block in round_.blocks]

    assert len(set(pairs)) == len(pairs)
