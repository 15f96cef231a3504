"""Who waits for a match, since when, and who has waited too long."""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Iterable, Mapping
from typing import TYPE_CHECKING

from rivalry_server.logs import log

if TYPE_CHECKING:
    from rivalry_ladder.book import Row
    from rivalry_ladder.why import Reason


class Waiting:
    """The waiting times of a ladder's entries, on the loop's clock."""

    def __init__(self, starve_s: float) -> None:
        """Who waits longer than ``starve_s`` starves."""
        self._starve_s = starve_s
        self._since: dict[int, float] = {}
        """By entry: since when it could play and was not matched."""
        self._before: dict[str, dict[int, float]] = {}
        """By match that has no result: since when its entries had waited when it was made."""
        self._alarmed: set[int] = set()

    def waited_s(self, entry: int) -> float:
        """How long an entry could have played and was not matched."""
        since = self._since.get(entry)
        return 0.0 if since is None else asyncio.get_running_loop().time() - since

    def starves(self, entry: int) -> bool:
        """True if that is longer than usual."""
        return self.waited_s(entry) > self._starve_s

    def told(self, entry: int) -> str:
        """The same in words."""
        longer = f", longer than the {self._starve_s:g} s after which a bot starves" if self.starves(entry) else ""
        return f"it has waited {self.waited_s(entry):.0f} s{longer}"

    def count(self, ready: Iterable[int], elsewhere: Collection[int]) -> None:
        """Whoever could play waits; whoever could not does not, but for those who only play in another queue."""
        now = asyncio.get_running_loop().time()
        kept = {entry: since for entry, since in self._since.items() if entry in elsewhere}
        self._since = kept | {entry: self._since.get(entry, now) for entry in ready}

    def longest_s(self, entries: Iterable[int]) -> float:
        """How long the one has waited that has waited longest."""
        return max((self.waited_s(entry) for entry in entries), default=0.0)

    def matched(self, match_id: str, entries: Collection[int]) -> None:
        """A match of these was made."""
        now = asyncio.get_running_loop().time()
        self._before[match_id] = {entry: self._since.get(entry, now) for entry in entries}
        self._since |= dict.fromkeys(entries, now)

    def over(self, match_id: str) -> Mapping[int, float]:
        """A match has ended, or never began; returns since when its entries had waited before it."""
        return self._before.pop(match_id, {})

    def again(self, entry: int, since: float) -> None:
        """A match of the entry came to nothing by another's fault: it waits as if it had not been made."""
        self._since[entry] = min(since, self._since.get(entry, since))

    def alarm(self, ready: Iterable[Row], left: Mapping[int, Reason]) -> None:
        """Tells once of each bot that has waited too long; ``left`` says why."""
        starving = {row.entry: row for row in ready if self.starves(row.entry)}
        for entry, row in starving.items():
            if entry not in self._alarmed:
                why = left.get(entry)
                log.warning(
                    "bot_starves",
                    bot=row.name,
                    version=row.version,
                    queue=row.queue,
                    waited_s=round(self.waited_s(entry)),
                    why=None if why is None else why.text,
                )
        self._alarmed = set(starving)
