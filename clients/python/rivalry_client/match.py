"""What a bot is told about a match besides its prompts: plain values, the same in process and over the wire."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rivalry_engine.event import Seen
from rivalry_engine.game import Game, View


@dataclass(frozen=True, slots=True)
class Player:
    """Who sits on a seat."""

    seat: int
    name: str
    version: str = ""


@dataclass(frozen=True, slots=True)
class TimeControl:
    """How long a seat may think, in seconds.

    A prompt has ``prompt_s`` of its own, the first one ``first_prompt_s``; what it takes beyond is drawn from the
    seat's bank, which begins with ``bank_s`` and grows by ``increment_s`` with each legal answer in time.  An answer
    later than ``soft_s`` costs one of ``strikes``.  The flag falls ``margin_s`` after the time told.  None is: no limit
    (``prompt_s``, ``first_prompt_s``), there is none (``soft_s``, ``bank_s``), the arena's usual (``margin_s``,
    ``watchdog_s``: the longest that a prompt without a limit may stay unanswered).
    """

    prompt_s: float | None = None
    first_prompt_s: float | None = None
    soft_s: float | None = None
    strikes: int = 0
    bank_s: float | None = None
    increment_s: float = 0.0
    margin_s: float | None = None
    watchdog_s: float | None = None


@dataclass(frozen=True, slots=True)
class Measured:
    """What the arena measured of the seat's last decision: the prompt's number, and seconds.

    ``elapsed_s`` runs from the prompt to its legal answer; it is ``bot_s``, ``network_s`` and ``arena_s`` together.
    ``charged_s`` is what counted against the clock.
    """

    number: int
    elapsed_s: float
    network_s: float = 0.0
    arena_s: float = 0.0
    charged_s: float = 0.0

    @property
    def bot_s(self) -> float:
        """The bot's own part: what is neither the network's nor the arena's."""
        return self.elapsed_s - self.network_s - self.arena_s


@dataclass(frozen=True, slots=True)
class TimeSpent:
    """What a seat's decisions took in the whole match, in seconds, and what of it was charged."""

    bot_s: float
    network_s: float
    arena_s: float
    charged_s: float


@dataclass(frozen=True, slots=True)
class Ruling:
    """Why an answer was not taken.

    ``kind`` is rejected, expired, stale, duplicate or conflict; ``reason`` the arena's word (illegal, no_choice, parts,
    notation, …); ``code`` the game's own when the reason is illegal; ``tries_left`` how many more rejected answers the
    prompt allows.
    """

    kind: str
    reason: str
    code: str
    text: str
    tries_left: int


@dataclass(frozen=True, slots=True)
class SeatOutcome:
    """How a match ended for one seat; ``score`` and ``rank`` (from 1) are None in a void match.

    ``end`` is normal, illegal, timeout, disconnect, crash, no_show, resigned, arena_fault or cancelled; ``retries`` how
    often the seat's bot was started or awaited again; ``spent`` what its decisions took, None where nobody measured.
    """

    seat: int
    name: str
    score: int | None
    rank: int | None
    end: str = "normal"
    text: str = ""
    stood_in: bool = False
    decisions: int = 0
    illegal: int = 0
    retries: int = 0
    spent: TimeSpent | None = None


@dataclass(frozen=True, slots=True)
class Outcome:
    """The result of a match, ``seats`` in seat order; ``score_unit`` units of a score make a point.

    ``void`` matches have no scores and no ranks, and ``text`` says why.
    """

    seats: tuple[SeatOutcome, ...]
    score_unit: int = 1
    void: bool = False
    text: str = ""
    game_digest: str = ""


class Match:
    """One match as one seat is told of it when it starts.

    ``options`` holds every option with its value; ``prompt_s`` and ``first_prompt_s`` are seconds for a prompt and for
    the first, None without a limit, and ``time_control`` is all of it; ``luck`` is the seat's own chance.
    """

    id: str
    game_name: str
    rules_version: int
    options: Mapping[str, Any]
    seat: int
    players: tuple[Player, ...]
    prompt_s: float | None
    first_prompt_s: float | None
    time_control: TimeControl
    resumed: bool = False
    """True if the match had begun before this bot was made: its seat's bot was started or awaited again."""
    luck: bytes
    game: Game
    """The rules; over the wire this raises UnreadableError when no package installed here reads the match."""
    setup: View
    """What is public and stays the same for the whole match."""

    @property
    def seats(self) -> int:
        """How many bots play."""
        return len(self.players)

    @property
    def last_events(self) -> Sequence[Seen]:
        """Once the match is over: the events after those of the last prompt."""
        return ()

    def __repr__(self) -> str:
        return f"<Match {self.id} {self.game_name}, seat {self.seat} of {self.seats}>"


class LocalMatch(Match):
    """A match that runs in this process."""

    def __init__(
        self,
        game: Game,
        *,
        seat: int,
        players: Sequence[Player],
        luck: bytes,
        setup: View | None = None,
        id: str = "",  # noqa: A002 - the word of the glossary
        prompt_s: float | None = None,
        first_prompt_s: float | None = None,
        time_control: TimeControl | None = None,
    ) -> None:
        self.id = id
        self.game_name = game.name
        self.rules_version = game.rules_version
        self.options = game.options
        self.seat = seat
        self.players = tuple(players)
        self.prompt_s = prompt_s
        self.first_prompt_s = first_prompt_s
        self.time_control = time_control or TimeControl(prompt_s, first_prompt_s)
        self.luck = luck
        self.game = game
        if setup is not None:
            self.setup = setup
