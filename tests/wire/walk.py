"""Games played by chance, decision after decision, for the round trips of these tests."""

from __future__ import annotations

from collections.abc import Iterator

from hypothesis import strategies as st

from rivalry_engine import catalog
from rivalry_engine.chance import Stream
from rivalry_engine.game import PUBLIC, Game, State
from rivalry_engine.playout import picked
from rivalry_engine.prompt import Answer, judged

SEEDS = st.binary(min_size=1, max_size=8)


def ethnos(seats: int = 4, **options: object) -> Game:
    return catalog.game("ethnos", {"seats": seats, **options})


def decisions(game: Game, seed: bytes) -> Iterator[tuple[State, int]]:
    """Each decision of a game: the state before it and the seat asked.  The state moves on and has a log.

    Three turns in four recruit where they can, so that hands grow and every kind of question comes up.
    """
    state = game.new_state(seed)
    state.log = []
    stream = Stream(seed, "walk")
    while state.movers():
        asked = tuple(state.movers())
        for seat in asked:
            yield state, seat
            apply(state, seat, stream)


def apply(state: State, seat: int, stream: Stream) -> None:
    choices = state.choices(seat)
    plain = [index for index, choice in enumerate(choices) if not choice.parts and state.question(seat) == "turn"]
    if plain and stream.below(4):
        answer = Answer(index=stream.choice(plain))
    else:
        answer = picked([(len(choice.parts), choice.least, choice.most, choice.usual) for choice in choices], stream)
    action = judged(state, seat, choices, answer)
    assert isinstance(action, int)
    state.apply(seat, action)


def audiences(game: Game) -> range:
    """The public, then each seat."""
    return range(PUBLIC, game.seats)
