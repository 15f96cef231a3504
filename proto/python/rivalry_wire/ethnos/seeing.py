"""Observations of Ethnos from bytes."""

from __future__ import annotations

from collections.abc import Iterable

from rivalry.games.ethnos.v1 import ethnos_pb2 as pb
from rivalry_engine.ethnos.data import COLOURS, MERFOLK_LAST, TROLL_TOKENS
from rivalry_engine.ethnos.sight import BoardView, EthnosObservation, EthnosSetup, SeatView
from rivalry_wire.ethnos.cards import pack_of
from rivalry_wire.ethnos.questions import WORDS
from rivalry_wire.reading import UnreadableError, audience_read, parsed, seat_read

NOBODY = -1


def observation_read(data: bytes, setup: EthnosSetup) -> EthnosObservation:
    """The observation in the match of ``setup``; raises UnreadableError."""
    message = parsed(pb.Observation, data)
    if len(message.players) != setup.seats:
        raise UnreadableError(f"an observation of {len(message.players)} players; expected {setup.seats}")
    if message.question not in WORDS:
        raise UnreadableError(f"question {message.question} is not known here")
    if len(message.movers) > 1 or bool(message.movers) != bool(message.question):
        raise UnreadableError(f"question {message.question} to the seats {list(message.movers)}; expected one seat")
    return EthnosObservation(
        setup,
        _board(message.board, setup),
        tuple([_player(player, seat) for seat, player in enumerate(message.players)]),
        audience_read(message, setup.seats),
        pack_of(message.hand),
        seat_read(message.movers[0], setup.seats) if message.movers else NOBODY,
        WORDS[message.question],
        message.bonus,
    )


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
    player.band_numbers = tuple([_band(band) for band in message.bands])
    numbers = (player.hand_size, player.glory, player.supply, player.merfolk, *player.markers_by_colour)
    if min(numbers) < 0 or player.merfolk > MERFOLK_LAST or len(player.markers_by_colour) != len(COLOURS):
        raise UnreadableError(f"seat {seat} with hand, glory, supply, merfolk, markers {numbers}")
    return player


def _band(message: pb.Band) -> int:
    pack = pack_of(message.cards)
    pack_of([message.leader])
    return message.leader | pack << 8


def _mask(places: Iterable[int], allowed: range) -> int:
    mask = 0
    for place in places:
        if place not in allowed:
            raise UnreadableError(f"{place} is no space of that board; expected {allowed[0]} to {allowed[-1]}")
        mask |= 1 << place
    return mask
