"""``rivalry serve``: which bots an operator may name over the wire."""

import sys
from importlib.metadata import EntryPoint

import pytest

from rivalry_bots import catalog
from rivalry_bots.catalog import names_for
from rivalry_client.bot import Bot, Setting
from rivalry_engine.error import RivalryError
from rivalry_server.commands import serve


class CarefulBot(Bot):
    """Plays any game, with a setting."""

    name = "careful"
    declared = (Setting("after", "integer", 0, (), "how many prompts pass before it begins"),)

    def choose(self, prompt):
        return 0


def test_a_built_in_bot_is_named_with_its_settings(monkeypatch):
    entry = EntryPoint("careful", f"{__name__}:CarefulBot", catalog.GROUP)
    monkeypatch.setattr(catalog, "_entries", lambda: {"careful": entry})

    bot = serve._built_in("careful?after=3", "kuhn")

    assert (bot.name, bot.bot) == ("careful", "careful?after=3")
    with pytest.raises(RivalryError, match="before"):
        serve._built_in("careful?before=3", "kuhn")


@pytest.mark.parametrize("name", ["antigravity:Bot", "antigravity:Bot?seed=3", "rivalry_bots.random:Random", "nobody"])
def test_a_built_in_bot_is_an_installed_name_and_never_a_module(name):
    with pytest.raises(RivalryError) as raised:
        serve._built_in(name, "kuhn")

    bare = name.partition("?")[0]
    assert str(raised.value) == (
        f"there is no built-in bot {bare!r}; those that do play kuhn are {', '.join(names_for('kuhn'))}"
    )
    assert "antigravity" not in sys.modules


def test_a_built_in_bot_that_plays_another_game_is_refused_with_those_that_play_this_one():
    with pytest.raises(RivalryError) as raised:
        serve._built_in("hoarder", "kuhn")

    assert str(raised.value) == (
        f"built-in bot hoarder does not play kuhn; those that do play kuhn are {', '.join(names_for('kuhn'))}"
    )


def test_help_has_an_example(rivalry):
    assert "rivalry serve --register" in rivalry("serve", "--help").out
