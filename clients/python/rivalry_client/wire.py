"""What a bot may put on the wire for one prompt: the seam for bots that mean to break the protocol."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING

from rivalry_client.prompt import Prompt
from rivalry_engine.prompt import Answer

if TYPE_CHECKING:
    from rivalry.arena.v1 import session_pb2


class Wire(ABC):
    """The writing half of a session."""

    @abstractmethod
    def answer(self, prompt: Prompt, answer: Answer, *, number: int | None = None) -> None:
        """Sends an answer, under the prompt's number unless another is given."""

    @abstractmethod
    def say(self, message: session_pb2.FromBot) -> None:
        """Sends any message with the next frame."""

    @abstractmethod
    def frame(self, frame: bytes) -> None:
        """Sends bytes as a frame of their own, whatever they are."""

    @abstractmethod
    def hang_up(self) -> None:
        """Closes the stream without a word."""
