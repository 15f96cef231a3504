"""What a caller of the ladder did wrong, by what kind of wrong it is."""

from __future__ import annotations

from rivalry_engine.error import RivalryError


class LadderError(RivalryError):
    """Something asked of the ladder that cannot be; the message says what came, what was expected, what to do."""


class UnknownError(LadderError):
    """A bot, a queue or a season that is not there."""


class TakenError(LadderError):
    """A name, a version or a digest that is somebody's already."""


class ForbiddenError(LadderError):
    """Something that is for others: another owner's bot, or an operator's work."""


class OthersBotError(ForbiddenError):
    """A bot of that name is another ``owner``'s."""

    def __init__(self, bot: str, owner: str) -> None:
        super().__init__(f"the bot {bot!r} is {owner}'s; take another name")
        self.owner = owner


class StoreError(LadderError):
    """A database that cannot be used."""


class GoneError(StoreError):
    """The file of a database that is open was removed or replaced: what is written there is lost."""
