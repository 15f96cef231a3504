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
    FIELD,
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
    DWARVES,
    ELVES,
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
from rivalry_engine.ethnos.edition import Figures
from rivalry_engine.ethnos.scoring import paid
from rivalry_engine.ethnos.state import EthnosState

FITS: Final = 450
"""How likely a drawn card helps the best plan, in thousandths."""
STEP: Final = 350
"""A space on the Merfolk board."""
FURTHER: Final = 1500
"""Another Band after a Centaur's."""
WILD: Final = 1000
"""A card of a Band that is a Skeleton: it pays nothing by itself."""
LAST_ROUND: Final = 2 * HAND_LIMIT
"""Rounds of the table that are looked ahead; at this index the odds of an Age have their own number."""
ROUGHLY: Final = 40
"""To how many thousandths odds are rounded, so that alike situations are worked out once."""
CENTS: Final = 128
"""To how many thousandths of a Glory the price of a marker is rounded, for the same reason."""
KEPT_CONTEXTS: Final = 4096
"""Contexts that are kept at most; then all are forgotten."""


class Kind:
    """What all Bands of one Leader have in common; many situations share one."""

    __slots__ = ("extra", "must", "number", "passed", "price", "tribe")

    def __init__(self, number: int, tribe: int, price: int, must: int, extra: int, passed: list[int]) -> None:
        self.number = number
        self.passed = passed
        """Merfolk: by steps, how many symbols they pass."""
        self.tribe = tribe
        self.price = price
        """What its marker is worth, 0 if it cannot be placed."""
        self.must = must
        """How many markers it must outnumber."""
        self.extra = extra
        """Giants: the largest so far << 20 and what a larger one brings; Orcs: the Glory of the board; Trolls: what is
        left of the tokens; Merfolk: the space << 20 and the best marker."""


class Context:
    """What things are worth to one seat while markers, tokens and boards stay as they are."""

    __slots__ = ("extras", "kinds", "markers", "musts")

    def __init__(self) -> None:
        self.markers: list[int] = [0]
        """By colour, what a marker more is worth; index 0 is none."""
        self.musts: list[int] = [0]
        """By colour, how many markers a Band must outnumber."""
        self.extras: list[int] = [0] * 16
        """By Tribe, as ``Kind.extra``; of the Orcs, the board << 20 and the Glory."""
        self.kinds: list[Kind | None] = [None] * 128
        """By Leader, once it was asked for."""


