"""The words in which a decision is said: the actions of an environment, a fixed number of them.

A choice is said by its word, its parts by theirs, and ``done`` closes a set of parts that could grow.  A vocabulary
gives the words of a game; ``saying.py`` puts them together to answers.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence

from rivalry_engine.error import RivalryError
from rivalry_engine.game import Choice


class Vocabulary(ABC):
    """The words of one game, numbered from 0."""

    texts: tuple[str, ...]
    """Each word in words of people."""
    done: int
    """The word that closes a set of parts; -1 in a game whose choices have none."""

    @abstractmethod
    def choices(self, choices: Sequence[Choice]) -> list[int]:
        """The word of each of one prompt's choices, all different."""

    @abstractmethod
    def parts(self, choice: Choice) -> Sequence[int]:
        """The word of each part of ``choice``: equal for equal parts, different for different ones.

        None of them is ``done``.
        """


class Numbered(Vocabulary):
    """Words that say numbers only, for any game: choice 0, choice 1, … and part 0, part 1, …

    What a number means changes from prompt to prompt.  The bounds are the caller's.
    """

    def __init__(self, choices: int, parts: int) -> None:
        if choices < 1 or parts < 0:
            raise RivalryError(f"{choices} choices and {parts} parts: expected at least 1 and 0")
        self._choices = choices
        self._parts = parts
        self.done = choices + parts if parts else -1
        texts = [f"choice {index}" for index in range(choices)] + [f"part {index}" for index in range(parts)]
        self.texts = (*texts, "done") if parts else tuple(texts)

    def choices(self, choices: Sequence[Choice]) -> list[int]:
        if len(choices) > self._choices:
            raise RivalryError(
                f"a prompt has {len(choices)} choices, more than the {self._choices} there are words for;"
                f" make the environment with choices={len(choices)} or more"
            )
        return list(range(len(choices)))

    def parts(self, choice: Choice) -> Sequence[int]:
        parts = choice.parts
        if len(parts) > self._parts:
            raise RivalryError(
                f"a choice has {len(parts)} parts, more than the {self._parts} there are words for;"
                f" make the environment with parts={len(parts)} or more"
            )
        return [self._choices + parts.index(part) for part in parts]
