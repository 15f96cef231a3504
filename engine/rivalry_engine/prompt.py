"""The question to a seat and the answer to it, the same in process and over the wire."""

from __future__ import annotations

import operator
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from rivalry_engine.chance import Stream
from rivalry_engine.error import NotationError, RivalryError
from rivalry_engine.event import Seen
from rivalry_engine.game import Action, Choice, Game, Objection, Observation, State

EXPECTED: Final = "the number of a choice, notation such as 'pass', or prompt.answer(…)"
"""What a bot may answer, in words."""


@dataclass(frozen=True, slots=True)
class Answer:
    """A bot's reply: a choice's number, perhaps with parts; or an action; or its notation.

    ``parts`` None takes the choice's usual parts; a tuple, the empty one included, takes just those.
    """

    index: int | None = None
    parts: tuple[int, ...] | None = None
    action: Action | None = None
    text: str | None = None
    note: str = ""

    @staticmethod
    def of(value: object) -> Answer:
        """What a bot may return as an answer: an Answer, a choice's number, or notation; raises RivalryError else."""
        if isinstance(value, Answer):
            return value
        if type(value) is int:  # the usual answer, without a detour
            return Answer(index=value)
        if isinstance(value, str):
            return Answer(text=value)
        index = _number(value)
        if index is None:
            raise RivalryError(f"a bot answered {value!r}; expected {EXPECTED}")
        return Answer(index=index)


def _number(value: object) -> int | None:
    """The integer that ``value`` is, one of a numeric library's too; None for all else, truth values included."""
    if isinstance(value, bool):
        return None
    try:
        return operator.index(value)  # type: ignore[arg-type]
    except TypeError:
        return None


class Resign(Exception):  # noqa: N818 - raised as a decision, not because something failed
    """Raised by a bot to give up its match; the text is the reason."""


class Prompt:
    """One question to one seat, with all that the seat may know.

    ``number`` counts the prompts of this seat in this match from 1; ``luck`` is the seat's own chance, so that a bot
    that draws from ``prompt.stream()`` plays the same match whenever the seed is the same.
    """

    game: Game
    seat: int
    number: int
    kind: str
    choices: Sequence[Choice]
    observation: Observation
    events: Sequence[Seen]
    luck: bytes

    def stream(self) -> Stream:
        """Chance for this decision alone."""
        return Stream(self.luck, f"prompt/{self.number}")

    def shapes(self) -> Sequence[tuple[int, int, int, int]]:
        """For each choice the number of its parts, and least, most and usual."""
        return [(len(choice.parts), choice.least, choice.most, choice.usual) for choice in self.choices]

    def text(self, index: int) -> str:
        """Choice ``index`` in words: the notation of what its number alone does."""
        return self.game.text(self.choices[index].action)

    def texts(self) -> list[str]:
        """All choices in words, in order."""
        return [self.text(index) for index in range(len(self.choices))]

    def part_texts(self, index: int) -> list[str]:
        """The parts of choice ``index`` in words, in order."""
        return [self.game.part_text(part) for part in self.choices[index].parts]

    def answer(self, choice: int | str, parts: Sequence[int] | None = None, *, note: str = "") -> Answer:
        """The answer that takes a choice by its number, with ``parts``, indices of its parts in any order; or notation.

        Raises RivalryError for anything else.
        """
        if not isinstance(note, str):
            raise RivalryError(f"prompt.answer(…, note={note!r}): expected a text as note")
        if isinstance(choice, str):
            if parts is not None:
                raise RivalryError(f"prompt.answer({choice!r}, {parts!r}): parts go with the number of a choice")
            return Answer(text=choice, note=note)
        index = _number(choice)
        if index is None:
            raise RivalryError(f"prompt.answer({choice!r}): expected the number of a choice or notation")
        if parts is None:
            return Answer(index=index, note=note)
        try:
            return Answer(index=index, parts=tuple(sorted(map(operator.index, parts))), note=note)
        except TypeError:
            raise RivalryError(f"prompt.answer({choice!r}, {parts!r}): expected indices of parts, as [0, 2]") from None


class StatePrompt(Prompt):
    """A prompt made from a state in this process; it holds what the seat may know and not the state."""

    __slots__ = ("choices", "events", "game", "kind", "luck", "number", "observation", "seat")

    def __init__(self, state: State, seat: int, *, number: int, luck: bytes, events: Sequence[Seen] = ()) -> None:
        self.game = state.game
        self.seat = seat
        self.number = number
        self.kind = state.question(seat)
        self.choices = state.choices(seat)
        self.observation = state.observe(seat)
        self.events = events
        self.luck = luck


def judged(state: State, seat: int, choices: Sequence[Choice], answer: Answer) -> Action | Objection:
    """The action that ``answer`` means, or the objection to it: the check at the border, done once.

    Codes besides the game's own: ``no_choice``, ``no_parts``, ``part_count``, ``part_order``, ``notation``, ``empty``.
    """
    game = state.game
    index = answer.index
    if index is not None:
        if not 0 <= index < len(choices):
            return Objection("no_choice", f"there is no choice {index}; the prompt has 0 to {len(choices) - 1}")
        choice = choices[index]
        if answer.parts is None:
            return choice.action
        return _filled(game, index, choice, answer.parts)
    if answer.parts is not None:
        return Objection("no_parts", "parts go with the number of a choice, not with an action or its notation")
    if answer.text is not None:
        try:
            action = game.action(answer.text)
        except NotationError as error:
            return Objection("notation", str(error))
    elif answer.action is not None:
        action = answer.action
    else:
        return Objection("empty", "the answer names no choice, no action and no notation")
    return state.objection(seat, action) or action


def _filled(game: Game, index: int, choice: Choice, parts: tuple[int, ...]) -> Action | Objection:
    if not choice.least <= len(parts) <= choice.most:
        return Objection(
            "part_count", f"choice {index} takes {choice.least} to {choice.most} parts; {len(parts)} were given"
        )
    before = -1
    for part in parts:
        if not before < part < len(choice.parts):
            return Objection(
                "part_order",
                f"the parts of choice {index} are indices from 0 to {len(choice.parts) - 1}, ascending, none twice;"
                f" {list(parts)} was given",
            )
        before = part
    if not choice.parts:
        return choice.action
    return game.fill(choice, parts)
