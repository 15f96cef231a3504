"""The bot ``search``: what it finds, that it is the same again, keeps its time and looks at no hidden state."""

from __future__ import annotations

import itertools
from types import SimpleNamespace

import pytest

from rivalry_bots import catalog as bots
from rivalry_bots.search import halving
from rivalry_bots.search.guide import Look, PlainGuide
from rivalry_bots.search.guides import guide
from rivalry_bots.search.halving import Budget, best
from rivalry_engine import catalog, playout
from rivalry_engine.chance import Stream
from rivalry_engine.error import RivalryError
from rivalry_engine.prompt import Answer, StatePrompt

KUHN = catalog.game("kuhn")


def answered(state, bot, number=1):
    """What ``bot`` does for the seat that is asked in ``state``, as notation."""
    (seat,) = state.movers()
    prompt = StatePrompt(state, seat, number=number, luck=bytes(32))
    answer = bots.local(bot)(prompt)
    assert answer.index is not None
    choice = prompt.choices[answer.index]
    return state.game.text(choice.action if answer.parts is None else state.game.fill(choice, answer.parts))


def kuhn(cards, *moves):
    return KUHN.state_at(
        {"game": "kuhn", "options": {"seats": 2}, "seed": "0x00", "cards": cards, "moves": list(moves)}
    )


@pytest.mark.parametrize(
    ("cards", "moves", "does"),
    [
        (["queen", "king"], ["bet"], "bet"),
        (["queen", "jack"], ["bet"], "pass"),
        (["jack", "king"], ["pass"], "bet"),
        (["jack", "king"], ["pass", "bet"], "pass"),
        (["king", "queen"], ["pass", "bet"], "bet"),
    ],
)
def test_in_kuhn_it_does_what_is_never_worse(cards, moves, does):
    assert answered(kuhn(cards, *moves), "search?iterations=200") == does


def test_it_does_the_same_in_every_state_that_its_seat_may_be_in():
    """The other's card is hidden: what it does cannot follow from it."""
    queen = [answered(kuhn(["queen", other]), "search?iterations=20") for other in ("jack", "king")]

    assert queen[0] == queen[1]


@pytest.mark.parametrize("seats", [2, 4])
def test_the_same_seed_is_the_same_game(seats):
    game = catalog.game("ethnos", {"seats": seats})

    def played():
        choosers = [bots.local("search?iterations=2", "ethnos"), *[bots.local("first")] * (seats - 1)]
        state = game.new_state(b"twice")
        moves = []
        while len(moves) < 12 and state.movers():
            (seat,) = state.movers()
            prompt = StatePrompt(state, seat, number=len(moves), luck=bytes([seat]) * 32)
            answer = Answer.of(choosers[seat](prompt))
            action = prompt.choices[answer.index].action
            if answer.parts is not None:
                action = game.fill(prompt.choices[answer.index], answer.parts)
            state.apply(seat, action)
            moves.append((seat, action))
        return moves

    assert played() == played()


class Blind:
    """A game that only imagines: whoever asks it for more than an observation allows fails."""

    def __init__(self, game):
        self._game = game
        self.asked = []

    def imagine(self, seat, observation, rng):
        self.asked.append((seat, observation))
        return self._game.imagine(seat, observation, rng)


def test_it_looks_at_states_only_that_were_imagined_behind_the_observation():
    state = kuhn(["queen", "king"], "pass")
    game = Blind(KUHN)
    seen = state.observe(1)

    looks = [Look(Answer(index=index), choice.action) for index, choice in enumerate(state.choices(1))]
    ranked = best(game, 1, seen, looks, PlainGuide(KUHN), Stream(b"x", "y"), Budget(iterations=40))

    assert len(ranked) == 2
    assert len(game.asked) >= 10
    assert all(seat == 1 and observation is seen for seat, observation in game.asked)


@pytest.mark.parametrize("game", ["kuhn", "ethnos"])
def test_it_takes_its_share_of_the_time_and_no_playout_more(monkeypatch, game):
    """By a clock on which each look at it takes a hundredth of a second, as a playout would."""
    ticks = itertools.count()
    monkeypatch.setattr(halving, "time", SimpleNamespace(monotonic=lambda: next(ticks) / 100))
    state = catalog.game(game).new_state(b"time")
    (seat,) = state.movers()

    bots.local("search?ms=400&share=50", game)(StatePrompt(state, seat, number=1, luck=bytes(32)))

    assert 20 <= next(ticks) <= 23


def test_what_is_left_of_the_clock_bounds_what_it_takes():
    from rivalry_bots.search.bot import SearchBot

    state = catalog.game("kuhn").new_state(b"clock")
    prompt = StatePrompt(state, state.movers()[0], number=1, luck=bytes(32))
    bot = SearchBot()
    bot.settings = SearchBot.settings_from({"ms": "5000", "share": "50"})
    prompt.budget_s = 0.1

    assert bot.budget(prompt).seconds == pytest.approx(0.05)


