"""The final table in its four forms."""

from __future__ import annotations

import csv
import io
import json
import re
from dataclasses import replace
from math import log10

import pytest

from report import sample
from rivalry_report import figures, head_to_head, tables
from rivalry_report.names import width


def test_text_lines_up_whatever_the_names():
    lines = tables.text(sample.evaluation(3, ("ボット", "a\nb", "c"))).splitlines()

    assert lines[0].split() == list(tables.columns(sample.evaluation(3)))
    assert lines[1].startswith("    1  ボット ") and lines[2].startswith("    2  a\\nb   ")
    assert "76.7  74.7 to 78.7" in lines[1]
    assert lines[3].endswith("9")


def test_faults_have_a_column_where_there_are_any():
    assert tables.columns(sample.evaluation(3, faulty=False))[-1] == "places"
    assert tables.columns(sample.evaluation(3))[-1] == "faults"


def test_csv_holds_rounded_figures_and_names_that_are_no_formulas():
    evaluation = sample.evaluation(3, ('=a,"b"', "c"))
    rows = list(csv.DictReader(io.StringIO(tables.as_csv(evaluation))))

    assert tuple(rows[0]) == tables.CSV_COLUMNS
    assert [row["bot"] for row in rows] == ['\'=a,"b"', "c", "bot-00"]
    assert rows[0]["utility"] == "0.7667" and rows[0]["rating_low"] == "179.7" and rows[2]["faults"] == "9"


def test_a_share_that_there_is_not_is_an_empty_cell_a_null_and_a_dash():
    evaluation = sample.evaluation(2)
    none = replace(evaluation, standings=tuple(replace(each, share=None) for each in evaluation.standings))

    assert next(csv.DictReader(io.StringIO(tables.as_csv(none))))["share"] == ""
    assert tables.as_json(none)["bots"][0]["share"] is None
    assert tables.rows(none)[0][8] == "–"


def test_json_holds_bots_best_first_pairs_and_method():
    value = json.loads(tables.json_text(sample.evaluation(3)))

    assert [bot["place"] for bot in value["bots"]] == [1, 2, 3]
    assert value["bots"][2]["faults"] == {"crash": 2, "timeout": 7}
    assert value["bots"][0]["by_seat"][0] == {"seat": 0, "matches": 30, "utility": 0.7367}
    assert value["pairs"][0] == {
        "a": "bot-00",
        "b": "bot-01",
        "blocks": 30,
        "wins": 60,
        "draws": 0,
        "losses": 40,
        "mean": 0.6,
        "low": 0.55,
        "high": 0.65,
    }
    assert (value["format"], value["alpha"], value["seed"]) == (1, 0.05, "0x74657374")


def test_markdown_has_a_cell_a_figure_and_no_name_breaks_out():
    lines = tables.markdown(sample.evaluation(12, sample.HOSTILE)).splitlines()[:14]

    assert {line.replace("\\|", "").count("|") for line in lines} == {12}
    assert "\\<script\\>" in lines[2]


def test_figures_round_half_to_even_and_are_never_minus_zero():
    assert figures.fixed(0.25, 1) == "0.2" and figures.fixed(0.35, 1) == "0.4"
    assert figures.fixed(-0.04, 1) == "0.0" and figures.fixed(-12.3, 0, sign=True) == "−12"
    assert str(figures.rounded(-0.00001, 4)) == "0.0"
    assert figures.rounded(float("inf"), 1) is None and figures.fixed(float("nan"), 1) == "–"


def test_one_block_gives_no_interval_in_any_form():
    evaluation = sample.evaluation(2)
    one = replace(evaluation, standings=tuple(replace(each, blocks=1) for each in evaluation.standings))

    assert tables.text(one).count("not known") == 4
    assert next(csv.DictReader(io.StringIO(tables.as_csv(one))))["rating_low"] == ""
    assert tables.as_json(one)["bots"][0]["utility_high"] is None
    assert "−" not in tables.rows(one)[0][5]


def wide(low=-6759.0, high=7483.0, **more):
    evaluation = sample.evaluation(2)
    standings = tuple(replace(each, rating_low=low, rating_high=high, **more) for each in evaluation.standings)
    return replace(evaluation, standings=standings)


