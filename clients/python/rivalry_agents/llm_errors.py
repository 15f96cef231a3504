"""How a language model's seat fails by its own fault: each is a crash, told in one line, and never a move."""

from __future__ import annotations

from rivalry_client.bot import GivenUpError


class EndpointError(GivenUpError):
    """The endpoint cannot be reached, refuses, or says what is no chat completion."""


class NoAnswerError(GivenUpError):
    """The model was asked as often as is allowed and gave no legal answer."""


class OutOfTimeError(GivenUpError):
    """The clock is too near to ask, or to ask once more."""
