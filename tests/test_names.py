"""Arena, client libraries and competitions know no game: neither by its name nor by a word of its own."""

from __future__ import annotations

import re
from functools import cache
from importlib.metadata import entry_points
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
SOURCES = {
    "rivalry_server": (ROOT / "server" / "rivalry_server", "py"),
    "rivalry_client": (ROOT / "clients" / "python" / "rivalry_client", "py"),
    "rivalry_agents": (ROOT / "clients" / "python" / "rivalry_agents", "py"),
    "typescript": (ROOT / "clients" / "typescript" / "src", "ts"),
    "arena.v1": (ROOT / "proto" / "rivalry" / "arena", "proto"),
    "rivalry_tournament": (ROOT / "server" / "rivalry_tournament", "py"),
    "rivalry_ladder": (ROOT / "server" / "rivalry_ladder", "py"),
    "rivalry_report": (ROOT / "server" / "rivalry_report", "py"),
    "rivalry_evaluation": (ROOT / "server" / "rivalry_evaluation", "py"),
    "ladder.v1": (ROOT / "proto" / "rivalry" / "ladder", "proto"),
}
OWN = {
    "rivalry_ladder": {"migrations"},
    "rivalry_report": {"band", "bands"},
    "rivalry_evaluation": {"chess", "countries"},
}
"""Words that mean something else there: of a database, of a plot, of the sources of a method."""
EXAMPLES = ('[queues.kuhn] with game = "kuhn"', '[queues.kuhn] and game = "kuhn"', "A game as short as Kuhn poker is")
"""What tells a person of a game by way of example, and decides nothing."""
WORDS = """
tribe tribes glory kingdom kingdoms dragon dragons dragonstone fairy fairies clan clans band bands horde
skeleton skeletons minotaur minotaurs merfolk halfling halflings wingfolk centaur centaurs troll trolls orc orcs
elf elves dwarf dwarves wizard wizards giant giants raccoon monkey monkeys owl owls koi
shields fleet fleets ships sail sails battle battles country countries migrate migration migrations foundation
poker ante jack queen king pyspiel hearts chess
"""
"""Words of one game each.  What has a meaning in an arena as well, such as turn or token, is not among them."""


@cache
def names():
    """The names of the games that come with the arena, and of the modules they are in."""
    ours = [entry for entry in entry_points(group="rivalry.games") if entry.module.startswith("rivalry_")]
    return {entry.name for entry in ours} | {entry.module.rpartition(".")[2] for entry in ours}


def found(text):
    """The names and words of games in ``text``, examples aside; a name counts inside of another, too."""
    for example in EXAMPLES:
        text = text.replace(example, "")
    lower = text.lower()
    parts = re.findall(r"[a-z]+", re.sub(r"(?<=[a-z])(?=[A-Z])", " ", text).lower())
    return sorted({name for name in names() if name in lower} | set(WORDS.split()).intersection(parts))


@pytest.mark.parametrize("package", SOURCES)
def test_no_line_names_a_game_or_a_word_of_one(package):
    folder, suffix = SOURCES[package]
    files = [file for file in folder.rglob(f"*.{suffix}") if "test" not in file.relative_to(folder).parts]
    told = [
        f"{file.relative_to(ROOT)}:{number}: {', '.join(sorted(words))}"
        for file in files
        for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), start=1)
        if (words := set(found(line)) - OWN.get(package, set()))
    ]

    assert files
    assert not told, "\n".join(told)


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("from rivalry_engine.ethnos import Ethnos", ["ethnos"]),
        ("KuhnState(game)", ["kuhn"]),
        ("if game.name == 'OpenSpiel:go'", ["openspiel"]),
        ("def tribe_of(card):  # GloryTrack", ["glory", "tribe"]),
        ("class BandView:", ["band"]),
        ('if game == "kuhn":  # [queues.kuhn] and game = "kuhn"', ["kuhn"]),
        ("taking thing, a husband, bandwidth, linking", []),
    ],
)
def test_what_names_a_game_is_found(line, expected):
    assert found(line) == expected
