"""A game that travels as JSON, read as the game's own values where its package is installed."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from typing import Any

from rivalry.games.generic.v1 import generic_pb2 as pb
from rivalry_engine.error import NotationError, RivalryError
from rivalry_engine.game import Choice, Observation, View
from rivalry_wire.generic import GenericCodec, shaped
from rivalry_wire.reading import UnreadableError


class JsonCodec(GenericCodec):
    """The generic messages, and a way back from JSON to the game's own observations.

    It writes what ``GenericCodec`` writes, so a bot that has not installed the game reads it as before.  A bot that has
    gets the rules, the game's own observations and choices with its own actions and parts: all that it takes to
    ``imagine``.  A package names its subclass under ``rivalry.codecs``; setups and events stay what JSON tells.
    """

    @abstractmethod
    def observed(self, seat: int, facts: Mapping[str, Any]) -> Observation:
        """The observation of ``seat``, or of PUBLIC, whose ``json()`` is ``facts``; an exception: there is none."""

    def part(self, text: str) -> int:
        """The part whose notation is ``text``, inverse of ``Game.part_text``; a game whose choices have parts has it.

        Raises NotationError.
        """
        raise RivalryError(f"{type(self).__name__} reads no parts, and {self.game.name} has some: define its part()")

    def read_observation(self, data: bytes, setup: View) -> Observation:
        read = super().read_observation(data, setup)
        facts = read.json()
        try:
            observed = self.observed(read.seat, facts)
            if not isinstance(observed, Observation):
                raise TypeError(f"observed() gave {observed!r:.60}; expected an Observation")
            if observed.seat != read.seat:
                raise ValueError(f"observed() gave what seat {observed.seat} sees; expected seat {read.seat}")
        except Exception as error:  # whatever a package of somebody else's does
            raise UnreadableError(
                f"{self.game.name}: {str(facts)[:80]!r} is no observation for {type(self).__name__}:"
                f" {type(error).__name__}: {error}"
            ) from error
        return observed

    def _choice(self, choice: pb.Choice) -> Choice:
        shaped(choice)
        try:
            parts = tuple(self.part(text) for text in choice.parts)
        except NotationError as error:
            raise UnreadableError(str(error)) from error
        return Choice(self._action(choice.text), parts, choice.least, choice.most, choice.usual)
