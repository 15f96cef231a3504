"""The result in a sentence."""

from __future__ import annotations

from dataclasses import replace

from report import sample
from rivalry_evaluation.evaluation import evaluate
from rivalry_evaluation.played import Played
from rivalry_report import headline


def changed(evaluation, place, **changes):
    standings = list(evaluation.standings)
    standings[place - 1] = replace(standings[place - 1], **changes)
    return replace(evaluation, standings=tuple(standings))


def test_a_sure_first_is_said_to_be_first():
    text = headline.plain(sample.evaluation(3, ("greedy", "hoarder", "random")))

    assert text == (
        "greedy is first of 3 bots: rated +200 (interval +180 to +220), it ranks above 76.7 percent of the others at "
        "its tables. The matches leave the first place to nobody else. "
        "Head to head, each pair taken by itself, it beats hoarder and random: each interval excludes an even score. "
        "Faults: random 9 in 120 matches."
    )


def test_a_first_place_that_is_not_settled_names_who_else_may_hold_it():
    evaluation = changed(changed(sample.evaluation(3, ("a", "b", "c")), 1, rank_high=2), 2, rank_low=1)

    assert "the first place is not settled: b may hold it as well." in headline.plain(evaluation)


def test_a_pair_whose_interval_includes_an_even_score_is_not_decided():
    evaluation = sample.evaluation(3, ("a", "b", "c"))
    pairs = (sample.pair("a", "b", 0.52), sample.pair("a", "c", 0.7))

    text = headline.plain(replace(evaluation, pairs=pairs))

    assert "it beats c: the interval excludes" in text
    assert "Against b the interval includes an even score: their own matches do not decide it." in text


def test_a_pair_is_read_from_either_side():
    stands = headline.against((sample.pair("a", "b", 0.3), sample.pair("b", "c", 0.3)), "b")

    assert (stands.beaten, stands.open, stands.lost) == (("a",), (), ("c",))


def test_a_loss_of_the_first_is_told():
    evaluation = replace(sample.evaluation(2, ("a", "b")), pairs=(sample.pair("a", "b", 0.3),))

    assert "It loses to b: the interval lies below an even score." in headline.plain(evaluation)


def test_many_are_counted():
    assert "it beats all 7 others:" in headline.plain(sample.evaluation(8))


def test_without_a_match_there_is_nothing_to_tell():
    empty = replace(sample.evaluation(2), standings=(), matches=0)

    assert headline.plain(empty).startswith("Nothing to tell yet")


def test_who_had_faults_is_said_with_how_many_the_first_above_all():
    evaluation = changed(sample.evaluation(7, faulty=False), 2, rank=1)
    for place in (1, 2, 3):
        evaluation = changed(evaluation, place, faults={"crash": 24, "illegal": place})

    assert headline.plain(evaluation) == (
        "bot-00 and bot-01 share the first place of 7 bots. "
        "Faults: bot-00 25 in 120 matches, bot-01 26 in 120 matches, bot-02 27 in 120 matches."
    )
    for place in (4, 6, 7):
        evaluation = changed(evaluation, place, faults={"timeout": 600}, matches=1200)
    assert headline.plain(evaluation).endswith(", bot-03 600 in 1,200 matches, and 2 more bots 1,200.")


def test_without_a_fault_none_is_spoken_of():
    assert "ault" not in headline.plain(sample.evaluation(3, faulty=False))


def test_a_shared_first_place_is_said_to_be_shared():
    evaluation = changed(sample.evaluation(3, ("a", "b", "c"), faulty=False), 2, rank=1)

    assert headline.plain(evaluation) == "a and b share the first place of 3 bots."
    assert headline.plain(changed(evaluation, 1, rank_high=3)).endswith("But it is not settled.")


def test_one_block_says_no_interval():
    evaluation = changed(changed(sample.evaluation(2, ("a", "b")), 1, rank_high=2, blocks=1), 2, rank_low=1, blocks=1)

    assert "rated +150 (interval not known)" in headline.plain(evaluation)


def test_few_blocks_all_won_are_not_called_a_first_place_or_a_win():
    played = [Played(f"{at}", f"{at}", ("a", "b"), (1, 2), (2, 1), ("normal",) * 2, f"{at}") for at in range(4)]

    text = headline.plain(evaluate(played, resamples=200))

    assert "the first place is not settled: b may hold it as well" in text
    assert "beats" not in text and "is first" not in text
