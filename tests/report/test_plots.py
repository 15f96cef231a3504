"""The plots: both forms of each, the same each time, and nothing left behind."""

from __future__ import annotations

import struct
import sys
from dataclasses import replace
from itertools import pairwise
from xml.etree import ElementTree

import pytest

from report import sample
from rivalry_report.plots import colours, drawing, faults, pairs, rating, seats, times
from rivalry_report.report import report
from rivalry_report.spent import by_bot, duration


def texts(svg):
    return [
        "".join(element.itertext()) for element in ElementTree.fromstring(svg).iter() if element.tag.endswith("}text")
    ]


def test_every_plot_is_an_svg_and_a_png():
    plots = sample.usual().plots

    assert list(plots) == ["rating", "pairs", "seats", "faults", "times"]
    for plot in plots.values():
        wide, high = struct.unpack(">II", plot.png[16:24])
        assert plot.png.startswith(b"\x89PNG") and 300 < wide < 4000 and 100 < high < 4000
        assert ElementTree.fromstring(plot.svg).tag.endswith("}svg")


@pytest.mark.parametrize("count", [2, 40])
def test_every_bot_is_named(count):
    evaluation = sample.evaluation(count)
    drawn = drawing.Plot("rating", lambda: rating.draw(evaluation.standings))

    assert {each.bot for each in evaluation.standings} <= set(texts(drawn.svg))


def unseen(figure):
    """The labels of ticks that lie outside of their axis, which are not drawn."""
    found = set()
    for axis in (axis for axes in figure.axes for axis in (axes.xaxis, axes.yaxis)):
        low, high = sorted(axis.get_view_interval())
        ticks = [tick for tick in axis.get_major_ticks() if not low <= tick.get_loc() <= high]
        found |= {label for tick in ticks for label in (tick.label1, tick.label2)}
    return found


def test_no_text_of_a_plot_lies_outside_of_it():
    evaluation = sample.evaluation(12, sample.HOSTILE)
    bots = [each.bot for each in evaluation.standings]
    with drawing.settings():
        for figure in (
            rating.draw(evaluation.standings),
            pairs.draw(bots, pairs.means(evaluation.pairs)),
            seats.draw(evaluation.standings),
            faults.draw(evaluation.standings),
        ):
            figure.canvas.draw()
            edges = figure.bbox
            for text in set(drawing.texts(figure)) - unseen(figure):
                if text.get_text() and text.get_visible():
                    box = text.get_window_extent()
                    assert box.x0 >= edges.x0 - 1 and box.x1 <= edges.x1 + 1, text.get_text()
                    assert box.y0 >= edges.y0 - 1 and box.y1 <= edges.y1 + 1, text.get_text()


@pytest.mark.parametrize("seats_", range(2, 7))
def test_figures_below_neighbouring_panels_of_seats_are_apart(seats_):
    """By two digits and more, where panels begin with 0 and end with 100 as well."""
    all_or_nothing = [
        replace(each, utility=at / 3, by_seat=dict.fromkeys(each.by_seat, (30, at / 3)))
        for at, each in enumerate(sample.evaluation(4, seats=seats_).standings)
    ]
    with drawing.settings():
        figure = seats.draw(all_or_nothing)
        figure.canvas.draw()
        hidden = unseen(figure)
        boxes = [
            label.get_window_extent()
            for axes in figure.axes
            for label in axes.get_xticklabels()
            if label not in hidden and label.get_text()
        ]
    digit = 0.6 * drawing.SIZE / 72 * figure.dpi
    row = sorted(boxes, key=lambda box: box.x0)

    assert len(row) >= 2 * seats_
    assert all(after.x0 - before.x1 >= 2 * digit for before, after in pairwise(row))


def test_an_interval_that_is_not_known_is_not_drawn():
    standings = sample.evaluation(2).standings
    wide = [replace(each, rating_low=-6759.0, rating_high=7483.0) for each in standings]
    with drawing.settings():
        (axes,) = rating.draw(wide).axes

    assert max(axes.get_xlim()) < 1000


