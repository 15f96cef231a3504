"""What each question offers, in its fixed order (FO11).

placement  ``place``: one choice; its parts are the squares, just one is taken
turn       ``expand`` for each face in hand that fits somewhere: its parts are the squares, one is taken; ``attack`` for
           each target: its parts are the fitting cards of the hand, by default as few as allowed; ``migrate`` and
           ``sail`` for each own shield that may move, group by group: its parts are the squares it can go to, one is
           taken;
           ``exchange``: its parts are the cards in hand, one by default; then ``end turn``, or ``pass`` at the start
battle     ``reinforce`` if a card fits: its parts are the fitting cards, one by default; ``yield``
first      ``choose first`` for each seat, the asked one's own first
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import TYPE_CHECKING, Final

from rivalry_engine.foederati import actions, battle, groups, question
from rivalry_engine.foederati.actions import (
    ATTACK,
    CARD_PART,
    EXPAND,
    IN_PACK,
    OTHER_SHIFT,
    PLACE,
    REINFORCE,
    SQUARE_SHIFT,
)
from rivalry_engine.foederati.squares import BIT, NOWHERE, grown, listed
from rivalry_engine.game import Choice

if TYPE_CHECKING:
    from rivalry_engine.foederati.state import FoederatiState

END_TURN: Final = Choice(actions.end_turn())
PASS: Final = Choice(actions.forgo())
YIELD: Final = Choice(actions.give_way())
new: Final = tuple.__new__


def placeable(state: FoederatiState) -> int:
    """The free squares on which the initial placement may put a shield (FO5.1)."""
    board = state.board
    mask = state.free
    for country, own in enumerate(board.country_masks):
        if (own & ~state.free).bit_count() >= board.caps[country]:
            mask &= ~own
    return mask


def offered(state: FoederatiState) -> Sequence[Choice]:
    """The choices of the question that is open; not to be changed by the caller."""
    kind = state.kind
    if kind == question.TURN:
        return _turn(state)
    if kind == question.BATTLE:
        parts = battle.fitting(state, state.seat, state.target)
        if not parts:
            return (YIELD,)
        return (Choice(REINFORCE | IN_PACK[parts[0] - CARD_PART], parts, 1, len(parts), 1), YIELD)
    if kind == question.PLACEMENT:
        return (_of_squares(PLACE, listed(placeable(state))),)
    if kind == question.FIRST:
        own, seats = state.seat, state.rules.seats
        return [Choice(actions.choose_first((own + step) % seats)) for step in range(seats)]
    return ()


def _of_squares(action: int, parts: tuple[int, ...]) -> Choice:
    return new(Choice, (action | parts[0] << SQUARE_SHIFT, parts, 1, 1, 1))


def _turn(state: FoederatiState) -> list[Choice]:
    seat = state.seat
    found: list[Choice] = []
    if state.used < state.board.actions and state.supply[seat]:
        _expansions(state, seat, found)
        _attacks(state, seat, found)
    _moves(state, seat, found)
    if not state.moved_once:
        exchange = state.hand_of(seat).exchange
        if exchange is not None:
            found.append(exchange)
    found.append(END_TURN if state.acted else PASS)
    return found


def _expansions(state: FoederatiState, seat: int, found: list[Choice]) -> None:
    free, neighbour = state.free, state.board.neighbour
    last, made = state.rules.last_free, state.rules.last_expansion
    for face, fits, _, _ in state.hand_of(seat).cards:
        mask = fits & free
        if face == neighbour:
            mask &= grown(state.shields[seat])
        if not mask:
            continue
        if last[face] != mask:
            last[face] = mask
            parts = listed(mask)
            made[face] = new(Choice, (EXPAND | face << OTHER_SHIFT | parts[0] << SQUARE_SHIFT, parts, 1, 1, 1))
        found.append(made[face])


def _attacks(state: FoederatiState, seat: int, found: list[Choice]) -> None:
    own = state.shields[seat]
    targets = battle.attackable(state) & ~own & ~state.free
    if targets:
        targets &= grown(own)
    if not targets:
        return
    cards = state.hand_of(seat).cards
    least = 1 if state.rules.attack_needs_card else 0
    for target in listed(targets):
        bit = BIT[target]
        parts: tuple[int, ...] = ()
        for _, mask, part, count in cards:
            if mask & bit:
                parts += (part,) * count
        action = ATTACK | target << SQUARE_SHIFT
        if not least:
            found.append(new(Choice, (action, parts, 0, len(parts), 0)))
        elif parts:
            found.append(new(Choice, (action | IN_PACK[parts[0] - CARD_PART], parts, 1, len(parts), 1)))


def _moves(state: FoederatiState, seat: int, found: list[Choice]) -> None:
    """Migrations, then sailings, each group by group."""
    free, moved, may_migrate = state.free, state.moved, not state.moved_once
    migrations: list[Choice] = []
    sailings: list[Choice] = []
    for group in state.groups[seat]:
        targets = group.border & free
        if not targets:
            continue
        if group.targets != targets:
            group.aim(targets, state.board.sea)
        if moved and group.mask & moved:
            if may_migrate:
                migrations += groups.unmoved(group.migrations, moved)
            sailings += groups.unmoved(group.sailings, moved)
        else:
            if may_migrate:
                migrations += group.migrations
            sailings += group.sailings
    found += migrations
    found += sailings


def spelled_out(choices: Sequence[Choice]) -> list[int]:
    """Every action that the choices with their parts say, each once."""
    found: dict[int, None] = {}
    for choice in choices:
        parts = choice.parts
        if not parts:
            found[choice.action] = None
        elif parts[0] < CARD_PART:
            base = choice.action & ~(NOWHERE << SQUARE_SHIFT)
            for square in parts:
                found[base | square << SQUARE_SHIFT] = None
        else:
            for size in range(choice.least, choice.most + 1):
                for chosen in combinations(range(len(parts)), size):
                    found[actions.filled(choice, chosen)] = None
    return list(found)
