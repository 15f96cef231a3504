"""How a playout of Ethnos goes on: ``greedy``'s way of weighing, on states and in a few microseconds.

It looks at nothing that the seat to move may not know.  Prices are in thousandths of a Glory, as in ``worth``, and so
are its constants; what a hand can become is worked out once for each kind of group and kept.
"""

from __future__ import annotations

from typing import Final

from rivalry_bots.plan import DRAWS, LARGEST, LUCK, SURE, TURN
from rivalry_bots.worth import DRAWN, GIANT_HELD, GIVEN_AWAY, GLORY, KEPT, LATER, RIVALRY, TROLL
from rivalry_engine.ethnos import question
from rivalry_engine.ethnos.actions import BAND, DRAW, MARK, PACK_SHIFT, PASS, TAKE, keep
from rivalry_engine.ethnos.cards import (
    COLOUR_FIELDS,
    SKELETON,
    SKELETON_SHIFT,
    TEN_SKELETONS,
    TRIBE_FIELDS,
    UNIT,
    listed,
)
from rivalry_engine.ethnos.data import (
    BAND_GLORY,
    CENTAURS,
    DRAGON_COPIES,
    DWARVES,
    ELVES,
    GIANT_AWARDS,
    GIANT_BONUS,
    GIANTS,
    HALFLINGS,
    HAND_LIMIT,
    HORDE_GLORY,
    MERFOLK,
    MINOTAURS,
    ORCS,
    TROLLS,
    WINGFOLK,
    WIZARDS,
)
from rivalry_engine.ethnos.scoring import paid
from rivalry_engine.ethnos.state import EthnosState

FITS: Final = 350
"""How likely a drawn card helps the best plan, in thousandths."""
STEP: Final = 350
"""A space on the Merfolk board."""
FURTHER: Final = 1500
"""Another Band after a Centaur's."""
KEPT_CONTEXTS: Final = 4096
"""Contexts that are kept at most; then all are forgotten."""


class Context:
    """What things are worth to one seat while markers, tokens and the Merfolk board stay as they are."""

    __slots__ = ("giant", "horde", "horde_step", "markers", "musts", "plans", "supply", "troll", "wing")

    def __init__(self) -> None:
        self.markers: list[int] = []
        """By colour, what a marker more is worth; index 0 is none."""
        self.musts: list[int] = []
        """By colour, how many markers a Band must outnumber."""
        self.supply = 0
        self.wing: list[int] = []
        """By size, the best marker that a Band can place anywhere."""
        self.horde = 0
        self.horde_step = 0
        self.giant = 0
        self.troll = 0
        self.plans: dict[int, int] = {}


