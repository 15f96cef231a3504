"""What was found out about OpenSpiel's games by playing them: ``make openspiel`` writes the table that shows it."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

RESAMPLED: Final[frozenset[str]] = frozenset()
"""Games with secrets of which OpenSpiel draws another state that looks the same to a seat, and rightly so."""

HEAVY: Final[frozenset[str]] = frozenset()
"""Games of which a step takes a millisecond or more; those that are written in Python are heavy besides."""

IMPOSSIBLE: Final[Mapping[str, str]] = MappingProxyType({})
"""Games that cannot be played here, and why."""
