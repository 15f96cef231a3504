"""What the search is told about Foederati: a policy that weighs as ``greedy`` does, and playouts by it for a round."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, cast

from rivalry_bots.search.fitted import fitted
from rivalry_bots.search.foederati_policy import Policy
from rivalry_bots.search.foederati_worth import POINT, Weights
from rivalry_bots.search.guide import Guide, Look
from rivalry_client.prompt import Prompt
from rivalry_engine.chance import Stream
from rivalry_engine.foederati import actions, question
from rivalry_engine.foederati.actions import CARD_PART
from rivalry_engine.foederati.game import Foederati
from rivalry_engine.foederati.state import FoederatiState
from rivalry_engine.game import Action, Choice, Game, State
from rivalry_engine.prompt import Answer

WIDTH: Final = 8
"""How many answers are looked at."""
FAR: Final = 3000
"""What is priced so much lower than the policy's answer is not looked at."""
AHEAD: Final = 60
"""So many decisions a playout takes at most."""
WITH_OTHER: Final = (actions.EXPAND, actions.MIGRATE, actions.SAIL, actions.CHOOSE_FIRST)
PLACED: Final = 6
"""In the initial placement, so many."""


class FoederatiGuide(Guide):
    """Serves every number of seats."""

    grows_tree = False
    doubt = 1000
    noise = 8_000

    def __init__(self, game: Game) -> None:
        assert isinstance(game, Foederati)
        self._policy = Policy(game, Weights(fitted("foederati_weights.json", game.seats)))
        self._begun = (0, 0)

    def answers(self, prompt: Prompt, stream: Stream) -> list[Look]:
        """What the policy does, then what it likes best among the rest."""
        choices = prompt.choices
        if len(choices) == 1 and not choices[0].parts:
            return [Look(Answer(index=0), choices[0].action)]
        state = prompt.game.imagine(prompt.seat, prompt.observation, stream)
        assert isinstance(state, FoederatiState)
        prices: dict[Action, int] = {}
        action = self._policy.weighed(state, prompt.seat, prices)
        top = prices[action]
        order = sorted(prices, key=lambda each: (-prices[each], each))
        looks = [action, *[each for each in order[:WIDTH] if each != action and prices[each] >= top - FAR]]
        return [Look(_answer(choices, each), each, prices[each]) for each in looks[:WIDTH]]

    def begin(self, state: State) -> None:
        """The playout stops when this turn's player has the next one."""
        made = cast(FoederatiState, state)
        self._begun = (made.round, made.active)

    def move(self, state: State, seat: int, luck: int) -> Action:
        return self._policy.move(cast(FoederatiState, state), seat)

    def is_cut(self, state: State, decisions: int) -> bool:
        made = cast(FoederatiState, state)
        if not self._begun[0]:
            return decisions >= PLACED
        if made.round != self._begun[0] and made.active == self._begun[1] and not made.acted:
            return True
        return decisions >= AHEAD

    def values(self, state: State) -> list[int]:
        """Points, as a lead over the mean of the others, and what the board is worth."""
        made = cast(FoederatiState, state)
        scores, goes_on = made.positions, made.kind != question.OVER
        whole, seats = sum(scores), len(scores)
        return [
            POINT * own - POINT * (whole - own) // (seats - 1)
            + (self._policy.worth(made, seat).now if goes_on else 0)
            for seat, own in enumerate(scores)
        ]  # fmt: skip


def _answer(choices: Sequence[Choice], action: Action) -> Answer:
    """The answer that means ``action``."""
    verb, other = actions.verb(action), actions.other(action)
    where, pack = actions.square(action), actions.pack(action)
    for index, choice in enumerate(choices):
        if actions.verb(choice.action) != verb:
            continue
        if verb == actions.ATTACK and actions.square(choice.action) != where:
            continue
        if verb in WITH_OTHER and actions.other(choice.action) != other:
            continue
        if not choice.parts:
            return Answer(index=index)
        if choice.parts[0] < CARD_PART:
            return Answer(index=index, parts=(choice.parts.index(where),))
        chosen: list[int] = []
        for place, part in enumerate(choice.parts):
            if pack >> 8 * (part - CARD_PART) & 255:
                pack -= 1 << 8 * (part - CARD_PART)
                chosen.append(place)
        return Answer(index=index, parts=tuple(chosen))
    raise AssertionError(f"{action} is offered by no choice")
