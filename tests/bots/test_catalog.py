"""Bots by name, and their settings."""

from __future__ import annotations

import subprocess
import sys

import pytest

from rivalry_bots import catalog
from rivalry_bots.__main__ import status
from rivalry_client import Bot
from rivalry_engine.error import RivalryError
from rivalry_server.commands.spec import SpecError, occupant
from rivalry_wire import codec as wire

GOOD = ["first", "greedy", "hoarder", "random", "search"]
PRIVATE = ["human", "llm", "stdio"]
BAD = [f"bad-{kind}" for kind in ("exit", "flood", "garbage", "hangup", "illegal", "late", "silent", "stale", "twice")]


class Plain(Bot):
    """Somebody's own bot."""

    def choose(self, prompt: object) -> object:
        return 0


class NoBot:
    """Not a bot."""


def test_every_bot_is_found_by_its_name_those_that_misbehave_last() -> None:
    assert catalog.names() == [*sorted([*GOOD, *PRIVATE]), *BAD]
    for name in catalog.names():
        bot = catalog.bot_class(name)
        assert bot.name == name
        assert bot.__doc__


def test_bots_declare_their_games() -> None:
    assert catalog.names_for("kuhn") == ["first", "random", "search"]
    assert catalog.names_for("ethnos") == GOOD


def test_a_bot_is_found_by_its_class_too() -> None:
    assert catalog.bot_class(f"{__name__}:Plain") is Plain


@pytest.mark.parametrize(
    ("spec", "told"),
    [
        ("zzz", "there is no bot 'zzz'; installed are first, greedy, hoarder, human, llm, random, search"),
        ("greddy", "there is no bot 'greddy'; did you mean greedy? installed are first"),
        ("nowhere:Bot", "No module named 'nowhere'; run from the folder it is in, or install it"),
        (f"{__name__}:Nobody", "has no 'Nobody'"),
        (f"{__name__}:NoBot", "expected a subclass of rivalry_client.Bot"),
        ("random?depth=3", "bot random has no setting 'depth'; it has none"),
        ("bad-silent?befor=1", "bot bad-silent has no setting 'befor'; it has after"),
        ("bad-silent?after=two", "bot bad-silent: setting after: 'two' is not allowed; expected an integer"),
        ("bad-garbage?what=noise", "'noise' is not allowed; expected one of frame, action, text"),
        ("random?depth", "'depth' are no settings; expected random?key=value&key=value"),
    ],
)
def test_a_specification_that_cannot_be_used_is_refused_with_the_reason(
    spec: str, told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(RivalryError) as refused:
        catalog.command(spec)
    assert told in str(refused.value)

    assert status([spec]) == 2
    shown = capsys.readouterr().err
    assert shown.count("\n") == 1 and told in shown


def test_a_class_of_ones_own_is_named_as_it_has_to_be_written() -> None:
    with pytest.raises(RivalryError, match=r"; a class of yours is inproc:MODULE:CLASS$"):
        catalog.command("greddy")
    for found in (catalog.local, catalog.bot_class):
        with pytest.raises(RivalryError, match=r"; a class of yours is MODULE:CLASS$"):
            found("greddy")
    with pytest.raises(RivalryError, match=r"; a class of yours is inproc:MODULE:CLASS$"):
        catalog.local("greddy", own="inproc:MODULE:CLASS")


@pytest.mark.parametrize("text", ["greddy", "inproc:greddy"])
def test_at_a_match_it_is_named_as_the_command_line_takes_it(text: str) -> None:
    with pytest.raises(SpecError, match=r"did you mean greedy\? .*; a class of yours is inproc:MODULE:CLASS$"):
        occupant(text, "ethnos")


def test_a_bot_of_another_game_is_refused() -> None:
    with pytest.raises(RivalryError, match="bot greedy plays ethnos, foederati, not kuhn"):
        catalog.local("greedy", "kuhn")


def test_settings_are_typed() -> None:
    spec = catalog.parsed("bad-garbage?after=2&what=text")

    assert catalog.bot_class(spec.name).settings_from(spec.settings) == {"after": 2, "what": "text"}


def test_a_bad_bot_is_refused_in_the_arenas_own_process() -> None:
    for name in BAD:
        with pytest.raises(RivalryError, match="over a stream only"):
            catalog.local(name)


def test_the_command_of_a_bot_names_its_class_so_that_nothing_is_searched() -> None:
    assert catalog.command("bad-silent?after=1") == (
        sys.executable,
        "-m",
        "rivalry_bots",
        "rivalry_bots.bad:SilentBot?after=1",
    )


def test_the_module_alone_lists_the_bots(capsys: pytest.CaptureFixture[str]) -> None:
    assert status([]) == 2
    assert "random" in capsys.readouterr().err


def test_a_bot_imports_neither_grpc_nor_protobuf_nor_asyncio_before_it_plays() -> None:
    code = (
        "import sys, rivalry_client, rivalry_bots.catalog, rivalry_bots.random_bot, rivalry_bots.greedy;"
        "print([name for name in ('grpc', 'google.protobuf', 'asyncio', 'argparse', 'structlog', 'rich', 'click')"
        " if name in sys.modules])"
    )

    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout

    assert shown == "[]\n"


def test_a_bot_that_imagines_is_not_started_for_a_game_that_travels_as_json(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("pyspiel")
    monkeypatch.setattr(wire, "travels_as_json", lambda name: True)

    with pytest.raises(RivalryError, match="inproc:search"):
        catalog.command("search", "openspiel:tic_tac_toe")
    assert catalog.local("search", "openspiel:tic_tac_toe").name == "search"


def test_a_bot_that_imagines_is_started_for_a_game_that_reads_its_own_json() -> None:
    pytest.importorskip("pyspiel")

    assert catalog.command("search", "openspiel:tic_tac_toe")[-1] == "rivalry_bots.search.bot:SearchBot"
    assert catalog.command("search", "ethnos")
