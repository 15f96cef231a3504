"""A match as the session knows it: its bot, its open prompt, the events it has told of."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

from rivalry.arena.v1 import outcome_pb2, session_pb2
from rivalry_client.bot import Bot
from rivalry_client.match import Match, Outcome, Player, SeatOutcome
from rivalry_client.payload import Payloads
from rivalry_client.prompt import WirePrompt
from rivalry_client.thinking import Lane
from rivalry_client.times import spent, time_control
from rivalry_client.words import word
from rivalry_engine.event import Seen
from rivalry_engine.game import Game, View

if TYPE_CHECKING:
    from google.protobuf.any_pb2 import Any as AnyMessage

    from rivalry_client.connection import Connection


Backlog: TypeAlias = "tuple[AnyMessage, int]"
"""Events that came in a message of their own, and how many of the last of them were new."""


class WireMatch(Match):
    """A match that an arena runs; options, game and setup are decoded when first looked at."""

    def __init__(self, started: session_pb2.MatchStarted) -> None:
        self.id = started.match_id
        self.game_name = started.game
        self.rules_version = started.rules_version
        self.seat = started.seat
        self.players = tuple(Player(player.seat, player.name, player.version) for player in started.players)
        self.time_control = time_control(started.time_control)
        self.prompt_s = self.time_control.prompt_s
        self.first_prompt_s = self.time_control.first_prompt_s
        self.luck = started.luck
        self.payloads = Payloads(started.game, started.options_json, started.setup)
        self.resumed = started.resumed
        self._closing: session_pb2.MatchEnded | None = None
        self._seen = 0
        self._earlier: Sequence[Backlog] = ()

    @property
    def options(self) -> Mapping[str, Any]:  # type: ignore[override]
        return self.payloads.options

    @property
    def game(self) -> Game:  # type: ignore[override]
        return self.payloads.game

    @property
    def setup(self) -> View:  # type: ignore[override]
        return self.payloads.setup

    @property
    def last_events(self) -> Sequence[Seen]:
        closing = self._closing
        if closing is None:
            return ()
        known = max(self._seen - closing.first_event + 1, 0)
        own = self.payloads.events(closing.events)[known:] if closing.event_count > known else ()
        return [*self.earlier(self._earlier), *own]

    def earlier(self, backlog: Sequence[Backlog]) -> list[Seen]:
        """Events that came in messages of their own, those that were known before left out."""
        return [event for payload, fresh in backlog for event in self.payloads.events(payload)[-fresh:]]

    def close(self, ended: session_pb2.MatchEnded, *, seen: int = 0, earlier: Sequence[Backlog] = ()) -> None:
        """Keeps what came with the end, and up to which number the bot has the events."""
        self._closing = ended
        self._seen = seen
        self._earlier = earlier


class Table:
    """One match's place in a session."""

    __slots__ = ("backlog", "bot", "events_seen", "handle", "lane", "match", "number", "prompt", "resign", "told_over")

    bot: Bot

    def __init__(self, handle: int, match: WireMatch) -> None:
        self.match = match
        self.lane = Lane()
        self.move(handle)

    def move(self, handle: int) -> None:
        """The match is known by another handle, and of its prompts and events nothing is known that still holds."""
        self.handle = handle
        self.prompt: WirePrompt | None = None
        self.number = 0
        """The newest prompt's."""
        self.told_over: Connection | None = None
        """The stream over which that prompt was told; None also where the arena says that it is not open."""
        self.events_seen = 0
        self.backlog: list[Backlog] = []
        """Events that the bot gets with its next prompt."""
        self.resign: session_pb2.FromBot | None = None
        """The bot has given up the match."""

    def ack(self) -> session_pb2.Ack:
        """What the bot has of the match."""
        return session_pb2.Ack(match=self.handle, events=self.events_seen, prompt=self.number)


def outcome(message: outcome_pb2.Outcome) -> Outcome:
    """The outcome as the bot gets it."""
    return Outcome(
        seats=tuple(_seat(seat) for seat in message.seats),
        score_unit=message.score_unit or 1,
        void=message.void,
        text=message.text,
        game_digest=message.game_digest,
    )


def _seat(message: outcome_pb2.SeatOutcome) -> SeatOutcome:
    return SeatOutcome(
        seat=message.seat,
        name=message.name,
        score=message.score if message.HasField("score") else None,
        rank=message.rank if message.HasField("rank") else None,
        end=word(outcome_pb2.End, message.end, "END_"),
        text=message.text,
        stood_in=message.stood_in,
        decisions=message.decisions,
        illegal=message.illegal,
        retries=message.retries,
        spent=spent(message.spent) if message.HasField("spent") else None,
    )
