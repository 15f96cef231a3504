"""The report as one file of HTML."""

from __future__ import annotations

import re
from dataclasses import replace
from html.parser import HTMLParser

import pytest

from report import sample
from rivalry_report.html.inline import inlined
from rivalry_report.html.page import page
from rivalry_report.report import report

VOID = {"meta", "br", "img", "link", "input"}


class Read(HTMLParser):
    """What a browser sees: elements that were opened, attributes, text; fails where they are not closed in order."""

    def __init__(self, text):
        super().__init__()
        self.open, self.tags, self.attributes, self.text = [], [], [], []
        self.feed(text)
        self.close()
        assert not self.open

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self.attributes += [(tag, key, value) for key, value in attrs]
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.tags.append(tag)
        self.attributes += [(tag, key, value) for key, value in attrs]

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.text.append(data)


def written(count=2, names=(), *, drawn=False, **changes):
    """A page, without its plots where they are nothing to the test."""
    entered = sample.bots(count, names)
    evaluation = replace(sample.evaluation(count, names), **changes.pop("evaluation", {}))
    made = report(evaluation, sample.facts(entered, **changes), sample.timings(entered))
    if not drawn:
        vars(made)["plots"] = {}
    return page(made)


@pytest.fixture(scope="module")
def hostile():
    return written(
        12, sample.HOSTILE, drawn=True, commands=("rivalry <script>",), title="</title><script>alert(1)</script>"
    )


@pytest.fixture(scope="module")
def usual():
    return page(sample.usual())


def test_hostile_names_are_text(hostile):
    read = Read(hostile)

    assert "script" not in read.tags and "img" not in read.tags and "b" in read.tags
    assert not [key for _, key, _ in read.attributes if key.startswith("on")]
    assert read.tags.count("style") == 1
    assert "<script>alert(1)</script>" in read.text and "\\u202eevil\\nline\\x00" in read.text
    assert "\u202e" not in hostile


def test_a_name_that_is_a_colour_stays_it(hostile):
    assert hostile.count(">#fffffe<") >= 6


def test_nothing_is_loaded_and_nothing_runs(hostile):
    read = Read(hostile)
    linked = [value for _, key, value in read.attributes if key in ("href", "src", "xlink:href", "action", "data")]

    assert linked and all(value.startswith("#") for value in linked)
    assert "://" not in hostile and "@import" not in hostile
    assert set(re.findall(r"url\((.)", hostile)) <= {"#"}
    assert ("meta", "content", "default-src 'none'; style-src 'unsafe-inline'") in read.attributes


def test_every_id_is_there_once_and_every_link_leads_somewhere(hostile):
    read = Read(hostile)
    ids = [value for _, key, value in read.attributes if key == "id"]
    linked = {value.removeprefix("#") for _, key, value in read.attributes if key == "href"}
    linked |= set(re.findall(r"url\(#([^)]+)\)", hostile))

    assert len(ids) == len(set(ids))
    assert linked <= set(ids)


def test_plots_take_the_colours_of_the_page(usual):
    svg = re.search(r'<svg class="drawn".*?</svg>', usual, re.DOTALL)[0]

    assert "var(--ink)" in svg and "var(--point)" in svg
    assert not re.findall(r'="[^"]*#[0-9a-f]{6}', svg)
    assert "font-family" not in svg and "xmlns" not in svg


def test_a_plot_keeps_its_text_and_its_clips():
    svg = (
        '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" viewBox="0 0 72 36">'
        "<defs><style>* {}</style></defs><metadata>m</metadata>"
        '<g id="g" clip-path="url(#c)"><use xlink:href="#m"/>'
        '<text style="font-family: x; fill: #1f2431">a &lt; b</text></g>'
        "</svg>"
    )

    assert inlined(svg, "p", 'a "title"') == (
        '<svg class="drawn" viewBox="0 0 72 36" role="img" aria-label="a &quot;title&quot;" '
        'style="width: 100%; max-width: 134px; min-width: 62px"><g id="p-g" clip-path="url(#p-c)">'
        '<use href="#p-m"></use>'
        '<text style="fill: var(--ink)">a &lt; b</text></g></svg>'
    )


