"""Actions as ints: four bits verb, seven bits ``square``, seven bits ``other``, above them a pack of cards.

| verb | square | other | pack |
| place | where | | |
| expand | where | the card's face | |
| attack | the target | | opening cards |
| migrate, sail | to | from | |
| exchange, reinforce | | | the cards |
| choose first | | the seat | |

Parts of choices are squares (0 to 99) or cards (``card_part``).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from rivalry_engine.foederati.packs import UNIT
from rivalry_engine.game import Choice

PLACE: Final = 1
EXPAND: Final = 2
ATTACK: Final = 3
MIGRATE: Final = 4
SAIL: Final = 5
EXCHANGE: Final = 6
END_TURN: Final = 7
PASS: Final = 8
REINFORCE: Final = 9
YIELD: Final = 10
CHOOSE_FIRST: Final = 11

VERBS: Final = range(PLACE, CHOOSE_FIRST + 1)
SQUARE_SHIFT: Final = 4
OTHER_SHIFT: Final = 11
PACK_SHIFT: Final = 18
_NOT_SQUARE: Final = ~(127 << SQUARE_SHIFT)
_BELOW_PACK: Final = (1 << PACK_SHIFT) - 1
CARD_PART: Final = 128
"""Added to a face it makes the part of a choice."""
IN_PACK: Final[list[int]] = [unit << PACK_SHIFT for unit in UNIT]


def verb(action: int) -> int:
    """What is done."""
    return action & 15


def square(action: int) -> int:
    """Where: a square, or NOWHERE."""
    return action >> SQUARE_SHIFT & 127


def other(action: int) -> int:
    """A face, the square a move starts from, or a seat, by the verb."""
    return action >> OTHER_SHIFT & 127


def pack(action: int) -> int:
    """The cards of ``attack``, ``exchange`` and ``reinforce``."""
    return action >> PACK_SHIFT


def place(where: int) -> int:
    """``place F5`` (FO5.1)"""
    return PLACE | where << SQUARE_SHIFT


def expand(face: int, where: int) -> int:
    """``expand row F: F5`` (FO6)"""
    return EXPAND | where << SQUARE_SHIFT | face << OTHER_SHIFT


def attack(target: int, cards: int = 0) -> int:
    """``attack H5``, or with opening cards ``attack H5: column 5, neighbour`` (FO7); ``cards`` is a pack."""
    return ATTACK | target << SQUARE_SHIFT | cards << PACK_SHIFT


def migrate(origin: int, where: int) -> int:
    """``migrate F5 G5`` (FO6.1)"""
    return MIGRATE | where << SQUARE_SHIFT | origin << OTHER_SHIFT


def sail(origin: int, where: int) -> int:
    """``sail J3 J4`` (FO6.1)"""
    return SAIL | where << SQUARE_SHIFT | origin << OTHER_SHIFT


def exchange(cards: int) -> int:
    """``exchange row A, sea`` (FO6.1)"""
    return EXCHANGE | cards << PACK_SHIFT


def end_turn() -> int:
    """``end turn``"""
    return END_TURN


def forgo() -> int:
    """``pass``"""
    return PASS


def reinforce(cards: int) -> int:
    """``reinforce column 5, neighbour`` (FO7)"""
    return REINFORCE | cards << PACK_SHIFT


def give_way() -> int:
    """``yield`` (FO7)"""
    return YIELD


def choose_first(seat: int) -> int:
    """``choose first 2`` (FO8.3)"""
    return CHOOSE_FIRST | seat << OTHER_SHIFT


def card_part(face: int) -> int:
    """The part of a choice that is a card."""
    return CARD_PART + face


def filled(choice: Choice, chosen: Sequence[int]) -> int:
    """The action of ``choice`` with the parts at the indices ``chosen``: one square, or some cards."""
    parts = choice.parts
    if parts[0] < CARD_PART:
        return choice.action & _NOT_SQUARE | parts[chosen[0]] << SQUARE_SHIFT
    action = choice.action & _BELOW_PACK
    for index in chosen:
        action += IN_PACK[parts[index] - CARD_PART]
    return action
