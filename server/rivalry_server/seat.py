"""A seat's occupant, as the match sees it; functions in this process and seats that nobody took."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from rivalry_client.local import LocalBot
from rivalry_client.match import LocalMatch, Ruling
from rivalry_client.match import Player as Named
from rivalry_client.report import RULINGS_SHOWN
from rivalry_engine.error import RivalryError
from rivalry_engine.game import Action, Objection
from rivalry_engine.playout import Chooser
from rivalry_engine.prompt import Answer, Resign, StatePrompt, shown
from rivalry_server import aside, given
from rivalry_server.logs import log
from rivalry_server.outcome import End
from rivalry_server.reasons import rejection
from rivalry_server.settings import NOTE_BYTES
from rivalry_server.watch import Reader
from rivalry_server.words import failure, named, overlong, words_of

if TYPE_CHECKING:
    from rivalry_server.match import Match
    from rivalry_server.outcome import Result
    from rivalry_server.player import Player


class Seat(ABC):
    """Whoever answers for a seat.

    The match tells it what happens; it answers by calling the match's ``judged`` and ``take``, at once or later, and
    ``lost`` when it plays no more.
    """

    bot: str = ""
    """The seat's specification as its organiser gave it."""
    name: str = ""
    version: str = ""
    live: bool = False
    """True if ``happened`` is to be called."""
    away: bool = False
    """True while its bot has lost its stream and may come back."""
    absent: tuple[End, str] | None = None
    """Set where nobody will ever answer: how the seat ends, and why."""

    @abstractmethod
    def started(self, match: Match, player: Player) -> None:
        """The match begins; ``player`` is this seat's part in it."""

    @abstractmethod
    def ask(self) -> None:
        """The player's prompt is open."""

    def happened(self) -> None:  # noqa: B027 - most seats are told of events with their next prompt
        """There are new events."""

    @abstractmethod
    def stop(self) -> None:
        """The seat's part is over: an open prompt is withdrawn, and nothing more is asked."""

    def replaced(self) -> None:
        """Another answers for the seat from here on."""
        self.stop()

    @abstractmethod
    def ended(self, result: Result) -> None:
        """The match is over."""


@dataclass(frozen=True, slots=True)
class InProcess:
    """A bot that is a function in this process: gets a ``StatePrompt``, answers what ``Answer.of`` takes."""

    choose: Chooser
    name: str
    version: str = ""
    bot: str = ""
    """The specification as the organiser gave it."""

    def __post_init__(self) -> None:
        """Name and version are cleaned, as long as on the wire; raises RivalryError where they are no texts."""
        for field in ("name", "version"):
            said = getattr(self, field)
            if not isinstance(said, str):
                raise RivalryError(f"a bot's {field} is {shown(said)}; expected a text")
            object.__setattr__(self, field, named(said))


