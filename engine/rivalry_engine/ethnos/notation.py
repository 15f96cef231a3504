"""Actions as text, both ways, in the names of an edition and without a state.

Reading is lenient: any case and spacing, cards in any order.  Writing is canonical: cards ascending, Skeletons last.
"""

from __future__ import annotations

from typing import Final

from rivalry_engine.error import NotationError
from rivalry_engine.ethnos import actions
from rivalry_engine.ethnos.actions import (
    ADVANCE,
    BAND,
    DRAW,
    DRAW_CARDS,
    EMPTY,
    HORDE,
    KEEP,
    MARK,
    PASS,
    STOP,
    SWAP,
    TAKE,
    TOKEN,
)
from rivalry_engine.ethnos.cards import UNIT, copies, packed
from rivalry_engine.ethnos.data import COLOURS, ELVES, HAND_LIMIT, SEAT_COUNTS, SKELETONS, TROLL_TOKENS
from rivalry_engine.ethnos.edition import EDITIONS, Edition

FORMS: Final = (
    "take CARD",
    "draw",
    "pass",
    "band LEADER: CARD, CARD",
    "mark KINGDOM",
    "mark none",
    "keep CARD, CARD",
    "keep none",
    "advance",
    "stay",
    "horde",
    "no horde",
    "token NUMBER",
    "token none",
    "draw all",
    "draw none",
    "stop",
    "swap SEAT BAND",
    "swap none",
    "empty",
    "keep board",
)

_WHOLE: Final[dict[str, int]] = {
    "draw": actions.draw(),
    "pass": actions.forced_pass(),
    "mark none": actions.mark(0),
    "keep none": actions.keep(0),
    "advance": actions.advance(True),
    "stay": actions.advance(False),
    "horde": actions.horde(True),
    "no horde": actions.horde(False),
    "token none": actions.token(0),
    "draw all": actions.draw_cards(True),
    "draw none": actions.draw_cards(False),
    "stop": actions.stop(),
    "swap none": actions.no_swap(),
    "empty": actions.empty(True),
    "keep board": actions.empty(False),
}

_CARDS: Final[dict[str, dict[str, int]]] = {
    edition.name: {edition.names[card]: card for card in edition.allies()} for edition in EDITIONS.values()
}
"""By the name of an edition and that of a card, the card."""
_KINGDOMS: Final[dict[str, dict[str, int]]] = {
    edition.name: {edition.kingdoms[colour].lower(): colour for colour in COLOURS} for edition in EDITIONS.values()
}


def text(edition: Edition, action: int) -> str:
    """The notation of a well-formed action."""
    verb, value = action & 15, (action >> 4) & 255
    if verb == TAKE:
        return f"take {edition.names[value]}"
    if verb == BAND:
        others = edition.listing((action >> actions.PACK_SHIFT) - UNIT[value])
        return f"band {edition.names[value]}: {others}" if others else f"band {edition.names[value]}"
    if verb == MARK:
        return f"mark {edition.kingdoms[value] if value else 'none'}"
    if verb == KEEP:
        return f"keep {edition.listing(action >> actions.PACK_SHIFT) or 'none'}"
    if verb == SWAP:
        seat, number = actions.target(action)
        return "swap none" if seat < 0 else f"swap {seat} {number}"
    if verb == TOKEN:
        return f"token {value or 'none'}"
    if verb == ADVANCE:
        return "advance" if value else "stay"
    if verb == HORDE:
        return "horde" if value else "no horde"
    if verb == DRAW_CARDS:
        return "draw all" if value else "draw none"
    if verb == EMPTY:
        return "empty" if value else "keep board"
    return {DRAW: "draw", PASS: "pass", STOP: "stop"}[verb]


def action(edition: Edition, text: str) -> int:
    """The action of a notation; raises NotationError that says what was given and which forms there are."""
    given = _shown(text)
    plain = " ".join(text.lower().split())
    whole = _WHOLE.get(plain)
    if whole is not None:
        return whole
    verb, _, rest = plain.partition(" ")
    if verb == "take":
        return actions.take(_card(edition, given, rest))
    if verb == "band":
        return _band(edition, given, rest)
    if verb == "keep":
        return actions.keep(packed(_cards(edition, given, rest.split(","))))
    if verb == "mark":
        colour = _KINGDOMS[edition.name].get(rest)
        if colour is None:
            word, places = edition.words.kingdom, ", ".join(edition.kingdoms[1:])
            raise NotationError(f"{given}: {_shown(rest)} is no {word}; expected {places} or none")
        return actions.mark(colour)
    if verb == "token":
        for value in TROLL_TOKENS:
            if rest == str(value):
                return actions.token(value)
        raise NotationError(f"{given}: {_shown(rest)} is no {edition.words.troll_token}; expected 1 to 6 or none")
    if verb == "swap":
        return _swap(given, rest)
    raise NotationError(f"{given} is no action; expected one of {' · '.join(FORMS)}")


def card(edition: Edition, given: str) -> int:
    """The card of a notation such as ``red elf``; raises NotationError when it is none."""
    return _card(edition, _shown(given), " ".join(given.lower().split()))


def _shown(given: str) -> str:
    """What was given, in quotes, and cut when it is long."""
    return repr(given if len(given) <= 80 else given[:79] + "…")


def _swap(given: str, rest: str) -> int:
    words = rest.split()
    numbers = [int(word) for word in words if word.isascii() and word.isdigit() and len(word) <= 2]
    if len(words) != 2 or len(numbers) != 2 or numbers[0] >= SEAT_COUNTS[-1]:
        raise NotationError(
            f"{given}: expected a seat from 0 to {SEAT_COUNTS[-1] - 1} and the number of one of its Bands, from 0, such"
            " as 'swap 2 0', or 'swap none'"
        )
    return actions.swap(numbers[0], numbers[1])


def _band(edition: Edition, given: str, rest: str) -> int:
    first, colon, others = rest.partition(":")
    leader = _card(edition, given, first.strip())
    cards = [leader]
    if colon and others.strip():
        cards += _cards(edition, given, others.split(","))
        _check_copies(edition, given, cards)
    return actions.band(leader, packed(cards))


def _cards(edition: Edition, given: str, words: list[str]) -> list[int]:
    _check_number(given, len(words))
    cards = [_card(edition, given, word.strip()) for word in words]
    _check_copies(edition, given, cards)
    return cards


def _check_copies(edition: Edition, given: str, cards: list[int]) -> None:
    _check_number(given, len(cards))
    for face in cards:
        if cards.count(face) > copies(face):
            raise NotationError(f"{given}: the game has but {copies(face)} cards {edition.names[face]}")


def _check_number(given: str, number: int) -> None:
    if number > HAND_LIMIT:
        raise NotationError(f"{given}: {number} cards; a hand holds at most {HAND_LIMIT}")


def _card(edition: Edition, given: str, word: str) -> int:
    found = _CARDS[edition.name].get(word)
    if found is None:
        example, colours = edition.names[8 * ELVES + COLOURS[-1]], ", ".join(edition.colour_words[1:])
        raise NotationError(
            f"{given}: {_shown(word)} is no card; expected a colour ({colours}) and a {edition.words.tribe} in the"
            f" singular, such as {example!r}, or {edition.card_words[SKELETONS]!r}"
        )
    return found
