"""Kuhn poker with one thing broken, for tests of the conformance check."""

from __future__ import annotations

from rivalry_engine.kuhn import Kuhn, KuhnState


def broken(state_attributes=None, **game_attributes):
    """Kuhn poker with something else in its state or its game."""
    state_class = type("Broken", (KuhnState,), state_attributes or {})

    def of(state):
        return state_class(state.game, state.seed, state.cards, state.moves)

    def new_state(self, seed):
        return of(Kuhn.new_state(self, seed))

    def imagine(self, seat, observation, rng):
        return of(Kuhn.imagine(self, seat, observation, rng))

    def state_at(self, position):
        return of(Kuhn.state_at(self, position))

    attributes = {"new_state": new_state, "imagine": imagine, "state_at": state_at, **game_attributes}
    game_class = type("BrokenKuhn", (Kuhn,), attributes)
    if state_attributes is None or "clone" not in state_attributes:
        state_class.clone = lambda self: of(self)
    return game_class()
