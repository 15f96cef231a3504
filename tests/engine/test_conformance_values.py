"""The conformance check names a value that is none of what was asked for: one broken game a promise."""

from __future__ import annotations

from itertools import count

import pytest

from engine.broken_kuhn import broken
from engine.sealed import Plain, Sealed, SealedState
from rivalry_engine import conformance
from rivalry_engine.conformance import ConformanceError
from rivalry_engine.event import Event
from rivalry_engine.game import Choice
from rivalry_engine.kuhn import PASS, Kuhn, KuhnObservation, KuhnState

UNSTABLE = count()


def telling(*events):
    """An apply that tells ``events`` as well."""

    def apply(self, seat, action):
        KuhnState.apply(self, seat, action)
        if self.log is not None:
            self.log.extend(events)

    return {"apply": apply}


def seeing(more):
    """An observe whose JSON has ``more``."""

    class More(KuhnObservation):
        def json(self):
            return {**KuhnObservation.json(self), "more": more}

    def observe(self, audience):
        seen = KuhnState.observe(self, audience)
        return More(seen.seat, seen.card, seen.moves, seen.shown)

    return {"observe": observe}


def passing_at_times(self, seat, action):
    KuhnState.apply(self, seat, PASS if next(UNSTABLE) % 2 else action)


def raises(self, text):
    raise KeyError(text)


def ends_the_program(self, seat, action):
    raise SystemExit(3)


BROKEN = {
    "the end of the program": ({"apply": ends_the_program}, {}, "not end the program that plays it; .*SystemExit: 3"),
    "an action by chance": ({"apply": passing_at_times}, {}, "a state and its clone after the same actions"),
    "a version of text": ({}, {"rules_version": "1.0"}, "kuhn: rules_version is '1.0'; expected an integer from 1"),
    "no title": ({}, {"title": None}, "kuhn: title is None; expected a text of one line"),
    "a unit of nothing": ({}, {"score_unit": 0}, "kuhn: score_unit is 0; expected an integer from 1"),
    "half a unit": ({}, {"score_unit": 0.5}, "score_unit is 0.5"),
    "no action is an error": ({}, {"action": raises}, "'' as an action raised KeyError; expected a NotationError"),
    "nobody is asked": ({"movers": lambda self: ()}, {}, "somebody is asked before the game is over"),
    "movers that are none": ({"movers": lambda self: None}, {}, "movers are seats of the game, .* they are None"),
    "movers that run out": ({"movers": lambda self: iter(KuhnState.movers(self))}, {}, "movers are seats of"),
    "a state that is none": ({}, {"new_state": lambda self, seed: None}, "new_state gives a state; it gave None"),
    "an imagined state that is none": ({}, {"imagine": lambda self, *given: None}, "imagine gives a state; it gave"),
    "a clone that is none": ({"clone": lambda self: 7}, {}, "a clone is a state; it is 7"),
    "an observation that is none": ({"observe": lambda self, seat: None}, {}, "observe gives an Observation; it gave"),
    "choices that are none": ({"choices": lambda self, seat: None}, {}, "choices are a tuple of Choices; they are"),
    "choices that run out": ({"choices": lambda self, seat: iter((Choice(PASS),))}, {}, "choices are a tuple of Cho"),
    "choices that are actions": ({"choices": lambda self, seat: (PASS,)}, {}, "choices are a tuple of Choices; they"),
    "an action of text": ({"choices": lambda self, seat: (Choice("x"),)}, {}, "an action is an integer of at most 4"),
    "an endless action": ({"choices": lambda self, seat: (Choice(1 << 5000),)}, {}, "an action is an integer of at"),
    "a question that is none": ({"question": lambda self, seat: None}, {}, "question has a kind, a text of one line"),
    "an objection that is none": (
        {"objection": lambda self, seat, action: False}, {}, "an objection is an Objection or None; it is False",
    ),
    "scores of truth": ({"scores": lambda self: (True, False), "ranks": lambda self: (1, 2)}, {}, "of 64 bits"),
    "endless scores": ({"scores": lambda self: (1 << 63, 0), "ranks": lambda self: (1, 2)}, {}, "of 64 bits"),
    "half a rank": ({"ranks": lambda self: (1.0, 1.0)}, {}, "ranks are a tuple of integers"),
    "ranks as a list": ({"ranks": lambda self: [1, 1]}, {}, "ranks are a tuple of integers"),
    "keys of numbers": (seeing({"x": [{1: 2}]}), {}, r"the key 1 at more.x\[0\] is no text"),
    "a float": (seeing((0.5,)), {}, r"an observation is JSON: .* 0.5 at more\[0\] is float"),
    "a set": (seeing({1}), {}, r"\{1\} at more is set"),
    "half a character": (seeing("\ud800"), {}, "at more cannot be encoded"),
    "an endless observation": (seeing("x" * 600_000), {}, "take at most 524288 bytes, half a frame of 1048576; the "),
    "endless choices": ({}, {"text": lambda self, action: "x" * 300_000 + Kuhn.text(self, action),
                             "action": lambda self, text: Kuhn.action(self, text.lstrip("x"))}, "its choices in words"),
    "a setup that is a list": (
        {"setup": lambda self: type("Bare", (Plain,), {"json": lambda self: [1]})()}, {}, "a setup is a JSON object",
    ),
    "an endless setup": ({"setup": lambda self: Plain(x="x" * 600_000)}, {}, "a setup has at most 524288 bytes"),
    "a setup that changes": ({"setup": lambda self: Plain(x=next(UNSTABLE))}, {}, "the setup stays the same for"),
    "an endless event": (telling(Event("x", {"y": "z" * 300_000})), {}, "at most 262144 bytes as JSON; x has 300008"),
    "an event for nobody": (telling(Event("x", {}, {9: {"y": 1}})), {}, "the secrets of x are those of seats"),
    "an event of no kind": (telling(Event("", {})), {}, "an event has a kind of one line"),
    "facts without names": (telling(Event("x", {1: 2})), {}, "an event's facts are integers, texts, flags or tuples"),
    "an event without words": ({}, {"event_text": lambda self, seen: None}, "event_text gives a text of one line; of "),
    "an event of two lines": ({}, {"event_text": lambda self, seen: "a\nb"}, "event_text gives a text of one line"),
    "an echo that is none": ({}, {"is_echo": lambda self, seen: 0}, "is_echo gives True or False; of dealt it is 0"),
    "a view that moves the cursor": ({}, {"view": lambda self, seen: "\x1b[2J"}, "a view has no control characters"),
    "a choice that moves the cursor": ({}, {"text": lambda self, action: "\x1b[2J"}, "has a text of one line"),
    "a position of no JSON": (
        {"position": lambda self: {**KuhnState.position(self), "x": {1: 2}}}, {}, "is a JSON object; the key 1",
    ),
}  # fmt: skip


