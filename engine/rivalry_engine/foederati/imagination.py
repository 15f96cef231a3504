"""Some state behind an observation: the hidden cards dealt anew among all places where they may lie (FO10.48).

After a position cards may lie aside, which are in no place at all; then others may lie aside instead.

Before the first reshuffle every card that is not seen may lie in every hidden place.  After it there are two kinds of
hidden cards: those of ``pool``, which were shuffled into the pile, and the rest, which the hands kept.  A seat's plays
and draws since then tell how many of each it can hold; a play whose face is in both is taken for one of them by chance
(``labels``).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from rivalry_engine.chance import Stream
from rivalry_engine.foederati import labels, packs
from rivalry_engine.foederati.packs import UNIT
from rivalry_engine.foederati.sight import FoederatiObservation
from rivalry_engine.foederati.state import FoederatiState
from rivalry_engine.game import PUBLIC

if TYPE_CHECKING:
    from rivalry_engine.foederati.game import Foederati


def state(game: Foederati, seen: FoederatiObservation, rng: Stream) -> FoederatiState:
    """A state in which ``seen.seat`` observes ``seen``; every state that fits is possible."""
    made = FoederatiState(game)
    made.seed = rng.seed()
    _copy_public(made, seen)
    _deal_hidden(made, seen, rng)
    made.settle()
    return made


def _copy_public(made: FoederatiState, seen: FoederatiObservation) -> None:
    board, turn, seats = seen.board, seen.turn, seen.seats
    made.kind = seen.kind
    made.seat = seen.asked
    made.active = turn.active
    made.round = board.round
    made.first = board.first
    made.foundings = list(board.foundings)
    made.passed = board.passed_mask
    made.stall = board.stall
    made.stirred = board.stirred
    made.end_trigger = board.end_trigger
    made.triggers = board.triggers_mask
    made.used = turn.used
    made.moved_once = turn.moved_once
    made.moved = turn.moved_mask
    made.acted = turn.acted
    made.attacked = turn.attacked_mask
    made.target = turn.target
    made.defender = turn.defender
    made.attack = turn.attack
    made.defence = turn.defence
    made.played = list(turn.played_cards)
    made.discard = turn.discard_pack
    made.reshuffles = board.reshuffles
    made.pool = board.pool_pack
    made.since = [list(part.since) for part in seats]
    made.positions = [part.position for part in seats]
    made.supply = [part.supply for part in seats]
    made.lost = [part.lost for part in seats]
    made.shields = [part.shields_mask for part in seats]


def _deal_hidden(made: FoederatiState, seen: FoederatiObservation, rng: Stream) -> None:
    deck = made.board.deck_pack
    own = seen.seat
    others = [seat for seat in range(len(seen.seats)) if seat != own]
    hidden = deck - made.discard - seen.hand_pack
    made.kept = [0] * len(seen.seats)
    made.hands = [0] * len(seen.seats)
    if own != PUBLIC:
        made.kept[own] = seen.kept_pack
        made.hands[own] = seen.hand_pack
    if not made.reshuffles:
        cards = _shuffled(hidden, rng)
        for seat in others:
            made.hands[seat] = _taken(cards, seen.seats[seat].hand_size)
        made.pile = cards[: seen.turn.pile]
        return
    old, new = deck - made.pool - seen.kept_pack, made.pool
    if own != PUBLIC:
        new -= seen.hand_pack + _put_down(made.since[own]) - seen.kept_pack
    sizes = [part.hand_size for part in seen.seats]
    plays = labels.drawn(made.since, sizes, others, old, new, rng)
    assert plays is not None, "no hands fit what was put down"
    of_old, of_new = plays
    old -= sum(of_old)
    new -= sum(of_new)
    olds, news = _shuffled(old, rng), _shuffled(new, rng)
    for seat in others:
        kept, drawn = labels.counts(made.since[seat], sizes[seat])
        made.kept[seat] = of_old[seat] + _taken(olds, kept - packs.size(of_old[seat]))
        fresh = of_new[seat] + _taken(news, drawn - packs.size(of_new[seat]))
        made.hands[seat] = made.kept[seat] + fresh - _put_down(made.since[seat])
    made.pile = news


def _put_down(entries: list[int]) -> int:
    """The cards among a seat's plays and draws."""
    return packs.packed([entry for entry in entries if entry >= 0])


def _shuffled(pack: int, rng: Stream) -> list[int]:
    cards = list(packs.listed(pack))
    rng.shuffle(cards)
    return cards


def _taken(cards: list[int], count: int) -> int:
    """The pack of the last ``count`` cards, which leave the list."""
    pack = 0
    for _ in range(count):
        pack += UNIT[cards.pop()]
    return pack
