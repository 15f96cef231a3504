"""Tracebacks that bots write again and again: each is shown once, and then how often it came again."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

HEAD: Final = "Traceback (most recent call last):"
BETWEEN: Final = (
    "",
    "During handling of the above exception, another exception occurred:",
    "The above exception was the direct cause of the following exception:",
)
"""What stands between tracebacks that belong together."""
LINES_MOST: Final = 400
"""A traceback of more lines is shown as it comes."""
KEPT_MOST: Final = 256
"""So many are remembered; those that came longest ago are forgotten first."""


class Repeats:
    """Which tracebacks were shown, by who wrote them."""

    def __init__(self) -> None:
        self._seen: dict[tuple[str, str], int] = {}

    def shown(self, who: str, lines: list[str]) -> list[str]:
        """What is shown of a whole traceback: all of it, a line that says how often it came, or nothing.

        The second, tenth, hundredth … of ``who`` have a line.  Two are the same if they came by the same way, whatever
        the exception says.
        """
        error = lines[-1]
        key = who, "\n".join((*lines[:-1], error.partition(":")[0]))
        count = self._seen.pop(key, 0) + 1
        self._seen[key] = count
        if len(self._seen) > KEPT_MOST:
            del self._seen[next(iter(self._seen))]
        if count == 1:
            return lines
        if count != 2 and str(count).strip("0") != "1":
            return []
        return [f"{error}: again (×{count}), by the traceback that was shown"]


class Listener:
    """Takes the lines that one program writes, and shows those that are not said again and again."""

    def __init__(self, repeats: Repeats, who: str, show: Callable[[str], None]) -> None:
        """``who`` is the same for all programs of a bot."""
        self._repeats = repeats
        self._who = who
        self._show = show
        self._held: list[str] = []
        """The lines of a traceback that is being written."""
        self._dropped = False
        """True after a traceback that was not shown: what joins the next to it is not either."""

    def line(self, line: str) -> None:
        """One more line."""
        if line == HEAD:
            self.ended()
            self._held.append(line)
        elif self._held:
            self._held.append(line)
            if not line.startswith(" "):
                self._whole()
            elif len(self._held) > LINES_MOST:
                self.ended()
        elif not (self._dropped and line in BETWEEN):
            self._dropped = False
            self._show(line)

    def ended(self) -> None:
        """Nothing more is written; or the traceback breaks off."""
        held, self._held = self._held, []
        for line in held:
            self._show(line)

    def _whole(self) -> None:
        held, self._held = self._held, []
        lines = self._repeats.shown(self._who, held)
        self._dropped = lines is not held
        for line in lines:
            self._show(line)
