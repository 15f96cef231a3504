"""What a game with parameters may need here: above that it is refused, or heavy.

Times are of a processor, in seconds.
"""

from __future__ import annotations

from typing import Final

TRIAL_S: Final = 15.0
"""How long a trial may take by the clock, which is longer where the machine is busy."""
CPU_S: Final = 4
"""All of a trial, where the system can limit it: loading, the first state, and some steps."""
ONCE_S: Final = 1.0
"""Loading alone, or the first state, or one step: OpenSpiel lets nothing else of an arena run meanwhile."""
HEAVY_S: Final = 0.02
"""A game whose first state or step takes longer is heavy."""
BYTES: Final = 1 << 30
"""Memory beyond what OpenSpiel itself takes, where the system can limit it."""
UNASKED_MOST: Final = 2_000
"""Draws of chance, and moves of nobody, between two questions."""
ACTIONS_MOST: Final = 20_000
"""Legal actions of a seat, which a prompt holds all."""
SEEN_BYTES: Final = 256 << 10
"""What one audience sees, as JSON; a message holds 1 MiB."""
