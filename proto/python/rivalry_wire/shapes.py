"""The shapes of a prompt's choices: what lets a client answer any game by number, without its payloads."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from rivalry_engine.game import Choice
from rivalry_wire.bytewise import packed

PARTS: Final = 6
LEAST: Final = 7
MOST: Final = 8
USUAL: Final = 9
"""The numbers of these fields in ``rivalry.arena.v1.Prompt``, and in every Choices message that repeats them."""


def shapes(choices: Sequence[Choice]) -> bytes:
    """The fields ``parts least most usual`` of ``Prompt``, serialised: to be appended to the rest of the prompt.

    ``parts`` is as long as ``choices``; the other three are as long, or empty when all of their numbers are zero.
    """
    parts = [len(choice.parts) for choice in choices]
    if not any(parts):
        return _plain(len(parts))
    least = [choice.least for choice in choices]
    most = [choice.most for choice in choices]
    usual = [choice.usual for choice in choices]
    written = packed(PARTS, parts)
    if any(least):
        written += packed(LEAST, least)
    if any(most):
        written += packed(MOST, most)
    if any(usual):
        written += packed(USUAL, usual)
    return written


@lru_cache(maxsize=256)
def _plain(count: int) -> bytes:
    return packed(PARTS, [0] * count)
