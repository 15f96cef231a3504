"""Games played by chance, and all that a prompt can be answered, for the tests of the environments."""

from __future__ import annotations

from rivalry_engine import catalog
from rivalry_engine.chance import Stream
from rivalry_environments.encoder import encoder
from rivalry_environments.play import OVER, Play
from rivalry_environments.saying import Saying


def begun(name, seed=b"environments", **options):
    return Play(encoder(catalog.game(name, options)), seed, logs=True)


def at_random(play, label="masked"):
    """Yields before each step, until the match is over; says words by chance."""
    rng = Stream(play.seed, label)
    while play.seat != OVER:
        yield play
        play.say(rng.choice(play.legal()))


def answers(words, choices):
    """Every answer that can be said, with the words that say it."""
    open_ones = [Saying(words, choices)]
    while open_ones:
        saying = open_ones.pop()
        for word in saying.next:
            longer = saying.copy()
            longer.say(word)
            if longer.next:
                open_ones.append(longer)
            else:
                yield longer
