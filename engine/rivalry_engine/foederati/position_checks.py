"""Whether what a position states can be so: board, turn, question and end fit each other (FO5 to FO8)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from rivalry_engine.error import PositionError
from rivalry_engine.foederati import battle, founding, question, rounds
from rivalry_engine.foederati.squares import BIT, NEIGHBOURS, names
from rivalry_engine.foederati.values import Checks

if TYPE_CHECKING:
    from rivalry_engine.foederati.state import FoederatiState

CHECKS: Final = Checks("position key", PositionError)


def triggers(made: FoederatiState) -> list[int]:
    """The triggers that must have occurred in what is stated (FO8.2)."""
    found: list[int] = []
    if made.passed == (1 << made.rules.seats) - 1:
        found.append(founding.ALL_PASSED)
    if 0 in made.supply:
        found.append(founding.NO_SUPPLY)
    if len(made.foundings) == len(made.board.track):
        found.append(founding.LAST_MARKER)
    if made.stall >= made.rules.stall_rounds:
        found.append(founding.STALLED)
    return found


def check(made: FoederatiState) -> None:
    """Refuses what cannot be."""
    _check_countries(made)
    _check_round(made)
    _check_turn(made)
    if made.kind == question.PLACEMENT:
        _check_placement(made)
    elif made.kind == question.BATTLE:
        _check_battle(made)
    elif made.kind == question.FIRST:
        _check_first(made)


def _check_countries(made: FoederatiState) -> None:
    for country, mask in enumerate(made.board.country_masks):
        if not mask & made.free and not made.founded >> country & 1:
            name = made.board.countries[country]
            raise CHECKS.refused("founded", f"{name} is full and not founded", "every full country founded")


def _check_round(made: FoederatiState) -> None:
    if (made.round == 0) is not (made.kind == question.PLACEMENT):
        raise CHECKS.refused("round", str(made.round), "0 just in the initial placement")
    if not made.stirred and any(each.round == made.round for each in made.foundings):
        raise CHECKS.refused("stirred", "false", "true, since a country was founded in this round")
    if not made.kind and not made.end_trigger:
        raise CHECKS.refused("triggers", "none", "what ended the game")
    if made.kind and made.triggers >> founding.STALLED & 1:
        raise CHECKS.refused("triggers", "4", "a game that is over, since that ends with it")


def _check_turn(made: FoederatiState) -> None:
    if made.kind not in (question.TURN, question.BATTLE):
        if made.acted:
            raise CHECKS.refused("turn", "something done", "nothing, since no turn runs")
        return
    own = made.shields[made.active]
    if made.moved & ~own:
        where = names(made.moved & ~own)[0]
        raise CHECKS.refused("turn.moved", where, f"squares with shields of seat {made.active}")
    if made.attacked >> made.active & 1 or made.attacked.bit_count() > made.used:
        raise CHECKS.refused("turn.attacked", "seats", "others, and no more than turn.used")


def _check_placement(made: FoederatiState) -> None:
    """Everybody has placed as many shields as his place in the order says, within the limits (FO5.1)."""
    board, seats = made.board, made.rules.seats
    turn = (made.seat - made.first) % seats
    least = made.shields[made.seat].bit_count()
    if least >= board.initial[seats]:
        raise CHECKS.refused("movers", f"seat {made.seat} has placed {least}", "a seat that has shields to place")
    for seat in range(seats):
        expected = least + (1 if (seat - made.first) % seats < turn else 0)
        if made.shields[seat].bit_count() != expected:
            raise CHECKS.refused(f"seats[{seat}].shields", f"{made.shields[seat].bit_count()}", f"{expected}")
        if made.lost[seat]:
            raise CHECKS.refused(f"seats[{seat}].lost", str(made.lost[seat]), "0 in the initial placement")
    for country, mask in enumerate(board.country_masks):
        if (mask & ~made.free).bit_count() > board.caps[country]:
            told = f"more shields in {board.countries[country]} than {board.caps[country]}"
            raise CHECKS.refused("seats", told, "the limits of the initial placement")
    if made.triggers or made.passed or made.stall or made.stirred:
        raise CHECKS.refused("round", "0", "no passes, stall or triggers in the initial placement")


def _check_battle(made: FoederatiState) -> None:
    target = made.target
    if not battle.attackable(made) & BIT[target]:
        raise CHECKS.refused("battle.target", names(BIT[target])[0], "a square that may be attacked")
    if not NEIGHBOURS[target] & made.shields[made.active]:
        raise CHECKS.refused("battle.target", names(BIT[target])[0], "a square next to a shield of the attacker")
    if not made.used or not made.attacked >> made.defender & 1:
        raise CHECKS.refused("turn", "no attack", f"used 1 or more and seat {made.defender} in attacked")
    if not made.supply[made.active]:
        raise CHECKS.refused("battle.attacker", str(made.active), "a seat with shields in its supply")


def _check_first(made: FoederatiState) -> None:
    if made.end_trigger:
        raise CHECKS.refused("question", "first", "no such question once the end is triggered")
    if made.seat != rounds.last_place(made):
        raise CHECKS.refused("movers", f"seat {made.seat}", f"seat {rounds.last_place(made)}, who is in last place")
    if not any(each.round == made.round for each in made.foundings):
        raise CHECKS.refused("question", "first", "a country that was founded in this round")
