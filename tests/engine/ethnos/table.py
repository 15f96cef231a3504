"""The table of these tests: states come from positions, moves are notation, and what is looked at is a position again.

Nothing here or in the tests beside it knows how the engine keeps a state.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from rivalry_engine.chance import Stream
from rivalry_engine.error import IllegalActionError
from rivalry_engine.ethnos import Ethnos
from rivalry_engine.game import State

KINGDOMS = {
    "Ithys": "orange",
    "Althea": "green",
    "Pelagon": "grey",
    "Straton": "blue",
    "Duris": "purple",
    "Rhea": "red",
}
COLOURS = tuple(KINGDOMS.values())
TRIBES = {
    "centaurs": "centaur",
    "dwarves": "dwarf",
    "elves": "elf",
    "giants": "giant",
    "halflings": "halfling",
    "merfolk": "merfolk",
    "minotaurs": "minotaur",
    "orcs": "orc",
    "skeletons": "skeleton",
    "trolls": "troll",
    "wingfolk": "wingfolk",
    "wizards": "wizard",
}
FIVE = ("elves", "orcs", "trolls", "skeletons", "giants")
CLANS = ("bear", "raccoon", "koi", "monkey", "fox", "dog")
SIX = ("elves", "orcs", "trolls", "skeletons", "giants", "wizards")
LAST_AGE = {2: 2, 3: 2, 4: 3, 5: 3, 6: 3}
FLAT = {kingdom: [2, 4] for kingdom in ("Ithys", "Althea", "Pelagon")} | {
    kingdom: [6, 8] for kingdom in ("Straton", "Duris", "Rhea")
}


def position(seats: int = 3, tribes: Sequence[str] | None = None, **keys: Any) -> dict[str, Any]:
    """A position at ``seats`` seats: options by their names, every other key as given."""
    options: dict[str, Any] = {"seats": seats, "tribes": list(tribes or (FIVE if seats < 4 else SIX))}
    for name in ("ruleset", "centaurs_need_marker", "fairies"):
        if name in keys:
            options[name] = keys.pop(name)
    players = [dict(player) for player in keys.pop("players", ())]
    players += [{} for _ in range(seats - len(players))]
    for player in players:
        player.setdefault("hand", [])
    return {"game": "ethnos", "options": options, "movers": [0], "seats": players, **keys}


def at(seats: int = 3, tribes: Sequence[str] | None = None, **keys: Any) -> State:
    """The state of ``position(…)``: seats in ``players``, seat 0 to move, and hands empty unless they are given."""
    return placed(position(seats, tribes, **keys))


def placed(given: Mapping[str, Any]) -> State:
    """The state of a whole position."""
    return Ethnos(given["options"]).state_at(given)


def second(seats: int = 3, clans: Sequence[str] | None = None, **keys: Any) -> State:
    """Like ``at``, of the second edition; its options by their names."""
    options: dict[str, Any] = {
        "edition": "second",
        "seats": seats,
        "clans": list(clans or CLANS[: 5 if seats < 4 else 6]),
    }
    for name in ("ruleset", "dragons_to_end", "small_game_tokens", "two_player_exceptions"):
        if name in keys:
            options[name] = keys.pop(name)
    return placed({**position(seats, (), **keys), "options": options})


def second_ending(seats: int = 3, clans: Sequence[str] | None = None, **keys: Any) -> State:
    """Like ``ending``, of the second edition, in the first age unless another is given."""
    return second(seats, clans, **{"dragons": 2, "deck": ["dragon"], "face_up": [], **keys})


def ending(seats: int = 3, tribes: Sequence[str] | None = None, **keys: Any) -> State:
    """Like ``at``, in the last Age unless another is given, with the third Dragon on top of the deck."""
    keys.setdefault("age", LAST_AGE[seats])
    return at(seats, tribes, **{"dragons": 2, "deck": ["dragon"], "face_up": [], **keys})


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


def offered(state: State) -> set[str]:
    """Every legal action of the mover, as notation."""
    (seat,) = state.movers()
    return {state.game.text(action) for action in state.legal_actions(seat)}


def numbered(state: State) -> list[str]:
    """What the numbers of the prompt alone mean, in order."""
    (seat,) = state.movers()
    return [state.game.text(choice.action) for choice in state.choices(seat)]


def refusal(state: State, text: str) -> str:
    """The code of the objection to ``text`` by the mover; empty when it is legal."""
    (seat,) = state.movers()
    objection = state.objection(seat, state.game.action(text))
    return "" if objection is None else objection.code


def asked(state: State) -> tuple[str, int] | None:
    """The open question and its seat; None when the game is over."""
    movers = state.movers()
    return (state.question(movers[0]), movers[0]) if movers else None


def seat_of(state: State, seat: int) -> dict[str, Any]:
    """All of one seat, as a position shows it."""
    return dict(state.position()["seats"][seat])


def hand(state: State, seat: int = 0) -> list[str]:
    """The cards in a hand, sorted by their names."""
    return sorted(seat_of(state, seat)["hand"])


def markers(state: State, seat: int = 0) -> dict[str, int]:
    """The Kingdoms in which a seat has markers, with how many."""
    return {name: count for name, count in seat_of(state, seat)["markers"].items() if count}


def face_up(state: State) -> list[str]:
    """The face-up cards, sorted by their names."""
    return sorted(state.position()["face_up"])


def glory(state: State) -> list[int]:
    """The Glory of every seat."""
    return list(state.scores())


def first_choice_to_the_end(state: State) -> State:
    """Plays the first choice of every prompt until the game is over."""
    while movers := state.movers():
        for seat in tuple(movers):
            state.apply(seat, state.choices(seat)[0].action)
    return state


def played(state: State, seed: bytes, limit: int = 10_000) -> Iterator[tuple[int, int]]:
    """Plays uniformly drawn answers; yields each seat and action before it is applied."""
    for number in range(limit):
        movers = tuple(state.movers())
        if not movers:
            return
        (seat,) = movers
        stream = Stream(seed, f"answer/{number}")
        choice = stream.choice(state.choices(seat))
        size = choice.least + stream.below(choice.most - choice.least + 1)
        action = state.game.fill(choice, stream.sample(len(choice.parts), size)) if choice.parts else choice.action
        yield seat, action
        state.apply(seat, action)
