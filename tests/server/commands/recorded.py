"""A record to look at: one game of Kuhn poker."""

from __future__ import annotations

from rivalry_engine import playout, record
from rivalry_engine.kuhn import Kuhn


def lines(*, void=False):
    """The record as text; ``void`` makes it one of a match that came to nothing."""
    game = Kuhn()
    played = playout.play(game, [playout.uniform, playout.first], b"x")
    recorder = record.Recorder(
        game,
        b"x",
        "0" * 32,
        seats=[{"name": "random", "version": "1"}, {"name": "first", "version": "1"}],
        time="30s",
        policies={},
        package="0.1.0",
        protocol=1,
    )
    for seat, action in played.moves:
        recorder.act(seat, game.text(action), 12)
    recorder.end(
        scores=None if void else played.state.scores(),
        ranks=None if void else played.state.ranks(),
        ends=["normal", "crash" if void else "normal"],
        fell=[None, len(played.moves) if void else None],
    )
    return recorder.text()
