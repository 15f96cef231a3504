"""A game of which only what the wire told is known: enough to show a prompt in words and answer it by number."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rivalry_engine.error import NotationError, RivalryError
from rivalry_engine.event import Seen
from rivalry_engine.game import Action, Choice, Game, State
from rivalry_engine.option import Option, OptionValue


class ToldGame(Game):
    """A game without its rules.

    Its actions and parts are numbers for the texts that were told, given in the order in which they came.  ``rules`` is
    the game itself where its package is installed; then actions are the game's own, by its notation.
    """

    title = ""
    rules_version = 0
    seat_counts = range(1, 1 << 31)
    usual_seats = 1

    def __init__(self, options: Mapping[str, OptionValue] | None = None, rules: Game | None = None) -> None:
        self.options = dict(options or {})
        seats = self.options.get("seats")
        if not isinstance(seats, int) or isinstance(seats, bool) or seats < 1:
            raise RivalryError(f"options of {self.name}: seats is {seats!r}; expected how many bots play")
        self.seats = seats
        self.rules = rules
        self._texts: list[str] = []
        self._numbers: dict[str, int] = {}

    @classmethod
    def options_declared(cls) -> tuple[Option, ...]:
        """None: what the rules allow is not known here."""
        return ()

    def options_given(self) -> dict[str, OptionValue]:
        """All options that were told."""
        return {name: list(value) if isinstance(value, tuple) else value for name, value in self.options.items()}

    def event_text(self, seen: Seen) -> str:
        return super().event_text(seen) if self.rules is None else self.rules.event_text(seen)

    def new_state(self, seed: bytes) -> State:
        raise RivalryError(f"{self.name} is known here by its messages alone; install its package to play it")

    def number(self, text: str) -> int:
        """The number that stands for ``text``, the same whenever it is told."""
        number = self._numbers.get(text)
        if number is None:
            number = self._numbers[text] = len(self._texts)
            self._texts.append(text)
        return number

    def text(self, action: Action) -> str:
        return self._texts[action] if self.rules is None else self.rules.text(action)

    def action(self, text: str) -> Action:
        """The action of a notation; without the rules only of a text that was told.  Raises NotationError."""
        if self.rules is not None:
            return self.rules.action(text)
        number = self._numbers.get(text)
        if number is None:
            raise NotationError(f"{text!r} was not told as an action of {self.name}; answer by number instead")
        return number

    def part_text(self, part: int) -> str:
        return self._texts[part]

    def fill(self, choice: Choice, chosen: Sequence[int]) -> Action:
        """The choice's own action when it has no parts; else raises RivalryError, since only the rules can tell."""
        if choice.parts:
            raise RivalryError(f"what parts do in {self.name} is known to its rules alone; answer by number and parts")
        return choice.action


def told(name: str, options: Mapping[str, OptionValue], rules: Game | None = None) -> ToldGame:
    """The game ``name`` as the wire told it; raises RivalryError when the options hold no number of seats."""
    known: dict[str, object] = {"name": name, "title": name}
    if rules is not None:
        known |= {"title": rules.title, "primer": rules.primer, "glossary": rules.glossary, "echoes": rules.echoes}
        known["score_unit"] = rules.score_unit
    made: type[ToldGame] = type("ToldGame", (ToldGame,), known)
    return made(options, rules)
