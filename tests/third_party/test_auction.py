"""A game that a stranger keeps in a package of their own, installed beside this one and played in every way.

Its packages are installed into a folder that only some of the processes see: an arena and two bots that have the game,
and bots that have not.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from e2e.test_node import node  # noqa: F401 - a fixture
from rivalry_engine import conformance

HERE = Path(__file__).parent
RIVALRY = Path(sys.executable).parent / "rivalry"
CLIENT = (HERE.parents[1] / "clients" / "typescript" / "dist").as_uri() + "/"
DIGEST = "f794e4d9cb6067bb69045fa5f7105af9ca8f2d8adfcb3f2979030b21e6b1b38e"
"""Of the match that all tests play, however its bots are told of it."""
READER = f"cmd:env PYTHONPATH= {sys.executable} {HERE / 'reader.py'}"


def ran(*command, cwd, **environment):
    done = subprocess.run(
        [str(part) for part in command],
        cwd=cwd,
        env={**os.environ, **{name: str(value) for name, value in environment.items()}},
        capture_output=True,
        text=True,
        timeout=90,
        check=False,
    )
    assert done.returncode == 0, f"{command}\n{done.stdout}\n{done.stderr}"
    return done.stdout


def wheel(package, into):
    """Builds a wheel from a copy of a package, its messages generated first where it has any."""
    source = into / package
    shutil.copytree(HERE / package, source)
    for schema in source.glob("*/*.proto"):
        ran(sys.executable, "-m", "grpc_tools.protoc", "-I.", "--python_out=.", schema.relative_to(source), cwd=source)
    hook = "import sys, hatchling.build as b; print(b.build_wheel(sys.argv[1]))"
    return source / ran(sys.executable, "-c", hook, source, cwd=source).splitlines()[-1]


@pytest.fixture(scope="module")
def game(tmp_path_factory):
    """A folder into which the game alone is installed, without a network."""
    folder = tmp_path_factory.mktemp("game")
    built = wheel("auction", tmp_path_factory.mktemp("source"))
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "install", "--quiet", "--no-index", "--no-deps"]
    ran(*pip, "--no-compile", "--target", folder, built, cwd=folder)
    return folder


@pytest.fixture(scope="module")
def messages(tmp_path_factory):
    """A folder with its messages, to stand beside it; unpacked, which is quicker than pip and does the same here."""
    folder = tmp_path_factory.mktemp("messages")
    with zipfile.ZipFile(wheel("auction_messages", tmp_path_factory.mktemp("source"))) as archive:
        archive.extractall(folder)
    return folder


def played(folders, cwd, *bots):
    """The lines of the record of one match, which was verified."""
    path = os.pathsep.join(map(str, folders))
    seats = [word for bot in bots for word in ("--bot", bot)]
    options = ("--seed", "lots", "--record", "match.jsonl", "--json")
    said = ran(RIVALRY, "match", "--game", "auction", *seats, *options, cwd=cwd, PYTHONPATH=path, CLIENT=CLIENT)
    assert [seat["end"] for seat in json.loads(said)["seats"]] == ["normal"] * len(bots), said
    assert ran(RIVALRY, "verify", "match.jsonl", cwd=cwd, PYTHONPATH=path)
    return [json.loads(line) for line in (cwd / "match.jsonl").read_text(encoding="utf-8").splitlines()]


def notes(record, seat):
    return [line.get("note") for line in record[1:-1] if line["seat"] == seat]


def test_it_keeps_every_promise_of_the_interface(monkeypatch):
    monkeypatch.syspath_prepend(str(HERE / "auction"))  # its source: this process is not to find its entry points
    from sealed_auction import Auction

    for options in ({}, {"seats": 5, "lots": 8, "ties": "lowest"}, {"seats": 2, "most": 3}):
        conformance.check(Auction(options), games=2)


def test_its_messages_keep_every_promise_of_a_codec(game, messages, tmp_path):
    check = "from rivalry_engine import catalog; from rivalry_wire import conformance, codec\n"
    check += "game = catalog.game('auction'); conformance.check(game, games=2); print(codec.codec(game).package)"

    assert ran(sys.executable, "-c", check, cwd=tmp_path, PYTHONPATH=f"{game}{os.pathsep}{messages}") == "auction.v1\n"


def test_it_is_told_like_any_other_game(game, tmp_path):
    told = ran(RIVALRY, "games", "auction", cwd=tmp_path, PYTHONPATH=game)

    assert told.startswith("auction: Sealed auction, 2 to 5 seats, rules version 1\n")
    assert "who wins a tie: nobody, or the lowest tied seat" in told
    assert "All players bid at once and unseen" in told


def test_its_speed_is_measured_like_that_of_any_other_game(game, tmp_path):
    told = json.loads(
        ran(RIVALRY, "bench", "--game", "auction", "--option", "lots=2", "--json", cwd=tmp_path, PYTHONPATH=game)
    )

    assert told["game"] == "auction" and told["options"]["lots"] == 2
    assert {"new_states", "decisions", "choices", "observations", "matches"} <= set(told["figures"])


def test_of_two_packages_with_its_name_neither_is_played(game, tmp_path):
    folder = tmp_path / "other"
    (folder / "other.dist-info").mkdir(parents=True)
    (folder / "other.dist-info" / "METADATA").write_text("Metadata-Version: 2.1\nName: other\nVersion: 1\n")
    (folder / "other.dist-info" / "entry_points.txt").write_text(
        "[rivalry.games]\nauction = rivalry_engine.kuhn:Kuhn\n"
    )
    again = shutil.copytree(game, tmp_path / "again")

    def said(*folders):
        path = os.pathsep.join(map(str, folders))
        words = [str(RIVALRY), "games"]
        return subprocess.run(
            words, cwd=tmp_path, env={**os.environ, "PYTHONPATH": path}, capture_output=True, text=True, check=True
        )

    both, twice = said(folder, game), said(again, game)

    assert "auction" not in both.stdout and "kuhn" in both.stdout and both.stderr.count("\n") == 1
    assert "auction is in several packages, other (rivalry_engine.kuhn:Kuhn), " in both.stderr
    assert "auction" in twice.stdout and twice.stderr == ""


def test_as_json_it_is_played_by_python_and_node_and_by_a_bot_that_has_not_installed_it(node, game, tmp_path):  # noqa: F811
    record = played([game], tmp_path, "bidder", READER, f"cmd:node {HERE / 'reader.mjs'}")

    assert record[-1]["game_digest"] == DIGEST
    python, javascript = notes(record, 1), notes(record, 2)
    assert len(python) == len(javascript) == 4
    assert python != javascript
    for note in python + javascript:
        assert re.fullmatch(r"Lot [1-4] is put up; it is worth [1-9] to you", note)


def test_in_messages_of_its_own_it_is_the_same_match(game, messages, tmp_path):
    record = played([game, messages, HERE], tmp_path, "bidder", READER, "inproc:reader:Reader")

    assert notes(record, 1)[0].startswith("Lot 1 is put up; it is worth ")
    assert record[-1]["game_digest"] == DIGEST
