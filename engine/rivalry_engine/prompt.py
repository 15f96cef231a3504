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
ACTION_BITS: Final = 4_096
"""Above all actions of any game; no more than can be written in decimals."""
SHOWN_BITS: Final = 128
SHOWN_LENGTH: Final = 200


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
        """What a bot may return as an answer: an Answer, a choice's number, or notation; raises RivalryError else.

        The fields of what comes back are of the very types that are declared: plain integers, no truth values, and
        texts that can be encoded.
        """
        if isinstance(value, Answer):
            return _plain(value)
        if type(value) is int:  # the usual answer, without a detour
            return Answer(index=value)
        if isinstance(value, str):
            return Answer(text=_text(value, "notation"))
        index = _number(value)
        if index is None:
            raise RivalryError(f"a bot answered {shown(value)}; expected {EXPECTED}")
        return Answer(index=index)


def shown(value: object) -> str:
    """``value`` in words for an error, cut; it cannot fail, whatever kind of value a bot made."""
    try:
        if isinstance(value, int) and int.bit_length(value) > SHOWN_BITS:
            return f"an integer of {int.bit_length(value)} bits"
        text = f"{value!r:.{SHOWN_LENGTH + 1}}"
    except Exception:
        return f"an object of type {type.__dict__['__name__'].__get__(type(value))}"
    return text if len(text) <= SHOWN_LENGTH else text[:SHOWN_LENGTH] + "…"


def _plain(answer: Answer) -> Answer:
    """``answer`` with fields of plain types, the very same where they are; raises RivalryError where they cannot be."""
    index, parts, action, text, note = answer.index, answer.parts, answer.action, answer.text, answer.note
    if (
        type(index) is int
        and (parts is None or (type(parts) is tuple and all([type(part) is int for part in parts])))  # noqa: C419
        and action is None
        and text is None
        and type(note) is str
        and not note
        and type(answer) is Answer
    ):  # the usual answer
        return answer
    return Answer(
        index=None if index is None else _integer(index, "index"),
        parts=None if parts is None else _indices(parts),
        action=None if action is None else _integer(action, "action"),
        text=None if text is None else _text(text, "text"),
        note=_text(note, "note"),
    )


def _integer(value: object, field: str) -> int:
    number = _number(value)
    if number is None:
        raise RivalryError(f"a bot answered with {field} {shown(value)}; expected an integer")
    return number


def _indices(parts: object) -> tuple[int, ...]:
    if not isinstance(parts, tuple | list):
        raise RivalryError(f"a bot answered with parts {shown(parts)}; expected a tuple of integers, as (0, 2)")
    return tuple([_integer(part, "part") for part in parts])


def _text(value: object, field: str) -> str:
    """``value`` as a plain text that can be encoded; raises RivalryError when it is none."""
    if not isinstance(value, str):
        raise RivalryError(f"a bot answered with {field} {shown(value)}; expected a text")
    text = str.__str__(value)
    if not text.isascii():
        try:
            text.encode()
        except UnicodeEncodeError:
            raise RivalryError(f"a bot answered with {field} {shown(text)}, which is no Unicode text") from None
    return text


def _number(value: object) -> int | None:
    """The plain integer that ``value`` is, one of a numeric library's too; None for all else, truth values included."""
    if isinstance(value, bool):
        return None
    try:
        return int.__index__(value if isinstance(value, int) else operator.index(value))  # type: ignore[arg-type]
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

    def view(self) -> str:
        """The observation as text of some lines, from which a person or a language model can play."""
        return self.game.view(self.observation)

    def answer(self, choice: int | str, parts: Sequence[int] | None = None, *, note: str = "") -> Answer:
        """The answer that takes a choice by its number, with ``parts``, indices of its parts in any order; or notation.

        Raises RivalryError for anything else.
        """
        if not isinstance(note, str):
            raise RivalryError(f"prompt.answer(…, note={shown(note)}): expected a text as note")
        if isinstance(choice, str):
            if parts is not None:
                told = f"prompt.answer({shown(choice)}, {shown(parts)})"
                raise RivalryError(f"{told}: parts go with the number of a choice")
            return Answer(text=choice, note=note)
        index = _number(choice)
        if index is None:
            raise RivalryError(f"prompt.answer({shown(choice)}): expected the number of a choice or notation")
        if parts is None:
            return Answer(index=index, note=note)
        try:
            return Answer(index=index, parts=tuple(sorted(map(operator.index, parts))), note=note)
        except TypeError:
            told = f"prompt.answer({shown(choice)}, {shown(parts)})"
            raise RivalryError(f"{told}: expected indices of parts, as [0, 2]") from None


class StatePrompt(Prompt):
    """A prompt made from a state in this process; it holds what the seat may know and not the state.

    Nothing that is done to it changes the match: ``choices`` is a tuple of its own.
    """

    __slots__ = ("choices", "events", "game", "kind", "luck", "number", "observation", "seat")

    def __init__(self, state: State, seat: int, *, number: int, luck: bytes, events: Sequence[Seen] = ()) -> None:
        self.game = state.game
        self.seat = seat
        self.number = number
        self.kind = state.question(seat)
        self.choices = tuple(state.choices(seat))
        self.observation = state.observe(seat)
        self.events = events
        self.luck = luck


def judged(state: State, seat: int, choices: Sequence[Choice], answer: Answer) -> Action | Objection:
    """The action that ``answer`` means, or the objection to it: the check at the border, done once.

    Codes besides the game's own: ``no_choice``, ``no_parts``, ``part_count``, ``part_order``, ``notation``, ``action``,
    ``empty``.  Raises RivalryError for an answer with a field of another type than is declared.
    """
    game = state.game
    answer = _plain(answer)
    index = answer.index
    if index is not None:
        if not 0 <= index < len(choices):
            return Objection("no_choice", f"there is no choice {shown(index)}; the prompt has 0 to {len(choices) - 1}")
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
        if action.bit_length() > ACTION_BITS:
            return Objection("action", f"{shown(action)} is no action of any game")
    else:
        return Objection("empty", "the answer names no choice, no action and no notation")
    return state.objection(seat, action) or action


def _listed(parts: tuple[int, ...]) -> str:
    return f"[{', '.join(map(shown, parts))}]"


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
                f" {_listed(parts)} was given",
            )
        before = part
    if not choice.parts:
        return choice.action
    return game.fill(choice, parts)