def test_an_interval_that_excludes_nothing_is_not_known_to_people_and_stays_for_programs():
    """Of 120 matches all won are 953 points above a field of equals, all lost as many below."""
    most = 400 * log10(2 * 120 + 1)

    assert "not known" in tables.rows(wide())[0][5] and "7483" not in tables.text(wide()) + tables.markdown(wide())
    assert "not known: an interval so wide" in tables.text(wide())
    assert tables.rows(wide(-most, most))[0][5] == "not known"
    assert tables.rows(wide(1 - most, most))[0][5] == "−952 to +953"
    assert tables.rows(wide(-most, most - 1))[0][5] == "−953 to +952"
    assert tables.rows(wide(utility_low=0.0, utility_high=1.0))[0][7] == "not known"
    assert tables.as_json(wide())["bots"][0]["rating_high"] == 7483.0
    assert next(csv.DictReader(io.StringIO(tables.as_csv(wide()))))["rating_low"] == "-6759.0"
    assert "not known" not in tables.text(sample.evaluation(2))


def test_head_to_head_has_each_pair_once_from_who_stands_higher():
    text = tables.text(sample.evaluation(3, ("c", "a", "b"))).splitlines()

    assert [line.split() for line in text[5:9]] == [
        ["bot", "against", "blocks", "score", "interval", "decided"],
        ["c", "a", "30", "60.0", "55.0", "to", "65.0", "yes"],
        ["c", "b", "30", "60.0", "55.0", "to", "65.0", "yes"],
        ["a", "b", "30", "60.0", "55.0", "to", "65.0", "yes"],
    ]
    assert "| c | a | 30 | 60.0 | 55.0 to 65.0 | yes |" in tables.markdown(sample.evaluation(3, ("c", "a", "b")))


def test_of_many_pairs_the_text_has_those_of_the_first_and_markdown_and_csv_all():
    evaluation = sample.evaluation(13)

    assert "12 of 78 pairs are shown; --pairs shows all" in tables.text(evaluation)
    assert tables.markdown(evaluation).count("| yes |") == head_to_head.as_csv(evaluation).count(",yes\n") == 78


def test_csv_of_pairs_holds_fractions_and_names_that_are_no_formulas():
    evaluation = replace(
        sample.evaluation(2, ("=a", "b")),
        pairs=(sample.pair("=a", "b", 0.75, reach=0.25, blocks=9),),
    )
    one = replace(evaluation, pairs=(sample.pair("=a", "b", 0.75, blocks=1),))

    assert head_to_head.as_csv(evaluation).splitlines() == [
        "a,b,blocks,wins,draws,losses,mean,low,high,decided",
        "'=a,b,9,75,0,25,0.75,0.5,1.0,no",
    ]
    assert head_to_head.as_csv(one).splitlines()[1] == "'=a,b,1,75,0,25,0.75,,,yes"


@pytest.mark.parametrize("names", [("mine", "hoarder"), sample.HOSTILE, ("n" * 64, "ボ" * 30)])
@pytest.mark.parametrize("room", [80, 100, 120])
def test_a_terminal_has_whole_lines_and_no_words_are_cut(names, room):
    evaluation = sample.evaluation(6, names)
    lines = tables.text(evaluation, room).splitlines()
    heads, *body = lines[: lines.index("")]

    assert max(width(line) for line in lines if "  " in line) <= room
    assert set(re.split("  +", heads)) <= set(tables.columns(evaluation))
    assert {"place", "bot", "rating", "interval", "utility", "places", "faults"} <= set(heads.split())
    assert "+250  +230 to +270" in body[0], "figures are whole"
    gone = set(tables.columns(evaluation)) - set(heads.split())
    assert all(name in lines[-1] for name in gone) and (lines[-1].startswith("left out here") or not gone)


def test_without_a_terminal_nothing_is_left_out():
    assert tables.text(sample.evaluation(3)).splitlines()[0].split() == list(tables.columns(sample.evaluation(3)))


def test_why_there_is_no_share_is_said_where_there_is_none():
    evaluation = sample.evaluation(2)
    none = replace(evaluation, standings=tuple(replace(each, share=None) for each in evaluation.standings))

    assert "scores are negative" in tables.text(none)
    assert "scores are negative" not in tables.text(evaluation)


def test_a_note_stands_below_the_table():
    assert "too few blocks" in tables.text(sample.evaluation(2, notes=("too few blocks",)))
