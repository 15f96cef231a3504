"""What the search is told about Ethnos: a policy that weighs as ``greedy`` does, and playouts to the end of the Age."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, cast

from rivalry_bots.search.ethnos_policy import Policy
from rivalry_bots.search.ethnos_prices import Weights
from rivalry_bots.search.ethnos_value import standing
from rivalry_bots.search.fitted import fitted
from rivalry_bots.search.guide import Guide, Look
from rivalry_client.prompt import Prompt
from rivalry_engine.chance import Stream
from rivalry_engine.ethnos import question
from rivalry_engine.ethnos.actions import KEEP, pack, value, verb
from rivalry_engine.ethnos.cards import UNIT
from rivalry_engine.ethnos.game import Ethnos
from rivalry_engine.ethnos.state import EthnosState
from rivalry_engine.game import Action, Choice, Game, State
from rivalry_engine.prompt import Answer

WIDTH: Final = {question.TURN: 6, question.MARKER: 4, question.BONUS: 4, question.FURTHER: 4}
"""By question, how many answers are looked at; one for every other: the policy decides."""
FAR: Final = 1400
"""What is priced so much lower than the policy's answer is not looked at."""


class EthnosGuide(Guide):
    """Serves both editions."""

    grows_tree = False
    doubt = 700
    noise = 15_000

    def __init__(self, game: Game) -> None:
        assert isinstance(game, Ethnos)
        self._game = game
        self._policy = Policy(game.figures, Weights(fitted("ethnos_weights.json", game.seats)))
        self._age = 0

    def answers(self, prompt: Prompt, stream: Stream) -> list[Look]:
        """What the policy does, then what it likes best among the rest."""
        choices = prompt.choices
        if len(choices) == 1 and not choices[0].parts:
            return [Look(Answer(index=0), choices[0].action)]
        state = self._game.imagine(prompt.seat, prompt.observation, stream)
        prices = self._prices(prompt, state)
        action = self._policy.move(state, prompt.seat)
        found = [Look(_answer(choices, action), action, prices.get(action, 0))]
        least = found[0].price - FAR
        order = sorted(range(len(choices)), key=lambda index: (-prices.get(choices[index].action, least - 1), index))
        for index in order[: WIDTH.get(prompt.kind, 1)]:
            other = choices[index].action
            if other != action and prices.get(other, least - 1) >= least:
                found.append(Look(Answer(index=index), other, prices[other]))
        return found[: WIDTH.get(prompt.kind, 1)]

    def _prices(self, prompt: Prompt, state: EthnosState) -> dict[Action, int]:
        """What the policy believes each action to be worth."""
        prices: dict[Action, int] = {}
        if prompt.kind == question.TURN:
            self._policy.turn(state, prompt.seat, prices)
        elif prompt.kind == question.FURTHER:
            prices = self._policy.further(state, prompt.seat)
        elif prompt.kind in (question.MARKER, question.BONUS):
            marks = self._policy.marks(state, prompt.seat)
            prices = {choice.action: marks[value(choice.action)] for choice in prompt.choices}
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


def _answer(choices: Sequence[Choice], action: Action) -> Answer:
    """The answer that means ``action``."""
    if verb(action) != KEEP:
        return Answer(index=[choice.action for choice in choices].index(action))
    left = pack(action)
    chosen: list[int] = []
    for place, card in enumerate(choices[0].parts):
        if left // UNIT[card] & 15:
            left -= UNIT[card]
            chosen.append(place)
    return Answer(index=0, parts=tuple(chosen))
