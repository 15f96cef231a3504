"""Observations of Ethnos from bytes."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from rivalry.games.ethnos.v1 import ethnos_pb2 as pb
from rivalry_engine.ethnos.ages import SEVERAL
from rivalry_engine.ethnos.data import COLOURS, DRAGON_COPIES, RACCOONS, TROLL_TOKENS
from rivalry_engine.ethnos.edition import COINS
from rivalry_engine.ethnos.extra import NO_COINS, NOTHING, Extra
from rivalry_engine.ethnos.question import ABOUT_A_BAND, EMPTY
from rivalry_engine.ethnos.sight import BoardView, EthnosObservation, EthnosSetup, SeatView
from rivalry_engine.game import PUBLIC
from rivalry_wire.ethnos.cards import pack_of
from rivalry_wire.ethnos.questions import WORDS
from rivalry_wire.reading import UnreadableError, audience_read, parsed, seat_read

NOBODY = -1


class ObservationReader:
    """Reads the observations of one match; a player who did not change is the same object as before."""

    __slots__ = ("_kept",)

    def __init__(self, seats: int) -> None:
        self._kept: list[tuple[bytes, SeatView] | None] = [None] * seats

    def of(self, data: bytes, setup: EthnosSetup) -> EthnosObservation:
        """The observation in the match of ``setup``; raises UnreadableError."""
        message = parsed(pb.Observation, data)
        if len(message.players) != setup.seats:
            raise UnreadableError(f"an observation of {len(message.players)} players; expected {setup.seats}")
        if message.question not in WORDS:
            raise UnreadableError(f"question {message.question} is not known here")
        players = tuple([self._player(player, seat, setup) for seat, player in enumerate(message.players)])
        seat = audience_read(message, setup.seats)
        kind = WORDS[message.question]
        asked = _asked(message, kind, players, setup)
        if len(message.hand) != (0 if seat == PUBLIC else players[seat].hand_size):
            raise UnreadableError(f"a hand of {len(message.hand)} cards for {seat}, whose player has another number")
        if kind in ABOUT_A_BAND and not players[asked].band_numbers:
            raise UnreadableError(f"question {kind} to seat {asked}, which has no Band that it could be about")
        board = _board(message.board, players, setup)
        return EthnosObservation(setup, board, players, seat, pack_of(message.hand), asked, kind, message.bonus)

    def _player(self, message: pb.Player, seat: int, setup: EthnosSetup) -> SeatView:
        data = message.SerializeToString()
        kept = self._kept[seat]
        if kept is not None and kept[0] == data:
            return kept[1]
        player = _player(message, seat, setup)
        self._kept[seat] = (data, player)
        return player


def _asked(message: pb.Observation, kind: str, players: tuple[SeatView, ...], setup: EthnosSetup) -> int:
    """The seat asked, or SEVERAL where all who own settlement boards are (N3.6)."""
    movers = list(message.movers)
    if kind == EMPTY and setup.edition.is_simultaneous:
        owners = [player.seat for player in players if player.horde_mask]
        if not movers or movers != owners:
            raise UnreadableError(f"question {kind} to the seats {movers}; expected {owners}, who own markers there")
        return SEVERAL
    if len(movers) > 1 or bool(movers) != bool(kind):
        raise UnreadableError(f"question {message.question} to the seats {movers}; expected one seat")
    return seat_read(movers[0], setup.seats) if movers else NOBODY


def _board(message: pb.Board, players: tuple[SeatView, ...], setup: EthnosSetup) -> BoardView:
    board = BoardView.__new__(BoardView)
    board.edition = setup.edition
    board.extra = _extra(message, players, setup)
    board.age = message.age
    board.first = seat_read(message.first, setup.seats)
    board.deck = message.deck
    board.safe = message.safe
    board.dragons = message.dragons
    board.row_pack = pack_of(message.row)
    board.drawer = seat_read(message.drawer, setup.seats) if message.HasField("drawer") else NOBODY
    board.giant = seat_read(message.giant, setup.seats) if message.HasField("giant") else NOBODY
    if not 1 <= board.age <= setup.ages or not 0 <= board.safe <= board.deck or not 0 <= board.dragons <= DRAGON_COPIES:
        raise UnreadableError(
            f"Age {board.age}, {board.dragons} Dragons out, {board.safe} of {board.deck} cards of the deck safe"
        )
    return board


def _extra(message: pb.Board, players: tuple[SeatView, ...], setup: EthnosSetup) -> Extra:
    """Coins, and what Fairies need to know."""
    raccoons = RACCOONS in setup.tribe_numbers
    coins = [*NO_COINS] if raccoons else []
    for place in message.coins:
        if not raccoons or place.kingdom not in COLOURS or not set(place.values) <= set(COINS):
            raise UnreadableError(f"coins {list(place.values)} on {place.kingdom} in a match that has none such")
        coins[place.kingdom - 1] = tuple(place.values)
    given = tuple([(place.seat, place.band) for place in message.given])
    giant_band = message.giant_band if message.HasField("giant_band") else -1
    holder = message.giant if message.HasField("giant") else NOBODY
    places = [*given, (holder, giant_band)] if giant_band >= 0 else given
    for seat, band in places:
        if not 0 <= seat < len(players) or not 0 <= band < len(players[seat].band_numbers):
            raise UnreadableError(f"Band {band} of seat {seat}, which is none")
    if not 0 <= message.coins_left <= (len(COINS) if raccoons else 0):
        raise UnreadableError(f"{message.coins_left} coins in the supply")
    extra = Extra(tuple(coins), message.coins_left, given, giant_band)
    return extra if extra != NOTHING else NOTHING


def _player(message: pb.Player, seat: int, setup: EthnosSetup) -> SeatView:
    player = SeatView.__new__(SeatView)
    player.edition = setup.edition
    player.seat = seat
    player.hand_size = message.hand
    player.known_pack = pack_of(message.known)
    player.glory = message.glory
    player.supply = message.supply
    player.markers_by_colour = tuple(message.markers)
    player.merfolk = message.merfolk
    player.horde_mask = _mask(message.horde, COLOURS)
    player.troll_mask = _mask(message.trolls, TROLL_TOKENS)
    player.band_numbers = tuple([_band(band.SerializeToString()) for band in message.bands])
    numbers = (player.hand_size, player.glory, player.supply, player.merfolk, *player.markers_by_colour)
    if min(numbers) < 0 or player.merfolk > setup.edition.merfolk_last or len(player.markers_by_colour) != len(COLOURS):
        raise UnreadableError(f"seat {seat} with hand, glory, supply, merfolk, markers {numbers}")
    return player


@lru_cache(maxsize=1 << 13)
def _band(data: bytes) -> int:
    """A Band as the engine has it, from its bytes: the same ones come with every observation."""
    message = parsed(pb.Band, data)
    pack_of([message.leader])
    return message.leader | pack_of(message.cards) << 8


def _mask(places: Iterable[int], allowed: range) -> int:
    mask = 0
    for place in places:
        if place not in allowed:
            raise UnreadableError(f"{place} is no space of that board; expected {allowed[0]} to {allowed[-1]}")
        mask |= 1 << place
    return mask
