"""Reads the payloads of one match: by its game's codec, found when something is first asked for."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

from rivalry_engine.event import Seen
from rivalry_engine.game import Choice, Game, Observation, View

if TYPE_CHECKING:
    from google.protobuf.any_pb2 import Any as AnyMessage

    from rivalry_wire.codec import Codec


class Payloads:
    """The reading side of one match's codec.

    Everything but ``options`` raises UnreadableError when no package installed here reads what the arena sends, and
    when bytes are not what they should be.
    """

    def __init__(self, game_name: str, options_json: str, setup: AnyMessage) -> None:
        self._game_name = game_name
        self._options_json = options_json
        self._setup = setup

    @cached_property
    def options(self) -> dict[str, Any]:
        """Every option with its value."""
        import json

        options = json.loads(self._options_json) if self._options_json else {}
        return options if isinstance(options, dict) else {}

    @property
    def game(self) -> Game:
        """The rules; without the game's package only the texts that were read, which suffices to show a prompt."""
        return self._codec.game

    @cached_property
    def setup(self) -> View:
        """The match's setup."""
        return self._codec.read_setup(self._setup.value)

    def observation(self, payload: AnyMessage) -> Observation:
        """The observation of a prompt."""
        return self._codec.read_observation(payload.value, self.setup)

    def choices(self, payload: AnyMessage, observation: Observation) -> Sequence[Choice]:
        """The choices of a prompt, with their actions."""
        return self._codec.read_choices(payload.value, observation)

    def events(self, payload: AnyMessage) -> Sequence[Seen]:
        """Events in order."""
        return self._codec.read_events(payload.value) if payload.value else ()

    def action(self, action: int) -> tuple[str, bytes]:
        """The type URL and the bytes of an action."""
        return self._codec.url("Action"), self._codec.action(action)

    @cached_property
    def _codec(self) -> Codec:
        from rivalry_wire.codec import reader

        return reader(self._game_name, self.options, self._setup.type_url)
