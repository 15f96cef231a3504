"""Observations of Ethnos to bytes: those of the public parts are kept, the seat's own are appended.

The numbers of the fields are those of ``ethnos.proto``.  Hand-written: a message object would cost more than the rules.
"""

from __future__ import annotations

from typing import Final

from rivalry.games.ethnos.v1 import ethnos_pb2 as pb
from rivalry_engine.ethnos.data import COLOURS, TROLL_TOKENS
from rivalry_engine.ethnos.extra import NOTHING, Extra
from rivalry_engine.ethnos.sight import BoardView, EthnosObservation, SeatView
from rivalry_wire.bytewise import delimited, packed, varint
from rivalry_wire.ethnos.cards import numbers_of
from rivalry_wire.ethnos.questions import NUMBERS


def _number(message: type, name: str) -> int:
    """The number of a field, from the schema, so that a wrong table cannot outlive an import."""
    found: int = message.DESCRIPTOR.fields_by_name[name].number  # type: ignore[attr-defined]
    return found


_BOARD: Final = varint(_number(pb.Observation, "board") << 3 | 2)
_PLAYERS: Final = varint(_number(pb.Observation, "players") << 3 | 2)
_MOVERS: Final = _number(pb.Observation, "movers")
_QUESTION: Final = _number(pb.Observation, "question") << 3
_BONUS: Final = _number(pb.Observation, "bonus") << 3
_SEAT: Final = _number(pb.Observation, "seat") << 3
_HAND: Final = varint(_number(pb.Observation, "hand") << 3 | 2)

_AGE: Final = _number(pb.Board, "age") << 3
_FIRST: Final = _number(pb.Board, "first") << 3
_DECK: Final = _number(pb.Board, "deck") << 3
_SAFE: Final = _number(pb.Board, "safe") << 3
_DRAGONS: Final = _number(pb.Board, "dragons") << 3
_ROW: Final = _number(pb.Board, "row") << 3 | 2
_DRAWER: Final = _number(pb.Board, "drawer") << 3
_GIANT: Final = _number(pb.Board, "giant") << 3
_COINS: Final = _number(pb.Board, "coins")
_COINS_LEFT: Final = _number(pb.Board, "coins_left") << 3
_GIVEN: Final = _number(pb.Board, "given")
_GIANT_BAND: Final = _number(pb.Board, "giant_band") << 3

_COIN_KINGDOM: Final = _number(pb.Coins, "kingdom") << 3
_COIN_VALUES: Final = _number(pb.Coins, "values")
_GIVEN_SEAT: Final = _number(pb.BandPlace, "seat") << 3
_GIVEN_BAND: Final = _number(pb.BandPlace, "band") << 3

_HAND_SIZE: Final = _number(pb.Player, "hand") << 3
_KNOWN: Final = varint(_number(pb.Player, "known") << 3 | 2)
_GLORY: Final = _number(pb.Player, "glory") << 3
_SUPPLY: Final = _number(pb.Player, "supply") << 3
_MARKERS: Final = _number(pb.Player, "markers") << 3 | 2
_MERFOLK: Final = _number(pb.Player, "merfolk") << 3
_BANDS: Final = _number(pb.Player, "bands")

_LEADER: Final = _number(pb.Band, "leader") << 3
_BAND_CARDS: Final = _number(pb.Band, "cards")

_HORDES: Final = tuple(
    packed(_number(pb.Player, "horde"), [colour for colour in COLOURS if mask >> colour & 1]) for mask in range(128)
)
_TROLLS: Final = tuple(
    packed(_number(pb.Player, "trolls"), [value for value in TROLL_TOKENS if mask >> value & 1]) for mask in range(128)
)

_LIMIT: Final = 1 << 13
"""Tables of bytes are emptied when they are this long."""
_CARDS: Final[dict[int, bytes]] = {}
_BANDS_WRITTEN: Final[dict[int, bytes]] = {}
_QUESTIONS: Final[dict[tuple[int | tuple[int, ...], str, int, int], bytes]] = {}


