"""Actions as ints: four bits verb, eight bits value, above them a pack of cards.

``band`` has its Leader as value and its cards, the Leader included, as pack; ``keep`` has the cards kept as pack.
``swap`` has no pack: its value is a seat, counted from 1, and above that the number of a Band, and has no end.
"""

from __future__ import annotations

from typing import Final

from rivalry_engine.ethnos.cards import COUNTS, FIELD, UNIT, WHOLE, copies, holds, listed
from rivalry_engine.ethnos.data import COLOURS, HAND_LIMIT, SEAT_COUNTS, TROLL_TOKENS

TAKE: Final = 1
DRAW: Final = 2
PASS: Final = 3
BAND: Final = 4
MARK: Final = 5
KEEP: Final = 6
ADVANCE: Final = 7
HORDE: Final = 8
TOKEN: Final = 9
DRAW_CARDS: Final = 10
STOP: Final = 11
EMPTY: Final = 12
SWAP: Final = 13

MOST_BANDS: Final = 100
"""More Bands than the cards of an Age can make."""

PACK_SHIFT: Final = 12
IN_PACK: Final[list[int]] = [unit << PACK_SHIFT for unit in UNIT]
"""What a card adds to an action whose pack it joins."""


def verb(action: int) -> int:
    """What is done."""
    return action & 15


def value(action: int) -> int:
    """A card, a colour, a token or a flag, by the verb."""
    return (action >> 4) & 255


def pack(action: int) -> int:
    """The cards of ``band`` and ``keep``."""
    return action >> PACK_SHIFT


def take(card: int) -> int:
    """``take red elf``"""
    return TAKE | card << 4


def draw() -> int:
    """``draw``"""
    return DRAW


def forced_pass() -> int:
    """``pass``, with ten Skeletons (E4.6)"""
    return PASS


def band(leader: int, cards: int) -> int:
    """``band red elf: blue elf``; ``cards`` is the whole Band as a pack."""
    return BAND | leader << 4 | cards << PACK_SHIFT


def mark(colour: int) -> int:
    """``mark Rhea``; colour 0 is ``mark none``."""
    return MARK | colour << 4


def keep(cards: int) -> int:
    """``keep red orc``; an empty pack is ``keep none``."""
    return KEEP | cards << PACK_SHIFT


def advance(steps: bool) -> int:
    """``advance`` or ``stay``"""
    return ADVANCE | int(steps) << 4


def horde(places: bool) -> int:
    """``horde`` or ``no horde``"""
    return HORDE | int(places) << 4


def token(number: int) -> int:
    """``token 4``; 0 is ``token none``."""
    return TOKEN | number << 4


def draw_cards(draws: bool) -> int:
    """``draw all`` or ``draw none``"""
    return DRAW_CARDS | int(draws) << 4


def stop() -> int:
    """``stop``"""
    return STOP


def empty(empties: bool) -> int:
    """``empty`` or ``keep board``"""
    return EMPTY | int(empties) << 4


def swap(seat: int, number: int) -> int:
    """``swap 2 0``, the first Band of seat 2 (E7.1)"""
    return SWAP | (seat + 1) << 4 | number << 7


def no_swap() -> int:
    """``swap none``"""
    return SWAP


def target(action: int) -> tuple[int, int]:
    """The seat and the number of its Band that ``swap`` names; seat -1 for none."""
    return ((action >> 4) & 7) - 1, action >> 7


def is_formed(action: int) -> bool:
    """True if ``action`` is an int that some notation means; any int may be asked about."""
    if action < 0:
        return False
    does, number, cards = action & 15, (action >> 4) & 255, action >> PACK_SHIFT
    if does == SWAP:
        seat, band = target(action)
        return band < MOST_BANDS and (0 <= seat < SEAT_COUNTS[-1] or action == SWAP)
    if does in (BAND, KEEP):
        if cards & ~COUNTS or not holds(WHOLE, cards) or len(listed(cards)) > HAND_LIMIT:
            return False
        if does == KEEP:
            return number == 0
        return copies(number) > 0 and cards & FIELD[number] > 0
    if cards:
        return False
    if does == TAKE:
        return copies(number) > 0
    if does == MARK:
        return number == 0 or number in COLOURS
    if does == TOKEN:
        return number == 0 or number in TROLL_TOKENS
    if does in (ADVANCE, HORDE, DRAW_CARDS, EMPTY):
        return number <= 1
    return number == 0 and does in (DRAW, PASS, STOP)
