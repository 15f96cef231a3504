"""What a person sees of a match while it runs: its moves, its prompts.  All of it goes to stderr."""

from __future__ import annotations

import sys
from time import sleep
from typing import TYPE_CHECKING, Final

from rivalry_engine.event import Seen
from rivalry_engine.game import Game, State
from rivalry_engine.prompt import StatePrompt
from rivalry_server.commands import output, story
from rivalry_server.commands.asking import asked
from rivalry_server.match_spec import MatchSpec
from rivalry_server.player import Player
from rivalry_server.spectator import Spectator
from rivalry_server.words import failure

if TYPE_CHECKING:
    from rich.console import Console

    from rivalry_server.outcome import End
    from rivalry_server.record import Move

PACE_S: Final = 0.015
COLOURS: Final = ("cyan", "green", "yellow", "magenta", "blue", "red")


class Live(Spectator):
    """A line a move as it is made, in the seat's colour on a terminal.

    ``pace_s`` is waited after each line, when no prompt is open and no clock runs: a match is faster than the eye.
    """

    def __init__(self, spec: MatchSpec, *, pace_s: float | None = None) -> None:
        terminal = output.on_terminal(sys.stderr)
        self._pace_s = pace_s if pace_s is not None else PACE_S if terminal else 0.0
        with asked(spec.game):
            self._state: State = (
                spec.game.new_state(spec.seed) if spec.position is None else spec.game.state_at(spec.position)
            )
        self._names: list[str] = []
        self._moves = 0
        self._console: Console | None = None
        if terminal:
            from rich.console import Console

            self._console = Console(stderr=True, highlight=False, markup=False)

    def seated(self, seat: int, name: str, version: str) -> None:
        self._line(seat, f"seat {seat} is taken by {name} {version}".rstrip())

    def started(self, game: Game, match_id: str, players: list[Player]) -> None:
        self._names = [player.sitter.name for player in players]
        self._line(None, f"match {match_id} of {game.title or game.name} begins")

    def acted(self, move: Move) -> None:
        state = self._state
        before = state.scores()
        state.apply(move.seat, move.action)
        self._moves += 1
        self._line(
            move.seat,
            story.line(
                self._moves,
                move.seat,
                state.game.text(move.action),
                name=self._names[move.seat],
                stood_in=move.by is not None,
                before=before,
                after=state.scores(),
                unit=state.game.score_unit,
            ),
        )
        if self._pace_s:
            sleep(self._pace_s)

    def happened(self, seen: Seen) -> None:
        game = self._state.game
        try:
            text = None if game.is_echo(seen) else story.consequence(game, seen)
        except Exception as error:  # the match goes on without these words
            text = f"{story.MARGIN}{seen.kind} (the game {game.name} failed to put it into words: {failure(error)})"
        if text is not None:
            self._line(None, text, style="dim")

    def failed(self, seat: int, end: End, text: str) -> None:
        self._line(seat, f"seat {seat} is out ({end}): {text}")

    def retried(self, seat: int, end: End, text: str, number: int) -> None:
        self._line(seat, f"seat {seat} failed ({end}): {text}; its bot is started or awaited again ({number})")

    def _line(self, seat: int | None, text: str, *, style: str = "bold") -> None:
        if self._console is None:
            output.tell(text)
        else:
            colour = style if seat is None else COLOURS[seat % len(COLOURS)]
            self._console.print(output.wrapped(output.visible(text), sys.stderr), style=colour, soft_wrap=True)


class Prompts(Spectator):
    """Every prompt with all that its seat may know: for the author of a bot."""

    wants_prompts = True

    def prompted(self, prompt: StatePrompt) -> None:
        output.tell(f"prompt {prompt.number} of seat {prompt.seat}: {prompt.kind}")
        output.tell(output.written(prompt.observation.json()))
        for index, (text, (_, least, most, usual)) in enumerate(zip(prompt.texts(), prompt.shapes(), strict=True)):
            parts = ", ".join(prompt.part_texts(index))
            hole = f"  ({least} to {most} of {parts}; usually {usual})" if parts else ""
            output.tell(f"  {index}: {text}{hole}")
