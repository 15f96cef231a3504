"""What the search is told about Ethnos: playouts by ``greedy``'s way of weighing, to the end of the Age."""

from __future__ import annotations

from typing import Final, cast

from rivalry_bots.greedy import GreedyBot
from rivalry_bots.search.ethnos_policy import Policy
from rivalry_bots.search.ethnos_value import standing
from rivalry_bots.search.guide import Guide
from rivalry_client.prompt import Prompt
from rivalry_engine.chance import Stream
from rivalry_engine.ethnos import question
from rivalry_engine.ethnos.game import Ethnos
from rivalry_engine.ethnos.state import EthnosState
from rivalry_engine.game import Action, Game, State
from rivalry_engine.prompt import Answer

WIDTH: Final = {question.TURN: 6, question.MARKER: 4, question.BONUS: 4, question.FURTHER: 4}
"""By question, how many answers are looked at; one for every other: the playout's policy decides."""


class EthnosGuide(Guide):
    """Serves both editions."""

    grows_tree = False
    is_trusted = True

    def __init__(self, game: Game) -> None:
        assert isinstance(game, Ethnos)
        self._game = game
        self._greedy = GreedyBot()
        self._policy = Policy(game.figures)
        self._age = 0

    def answers(self, prompt: Prompt, stream: Stream) -> list[tuple[Answer, Action]]:
        """What ``greedy`` would do, then what the playout's policy likes best."""
        likely = Answer.of(self._greedy.choose(prompt))
        assert likely.index is not None
        choices = prompt.choices
        choice = choices[likely.index]
        action = choice.action if likely.parts is None else self._game.fill(choice, likely.parts)
        found = [(likely, action)]
        width = WIDTH.get(prompt.kind, 1)
        if width == 1 or len(choices) == 1:
            return found
        prices = self._prices(prompt, stream)
        order = sorted(range(len(choices)), key=lambda index: (-prices.get(choices[index].action, 0), index))
        for index in order[:width]:
            if index != likely.index and len(found) < width:
                found.append((Answer(index=index), choices[index].action))
        return found

    def _prices(self, prompt: Prompt, stream: Stream) -> dict[Action, int]:
        if prompt.kind != question.TURN:
            return {}
        state = self._game.imagine(prompt.seat, prompt.observation, stream)
        prices: dict[Action, int] = {}
        self._policy.turn(state, prompt.seat, prices)
        return prices

    def begin(self, state: State) -> None:
        """The playout stops when this Age is over."""
        self._age = cast(EthnosState, state).age

    def move(self, state: State, seat: int, luck: int) -> Action:
        return self._policy.move(cast(EthnosState, state), seat)

    def is_cut(self, state: State, decisions: int) -> bool:
        made = cast(EthnosState, state)
        return made.age != self._age or made.kind == question.EMPTY

    def values(self, state: State) -> list[int]:
        """The lead over the others: half over the best of them, half over their mean."""
        worth = standing(cast(EthnosState, state))
        whole, seats = sum(worth), len(worth)
        return [
            own - (max(worth[:seat] + worth[seat + 1 :]) + (whole - own) // (seats - 1)) // 2
            for seat, own in enumerate(worth)
        ]