def test_the_same_results_give_the_same_page(usual):
    assert page(sample.fresh()) == usual


def test_it_tells_how_it_was_played_and_how_to_do_it_again(usual):
    text = " ".join(Read(usual).text)

    for told in ("kuhn", "2s,bank=60s", "0x6375", "seats cancel", "inproc:bot-00", "rivalry tournament run cup.toml"):
        assert told in text


def test_a_tournament_that_goes_on_and_blocks_left_out_are_told_at_the_top():
    text = written(ended=False, blocks_whole=7, excluded=("block 1.2: void",), evaluation={"notes": ("few blocks",)})

    head = text[: text.index("<section")]
    assert (
        "has not ended: 7 of 30 blocks of the schedule" in head
        and "1 block is left out" in head
        and ">Few blocks.<" in head
    )


def test_one_block_has_no_bars():
    one = replace(
        sample.evaluation(2), standings=tuple(replace(each, blocks=1) for each in sample.evaluation(2).standings)
    )
    text = page(report(one, sample.facts(("bot-00", "bot-01"))))

    assert "not known" in text and 'class="reach"' not in text


def test_every_pair_has_its_score_its_interval_and_whether_it_is_decided():
    found = (sample.pair("a", "b", 0.52), sample.pair("a", "c", 0.3), sample.pair("b", "c", 0.5, reach=0.5))
    text = written(3, ("c", "a", "b"), evaluation={"pairs": found})
    head_to_head = text[text.index('<section id="pairs"') : text.index('<section id="times"')]
    rows = [re.sub("<[^>]+>", " ", row).split() for row in re.findall("<tr>.*?</tr>", head_to_head)]

    assert rows[1:] == [
        ["c", "a", "70.0", "65.0", "to", "75.0", "yes", "30"],
        ["c", "b", "50.0", "not", "known", "no", "30"],
        ["a", "b", "52.0", "47.0", "to", "57.0", "no", "30"],
    ]


def test_many_pairs_are_behind_a_line_that_opens_them():
    assert "<summary>All 78 pairs with their intervals</summary>" in written(13)


def test_what_the_text_explains_is_on_a_narrow_page_too():
    """Utility, share and places; the bar stands under Ratings, as the text says."""
    text = written(3)
    (head,) = re.findall("<thead>.*?</thead>", text[text.index('<section id="table"') :])[:1]
    hidden = {
        kind for rule in re.findall(r"([^{}]+)\{ display: none; \}", text) for kind in re.findall(r"\.(\w+)", rule)
    }
    shown = [name for kinds, name in re.findall('class="([^"]*)">([^<]*)', head) if not hidden & set(kinds.split())]

    assert {"Place", "Bot", "Rating", "Utility", "Share", "Places"} <= set(shown)


def test_undecided_pairs_are_named():
    text = written(3, ("a", "b", "c"), evaluation={"pairs": (sample.pair("a", "b", 0.52), sample.pair("a", "c", 0.8))})

    assert "includes an even score: <bdi>a</bdi> and <bdi>b</bdi>." in text


def test_a_tournament_without_a_whole_block_has_a_page():
    text = page(
        report(
            replace(sample.evaluation(2), standings=(), pairs=(), matches=0, blocks=0),
            sample.facts(("a", "b"), blocks_whole=0, ended=False),
        )
    )

    assert "Nothing to tell yet" in text and "<svg" not in text
    Read(text)


def test_a_report_writes_all_its_files(tmp_path):
    paths = sample.usual().write(tmp_path / "report")

    plots = [f"{name}.{kind}" for name in ("rating", "pairs", "seats", "faults", "times") for kind in ("svg", "png")]
    assert [path.name for path in paths] == [
        "table.txt",
        "table.csv",
        "table.json",
        "table.md",
        "pairs.csv",
        *plots,
        "report.html",
    ]
    assert sorted(path.name for path in (tmp_path / "report").iterdir()) == sorted(path.name for path in paths)
