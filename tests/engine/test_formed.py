"""What a class says of itself, looked at when it is loaded; and names that two packages claim."""

from __future__ import annotations

from importlib.metadata import EntryPoint
from types import SimpleNamespace

import pytest

from rivalry_engine import catalog, entries, formed
from rivalry_engine.error import GameFailedError, RivalryError
from rivalry_engine.game import Game
from rivalry_engine.kuhn import Kuhn
from rivalry_engine.option import Option


def like_kuhn(**attributes):
    return type("Odd", (Kuhn,), attributes)


def test_every_installed_game_is_well_formed():
    for name in ("kuhn", "ethnos", "foederati"):
        assert formed.trouble(catalog.rules(name)) == ""


WRONG = {
    "a title of two lines": ({"title": "a\nb"}, "title is 'a\\nb'; expected a text of one line"),
    "a title that moves the cursor": ({"title": "\x1b[2J"}, "title is "),
    "no title": ({"title": ""}, "title is ''"),
    "a version of text": ({"rules_version": "1.0"}, "rules_version is '1.0'; expected an integer from 1"),
    "a version of truth": ({"rules_version": True}, "rules_version is True"),
    "a version that no message holds": ({"rules_version": 1 << 31}, "rules_version is 2147483648"),
    "one number of seats": ({"seat_counts": 3}, "seat_counts is 3; expected one count or more"),
    "no seats": ({"seat_counts": range(0)}, "seat_counts is range(0, 0)"),
    "seats in text": ({"seat_counts": "23"}, "seat_counts is '23'"),
    "usual seats that cannot be": ({"usual_seats": 3}, "usual_seats is 3; expected one of seat_counts, range(2, 3)"),
    "a unit of nothing": ({"score_unit": 0}, "score_unit is 0; expected an integer from 1"),
    "half a unit": ({"score_unit": 0.5}, "score_unit is 0.5"),
    "a flag that is none": ({"imagines": 1}, "imagines is 1; expected True or False"),
    "no primer": ({"primer": None}, "primer is None; expected a text"),
    "a word without meaning": ({"glossary": {"bet": ""}}, "glossary is "),
    "options that are none": ({"declared": ("pace",)}, "declared is ('pace',); expected a tuple of options"),
    "an option twice": ({"declared": (Option("a", "flag", True, (), "x"),) * 2}, "option a is declared twice"),
    "seats declared": ({"declared": (Option("seats", "integer", 2, (), "x"),)}, "option seats is declared twice"),
    "a default that is refused": (
        {"declared": (Option("a", "integer", 5, (0, 1), "x"),)}, "the default of option a: 5 is not allowed",
    ),
    "an option without meaning": ({"declared": (Option("a", "word", "", (), ""),)}, "option a has no meaning"),
}  # fmt: skip


@pytest.mark.parametrize("fault", WRONG)
def test_a_class_that_is_not_well_formed_is_told_by_what_is_wrong(fault):
    attributes, told = WRONG[fault]

    assert told in formed.trouble(like_kuhn(**attributes))


@pytest.mark.parametrize("name", ["title", "rules_version", "seat_counts", "usual_seats", "name"])
def test_what_is_missing_is_named(name):
    whole = {key: value for key, value in vars(Kuhn).items() if key not in ("__dict__", "__weakref__", name)}

    assert f"{name} is missing; expected " in formed.trouble(type("Lacking", (Game,), whole))


def test_methods_that_are_missing_are_named():
    assert formed.trouble(type("Half", (Game,), {"new_state": None})) == "Half does not define action, text"


def entry(monkeypatch, loaded, name="odd"):
    made = SimpleNamespace(load=lambda: loaded)
    monkeypatch.setattr(catalog, "_entries", lambda: {name: made})
    catalog._loaded.cache_clear()
    catalog.rules.cache_clear()


def test_a_class_that_is_not_well_formed_is_no_game_for_whoever_asks(monkeypatch):
    entry(monkeypatch, like_kuhn(name="odd", title=7))

    for asks in (catalog.rules, catalog.family, catalog.game):
        with pytest.raises(RivalryError, match="game 'odd' cannot be loaded: title is 7; expected a text of one line"):
            asks("odd")


def test_a_game_of_a_family_is_looked_at_as_well(monkeypatch):
    class Some(catalog.Family):
        title = "Some"

        def names(self):
            return ["x"]

        def rules(self, name):
            return like_kuhn(name="odd:x", score_unit=0)

    entry(monkeypatch, Some())

    with pytest.raises(RivalryError, match="game 'odd:x' cannot be loaded: score_unit is 0"):
        catalog.game("odd:x")

    Some.title = "a\x1bb"
    entry(monkeypatch, Some())

    with pytest.raises(RivalryError, match="family 'odd' cannot be loaded: its title is no text of one line"):
        catalog.family("odd")


def test_what_a_game_raises_when_it_is_made_is_one_line(monkeypatch):
    def fails(self, options=None):
        raise SystemExit("no\nmore")

    entry(monkeypatch, like_kuhn(name="odd", __init__=fails))

    with pytest.raises(GameFailedError, match=r"the game odd failed: .*test_formed.py, line \d+: SystemExit: no more"):
        catalog.game("odd")


def test_two_packages_under_one_name_are_both_refused(monkeypatch):
    def of(package, value):
        made = EntryPoint("kuhn", value, catalog.GROUP)
        vars(made).update(dist=SimpleNamespace(name=package))
        return made

    both = [of("mine", "mine:Kuhn"), of("rivalry", "rivalry_engine.kuhn:Kuhn")]
    monkeypatch.setattr(entries, "entry_points", lambda group: both)
    for kept in (entries._offered, catalog._loaded, catalog.rules):
        kept.cache_clear()

    try:
        said = r"kuhn is in several packages, mine \(mine:Kuhn\), rivalry \(rivalry_engine.kuhn:Kuhn\); remove all but"
        with pytest.raises(RivalryError, match=said):
            catalog.game("kuhn")
    finally:
        entries._offered.cache_clear()


@pytest.mark.parametrize("name", ["a:b", "a\x1bb"])
def test_a_name_that_no_game_can_have_is_told_as_such(monkeypatch, name):
    entry(monkeypatch, Kuhn, name)

    with pytest.raises(RivalryError, match="is no name of a game: a colon follows that of a family"):
        catalog._loaded(name)
    if ":" in name:
        with pytest.raises(RivalryError, match="is no name of a game"):
            catalog.rules(name)
