"""What stands where in an observation's vector."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

Vector = npt.NDArray[np.float32]


class Slice(NamedTuple):
    """A named run of entries: ``size`` of them from ``start``, each from ``least`` to ``most``."""

    name: str
    start: int
    size: int
    least: int
    most: int
    meaning: str


class Layout:
    """Slices one after another, in the order in which they were added."""

    def __init__(self) -> None:
        self._slices: dict[str, Slice] = {}
        self.size = 0

    def add(self, name: str, size: int, most: int, meaning: str, *, least: int = 0) -> slice:
        """Appends a slice; returns where its entries stand."""
        assert name not in self._slices, name
        self._slices[name] = Slice(name, self.size, size, least, most, meaning)
        self.size += size
        return slice(self.size - size, self.size)

    def __iter__(self) -> Iterator[Slice]:
        return iter(self._slices.values())

    def __getitem__(self, name: str) -> slice:
        """Where the entries of ``name`` stand; raises KeyError that lists the names."""
        found = self._slices.get(name)
        if found is None:
            raise KeyError(f"the layout has no slice {name!r}; it has {', '.join(self._slices)}")
        return slice(found.start, found.start + found.size)

    def least(self) -> Vector:
        """The least value of each entry."""
        return self._filled([found.least for found in self])

    def most(self) -> Vector:
        """The greatest value of each entry: divide by it for values up to 1."""
        return self._filled([found.most for found in self])

    def _filled(self, values: list[int]) -> Vector:
        return np.repeat(np.array(values, np.float32), [found.size for found in self])
