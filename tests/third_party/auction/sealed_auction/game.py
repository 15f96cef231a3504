"""The rules of the auction."""

from __future__ import annotations

from collections.abc import Sequence

from rivalry_engine.chance import Stream
from rivalry_engine.error import NotationError, RivalryError
from rivalry_engine.event import Seen
from rivalry_engine.game import PUBLIC, Action, Choice, Game, Observation
from rivalry_engine.option import Option
from sealed_auction import coins
from sealed_auction.seen import AuctionObservation, Lot
from sealed_auction.state import AuctionState, worth_of


class Auction(Game):
    """Sealed bids for lots of hidden value, 2 to 5 seats."""

    name = "auction"
    title = "Sealed auction"
    rules_version = 1
    seat_counts = range(2, 6)
    usual_seats = 3
    imagines = True
    declared = (
        Option("lots", "integer", 4, tuple(range(1, 9)), "how many lots are sold, one after the other"),
        Option("ties", "word", "nobody", ("nobody", "lowest"), "who wins a tie: nobody, or the lowest tied seat"),
        Option("most", "integer", 9, tuple(range(1, 21)), "the most that a lot may be worth to a seat"),
    )
    glossary = {  # noqa: RUF012 - the interface makes it read-only
        "lot": "what is sold in a round; each seat knows what it is worth to itself and to nobody else",
        "purse": "the coins a seat has left; everybody sees them, and there is no change",
        "bid": "coins of the purse, put down unseen and shown by all at once; the winner's are gone",
    }
    primer = """\
Every player has the same coins: 1 1 2 3 5 8. Lots are sold one after the other. Each player knows what the present lot
is worth to them, from 1 to an upper bound, and not what it is worth to others.

All players bid at once and unseen, with any of their coins or with nothing: "bid 1 3" bids four with two coins. The
highest sum wins the lot. The winner's coins are gone; all others take theirs back. Where the highest sum was bid by
several, nobody gets the lot and nobody pays, unless the option ties says that the lowest of their seats does; a highest
sum of nothing wins nothing.

When all lots are sold, a player scores what the lots they won are worth to them, and one for each coin left, whatever
is written on it.
"""

    def new_state(self, seed: bytes) -> AuctionState:
        return AuctionState(self, seed)

    def text(self, action: Action) -> str:
        return f"bid {coins.text(coins.of(action))}"

    def action(self, text: str) -> Action:
        verb, *words = text.lower().split() or [""]
        if verb == "bid" and words == ["nothing"]:
            return coins.NOTHING
        rest = list(coins.PURSE)
        for word in words:
            if not (word.isascii() and word.isdecimal() and int(word[:3]) in rest):
                break
            rest.remove(int(word[:3]))
        else:
            if verb == "bid" and words:
                return coins.bid(int(word[:3]) for word in words)
        raise NotationError(f"{text[:80]!r} is no bid; expected bid nothing, or coins of 1 1 2 3 5 8, as in bid 1 3")

    def part_text(self, part: int) -> str:
        return f"coin {part}"

    def fill(self, choice: Choice, chosen: Sequence[int]) -> Action:
        return coins.bid(choice.parts[index] for index in chosen)

    def event_text(self, seen: Seen) -> str:
        facts = seen.facts
        if seen.kind == "lot":
            own = f", worth {facts['worth']} to you" if "worth" in facts else ""
            return f"lot {facts['number']} is put up{own}"
        bids = ", ".join(f"seat {seat} bid {coins.text(coins.of(bid))}" for seat, bid in enumerate(facts["bids"]))
        won = "nobody won" if facts["winner"] == PUBLIC else f"seat {facts['winner']} won"
        return f"lot {facts['number']}: {bids}; {won}"

    def view(self, observation: Observation) -> str:
        if not isinstance(observation, AuctionObservation):
            return super().view(observation)
        seat, number = observation.seat, len(observation.over) + 1
        who = "seen by nobody's seat" if seat == PUBLIC else f"you are seat {seat}"
        lines = [f"Sealed auction, {observation.lots} lots, {who}"]
        if number > observation.lots:
            lines.append("All lots are sold")
        elif seat == PUBLIC:
            lines.append(f"Lot {number} is put up")
        else:
            lines.append(f"Lot {number} is put up; it is worth {observation.worth[-1]} to you")
        lines.append(
            "Coins left: " + "; ".join(f"seat {at} {coins.text(p)}" for at, p in enumerate(observation.purses))
        )
        lines += [_told(observation, at, lot) for at, lot in enumerate(observation.over)]
        for at, worth in enumerate(observation.final):
            lines.append(f"The lots were worth to seat {at}: {', '.join(map(str, worth))}")
        return "\n".join(lines)

    def imagine(self, seat: int, observation: Observation, rng: Stream) -> AuctionState:
        """What others value is drawn anew, and so is what comes."""
        if not isinstance(observation, AuctionObservation):
            raise RivalryError(f"{observation!r} is no observation of the auction")
        state = AuctionState(self, rng.seed())
        state.over = list(observation.over)
        state.purses = list(observation.purses)
        known = len(observation.worth)
        state.worth = [
            list(observation.worth if each == seat else [worth_of(self, state.seed, each, lot) for lot in range(known)])
            for each in range(self.seats)
        ]
        if observation.final:
            state.worth = [list(worth) for worth in observation.final]
        return state


def _told(observation: AuctionObservation, at: int, lot: Lot) -> str:
    own = f" (worth {observation.worth[at]} to you)" if observation.worth else ""
    bids = "; ".join(f"seat {seat} {coins.text(coins.of(bid))}" for seat, bid in enumerate(lot.bids))
    if lot.winner == PUBLIC:
        return f"Lot {at + 1}{own}: bids {bids}; nobody won"
    return f"Lot {at + 1}{own}: bids {bids}; seat {lot.winner} won and paid {sum(lot.paid)}"
