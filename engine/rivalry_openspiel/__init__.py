"""The games of OpenSpiel (Lanctot et al., "OpenSpiel: A Framework for Reinforcement Learning in Games", 2019) as ours.

Any of them is called ``openspiel:NAME``.  What is supported and what is not: ``README.md`` of this package.
"""

from __future__ import annotations

from rivalry_openspiel.family import OpenSpielFamily

FAMILY = OpenSpielFamily()
"""What the entry point ``openspiel`` names; nothing of OpenSpiel is imported before one of its games is asked for."""