@pytest.mark.parametrize("setting", ["ms=0", "share=0", "share=100", "iterations=-1"])
def test_a_setting_that_makes_no_sense_is_an_error_that_says_what_is_expected(setting):
    state = KUHN.new_state(b"x")

    with pytest.raises(RivalryError, match="expected"):
        bots.local(f"search?{setting}")(StatePrompt(state, 0, number=1, luck=bytes(32)))


def test_a_game_that_cannot_imagine_is_refused():
    class Closed(type(KUHN)):
        name = "closed"
        imagines = False

    state = Closed().new_state(b"x")

    with pytest.raises(RivalryError, match="closed cannot"):
        bots.local("search")(StatePrompt(state, 0, number=1, luck=bytes(32)))


def test_simultaneous_moves_are_searched(bids):
    played = playout.play(bids, [bots.local("search?iterations=20"), playout.uniform], b"bids")

    assert played.state.scores()[0] == 2


@pytest.fixture
def bids():
    """One sealed bid of 0 to 2 each at the same time; the highest is best."""
    from bots.bids import Bids

    return Bids()


def test_a_game_may_have_a_guide_of_its_own_and_other_games_have_the_plain_one():
    assert type(guide(catalog.game("ethnos"))).__name__ == "EthnosGuide"
    assert type(guide(catalog.game("foederati"))).__name__ == "FoederatiGuide"
    assert type(guide(KUHN)) is PlainGuide


class Told(PlainGuide):
    """Plain, but it says what its prices are worth."""

    doubt = 100
    noise = 500


@pytest.mark.parametrize(("price", "first"), [(0, 1), (-5000, 0)])
def test_a_price_holds_until_playouts_say_otherwise(price, first):
    """With the King against a bet, to bet is better by playouts; a price that is much lower is believed."""
    state = kuhn(["queen", "king"], "bet")
    offered = {KUHN.text(choice.action): choice.action for choice in state.choices(1)}
    looks = [Look(Answer(index=1), offered["pass"]), Look(Answer(index=0), offered["bet"], price)]

    ranked = best(KUHN, 1, state.observe(1), looks, Told(KUHN), Stream(b"x", "y"), Budget(iterations=40))

    assert ranked[0].place == first


def agreement(game, policy, weighed):
    """Of the first 100 questions of a game between ``greedy`` bots, how many the policy answers as ``greedy`` does."""
    greedy = bots.local("greedy", game.name)
    state = game.new_state(b"agree")
    same = asked = 0
    while state.movers() and asked < 100:
        for seat in tuple(state.movers()):
            prompt = StatePrompt(state, seat, number=1, luck=bytes(32))
            answer = Answer.of(greedy(prompt))
            choice = prompt.choices[answer.index]
            action = choice.action if answer.parts is None else game.fill(choice, answer.parts)
            if prompt.kind in weighed:
                asked += 1
                done = policy.move(state, seat)
                assert state.objection(seat, done) is None
                same += done == action
            state.apply(seat, action)
    return same / asked


@pytest.mark.parametrize("options", [{"seats": 2}, {"seats": 4}, {"seats": 3, "edition": "second"}])
def test_the_policy_of_ethnos_without_other_weights_is_greedy_but_for_ties(options):
    from rivalry_bots.search.ethnos_policy import Policy

    game = catalog.game("ethnos", options)

    assert agreement(game, Policy(game.figures), ("turn", "marker", "bonus", "further")) > 0.93


def test_the_policy_of_foederati_without_other_weights_is_greedy_but_for_ties():
    from rivalry_bots.search.foederati_policy import Policy

    game = catalog.game("foederati", {"seats": 2})

    assert agreement(game, Policy(game), ("turn", "placement", "battle")) > 0.93


@pytest.mark.parametrize(
    ("game", "options"),
    [
        ("ethnos", {"seats": 2}),
        ("ethnos", {"seats": 3, "edition": "second"}),
        ("ethnos", {"seats": 4, "fairies": True}),
        ("foederati", {"seats": 3}),
    ],
)
def test_a_guide_looks_at_legal_answers_only(game, options):
    """A whole game with one seat by the guide's first answers; every answer that it looks at is legal."""
    rules = catalog.game(game, options)
    told = guide(rules)
    state = rules.new_state(b"legal")
    number = 0
    while state.movers():
        number += 1
        for seat in tuple(state.movers()):
            prompt = StatePrompt(state, seat, number=number, luck=bytes(32))
            looks = told.answers(prompt, prompt.stream())
            for look in looks:
                choice = prompt.choices[look.answer.index]
                filled = choice.action if look.answer.parts is None else rules.fill(choice, look.answer.parts)
                assert filled == look.action
                assert state.objection(seat, look.action) is None
            state.apply(seat, looks[0].action)
    assert number > 20


def test_the_fitted_weights_are_those_of_the_policies():
    from rivalry_bots.search import ethnos_prices, fitted, foederati_worth

    for name, weights in (("ethnos", ethnos_prices.Weights), ("foederati", foederati_worth.Weights)):
        for seats in (2, 4, 6):
            given = fitted.fitted(f"{name}_weights.json", seats)
            made = weights(given)
            assert given
            assert all(getattr(made, key) == value for key, value in given.items())
