"""A tiny game with simultaneous moves, for tests: two or three seats bid 0 to 2 at once, twice; most bids wins.

The highest bid alone scores one; a turn's bids are shown when all are in.
"""

from __future__ import annotations

from rivalry_engine.error import NotationError
from rivalry_engine.event import Event
from rivalry_engine.game import PUBLIC, Choice, Game, Objection, Observation, State, View, ranked

TURNS = 2
BIDS = 3


class Plain(View):
    """A view of plain facts."""

    def __init__(self, **facts):
        self.facts = facts

    def json(self):
        return dict(self.facts)

    def __eq__(self, other):
        return isinstance(other, Plain) and self.facts == other.facts

    def __hash__(self):
        return 0


class SealedObservation(Plain, Observation):
    """What an audience sees: the turns that are over, and its own bid of this turn."""

    @property
    def seat(self):
        seat = self.facts["seat"]
        return PUBLIC if seat is None else seat


class Sealed(Game):
    """Sealed bids."""

    name = "sealed"
    title = "Sealed bids"
    rules_version = 1
    seat_counts = range(2, 4)
    usual_seats = 2
    imagines = True

    def new_state(self, seed):
        return SealedState(self)

    def text(self, action):
        return f"bid {action}"

    def action(self, text):
        verb, _, number = text.strip().partition(" ")
        if verb != "bid" or number not in ("0", "1", "2"):
            raise NotationError(f"{text!r} is no bid; expected bid 0, bid 1 or bid 2")
        return int(number)

    def imagine(self, seat, observation, rng):
        state = SealedState(self)
        state.done = [tuple(turn) for turn in observation.facts["done"]]
        for other in observation.facts["in"]:
            state.bids[other] = rng.below(BIDS)
        if observation.facts["own"] is not None:
            state.bids[seat] = observation.facts["own"]
        return state


class SealedState(State):
    """``bids`` of this turn by seat, ``done`` the turns that are over."""

    def __init__(self, game):
        self.game = game
        self.log = None
        self.bids = {}
        self.done = []

    def movers(self):
        if len(self.done) == TURNS:
            return ()
        return tuple(seat for seat in range(self.game.seats) if seat not in self.bids)

    def question(self, seat):
        return "bid"

    def choices(self, seat):
        return tuple(Choice(bid) for bid in range(BIDS))

    def legal_actions(self, seat):
        return tuple(range(BIDS))

    def objection(self, seat, action):
        if seat not in self.movers():
            return Objection("not_asked", f"seat {seat} is not asked now")
        return None if 0 <= action < BIDS else Objection("range", f"bid {action}: expected 0 to 2")

    def apply(self, seat, action):
        self.bids[seat] = action
        if len(self.bids) == self.game.seats:
            turn = tuple(self.bids[seat] for seat in range(self.game.seats))
            self.done.append(turn)
            self.bids = {}
            if self.log is not None:
                self.log.append(Event("shown", {"bids": turn}))

    def setup(self):
        return Plain(turns=TURNS)

    def observe(self, audience):
        return SealedObservation(
            seat=None if audience == PUBLIC else audience,
            done=[list(turn) for turn in self.done],
            **{"in": sorted(self.bids)},
            own=None if audience == PUBLIC else self.bids.get(audience),
        )

    def scores(self):
        return tuple(
            sum(turn[seat] == max(turn) and turn.count(max(turn)) == 1 for turn in self.done)
            for seat in range(self.game.seats)
        )

    def ranks(self):
        return ranked(self.scores())

    def clone(self):
        twin = SealedState(self.game)
        twin.bids = dict(self.bids)
        twin.done = list(self.done)
        return twin
