"""How a playout of Ethnos goes on: ``greedy``'s choices, on states and in some microseconds.

It looks at nothing that the seat to move may not know.  What is worked out for one decision is kept for the next ones,
since a playout meets the same groups of cards again and again; it is ``greedy`` but for ties and for the odds that the
Age lasts, which are rounded so that more situations are alike.
"""

from __future__ import annotations

from typing import Final

from rivalry_bots.plan import SURE
from rivalry_bots.search.ethnos_prices import MOST, Context, Kind, Prices, Weights
from rivalry_engine.ethnos import question
from rivalry_engine.ethnos.actions import BAND, DRAW, PACK_SHIFT, PASS, SWAP, TAKE, keep, target
from rivalry_engine.ethnos.cards import (
    COLOUR_FIELDS,
    FIELD,
    SKELETON,
    SKELETON_SHIFT,
    TEN_SKELETONS,
    TRIBE_FIELDS,
    UNIT,
    deck_of,
    listed,
)
from rivalry_engine.ethnos.data import CENTAURS, HAND_LIMIT, SKELETON_COPIES
from rivalry_engine.ethnos.edition import Figures
from rivalry_engine.ethnos.state import EthnosState

LAST_ROUND: Final = 2 * HAND_LIMIT
"""Rounds of the table that are looked ahead; at this index the odds of an Age have their own number."""
ROUGHLY: Final = 10
"""To how many thousandths odds are rounded, so that alike situations are worked out once."""
NIBBLES: Final = 40
"""Bytes of a pack."""
NOTHING: Final = -1_000_000
SKELETON_SLOT: Final = SKELETON_SHIFT // 4


