"""What a seat or the public may know, made of public parts and the seat's own hand.

The parts are immutable.  A part that did not change since the last observation is the same object, so whoever turns
parts into bytes may keep those by identity.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from rivalry_engine.ethnos import question
from rivalry_engine.ethnos.ages import SEVERAL
from rivalry_engine.ethnos.cards import ALLIES, listed
from rivalry_engine.ethnos.data import COLOURS, TROLL_TOKENS
from rivalry_engine.ethnos.edition import COINS, Card, Edition, Figures
from rivalry_engine.ethnos.extra import Extra
from rivalry_engine.game import PUBLIC, Observation, View
from rivalry_engine.option import OptionValue

if TYPE_CHECKING:
    from rivalry_engine.ethnos.state import EthnosState


class EthnosSetup(View):
    """What is public and the same for the whole match."""

    __slots__ = ("ages", "figures", "options", "seats", "tokens_by_colour", "tribe_numbers")

    def __init__(self, state: EthnosState) -> None:
        self.seats: int = state.game.seats
        self.figures: Figures = state.rules.figures
        """What the rules ask for in this match; its edition has the names."""
        self.ages: int = state.rules.figures.ages
        """How many Ages are played."""
        self.options: Mapping[str, OptionValue] = state.game.options
        self.tribe_numbers: tuple[int, ...] = state.tribes
        """The types of the Tribes in play, ascending."""
        self.tokens_by_colour: tuple[tuple[int, ...], ...] = state.tokens
        """By Kingdom (index colour - 1), its Glory tokens from I up."""

    @property
    def edition(self) -> Edition:
        """The edition that is played, with its names for everything."""
        return self.figures.edition

    @property
    def tribes(self) -> tuple[str, ...]:
        """The Tribes in play."""
        return tuple([self.edition.tribe_words[tribe] for tribe in self.tribe_numbers])

    @property
    def tokens(self) -> dict[str, tuple[int, ...]]:
        """By Kingdom, its Glory tokens: the first is paid first in Age I."""
        return {self.edition.kingdoms[colour]: self.tokens_by_colour[colour - 1] for colour in COLOURS}

    @property
    def cards(self) -> tuple[Card, ...]:
        """The different cards in play, ascending."""
        return tuple([self.edition.cards[card] for card in ALLIES if card >> 3 in self.tribe_numbers])

    def __eq__(self, other: object) -> bool:
        return self is other or (isinstance(other, EthnosSetup) and self.json() == other.json())

    def __hash__(self) -> int:
        return hash((self.seats, self.tribe_numbers, self.tokens_by_colour))

    def json(self) -> dict[str, Any]:
        return {
            "seats": self.seats,
            "ages": self.ages,
            "options": {
                name: list(value) if isinstance(value, tuple) else value for name, value in self.options.items()
            },
            "tribes": list(self.tribes),
            "tokens": {kingdom: list(tokens) for kingdom, tokens in self.tokens.items()},
            "kingdoms": {self.edition.kingdoms[colour]: self.edition.colour_words[colour] for colour in COLOURS},
            "cards": {card.name: card.number for card in self.cards},
        }


class BandView:
    """A Band on the table."""

    __slots__ = ("edition", "number")

    def __init__(self, number: int, edition: Edition) -> None:
        self.edition = edition
        self.number = number
        """Leader | pack << 8."""

    @property
    def leader(self) -> Card:
        return self.edition.cards[self.number & 255]

    @property
    def cards(self) -> tuple[Card, ...]:
        """All its cards, the Leader included, ascending, Skeletons last."""
        return self.edition.read(self.number >> 8)

    @property
    def size(self) -> int:
        return (self.number >> 8) % 15

    def __eq__(self, other: object) -> bool:
        return isinstance(other, BandView) and self.number == other.number

    def __hash__(self) -> int:
        return self.number

    def __repr__(self) -> str:
        return f"{self.leader} of {', '.join([card.name for card in self.cards])}"

    def json(self) -> dict[str, Any]:
        return {"leader": self.leader.name, "cards": [card.name for card in self.cards]}


class BoardView:
    """What lies open and belongs to nobody."""

    __slots__ = ("age", "deck", "dragons", "drawer", "edition", "extra", "first", "giant", "row_pack", "safe")

    def __init__(self, state: EthnosState) -> None:
        self.edition: Edition = state.rules.edition
        self.age: int = state.age
        """From 1."""
        self.first: int = state.first
        """The first player of this Age."""
        self.deck: int = len(state.deck)
        """Cards in the deck, Dragons included; 0 when the Age is over."""
        self.safe: int = state.safe
        """How many of them, from the top, are certain to be no Dragons."""
        self.dragons: int = state.dragons
        """Dragons out in this Age."""
        self.drawer: int = state.drawer
        """Who ended this Age by drawing the last Dragon; -1 while it runs."""
        self.giant: int = state.giant
        """The holder of the Giant token; -1 for nobody."""
        self.row_pack: int = state.row
        self.extra: Extra = state.extra
        """Coins, and what Fairies need to know."""

    @property
    def row(self) -> tuple[Card, ...]:
        """The face-up cards, ascending, Skeletons last."""
        return self.edition.read(self.row_pack)

    @property
    def coins(self) -> dict[str, tuple[int, ...]]:
        """By region, the coins on this age's slot, ascending; empty without Raccoons (N3.4)."""
        return {self.edition.kingdoms[place + 1]: coins for place, coins in enumerate(self.extra.coins)}

    @property
    def coins_in_supply(self) -> tuple[int, ...]:
        """The coins that Raccoons can still place, ascending: the first is placed next (N3.4)."""
        return COINS[len(COINS) - self.extra.coins_left :]

    def facts(self) -> tuple[object, ...]:
        """All of it as plain values."""
        return (
            self.age,
            self.first,
            self.deck,
            self.safe,
            self.dragons,
            self.drawer,
            self.giant,
            self.row_pack,
            self.extra,
        )

    def __eq__(self, other: object) -> bool:
        return isinstance(other, BoardView) and self.facts() == other.facts()

    def __hash__(self) -> int:
        return hash(self.facts())

    def json(self) -> dict[str, Any]:
        return {
            "age": self.age,
            "first": self.first,
            "deck": self.deck,
            "safe": self.safe,
            "dragons": self.dragons,
            "drawer": self.drawer if self.drawer >= 0 else None,
            "giant": self.giant if self.giant >= 0 else None,
            "row": [card.name for card in self.row],
            **self._json_of_some_games(),
        }

    def _json_of_some_games(self) -> dict[str, Any]:
        """Coins with Raccoons; with Fairies the Bands that were given away and the one with the Giant token, if any."""
        extra = self.extra
        found: dict[str, Any] = {}
        if extra.coins:
            found["coins"] = {region: list(coins) for region, coins in self.coins.items()}
            found["coins_in_supply"] = list(self.coins_in_supply)
        if extra.given:
            found["given"] = [list(place) for place in extra.given]
        if extra.giant_band >= 0:
            found["giant_band"] = extra.giant_band
        return found


