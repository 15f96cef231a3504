"""Chance that is derived, never drawn: every stream follows from a seed and a label.

Block ``c`` of a stream is HMAC-SHA256 with the seed as key over ``label ‖ 0x00 ‖ c`` (label in UTF-8, c in eight bytes,
big-endian); it gives four 64-bit words, big-endian, in order.  Test vectors: ``engine/README.md``.
"""

from __future__ import annotations

import hmac
from collections.abc import MutableSequence, Sequence
from typing import Final, TypeVar

from rivalry_engine.error import RivalryError

T = TypeVar("T")

WORDS: Final = 1 << 64


class Stream:
    """The words of one seed and one label, in order."""

    __slots__ = ("_block", "_counter", "_prefix", "_seed", "_used")

    def __init__(self, seed: bytes, label: str) -> None:
        self._seed = seed
        self._prefix = label.encode() + b"\x00"
        self._counter = 0
        self._block = b""
        self._used = 32

    def word(self) -> int:
        """The next integer, 0 to 2**64 - 1."""
        used = self._used
        if used == 32:
            self._block = hmac.digest(self._seed, self._prefix + self._counter.to_bytes(8, "big"), "sha256")
            self._counter += 1
            used = 0
        self._used = used + 8
        return int.from_bytes(self._block[used : used + 8], "big")

    def below(self, bound: int) -> int:
        """A uniform integer from 0 to ``bound`` - 1, by rejection: words at or above the last multiple are skipped."""
        if not 1 <= bound <= WORDS:
            raise RivalryError(f"below({bound}): expected a bound from 1 to 2**64")
        limit = WORDS - WORDS % bound
        word = self.word()
        while word >= limit:
            word = self.word()
        return word % bound

    def shuffle(self, items: MutableSequence[T]) -> None:
        """Shuffles in place: Fisher-Yates from the top (Durstenfeld 1964)."""
        for last in range(len(items) - 1, 0, -1):
            other = self.below(last + 1)
            items[last], items[other] = items[other], items[last]

    def choice(self, items: Sequence[T]) -> T:
        """One of ``items``, uniformly."""
        return items[self.below(len(items))]

    def sample(self, size: int, count: int) -> list[int]:
        """``count`` different integers below ``size``, ascending; every subset is equally likely.

        Floyd's method (Bentley and Floyd 1987): one draw an integer.
        """
        if not 0 <= count <= size:
            raise RivalryError(f"sample({size}, {count}): expected a count from 0 to {size}")
        taken: set[int] = set()
        for last in range(size - count, size):
            other = self.below(last + 1)
            taken.add(last if other in taken else other)
        return sorted(taken)

    def seed(self) -> bytes:
        """Thirty-two bytes: a seed of its own for something that this stream starts."""
        return b"".join(self.word().to_bytes(8, "big") for _ in range(4))


def derived(seed: bytes, label: str) -> bytes:
    """Thirty-two bytes that follow from a seed and a label: the first block of that stream."""
    return Stream(seed, label).seed()


def luck(seed: bytes, seat: int) -> bytes:
    """The thirty-two bytes from which the bot of ``seat`` draws its own chance."""
    return derived(seed, f"luck/{seat}")


def seed_from_text(text: str) -> bytes:
    """A seed as a person writes it: ``0x`` and hex for raw bytes, else the text's UTF-8."""
    if text.startswith("0x"):
        try:
            return bytes.fromhex(text[2:])
        except ValueError:
            expected = "0x and an even number of hex digits, or any other text"
            raise RivalryError(f"seed {text!r}: expected {expected}") from None
    try:
        return text.encode()
    except UnicodeEncodeError:
        raise RivalryError(f"seed {text!r}: expected text that UTF-8 can hold, or 0x and hex") from None


def seed_text(seed: bytes) -> str:
    """A seed as records and JSON hold it: ``0x`` and hex."""
    return "0x" + seed.hex()


def seed_of_match(seed: bytes, number: int) -> bytes:
    """The seed of match ``number`` of many that were started with one seed."""
    return seed + f"/{number}".encode()
