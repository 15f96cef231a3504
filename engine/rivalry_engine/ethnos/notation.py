"""Actions as text, both ways, without a state.

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
    TAKE,
    TOKEN,
)
from rivalry_engine.ethnos.cards import ALLIES, UNIT, copies, listed, name, packed
from rivalry_engine.ethnos.data import COLOURS, HAND_LIMIT, KINGDOMS, TROLL_TOKENS

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
    "empty": actions.empty(True),
    "keep board": actions.empty(False),
}

_CARDS: Final[dict[str, int]] = {name(card): card for card in ALLIES}
_KINGDOMS: Final[dict[str, int]] = {KINGDOMS[colour].lower(): colour for colour in COLOURS}


def text(action: int) -> str:
    """The notation of a well-formed action."""
    verb, value = action & 15, (action >> 4) & 255
    if verb == TAKE:
        return f"take {name(value)}"
    if verb == BAND:
        others = _names((action >> actions.PACK_SHIFT) - UNIT[value])
        return f"band {name(value)}: {others}" if others else f"band {name(value)}"
    if verb == MARK:
        return f"mark {KINGDOMS[value] if value else 'none'}"
    if verb == KEEP:
        return f"keep {_names(action >> actions.PACK_SHIFT) or 'none'}"
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


def action(text: str) -> int:
    """The action of a notation; raises NotationError that says what was given and which forms there are."""
    given = _shown(text)
    plain = " ".join(text.lower().split())
    whole = _WHOLE.get(plain)
    if whole is not None:
        return whole
    verb, _, rest = plain.partition(" ")
    if verb == "take":
        return actions.take(_card(given, rest))
    if verb == "band":
        return _band(given, rest)
    if verb == "keep":
        return actions.keep(packed(_cards(given, rest.split(","))))
    if verb == "mark":
        colour = _KINGDOMS.get(rest)
        if colour is None:
            raise NotationError(f"{given}: {_shown(rest)} is no Kingdom; expected {', '.join(KINGDOMS[1:])} or none")
        return actions.mark(colour)
    if verb == "token":
        for value in TROLL_TOKENS:
            if rest == str(value):
                return actions.token(value)
        raise NotationError(f"{given}: {_shown(rest)} is no Troll token; expected 1 to 6 or none")
    raise NotationError(f"{given} is no action; expected one of {' · '.join(FORMS)}")


def card(given: str) -> int:
    """The card of a notation such as ``red elf``; raises NotationError when it is none."""
    return _card(_shown(given), " ".join(given.lower().split()))


def _shown(given: str) -> str:
    """What was given, in quotes, and cut when it is long."""
    return repr(given if len(given) <= 80 else given[:79] + "…")


def _band(given: str, rest: str) -> int:
    first, colon, others = rest.partition(":")
    leader = _card(given, first.strip())
    cards = [leader]
    if colon and others.strip():
        cards += _cards(given, others.split(","))
        _check_copies(given, cards)
    return actions.band(leader, packed(cards))


def _cards(given: str, words: list[str]) -> list[int]:
    _check_number(given, len(words))
    cards = [_card(given, word.strip()) for word in words]
    _check_copies(given, cards)
    return cards


def _check_copies(given: str, cards: list[int]) -> None:
    _check_number(given, len(cards))
    for face in cards:
        if cards.count(face) > copies(face):
            raise NotationError(f"{given}: the game has but {copies(face)} cards {name(face)}")


def _check_number(given: str, number: int) -> None:
    if number > HAND_LIMIT:
        raise NotationError(f"{given}: {number} cards; a hand holds at most {HAND_LIMIT}")


def _card(given: str, word: str) -> int:
    found = _CARDS.get(word)
    if found is None:
        raise NotationError(
            f"{given}: {_shown(word)} is no card; expected a colour (orange, green, grey, blue, purple, red) and a"
            " tribe in the singular, such as 'red elf', or 'skeleton'"
        )
    return found


def _names(pack: int) -> str:
    return ", ".join([name(face) for face in listed(pack)])
