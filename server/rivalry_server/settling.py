"""Settles what a match has come to."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from rivalry_engine.outcome import placed
from rivalry_server import given
from rivalry_server.logs import log
from rivalry_server.outcome import End, Result, SeatResult
from rivalry_server.record import digest_of, lines_of
from rivalry_server.words import cleaned

if TYPE_CHECKING:
    from rivalry_server.match import Match
    from rivalry_server.player import Player


def settled(match: Match, *, void: str | None, told: str | None, owed: bool, duration_s: float) -> Result:
    """What a match has come to as it stands.

    ``void`` says why it has no result, None where it has one; bots are told ``told`` in its place if that is given.
    ``owed``: it is to be run again.  Raises BrokenGameError.
    """
    scores: Sequence[int | None] = [None] * match.game.seats
    places: Sequence[int | None] = scores
    digest = ""
    spec = match.spec
    fell = [player.fell for player in match.players]
    if void is None:
        scores = final = given.scores(match.state)
        places = placed(given.ranks(match.state), fell)
        digest = digest_of(spec, match.moves, final)
    stood_in = {move.seat for move in match.moves if move.by is not None}
    seats = tuple(
        SeatResult(
            seat=player.seat,
            bot=cleaned(player.sitter.bot),
            name=player.sitter.name,
            version=player.sitter.version,
            score=score,
            rank=place,
            end=player.end or End.NORMAL,
            text=player.text,
            stood_in=player.seat in stood_in,
            decisions=player.decisions,
            illegal=player.illegal,
            spent=player.clock.spent,
            retries=player.retries,
        )
        for player, score, place in zip(match.players, scores, places, strict=True)
    )
    moves = match.moves
    return Result(
        match_id=spec.match_id,
        game=match.game,
        seed=spec.seed,
        seats=seats,
        void=void is not None,
        text=void or "",
        text_told=(void if told is None else told) or "",
        decisions=len(moves),
        duration_s=duration_s,
        game_digest=digest,
        record=lambda: lines_of(spec, moves, seats, fell=fell, void=void),
        attempt=spec.attempt,
        earlier=spec.earlier,
        owed=owed,
    )


def tell_bots(result: Result, players: Sequence[Player]) -> None:
    """Tells the bots of a match how it has ended; a failure at one seat is nothing to the others."""
    for player in players:
        try:
            player.sitter.ended(result)
        except Exception as error:
            log.error("end_untold", match=result.match_id, seat=player.seat, exc_info=error)
