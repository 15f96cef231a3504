"""How a playout of Foederati goes on: ``greedy``'s choices (``settler``), on states; nothing legal is listed."""

from __future__ import annotations

from typing import Final

from rivalry_bots.search.foederati_worth import Payments, Weights, Worth
from rivalry_engine.foederati import battle, choices, question
from rivalry_engine.foederati.actions import (
    ATTACK,
    CARD_PART,
    CHOOSE_FIRST,
    END_TURN,
    EXCHANGE,
    EXPAND,
    IN_PACK,
    MIGRATE,
    OTHER_SHIFT,
    PASS,
    PLACE,
    REINFORCE,
    SAIL,
    SQUARE_SHIFT,
    YIELD,
)
from rivalry_engine.foederati.game import Foederati
from rivalry_engine.foederati.squares import BIT, NEIGHBOURS, grown, listed
from rivalry_engine.foederati.state import FoederatiState

CLOSE: Final = 24
"""So many moves are weighed exactly, those that look best by their ends."""
FITS_FEW: Final = 4
"""A card that fits fewer free squares is exchanged."""
NOTHING: Final = -1_000_000_000


class Policy:
    """The playout's policy for one match."""

    def __init__(self, game: Foederati, weights: Weights | None = None) -> None:
        self._game = game
        self._board = game.board
        self._weights = Weights() if weights is None else weights
        self._payments = Payments(game.board, game.seats)
        self._ties_to_attacker = game.tie_to_attacker

    def move(self, state: FoederatiState, seat: int) -> int:
        """What a seat that is asked does."""
        kind = state.kind
        if kind == question.BATTLE:
            return self._battle(state, seat)
        if kind == question.FIRST:
            return CHOOSE_FIRST | seat << OTHER_SHIFT
        if kind == question.PLACEMENT:
            worth = self.worth(state, seat)
            best, found = NOTHING, 0
            for square in listed(choices.placeable(state)):
                price = worth.placed(square)
                if price > best:
                    best, found = price, square
            return PLACE | found << SQUARE_SHIFT
        return self.turn(state, seat)

    def worth(self, state: FoederatiState, seat: int) -> Worth:
        """What the board is worth to ``seat``."""
        return Worth(self._payments, self._weights, state, seat)

    def weighed(self, state: FoederatiState, seat: int, prices: dict[int, int]) -> int:
        """As ``move``; ``prices`` gets what the actions that may take its place are worth, its own included."""
        action = self.move(state, seat)
        if state.kind == question.TURN:
            self._weigh_turn(state, seat, prices, action)
        elif state.kind == question.PLACEMENT:
            worth = self.worth(state, seat)
            for square in listed(choices.placeable(state)):
                prices[PLACE | square << SQUARE_SHIFT] = worth.placed(square)
        elif state.kind == question.FIRST:
            for first in range(self._game.seats):
                prices[CHOOSE_FIRST | first << OTHER_SHIFT] = 0
        else:
            prices[YIELD] = 0
        prices.setdefault(action, 0)
        return action

    def turn(self, state: FoederatiState, seat: int) -> int:
        """The best command of a turn: expansions and attacks first, then moves, then an exchange."""
        worth = self.worth(state, seat)
        best, action = NOTHING, 0
        for price, each in self._strikes(state, seat, worth, every=False):
            if price > best:
                best, action = price, each
        if best > NOTHING:
            return action
        best = self._weights.move - 1
        for price, each in self._moves(state, seat, worth):
            if price > best:
                best, action = price, each
        if action:
            return action
        exchange = 0 if state.moved_once else self._exchange(state, seat)
        return exchange or (END_TURN if state.acted else PASS)

    def _weigh_turn(self, state: FoederatiState, seat: int, prices: dict[int, int], action: int) -> None:
        """Commands of the kind that is due: an expansion can wait for no move, and a move may be left."""
        worth = self.worth(state, seat)
        if action & 15 in (EXPAND, ATTACK):
            for price, each in self._strikes(state, seat, worth, every=True):
                prices[each] = price
            return
        for price, each in self._moves(state, seat, worth):
            prices[each] = price - self._weights.move
        prices[END_TURN if state.acted else PASS] = -1
        exchange = 0 if state.moved_once else self._exchange(state, seat)
        if exchange:
            prices[exchange] = 0

    def _strikes(self, state: FoederatiState, seat: int, worth: Worth, *, every: bool) -> list[tuple[int, int]]:
        """Expansions and attacks, each with its price."""
        if state.used >= self._board.actions or not state.supply[seat]:
            return []
        return self._expansions(state, seat, worth, every) + self._attacks(state, seat, worth)

    def _expansions(self, state: FoederatiState, seat: int, worth: Worth, every: bool) -> list[tuple[int, int]]:
        """The squares that cards fit, each by the card that fits least elsewhere; the best alone, or ``every`` one."""
        if state.supply[seat] == 1 and not state.end_trigger and state.positions[seat] < max(state.positions):
            return []  # the last shield ends the game
        cards: list[tuple[int, int, int]] = []
        for face, fits, _, _ in state.hand_of(seat).cards:
            mask = fits & state.free
            if face == self._board.neighbour:
                mask &= grown(state.shields[seat])
            if mask:
                cards.append((mask.bit_count(), face, mask))
        cards.sort()
        seen, best, found = 0, NOTHING, 0
        listing: list[tuple[int, int]] = []
        for _, face, mask in cards:
            for square in listed(mask & ~seen):
                price = worth.placed(square)
                each = EXPAND | square << SQUARE_SHIFT | face << OTHER_SHIFT
                if every:
                    listing.append((price, each))
                elif price > best:
                    best, found = price, each
            seen |= mask
        if not every and found:
            listing.append((best, found))
        return listing

    def _attacks(self, state: FoederatiState, seat: int, worth: Worth) -> list[tuple[int, int]]:
        """The targets that the cards in hand are likely to win."""
        own, bonus, weights = state.shields[seat], self._board.battle_bonus, self._weights
        targets = battle.attackable(state) & ~own & ~state.free & grown(own)
        found: list[tuple[int, int]] = []
        for target in listed(targets):
            owner = 0
            while not state.shields[owner] & BIT[target]:
                owner += 1
            near = NEIGHBOURS[target]
            ahead = (own & near).bit_count() - 1 - (state.shields[owner] & near).bit_count()
            expected = bonus * ((state.hands[owner] % 255 * weights.defence + 500) // 1000)
            needed = max(0, (expected - ahead) // bonus + 1)
            if needed > weights.battle_most:
                continue
            fitting = battle.fitting(state, seat, target)
            least = 1 if self._game.attack_needs_card else 0
            if needed > len(fitting) or least > len(fitting):
                continue
            price = worth.taken(target, owner) - weights.card * needed
            if price > 0:
                action = ATTACK | target << SQUARE_SHIFT
                found.append((price, action | IN_PACK[fitting[0] - CARD_PART] if least else action))
        return found

    def _moves(self, state: FoederatiState, seat: int, worth: Worth) -> list[tuple[int, int]]:
        """The moves whose ends look best, weighed exactly: of each shield no more than two."""
        sea = self._board.sea
        looks: list[tuple[int, int, int]] = []
        for group in state.groups[seat]:
            origins = group.mask & ~state.moved
            if state.moved_once:
                origins &= sea
            targets = group.border & state.free
            if not origins or not targets:
                continue
            first = second = NOTHING
            one = other = -1
            for square in listed(targets):
                price = worth.placed(square)
                if price > first:
                    second, other = first, one
                    first, one = price, square
                elif price > second:
                    second, other = price, square
            for origin in listed(origins):
                looks.append((-first, origin, one))
                if other >= 0:
                    looks.append((-second, origin, other))
        looks.sort()
        found: list[tuple[int, int]] = []
        for _, origin, square in looks[:CLOSE]:
            verb = SAIL if sea >> origin & 1 else MIGRATE
            found.append((worth.moved(origin, square), verb | square << SQUARE_SHIFT | origin << OTHER_SHIFT))
        return found

    def _exchange(self, state: FoederatiState, seat: int) -> int:
        """The cards that fit fewest free squares go, if some fit hardly any; 0 if none does."""
        uses: list[tuple[int, int]] = []
        for face, _, _, count in state.hand_of(seat).cards:
            use = self._use(state, seat, face)
            if use < FITS_FEW:
                uses += [(use, face)] * count
        if not uses:
            return 0
        uses.sort()
        action = EXCHANGE
        for _, face in uses[: self._board.exchange_most]:
            action += IN_PACK[face]
        return action

    def _use(self, state: FoederatiState, seat: int, face: int) -> int:
        """How many free squares a card fits."""
        mask = grown(state.shields[seat]) if face == self._board.neighbour else self._board.fits[face]
        return (mask & state.free).bit_count()

    def _battle(self, state: FoederatiState, seat: int) -> int:
        """As few cards as put the own side ahead, or yield."""
        bonus = self._board.battle_bonus
        attacks = seat == state.active
        gap = state.defence - state.attack if attacks else state.attack - state.defence
        needed = -(-gap // bonus) if attacks == self._ties_to_attacker else gap // bonus + 1
        needed = max(1, needed)
        fitting = battle.fitting(state, seat, state.target)
        spent = 0
        for who, _ in state.played:
            spent += who == seat
        if needed > len(fitting) or spent + needed > self._weights.battle_most:
            return YIELD
        faces = sorted([(self._use(state, seat, part - CARD_PART), part - CARD_PART) for part in fitting])
        action = REINFORCE
        for _, face in faces[:needed]:
            action += IN_PACK[face]
        return action


__all__ = ["Policy"]