@pytest.mark.parametrize("fault", BROKEN)
def test_a_broken_promise_is_noticed(fault):
    state_attributes, game_attributes, promise = BROKEN[fault]
    game = broken(state_attributes, **game_attributes)

    with pytest.raises(ConformanceError, match=promise):
        conformance.check(game, games=10)


def test_the_least_and_the_greatest_score_pass():
    scores = {"scores": lambda self: (-(1 << 63), (1 << 63) - 1), "ranks": lambda self: (2, 1)}

    conformance.check(broken(scores), games=2)


def test_a_game_that_is_another_when_it_is_played_again_is_noticed():
    class Late(SealedState):
        """Its bids count for less the more games there were."""

        def clone(self):
            twin = Late(self.game)
            twin.bids, twin.done, twin.most = dict(self.bids), list(self.done), self.most
            return twin

        def objection(self, seat, action):
            found = SealedState.objection(self, seat, action)
            return found or (SealedState.objection(self, seat, 9) if action > self.most else None)

        def choices(self, seat):
            return SealedState.choices(self, seat)[: self.most + 1]

        def legal_actions(self, seat):
            return range(self.most + 1)

    class Lates(Sealed):
        imagines = False

        def new_state(self, seed):
            state = Late(self)
            state.most = 2 if next(made) < 2 else 0
            return state

    made = count()

    with pytest.raises(ConformanceError, match="equal seeds and equal actions give equal games; played again, seat"):
        conformance.check(Lates(), games=1)