class SeatView:
    """What everybody knows of one seat."""

    __slots__ = (
        "band_numbers",
        "edition",
        "glory",
        "hand_size",
        "horde_mask",
        "known_pack",
        "markers_by_colour",
        "merfolk",
        "seat",
        "supply",
        "troll_mask",
    )

    def __init__(self, state: EthnosState, seat: int) -> None:
        self.edition: Edition = state.rules.edition
        self.seat: int = seat
        self.glory: int = state.glory[seat]
        self.hand_size: int = state.hands[seat] % 15
        self.known_pack: int = state.known[seat]
        self.markers_by_colour: tuple[int, ...] = tuple(state.markers[6 * seat : 6 * seat + 6])
        """By Kingdom (index colour - 1), the seat's markers there."""
        self.supply: int = state.supply[seat]
        """Markers that can still be placed."""
        self.merfolk: int = state.merfolk[seat]
        """The space on the Merfolk board."""
        self.horde_mask: int = state.hordes[seat]
        self.troll_mask: int = state.trolls[seat]
        self.band_numbers: tuple[int, ...] = tuple(state.bands[seat])

    @property
    def known(self) -> tuple[Card, ...]:
        """Those cards of the hand that everybody knows to be there."""
        return self.edition.read(self.known_pack)

    @property
    def markers(self) -> dict[str, int]:
        """By Kingdom, the seat's markers there."""
        return {self.edition.kingdoms[colour]: self.markers_by_colour[colour - 1] for colour in COLOURS}

    @property
    def horde(self) -> tuple[str, ...]:
        """The colours of the Orc board on which a marker stands."""
        return tuple([self.edition.colour_words[colour] for colour in COLOURS if self.horde_mask >> colour & 1])

    @property
    def trolls(self) -> tuple[int, ...]:
        """The Troll tokens held, ascending."""
        return tuple([value for value in TROLL_TOKENS if self.troll_mask >> value & 1])

    @property
    def bands(self) -> tuple[BandView, ...]:
        """The Bands of this Age, in the order played."""
        return tuple([BandView(number, self.edition) for number in self.band_numbers])

    def facts(self) -> tuple[int, ...]:
        """All of it as integers."""
        return (
            self.seat,
            self.glory,
            self.hand_size,
            self.known_pack,
            self.supply,
            self.merfolk,
            self.horde_mask,
            self.troll_mask,
            *self.markers_by_colour,
            *self.band_numbers,
        )

    def __eq__(self, other: object) -> bool:
        return isinstance(other, SeatView) and self.facts() == other.facts()

    def __hash__(self) -> int:
        return hash(self.facts())

    def json(self) -> dict[str, Any]:
        return {
            "seat": self.seat,
            "glory": self.glory,
            "hand_size": self.hand_size,
            "known": [card.name for card in self.known],
            "markers": self.markers,
            "supply": self.supply,
            "merfolk": self.merfolk,
            "horde": list(self.horde),
            "trolls": list(self.trolls),
            "bands": [band.json() for band in self.bands],
        }


