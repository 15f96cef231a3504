"""A whole game in process: choosers answer, the engine plays, a record comes out."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from rivalry_engine.chance import Stream, luck
from rivalry_engine.counting import counted
from rivalry_engine.error import IllegalActionError
from rivalry_engine.game import Action, Game, Objection, State
from rivalry_engine.prompt import Answer, Prompt, StatePrompt, judged

Chooser = Callable[[Prompt], object]
"""Answers a prompt with anything ``Answer.of`` takes."""


@dataclass(frozen=True, slots=True)
class Playout:
    """A game played to its end: the state it ended in and the actions, each with its seat, in order."""

    state: State
    moves: tuple[tuple[int, Action], ...]


def play(game: Game, choosers: Sequence[Chooser], seed: bytes) -> Playout:
    """Plays one game; ``choosers[s]`` answers for seat s.  Raises IllegalActionError on an illegal answer.

    Simultaneous movers are all asked before the first of their answers is applied, as in a match.
    """
    if len(choosers) != game.seats:
        raise IllegalActionError(
            f"{game.name} has {counted(game.seats, 'seat')}; choosers were given for {len(choosers)}"
        )
    state = game.new_state(seed)
    lucks = [luck(seed, seat) for seat in range(game.seats)]
    numbers = [0] * game.seats
    moves: list[tuple[int, Action]] = []
    movers = tuple(state.movers())
    while movers:
        answered: list[tuple[int, Action]] = []
        for seat in movers:
            numbers[seat] += 1
            prompt = StatePrompt(state, seat, number=numbers[seat], luck=lucks[seat])
            action = judged(state, seat, prompt.choices, Answer.of(choosers[seat](prompt)))
            if isinstance(action, Objection):
                raise IllegalActionError(f"seat {seat}, prompt {numbers[seat]}: {action.text} ({action.code})")
            answered.append((seat, action))
        for seat, action in answered:
            state.apply(seat, action)
        moves.extend(answered)
        movers = tuple(state.movers())
    return Playout(state, tuple(moves))


def first(prompt: Prompt) -> Answer:
    """Takes the first choice by its number alone."""
    return Answer(index=0)


def uniform(prompt: Prompt) -> Answer:
    """Uniform over the choices, then over sizes from least to most, then over sets of parts of that size."""
    return picked(prompt.shapes(), prompt.stream())


def picked(shapes: Sequence[tuple[int, int, int, int]], stream: Stream) -> Answer:
    """The answer that ``uniform`` draws from ``stream`` among choices of these shapes."""
    index = stream.below(len(shapes))
    parts, least, most, _ = shapes[index]
    if not most:
        return Answer(index=index)
    size = least + stream.below(most - least + 1)
    return Answer(index=index, parts=tuple(stream.sample(parts, size)))
