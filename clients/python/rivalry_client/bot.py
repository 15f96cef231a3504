"""A bot: what its author writes."""

from __future__ import annotations

from collections.abc import Awaitable, Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, ClassVar, Self

from rivalry_client.match import Match, Outcome
from rivalry_client.prompt import Prompt
from rivalry_engine.error import OptionError, RivalryError
from rivalry_engine.event import Seen
from rivalry_engine.option import Option
from rivalry_engine.prompt import EXPECTED, Answer

if TYPE_CHECKING:
    from rivalry_client.wire import Wire

Setting = Option
"""One setting of a bot: ``Setting(name, kind, default, allowed, meaning)`` with the kinds of a game's options."""


class SettingError(RivalryError):
    """A setting that the bot does not have, or a value it does not allow."""


class AnswerError(RivalryError):
    """What ``choose`` returned is no answer."""


class GivenUpError(RivalryError):
    """Raised by a bot that cannot go on, by no fault of its code: a crash that is told in one line, without a trace."""


class Bot:
    """Answers for a seat.  One instance plays one match; a stream may hold several."""

    name: ClassVar[str] = ""
    """As tables and records show it; empty: the class's name."""
    version: ClassVar[str] = ""
    games: ClassVar[Sequence[str]] = ()
    """The games it plays; the name of a family stands for all of its games; empty: any."""
    quick: ClassVar[bool] = False
    """True if ``choose`` returns within a few milliseconds: it then runs between two reads of the stream."""
    features: ClassVar[Sequence[str] | None] = None
    """What to ask of the arena (legal_text, legal_full, view_text, live_events).  None: legal_text when a game named in
    ``games`` is not installed here, else nothing."""
    wants_view: ClassVar[bool] = False
    """True if the bot plays by what ``prompt.view()`` and the texts say: view_text and legal_text are asked for too."""
    needs_imagination: ClassVar[bool] = False
    """True if it plays only games that can imagine states (``Game.imagines``)."""
    needs_wire: ClassVar[bool] = False
    """True if the bot makes no sense in the arena's own process."""
    starts_programs: ClassVar[bool] = False
    """True if it starts programs by its loop: it gets asyncio's own, since uvloop's leaves copies of their pipes in
    them, and that they closed one is never seen."""
    private: ClassVar[bool] = False
    """True if it starts programs, spends money or asks a person: who runs it may seat it; no arena does because it was
    asked to."""
    declared: ClassVar[tuple[Setting, ...]] = ()
    """The settings it takes from ``--set key=value`` and ``NAME?key=value&…``."""

    settings: Mapping[str, Any] = MappingProxyType({})
    """Every declared setting with its value."""
    match: Match
    """The match it plays, set before ``start``."""

    def __init_subclass__(cls, **rest: Any) -> None:
        super().__init_subclass__(**rest)
        cls.settings = MappingProxyType({setting.name: setting.default for setting in cls.declared})

    def start(self, match: Match) -> Awaitable[None] | None:
        """The match begins.  This hook and those below may be ``async def``."""
        return None

    def choose(self, prompt: Prompt) -> object:
        """The answer: a choice's number, notation, or ``prompt.answer(choice, parts)``."""
        raise NotImplementedError(f"{type(self).__name__} has no choose(self, prompt)")

    def happened(self, match: Match, events: Sequence[Seen]) -> Awaitable[None] | None:
        """Events as they happen, with feature live_events; else they come with the prompts."""
        return None

    def ended(self, match: Match, outcome: Outcome) -> Awaitable[None] | None:
        """The match is over, however this seat's part in it ended.

        No further seat is taken until it returns, unless the session has room for several matches; the arena waits a
        while (Limits in the protocol's README say how long) and then offers the seat to others.
        """
        return None

    def reply(self, prompt: Prompt, answer: Answer, wire: Wire) -> None:
        """Puts an answer on the wire.  Only a bot that means to break the protocol overrides it."""
        wire.answer(prompt, answer)

    @classmethod
    def shown_name(cls) -> str:
        """The name that tables and records show."""
        return cls.name or cls.__name__

    @classmethod
    def settings_from(cls, given: Mapping[str, str]) -> dict[str, Any]:
        """Every declared setting, from texts where they were given; raises SettingError."""
        declared = {setting.name: setting for setting in cls.declared}
        values = {name: setting.default for name, setting in declared.items()}
        for name, text in given.items():
            setting = declared.get(name)
            if setting is None:
                known = f"it has {', '.join(declared)}" if declared else "it has none"
                raise SettingError(f"bot {cls.shown_name()} has no setting {name!r}; {known}")
            try:
                values[name] = setting.from_text(text)
            except OptionError as error:
                raise SettingError(f"bot {cls.shown_name()}: {str(error).replace('option', 'setting', 1)}") from error
        return values

    @classmethod
    def made(cls, match: Match, settings: Mapping[str, Any] | None = None) -> Self:
        """A bot for one match with its settings in place; ``start`` has not been called."""
        bot = cls()
        if settings is not None:
            bot.settings = settings
        bot.match = match
        return bot


def answered(bot: Bot, value: object) -> Answer:
    """The answer that ``choose`` of ``bot`` returned; raises AnswerError, which says where that ``choose`` is."""
    try:
        return Answer.of(value)
    except RivalryError:
        raise AnswerError(f"{_where(bot)} returned {value!r}; expected {EXPECTED}") from None


def _where(bot: Bot) -> str:
    """The bot's ``choose`` by class and file; the file without its folder, since arenas are told, too."""
    code = getattr(bot.choose, "__code__", None)
    name = f"{type(bot).__name__}.choose"
    if code is None:
        return name
    return f"{name} ({code.co_filename.replace(chr(92), '/').rpartition('/')[2]}, line {code.co_firstlineno})"
