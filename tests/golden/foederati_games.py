"""The golden games of Foederati, and a table of many results; ``make.py`` writes them with its own."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any, Final

from golden import make
from rivalry_engine.chance import seed_from_text
from rivalry_engine.event import Event, seen
from rivalry_engine.foederati import Foederati
from rivalry_engine.game import PUBLIC, Game

TABLE: Final = make.HERE / "foederati-results.json"
RESULTS: Final = 8
"""Games in the table for each number of seats: every other one by the preset red-only."""

GAMES: Final[dict[str, tuple[dict[str, Any], str]]] = {
    "foederati-2": ({"seats": 2}, "golden"),
    "foederati-3": ({"seats": 3, "preset": "red-only"}, "golden"),
    "foederati-4": ({"seats": 4, "first_player": "2", "attack_full_seas": True}, "golden"),
    "foederati-5": (
        {"seats": 5, "battle_tie_to": "attacker", "attacker_loses_shield_on_failure": False},
        "0x676f6c64",
    ),
}
"""By file name: options and seed."""


def told(game: Game, seed: str, texts: Sequence[str] | None = None) -> str:
    """A game as text: its head, a line for each decision with what came of it, and how it ended.

    The actions are ``texts``, or drawn by ``make.uniform_moves`` when there are none.
    """
    state = game.new_state(seed_from_text(seed))
    log: list[Event] = []
    state.log = log
    lines = [
        f"game: {game.name}",
        f"rules_version: {game.rules_version}",
        f"options: {json.dumps(game.options_given())}",
        f"seed: {seed}",
        "chooser: uniform",
        *[f"hand {seat}: {', '.join(own['hand'])}" for seat, own in enumerate(state.position()["seats"])],
        "",
    ]
    moves = make.uniform_moves(state, seed_from_text(seed)) if texts is None else make.replayed(state, texts)
    for number, (seat, action) in enumerate(moves, start=1):
        lines += _events_told(game, log)
        lines.append(f"{number} seat {seat} {state.question(seat)} | {game.text(action)}")
    lines += _events_told(game, log)
    lines += ["", f"scores: {_plain(state.scores())}", f"ranks: {_plain(state.ranks())}", ""]
    return "\n".join(lines)


def _events_told(game: Game, log: list[Event]) -> list[str]:
    """Events that say more than the action, as whoever sees most of them sees them."""
    lines = []
    for event in log:
        if event.kind not in game.echoes and event.kind != "begun":
            lines.append("    " + game.event_text(seen(event, min(event.secrets, default=PUBLIC))))
    log.clear()
    return lines


def _plain(values: Sequence[int]) -> str:
    return " ".join(map(str, values))


def result(seats: int, number: int) -> list[Any]:
    """Of one game of the table: scores, the triggers of the end, the round, countries founded, supplies."""
    state = Foederati({"seats": seats, "preset": ("seed", "red-only")[number % 2]}).new_state(f"{number}".encode())
    for _ in make.uniform_moves(state, f"result/{number}".encode()):
        pass
    place = state.position()
    supplies = [seat["supply"] for seat in place["seats"]]
    return [list(state.scores()), place["triggers"], place["round"], len(place["founded"]), supplies]


def results() -> str:
    """The table: a line a game."""
    lines = [f'{{"rules_version": {Foederati.rules_version}']
    for seats in Foederati.seat_counts:
        rows = ",\n  ".join(json.dumps(result(seats, number)) for number in range(RESULTS))
        lines.append(f',\n "{seats}": [\n  {rows}]')
    return "".join(lines) + "}\n"


def main() -> int:
    made = {make.HERE / f"{name}.txt": told(Foederati(options), seed) for name, (options, seed) in GAMES.items()}
    made[TABLE] = results()
    return make.write(made, Foederati)
