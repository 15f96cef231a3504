"""The shapes of a prompt's choices: what lets a client answer any game by number, without its payloads."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from rivalry_engine.game import Choice
from rivalry_wire.bytewise import packed

PARTS: Final = 6
LEAST: Final = 7
MOST: Final = 8
USUAL: Final = 9
"""The numbers of these fields in ``rivalry.arena.v1.Prompt``, and in every Choices message that repeats them."""

_PLAIN: Final = tuple(packed(PARTS, [0] * count) for count in range(128))
"""By the number of choices, none of which has parts."""

_kept: tuple[Sequence[Choice], bytes] = ((), b"")


def shapes(choices: Sequence[Choice]) -> bytes:
    """The fields ``parts least most usual`` of ``Prompt``, serialised: to be appended to the rest of the prompt.

    ``parts`` is as long as ``choices``; the other three are as long, or empty when all of their numbers are zero.  What
    was written last is kept, so that a codec and the arena may both ask for the shapes of the same object.
    """
    of, written = _kept
    if of is choices:
        return written
    _, *columns = zip(*choices, strict=True) if choices else ((),) * 5
    return shapes_of(choices, *columns)


def shapes_of(
    choices: Sequence[Choice],
    parts: Sequence[tuple[int, ...]],
    least: Sequence[int],
    most: Sequence[int],
    usual: Sequence[int],
) -> bytes:
    """The same for a caller who has taken the choices apart."""
    global _kept
    written = _sized(choices, parts, least, most, usual) if any(parts) or len(parts) > 127 else _PLAIN[len(parts)]
    _kept = (choices, written)
    return written


def _sized(
    choices: Sequence[Choice],
    parts: Sequence[tuple[int, ...]],
    leasts: Sequence[int],
    mosts: Sequence[int],
    usuals: Sequence[int],
) -> bytes:
    try:
        lengths, least, most, usual = bytes(map(len, parts)), bytes(leasts), bytes(mosts), bytes(usuals)
    except ValueError:
        return _long(choices)
    count = len(parts)
    if count > 127 or not lengths.isascii():
        return _long(choices)
    written = bytes((PARTS << 3 | 2, count)) + lengths
    if any(least):
        written += bytes((LEAST << 3 | 2, count)) + least
    if any(most):
        written += bytes((MOST << 3 | 2, count)) + most
    if any(usual):
        written += bytes((USUAL << 3 | 2, count)) + usual
    return written


def _long(choices: Sequence[Choice]) -> bytes:
    """The same where a number or a length does not fit a byte."""
    written = packed(PARTS, [len(choice.parts) for choice in choices])
    for field, column in (
        (LEAST, [choice.least for choice in choices]),
        (MOST, [choice.most for choice in choices]),
        (USUAL, [choice.usual for choice in choices]),
    ):
        if any(column):
            written += packed(field, column)
    return written
