"""A match played again from what the journal kept of it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from rivalry_engine.error import RivalryError
from rivalry_server import given
from rivalry_server.blame import tamed
from rivalry_server.journal.entries import Begun, Entry, Lost, Rejected, Retried, Seated
from rivalry_server.record import Move

if TYPE_CHECKING:
    from rivalry_server.match import Match


class RestoreError(RivalryError):
    """What the journal kept of a match is not what its rules allow."""


def play_again(match: Match, entries: Sequence[Entry]) -> None:
    """Does what the journal kept, telling nobody; raises RestoreError, and BrokenGameError where the game objects to
    what it offers.
    """
    try:
        _play_again(match, entries)
    except Exception:
        raise
    except BaseException as error:
        raise tamed(match, error) from error


def _play_again(match: Match, entries: Sequence[Entry]) -> None:
    players = match.players
    match.next_round()
    waiting = list(match.movers)
    for entry in entries:
        if isinstance(entry, Move):
            if not waiting or entry.seat != waiting[0]:
                asked = f"seat {waiting[0]} was asked" if waiting else "a round is not whole or the game was over"
                raise RestoreError(f"action {len(match.moves) + 1} is of seat {entry.seat}; {asked}")
            objection = match.state.objection(entry.seat, entry.action)
            if objection is not None:
                given.check_offer(match.state, entry.seat, entry.action, given.choices(match.state, entry.seat))
                raise RestoreError(f"action {len(match.moves) + 1}: {objection.text} ({objection.code})")
            match.state.apply(entry.seat, entry.action)
            match.moves.append(entry)
            if entry.by is None:
                player = players[entry.seat]
                player.decisions += 1
                player.clock.settle(
                    player.clock.charged(
                        player.number, entry.elapsed_us, network_us=entry.network_us, arena_us=entry.arena_us
                    )
                )
            del waiting[0]
            if not waiting:
                match.next_round()
                waiting = list(match.movers)
        elif isinstance(entry, Rejected):
            players[entry.seat].rejected()
        elif isinstance(entry, Lost):
            player = players[entry.seat]
            player.end, player.text, player.fell = entry.end, entry.text, len(match.moves)
            player.sitter.stop()
        elif isinstance(entry, Retried):
            players[entry.seat].retries += 1
        else:
            assert isinstance(entry, Begun | Seated)
    if len(waiting) != len(match.movers):
        raise RestoreError(f"the round of action {len(match.moves)} is not whole")
    match.caught_up()
