"""greedy's judgement in Foederati."""

from __future__ import annotations

from collections.abc import Iterator

from rivalry_bots import catalog as bots
from rivalry_bots.standing import Standing
from rivalry_engine import catalog, playout
from rivalry_engine.foederati import actions
from rivalry_engine.foederati.sight import FoederatiObservation
from rivalry_engine.foederati.squares import BIT
from rivalry_engine.game import State
from rivalry_engine.prompt import Answer, Objection, StatePrompt, judged


def positions(seed: bytes, seats: int, verbs: set[int] | None = None) -> Iterator[tuple[State, int]]:
    """A game of greedy against itself, before each decision; ``verbs`` takes what was done."""
    game = catalog.game("foederati", {"seats": seats})
    state, greedy = game.new_state(seed), bots.local("greedy", "foederati")
    while state.movers():
        (seat,) = state.movers()
        yield state, seat
        prompt = StatePrompt(state, seat, number=1, luck=b"luck")
        action = judged(state, seat, prompt.choices, Answer.of(greedy(prompt)))
        assert not isinstance(action, Objection), action
        if verbs is not None:
            verbs.add(actions.verb(action))
        state.apply(seat, action)


def test_it_beats_random_at_both_ends_of_the_table() -> None:
    game = catalog.game("foederati", {"seats": 2})
    greedy = bots.local("greedy", "foederati")

    ranks = [playout.play(game, [greedy, playout.uniform], seed=b"strong").state.ranks()[0]]
    ranks.append(playout.play(game, [playout.uniform, greedy], seed=b"strong").state.ranks()[1])

    assert ranks == [1, 1]


def test_it_answers_legally_to_the_end_and_knows_all_that_can_be_done() -> None:
    done: set[int] = set()
    for state, _ in positions(b"whole", 3, done):  # noqa: B007
        pass

    assert not state.movers()
    assert done >= {actions.PLACE, actions.EXPAND, actions.MIGRATE, actions.ATTACK, actions.YIELD, actions.END_TURN}


def test_a_founding_is_worth_its_marker() -> None:
    for state, seat in positions(b"founding", 2):
        if state.question(seat) != "turn":
            continue
        seen = state.observe(seat)
        assert isinstance(seen, FoederatiObservation)
        standing = Standing(seen)
        for country, mask in enumerate(standing.board.country_masks):
            left = mask & standing.free
            if left.bit_count() == 1 and not mask & standing.founded:
                square = left.bit_length() - 1
                assert BIT[square] == left
                assert standing._founding(square, vacated=-1) == standing.marker > 0
                assert standing.board.country_of[square] == country
                return
    raise AssertionError("no country came to one free square")
