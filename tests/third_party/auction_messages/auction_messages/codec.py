"""The auction on the wire."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from sealed_auction import coins
from sealed_auction.seen import AuctionObservation, AuctionSetup, Lot

from auction_messages import auction_pb2 as pb
from rivalry_engine.event import Seen
from rivalry_engine.game import PUBLIC, Action, Choice, Observation, View
from rivalry_wire.codec import Codec
from rivalry_wire.reading import UnreadableError, audience_read, parsed


class AuctionCodec(Codec):
    """The messages of ``auction.v1``."""

    package = "auction.v1"
    file = pb.DESCRIPTOR

    def setup(self, setup: View) -> bytes:
        assert isinstance(setup, AuctionSetup)
        return pb.Setup(lots=setup.lots, ties=setup.ties).SerializeToString()

    def observation(self, observation: Observation) -> bytes:
        seen = observation
        assert isinstance(seen, AuctionObservation)
        return pb.Observation(
            seat=None if seen.seat == PUBLIC else seen.seat,
            lots=seen.lots,
            worth=seen.worth,
            purses=[pb.Coins(coins=purse) for purse in seen.purses],
            over=[_lot(lot.bids, lot.winner, lot.paid) for lot in seen.over],
            final=[pb.Worth(lots=worth) for worth in seen.final],
        ).SerializeToString()

    def choices(self, choices: Sequence[Choice]) -> bytes:
        (only,) = choices
        return pb.Choices(purse=pb.Coins(coins=only.parts)).SerializeToString()

    def event(self, seen: Seen) -> bytes:
        facts = seen.facts
        event = pb.Event(number=facts["number"], worth=facts.get("worth", 0))
        if seen.kind == "sold":
            event.sold.CopyFrom(_lot(facts["bids"], facts["winner"], ()))
        return pb.Events(events=[event]).SerializeToString()

    def action(self, action: Action) -> bytes:
        return pb.Action(bid=action).SerializeToString()

    def read_setup(self, data: bytes) -> AuctionSetup:
        message = parsed(pb.Setup, data)
        return AuctionSetup(message.lots, message.ties)

    def read_observation(self, data: bytes, setup: View) -> AuctionObservation:
        message = parsed(pb.Observation, data)
        return AuctionObservation(
            seat=audience_read(message, self.game.seats),
            lots=message.lots,
            worth=tuple(message.worth),
            purses=tuple(_purse(each.coins) for each in message.purses),
            over=tuple(Lot(tuple(lot.bids), _winner(lot), tuple(lot.paid.coins)) for lot in message.over),
            final=tuple(tuple(worth.lots) for worth in message.final),
        )

    def read_choices(self, data: bytes, observation: Observation) -> tuple[Choice, ...]:
        purse = _purse(parsed(pb.Choices, data).purse.coins)
        return (Choice(coins.bid(purse[:1]), purse, 0, len(purse), min(1, len(purse))),)

    def read_events(self, data: bytes) -> tuple[Seen, ...]:
        return tuple(_seen(event) for event in parsed(pb.Events, data).events)

    def read_action(self, data: bytes) -> Action:
        bid: int = parsed(pb.Action, data).bid
        return bid


def _lot(bids: Iterable[int], winner: int, paid: Iterable[int]) -> Any:
    return pb.Lot(bids=bids, winner=None if winner == PUBLIC else winner, paid=pb.Coins(coins=paid))


def _winner(lot: Any) -> int:
    return int(lot.winner) if lot.HasField("winner") else PUBLIC


def _purse(read: Iterable[int]) -> tuple[int, ...]:
    purse = tuple(read)
    if any(coin not in coins.PURSE for coin in purse):
        raise UnreadableError(f"{purse} is no purse; expected coins of {coins.PURSE}")
    return purse


def _seen(event: Any) -> Seen:
    if event.HasField("sold"):
        bids = tuple(event.sold.bids)
        return Seen("sold", {"number": event.number, "bids": bids, "winner": _winner(event.sold)})
    return Seen("lot", {"number": event.number, **({"worth": event.worth} if event.worth else {})})
