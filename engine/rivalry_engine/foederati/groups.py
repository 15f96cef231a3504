"""Connected groups of a seat's shields, and the moves out of them (FO6.1).

A group never changes; a shield put down or taken up makes new ones.  The choices it has given last are kept in it,
since most groups stay as they are for many questions.
"""

from __future__ import annotations

from operator import attrgetter
from typing import Final

from rivalry_engine.foederati.actions import MIGRATE, OTHER_SHIFT, SAIL, SQUARE_SHIFT
from rivalry_engine.foederati.squares import components, grown, listed
from rivalry_engine.game import Choice

new: Final = tuple.__new__
by_first_square: Final = attrgetter("lowest")


class Group:
    """The squares of a group, and those next to one of them, of which some may be its own."""

    __slots__ = ("border", "lowest", "mask", "migrations", "sailings", "targets")

    def __init__(self, mask: int, border: int) -> None:
        self.mask = mask
        self.lowest = mask & -mask
        """Its first square: the groups of a seat are listed by it."""
        self.border = border
        self.targets = 0
        """The free squares for which the choices below were made."""
        self.migrations: list[Choice] = []
        self.sailings: list[Choice] = []

    def aim(self, targets: int, sea: int) -> None:
        """Makes the choices anew: every shield of the group can go to each of ``targets``, of which there is one."""
        parts = listed(targets)
        base = parts[0] << SQUARE_SHIFT
        self.migrations = [
            new(Choice, (MIGRATE | origin << OTHER_SHIFT | base, parts, 1, 1, 1)) for origin in listed(self.mask & ~sea)
        ]
        self.sailings = [
            new(Choice, (SAIL | origin << OTHER_SHIFT | base, parts, 1, 1, 1)) for origin in listed(self.mask & sea)
        ]
        self.targets = targets


def of(shields: int) -> list[Group]:
    """The groups of a set of shields, by their first squares."""
    return [Group(mask, grown(mask)) for mask in components(shields)]


def unmoved(choices: list[Choice], moved: int) -> list[Choice]:
    """The moves of those shields that stand elsewhere than on ``moved``."""
    return [choice for choice in choices if not moved >> (choice[0] >> OTHER_SHIFT & 127) & 1]
