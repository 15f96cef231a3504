"""A match as the session knows it: its bot, its open prompt, the events it has told of."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

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
        self._closing: session_pb2.MatchEnded | None = None

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
        return () if self._closing is None else self.payloads.events(self._closing.events)

    def close(self, ended: session_pb2.MatchEnded) -> None:
        """Keeps what came with the end."""
        self._closing = ended


class Table:
    """One match's place in a session."""

    __slots__ = ("bot", "events_seen", "handle", "lane", "match", "prompt")

    bot: Bot

    def __init__(self, handle: int, match: WireMatch) -> None:
        self.handle = handle
        self.match = match
        self.lane = Lane()
        self.prompt: WirePrompt | None = None
        self.events_seen = 0


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
