"""Actions as text, both ways, with the card names of a map.

Reading is lenient: any case and spacing, cards in any order.  Writing is canonical: cards ascending by face.  A square
or a seat that there is not is read all the same, since the game itself has an answer to it (FO10.75).
"""

from __future__ import annotations

import re
from typing import Final

from rivalry_engine.error import NotationError
from rivalry_engine.foederati import actions, squares
from rivalry_engine.foederati.actions import (
    ATTACK,
    CHOOSE_FIRST,
    EXCHANGE,
    EXPAND,
    MIGRATE,
    PLACE,
    REINFORCE,
    SAIL,
)
from rivalry_engine.foederati.maps import Map
from rivalry_engine.foederati.packs import packed
from rivalry_engine.foederati.squares import NOWHERE

FORMS: Final = (
    "place SQUARE",
    "expand CARD: SQUARE",
    "attack SQUARE",
    "attack SQUARE: CARD, CARD",
    "migrate SQUARE SQUARE",
    "sail SQUARE SQUARE",
    "exchange CARD, CARD",
    "end turn",
    "pass",
    "reinforce CARD, CARD",
    "yield",
    "choose first SEAT",
)
_WHOLE: Final[dict[str, int]] = {
    "end turn": actions.end_turn(),
    "pass": actions.forgo(),
    "yield": actions.give_way(),
    "exchange none": actions.exchange(0),
    "reinforce none": actions.reinforce(0),
}
_WORDS: Final[dict[int, str]] = {action: words for words, action in _WHOLE.items()}
_SQUARE: Final = re.compile(r"[a-z]{1,2}[0-9]{1,3}|nowhere")
_SEAT_MOST: Final = 127


def text(board: Map, action: int) -> str:
    """The notation of an action that is formed."""
    words = _WORDS.get(action)
    if words is not None:
        return words
    verb = actions.verb(action)
    where = squares.name(actions.square(action))
    other = actions.other(action)
    if verb == PLACE:
        return f"place {where}"
    if verb == EXPAND:
        return f"expand {board.card_name(other)}: {where}"
    if verb == ATTACK:
        cards = actions.pack(action)
        return f"attack {where}: {_named(board, cards)}" if cards else f"attack {where}"
    if verb == MIGRATE:
        return f"migrate {squares.name(other)} {where}"
    if verb == SAIL:
        return f"sail {squares.name(other)} {where}"
    if verb == EXCHANGE:
        return f"exchange {_named(board, actions.pack(action))}"
    if verb == REINFORCE:
        return f"reinforce {_named(board, actions.pack(action))}"
    assert verb == CHOOSE_FIRST, action
    return f"choose first {other}"


def action(board: Map, given: str) -> int:
    """The action of a notation; raises NotationError that says what is expected."""
    plain = " ".join(given.lower().split())
    whole = _WHOLE.get(plain)
    if whole is not None:
        return whole
    told = shown(given)
    verb, _, rest = plain.partition(" ")
    if verb == "place":
        return actions.place(_square(told, rest))
    if verb == "expand":
        card, _, where = rest.partition(":")
        return actions.expand(_card(board, told, card), _square(told, where))
    if verb == "attack":
        where, colon, cards = rest.partition(":")
        return actions.attack(_square(told, where), _cards(board, told, cards) if colon else 0)
    if verb in ("migrate", "sail"):
        origin, _, where = rest.partition(" ")
        move = actions.migrate if verb == "migrate" else actions.sail
        return move(_square(told, origin), _square(told, where))
    if verb == "exchange":
        return actions.exchange(_cards(board, told, rest))
    if verb == "reinforce":
        return actions.reinforce(_cards(board, told, rest))
    if plain.startswith("choose first "):
        return actions.choose_first(_seat(told, plain.removeprefix("choose first ")))
    raise NotationError(f"{told} is no action; expected one of {' · '.join(FORMS)}")


def part_text(board: Map, part: int) -> str:
    """A part of a choice: a square or a card."""
    return squares.name(part) if part < actions.CARD_PART else board.card_name(part - actions.CARD_PART)


def shown(given: str) -> str:
    """What was given, in quotes, and cut when it is long."""
    return repr(given if len(given) <= 80 else given[:79] + "…")


def _square(told: str, word: str) -> int:
    word = word.strip()
    if not _SQUARE.fullmatch(word):
        raise NotationError(f"{told}: {shown(word)} is no square; expected a row and a column, such as F5")
    square = squares.numbered(word)
    return square if square >= 0 else NOWHERE


def _seat(told: str, word: str) -> int:
    if not word.isascii() or not word.isdigit() or len(word) > 3 or int(word) > _SEAT_MOST:
        raise NotationError(f"{told}: {shown(word)} is no seat; expected its number, from 0")
    return int(word)


def _card(board: Map, told: str, word: str) -> int:
    face = board.face_of.get(word.strip())
    if face is None:
        raise NotationError(
            f"{told}: {shown(word.strip())} is no card; expected one such as 'row A', 'column 1/5/9',"
            f" 'country {board.countries[0]}', 'neighbour' or 'sea'"
        )
    return face


def _cards(board: Map, told: str, words: str) -> int:
    listed = words.split(",")
    if len(listed) > board.hand_size:
        raise NotationError(f"{told}: {len(listed)} cards; a hand holds at most {board.hand_size}")
    return packed([_card(board, told, word) for word in listed])


def _named(board: Map, pack: int) -> str:
    return ", ".join(board.names(pack))
