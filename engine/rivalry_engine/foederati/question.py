"""The kinds of questions, as ``State.question`` names them (FO11).

placement  put a shield on the board: ``place``
turn       any command of a turn: ``expand attack migrate sail exchange``, then ``end turn``, or ``pass`` at its start
battle     the side that would lose: ``reinforce`` or ``yield``
first      the seat in last place names the first player of the next round: ``choose first``
"""

from __future__ import annotations

from typing import Final

PLACEMENT: Final = "placement"
TURN: Final = "turn"
BATTLE: Final = "battle"
FIRST: Final = "first"
OVER: Final = ""
"""No question: the game is over."""

KINDS: Final = (PLACEMENT, TURN, BATTLE, FIRST)
