"""The errors of the engine: each says what came, what was expected and what to do."""

from __future__ import annotations


class RivalryError(ValueError):
    """The caller gave something that cannot be used; the message is one sentence for a person."""


class OptionError(RivalryError):
    """An option that the game does not have, or a value it does not allow."""


class NotationError(RivalryError):
    """A text that is no action."""


class PositionError(RivalryError):
    """A position that is impossible; the message names its key."""


class RecordError(RivalryError):
    """A record that cannot be read: not a record at all, or of a format or a rules version that is not played here."""


class DamagedRecordError(RecordError):
    """A record whose chain, actions or outcome do not hold; the message names the first difference."""


class GameFailedError(RivalryError):
    """A game raised what no game raises, or gave what is none of what it was asked for."""


class IllegalActionError(RivalryError):
    """An action that the rules forbid in this state."""


class UnknownGameError(RivalryError):
    """A name under which no game is installed; ``name`` is that name, where it is none of an entry's at all."""

    def __init__(self, text: str, *, name: str = "") -> None:
        super().__init__(text)
        self.name = name
