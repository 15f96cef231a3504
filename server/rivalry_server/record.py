"""The record of a match that was played here."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from rivalry_engine.game import Action
from rivalry_engine.record import Recorder, game_digest
from rivalry_server import given
from rivalry_server.settings import PROTOCOL_MOST

if TYPE_CHECKING:
    from rivalry_server.match_spec import MatchSpec
    from rivalry_server.outcome import SeatResult


class Move(NamedTuple):
    """An action that was applied; ``by`` is ``stand-in`` when the seat's bot did not choose it.

    ``elapsed_us`` is the time measured, of which ``network_us`` and ``arena_us`` are not the bot's.
    """

    seat: int
    action: Action
    elapsed_us: int
    by: str | None
    note: str
    network_us: int = 0
    arena_us: int = 0


def digest_of(spec: MatchSpec, moves: Sequence[Move], scores: Sequence[int]) -> str:
    """What makes two records the same, as ``rivalry_engine.record.game_digest`` defines it; raises BrokenGameError."""
    texts = given.texts(spec.game, (move.action for move in moves))
    told = [(move.seat, text) for move, text in zip(moves, texts, strict=True)]
    return game_digest(spec.game, spec.seed, told, scores, spec.position)


def lines_of(
    spec: MatchSpec,
    moves: Sequence[Move],
    seats: Sequence[SeatResult],
    *,
    fell: Sequence[int | None],
    void: str | None,
    package: str | None = None,
) -> list[str]:
    """The record's lines, without line ends.  ``fell`` as in ``Recorder.end``; ``void`` says why there is no result;
    ``package`` is the version that played the match, this one if not given.
    """
    recorder = Recorder(
        spec.game,
        spec.seed,
        spec.match_id,
        seats=[{"name": seat.name, "version": seat.version} for seat in seats],
        time=spec.time_control.text(),
        policies=spec.policies.texts(),
        package=package or package_version(),
        protocol=PROTOCOL_MOST,
        position=spec.position,
        earlier=spec.earlier,
    )
    text = spec.game.text if void is None else given.text_or_number(spec.game)
    for move in moves:
        recorder.act(
            move.seat,
            text(move.action),
            move.elapsed_us,
            by=move.by,
            note=move.note,
            network=move.network_us,
            arena=move.arena_us,
        )
    recorder.end(
        scores=None if void is not None else [seat.score or 0 for seat in seats],
        ranks=None if void is not None else [seat.rank or 0 for seat in seats],
        ends=[str(seat.end) for seat in seats],
        fell=fell,
        retries=[seat.retries for seat in seats],
        text=void or "",
    )
    return recorder.lines


@cache
def package_version() -> str:
    """The version of the installed package, read once: whatever becomes of its files, matches end with it."""
    from importlib.metadata import version

    return version("rivalry")
