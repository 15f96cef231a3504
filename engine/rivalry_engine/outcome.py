"""Ranks of a match in which some seats did not play to the end."""

from __future__ import annotations

from collections.abc import Sequence

from rivalry_engine.game import ranked

NORMAL = "normal"
ENDS = (
    NORMAL, "illegal", "timeout", "disconnect", "crash", "no_show", "resigned", "arena_fault", "cancelled",
)  # fmt: skip
"""How a seat's part in a match may end, in the words of records and JSON."""


def placed(ranks: Sequence[int], fell: Sequence[int | None]) -> tuple[int, ...]:
    """The final ranks, from the rules' own ``ranks`` and what ``fell``.

    ``fell`` holds for each seat the number of actions done when it ended other than normally, or None.  A seat that
    fell ranks below every seat that did not, later before earlier; those that fell together share.
    """
    return ranked([(1, -rank) if when is None else (0, when) for rank, when in zip(ranks, fell, strict=True)])
