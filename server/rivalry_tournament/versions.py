"""Which version of an entrant's bot played: a new one in the midst of a tournament is told."""

from __future__ import annotations

import json
from collections.abc import Mapping

from rivalry_tournament.lines import Result
from rivalry_tournament.results import RECORDS, Tournament


class Versions:
    """What bots called themselves and their versions, match by match, as the records have it."""

    def __init__(self, tournament: Tournament) -> None:
        self._folder = tournament.folder
        self._last: dict[str, str] = {}
        self._told: set[tuple[str, str]] = set()
        """What was told once is not told again, though programs of both play at once."""
        missing = set(tournament.schedule.settings.names())
        for result in reversed(tournament.results.values()):
            if missing.intersection(result.bots):
                self._last |= {name: bot for name, bot in self._of(result).items() if name in missing}
                missing.difference_update(result.bots)
            if not missing:
                break

    def changed(self, result: Result) -> list[str]:
        """A sentence for each entrant whose bot is another than in the matches before ``result``."""
        told: list[str] = []
        for name, bot in self._of(result).items():
            before = self._last.get(name, bot)
            if bot != before and (name, bot) not in self._told:
                self._told |= {(name, before), (name, bot)}
                told.append(f"entrant {name} is now {bot}, and was {before} before: matches of both count as its own")
            self._last[name] = bot
        return told

    def _of(self, result: Result) -> Mapping[str, str]:
        """Name and version of the bot of each entrant that played to its end; nothing where there is no record."""
        try:
            with (self._folder / RECORDS / f"{result.match}.jsonl").open("rb") as file:
                seats = json.loads(file.readline())["seats"]
            return {
                name: f"{seat['name']} {seat['version'] or 'without a version'}"
                for name, seat, end in zip(result.bots, seats, result.ends, strict=True)
                if end == "normal"
            }
        except (OSError, ValueError, KeyError, TypeError):
            return {}
