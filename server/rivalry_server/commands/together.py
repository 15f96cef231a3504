"""Several spectators of one match as one, and the one that introduces bots in this process to their match."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from rivalry_engine.chance import luck
from rivalry_engine.event import Seen
from rivalry_engine.game import Game
from rivalry_engine.prompt import StatePrompt
from rivalry_server.match import MatchSpec, Player
from rivalry_server.seat import InProcess
from rivalry_server.seating import Occupant
from rivalry_server.spectator import Spectator

if TYPE_CHECKING:
    from rivalry_server.outcome import End, Result
    from rivalry_server.record import Move


class Together(Spectator):
    """Passes on what it is told, in order."""

    def __init__(self, spectators: Sequence[Spectator]) -> None:
        self._all = tuple(spectators)
        self.wants_prompts = any(each.wants_prompts for each in self._all)

    def seated(self, seat: int, name: str, version: str) -> None:
        for each in self._all:
            each.seated(seat, name, version)

    def started(self, game: Game, match_id: str, players: list[Player]) -> None:
        for each in self._all:
            each.started(game, match_id, players)

    def asked(self, seat: int, number: int) -> None:
        for each in self._all:
            each.asked(seat, number)

    def prompted(self, prompt: StatePrompt) -> None:
        for each in self._all:
            if each.wants_prompts:
                each.prompted(prompt)

    def acted(self, move: Move) -> None:
        for each in self._all:
            each.acted(move)

    def happened(self, seen: Seen) -> None:
        for each in self._all:
            each.happened(seen)

    def failed(self, seat: int, end: End, text: str) -> None:
        for each in self._all:
            each.failed(seat, end, text)

    def ended(self, result: Result) -> None:
        for each in self._all:
            each.ended(result)


class Introduction(Spectator):
    """Tells the bots in this process who plays and what is public, as the wire tells the others."""

    def __init__(self, spec: MatchSpec, occupants: Sequence[Occupant]) -> None:
        self._spec = spec
        self._occupants = occupants

    def started(self, game: Game, match_id: str, players: list[Player]) -> None:
        from rivalry_client.local import LocalBot
        from rivalry_client.match import LocalMatch
        from rivalry_client.match import Player as Named

        spec = self._spec
        state = game.new_state(spec.seed) if spec.position is None else game.state_at(spec.position)
        setup = state.setup()
        named = [Named(player.seat, player.sitter.name, player.sitter.version) for player in players]
        for seat, occupant in enumerate(self._occupants):
            if isinstance(occupant, InProcess) and isinstance(occupant.choose, LocalBot):
                occupant.choose.started(
                    LocalMatch(game, seat=seat, players=named, luck=luck(spec.seed, seat), setup=setup, id=match_id)
                )


def spectator(spec: MatchSpec, occupants: Sequence[Occupant], views: Sequence[Spectator]) -> Spectator | None:
    """Who follows a match: the views, and the introduction where bots play in this process; None for nobody."""
    all_of_them = list(views)
    if any(isinstance(occupant, InProcess) for occupant in occupants):
        all_of_them.insert(0, Introduction(spec, occupants))
    if len(all_of_them) > 1:
        return Together(all_of_them)
    return all_of_them[0] if all_of_them else None
