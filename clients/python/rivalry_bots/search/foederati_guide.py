"""What the search is told about Foederati: playouts by ``greedy`` for a few commands, then what boards are worth."""

from __future__ import annotations

from typing import Final, cast

from rivalry_bots import settler
from rivalry_bots.search.guide import Guide
from rivalry_bots.standing import Standing
from rivalry_client.prompt import Prompt
from rivalry_engine.chance import Stream
from rivalry_engine.foederati import question
from rivalry_engine.foederati.state import FoederatiState
from rivalry_engine.game import Action, Game, State
from rivalry_engine.prompt import Answer, StatePrompt

WIDTH: Final = 5
"""How many answers are looked at."""
AHEAD: Final = 8
"""So many decisions a playout takes."""
POINT: Final = 1000
LUCK: Final = bytes(32)


class FoederatiGuide(Guide):
    """Serves every number of seats."""

    grows_tree = False
    is_trusted = True

    def __init__(self, game: Game) -> None:
        self._game = game

    def answers(self, prompt: Prompt, stream: Stream) -> list[tuple[Answer, Action]]:
        """What ``greedy`` would do, then some others by chance."""
        likely = settler.answer(prompt)
        found = {self._action(prompt, likely): likely}
        choices = prompt.choices
        if prompt.kind == question.FIRST:
            return [(likely, next(iter(found)))]
        for _ in range(4 * WIDTH):
            if len(found) == WIDTH:
                break
            index = stream.below(len(choices))
            choice = choices[index]
            parts = None
            if choice.parts:
                size = choice.least + stream.below(choice.most - choice.least + 1)
                parts = tuple(stream.sample(len(choice.parts), size))
            answer = Answer(index=index, parts=parts)
            found.setdefault(self._action(prompt, answer), answer)
        return [(answer, action) for action, answer in found.items()]

    def begin(self, state: State) -> None:
        """Nothing is kept."""

    def move(self, state: State, seat: int, luck: int) -> Action:
        prompt = cast(Prompt, StatePrompt(state, seat, number=1, luck=LUCK))
        return self._action(prompt, settler.answer(prompt))

    def is_cut(self, state: State, decisions: int) -> bool:
        return decisions >= AHEAD

    def values(self, state: State) -> list[int]:
        """Points, and what ``standing`` says of the board, as a lead over the mean of the others."""
        made = cast(FoederatiState, state)
        seats = range(made.game.seats)
        worth = [POINT * score for score in made.scores()]
        if made.movers():
            worth = [worth[seat] + Standing(made.observe(seat)).now for seat in seats]
        whole = sum(worth)
        return [own - (whole - own) // (len(worth) - 1) for own in worth]

    def _action(self, prompt: Prompt, answer: Answer) -> Action:
        assert answer.index is not None
        choice = prompt.choices[answer.index]
        return choice.action if answer.parts is None else self._game.fill(choice, answer.parts)
