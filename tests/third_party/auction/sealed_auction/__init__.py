"""A sealed auction: every seat bids at once, in coins, for lots that are worth something else to each."""

from sealed_auction.game import Auction

__all__ = ["Auction"]
