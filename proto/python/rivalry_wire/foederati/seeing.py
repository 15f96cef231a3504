"""Observations of Foederati from bytes."""

from __future__ import annotations

from rivalry.games.foederati.v1 import foederati_pb2 as pb
from rivalry_engine.foederati import question
from rivalry_engine.foederati.maps import Map
from rivalry_engine.foederati.sight import (
    BoardView,
    FoederatiObservation,
    FoederatiSetup,
    Founding,
    SeatView,
    TurnView,
)
from rivalry_engine.game import PUBLIC
from rivalry_wire.foederati.packs import mask_of, pack_of, square_of
from rivalry_wire.foederati.questions import WORDS
from rivalry_wire.reading import UnreadableError, audience_read, parsed, seat_read

NOBODY = -1
TRIGGERS = 5
"""Triggers are 1 to 4."""


class ObservationReader:
    """Reads the observations of one match; a player who did not change is the same object as before."""

    __slots__ = ("_kept",)

    def __init__(self, seats: int) -> None:
        self._kept: list[tuple[bytes, SeatView] | None] = [None] * seats

    def of(self, data: bytes, setup: FoederatiSetup) -> FoederatiObservation:
        """The observation in the match of ``setup``; raises UnreadableError."""
        message = parsed(pb.Observation, data)
        board = setup.map
        if len(message.players) != setup.seats:
            raise UnreadableError(f"an observation of {len(message.players)} players; expected {setup.seats}")
        if message.question not in WORDS:
            raise UnreadableError(f"question {message.question} is not known here")
        if len(message.movers) > 1 or bool(message.movers) != bool(message.question):
            raise UnreadableError(f"question {message.question} to the seats {list(message.movers)}; expected one seat")
        players = tuple([self._player(player, seat, board) for seat, player in enumerate(message.players)])
        _check_squares(players)
        seat = audience_read(message, setup.seats)
        hand = pack_of(message.hand, board)
        if len(message.hand) != (0 if seat == PUBLIC else players[seat].hand_size):
            raise UnreadableError(f"a hand of {len(message.hand)} cards for {seat}, whose player has another number")
        asked = seat_read(message.movers[0], setup.seats) if message.movers else NOBODY
        kind = WORDS[message.question]
        if (kind == question.BATTLE) != message.turn.HasField("battle"):
            raise UnreadableError(f"question {kind!r} with{'' if kind != question.BATTLE else 'out'} a battle")
        return FoederatiObservation(
            setup,
            _board(message.board, setup),
            _turn(message.turn, setup),
            players,
            seat,
            hand,
            pack_of(message.kept, board),
            asked,
            kind,
        )

    def _player(self, message: pb.Player, seat: int, board: Map) -> SeatView:
        data = message.SerializeToString()
        kept = self._kept[seat]
        if kept is not None and kept[0] == data:
            return kept[1]
        player = _player(message, seat, board)
        self._kept[seat] = (data, player)
        return player


def _check_squares(players: tuple[SeatView, ...]) -> None:
    taken = 0
    for player in players:
        if taken & player.shields_mask:
            raise UnreadableError(f"seat {player.seat} has a shield where another one stands")
        taken |= player.shields_mask


def _board(message: pb.Board, setup: FoederatiSetup) -> BoardView:
    board = BoardView.__new__(BoardView)
    board.map = setup.map
    board.round = message.round
    board.first = seat_read(message.first, setup.seats)
    board.foundings = tuple([_founding(each, order, setup) for order, each in enumerate(message.foundings)])
    board.passed_mask = mask_of(message.passed, below=setup.seats, what="seat")
    board.stall = message.stall
    board.stirred = message.stirred
    board.end_trigger = message.end_trigger
    board.triggers_mask = mask_of(message.triggers, below=TRIGGERS, what="trigger")
    board.reshuffles = message.reshuffles
    board.pool_pack = pack_of(message.pool, setup.map) if message.reshuffles else setup.map.deck_pack
    if min(board.round, board.stall, board.reshuffles) < 0 or not 0 <= board.end_trigger < TRIGGERS:
        raise UnreadableError(
            f"round {board.round}, stall {board.stall}, reshuffles {board.reshuffles}, end trigger {board.end_trigger}"
        )
    return board


def _founding(message: pb.Founding, order: int, setup: FoederatiSetup) -> Founding:
    if not 0 <= message.country < len(setup.map.countries):
        raise UnreadableError(f"country {message.country}; expected 0 to {len(setup.map.countries) - 1}")
    return Founding(message.country, seat_read(message.seat, setup.seats), order, message.round)


def _turn(message: pb.Turn, setup: FoederatiSetup) -> TurnView:
    turn = TurnView.__new__(TurnView)
    board = turn.map = setup.map
    turn.active = seat_read(message.active, setup.seats) if message.HasField("active") else NOBODY
    turn.used = message.used
    turn.moved_once = message.moved_once
    turn.moved_mask = mask_of(message.moved)
    turn.acted = message.acted
    turn.attacked_mask = mask_of(message.attacked, below=setup.seats, what="seat")
    turn.discard_pack = pack_of(message.discard, board)
    turn.pile = message.pile
    turn.target = turn.defender = NOBODY
    turn.attack = turn.defence = 0
    turn.played_cards = ()
    if message.HasField("battle"):
        battle = message.battle
        turn.target = square_of(battle.target)
        turn.defender = seat_read(battle.defender, setup.seats)
        turn.attack, turn.defence = battle.attack, battle.defence
        for played in battle.played:
            pack_of((played.card,), board)
        turn.played_cards = tuple([(seat_read(played.seat, setup.seats), played.card) for played in battle.played])
    if min(turn.used, turn.attack, turn.defence) < 0 or not 0 <= turn.pile <= len(board.deck):
        raise UnreadableError(f"{turn.used} actions used, strengths {turn.attack} and {turn.defence}, pile {turn.pile}")
    return turn


def _player(message: pb.Player, seat: int, board: Map) -> SeatView:
    player = SeatView.__new__(SeatView)
    player.map = board
    player.seat = seat
    player.position = message.position
    player.supply = message.supply
    player.lost = message.lost
    player.shields_mask = mask_of(message.shields)
    player.hand_size = message.hand
    player.since = tuple(message.since)
    pack_of([entry for entry in player.since if entry >= 0 and len(player.since) < len(board.deck)], board)
    numbers = (player.position, player.supply, player.lost, player.hand_size)
    if min(numbers) < 0 or player.hand_size > len(board.deck):
        raise UnreadableError(f"seat {seat} with position, supply, lost, hand {numbers}")
    return player