class Policy:
    """The playout's policy for one match."""

    def __init__(self, figures: Figures) -> None:
        self._figures = figures
        self._seats = figures.seats
        self._ages = figures.ages
        symbols = figures.merfolk_symbols
        self._passed = [
            [len([there for there in symbols if space < there <= space + size]) for size in range(HAND_LIMIT + 3)]
            for space in range(figures.edition.merfolk_last + 1)
        ]
        """By space and steps, how many symbols of the Merfolk board are passed."""
        self._contexts: dict[tuple[int, ...], Context] = {}
        self._kinds: dict[tuple[int, int, int, int], Kind] = {}
        self._groups: dict[int, tuple[int, int, int, int]] = {}
        """What groups of cards come to: by kind, size << 12, Skeletons << 16, hand << 20, face up << 24, odds << 26."""
        self._gains: dict[tuple[int, ...], int] = {}
        self._lasts: dict[int, list[int]] = {}
        self._odds: dict[tuple[int, ...], list[int]] = {}

    def move(self, state: EthnosState, seat: int) -> int:
        """What a seat that is asked does."""
        kind = state.kind
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
        base = wild << 16 | held << 20 | lasts[LAST_ROUND] << 26
        groups = self._groups
        best = -1_000_000
        action = DRAW
        plan = grown = last = 0
        along = [0] * 16
        across = [0] * 8
        for leader in listed(hand):
            if leader in (last, SKELETON):
                continue
            last = leader
            kind = context.kinds[leader] or self._kind(context, leader)
            for axis in (0, 1):
                field = COLOUR_FIELDS[leader & 7] if axis else TRIBE_FIELDS[leader >> 3]
                group = hand & field
                size = group % 15
                key = kind.number | size << 12 | base | min((row & field) % 15, 3) << 24
                found = groups.get(key)
                if found is None:
                    found = groups[key] = _group(kind, lasts, size, wild, held, key >> 24 & 3)
                now, later, more, taken = found
                if prices is not None:
                    prices[BAND | leader << 4 | group << PACK_SHIFT] = now
                if now > best:
                    best = now
                    action = BAND | leader << 4 | group << PACK_SHIFT
                if later > plan:
                    plan = later
                if more > grown:
                    grown = more
                if axis:
                    if taken > across[leader & 7]:
                        across[leader & 7] = taken
                elif taken > along[leader >> 3]:
                    along[leader >> 3] = taken
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
            if card == SKELETON:
                worth = max(plan, max(along), max(across)) - WILD
            else:
                led = 0 if hand & FIELD[card] else self._led_by(context, lasts, hand, row, card)
                worth = max(plan, along[card >> 3], across[card & 7], led)
            worth = worth * left // SURE - TURN
            if prices is not None:
                prices[TAKE | card << 4] = worth
            if worth > best:
                best = worth
                action = TAKE | card << 4
        return action

    def _led_by(self, context: Context, lasts: list[int], hand: int, row: int, card: int) -> int:
        """The better plan of a card that would be a new Leader in the hand."""
        held = hand % 15 + 1
        wild = hand >> SKELETON_SHIFT
        kind = context.kinds[card] or self._kind(context, card)
        best = 0
        for field in (TRIBE_FIELDS[card >> 3], COLOUR_FIELDS[card & 7]):
            size = (hand & field) % 15 + 1
            face_up = max(min((row & field) % 15, 4) - 1, 0)
            key = kind.number | size << 12 | wild << 16 | held << 20 | face_up << 24 | lasts[LAST_ROUND] << 26
            found = self._groups.get(key)
            if found is None:
                found = self._groups[key] = _group(kind, lasts, size, wild, held, face_up)
            if found[1] > best:
                best = found[1]
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
                leader = choice.action >> 4 & 255
                kind = context.kinds[leader] or self._kind(context, leader)
                worth = _band(kind, size, wild, held - size) + GIVEN_AWAY * held
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
        deck, safe, missing = len(state.deck), state.safe, self._figures.dragons_to_end - state.dragons
        key = deck << 12 | safe << 3 | missing
        found = self._lasts.get(key)
        if found is None:
            among = max(deck - safe, missing)
            found = []
            for turns in range(LAST_ROUND):
                drawn = turns * self._seats * DRAWS // SURE - safe
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

    def _context(self, state: EthnosState, seat: int) -> Context:
        key = (
            seat,
            state.age,
            state.giant,
            state.hordes[seat],
            state.supply[seat] > 0,
            state.merfolk[seat],
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
        supply = state.supply[seat] > 0
        for colour in range(1, 7):
            standing = state.markers[colour - 1 :: 6]
            made.markers.append(self._gain(state, seat, standing, colour) if supply else 0)
            made.musts.append(sum(standing) if self._figures.outnumbers_all else standing[seat])
        placed = state.hordes[seat].bit_count()
        step = GLORY * (HORDE_GLORY[min(placed + 1, 6)] - HORDE_GLORY[placed]) if supply else 0
        made.extras[ORCS] = state.hordes[seat] << 20 | step
        largest = 0
        for played in state.bands:
            for band in played:
                if band >> 3 & 31 == GIANTS and (band >> 8) % 15 > largest:
                    largest = (band >> 8) % 15
        award = self._figures.giant_awards[state.age - 1]
        made.extras[GIANTS] = largest << 20 | (GLORY * self._figures.edition.giant_bonus + GIANT_HELD * award)
        free = 126
        for taken in state.trolls:
            free &= ~taken
        made.extras[TROLLS] = free
        best = (max(0, *made.markers) + CENTS // 2) // CENTS * CENTS
        made.extras[MERFOLK] = state.merfolk[seat] << 20 | best
        return made

    def _kind(self, context: Context, leader: int) -> Kind:
        tribe, colour = leader >> 3, leader & 7
        extra = context.extras[tribe]
        if tribe == ORCS:
            extra = 0 if extra >> 20 >> colour & 1 else extra & 0xFFFFF
        if tribe == WINGFOLK:
            colour = context.markers.index(max(context.markers))
        price = 0 if tribe == HALFLINGS else (max(0, context.markers[colour]) + CENTS // 2) // CENTS * CENTS
        passed = self._passed[extra >> 20 if tribe == MERFOLK else 0]
        key = (tribe, price, context.musts[colour], extra)
        found = self._kinds.get(key)
        if found is None:
            found = self._kinds[key] = Kind(len(self._kinds), tribe, price, key[2], extra, passed)
        context.kinds[leader] = found
        return found

    def _gain(self, state: EthnosState, seat: int, standing: list[int], colour: int) -> int:
        """What a marker more pays, as ``worth.Worth.marker`` weighs it."""
        key = (seat, state.age, colour, *standing, *state.trolls)
        found = self._gains.get(key)
        if found is not None:
            return found
        worth = 0
        tokens = state.tokens[colour - 1]
        nobody = [0] * len(standing)
        duel = self._figures.is_duel
        for later in range(self._ages - state.age + 1):
            trolls = nobody if later else state.trolls
            age = state.age + later
            for lift in (0, 1):
                before = [count + lift for count in standing]
                before[seat] = standing[seat]
                after = before[:]
                after[seat] += 1
                gained = _lead(paid(after, trolls, tokens, age, is_duel=duel), seat) - _lead(
                    paid(before, trolls, tokens, age, is_duel=duel), seat
                )
                worth += LATER[later] * gained // 2000
        self._gains[key] = worth
        return worth


def _lead(glory: tuple[int, ...], seat: int) -> int:
    own = glory[seat]
    return GLORY * own - RIVALRY * (sum(glory) - own) // (len(glory) - 1)


def _band(kind: Kind, size: int, wild: int, rest: int) -> int:
    """What a Band is worth that is played now and leaves ``rest`` cards: as ``worth.Worth.band``."""
    tribe = kind.tribe
    price = GLORY * BAND_GLORY[min(max(size - wild + (tribe == DWARVES), 0), 6)]
    if kind.price and size + (tribe == MINOTAURS) > kind.must:
        price += kind.price
        if tribe == CENTAURS and rest > 1:
            price += FURTHER
    if tribe == ELVES:
        kept = min(size, rest)
        return price + KEPT * kept - GIVEN_AWAY * (rest - kept)
    if tribe == WIZARDS:
        price += DRAWN * size
    elif tribe == GIANTS:
        if size > kind.extra >> 20:
            price += kind.extra & 0xFFFFF
    elif tribe == MERFOLK:
        price += STEP * size + kind.passed[size] * (kind.extra & 0xFFFFF)
    elif tribe == ORCS:
        price += kind.extra
    elif tribe == TROLLS:
        price += TROLL * ((kind.extra & ((2 << size) - 1)).bit_length() - 1)
    return price - GIVEN_AWAY * rest


def _group(kind: Kind, lasts: list[int], size: int, wild: int, held: int, face_up: int) -> tuple[int, int, int, int]:
    """What a group comes to: played now; planned; planned with a drawn card more; and with one of ``face_up`` taken."""
    return (
        _band(kind, size, wild, held - size),
        _plan(kind, lasts, size, wild, held, face_up),
        _plan(kind, lasts, size + 1, wild, held + 1, face_up),
        _plan(kind, lasts, size + 1, wild, held + 1, face_up - 1) if face_up else 0,
    )


def _plan(kind: Kind, lasts: list[int], size: int, wild: int, held: int, face_up: int) -> int:
    """The best that a group comes to if more cards are waited for, as ``plan.Plans`` weighs it."""
    rest = max(held - size, 0)
    best = _band(kind, size, wild, rest)
    turns = 0
    for more in range(1, min(LARGEST + wild, HAND_LIMIT) - size + 1):
        turns += SURE if more <= face_up else LUCK
        left = lasts[min((turns + SURE - 1) // SURE, LAST_ROUND - 1)]
        over = min(rest + max(0, turns // SURE - more), HAND_LIMIT - size)
        worth = _band(kind, size + more, wild, over) * left // SURE - TURN * turns // SURE
        if worth > best:
            best = worth
    return best


__all__ = ["Policy"]
