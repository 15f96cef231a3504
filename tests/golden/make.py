"""Golden games: whole games as readable text, and a table of many results, that no change of the code may change.

``python tests/golden/make.py`` writes them anew, and refuses when one would change though ``rules_version`` was not
raised: then either the change is a fault, or it changes what the rules do and the version has to say so.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final

from rivalry_engine.chance import Stream, seed_from_text
from rivalry_engine.ethnos import Ethnos
from rivalry_engine.event import Event, seen
from rivalry_engine.game import Action, Game, State

HERE: Final = Path(__file__).parent
TABLE: Final = HERE / "ethnos-results.json"
SECOND_TABLE: Final = HERE / "ethnos-second-results.json"
RESULTS: Final = 40
"""Games in a table for each number of seats."""

SMALL: Final = ["koi", "monkey", "fox", "raccoon", "dog"]

GAMES: Final[dict[str, tuple[dict[str, Any], str]]] = {
    "ethnos-2": ({"seats": 2, "tribes": ["centaurs", "elves", "merfolk", "minotaurs", "skeletons"]}, "golden"),
    "ethnos-3": ({"seats": 3, "ruleset": "bga"}, "golden"),
    "ethnos-4": ({"seats": 4}, "golden"),
    "ethnos-5": (
        {"seats": 5, "tribes": ["dwarves", "giants", "halflings", "orcs", "trolls", "wingfolk"]},
        "0x676f6c64",
    ),
    "ethnos-6": (
        {
            "seats": 6,
            "centaurs_need_marker": False,
            "tribes": ["centaurs", "elves", "merfolk", "orcs", "skeletons", "wizards"],
        },
        "golden",
    ),
    "ethnos-fairies-3": (
        {"seats": 3, "fairies": True, "tribes": ["centaurs", "fairies", "giants", "orcs", "trolls"]},
        "golden",
    ),
    "ethnos-fairies-5": (
        {
            "seats": 5,
            "fairies": True,
            "tribes": ["elves", "fairies", "giants", "merfolk", "wingfolk", "wizards"],
        },
        "golden",
    ),
    "ethnos-second-2": ({"edition": "second", "seats": 2, "clans": SMALL}, "golden"),
    "ethnos-second-2-literal": ({"edition": "second", "seats": 2, "ruleset": "literal", "clans": SMALL}, "golden"),
    "ethnos-second-3": ({"edition": "second", "seats": 3}, "golden"),
    "ethnos-second-3-literal": ({"edition": "second", "seats": 3, "ruleset": "literal"}, "golden"),
    "ethnos-second-4": ({"edition": "second", "seats": 4, "clans": "first-game"}, "golden"),
    "ethnos-second-4-literal": ({"edition": "second", "seats": 4, "ruleset": "literal"}, "golden"),
    "ethnos-second-5": (
        {"edition": "second", "seats": 5, "clans": ["rabbit", "bear", "koi", "deer", "monkey", "raccoon"]},
        "golden",
    ),
    "ethnos-second-6": (
        {"edition": "second", "seats": 6, "clans": ["owl", "red panda", "tiger", "fox", "raccoon", "dog"]},
        "golden",
    ),
}
"""By file name: options and seed."""


def uniform_moves(state: State, seed: bytes) -> Iterator[tuple[int, Action]]:
    """Plays a game to its end: uniform over choices, then over sizes, then over the sets of parts of that size.

    Decision n draws from the stream ``golden/n`` of the seed.  Yields each move before it is applied.
    """
    number = 0
    while movers := state.movers():
        for seat in tuple(movers):
            stream = Stream(seed, f"golden/{number}")
            choice = stream.choice(state.choices(seat))
            action = choice.action
            if choice.parts:
                size = choice.least + stream.below(choice.most - choice.least + 1)
                action = state.game.fill(choice, stream.sample(len(choice.parts), size))
            yield seat, action
            state.apply(seat, action)
            number += 1


def told(game: Game, seed: str, texts: Sequence[str] | None = None) -> str:
    """A game as text: its head, a line for each decision with what came of it, and how it ended.

    The actions are ``texts``, or drawn by ``uniform_moves`` when there are none.
    """
    state = game.new_state(seed_from_text(seed))
    log: list[Event] = []
    state.log = log
    setup = state.setup().json()
    names = {number: name for name, number in setup["cards"].items()}
    kingdoms = dict(enumerate(setup["kingdoms"], start=1))
    lines = [
        f"game: {game.name}",
        f"rules_version: {game.rules_version}",
        f"options: {json.dumps(game.options_given())}",
        f"seed: {seed}",
        "chooser: uniform",
        f"tribes: {', '.join(setup['tribes'])}",
        "tokens: " + ", ".join(f"{kingdom} {_plain(tokens)}" for kingdom, tokens in setup["tokens"].items()),
        *_cards_told(state),
        "",
    ]
    moves = uniform_moves(state, seed_from_text(seed)) if texts is None else replayed(state, texts)
    for number, (seat, action) in enumerate(moves, start=1):
        lines += _events_told(log, names, kingdoms, game)
        lines.append(f"{number} seat {seat} {state.question(seat)} | {game.text(action)}")
    lines += _events_told(log, names, kingdoms, game)
    lines += ["", f"scores: {_plain(state.scores())}", f"ranks: {_plain(state.ranks())}", ""]
    return "\n".join(lines)


def replayed(state: State, texts: Sequence[str]) -> Iterator[tuple[int, Action]]:
    for text in texts:
        seat = state.movers()[0]
        action = state.game.action(text)
        objection = state.objection(seat, action)
        if objection is not None:
            raise AssertionError(f"seat {seat} may not {text}: {objection.text}")
        yield seat, action
        state.apply(seat, action)
    if state.movers():
        raise AssertionError(f"the game is not over after {len(texts)} actions")


def _cards_told(state: State) -> list[str]:
    place = state.position()
    hands = " / ".join(", ".join(seat["hand"]) for seat in place["seats"])
    return [f"hands: {hands}", f"face up: {', '.join(place['face_up'])}", f"first: seat {place['first_player']}"]


def _events_told(log: list[Event], names: dict[int, str], kingdoms: dict[int, str], game: Game) -> list[str]:
    lines = []
    for event in log:
        if event.kind in game.echoes:
            continue
        facts = dict(event.facts)
        secrets = [seen(event, seat).facts for seat in range(game.seats) if seat in event.secrets]
        if event.kind == "age_begun":
            facts["hands"] = [card for own in secrets for card in own["hand"]]
        elif secrets:
            facts.update(secrets[0])
        told = "; ".join(
            f"{key} {_named(key, value, kingdoms if key == 'kingdom' else names)}" for key, value in facts.items()
        )
        lines.append(f"    {event.kind}: {told}")
    log.clear()
    return lines


def _named(key: str, value: Any, names: dict[int, str]) -> str:
    if key in ("card", "leader", "kingdom"):
        return names[value]
    if key in ("cards", "row", "hands"):
        return ", ".join(names[card] for card in value)
    return _plain(value) if isinstance(value, list | tuple) else str(value)


def _plain(values: Sequence[int]) -> str:
    return " ".join(map(str, values))


def result(seats: int, number: int) -> list[list[int]]:
    """Scores of one game of the table, and its ranks under the standard and the bga ruleset.

    Game ``number`` frees the Centaurs when it is odd.
    """
    options = {"seats": seats, "centaurs_need_marker": number % 2 == 0}
    game = Ethnos(options)
    seed = f"result/{number}".encode()
    state = game.new_state(seed)
    for _ in uniform_moves(state, seed):
        pass
    other = Ethnos({**options, "ruleset": "bga"})
    place = state.position()
    place["options"]["ruleset"] = "bga"
    return [list(state.scores()), list(state.ranks()), list(other.state_at(place).ranks())]


def results() -> str:
    """The table: a line a game."""
    lines = [f'{{"rules_version": {Ethnos.rules_version}']
    for seats in Ethnos.seat_counts:
        rows = ",\n  ".join(json.dumps(result(seats, number)) for number in range(RESULTS))
        lines.append(f',\n "{seats}": [\n  {rows}]')
    return "".join(lines) + "}\n"


def second_result(seats: int, number: int) -> list[list[int]]:
    """Scores and ranks of one game of the second edition's table, under the standard and the literal ruleset."""
    found: list[list[int]] = []
    for ruleset in ("standard", "literal"):
        seed = f"result/{number}".encode()
        state = Ethnos({"edition": "second", "seats": seats, "ruleset": ruleset}).new_state(seed)
        for _ in uniform_moves(state, seed):
            pass
        found += [list(state.scores()), list(state.ranks())]
    return found


