"""The conformance check notices every promise that is broken: one broken game a promise."""

import pytest

from engine.broken_kuhn import broken
from engine.sealed import Sealed, SealedState
from rivalry_engine import conformance
from rivalry_engine.conformance import ConformanceError
from rivalry_engine.event import Event
from rivalry_engine.game import PUBLIC, Choice
from rivalry_engine.kuhn import BET, PASS, Kuhn, KuhnObservation, KuhnState
from rivalry_engine.option import Option


def test_a_game_with_simultaneous_moves_passes():
    for seats in (2, 3):
        conformance.check(Sealed({"seats": seats}), games=5)


def test_the_frame_of_these_tests_breaks_nothing():
    conformance.check(broken(), games=5)


def leaky_observation(self, audience):
    seen = KuhnState.observe(self, audience)
    return KuhnObservation(seen.seat, self.cards[0] if audience == PUBLIC else seen.card, seen.moves, seen.shown)


def sharing_clone(self):
    twin = type(self)(self.game, self.seed, self.cards, self.moves)
    twin.log = self.log
    return twin


class Marked(KuhnObservation):
    """Equal to what it is made from, and of another type."""

    def __eq__(self, other):
        return self.json() == other.json()

    __hash__ = None


class MarkedState(KuhnState):
    def observe(self, audience):
        seen = KuhnState.observe(self, audience)
        return Marked(seen.seat, seen.card, seen.moves, seen.shown)


def marked_clone(self):
    return MarkedState(self.game, self.seed, self.cards, self.moves)


def half_a_fact(self, seat, action):
    KuhnState.apply(self, seat, action)
    if self.log is not None:
        self.log.append(Event("half", {"stake": 0.5}))


def listed_fact(self, seat, action):
    KuhnState.apply(self, seat, action)
    if self.log is not None:
        self.log.append(Event("listed", {"stakes": (1, [2])}))


UNSTABLE = iter(range(10**9))

