"""One decision, said word by word: a choice, then its parts one by one, then perhaps ``done``.

Parts are said in the order in which the choice has them, and of equal parts the first ones are taken.  So each answer
has just one way to be said, and each way leads to a legal answer:

- after its choice a part may be said if it stands behind the last one said, if all parts equal to it and before it
  were said, and if enough parts are left behind it to come to ``least``;
- ``done`` may be said from ``least`` parts on;
- the answer is complete without ``done`` where nothing more can be said.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rivalry_engine.counting import counted
from rivalry_engine.error import IllegalActionError, RivalryError
from rivalry_engine.game import Action, Choice, Game
from rivalry_engine.prompt import Answer
from rivalry_environments.words import Vocabulary


class Saying:
    """A decision on its way: what was said of it, and what may be said next."""

    __slots__ = ("_at", "_choice", "_choices", "_parts", "_words", "next", "said")

    def __init__(self, words: Vocabulary, choices: Sequence[Choice]) -> None:
        self._words = words
        self._choices = choices
        self._choice = -1
        self._parts: tuple[int, ...] = ()
        self._at: list[int] = []
        self.said: tuple[int, ...] = ()
        """The words so far, in order."""
        self.next: dict[int, int] = {word: index for index, word in enumerate(words.choices(choices))}
        """The words that may follow, each with the index of its choice or part; empty when the answer is complete."""
        assert len(self.next) == len(choices), "two choices of a prompt have the same word"

    def say(self, word: int) -> None:
        """Adds a word; raises IllegalActionError when it may not be said now."""
        index = self.next.get(word)
        if index is None:
            raise IllegalActionError(self._refusal(word))
        self.said = (*self.said, word)
        if self._choice < 0:
            self._choice = index
            self._at = list(self._words.parts(self._choices[index]))
        elif word == self._words.done:
            self.next = {}
            return
        else:
            self._parts = (*self._parts, index)
        self._look_ahead()

    @property
    def choice(self) -> Choice:
        """The choice that was said."""
        return self._choices[self._choice]

    @property
    def parts(self) -> tuple[int, ...]:
        """The indices of the parts said."""
        return self._parts

    def action(self, game: Game) -> Action:
        """What was said, once ``next`` is empty."""
        choice = self.choice
        return game.fill(choice, self._parts) if choice.parts else choice.action

    def copy(self) -> Saying:
        """An independent copy."""
        other = Saying.__new__(Saying)
        other._words = self._words
        other._choices = self._choices
        other._choice = self._choice
        other._parts = self._parts
        other._at = self._at
        other.said = self.said
        other.next = self.next
        return other

    def _look_ahead(self) -> None:
        """Sets ``next``: the first open part of each kind, where enough are left behind it to come to ``least``."""
        choice = self.choice
        said = len(self._parts)
        words = self._at
        open_parts = self._open() if said < choice.most else []
        self.next = {}
        for place, index in enumerate(open_parts):
            word = words[index]
            if word in self.next:
                continue
            if said + 1 < choice.least:
                passed = {words[other] for other in open_parts[:place]}
                left = sum([words[other] not in passed for other in open_parts[place + 1 :]])
                if said + 1 + left < choice.least:
                    continue
            self.next[word] = index
        if self.next and said >= choice.least:
            self.next[self._words.done] = -1

    def _open(self) -> list[int]:
        """The parts that can still come into the set: behind the last one, with no part equal to them passed over."""
        words = self._at
        if not self._parts:
            return list(range(len(words)))
        last = self._parts[-1]
        passed = {words[index] for index in range(last) if index not in self._parts}
        return [index for index in range(last + 1, len(words)) if words[index] not in passed]

    def _refusal(self, word: int) -> str:
        texts = self._words.texts
        if not 0 <= word < len(texts):
            return f"{word!r} is no action; there are 0 to {len(texts) - 1}"
        allowed = ", ".join([f"{other} ({texts[other]})" for other in sorted(self.next)])
        return f"action {word} ({texts[word]}) is not allowed now; allowed are {allowed or 'none'}"


def ways(words: Vocabulary, choices: Sequence[Choice]) -> Iterator[Saying]:
    """Every answer, each said in its one way; there may be thousands."""
    begun = [Saying(words, choices)]
    while begun:
        saying = begun.pop()
        for word in saying.next:
            longer = saying.copy()
            longer.say(word)
            if longer.next:
                begun.append(longer)
            else:
                yield longer


def words_of(words: Vocabulary, choices: Sequence[Choice], answer: Answer) -> list[int]:
    """The words that say ``answer``, a choice's number and perhaps parts; of equal parts it says the first ones.

    Raises RivalryError for an answer that names no choice by its number, or one that is not legal.
    """
    index = answer.index
    if index is None or not 0 <= index < len(choices):
        raise RivalryError(f"{answer!r}: expected the number of a choice, 0 to {len(choices) - 1}")
    choice = choices[index]
    chosen = tuple(range(choice.usual)) if answer.parts is None else answer.parts
    if any(not 0 <= part < len(choice.parts) for part in chosen):
        raise RivalryError(f"{answer!r}: choice {index} has {counted(len(choice.parts), 'part')}")
    saying = Saying(words, choices)
    saying.say(words.choices(choices)[index])
    wanted = [words.parts(choice)[part] for part in chosen]
    while wanted:
        fitting = [word for word in saying.next if word in wanted]
        if not fitting:
            raise RivalryError(f"{answer!r}: choice {index} takes {choice.least} to {choice.most} parts")
        word = min(fitting, key=saying.next.__getitem__)
        saying.say(word)
        wanted.remove(word)
    if saying.next:
        saying.say(words.done)
    return list(saying.said)
