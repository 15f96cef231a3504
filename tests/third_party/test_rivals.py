"""Two packages under one name: neither is taken in the other's place, whatever they offer."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from importlib.metadata import EntryPoint, entry_points
from types import SimpleNamespace

import pytest

from rivalry_bots import catalog as bots
from rivalry_engine import catalog, entries
from rivalry_engine.error import RivalryError
from rivalry_engine.kuhn import Kuhn
from rivalry_environments import encoder
from rivalry_wire import codec


@pytest.fixture
def _forgotten() -> Iterator[None]:
    """What was found before the test and in it."""
    kept = (entries._offered, catalog._loaded, catalog.rules, codec._codec_class)
    for cached in kept:
        cached.cache_clear()
    yield
    for cached in kept:
        cached.cache_clear()


@pytest.mark.usefixtures("_forgotten")
@pytest.mark.parametrize(
    ("group", "name", "asked"),
    [
        (catalog.GROUP, "kuhn", lambda: catalog.game("kuhn")),
        (bots.GROUP, "greedy", lambda: bots.bot_class("greedy")),
        (bots.GROUP, "greedy", lambda: bots.path("greedy")),
        (codec.GROUP, "kuhn", lambda: codec.codec(Kuhn())),
        (encoder.GROUP, "kuhn", lambda: encoder.encoder(Kuhn())),
    ],
)
def test_a_name_that_two_packages_have_is_refused(
    group: str, name: str, asked: Callable[[], object], monkeypatch: pytest.MonkeyPatch
) -> None:
    asked()
    theirs = EntryPoint(name, "mine:Mine", group)
    vars(theirs).update(dist=SimpleNamespace(name="mine"))
    monkeypatch.setattr(
        entries,
        "entry_points",
        lambda group: [*entry_points(group=group), *([theirs] if group == theirs.group else [])],
    )
    for kept in (entries._offered, catalog._loaded, catalog.rules, codec._codec_class):
        kept.cache_clear()

    said = (
        rf"^entry point {group}: {name} is in several packages, mine \(mine:Mine\), rivalry \(.*\); remove all but one$"
    )
    with pytest.raises(RivalryError, match=said):
        asked()


def test_a_bot_that_cannot_be_loaded_keeps_no_other_from_being_listed(monkeypatch: pytest.MonkeyPatch) -> None:
    broken = EntryPoint("broken", "no_such_module:Bot", bots.GROUP)
    listed = bots.names_for("kuhn")
    found = {**bots._entries(), "broken": broken}
    monkeypatch.setattr(bots, "_entries", lambda: found)

    assert "first" in listed and bots.names_for("kuhn") == listed
    with pytest.raises(RivalryError, match="No module named 'no_such_module'"):
        bots.bot_class("broken")