class Policy:
    """The playout's policy for one match."""

    def __init__(self, *, seats: int, ages: int) -> None:
        self._seats = seats
        self._ages = ages
        self._small = ages == 2
        self._contexts: dict[tuple[int, ...], Context] = {}
        self._gains: dict[tuple[int, ...], int] = {}
        self._lasts: dict[int, list[int]] = {}

    def move(self, state: EthnosState) -> int:
        """What the seat to move does."""
        kind = state.kind
        seat = state.seat
        if kind == question.TURN:
            return self.turn(state, seat, None)
        if kind == question.MARKER or kind == question.BONUS:
            return self._mark(state, seat)
        if kind == question.FURTHER:
            return self._further(state, seat)
        if kind == question.KEEP:
            return keep(self.kept(state, seat))
        if kind == question.EMPTY:
            return state.choices(seat)[0 if state.hordes[seat].bit_count() == 6 else 1].action
        return state.choices(seat)[0].action

    def turn(self, state: EthnosState, seat: int, prices: dict[int, int] | None) -> int:
        """The best action of a turn; ``prices`` gets what each whole Band, card and draw is worth."""
        hand = state.hands[seat]
        if hand == TEN_SKELETONS:
            return PASS
        context = self._context(state, seat)
        lasts = self._lasting(state)
        held = hand % 15
        wild = hand >> SKELETON_SHIFT
        row = state.row
        base = wild << 11
        best = -1_000_000
        action = DRAW
        plan = 0
        grown = 0
        last = 0
        for leader in listed(hand):
            if leader in (last, SKELETON):
                continue
            last = leader
            for field in (TRIBE_FIELDS[leader >> 3], COLOUR_FIELDS[leader & 7]):
                group = hand & field
                size = group % 15
                fit = min((row & field) % 15, 3)
                now = _band(context, leader, size, wild, held - size)
                if prices is not None:
                    prices[BAND | leader << 4 | group << PACK_SHIFT] = now
                if now > best:
                    best = now
                    action = BAND | leader << 4 | group << PACK_SHIFT
                worth = _plan(context, lasts, leader | size << 7 | base | (held + 1) << 15 | fit << 19)
                if worth > plan:
                    plan = worth
                worth = _plan(context, lasts, leader | (size + 1) << 7 | base | (held + 1) << 15 | fit << 19)
                if worth > grown:
                    grown = worth
        if held >= HAND_LIMIT:
            return action
        left = lasts[1]
        if len(state.deck):
            drawn = (plan + (grown - plan) * FITS // SURE) * left // SURE - TURN
            if prices is not None:
                prices[DRAW] = drawn
            if drawn > best:
                best = drawn
                action = DRAW
        for card in state.faces:
            worth = max(plan, self._with(context, lasts, hand, row, card)) * left // SURE - TURN
            if prices is not None:
                prices[TAKE | card << 4] = worth
            if worth > best:
                best = worth
                action = TAKE | card << 4
        return action

    def _with(self, context: Context, lasts: list[int], hand: int, row: int, card: int) -> int:
        """The best plan for a hand with one more card that the card is part of."""
        hand += UNIT[card]
        row -= UNIT[card]
        held = hand % 15
        base = (hand >> SKELETON_SHIFT) << 11 | held << 15
        best = 0
        last = 0
        for leader in listed(hand):
            if leader in (last, SKELETON):
                continue
            last = leader
            if card == SKELETON or leader >> 3 == card >> 3:
                field = TRIBE_FIELDS[leader >> 3]
                fit = min((row & field) % 15, 3)
                worth = _plan(context, lasts, leader | ((hand & field) % 15) << 7 | base | fit << 19)
                if worth > best:
                    best = worth
            if card == SKELETON or leader & 7 == card & 7:
                field = COLOUR_FIELDS[leader & 7]
                fit = min((row & field) % 15, 3)
                worth = _plan(context, lasts, leader | ((hand & field) % 15) << 7 | base | fit << 19)
                if worth > best:
                    best = worth
        return best

    def _mark(self, state: EthnosState, seat: int) -> int:
        context = self._context(state, seat)
        best, action = 0, MARK
        for choice in state.choices(seat):
            worth = context.markers[(choice.action >> 4) & 7]
            if worth > best:
                best, action = worth, choice.action
        return action

    def _further(self, state: EthnosState, seat: int) -> int:
        context = self._context(state, seat)
        hand = state.hands[seat]
        held, wild = hand % 15, hand >> SKELETON_SHIFT
        offered = state.choices(seat)
        best, action = 0, offered[-1].action
        for choice in offered:
            if choice.action & 15 == BAND:
                size = (choice.action >> PACK_SHIFT) % 15
                worth = _band(context, choice.action >> 4 & 255, size, wild, held - size) + GIVEN_AWAY * held
                if worth > best:
                    best, action = worth, choice.action
        return action

    def kept(self, state: EthnosState, seat: int) -> int:
        """Which cards the Elves keep, as a pack: those that go with most of the others."""
        hand = state.hands[seat]
        most = (state.bands[seat][-1] >> 8) % 15
        cards = listed(hand)
        if len(cards) <= most:
            return hand
        weighed: list[tuple[int, int]] = []
        for card in cards:
            if card == SKELETON:
                weighed.append((100, card))
                continue
            along = (hand & TRIBE_FIELDS[card >> 3]) % 15
            across = (hand & COLOUR_FIELDS[card & 7]) % 15
            weighed.append((4 * max(along, across) + min(along, across), card))
        weighed.sort(reverse=True)
        pack = 0
        for _, card in weighed[:most]:
            pack += UNIT[card]
        return pack

    def _lasting(self, state: EthnosState) -> list[int]:
        """By rounds of the table, how likely the Age lasts so long, in thousandths: as ``plan.lasts``."""
        deck, safe, missing = len(state.deck), state.safe, DRAGON_COPIES - state.dragons
        key = deck << 12 | safe << 3 | missing
        found = self._lasts.get(key)
        if found is None:
            among = max(deck - safe, missing)
            found = []
            for turns in range(2 * HAND_LIMIT):
                drawn = turns * self._seats * DRAWS // SURE - safe
                ended = SURE
                for taken in range(missing):
                    ended = ended * max(0, min(drawn, among) - taken) // (among - taken)
                found.append(SURE - ended)
            found.append(key)
            self._lasts[key] = found
        return found

    def _context(self, state: EthnosState, seat: int) -> Context:
        key = (
            seat,
            state.age,
            state.giant,
            state.hordes[seat],
            state.supply[seat] > 0,
            *state.trolls,
            *state.markers,
        )
        found = self._contexts.get(key)
        if found is None:
            if len(self._contexts) >= KEPT_CONTEXTS:
                self._contexts.clear()
            found = self._contexts[key] = self._made(state, seat)
        return found

    def _made(self, state: EthnosState, seat: int) -> Context:
        made = Context()
        made.supply = int(state.supply[seat] > 0)
        made.markers = [0]
        made.musts = [0]
        for colour in range(1, 7):
            standing = state.markers[colour - 1 :: 6]
            made.markers.append(self._gain(state, seat, standing, colour))
            made.musts.append(sum(standing) if len(standing) == 2 else standing[seat])
        for size in range(HAND_LIMIT + 2):
            best = 0
            for colour in range(1, 7):
                if size > made.musts[colour] and made.markers[colour] > best:
                    best = made.markers[colour]
            made.wing.append(best)
        made.horde = state.hordes[seat]
        placed = made.horde.bit_count()
        made.horde_step = GLORY * (HORDE_GLORY[min(placed + 1, 6)] - HORDE_GLORY[placed])
        largest = 0
        for played in state.bands:
            for band in played:
                if band >> 3 & 31 == GIANTS and (band >> 8) % 15 > largest:
                    largest = (band >> 8) % 15
        award = GIANT_AWARDS[self._small][state.age - 1]
        made.giant = largest << 20 | (GLORY * GIANT_BONUS + GIANT_HELD * award)
        free = 126
        for taken in state.trolls:
            free &= ~taken
        made.troll = free
        return made

    def _gain(self, state: EthnosState, seat: int, standing: list[int], colour: int) -> int:
        """What a marker more pays, as ``worth.Worth.marker`` weighs it."""
        key = (seat, state.age, colour, *standing, *state.trolls)
        found = self._gains.get(key)
        if found is not None:
            return found
        worth = 0
        tokens = state.tokens[colour - 1]
        nobody = [0] * len(standing)
        for later in range(self._ages - state.age + 1):
            trolls = nobody if later else state.trolls
            age = state.age + later
            for lift in (0, 1):
                before = [count + lift for count in standing]
                before[seat] = standing[seat]
                after = before[:]
                after[seat] += 1
                gained = _lead(paid(after, trolls, tokens, age), seat) - _lead(paid(before, trolls, tokens, age), seat)
                worth += LATER[later] * gained // 2000
        self._gains[key] = worth
        return worth


def _lead(glory: tuple[int, ...], seat: int) -> int:
    own = glory[seat]
    return GLORY * own - RIVALRY * (sum(glory) - own) // (len(glory) - 1)


def _band(context: Context, leader: int, size: int, wild: int, rest: int) -> int:
    """What a Band is worth that is played now and leaves ``rest`` cards: as ``worth.Worth.band``."""
    tribe, colour = leader >> 3, leader & 7
    counted = size - wild + (tribe == DWARVES)
    price = GLORY * BAND_GLORY[min(max(counted, 0), 6)]
    if tribe != HALFLINGS and context.supply:
        if tribe == WINGFOLK:
            price += context.wing[size]
        elif size + (tribe == MINOTAURS) > context.musts[colour] and context.markers[colour] > 0:
            price += context.markers[colour]
            if tribe == CENTAURS and rest > 1:
                price += FURTHER
    if tribe == ELVES:
        kept = min(size, rest)
        return price + KEPT * kept - GIVEN_AWAY * (rest - kept)
    if tribe == WIZARDS:
        price += DRAWN * size
    elif tribe == GIANTS:
        if size > context.giant >> 20:
            price += context.giant & 0xFFFFF
    elif tribe == MERFOLK:
        price += STEP * size
    elif tribe == ORCS:
        if not context.horde >> colour & 1:
            price += context.horde_step
    elif tribe == TROLLS:
        price += TROLL * ((context.troll & ((2 << size) - 1)).bit_length() - 1)
    return price - GIVEN_AWAY * rest


def _plan(context: Context, lasts: list[int], key: int) -> int:
    """The best that a group comes to if more cards are waited for, as ``plan.Plans`` weighs it.

    ``key`` is Leader | size << 7 | Skeletons << 11 | cards held << 15 | fitting face-up cards << 19.
    """
    whole = key | lasts[2 * HAND_LIMIT] << 21
    found = context.plans.get(whole)
    if found is not None:
        return found
    leader, size, wild, held, face_up = key & 127, key >> 7 & 15, key >> 11 & 15, key >> 15 & 15, key >> 19
    rest = max(held - size, 0)
    best = _band(context, leader, min(size, HAND_LIMIT), wild, rest)
    turns = 0
    for more in range(1, min(LARGEST + wild, HAND_LIMIT) - size + 1):
        turns += SURE if more <= face_up else LUCK
        left = lasts[min((turns + SURE - 1) // SURE, 2 * HAND_LIMIT - 1)]
        over = min(rest + max(0, turns // SURE - more), HAND_LIMIT - size)
        worth = _band(context, leader, size + more, wild, over) * left // SURE - TURN * turns // SURE
        if worth > best:
            best = worth
    context.plans[whole] = best
    return best


__all__ = ["Policy"]
