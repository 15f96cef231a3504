"""A game of simultaneous moves that can imagine states: one sealed bid each, the highest score is best."""

from rivalry_engine.error import NotationError
from rivalry_engine.game import PUBLIC, Choice, Game, Objection, Observation, State, View, ranked


class BidsSeen(Observation):
    def __init__(self, seat, own, shown):
        self.seat, self.own, self.shown = seat, own, shown

    def json(self):
        return {"seat": None if self.seat == PUBLIC else self.seat, "own": self.own, "shown": list(self.shown)}

    def __eq__(self, other):
        return isinstance(other, BidsSeen) and self.json() == other.json()


class BidsSetup(View):
    def json(self):
        return {"most": 2}


class Bids(Game):
    name, title, rules_version, seat_counts, usual_seats = "bids", "One sealed bid", 1, range(2, 5), 2
    imagines = True

    def new_state(self, seed):
        return BidsState(self)

    def text(self, action):
        return f"bid {action}"

    def action(self, text):
        if text not in ("bid 0", "bid 1", "bid 2"):
            raise NotationError(f"{text!r} is no bid; expected bid 0, bid 1 or bid 2")
        return int(text[4:])

    def imagine(self, seat, observation, rng):
        return BidsState(self)


class BidsState(State):
    def __init__(self, game):
        self.game, self.log, self.bids = game, None, {}

    def movers(self):
        return tuple(seat for seat in range(self.game.seats) if seat not in self.bids)

    def question(self, seat):
        return "bid"

    def choices(self, seat):
        return (Choice(0), Choice(1), Choice(2))

    def legal_actions(self, seat):
        return (0, 1, 2)

    def objection(self, seat, action):
        return None if action in (0, 1, 2) else Objection("range", f"{action} was bid; expected 0 to 2")

    def apply(self, seat, action):
        self.bids[seat] = action

    def setup(self):
        return BidsSetup()

    def observe(self, audience):
        return BidsSeen(audience, self.bids.get(audience), () if self.movers() else self.scores())

    def scores(self):
        return tuple(self.bids.get(seat, 0) for seat in range(self.game.seats))

    def ranks(self):
        return ranked(self.scores())

    def clone(self):
        twin = BidsState(self.game)
        twin.bids = dict(self.bids)
        return twin
