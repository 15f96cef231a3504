"""Events in words, for people who read a replay or watch a match."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from rivalry_engine.counting import counted
from rivalry_engine.ethnos import question
from rivalry_engine.ethnos.edition import FIRST, SECOND, Edition, Figures
from rivalry_engine.event import Seen

_ECHOES: Final = ("taken", "passed", "band", "marked", "declined", "kept")
ECHOES: Final[Mapping[str, frozenset[str]]] = {
    FIRST.name: frozenset((*_ECHOES, "horde", "token")),
    SECOND.name: frozenset(_ECHOES),
}
"""By edition, the kinds that say no more than the action that made them; what is an order has no action (N3.0)."""

Facts = Mapping[str, Any]


def is_hidden_draw(seen: Seen) -> bool:
    """True for a draw from the deck whose card its audience does not see: the action said as much."""
    return seen.kind == "drawn" and "card" not in seen.facts


def told(figures: Figures, seen: Seen) -> str:
    """An event in the words of the edition that is played, as far as its audience sees it."""
    if seen.kind == "dragon":
        return _dragon(seen.facts, figures)
    return _WORDS[seen.kind](seen.facts, figures.edition)


def _age_begun(facts: Facts, edition: Edition) -> str:
    hand = f"; the hand is {_cards(facts['hand'], edition)}" if "hand" in facts else ""
    return (
        f"Age {facts['age']} begins: seat {facts['first']} starts, face up are {_cards(facts['row'], edition)},"
        f" the deck has {counted(facts['deck'], 'card')}{hand}"
    )


def _taken(facts: Facts, edition: Edition) -> str:
    return f"seat {facts['seat']} takes {edition.names[facts['card']]}"


def _drawn(facts: Facts, edition: Edition) -> str:
    return f"seat {facts['seat']} draws {edition.names[facts['card']] if 'card' in facts else 'a card'}"


def _dragon(facts: Facts, figures: Figures) -> str:
    """Counted to the Dragon that ends the Age (E4.3, N5)."""
    return f"seat {facts['seat']} draws Dragon {facts['number']} of {figures.dragons_to_end}"


def _passed(facts: Facts, edition: Edition) -> str:
    return f"seat {facts['seat']} can do nothing"


def _band(facts: Facts, edition: Edition) -> str:
    leader = edition.names[facts["leader"]]
    return f"seat {facts['seat']} plays a {edition.words.band} under {leader}: {_cards(facts['cards'], edition)}"


def _marked(facts: Facts, edition: Edition) -> str:
    return f"seat {facts['seat']} places a marker in {edition.kingdoms[facts['kingdom']]}"


def _declined(facts: Facts, edition: Edition) -> str:
    return f"seat {facts['seat']} {_declining(facts['kind'], edition)}"


def _declining(kind: str, edition: Edition) -> str:
    """What somebody does who answers a question with none, stay, stop or keep board (E5.8)."""
    words = edition.words
    return {
        question.MARKER: "places no marker",
        question.ADVANCE: f"stays where it is on the {words.merfolk_board}",
        question.BONUS: f"places no free marker of the {words.merfolk_board}",
        question.HORDE: f"puts no marker on its {words.orc_board}",
        question.TOKEN: f"takes no {words.troll_token}",
        question.TARGET: f"swaps its {words.band} for no other",
        question.FURTHER: f"plays no further {words.band}",
        question.DRAW: "draws no cards",
        question.EMPTY: f"keeps the markers on its {words.orc_board}",
    }[kind]


def _giant(facts: Facts, edition: Edition) -> str:
    words = edition.words
    taken = f"seat {facts['seat']} takes the {words.giant_token} with a {words.band} of {facts['size']}"
    return f"{taken} and {_gains(facts['glory'], edition)}" if facts["glory"] else taken


def _advanced(facts: Facts, edition: Edition) -> str:
    return f"seat {facts['seat']} is on space {facts['space']} of the {edition.words.merfolk_board}"


def _horde(facts: Facts, edition: Edition) -> str:
    return f"seat {facts['seat']} marks {edition.kingdoms[facts['kingdom']]} on its {edition.words.orc_board}"


def _token(facts: Facts, edition: Edition) -> str:
    return f"seat {facts['seat']} takes {edition.words.troll_token} {facts['value']}"


def _coin(facts: Facts, edition: Edition) -> str:
    return f"seat {facts['seat']} puts a coin of {facts['value']} on {edition.kingdoms[facts['kingdom']]}"


def _swapped(facts: Facts, edition: Edition) -> str:
    received = f"{edition.names[facts['leader']]}: {_cards(facts['cards'], edition)}"
    return f"seat {facts['seat']} swaps it for Band {facts['band']} of seat {facts['other']}, under {received}"


def _kept(facts: Facts, edition: Edition) -> str:
    kept = _cards(facts["cards"], edition) if facts.get("cards") else f"{facts['count']} of its cards"
    return f"seat {facts['seat']} keeps {kept}"


def _discarded(facts: Facts, edition: Edition) -> str:
    return f"seat {facts['seat']} discards {_cards(facts['cards'], edition)}"


def _age_ended(facts: Facts, edition: Edition) -> str:
    return f"Age {facts['age']} ends: seat {facts['seat']} drew last"


def _kingdom_scored(facts: Facts, edition: Edition) -> str:
    return f"{edition.kingdoms[facts['kingdom']]} pays {_shares(facts['glory'])}"


def _merfolk_scored(facts: Facts, edition: Edition) -> str:
    return f"the {edition.words.merfolk_board} pays {_shares(facts['glory'])}"


def _giant_scored(facts: Facts, edition: Edition) -> str:
    return f"the {edition.words.giant_token} pays seat {facts['seat']} {facts['glory']}"


def _bands_scored(facts: Facts, edition: Edition) -> str:
    return f"{edition.words.bands.capitalize()} pay {_shares(facts['glory'])}"


def _horde_emptied(facts: Facts, edition: Edition) -> str:
    emptied = f"seat {facts['seat']} empties its {edition.words.orc_board} of {facts['markers']}"
    return f"{emptied} and {_gains(facts['glory'], edition)}"


def _game_ended(facts: Facts, edition: Edition) -> str:
    return f"the game ends: {', '.join(f'seat {seat} has {score}' for seat, score in enumerate(facts['scores']))}"


_WORDS: Final[Mapping[str, Callable[[Facts, Edition], str]]] = {
    "age_begun": _age_begun,
    "taken": _taken,
    "drawn": _drawn,
    "passed": _passed,
    "band": _band,
    "marked": _marked,
    "declined": _declined,
    "giant": _giant,
    "advanced": _advanced,
    "horde": _horde,
    "token": _token,
    "coin": _coin,
    "swapped": _swapped,
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


def _cards(cards: Sequence[int], edition: Edition) -> str:
    return ", ".join(edition.names[card] for card in cards)


def _gains(glory: int, edition: Edition) -> str:
    return f"gains {glory} {edition.words.glory}"


def _shares(glory: Sequence[int]) -> str:
    """Who gained how much, those that gained nothing left out."""
    shares = [f"seat {seat} {gained}" for seat, gained in enumerate(glory) if gained]
    return ", ".join(shares) or "nobody"