class Policy:
    """The playout's policy for one match."""

    def __init__(self, figures: Figures, weights: Weights | None = None) -> None:
        self._figures = figures
        self._weights = Weights() if weights is None else weights
        self._seats = figures.seats
        self._prices = Prices(figures, self._weights)
        self._plans: dict[int, int] = {}
        """What groups of cards come to, by all that it depends on (``_plan``)."""
        self._lasts: dict[int, list[int]] = {}
        self._odds: dict[tuple[int, ...], list[int]] = {}
        self._tribes: tuple[int, ...] = ()
        self._whole = 0
        """All cards of the Tribes in play, as a pack."""
        self._different: list[int] = []
        """The different ones, the Skeletons last."""

    def move(self, state: EthnosState, seat: int) -> int:
        """What a seat that is asked does."""
        kind = state.kind
        if kind == question.TURN:
            return self.turn(state, seat, None)
        if kind == question.MARKER or kind == question.BONUS:
            return self._mark(state, seat)
        if kind == question.FURTHER:
            return _best(self.further(state, seat))
        if kind == question.KEEP:
            return keep(self.kept(state, seat))
        if kind == question.TARGET:
            return self._swap(state, seat)
        if kind == question.EMPTY:
            return state.choices(seat)[0 if state.hordes[seat].bit_count() == 6 else 1].action
        return state.choices(seat)[0].action

    def marks(self, state: EthnosState, seat: int) -> list[int]:
        """By colour, what a marker more is worth to ``seat``; index 0 is none."""
        return self._prices.context(state, seat).markers

    def turn(self, state: EthnosState, seat: int, prices: dict[int, int] | None) -> int:
        """The best action of a turn; ``prices`` gets what each card, draw and whole Band is worth."""
        hand = state.hands[seat]
        if hand == TEN_SKELETONS:
            return PASS
        context = self._prices.context(state, seat)
        lasts = self._lasting(state)
        found: dict[int, int] = {} if prices is None else prices
        if hand % 15 < HAND_LIMIT:
            self._recruited(state, seat, context, lasts, found)
        held = hand % 15
        wild = hand >> SKELETON_SHIFT
        last = 0
        for leader in listed(hand):
            if leader in (last, SKELETON):
                continue
            last = leader
            kind = context.kinds[leader] or self._prices.kind(context, state, seat, leader)
            for field in (TRIBE_FIELDS[leader >> 3], COLOUR_FIELDS[leader & 7]):
                group = hand & field
                size = group % 15
                worth = kind.band(size, wild, held - size)
                if leader >> 3 == CENTAURS and kind.own[size] > 0 and held > size:
                    worth += self._follows(state, seat, context, hand - group)
                found.setdefault(BAND | leader << 4 | group << PACK_SHIFT, worth)
        return _best(found)

    def _recruited(
        self, state: EthnosState, seat: int, context: Context, lasts: list[int], found: dict[int, int]
    ) -> None:
        """What each face-up card and the deck's next one are worth: the best plan with it, as ``plan.Plans`` has it."""
        hand, row = state.hands[seat], state.row
        if state.tribes != self._tribes:
            self._learn(state.tribes)
        held = hand % 15 + 1
        wild = hand >> SKELETON_SHIFT
        held_tribes, held_colours = [0] * 16, [0] * 8
        row_tribes, row_colours = [0] * 16, [0] * 8
        for tribe in state.tribes:
            held_tribes[tribe] = (hand & TRIBE_FIELDS[tribe]) % 15
            row_tribes[tribe] = (row & TRIBE_FIELDS[tribe]) % 15
        for colour in range(1, 7):
            held_colours[colour] = (hand & COLOUR_FIELDS[colour]) % 15
            row_colours[colour] = (row & COLOUR_FIELDS[colour]) % 15
        row_wild = row >> SKELETON_SHIFT
        base = 0
        skeleton = skeleton_taken = 0
        along, across = [0] * 16, [0] * 8
        along_taken, across_taken = [0] * 16, [0] * 8
        leaders: list[Kind | None] = [None] * 128
        last = 0
        for leader in listed(hand):
            if leader in (last, SKELETON):
                continue
            last = leader
            kind = leaders[leader] = context.kinds[leader] or self._prices.kind(context, state, seat, leader)
            for axis in (0, 1):
                place = leader & 7 if axis else leader >> 3
                size = held_colours[place] if axis else held_tribes[place]
                lies = row_colours[place] if axis else row_tribes[place]
                worth = self._plan(kind, lasts, size, wild, held, lies)
                if worth > base:
                    base = worth
                if wild < SKELETON_COPIES - row_wild:
                    worth = self._plan(kind, lasts, size + 1, wild + 1, held, lies)
                    if worth > skeleton:
                        skeleton = worth
                worth = self._plan(kind, lasts, size + 1, wild, held, lies)
                best = across if axis else along
                if worth > best[place]:
                    best[place] = worth
                if lies:
                    worth = self._plan(kind, lasts, size + 1, wild, held, lies - 1)
                    best = across_taken if axis else along_taken
                    if worth > best[place]:
                        best[place] = worth
                    if row_wild:
                        worth = self._plan(kind, lasts, size + 1, wild + 1, held, lies - 1)
                        if worth > skeleton_taken:
                            skeleton_taken = worth
        left = lasts[1]
        for card in state.faces:
            tribe, colour = card >> 3, card & 7
            worth = base
            if card == SKELETON:
                if skeleton_taken > worth:
                    worth = skeleton_taken
            else:
                if along_taken[tribe] > worth:
                    worth = along_taken[tribe]
                if across_taken[colour] > worth:
                    worth = across_taken[colour]
                if leaders[card] is None:
                    kind = context.kinds[card] or self._prices.kind(context, state, seat, card)
                    if held_tribes[tribe] > wild or not base:
                        led = self._plan(kind, lasts, held_tribes[tribe] + 1, wild, held, row_tribes[tribe] - 1)
                        if led > worth:
                            worth = led
                    if held_colours[colour] > wild or not base:
                        led = self._plan(kind, lasts, held_colours[colour] + 1, wild, held, row_colours[colour] - 1)
                        if led > worth:
                            worth = led
            found[TAKE | card << 4] = worth * left // SURE - self._weights.turn
        if not state.deck:
            return
        unseen = self._unseen(state, seat)
        total = weight = 0
        for card in self._different:
            slot = SKELETON_SLOT if card == SKELETON else 6 * (card >> 3) + (card & 7) - 7
            count = unseen[slot >> 1] >> 4 * (slot & 1) & 15
            if not count:
                continue
            worth = base
            if card == SKELETON:
                if skeleton > worth:
                    worth = skeleton
            else:
                tribe, colour = card >> 3, card & 7
                if along[tribe] > worth:
                    worth = along[tribe]
                if across[colour] > worth:
                    worth = across[colour]
                if leaders[card] is None:
                    kind = context.kinds[card] or self._prices.kind(context, state, seat, card)
                    if held_tribes[tribe] > wild or not base:
                        led = self._plan(kind, lasts, held_tribes[tribe] + 1, wild, held, row_tribes[tribe])
                        if led > worth:
                            worth = led
                    if held_colours[colour] > wild or not base:
                        led = self._plan(kind, lasts, held_colours[colour] + 1, wild, held, row_colours[colour])
                        if led > worth:
                            worth = led
            total += count * worth
            weight += count
        found[DRAW] = (total // weight if weight else base) * left // SURE - self._weights.turn

    def _learn(self, tribes: tuple[int, ...]) -> None:
        self._tribes = tribes
        deck = deck_of(tribes)
        self._whole = sum([UNIT[card] for card in deck])
        self._different = list(dict.fromkeys(deck))

    def _unseen(self, state: EthnosState, seat: int) -> bytes:
        """The cards that may still come, as the bytes of a pack: none in hand, face up, known or in Bands."""
        pack = self._whole - state.row - state.hands[seat]
        for other, played in enumerate(state.bands):
            if other != seat:
                pack -= state.known[other]
            for band in played:
                pack -= band >> 8
        return pack.to_bytes(NIBBLES, "little")

    def _follows(self, state: EthnosState, seat: int, context: Context, hand: int) -> int:
        """The best Band that may follow a Centaur's out of what is left of a hand (E6.1)."""
        held, wild, best = hand % 15, hand >> SKELETON_SHIFT, 0
        for leader in listed(hand):
            if leader != SKELETON:
                kind = context.kinds[leader] or self._prices.kind(context, state, seat, leader)
                for field in (TRIBE_FIELDS[leader >> 3], COLOUR_FIELDS[leader & 7]):
                    size = (hand & field) % 15
                    best = max(best, kind.band(size, wild, held - size))
        return best

    def _mark(self, state: EthnosState, seat: int) -> int:
        markers = self._prices.context(state, seat).markers
        best, action = NOTHING, 0
        for choice in state.choices(seat):
            worth = markers[(choice.action >> 4) & 7]
            if worth > best:
                best, action = worth, choice.action
        return action

    def further(self, state: EthnosState, seat: int) -> dict[int, int]:
        """What each Band after a Centaur's is worth, and to stop, in the order in which they are offered."""
        context = self._prices.context(state, seat)
        hand = state.hands[seat]
        held, wild = hand % 15, hand >> SKELETON_SHIFT
        found: dict[int, int] = {}
        for choice in state.choices(seat):
            worth = 0
            if choice.action & 15 == BAND:
                size = (choice.action >> PACK_SHIFT) % 15
                leader = choice.action >> 4 & 255
                kind = context.kinds[leader] or self._prices.kind(context, state, seat, leader)
                worth = kind.band(size, wild, held - size)
                if leader >> 3 == CENTAURS and kind.own[size] > 0 and held > size:
                    worth += self._follows(state, seat, context, hand - (choice.action >> PACK_SHIFT))
            found[choice.action] = worth
        return found

    def _swap(self, state: EthnosState, seat: int) -> int:
        context = self._prices.context(state, seat)
        best, action = NOTHING, 0
        for choice in state.choices(seat):
            worth = 0
            if choice.action & 15 == SWAP:
                other, number = target(choice.action)
                if other >= 0:
                    worth = self._prices.swap(context, state, seat, state.bands[other][number])
            if worth > best:
                best, action = worth, choice.action
        return action

    def kept(self, state: EthnosState, seat: int) -> int:
        """Which cards the Elves keep, as a pack: those of the best plan, then those of the next best ones."""
        hand, row = state.hands[seat], state.row
        most = (state.bands[seat][-1] >> 8) % 15
        cards = listed(hand)
        if len(cards) <= most:
            return hand
        context, lasts = self._prices.context(state, seat), self._lasting(state)
        plans: list[tuple[int, int, int]] = []
        for leader in cards:
            if leader == SKELETON:
                continue
            kind = context.kinds[leader] or self._prices.kind(context, state, seat, leader)
            for field in (TRIBE_FIELDS[leader >> 3], COLOUR_FIELDS[leader & 7]):
                group = hand & field
                plain = group % 15 - (group >> SKELETON_SHIFT)
                wild = max(0, min(group >> SKELETON_SHIFT, most - plain))
                size = min(plain + wild, most)
                plans.append((self._plan(kind, lasts, size, wild, most, (row & field) % 15), leader, group))
        plans.sort(reverse=True)
        pack = left = 0
        for _, leader, group in plans:
            for card in (leader, *listed(group)):
                if (
                    left < most
                    and (hand & FIELD[card]) > (pack & FIELD[card])
                    and not (card == leader and pack & FIELD[card])
                ):
                    pack += UNIT[card]
                    left += 1
        for card in cards:
            if left < most and (hand & FIELD[card]) > (pack & FIELD[card]):
                pack += UNIT[card]
                left += 1
        return pack

    def _plan(self, kind: Kind, lasts: list[int], size: int, wild: int, held: int, lies: int) -> int:
        """The best that a group comes to over the numbers of cards it waits for, as ``plan.Plans`` weighs it.

        ``lies`` is how many fitting cards lie face up.
        """
        if lies > self._weights.largest:
            lies = self._weights.largest
        key = lies | size << 3 | wild << 7 | held << 11 | lasts[LAST_ROUND] << 15 | kind.number << 28
        found = self._plans.get(key)
        if found is not None:
            return found
        rest = held - size
        best = kind.band(size, wild, rest)
        turns = 0
        for more in range(1, min(self._weights.largest + wild, HAND_LIMIT) - size + 1):
            turns += SURE if more <= lies else self._weights.luck
            left = lasts[min((turns + SURE - 1) // SURE, LAST_ROUND - 1)]
            over = min(rest + max(0, turns // SURE - more), HAND_LIMIT - size)
            worth = kind.band(size + more, wild, over) * left // SURE - self._weights.turn * turns // SURE
            if worth > best:
                best = worth
        if len(self._plans) >= 8 * MOST:
            self._plans.clear()
        self._plans[key] = best
        return best

    def _lasting(self, state: EthnosState) -> list[int]:
        """By rounds of the table, how likely the Age lasts so long, in thousandths: as ``plan.lasts``."""
        deck, safe, missing = len(state.deck), state.safe, self._figures.dragons_to_end - state.dragons
        key = deck << 12 | safe << 3 | missing
        found = self._lasts.get(key)
        if found is None:
            among = max(deck - safe, missing)
            found = []
            for turns in range(LAST_ROUND):
                drawn = turns * self._seats * self._weights.draws // SURE - safe
                ended = SURE
                for taken in range(missing):
                    ended = ended * max(0, min(drawn, among) - taken) // (among - taken)
                found.append((SURE - ended + ROUGHLY // 2) // ROUGHLY * ROUGHLY)
            odds = tuple(found)
            if odds not in self._odds:
                found.append(len(self._odds))
                self._odds[odds] = found
            found = self._lasts[key] = self._odds[odds]
        return found


def _best(prices: dict[int, int]) -> int:
    """The action that is worth most, the first of equals."""
    best, found = NOTHING, PASS
    for action, worth in prices.items():
        if worth > best:
            best, found = worth, action
    return found


__all__ = ["Policy"]