BROKEN = {
    "the public sees a card": ({"observe": leaky_observation}, {}, "the same to those without a seat"),
    "a clone keeps the log": ({"clone": sharing_clone}, {}, "a clone has no log"),
    "a clone is the state itself": ({"clone": lambda self: self}, {}, "a clone has no log"),
    "a choice is missing": ({"choices": lambda self, seat: (Choice(PASS),)}, {}, "say just the legal actions"),
    "a choice is not legal": (
        {"choices": lambda self, seat: (Choice(PASS), Choice(BET), Choice(PASS, (7,), 0, 1, 0))},
        {"part_text": lambda self, part: "x", "fill": lambda self, choice, chosen: 9 if chosen else choice.action,
         "text": lambda self, action: "nine" if action == 9 else Kuhn.text(self, action),
         "action": lambda self, text: 9 if text == "nine" else Kuhn.action(self, text)},
        "there is no objection",
    ),
    "usual is not what the number takes": (
        {"choices": lambda self, seat: (Choice(PASS, (1, 2), 0, 2, 1), Choice(BET))},
        {"part_text": lambda self, part: "x", "fill": lambda self, choice, chosen: BET if chosen else PASS},
        "number alone takes its first usual",
    ),
    "usual above most": ({"choices": lambda self, seat: (Choice(PASS, (1,), 0, 0, 1),)}, {}, "least <= usual <= most"),
    "no choice": ({"choices": lambda self, seat: ()}, {}, "a mover has a choice"),
    "legal actions twice": ({"legal_actions": lambda self, seat: (PASS, BET, BET)}, {}, "listed twice"),
    "an objection to everything": (
        {"objection": lambda self, seat, action: KuhnState.objection(self, 1 - seat, action)}, {}, "no objection",
    ),
    "no objection when over": ({"objection": lambda self, seat, action: None}, {}, "not asked may do nothing"),
    "movers twice": ({"movers": lambda self: (*KuhnState.movers(self), *KuhnState.movers(self))}, {}, "none twice"),
    "no such seat": ({"movers": lambda self: (2,)}, {}, "movers are seats"),
    "ranks from 0": ({"ranks": lambda self: (0, 1)}, {}, "ranks start from 1"),
    "one score": ({"scores": lambda self: (1,), "ranks": lambda self: (1, 1)}, {}, "a score for each seat"),
    "the observation changes": (
        {"observe": lambda self, audience: KuhnObservation(audience, 1 + next(UNSTABLE) % 3, (), ())},
        {},
        "start equal",
    ),
    "an observation for somebody else": (
        {"observe": lambda self, audience: KuhnState.observe(self, 0)}, {}, "names its audience",
    ),
    "notation does not go both ways": (
        {}, {"text": lambda self, action: "pass"}, "read as the action it was written from",
    ),
    "anything is an action": ({}, {"action": lambda self, text: PASS}, "expected a NotationError"),
    "imagining looks at nothing": (
        {}, {"imagine": lambda self, seat, observation, rng: self.new_state(rng.seed())}, "imagined state",
    ),
    "a position that forgets": (
        {"position": lambda self: {**KuhnState.position(self), "moves": []}}, {}, "the state of its position",
    ),
    "a view that says nothing": ({}, {"view": lambda self, observation: " "}, "a view is a text"),
    "a view that is none": ({}, {"view": lambda self, observation: None}, "a view is a text; it is None"),
    "a view that fails for the public": (
        {}, {"view": lambda self, observation: "" if observation.seat == PUBLIC else "card"}, "a view is a text",
    ),
    "a view that changes": ({}, {"view": lambda self, observation: str(next(UNSTABLE))}, "has one view"),
    "a view that tells a clone": (
        {"clone": marked_clone}, {"view": lambda self, observation: type(observation).__name__}, "have the same views",
    ),
    "an endless view": ({}, {"view": lambda self, observation: "x" * 65_537}, "at most 65536 characters; it has 65537"),
    "a view that cannot be sent": ({}, {"view": lambda self, observation: "\ud800"}, "can be encoded"),
    "a choice of two lines": ({}, {"text": lambda self, action: "pass\n"}, "a choice has a text of one line"),
    "a part without words": (
        {"choices": lambda self, seat: (Choice(PASS, (1, 2), 0, 2, 0), Choice(BET))},
        {"part_text": lambda self, part: "", "fill": lambda self, choice, chosen: PASS},
        "a part has a text of one line",
    ),
    "a primer that is none": ({}, {"primer": None}, "primer is None; expected a text"),
    "a word without meaning": ({}, {"glossary": {"bet": ""}}, "glossary is {'bet': ''}; expected words and their"),
    "an option without meaning": ({}, {"declared": (Option("pace", "word", "", (), ""),)}, "pace has no meaning"),
    "usual seats that cannot be": ({}, {"usual_seats": 3}, r"is 3; expected one of seat_counts, range\(2, 3"),
    "no seats": ({}, {"seat_counts": range(0)}, r"seat_counts is range\(0, 0\); expected one count or more"),
    "choices that tell the other's card": (
        {"choices": lambda self, seat: (Choice(PASS), Choice(BET))[:: 1 if self.cards[0] > self.cards[1] else -1]},
        {"imagines": False},
        "offered the same whenever it observes the same",
    ),
    "a question that tells the other's card": (
        {"question": lambda self, seat: "better" if self.cards[seat] > self.cards[1 - seat] else "worse"},
        {"imagines": False},
        "offered the same whenever it observes the same",
    ),
    "no kind of question": ({"question": lambda self, seat: ""}, {}, "question has a kind"),
    "a question that changes": ({"question": lambda self, seat: str(next(UNSTABLE))}, {}, "ask the same question"),
    "scores as a list": ({"scores": lambda self: [0, 0], "ranks": lambda self: (1, 1)}, {}, "scores are a tuple"),
    "half a point": ({"scores": lambda self: (0.5, 0.5), "ranks": lambda self: (1, 1)}, {}, "tuple of integers"),
    "half a fact": ({"apply": half_a_fact}, {}, "an event's facts are integers, texts, flags or tuples"),
    "a list as a fact": ({"apply": listed_fact}, {}, "an event's facts are integers, texts, flags or tuples"),
    "no name": ({}, {"name": ""}, "BrokenKuhn: name is ''; expected the game's name"),
}  # fmt: skip


@pytest.mark.parametrize("fault", BROKEN)
def test_a_broken_promise_is_noticed(fault):
    state_attributes, game_attributes, promise = BROKEN[fault]
    game = broken(state_attributes, **game_attributes)

    with pytest.raises(ConformanceError, match=promise):
        conformance.check(game, games=10)


def test_an_endless_game_is_noticed(monkeypatch):
    monkeypatch.setattr(conformance, "DECISIONS", 50)

    class Endless(SealedState):
        def apply(self, seat, action):
            SealedState.apply(self, seat, action)
            self.done = []

        def clone(self):
            return Endless(self.game)

    class EndlessGame(Sealed):
        imagines = False

        def new_state(self, seed):
            return Endless(self)

    with pytest.raises(ConformanceError, match="ends within 50 decisions"):
        conformance.check(EndlessGame(), games=1)


def test_a_fault_names_game_seed_and_decision():
    with pytest.raises(ConformanceError, match=r"kuhn, seed 0x636f6e666f726d616e63652f30, decision \d+: expected that"):
        conformance.check(broken({"choices": lambda self, seat: ()}), games=1)


def test_what_a_game_raises_tells_where_that_was():
    def fails(self, observation):
        raise ZeroDivisionError("no cards")

    with pytest.raises(ZeroDivisionError) as caught:
        conformance.check(broken(view=fails), games=1)
    assert caught.value.__notes__ == [
        "kuhn, seed 0x636f6e666f726d616e63652f30, decision 0: raised by the game or what it was asked to do"
    ]
