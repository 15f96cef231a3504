"""From what came of a match to its line in the log."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final

from rivalry_engine import record
from rivalry_tournament.lines import Owed, Result

if TYPE_CHECKING:
    from rivalry_engine.game import Game
    from rivalry_server import outcome
    from rivalry_tournament.results import Order

ACTION: Final = re.compile(r'^\{"action":("(?:[^"\\]|\\.)*"),.*"seat":([0-9]+)', re.MULTILINE)
"""A line of a record that holds an action, which is read much faster so than as JSON; quotes in texts are escaped."""


def line_of(order: Order, result: outcome.Result, lines: Sequence[str]) -> Result | Owed:
    """The line of a match that was played; ``lines`` are its record's."""
    if result.owed:
        return owed(order, result.text)
    seats = result.seats
    scores = tuple(seat.score for seat in seats if seat.score is not None)
    return Result(
        block=order.block,
        place=order.place,
        match=order.match_id,
        attempt=order.attempt,
        bots=order.seats,
        scores=scores,
        ranks=tuple(seat.rank for seat in seats if seat.rank is not None),
        ends=tuple(str(seat.end) for seat in seats),
        texts=tuple(seat.text for seat in seats),
        void=(result.text or "it has no outcome") if result.void else "",
        digest=result.game_digest,
        transcript="" if result.void else transcript(result.game, order.seed, lines, scores),
        decisions=tuple(seat.decisions for seat in seats),
        illegal=tuple(seat.illegal for seat in seats),
        retries=tuple(seat.retries for seat in seats),
        spent=tuple(tuple(seat.spent) for seat in seats),
        duration_us=round(result.duration_s * 1_000_000),
    )


def owed(order: Order, why: str) -> Owed:
    """The line of a run that the arena spoiled."""
    return Owed(order.block, order.place, order.match_id, order.attempt, why or "the arena failed")


def transcript(game: Game, seed: bytes, lines: Sequence[str], scores: Sequence[int]) -> str:
    """What copies of a match share: SHA-256 in hex over what was dealt, done and scored, without the seed.

    It is taken over the canonical JSON of the game, its options and rules version, the scores and what was dealt, and
    for each action a line end, its notation as JSON, a blank and its seat.  What was dealt is the game's position at
    the beginning without its seed, null where it writes none.
    """
    facts: dict[str, Any] = {
        "dealt": _dealt(game, seed),
        "game": game.name,
        "options": game.options_given(),
        "rules_version": game.rules_version,
        "scores": list(scores),
    }
    whole = hashlib.sha256(record.canonical(facts))
    whole.update("".join(f"\n{action} {seat}" for action, seat in ACTION.findall("\n".join(lines))).encode())
    return whole.hexdigest()


def _dealt(game: Game, seed: bytes) -> dict[str, Any] | None:
    if game.heavy or not game.has_positions:
        return None
    return {key: value for key, value in game.new_state(seed).position().items() if key != "seed"}