class InProcessSeat(Seat):
    """Asks a function.  Its time is measured and not limited: what runs here cannot be stopped."""

    def __init__(
        self, bot: InProcess, *, now: Callable[[], float], later: Callable[[Callable[[], None]], object]
    ) -> None:
        self.bot = bot.bot or bot.name
        self.name = bot.name
        self.version = bot.version
        self._choose = bot.choose
        self._now = now
        self._later = later
        self._reader = Reader(0)
        self._ruling: Ruling | None = None
        """Why the last answer to the open prompt was not taken."""
        self._rulings = 0
        self._prefix = ""
        self._match: Match | None = None
        self._player: Player | None = None

    def started(self, match: Match, player: Player) -> None:
        self._match = match
        self._player = player
        self._prefix = f"seat {player.seat} {self.name or self.bot}| "
        self._reader = match.log.reader()
        if isinstance(self._choose, LocalBot):
            told = _told_of(match, player)
            aside.speaks(self._prefix)
            try:
                self._choose.started(told)
            except KeyboardInterrupt:
                raise
            except BaseException as error:
                self.absent = (End.CRASH, self._failure(error))

    def ask(self) -> None:
        self._later(self._think)

    def stop(self) -> None:
        if self._match is not None:
            self._match.log.close(self._reader)

    def ended(self, result: Result) -> None:
        player = self._player
        if player is not None and player.end is not End.CRASH and isinstance(self._choose, LocalBot):
            aside.speaks(self._prefix)
            try:
                self._choose.ended(result.told())
            except KeyboardInterrupt:
                raise
            except BaseException as error:
                self._failure(error)
        self._match = self._player = None

    def _think(self) -> None:
        match, player = self._match, self._player
        if match is None or player is None or not player.open:
            return
        try:
            self._decide(match, player)
        except BaseException as error:  # the bot's own were caught where it was asked
            match.fault(error)

    def _decide(self, match: Match, player: Player) -> None:
        seat = player.seat
        events = match.log.seen(seat, self._reader.have)
        prompt = StatePrompt(match.state, seat, number=player.number, luck=player.luck, events=events)
        given.check_prompt(seat, prompt.kind, prompt.observation)
        told = len(match.log)
        aside.speaks(self._prefix)
        if isinstance(self._choose, LocalBot):
            self._choose.ruling, self._choose.tries_left = self._ruling, player.tries
        began = self._now()
        try:
            answer = Answer.of(self._choose(prompt))
        except Resign as decision:
            match.lost(seat, End.RESIGNED, words_of(decision) or "gave up")
            return
        except KeyboardInterrupt:
            raise
        except BaseException as error:  # a bot may raise anything; only Ctrl-C is not its own
            match.lost(seat, End.CRASH, self._failure(error))
            return
        elapsed_us = round((self._now() - began) * 1_000_000)
        self._reader.have = told
        verdict: Action | Objection | None = overlong(answer.note, NOTE_BYTES)
        if verdict is None:
            verdict = match.judged(seat, answer)
        if not isinstance(verdict, Objection):
            self._ruling = None
            match.take(seat, verdict, elapsed_us, answer.note)
            return
        match.rejected(seat)
        self._ruling = rejection(verdict, player.tries)
        self._show(player.number, self._ruling)
        if player.tries:
            self.ask()
        else:
            match.lost(seat, End.ILLEGAL, f"{verdict.text} ({verdict.code})")

    def _show(self, number: int, ruling: Ruling) -> None:
        """Tells the author of the bot, as over the wire, why its answer was not taken."""
        self._rulings += 1
        if self._rulings <= RULINGS_SHOWN:
            reason = ruling.code or ruling.reason
            aside.show(self._prefix, f"answer {ruling.kind} (prompt {number}, {reason}): {ruling.text}")
        if self._rulings == RULINGS_SHOWN:
            aside.show(self._prefix, "further rulings are not shown")

    def _failure(self, error: BaseException) -> str:
        """What the bot raised, in words, once it is shown."""
        match, player = self._match, self._player
        assert match is not None and player is not None
        text = failure(error)
        aside.show_failure(self._prefix, error)
        log.info("bot_failed", match=match.spec.match_id, seat=player.seat, error=text)
        return text


def _told_of(match: Match, player: Player) -> LocalMatch:
    """What a bot in this process is told when its match begins, as the wire tells the others."""
    control = match.spec.time_control
    return LocalMatch(
        match.game,
        seat=player.seat,
        players=[Named(other.seat, other.sitter.name, other.sitter.version) for other in match.players],
        luck=player.luck,
        setup=given.setup(match.state),
        id=match.spec.match_id,
        prompt_s=_seconds(control.prompt_us),
        first_prompt_s=_seconds(control.first_prompt_us),
    )


def _seconds(time_us: int | None) -> float | None:
    return None if time_us is None else time_us / 1_000_000


class AbsentSeat(Seat):
    """A seat that nobody answers for."""

    def __init__(self, bot: str, end: End, text: str, *, name: str = "", version: str = "") -> None:
        self.bot = bot
        self.name = name
        self.version = version
        self.absent = (end, text)

    def started(self, match: Match, player: Player) -> None:
        pass

    def ask(self) -> None:
        raise AssertionError("an absent seat is not asked")

    def stop(self) -> None:
        pass

    def ended(self, result: Result) -> None:
        pass
