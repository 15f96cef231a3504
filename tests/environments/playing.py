"""Games played by chance, for the tests of the environments."""

from __future__ import annotations

from rivalry_engine import catalog
from rivalry_engine.chance import Stream
from rivalry_environments.encoder import encoder
from rivalry_environments.play import OVER, Play


def begun(name, seed=b"environments", **options):
    return Play(encoder(catalog.game(name, options)), seed, logs=True)


def at_random(play, label="masked"):
    """Yields before each step, until the match is over; says words by chance."""
    rng = Stream(play.seed, label)
    while play.seat != OVER:
        yield play
        play.say(rng.choice(play.legal()))
