"""The setup, the initial placement, and how rounds begin and end (FO5, FO8)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from rivalry_engine.chance import Stream
from rivalry_engine.foederati import battle, events, founding, question, scoring
from rivalry_engine.foederati.packs import UNIT

if TYPE_CHECKING:
    from rivalry_engine.foederati.state import FoederatiState

NOBODY: Final = -1


def set_up(state: FoederatiState, seed: bytes) -> None:
    """Everything as before the first placement (FO5)."""
    board, seats = state.board, state.rules.seats
    state.seed = seed
    state.kind = question.PLACEMENT
    first = state.rules.first_player
    state.first = Stream(seed, "setup/first").below(seats) if first < 0 else first
    state.seat = state.first
    state.round = 0
    state.foundings = []
    state.founded = 0
    state.founded_land = 0
    state.passed = 0
    state.stall = 0
    state.stirred = False
    state.end_trigger = 0
    state.triggers = 0
    clear_turn(state)
    state.active = state.first
    state.positions = [(seat - state.first) % seats + state.rules.start_space for seat in range(seats)]
    state.supply = [board.shields[seats]] * seats
    state.lost = [0] * seats
    state.shields = [0] * seats
    state.discard = 0
    state.reshuffles = 0
    state.pool = board.deck_pack
    state.pile = list(board.deck)
    Stream(seed, "setup/deck").shuffle(state.pile)
    state.kept = [0] * seats
    state.since = [[] for _ in range(seats)]
    state.hands = [sum([UNIT[state.pile.pop()] for _ in range(board.hand_size)]) for _ in range(seats)]


def clear_turn(state: FoederatiState) -> None:
    """Nothing has been done in the turn, and no battle is on."""
    state.active = NOBODY
    state.used = 0
    state.moved_once = False
    state.moved = 0
    state.acted = False
    state.attacked = 0
    battle.clear(state)


def place(state: FoederatiState, seat: int, square: int) -> None:
    """A shield of the initial placement; after the last one the first round begins (FO5.1)."""
    board, seats = state.board, state.rules.seats
    log = state.log
    if log is not None and seat == state.first and state.supply[seat] == board.shields[seats]:
        log.append(events.begun(state.first, tuple(state.positions), state.hands))
    founding.put(state, seat, square)
    state.supply[seat] -= 1
    if log is not None:
        log.append(events.placed(seat, square))
    after = (seat + 1) % seats
    if after == state.first and state.supply[seat] == board.shields[seats] - board.initial[seats]:
        begin_round(state)
    else:
        state.seat = state.active = after


def begin_round(state: FoederatiState) -> None:
    """The first player's turn begins the next round (FO6)."""
    state.round += 1
    state.stirred = False
    state._board = None
    if state.log is not None:
        state.log.append(events.round_begun(state.round, state.first))
    _begin_turn(state, state.first)


def _begin_turn(state: FoederatiState, seat: int) -> None:
    clear_turn(state)
    state.active = seat
    state.seat = seat
    state.kind = question.TURN


def pass_on(state: FoederatiState, seat: int) -> None:
    """A turn is over: the next seat's begins, or the round ends (FO6, FO10.49, FO10.50)."""
    after = (seat + 1) % state.rules.seats
    if after == state.first:
        _end_round(state)
    else:
        _begin_turn(state, after)


def _end_round(state: FoederatiState) -> None:
    """The stall guard, perhaps a scoring, then the end, the question ``first`` or the next round (FO8.2, FO8.3).

    Without a scoring the first player stays (FO8.3).
    """
    clear_turn(state)
    state._board = None
    state.stall = 0 if state.stirred else state.stall + 1
    if state.stall >= state.rules.stall_rounds:
        founding.trigger(state, founding.STALLED, NOBODY)
    orders = [each.order for each in state.foundings if each.round == state.round]
    red = sum([1 for order in orders if state.board.track[order][1]]) > 0
    if state.end_trigger:
        scoring.count(state, red or state.rules.final_tribal_always)
        _end(state)
    elif orders and (red or not state.rules.only_red_scores):
        scoring.count(state, red)
        state.kind = question.FIRST
        state.seat = last_place(state)
    else:
        begin_round(state)


def last_place(state: FoederatiState) -> int:
    """The seat in last place on the score track; positions differ (FO10.70)."""
    return state.positions.index(min(state.positions))


def choose_first(state: FoederatiState, seat: int, first: int) -> None:
    """The seat in last place named who begins the next round (FO8.3, FO10.44)."""
    state.first = first
    if state.log is not None:
        state.log.append(events.first_chosen(seat, first))
    begin_round(state)


def _end(state: FoederatiState) -> None:
    state.kind = question.OVER
    state.seat = NOBODY
    if state.log is not None:
        state.log.append(events.game_ended(state.scores(), state.ranks()))
