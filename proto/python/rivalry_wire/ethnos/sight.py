"""Observations of Ethnos to bytes: those of the public parts are kept, the seat's own are appended.

The numbers of the fields are those of ``ethnos.proto``.  Hand-written: a message object would cost more than the rules.
"""

from __future__ import annotations

from typing import Final

from rivalry.games.ethnos.v1 import ethnos_pb2 as pb
from rivalry_engine.ethnos.cards import listed
from rivalry_engine.ethnos.data import COLOURS, TROLL_TOKENS
from rivalry_engine.ethnos.sight import BoardView, EthnosObservation, SeatView
from rivalry_wire.bytewise import delimited, packed, varint
from rivalry_wire.ethnos.questions import NUMBERS


def _number(message: type, name: str) -> int:
    """The number of a field, from the schema, so that a wrong table cannot outlive an import."""
    found: int = message.DESCRIPTOR.fields_by_name[name].number  # type: ignore[attr-defined]
    return found


_BOARD: Final = _number(pb.Observation, "board")
_PLAYERS: Final = _number(pb.Observation, "players")
_MOVERS: Final = _number(pb.Observation, "movers")
_QUESTION: Final = _number(pb.Observation, "question") << 3
_BONUS: Final = _number(pb.Observation, "bonus") << 3
_SEAT: Final = _number(pb.Observation, "seat") << 3
_HAND: Final = _number(pb.Observation, "hand") << 3 | 2

_AGE: Final = _number(pb.Board, "age") << 3
_FIRST: Final = _number(pb.Board, "first") << 3
_DECK: Final = _number(pb.Board, "deck") << 3
_SAFE: Final = _number(pb.Board, "safe") << 3
_DRAGONS: Final = _number(pb.Board, "dragons") << 3
_ROW: Final = _number(pb.Board, "row") << 3 | 2
_DRAWER: Final = _number(pb.Board, "drawer") << 3
_GIANT: Final = _number(pb.Board, "giant") << 3

_HAND_SIZE: Final = _number(pb.Player, "hand") << 3
_KNOWN: Final = _number(pb.Player, "known") << 3 | 2
_GLORY: Final = bytes([_number(pb.Player, "glory") << 3])
_SUPPLY: Final = _number(pb.Player, "supply") << 3
_MARKERS: Final = _number(pb.Player, "markers") << 3 | 2
_MERFOLK: Final = _number(pb.Player, "merfolk") << 3
_BANDS: Final = _number(pb.Player, "bands")

_HORDES: Final = tuple(
    packed(_number(pb.Player, "horde"), [colour for colour in COLOURS if mask >> colour & 1]) for mask in range(128)
)
_TROLLS: Final = tuple(
    packed(_number(pb.Player, "trolls"), [value for value in TROLL_TOKENS if mask >> value & 1]) for mask in range(128)
)

_BANDS_LIMIT: Final = 1 << 13
_BAND_BYTES: Final[dict[int, bytes]] = {}
_ASKED: Final[dict[tuple[int, str, int, int], bytes]] = {}


class ObservationBytes:
    """The bytes of one match's observations, with those of the public parts kept by identity."""

    __slots__ = ("_board", "_board_bytes", "_player_bytes", "_players")

    def __init__(self, seats: int) -> None:
        self._board: BoardView | None = None
        self._board_bytes = b""
        self._players: list[SeatView | None] = [None] * seats
        self._player_bytes = [b""] * seats

    def of(self, seen: EthnosObservation) -> bytes:
        """``Observation``."""
        board = seen.board
        if board is not self._board:
            self._board = board
            self._board_bytes = _board_written(board)
        kept = self._players
        for seat, player in enumerate(seen.seats):
            if player is not kept[seat]:
                kept[seat] = player
                self._player_bytes[seat] = _player_written(player)
        key = (seen.asked, seen.kind, seen.bonus, seen.seat)
        asked = _ASKED.get(key) or _asked_written(key)
        pack = seen.hand_pack
        if not pack:
            return b"".join((self._board_bytes, *self._player_bytes, asked))
        hand = bytes(listed(pack))
        return b"".join((self._board_bytes, *self._player_bytes, asked, bytes((_HAND, len(hand))), hand))


def _asked_written(key: tuple[int, str, int, int]) -> bytes:
    """The open question and the audience; there are some hundreds of these."""
    asked, kind, bonus, seat = key
    data = packed(_MOVERS, (asked,)) + bytes((_QUESTION, NUMBERS[kind])) if asked >= 0 else b""
    if bonus:
        data += bytes((_BONUS, bonus))
    if seat >= 0:
        data += bytes((_SEAT, seat))
    _ASKED[key] = data
    return data


def _board_written(board: BoardView) -> bytes:
    row = bytes(listed(board.row_pack))
    data = bytes(
        (
            _AGE,
            board.age,
            _FIRST,
            board.first,
            _DECK,
            board.deck,
            _SAFE,
            board.safe,
            _DRAGONS,
            board.dragons,
        )
    )
    if row:
        data += bytes((_ROW, len(row))) + row
    if board.drawer >= 0:
        data += bytes((_DRAWER, board.drawer))
    if board.giant >= 0:
        data += bytes((_GIANT, board.giant))
    return delimited(_BOARD, data)


def _player_written(player: SeatView) -> bytes:
    known = bytes(listed(player.known_pack))
    parts = [
        bytes(
            (
                _HAND_SIZE,
                player.hand_size,
                _SUPPLY,
                player.supply,
                _MERFOLK,
                player.merfolk,
                _MARKERS,
                6,
                *player.markers_by_colour,
            )
        ),
        _GLORY,
        varint(player.glory),
        _HORDES[player.horde_mask],
        _TROLLS[player.troll_mask],
    ]
    if known:
        parts += (bytes((_KNOWN, len(known))), known)
    for band in player.band_numbers:
        parts.append(_BAND_BYTES.get(band) or _band_written(band))
    return delimited(_PLAYERS, b"".join(parts))


def _band_written(band: int) -> bytes:
    data = packed(2, listed(band >> 8))
    if band & 255:
        data = bytes((8, band & 255)) + data
    if len(_BAND_BYTES) >= _BANDS_LIMIT:
        _BAND_BYTES.clear()
    data = _BAND_BYTES[band] = delimited(_BANDS, data)
    return data
