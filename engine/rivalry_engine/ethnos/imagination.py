"""Some state behind an observation: the hidden cards dealt anew among all places where they may lie (E4.9)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rivalry_engine.chance import Stream
from rivalry_engine.ethnos.cards import DRAGON, UNIT, deck_of, packed, size
from rivalry_engine.ethnos.data import DRAGON_COPIES
from rivalry_engine.ethnos.sight import EthnosObservation
from rivalry_engine.ethnos.state import EthnosState
from rivalry_engine.game import PUBLIC

if TYPE_CHECKING:
    from rivalry_engine.ethnos.game import Ethnos


def state(game: Ethnos, seen: EthnosObservation, rng: Stream) -> EthnosState:
    """A state in which ``seen.seat`` observes ``seen``; every such deal of the cards is equally likely."""
    made = EthnosState(game)
    made.seed = rng.seed()
    _copy_public(made, seen)
    _deal_hidden(made, seen, rng)
    made.settle()
    return made


def _copy_public(made: EthnosState, seen: EthnosObservation) -> None:
    board, seats = seen.board, seen.seats
    made.tribes = seen.setup.tribe_numbers
    made.tokens = seen.setup.tokens_by_colour
    made.age = board.age
    made.first = board.first
    made.seat = seen.asked
    made.kind = seen.kind
    made.bonus = seen.bonus
    made.answers = ()
    made.safe = board.safe
    made.dragons = board.dragons
    made.drawer = board.drawer
    made.row = board.row_pack
    made.giant = board.giant
    made.extra = board.extra
    made.known = [part.known_pack for part in seats]
    made.bands = [list(part.band_numbers) for part in seats]
    made.glory = [part.glory for part in seats]
    made.supply = [part.supply for part in seats]
    made.markers = [count for part in seats for count in part.markers_by_colour]
    made.merfolk = [part.merfolk for part in seats]
    made.hordes = [part.horde_mask for part in seats]
    made.trolls = [part.troll_mask for part in seats]


def _deal_hidden(made: EthnosState, seen: EthnosObservation, rng: Stream) -> None:
    """Cards that ``seen`` shows nowhere are shuffled over the unknown part of the other hands and the deck.

    After a position there may be more of them: those lie aside until the next Age.
    """
    made.hands = list(made.known)
    if seen.seat != PUBLIC:
        made.hands[seen.seat] = seen.hand_pack
    made.deck = []
    if made.drawer >= 0:
        return
    unseen = _unseen(made)
    rng.shuffle(unseen)
    for seat, part in enumerate(seen.seats):
        for _ in range(part.hand_size - size(made.hands[seat])):
            made.hands[seat] += UNIT[unseen.pop()]
    length = seen.board.deck
    dragons = DRAGON_COPIES - made.dragons if length else 0
    places = rng.sample(length - made.safe, dragons)
    made.deck = [DRAGON if place in places else unseen.pop() for place in range(length)]


def _unseen(made: EthnosState) -> list[int]:
    """The cards in play that lie neither in a hand, as far as known, nor in the row, nor in a Band."""
    pack = packed(deck_of(made.tribes)) - made.row - sum(made.hands)
    for played in made.bands:
        for band in played:
            pack -= band >> 8
    unseen: list[int] = []
    for card in dict.fromkeys(deck_of(made.tribes)):
        unseen += [card] * (pack // UNIT[card] & 15)
    return unseen
