"""The prompt as a bot gets it, and the one that came over the wire: decoded when it is first looked at."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from rivalry_client.match import Measured, Ruling
from rivalry_client.times import measured
from rivalry_engine import prompt as engine
from rivalry_engine.event import Seen
from rivalry_engine.game import Choice, Game, Observation

if TYPE_CHECKING:
    from rivalry.arena.v1 import session_pb2
    from rivalry_client.table import Backlog, WireMatch


class Prompt(engine.Prompt):
    """One question to the bot's seat: the engine's prompt, and what an arena adds."""

    budget_s: float | None
    """Seconds that were left for this prompt when the arena wrote it; None without a limit."""
    last: Measured | None
    """What the arena measured of the last decision; None on the first prompt."""
    clocks: tuple[float, ...] | None
    """Seconds left in each seat's bank when it was last seen to, in seat order; None where there is no bank."""
    strikes_left: tuple[int, ...] | None
    """How often each seat may still be later than the soft limit, in seat order; None where there is none."""
    ruling: Ruling | None
    """Why the last answer to this very prompt was rejected; None when it is asked for the first time."""
    tries_left: int
    """How many rejected answers it still allows before the seat ends."""


class WirePrompt(Prompt):
    """One question to the seat of ``match``.

    Number, kind, shapes, texts, budget and events' numbers need nothing of the game; observation, choices and events
    need its package and its codec.
    """

    ruling: Ruling | None = None
    said: list[session_pb2.FromBot]
    """What the bot said to it, kept while it is open: sent when it is told again over another stream."""
    earlier: Sequence[Backlog] = ()
    """Events that came before it in messages of their own."""

    def __init__(self, match: WireMatch, message: session_pb2.Prompt, *, handle: int, events_seen: int = 0) -> None:
        self.match = match
        self.handle = handle
        self.message = message
        self.seat = match.seat
        self.number = message.number
        self.kind = message.kind
        self.luck = match.luck
        self.tries_left = message.tries_left
        self.said = []
        self._events_seen = events_seen

    @property
    def game(self) -> Game:  # type: ignore[override]
        """The rules; raises UnreadableError when the game's package is not installed."""
        return self.match.game

    @cached_property
    def observation(self) -> Observation:  # type: ignore[override]
        """All that the seat may know."""
        return self.match.payloads.observation(self.message.observation)

    @cached_property
    def choices(self) -> Sequence[Choice]:  # type: ignore[override]
        """What is offered, each with its action."""
        return self.match.payloads.choices(self.message.choices, self.observation)

    @cached_property
    def events(self) -> Sequence[Seen]:  # type: ignore[override]
        """What happened since the last prompt (or since the last live events)."""
        known = max(self._events_seen - self.message.first_event + 1, 0)
        own: Sequence[Seen] = ()
        if self.message.event_count > known:
            own = self.match.payloads.events(self.message.events)[known:]
        return [*self.match.earlier(self.earlier), *own] if self.earlier else own

    @cached_property
    def budget_s(self) -> float | None:  # type: ignore[override]
        return self.message.budget_us / 1e6 if self.message.HasField("budget_us") else None

    @cached_property
    def last(self) -> Measured | None:  # type: ignore[override]
        if not self.message.HasField("last"):
            return None
        return measured(self.message.last)

    @cached_property
    def clocks(self) -> tuple[float, ...] | None:  # type: ignore[override]
        return tuple([bank / 1e6 for bank in self.message.banks_us]) or None

    @cached_property
    def strikes_left(self) -> tuple[int, ...] | None:  # type: ignore[override]
        return tuple(self.message.strikes_left) or None

    def shapes(self) -> Sequence[tuple[int, int, int, int]]:
        """For each choice the number of its parts, and least, most and usual."""
        message = self.message
        parts = message.parts
        if not message.most:
            return [(count, 0, 0, 0) for count in parts]
        none = [0] * len(parts)
        return list(zip(parts, message.least or none, message.most, message.usual or none, strict=True))

    def text(self, index: int) -> str:
        """Choice ``index`` in words."""
        sent = self.message.texts
        if sent:
            return sent[index]
        self._check_words()
        return super().text(index)

    def texts(self) -> list[str]:
        """All choices in words, in order."""
        if self.message.texts:
            return list(self.message.texts)
        self._check_words()
        return super().texts()

    def part_texts(self, index: int) -> list[str]:
        """The parts of choice ``index`` in words, in order."""
        counts = self.message.parts
        if not counts[index]:
            return []
        if not self.message.texts:
            self._check_words()
            return super().part_texts(index)
        start = sum(counts[:index])
        return list(self.message.part_texts[start : start + counts[index]])

    def view(self) -> str:
        """The observation as text of some lines: the arena's where it sent it (``wants_view``), else made here."""
        sent = self.message.view
        if sent:
            return sent
        from rivalry_wire.codec import UnreadableError

        try:
            return super().view()
        except UnreadableError as error:
            raise UnreadableError(f"{error}; with wants_view = True the arena sends the text") from error

    def legal(self) -> tuple[list[str], bool]:
        """With feature legal_full: every legal action in notation, and whether the list was cut."""
        return list(self.message.legal), self.message.legal_cut

    def again(self, ruling: Ruling) -> WirePrompt:
        """The same prompt after its answer was rejected."""
        prompt = WirePrompt(self.match, self.message, handle=self.handle, events_seen=self._events_seen)
        prompt.__dict__.update(self.__dict__)
        prompt.said = []
        prompt.ruling = ruling
        prompt.tries_left = ruling.tries_left
        return prompt

    def told_again(self, message: session_pb2.Prompt) -> list[session_pb2.FromBot]:
        """The arena has said it once more, to a bot that was away: the budget is what is left now.

        Returns what is to be said to it over the new stream.  With fewer tries left than the bot knows of that is
        nothing: its answer came and was rejected, and a ruling follows.
        """
        self.budget_s = message.budget_us / 1e6 if message.HasField("budget_us") else None
        return self.said if message.tries_left >= self.tries_left else []

    def __repr__(self) -> str:
        return f"<prompt {self.number} {self.kind!r}: {len(self.message.parts)} choices>"

    def _check_words(self) -> None:
        """Raises an error that says how to get words when the choices cannot be read here."""
        from rivalry_wire.codec import UnreadableError

        try:
            _ = self.choices
        except UnreadableError as error:
            raise UnreadableError(f"{error}; with features = ('legal_text',) the arena sends the words") from error
