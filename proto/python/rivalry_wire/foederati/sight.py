"""Observations of Foederati to bytes: those of parts that did not change are kept, the seat's own are appended."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from rivalry.games.foederati.v1 import foederati_pb2 as pb
from rivalry_engine.foederati import packs
from rivalry_engine.foederati.sight import BoardView, FoederatiObservation, SeatView, TurnView, seats_of
from rivalry_engine.foederati.squares import listed
from rivalry_wire.bytewise import packed, varint
from rivalry_wire.foederati.questions import NUMBERS


def _number(name: str) -> int:
    """The number of a field of Observation, from the schema."""
    found: int = pb.Observation.DESCRIPTOR.fields_by_name[name].number
    return found


_SEAT: Final = varint(_number("seat") << 3)
_MOVERS: Final = _number("movers")
_QUESTION: Final = varint(_number("question") << 3)
_HAND: Final = _number("hand")
_KEPT: Final = _number("kept")


class ObservationBytes:
    """The bytes of one match's observations, with those of the public parts kept by identity."""

    __slots__ = ("_board", "_board_bytes", "_player_bytes", "_players", "_turn", "_turn_bytes")

    def __init__(self) -> None:
        self._board: BoardView | None = None
        self._board_bytes = b""
        self._turn: TurnView | None = None
        self._turn_bytes = b""
        self._players: list[SeatView | None] = []
        self._player_bytes: list[bytes] = []

    def of(self, seen: FoederatiObservation) -> bytes:
        """``Observation``."""
        if seen.board is not self._board:
            self._board = seen.board
            self._board_bytes = pb.Observation(board=_board(seen.board)).SerializeToString()
        if seen.turn is not self._turn:
            self._turn = seen.turn
            self._turn_bytes = pb.Observation(turn=_turn(seen.turn)).SerializeToString()
        if len(self._players) != len(seen.seats):
            self._players = [None] * len(seen.seats)
            self._player_bytes = [b""] * len(seen.seats)
        for seat, player in enumerate(seen.seats):
            if player is not self._players[seat]:
                self._players[seat] = player
                self._player_bytes[seat] = pb.Observation(players=[_player(player)]).SerializeToString()
        own = b"" if seen.seat < 0 else _SEAT + varint(seen.seat)
        return b"".join(
            (
                own,
                _question(seen.asked, seen.kind),
                self._board_bytes,
                self._turn_bytes,
                *self._player_bytes,
                _cards(_HAND, seen.hand_pack),
                _cards(_KEPT, seen.kept_pack),
            )
        )


@lru_cache(maxsize=256)
def _question(asked: int, kind: str) -> bytes:
    if asked < 0:
        return b""
    return packed(_MOVERS, (asked,)) + _QUESTION + varint(NUMBERS[kind])


@lru_cache(maxsize=1 << 12)
def _cards(field: int, pack: int) -> bytes:
    return packed(field, packs.listed(pack))


def _board(board: BoardView) -> pb.Board:
    return pb.Board(
        round=board.round,
        first=board.first,
        foundings=[pb.Founding(country=each.country, seat=each.seat, round=each.round) for each in board.foundings],
        passed=seats_of(board.passed_mask),
        stall=board.stall,
        stirred=board.stirred,
        end_trigger=board.end_trigger,
        triggers=seats_of(board.triggers_mask),
        reshuffles=board.reshuffles,
        pool=packs.listed(board.pool_pack) if board.reshuffles else (),
    )


def _turn(turn: TurnView) -> pb.Turn:
    message = pb.Turn(
        used=turn.used,
        moved_once=turn.moved_once,
        moved=listed(turn.moved_mask),
        acted=turn.acted,
        attacked=seats_of(turn.attacked_mask),
        discard=packs.listed(turn.discard_pack),
        pile=turn.pile,
    )
    if turn.active >= 0:
        message.active = turn.active
    if turn.target >= 0:
        message.battle.target = turn.target
        message.battle.defender = turn.defender
        message.battle.attack = turn.attack
        message.battle.defence = turn.defence
        for seat, card in turn.played_cards:
            message.battle.played.add(seat=seat, card=card)
    return message


def _player(player: SeatView) -> pb.Player:
    return pb.Player(
        position=player.position,
        supply=player.supply,
        lost=player.lost,
        shields=listed(player.shields_mask),
        hand=player.hand_size,
        since=player.since,
    )
