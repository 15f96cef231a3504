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
class Measured:
    """What the arena measured of the seat's last decision: the prompt's number, the seconds from prompt to answer."""

    number: int
    elapsed_s: float


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

    ``end`` is normal, illegal, timeout, disconnect, crash, no_show, resigned, arena_fault or cancelled.
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
    the first, None without a limit; ``luck`` is the seat's own chance.
    """

    id: str
    game_name: str
    rules_version: int
    options: Mapping[str, Any]
    seat: int
    players: tuple[Player, ...]
    prompt_s: float | None
    first_prompt_s: float | None
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
    ) -> None:
        self.id = id
        self.game_name = game.name
        self.rules_version = game.rules_version
        self.options = game.options
        self.seat = seat
        self.players = tuple(players)
        self.prompt_s = prompt_s
        self.first_prompt_s = first_prompt_s
        self.luck = luck
        self.game = game
        if setup is not None:
            self.setup = setup
