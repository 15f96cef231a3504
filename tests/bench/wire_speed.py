"""G3: what a prompt costs to build and serialise: observation and choices, amortised over whole matches."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from bench.goal import figure
from rivalry_engine import catalog
from rivalry_engine.chance import Stream
from rivalry_engine.playout import picked
from rivalry_wire.codec import codec

GAMES = 60
ROUNDS = 3
GOAL_US = 12.0


def prompt(progress: Callable[[str], None]) -> dict[str, Any]:
    """G3: microseconds a prompt at four seats; the bound is building the same values without serialising them."""
    game = catalog.game("ethnos", {"seats": 4})
    built, written, prompts = 0.0, 0.0, 0
    now = time.perf_counter
    for number in range(GAMES * ROUNDS):
        state = game.new_state(b"g3/%d" % number)
        wire = codec(game)
        stream = Stream(b"g3", str(number))
        movers = state.movers()
        while movers:
            seat = movers[0]
            start = now()
            observation = state.observe(seat)
            choices = state.choices(seat)
            middle = now()
            wire.observation(observation)
            wire.choices(choices)
            end = now()
            built += middle - start
            written += end - middle
            prompts += 1
            answer = picked([(len(c.parts), c.least, c.most, c.usual) for c in choices], stream)
            assert answer.index is not None
            choice = choices[answer.index]
            action = choice.action if answer.parts is None else game.fill(choice, answer.parts)
            state.apply(seat, action)
            movers = state.movers()
    whole_us, built_us = (built + written) / prompts * 1e6, built / prompts * 1e6
    progress(f"G3: {whole_us:.1f} us a prompt, of which {built_us:.1f} to build, over {prompts:,} prompts")
    return figure(whole_us, built_us, GOAL_US, unit="us/prompt", least=False, of="value")
