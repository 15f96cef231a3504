"""Why an action is not legal, without listing what is; the codes are those of FO11."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from rivalry_engine.foederati import battle, choices, moves, notation, packs, question
from rivalry_engine.foederati.actions import (
    ATTACK,
    CHOOSE_FIRST,
    END_TURN,
    EXCHANGE,
    EXPAND,
    MIGRATE,
    PACK_SHIFT,
    PASS,
    PLACE,
    REINFORCE,
    SAIL,
    YIELD,
)
from rivalry_engine.foederati.squares import BIT, NEIGHBOURS, SQUARES, grown, name
from rivalry_engine.game import Objection

if TYPE_CHECKING:
    from rivalry_engine.foederati.state import FoederatiState

_VERBS: Final[dict[str, tuple[int, ...]]] = {
    question.PLACEMENT: (PLACE,),
    question.TURN: (EXPAND, ATTACK, MIGRATE, SAIL, EXCHANGE, END_TURN, PASS),
    question.BATTLE: (REINFORCE, YIELD),
    question.FIRST: (CHOOSE_FIRST,),
}
_EXPECTED: Final[dict[str, str]] = {
    question.PLACEMENT: "'place SQUARE'",
    question.TURN: "'expand …', 'attack …', 'migrate …', 'sail …', 'exchange …', 'end turn' or 'pass'",
    question.BATTLE: "'reinforce CARD, CARD' or 'yield'",
    question.FIRST: "'choose first SEAT'",
}
_WITH_SQUARE: Final = (PLACE, EXPAND, ATTACK, MIGRATE, SAIL)
_WITH_PACK: Final = (ATTACK, EXCHANGE, REINFORCE)
_WITH_OTHER: Final = (EXPAND, MIGRATE, SAIL, CHOOSE_FIRST)


def objection(state: FoederatiState, seat: int, action: int) -> Objection | None:
    """Why ``seat`` may not do ``action`` now, or None."""
    kind = state.kind
    verb = action & 15
    if not kind:
        return Objection("WRONG_PHASE", "the game is over")
    if seat != state.seat:
        return _not_asked(state, seat, verb)
    formed = _misformed(state, action)
    if formed is not None:
        return formed
    if verb not in _VERBS[kind]:
        told = notation.text(state.board, action)
        return Objection("WRONG_PHASE", f"the question is {kind}: expected {_EXPECTED[kind]}, not {told!r}")
    square, other, pack = action >> 4 & 127, action >> 11 & 127, action >> PACK_SHIFT
    if verb == EXPAND:
        return _expand(state, seat, other, square)
    if verb == ATTACK:
        return _attack(state, seat, square, pack)
    if verb in (MIGRATE, SAIL):
        return _move(state, seat, verb, other, square)
    if verb == EXCHANGE:
        return _exchange(state, seat, pack)
    if verb == REINFORCE:
        return Objection("BAD_COUNT", "reinforce: expected one card or more") if not pack else _cards(state, seat, pack)
    if verb == PLACE:
        return _place(state, square)
    if verb == END_TURN and not state.acted:
        return Objection("NOTHING_DONE", "the turn has done nothing: expected 'pass' to end it")
    if verb == PASS and state.acted:
        return Objection("ALREADY_ACTED", "the turn has done something: expected 'end turn' to end it")
    return None


def _not_asked(state: FoederatiState, seat: int, verb: int) -> Objection:
    if state.kind == question.BATTLE and verb in (REINFORCE, YIELD):
        return Objection("NOT_TO_ACT", f"seat {state.seat} is to act in the battle, not seat {seat}")
    if state.kind == question.FIRST and verb == CHOOSE_FIRST:
        return Objection("NOT_LAST_PLACE", f"seat {state.seat} is in last place and chooses, not seat {seat}")
    return Objection("NOT_YOUR_TURN", f"seat {state.seat} is asked now, not seat {seat}")


def _misformed(state: FoederatiState, action: int) -> Objection | None:
    """What no notation means, and squares, cards and seats that there are not (FO10.75)."""
    verb, square, other = action & 15, action >> 4 & 127, action >> 11 & 127
    if action < 0 or not PLACE <= verb <= CHOOSE_FIRST:
        return Objection("WRONG_PHASE", f"{action} is no action of this game")
    if verb in _WITH_SQUARE:
        if square >= SQUARES or (verb in (MIGRATE, SAIL) and other >= SQUARES):
            return Objection("NO_SUCH_SQUARE", "there is no such square: expected A1 to J10")
    elif square:
        return Objection("NO_SUCH_SQUARE", f"{action} names a square where none belongs")
    if verb == EXPAND and other >= len(state.board.cards):
        return Objection("NO_SUCH_CARD", "there is no such card")
    if verb == CHOOSE_FIRST and other >= state.rules.seats:
        return Objection("NO_SUCH_SEAT", f"there is no seat {other}: expected 0 to {state.rules.seats - 1}")
    if other and verb not in _WITH_OTHER:
        return Objection("NO_SUCH_CARD", f"{action} names something where nothing belongs")
    pack = action >> PACK_SHIFT
    if not pack:
        return None
    if verb not in _WITH_PACK or not packs.is_formed(pack) or packs.faces(pack)[-1] >= len(state.board.cards):
        return Objection("NO_SUCH_CARD", f"{action} names cards that there are not")
    return None


def _place(state: FoederatiState, square: int) -> Objection | None:
    board, bit = state.board, BIT[square]
    if not state.free & bit:
        return _occupied(square)
    if choices.placeable(state) & bit:
        return None
    country = board.country_of[square]
    told = f"{board.countries[country]} takes {board.caps[country]} shields of all seats in the initial placement"
    return Objection("CAP_EXCEEDED", f"{told}; it has them")


def _strikes(state: FoederatiState, seat: int) -> Objection | None:
    """What ``expand`` and ``attack`` have in common (FO6, FO10.53)."""
    if state.used >= state.board.actions:
        return Objection("NO_ACTIONS_LEFT", f"expand and attack together: {state.board.actions} a turn, all used")
    if not state.supply[seat]:
        return Objection("NO_SUPPLY", "there is no shield left in the supply")
    return None


def _expand(state: FoederatiState, seat: int, face: int, square: int) -> Objection | None:
    barred = _strikes(state, seat)
    if barred is not None:
        return barred
    board, bit = state.board, BIT[square]
    if not packs.count(state.hands[seat], face):
        return _not_in_hand(state, seat, packs.UNIT[face])
    if not state.free & bit:
        return _occupied(square)
    fits = grown(state.shields[seat]) if face == board.neighbour else board.fits[face]
    if not fits & bit:
        return Objection("CARD_DOES_NOT_FIT", f"{board.card_name(face)} does not fit {name(square)}")
    return None


def _attack(state: FoederatiState, seat: int, target: int, pack: int) -> Objection | None:
    barred = _strikes(state, seat)
    if barred is not None:
        return barred
    bit = BIT[target]
    if state.free & bit or state.shields[seat] & bit:
        return Objection("TARGET_NOT_ENEMY", f"on {name(target)} stands no shield of another seat")
    if not battle.attackable(state) & bit:
        allowed = "a founded country or a full sea" if state.rules.attack_full_seas else "a founded country"
        return Objection("TARGET_NOT_FOUNDED", f"{name(target)} is not in {allowed}")
    if not NEIGHBOURS[target] & state.shields[seat]:
        return Objection("TARGET_NOT_ADJACENT", f"no shield of seat {seat} is next to {name(target)}")
    if pack:
        return _cards(state, seat, pack, target)
    if state.rules.attack_needs_card:
        return Objection("OPENING_CARD_REQUIRED", "an attack needs one fitting card or more: 'attack SQUARE: CARD'")
    return None


def _cards(state: FoederatiState, seat: int, pack: int, target: int = -1) -> Objection | None:
    """Cards for a battle on ``target``, or on the one that is on (FO7)."""
    if not packs.holds(state.hands[seat], pack):
        return _not_in_hand(state, seat, pack)
    where = state.target if target < 0 else target
    for face in packs.faces(pack):
        if not battle.fits(state, seat, face, where):
            return Objection("CARD_DOES_NOT_FIT", f"{state.board.card_name(face)} does not fit {name(where)}")
    return None


def _move(state: FoederatiState, seat: int, verb: int, origin: int, square: int) -> Objection | None:
    if verb == MIGRATE and state.moved_once:
        return _moved_once()
    if not state.shields[seat] & BIT[origin]:
        return Objection("NOT_YOUR_SHIELD", f"on {name(origin)} stands no shield of seat {seat}")
    at_sea = state.board.sea & BIT[origin]
    if verb == MIGRATE and at_sea:
        return Objection("NOT_ON_LAND", f"{name(origin)} is on the sea: expected 'sail'")
    if verb == SAIL and not at_sea:
        return Objection("NOT_A_SHIP", f"{name(origin)} is on land: expected 'migrate'")
    if state.moved & BIT[origin]:
        return Objection("SHIP_ALREADY_MOVED", f"the shield on {name(origin)} has moved in this turn")
    if not state.free & BIT[square]:
        return _occupied(square)
    if not moves.reach(state, seat, origin) & BIT[square]:
        return Objection("UNREACHABLE", f"{name(square)} is not next to the group of shields with {name(origin)}")
    return None


def _exchange(state: FoederatiState, seat: int, pack: int) -> Objection | None:
    if state.moved_once:
        return _moved_once()
    count, most, hand = packs.size(pack), state.board.exchange_most, state.hands[seat]
    if not 1 <= count <= min(most, packs.size(hand)):
        return Objection("BAD_COUNT", f"exchange: {count} cards; expected 1 to {most}, and no more than are in hand")
    return None if packs.holds(hand, pack) else _not_in_hand(state, seat, pack)


def _moved_once() -> Objection:
    return Objection("MOVE_ALREADY_USED", "a turn migrates or exchanges once, and this one has")


def _occupied(square: int) -> Objection:
    return Objection("SQUARE_OCCUPIED", f"on {name(square)} stands a shield")


def _not_in_hand(state: FoederatiState, seat: int, pack: int) -> Objection:
    names = state.board.names
    hand = ", ".join(names(state.hands[seat])) or "nothing"
    return Objection("NO_SUCH_CARD", f"the hand does not hold {', '.join(names(pack))}; it holds {hand}")
