"""Actions as ours: OpenSpiel's number, and above it the words that OpenSpiel has for it in that state.

The notation is ``WORDS #NUMBER``.  OpenSpiel's words belong to a state (``Nf3`` is one number now and another later)
and need not be different for different actions, so the number stands beside them, and both travel in the action itself:
text and action then go both ways without a state, and a record can be read by a person.
"""

from __future__ import annotations

import re
from typing import Final

from rivalry_engine.error import NotationError
from rivalry_engine.game import Action

BITS: Final = 63
MASK: Final = (1 << BITS) - 1
WORDS_BYTES: Final = 240
"""Words that are longer are cut: the number tells actions apart."""
_FORM: Final = re.compile(r"(?:(.*\S) )?#(0|[1-9][0-9]{0,18})", re.DOTALL)


def action_of(number: int, words: str) -> Action:
    """The action of OpenSpiel's number and words."""
    return int.from_bytes(_plain(words).encode(), "big") << BITS | number


def number_of(action: Action) -> int:
    """OpenSpiel's number of an action."""
    return action & MASK


def text_of(action: Action) -> str:
    """The notation of an action."""
    high = action >> BITS
    words = high.to_bytes((high.bit_length() + 7) // 8, "big").decode(errors="replace") if high > 0 else ""
    return f"{words} #{action & MASK}" if words else f"#{action & MASK}"


def action_read(text: str) -> Action:
    """The action of a notation; raises NotationError."""
    found = _FORM.fullmatch(text.strip())
    if found is not None:
        words, number = found[1] or "", int(found[2])
        if number <= MASK and _plain(words) == words:
            return action_of(number, words)
    shown = text if len(text) <= 80 else text[:80] + "…"
    raise NotationError(f"{shown!r} is no action; expected words and OpenSpiel's number, such as 'x(0,1) #1'")


def _plain(words: str) -> str:
    """``words`` on one line, without what cannot be printed, and cut."""
    line = " ".join("".join(letter if letter.isprintable() else " " for letter in words).split())
    data = line.encode(errors="replace")
    if len(data) > WORDS_BYTES:
        line = data[: WORDS_BYTES - 3].decode(errors="ignore").rstrip() + "…"
    return line