def second_results() -> str:
    """The table of the second edition: a line a game."""
    lines = [f'{{"rules_version": {Ethnos.rules_version}']
    for seats in Ethnos.seat_counts:
        rows = ",\n  ".join(json.dumps(second_result(seats, number)) for number in range(RESULTS // 4))
        lines.append(f',\n "{seats}": [\n  {rows}]')
    return "".join(lines) + "}\n"


def version_of(text: str) -> int:
    """The rules_version of a golden file."""
    if text.startswith("{"):
        return int(json.loads(text)["rules_version"])
    return int(text.split("rules_version: ")[1].split("\n")[0])


def write(made: dict[Path, str], rules: type[Game]) -> int:
    """Writes what is new or was made by an older version of the rules; 1 if a file would change all the same."""
    changed = [path for path, text in made.items() if path.exists() and path.read_text() != text]
    for path in changed:
        if version_of(path.read_text()) >= rules.rules_version:
            print(
                f"{path.name} would change, though rules_version is still {rules.rules_version};"
                f" if the rules play otherwise now, raise it in {rules.__name__}, else the change is a fault",
                file=sys.stderr,
            )
            return 1
    for path, text in made.items():
        if not path.exists() or path in changed:
            path.write_text(text)
            print(f"{path.name} written")
    return 0


def main() -> int:
    made = {HERE / f"{name}.txt": told(Ethnos(options), seed) for name, (options, seed) in GAMES.items()}
    made[TABLE] = results()
    made[SECOND_TABLE] = second_results()
    return write(made, Ethnos)


if __name__ == "__main__":
    sys.path.insert(0, str(HERE.parent))
    from golden import foederati_games, words

    sys.exit(main() or foederati_games.main() or words.main())
