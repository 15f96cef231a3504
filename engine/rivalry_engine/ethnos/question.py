"""The kinds of questions, as ``State.question`` names them (E5.8)."""

from __future__ import annotations

from typing import Final

TURN: Final = "turn"
MARKER: Final = "marker"
ADVANCE: Final = "advance"
BONUS: Final = "bonus"
HORDE: Final = "horde"
TOKEN: Final = "token"
TARGET: Final = "target"
FURTHER: Final = "further"
KEEP: Final = "keep"
DRAW: Final = "draw"
EMPTY: Final = "empty"
OVER: Final = ""
"""No question: the game is over."""

ABOUT_A_BAND: Final = (MARKER, ADVANCE, BONUS, HORDE, TOKEN, TARGET, FURTHER, KEEP, DRAW)
"""These are about the last Band of the seat asked."""