class EthnosObservation(Observation):
    """All that an audience may know; with the setup it is enough to choose by."""

    __slots__ = ("asked", "board", "bonus", "hand_pack", "kind", "seat", "seats", "setup")

    def __init__(
        self,
        setup: EthnosSetup,
        board: BoardView,
        seats: tuple[SeatView, ...],
        seat: int,
        hand_pack: int,
        asked: int,
        kind: str,
        bonus: int,
    ) -> None:
        self.setup = setup
        self.board = board
        self.seats = seats
        self.seat = seat
        self.hand_pack = hand_pack
        """The audience's own hand as a pack; 0 for the public."""
        self.asked = asked
        """The seat that is asked; -1 when the game is over, SEVERAL when ``movers`` are asked all at once."""
        self.kind = kind
        """The kind of its question; empty when the game is over."""
        self.bonus = bonus
        """With the question ``bonus``: how many are still to come, this one included."""

    @property
    def hand(self) -> tuple[Card, ...]:
        """The audience's own cards, ascending, Skeletons last."""
        return self.setup.edition.read(self.hand_pack)

    @property
    def me(self) -> SeatView:
        """What everybody knows of the audience's own seat."""
        return self.seats[self.seat]

    @property
    def band(self) -> BandView | None:
        """The Band that the question is about, if it is about one."""
        if self.kind not in question.ABOUT_A_BAND:
            return None
        return BandView(self.seats[self.asked].band_numbers[-1], self.setup.edition)

    @property
    def movers(self) -> tuple[int, ...]:
        """The seats to which the question goes.

        Where several decide about their Orc boards at once it is all of them until the last answer is in (N3.6).
        """
        if self.asked == SEVERAL:
            return tuple([part.seat for part in self.seats if part.horde_mask])
        return (self.asked,) if self.asked >= 0 else ()

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, EthnosObservation)
            and self.seat == other.seat
            and self.asked == other.asked
            and self.kind == other.kind
            and self.bonus == other.bonus
            and self.hand_pack == other.hand_pack
            and self.board == other.board
            and self.seats == other.seats
            and self.setup == other.setup
        )

    def __hash__(self) -> int:
        return hash((self.seat, self.hand_pack, self.board, self.seats))

    def json(self) -> dict[str, Any]:
        band = self.band
        return {
            "seat": self.seat if self.seat != PUBLIC else None,
            "question": {
                "seat": self.asked if self.asked >= 0 else None,
                "movers": list(self.movers),
                "kind": self.kind,
                "bonus": self.bonus,
                "band": band.json() if band else None,
            },
            "board": self.board.json(),
            "hand": [self.setup.edition.names[card] for card in listed(self.hand_pack)],
            "seats": [part.json() for part in self.seats],
        }


def setup(state: EthnosState) -> EthnosSetup:
    """The setup of a match; made once."""
    made = state._setup
    if made is None:
        made = state._setup = EthnosSetup(state)
    return made


def observation(state: EthnosState, audience: int) -> EthnosObservation:
    """What ``audience`` may know, from the parts that are kept and those that changed."""
    board = state._board
    if board is None:
        board = state._board = BoardView(state)
    parts = state._seats
    for seat, part in enumerate(parts):
        if part is None:
            parts[seat] = SeatView(state, seat)
    return EthnosObservation(
        setup(state),
        board,
        tuple(parts),  # type: ignore[arg-type]
        audience,
        state.hands[audience] if audience >= 0 else 0,
        state.seat,
        state.kind,
        state.bonus,
    )
