"""What the end of an Age of Ethnos is worth to each seat, in thousandths of a Glory.

Glory counts whole.  What stands for later Ages counts by weights, fitted once to games of the playout's policy; they
are kept in ``ethnos_value.json`` with how they were made (``tests/bench/fit_search.py``).
"""

from __future__ import annotations

import json
from functools import cache
from importlib.resources import files

from rivalry_engine.ethnos import question
from rivalry_engine.ethnos.data import HORDE_GLORY, MERFOLK
from rivalry_engine.ethnos.scoring import paid
from rivalry_engine.ethnos.state import EthnosState


@cache
def weights() -> dict[str, list[int]]:
    """By Ages to come, the weight of each feature, in thousandths."""
    read = json.loads((files("rivalry_bots.search") / "ethnos_value.json").read_text(encoding="utf-8"))
    found: dict[str, list[int]] = read["weights"]
    return found


def features(state: EthnosState, over: int) -> list[list[int]]:
    """By seat: what its markers would pay in the next Age, in the one after, its markers, its Orc board's Glory.

    ``over`` is the Age that has ended.
    """
    seats = state.game.seats
    nobody = [0] * seats
    found = [[0, 0, 0, HORDE_GLORY[state.hordes[seat].bit_count()]] for seat in range(seats)]
    boards = [(state.markers[colour::6], state.tokens[colour]) for colour in range(6)]
    if MERFOLK in state.tribes:
        boards.append((state.merfolk, state.rules.figures.merfolk_awards))
    for later in (1, 2):
        if over + later <= state.rules.ages:
            for standing_there, tokens in boards:
                for seat, glory in enumerate(
                    paid(standing_there, nobody, tokens, over + later, is_duel=state.rules.figures.is_duel)
                ):
                    found[seat][later - 1] += glory
    for seat in range(seats):
        found[seat][2] = sum(state.markers[6 * seat : 6 * seat + 6])
    return found


def standing(state: EthnosState) -> list[int]:
    """By seat, what it has and may expect."""
    over = state.age if state.kind in (question.EMPTY, question.OVER) else state.age - 1
    worth = [1000 * glory for glory in state.glory]
    left = state.rules.ages - over
    if left:
        weighed = weights()[str(left)]
        for seat, seen in enumerate(features(state, over)):
            for feature, weight in zip(seen, weighed, strict=True):
                worth[seat] += feature * weight
    return worth