def test_names_are_text_and_not_formulas():
    standings = sample.evaluation(12, sample.HOSTILE).standings
    svg = drawing.Plot("rating", lambda: rating.draw(standings)).svg

    assert {"$x^2_1$ & co", "<script>alert(1)</script>", "🤖 robot", "\\u202eevil\\nline\\x00"} <= set(texts(svg))


def test_the_same_figures_give_the_same_svg_without_a_date():
    first, second = sample.usual().plots, sample.fresh().plots

    for one, other in zip(first.values(), second.values(), strict=True):
        assert one.svg == other.svg
        assert "dc:date" not in one.svg
    assert first["rating"].png == second["rating"].png


def test_no_setting_of_matplotlib_changes_and_a_users_own_count_for_nothing():
    import matplotlib

    evaluation = sample.evaluation(3)
    assert "matplotlib.pyplot" not in sys.modules
    usual = drawing.Plot("rating", lambda: rating.draw(evaluation.standings)).svg
    with matplotlib.rc_context({"axes.facecolor": "red", "font.size": 30.0}):
        before = matplotlib.rcParams.copy()
        changed = drawing.Plot("rating", lambda: rating.draw(evaluation.standings)).svg
        after = matplotlib.rcParams.copy()

    assert changed == usual
    assert before == after
    assert "matplotlib.pyplot" not in sys.modules


def test_what_is_not_there_is_not_drawn():
    evaluation = sample.evaluation(3, faulty=False)
    drawn = report(evaluation, sample.facts(("a",))).plots

    assert list(drawn) == ["rating", "pairs", "seats"]


def test_means_are_known_both_ways():
    assert pairs.means((sample.pair("a", "b", 0.7), sample.pair("a", "c", 0.5, blocks=0))) == {
        ("a", "b"): 0.7,
        ("b", "a"): pytest.approx(0.3),
    }


def test_the_mean_of_a_seat_is_over_its_matches():
    assert seats.mean(sample.evaluation(4).standings, 0) == pytest.approx(0.47)


def test_kinds_of_faults_are_in_a_fixed_order():
    standings = [sample.standing("a", 1, 1, faults={"odd": 1, "crash": 1, "timeout": 2, "illegal": 0})]

    assert faults.kinds(standings) == ["timeout", "crash", "odd"]


def luminance(colour):
    channels = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = (each / 12.92 if each <= 0.03928 else ((each + 0.055) / 1.055) ** 2.4 for each in channels)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


@pytest.mark.parametrize("palette", [colours.LIGHT, colours.DARK])
def test_ink_can_be_read_on_every_field(palette):
    """WCAG 2.1, 1.4.3: a contrast of 4.5 at least."""
    for name in ("paper", "band", *(f"scale-{at}" for at in range(11))):
        low, high = sorted((luminance(palette["ink"]), luminance(palette[name])))
        assert (high + 0.05) / (low + 0.05) >= 4.5, name


def test_every_colour_is_written_once():
    assert len(set(colours.LIGHT.values())) == len(colours.LIGHT) and set(colours.LIGHT) == set(colours.DARK)


@pytest.mark.parametrize(("share", "at"), [(0, 0), (0.5, 5), (0.46, 5), (1, 10), (0.99, 10)])
def test_an_even_score_has_the_middle_colour(share, at):
    assert colours.of_share(share) == colours.SCALE[at]


def test_time_is_told_by_the_mean_decision_of_each_match():
    from rivalry_report.facts import Timing

    spent = by_bot([Timing("a", 2, 20), Timing("a", 1, 30), Timing("a", 0, 5), Timing("b", 0, 9)])

    assert list(spent) == ["a"]
    assert (spent["a"].matches, spent["a"].decisions, spent["a"].quartiles_us) == (2, 3, (10, 15, 20, 25, 30))


@pytest.mark.parametrize(
    ("us", "text"), [(0.5, "0.5 µs"), (999, "1 ms"), (1500, "1.5 ms"), (12e6, "12 s"), (99.6, "100 µs")]
)
def test_times_are_written_with_two_digits(us, text):
    assert duration(us) == text


def test_times_of_nothing_can_be_drawn():
    from rivalry_report.facts import Timing

    spent = by_bot([Timing("a", 5, 0)])

    assert drawing.Plot("times", lambda: times.draw(list(spent.values()))).png
