"""What was found out about OpenSpiel's games by playing them: ``make openspiel`` writes the table that shows it."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

RESAMPLED: Final = frozenset(("bargaining", "kuhn_poker", "leduc_poker", "universal_poker"))
"""Games with secrets of which OpenSpiel draws another state that looks the same to a seat, and rightly so.

Others do not resample at all, or what they draw does not look the same (blackjack, oh_hell at its end) or
cannot be played from the beginning (hearts, euchre).
"""

HEAVY: Final = frozenset(("bridge_uncontested_bidding", "go", "hive", "tiny_bridge_2p", "yacht"))
"""Games of which a step takes a millisecond of CPU in the mean, or 20 at the longest.

Those that are written in Python are heavy besides.
"""

IMPOSSIBLE: Final[Mapping[str, str]] = MappingProxyType({"crossword": "its actions are structures and no numbers"})
"""Games that cannot be played here, and why."""