class ObservationBytes:
    """The bytes of one match's observations, with those of the public parts kept by identity."""

    __slots__ = ("_band_bytes", "_bands", "_board", "_board_bytes", "_player_bytes", "_players")

    def __init__(self, seats: int) -> None:
        self._board: BoardView | None = None
        self._board_bytes = b""
        self._players: list[SeatView | None] = [None] * seats
        self._player_bytes = [b""] * seats
        self._bands: list[tuple[int, ...]] = [()] * seats
        self._band_bytes = [b""] * seats

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
                self._player_bytes[seat] = self._player(player)
        asked = seen.asked
        key = (asked if asked >= -1 else seen.movers, seen.kind, seen.bonus, seen.seat)
        question = _QUESTIONS.get(key) or _question_written(key)
        hand = seen.hand_pack
        if hand:
            return b"".join((self._board_bytes, *self._player_bytes, question, _HAND, _CARDS.get(hand) or _cards(hand)))
        return b"".join((self._board_bytes, *self._player_bytes, question))

    def _player(self, player: SeatView) -> bytes:
        seat = player.seat
        if player.band_numbers != self._bands[seat]:
            self._bands[seat] = player.band_numbers
            self._band_bytes[seat] = b"".join(
                [_BANDS_WRITTEN.get(band) or _band_written(band) for band in player.band_numbers]
            )
        known = player.known_pack
        glory = player.glory
        data = b"".join(
            (
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
                        _GLORY,
                    )
                ),
                varint(glory),
                _HORDES[player.horde_mask],
                _TROLLS[player.troll_mask],
                _KNOWN,
                _CARDS.get(known) or _cards(known),
                self._band_bytes[seat],
            )
        )
        return _PLAYERS + varint(len(data)) + data


def _question_written(key: tuple[int | tuple[int, ...], str, int, int]) -> bytes:
    """The open question and the audience; there are some hundreds of these."""
    asked, kind, bonus, seat = key
    data = b""
    if asked != -1:
        movers = (asked,) if isinstance(asked, int) else asked
        data = packed(_MOVERS, movers) + bytes((_QUESTION, NUMBERS[kind]))
    if bonus:
        data += bytes((_BONUS, bonus))
    if seat >= 0:
        data += bytes((_SEAT, seat))
    _QUESTIONS[key] = data
    return data


def _cards(pack: int) -> bytes:
    """The cards of a pack after their number."""
    cards = numbers_of(pack)
    if len(_CARDS) >= _LIMIT:
        _CARDS.clear()
    data = _CARDS[pack] = varint(len(cards)) + cards
    return data


def _board_written(board: BoardView) -> bytes:
    row = board.row_pack
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
            _ROW,
        )
    ) + (_CARDS.get(row) or _cards(row))
    if board.drawer >= 0:
        data += bytes((_DRAWER, board.drawer))
    if board.giant >= 0:
        data += bytes((_GIANT, board.giant))
    if board.extra is not NOTHING:
        data += _extra_written(board.extra)
    return _BOARD + varint(len(data)) + data


def _extra_written(extra: Extra) -> bytes:
    coins = [
        delimited(_COINS, bytes((_COIN_KINGDOM, place + 1)) + packed(_COIN_VALUES, values))
        for place, values in enumerate(extra.coins)
        if values
    ]
    given = [delimited(_GIVEN, bytes((_GIVEN_SEAT, seat, _GIVEN_BAND, number))) for seat, number in extra.given]
    data = b"".join((*coins, *given))
    if extra.coins_left:
        data += bytes((_COINS_LEFT, extra.coins_left))
    if extra.giant_band >= 0:
        data += bytes((_GIANT_BAND, extra.giant_band))
    return data


def _band_written(band: int) -> bytes:
    data = delimited(_BANDS, bytes((_LEADER, band & 255)) + packed(_BAND_CARDS, numbers_of(band >> 8)))
    if len(_BANDS_WRITTEN) >= _LIMIT:
        _BANDS_WRITTEN.clear()
    _BANDS_WRITTEN[band] = data
    return data
