"""Observations of Ethnos from bytes."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from rivalry.games.ethnos.v1 import ethnos_pb2 as pb
from rivalry_engine.ethnos.data import COLOURS, MERFOLK_LAST, TROLL_TOKENS
from rivalry_engine.ethnos.question import ABOUT_A_BAND
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
        if len(message.movers) > 1 or bool(message.movers) != bool(message.question):
            raise UnreadableError(f"question {message.question} to the seats {list(message.movers)}; expected one seat")
        players = tuple([self._player(player, seat) for seat, player in enumerate(message.players)])
        seat = audience_read(message, setup.seats)
        asked = seat_read(message.movers[0], setup.seats) if message.movers else NOBODY
        kind = WORDS[message.question]
        if len(message.hand) != (0 if seat == PUBLIC else players[seat].hand_size):
            raise UnreadableError(f"a hand of {len(message.hand)} cards for {seat}, whose player has another number")
        if kind in ABOUT_A_BAND and not players[asked].band_numbers:
            raise UnreadableError(f"question {kind} to seat {asked}, which has no Band that it could be about")
        board = _board(message.board, setup)
        return EthnosObservation(setup, board, players, seat, pack_of(message.hand), asked, kind, message.bonus)

    def _player(self, message: pb.Player, seat: int) -> SeatView:
        data = message.SerializeToString()
        kept = self._kept[seat]
        if kept is not None and kept[0] == data:
            return kept[1]
        player = _player(message, seat)
        self._kept[seat] = (data, player)
        return player


def _board(message: pb.Board, setup: EthnosSetup) -> BoardView:
    board = BoardView.__new__(BoardView)
    board.age = message.age
    board.first = seat_read(message.first, setup.seats)
    board.deck = message.deck
    board.safe = message.safe
    board.dragons = message.dragons
    board.row_pack = pack_of(message.row)
    board.drawer = seat_read(message.drawer, setup.seats) if message.HasField("drawer") else NOBODY
    board.giant = seat_read(message.giant, setup.seats) if message.HasField("giant") else NOBODY
    if not 1 <= board.age <= setup.ages or not 0 <= board.safe <= board.deck or not 0 <= board.dragons <= 3:
        raise UnreadableError(
            f"Age {board.age}, {board.dragons} Dragons out, {board.safe} of {board.deck} cards of the deck safe"
        )
    return board


def _player(message: pb.Player, seat: int) -> SeatView:
    player = SeatView.__new__(SeatView)
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
    if min(numbers) < 0 or player.merfolk > MERFOLK_LAST or len(player.markers_by_colour) != len(COLOURS):
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
