"""One playing of the auction."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from rivalry_engine.chance import Stream
from rivalry_engine.event import Event
from rivalry_engine.game import PUBLIC, Action, Choice, Game, Objection, State, ranked
from sealed_auction import coins
from sealed_auction.seen import AuctionObservation, AuctionSetup, Lot

if TYPE_CHECKING:
    from sealed_auction.game import Auction


def worth_of(game: Game, seed: bytes, seat: int, lot: int) -> int:
    """What a lot is worth to a seat: a label of its own for each, so that nothing that is done changes another's."""
    return 1 + Stream(seed, f"worth/{lot}/{seat}").below(int(game.options["most"]))


class AuctionState(State):
    """``worth`` by seat and lot, as far as lots were put up; ``bids`` are those of this lot that are in."""

    __slots__ = ("bids", "game", "over", "purses", "seed", "worth")

    def __init__(self, game: Auction, seed: bytes) -> None:
        self.game: Auction = game
        self.seed = seed
        self.log: list[Event] | None = None
        self.over: list[Lot] = []
        self.purses = [coins.PURSE] * game.seats
        self.bids: dict[int, Action] = {}
        self.worth = [[worth_of(game, seed, seat, 0)] for seat in range(game.seats)]

    @property
    def lots(self) -> int:
        return int(self.game.options["lots"])

    def movers(self) -> Sequence[int]:
        if len(self.over) == self.lots:
            return ()
        return tuple(seat for seat in range(self.game.seats) if seat not in self.bids)

    def question(self, seat: int) -> str:
        return "bid"

    def choices(self, seat: int) -> Sequence[Choice]:
        purse = self.purses[seat]
        return (Choice(coins.bid(purse[:1]), purse, 0, len(purse), min(1, len(purse))),)

    def legal_actions(self, seat: int) -> Sequence[Action]:
        return [action for action in range(64) if self._has(seat, action)]

    def objection(self, seat: int, action: Action) -> Objection | None:
        if seat not in self.movers():
            return Objection("not_asked", f"seat {seat} is not asked now")
        if not 0 <= action < 64 or action & 3 == 3:
            return Objection("no_bid", f"{action} is no bid")
        if not self._has(seat, action):
            return Objection("purse", f"the purse holds {coins.text(self.purses[seat])}")
        return None

    def apply(self, seat: int, action: Action) -> None:
        if self.log is not None and not self.over and not self.bids:
            self._put_up()
        self.bids[seat] = action
        if len(self.bids) == self.game.seats:
            self._sell()

    def setup(self) -> AuctionSetup:
        return AuctionSetup(self.lots, str(self.game.options["ties"]))

    def observe(self, audience: int) -> AuctionObservation:
        done = len(self.over) == self.lots
        return AuctionObservation(
            seat=audience,
            lots=self.lots,
            worth=() if audience == PUBLIC else tuple(self.worth[audience]),
            purses=tuple(self.purses),
            over=tuple(self.over),
            final=tuple(map(tuple, self.worth)) if done else (),
        )

    def scores(self) -> tuple[int, ...]:
        scores = [len(purse) for purse in self.purses]
        for number, lot in enumerate(self.over):
            if lot.winner != PUBLIC:
                scores[lot.winner] += self.worth[lot.winner][number]
        return tuple(scores)

    def ranks(self) -> tuple[int, ...]:
        return ranked(self.scores())

    def clone(self) -> AuctionState:
        twin = AuctionState(self.game, self.seed)
        twin.over = list(self.over)
        twin.purses = list(self.purses)
        twin.bids = dict(self.bids)
        twin.worth = [list(worth) for worth in self.worth]
        return twin

    def _has(self, seat: int, action: Action) -> bool:
        purse = self.purses[seat]
        return action & 3 <= purse.count(1) and all(coin in purse for coin in coins.of(action))

    def _sell(self) -> None:
        """All bids are in: they are shown, the highest wins, and the next lot is put up."""
        bids = tuple(self.bids[seat] for seat in range(self.game.seats))
        sums = [sum(coins.of(bid)) for bid in bids]
        highest = max(sums)
        tied = [seat for seat, bid in enumerate(sums) if bid == highest]
        alone = len(tied) == 1 or self.game.options["ties"] == "lowest"
        winner = tied[0] if highest and alone else PUBLIC
        paid = () if winner == PUBLIC else coins.of(bids[winner])
        if winner != PUBLIC:
            self.purses[winner] = coins.left(self.purses[winner], paid)
        self.over.append(Lot(bids, winner, paid))
        self.bids = {}
        if self.log is not None:
            self.log.append(Event("sold", {"number": len(self.over), "bids": bids, "winner": winner}))
        if len(self.over) < self.lots:
            for seat, worth in enumerate(self.worth):
                worth.append(worth_of(self.game, self.seed, seat, len(self.over)))
            self._put_up()

    def _put_up(self) -> None:
        if self.log is not None:
            secrets = {seat: {"worth": worth[-1]} for seat, worth in enumerate(self.worth)}
            self.log.append(Event("lot", {"number": len(self.over) + 1}, secrets))
