"""The conformance check notices what a game tells of what is hidden, by states put in the place of the true one."""

from __future__ import annotations

import pytest

from engine.broken_kuhn import broken
from engine.sealed import Plain, Sealed, SealedState
from rivalry_engine import conformance
from rivalry_engine.conformance import ConformanceError
from rivalry_engine.event import Event
from rivalry_engine.kuhn import Kuhn, KuhnState


def telling(made):
    """An apply that tells the event of a state and the seat that acts."""

    def apply(self, seat, action):
        KuhnState.apply(self, seat, action)
        if self.log is not None and self.movers():
            self.log.append(made(self, seat))

    return {"apply": apply}


def moved_position(self):
    """That of the true state, of whatever was imagined too."""
    position = KuhnState.position(self)
    del position["cards"]
    return position


LEAKS = {
    "the setup tells the cards": ({"setup": lambda self: Plain(cards=list(self.cards))}, "has the same setup"),
    "the question tells the other's card": (
        {"question": lambda self, seat: "good" if self.cards[seat] > self.cards[1 - seat] else "bad"},
        "asks the seat the same question",
    ),
    "an event tells everybody a card": (
        telling(lambda self, seat: Event("oops", {"card": self.cards[seat]})), "is told of a step .* the event oops",
    ),
    "an event tells a seat the other's card": (
        telling(lambda self, seat: Event("oops", {}, {1: {"card": self.cards[0]}})), "what seat 1 is told of a step",
    ),
    "an event has another kind by a hidden card": (
        telling(lambda self, seat: Event("high" if self.cards[0] == 3 else "low", {})), "what seat 1 is told of a step",
    ),
    "a position forgets what was imagined": ({"position": moved_position}, "the state of (its position|an imagined)"),
}  # fmt: skip


@pytest.mark.parametrize("leak", LEAKS)
def test_what_is_hidden_and_told_is_noticed(leak):
    attributes, promise = LEAKS[leak]

    with pytest.raises(ConformanceError, match=promise):
        conformance.check(broken(attributes, event_text=lambda self, seen: seen.kind), games=10)


def test_a_position_of_an_imagined_state_that_is_one_of_another_is_noticed():
    def imagine(self, seat, observation, rng):
        state = Kuhn.imagine(self, seat, observation, rng)
        return ForgetfulState(self, state.seed, state.cards, state.moves)

    class ForgetfulState(KuhnState):
        """Of a state that was imagined it writes down the seed and the moves alone."""

        def position(self):
            return moved_position(self)

    with pytest.raises(ConformanceError, match="the state of an imagined state's position looks the same to the seat"):
        conformance.check(broken(imagine=imagine), games=10)


class Loud(SealedState):
    """Tells each bid when it is made."""

    def apply(self, seat, action):
        SealedState.apply(self, seat, action)
        if self.log is not None:
            self.log.append(Event("bid", {"seat": seat, **self.shown(action)}, {seat: {"bid": action}}))

    def shown(self, action):
        return {"bid": action}

    def clone(self):
        twin = type(self)(self.game)
        twin.bids, twin.done = dict(self.bids), list(self.done)
        return twin


class Quiet(Loud):
    """Tells that a bid is made, and its seat alone which."""

    def shown(self, action):
        return {}


def sealed(state_class, **attributes):
    def new_state(self, seed):
        return state_class(self)

    def imagine(self, seat, observation, rng):
        made = Sealed.imagine(self, seat, observation, rng)
        state = state_class(self)
        state.bids, state.done = made.bids, made.done
        return state

    return type("Told", (Sealed,), {"new_state": new_state, "imagine": imagine, **attributes})({"seats": 3})


@pytest.mark.parametrize("imagines", [True, False])
def test_a_sealed_answer_that_is_told_before_all_are_in_is_noticed(imagines):
    with pytest.raises(ConformanceError, match=r"is told of a step .* the event bid does not: it tells what is hidden"):
        conformance.check(sealed(Loud, imagines=imagines), games=2)


def test_a_sealed_answer_that_its_own_seat_does_not_observe_is_noticed_as_well():
    class Blind(Loud):
        def observe(self, audience):
            seen = SealedState.observe(self, audience)
            return type(seen)(**{**seen.facts, "own": None})

    with pytest.raises(ConformanceError, match="the event bid does not: it tells what is hidden"):
        conformance.check(sealed(Blind, imagines=False), games=2)


def test_an_answer_that_is_told_to_its_seat_alone_passes():
    conformance.check(sealed(Quiet), games=2)


def test_every_seat_may_be_imagined_for_not_only_those_who_are_asked():
    def imagine(self, seat, observation, rng):
        if seat != 0:
            return Kuhn.imagine(self, seat, observation, rng)
        return Kuhn.imagine(self, 0, observation, rng) if len(observation.moves) != 1 else self.new_state(rng.seed())

    with pytest.raises(ConformanceError, match="an imagined state"):
        conformance.check(broken(imagine=imagine), games=10)


def test_an_answer_that_comes_to_nothing_and_is_told_to_everybody_passes():
    class Idle(SealedState):
        """Bids of 1 and 2 count for nothing, and everybody is told them."""

        def apply(self, seat, action):
            if self.log is not None:
                self.log.append(Event("bid", {"seat": seat, "bid": action} if action else {"seat": seat}))
            SealedState.apply(self, seat, min(action, 0))

        def clone(self):
            twin = Idle(self.game)
            twin.bids, twin.done = dict(self.bids), list(self.done)
            return twin

    conformance.check(sealed(Idle), games=2)
