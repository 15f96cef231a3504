"""Events in words, for people who read a replay or watch a match."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from rivalry_engine.ethnos.cards import name
from rivalry_engine.ethnos.data import KINGDOMS
from rivalry_engine.event import Seen

ECHOES: Final = frozenset(("taken", "passed", "band", "marked", "declined", "horde", "token", "kept"))
"""Kinds that say no more than the action that made them."""

Facts = Mapping[str, Any]


def told(seen: Seen) -> str:
    """An event in words, as far as its audience sees it."""
    return _WORDS[seen.kind](seen.facts)


def _age_begun(facts: Facts) -> str:
    hand = f"; the hand is {_cards(facts['hand'])}" if "hand" in facts else ""
    return (
        f"Age {facts['age']} begins: seat {facts['first']} starts, face up are {_cards(facts['row'])},"
        f" the deck has {facts['deck']} cards{hand}"
    )


def _taken(facts: Facts) -> str:
    return f"seat {facts['seat']} takes {name(facts['card'])}"


def _drawn(facts: Facts) -> str:
    return f"seat {facts['seat']} draws {name(facts['card']) if 'card' in facts else 'a card'}"


def _dragon(facts: Facts) -> str:
    return f"seat {facts['seat']} draws Dragon {facts['number']} of 3"


def _passed(facts: Facts) -> str:
    return f"seat {facts['seat']} can do nothing"


def _band(facts: Facts) -> str:
    return f"seat {facts['seat']} plays a Band under {name(facts['leader'])}: {_cards(facts['cards'])}"


def _marked(facts: Facts) -> str:
    return f"seat {facts['seat']} places a marker in {KINGDOMS[facts['kingdom']]}"


def _declined(facts: Facts) -> str:
    return f"seat {facts['seat']} leaves it: {facts['kind']}"


def _giant(facts: Facts) -> str:
    return f"seat {facts['seat']} takes the Giant token with a Band of {facts['size']} and {_gains(facts['glory'])}"


def _advanced(facts: Facts) -> str:
    return f"seat {facts['seat']} is on space {facts['space']} of the Merfolk board"


def _horde(facts: Facts) -> str:
    return f"seat {facts['seat']} marks {KINGDOMS[facts['kingdom']]} on its Orc board"


def _token(facts: Facts) -> str:
    return f"seat {facts['seat']} takes Troll token {facts['value']}"


def _kept(facts: Facts) -> str:
    kept = _cards(facts["cards"]) if facts.get("cards") else f"{facts['count']} of its cards"
    return f"seat {facts['seat']} keeps {kept}"


def _discarded(facts: Facts) -> str:
    return f"seat {facts['seat']} discards {_cards(facts['cards'])}"


def _age_ended(facts: Facts) -> str:
    return f"Age {facts['age']} ends: seat {facts['seat']} drew last"


def _kingdom_scored(facts: Facts) -> str:
    return f"{KINGDOMS[facts['kingdom']]} pays {_shares(facts['glory'])}"


def _merfolk_scored(facts: Facts) -> str:
    return f"the Merfolk board pays {_shares(facts['glory'])}"


def _giant_scored(facts: Facts) -> str:
    return f"the Giant token pays seat {facts['seat']} {facts['glory']}"


def _bands_scored(facts: Facts) -> str:
    return f"Bands pay {_shares(facts['glory'])}"


def _horde_emptied(facts: Facts) -> str:
    return f"seat {facts['seat']} empties its Orc board of {facts['markers']} and {_gains(facts['glory'])}"


def _game_ended(facts: Facts) -> str:
    return f"the game ends: {', '.join(f'seat {seat} has {score}' for seat, score in enumerate(facts['scores']))}"


_WORDS: Final[Mapping[str, Callable[[Facts], str]]] = {
    "age_begun": _age_begun,
    "taken": _taken,
    "drawn": _drawn,
    "dragon": _dragon,
    "passed": _passed,
    "band": _band,
    "marked": _marked,
    "declined": _declined,
    "giant": _giant,
    "advanced": _advanced,
    "horde": _horde,
    "token": _token,
    "kept": _kept,
    "discarded": _discarded,
    "age_ended": _age_ended,
    "kingdom_scored": _kingdom_scored,
    "merfolk_scored": _merfolk_scored,
    "giant_scored": _giant_scored,
    "bands_scored": _bands_scored,
    "horde_emptied": _horde_emptied,
    "game_ended": _game_ended,
}


def _cards(cards: Sequence[int]) -> str:
    return ", ".join(name(card) for card in cards)


def _gains(glory: int) -> str:
    return f"gains {glory} Glory"


def _shares(glory: Sequence[int]) -> str:
    """Who gained how much, those that gained nothing left out."""
    shares = [f"seat {seat} {gained}" for seat, gained in enumerate(glory) if gained]
    return ", ".join(shares) or "nobody"
