"""How much a peer may say unasked: a burst, and a steady trickle after it (a token bucket)."""

from __future__ import annotations


class Allowance:
    """Counts what came unasked; time alone gives back."""

    __slots__ = ("_burst", "_left", "_per_s", "_since")

    def __init__(self, burst: int, per_s: float, now: float) -> None:
        self._burst = float(burst)
        self._per_s = per_s
        self._left = float(burst)
        self._since = now

    def spent(self, now: float) -> bool:
        """Takes one at time ``now``; True if there was none left to take."""
        self._left = min(self._burst, self._left + (now - self._since) * self._per_s)
        self._since = now
        if self._left < 1.0:
            return True
        self._left -= 1.0
        return False

    def charge(self, much: float) -> None:
        """Takes so much more, also what is not there yet: until time has given it back nothing else is."""
        self._left -= much

    def wait_s(self) -> float:
        """After one that was refused: how long until one can be taken."""
        return max(0.0, 1.0 - self._left) / self._per_s

    def whole(self, now: float) -> bool:
        """True if at time ``now`` nothing of it is missing."""
        return self._left + (now - self._since) * self._per_s >= self._burst
