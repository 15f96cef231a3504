"""Attacks and the battles they begin (FO7)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rivalry_engine.foederati import drawing, events, founding, packs, question
from rivalry_engine.foederati.squares import BIT, NEIGHBOURS

if TYPE_CHECKING:
    from rivalry_engine.foederati.state import FoederatiState


def attackable(state: FoederatiState) -> int:
    """The squares on which shields may be attacked: founded countries, and full seas where options say so (FO10.19)."""
    mask = state.founded_land
    if state.rules.attack_full_seas:
        for own in state.board.sea_masks:
            if not own & state.free:
                mask |= own
    return mask


def fits(state: FoederatiState, seat: int, face: int, target: int) -> bool:
    """True if a card of ``seat`` may be played for a battle on ``target``, as if that were free (FO7)."""
    if face == state.board.neighbour:
        return NEIGHBOURS[target] & state.shields[seat] > 0
    return state.board.fits[face] & BIT[target] > 0


def fitting(state: FoederatiState, seat: int, target: int) -> tuple[int, ...]:
    """The cards of a hand that fit, as parts of a choice, ascending; equal ones as often as there are."""
    found: tuple[int, ...] = ()
    for face, _, part, count in state.hand_of(seat).cards:
        if fits(state, seat, face, target):
            found += (part,) * count
    return found


def attack(state: FoederatiState, seat: int, target: int, pack: int) -> None:
    """A battle begins, perhaps with cards (FO7)."""
    bit = BIT[target]
    near = NEIGHBOURS[target]
    for other, mask in enumerate(state.shields):
        if mask & bit:
            state.defender = other
    state.target = target
    state.used += 1
    state.acted = True
    state.attacked |= 1 << state.defender
    state.attack = (state.shields[seat] & near).bit_count()
    state.defence = 1 + (state.shields[state.defender] & near).bit_count()
    _play(state, seat, pack)
    if state.log is not None:
        state.log.append(events.attacked(seat, state.defender, target, pack, state.attack, state.defence))
    state.kind = question.BATTLE
    ask(state)


def reinforce(state: FoederatiState, seat: int, pack: int) -> None:
    """The side that would lose plays cards (FO7)."""
    _play(state, seat, pack)
    if state.log is not None:
        state.log.append(events.reinforced(seat, pack, state.attack, state.defence))
    ask(state)


def _play(state: FoederatiState, seat: int, pack: int) -> None:
    """Cards are discarded at once, and each of them makes its side stronger (FO7, FO10.56)."""
    if not pack:
        return
    drawing.put_down(state, seat, pack)
    state.played += [(seat, face) for face in packs.listed(pack)]
    bonus = state.board.battle_bonus * packs.size(pack)
    if seat == state.active:
        state.attack += bonus
    else:
        state.defence += bonus


def ask(state: FoederatiState) -> None:
    """The side that would lose is to act, a side without a fitting card too (FO7, FO10.23, FO10.24, FO10.55)."""
    ahead = state.attack > state.defence or (state.attack == state.defence and state.rules.tie_to_attacker)
    state.seat = state.defender if ahead else state.active


def give_way(state: FoederatiState, seat: int) -> None:
    """The side that would lose has lost (FO7)."""
    attacker, defender, target = state.active, state.defender, state.target
    if state.log is not None:
        state.log.append(events.yielded(seat))
    if seat == defender:
        founding.take(state, defender, target)
        state.lost[defender] += 1
        founding.put(state, attacker, target)
        if state.log is not None:
            state.log.append(events.battle_won(attacker, defender, target))
        founding.spend(state, attacker)
    else:
        shields = 1 if state.rules.failure_costs else 0
        if state.log is not None:
            state.log.append(events.battle_lost(attacker, defender, target, shields))
        if shields:
            state.lost[attacker] += 1
            founding.spend(state, attacker)
    clear(state)
    state.kind = question.TURN
    state.seat = attacker


def clear(state: FoederatiState) -> None:
    """No battle is on."""
    state.target = -1
    state.defender = -1
    state.attack = 0
    state.defence = 0
    state.played = []
