"""The table of these tests: states come from positions, moves are notation, and what is looked at is a position again.

Nothing here or in the tests beside it knows how the engine keeps a state.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

from rivalry_engine.chance import Stream
from rivalry_engine.error import IllegalActionError
from rivalry_engine.event import Event
from rivalry_engine.foederati import Foederati
from rivalry_engine.game import State

FILE = Path(__file__).parents[3] / "engine" / "rivalry_engine" / "foederati" / "map.json"
GRID = [
    "wAAAnNNbbS",
    "wAAAnNNbSS",
    "wAAnnTTbSS",
    "wwwnFFTTSS",
    "wVVFFTTTPS",
    "wVVVRRTPPG",
    "wVVVRRUPGG",
    "IIImUUUYYG",
    "IIImUUUUYY",
    "IImmmmmmmm",
]
SQUARES = [f"{row}{column}" for row in "ABCDEFGHIJ" for column in range(1, 11)]
NAMES = {
    "A": "Albion", "T": "Teutonia", "S": "Sarmatia", "V": "Arvernia", "I": "Iberia", "U": "Ausonia", "F": "Frisia",
    "N": "Scandia", "P": "Pannonia", "R": "Raetia", "G": "Getica", "Y": "Illyria",
}  # fmt: skip
ALLOTMENT = {2: 44, 3: 30, 4: 25, 5: 22}
INITIAL = {2: 12, 3: 8, 4: 5, 5: 4}


def region(square: str) -> str:
    """The id of the region of a square."""
    return GRID["ABCDEFGHIJ".index(square[0])][int(square[1:]) - 1]


def country(key: str) -> list[str]:
    """The squares of a region, by its id."""
    return [square for square in SQUARES if region(square) == key]


def near(square: str) -> set[str]:
    """The squares orthogonally next to one."""
    row, column = "ABCDEFGHIJ".index(square[0]), int(square[1:]) - 1
    steps = [(row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1)]
    return {SQUARES[10 * r + c] for r, c in steps if 0 <= r < 10 and 0 <= c < 10}


def a_map(**changes: Any) -> dict[str, Any]:
    """The JSON of the built-in map with some keys changed."""
    return {**json.loads(FILE.read_text(encoding="utf-8")), **changes}


@cache
def _game(options: str) -> Foederati:
    return Foederati(json.loads(options))


def game(**options: Any) -> Foederati:
    """The game with some options; made once."""
    return _game(json.dumps(options, sort_keys=True))


def at(*shields: str, founded: str = "", options: dict[str, Any] | None = None, **keys: Any) -> State:
    """A state in round 1, seat 0 to move: by seat, the squares of its shields in one text; the seats' other keys are in
    ``seats``, by number.  ``founded`` has the ids of founded countries, which seat 1 founded in round 1 unless
    ``founded_round`` says otherwise.
    """
    seats: list[dict[str, Any]] = [{"shields": own.split()} for own in shields]
    for seat, more in keys.pop("seats", {}).items():
        seats[seat].update(more)
    keys.setdefault("round", 2)
    when = keys.pop("founded_round", 1)
    keys["founded"] = [{"country": NAMES[key], "seat": 1, "round": when} for key in founded]
    keys.setdefault("movers", [0])
    made = game(seats=len(shields), **(options or {}))
    keys.setdefault("first_player", 0)
    return made.state_at({"game": "foederati", "seats": seats, **keys})


def do(state: State, *texts: str) -> State:
    """Plays notation for whoever is to move; an illegal one raises IllegalActionError with its code."""
    for text in texts:
        (seat,) = state.movers()
        action = state.game.action(text)
        objection = state.objection(seat, action)
        if objection is not None:
            raise IllegalActionError(f"{text}: {objection.code}")
        state.apply(seat, action)
    return state


def told(state: State, *texts: str) -> list[Event]:
    """What happens when notation is played."""
    log: list[Event] = []
    state.log = log
    do(state, *texts)
    state.log = None
    return log


def refusal(state: State, text: str, seat: int | None = None) -> str:
    """The code of the objection to ``text`` by the mover or ``seat``; empty when it is legal."""
    who = state.movers()[0] if seat is None else seat
    objection = state.objection(who, state.game.action(text))
    return "" if objection is None else objection.code


def offered(state: State, verb: str = "") -> set[str]:
    """Every legal action of the mover that begins so, as notation."""
    (seat,) = state.movers()
    texts = {state.game.text(action) for action in state.legal_actions(seat)}
    return {text for text in texts if text.startswith(verb)}


def numbered(state: State) -> list[str]:
    """What the numbers of the prompt alone mean, in order."""
    (seat,) = state.movers()
    return [state.game.text(choice.action) for choice in state.choices(seat)]


def asked(state: State) -> tuple[str, int] | None:
    """The open question and its seat; None when the game is over."""
    movers = state.movers()
    return (state.question(movers[0]), movers[0]) if movers else None


def seat_of(state: State, seat: int) -> dict[str, Any]:
    """All of one seat, as a position shows it."""
    return dict(state.position()["seats"][seat])


def hand(state: State, seat: int = 0) -> list[str]:
    """The cards in a hand."""
    return list(seat_of(state, seat)["hand"])


def shields(state: State, seat: int = 0) -> list[str]:
    """The squares of a seat's shields."""
    return list(seat_of(state, seat)["shields"])


def supply(state: State) -> list[int]:
    """The supplies of all seats."""
    return [seat["supply"] for seat in state.position()["seats"]]


def played(state: State, seed: bytes, limit: int = 10_000) -> Iterator[tuple[int, int]]:
    """Plays uniformly drawn answers; yields each seat and action before it is applied."""
    stream = Stream(seed, "answers")
    for _ in range(limit):
        movers = tuple(state.movers())
        if not movers:
            return
        (seat,) = movers
        choice = stream.choice(state.choices(seat))
        size = choice.least + stream.below(choice.most - choice.least + 1)
        action = state.game.fill(choice, stream.sample(len(choice.parts), size)) if choice.parts else choice.action
        yield seat, action
        state.apply(seat, action)
