"""How a session ended, and what its program's exit status is."""

from __future__ import annotations

from dataclasses import dataclass, field

CLEAN = frozenset({"done", "left", "shutdown"})
KEPT = frozenset({"lost", "closed", "restart", "replaced", "refused", "unreachable"})
"""Endings after which the session may still be there, or is another process's."""
BEFORE_PLAY = frozenset({"refused", "unreachable", "unusable", "declined"})


@dataclass(frozen=True, slots=True)
class Ending:
    """Why a session is over.

    ``kind`` is done, left, shutdown (the arena stopped), redirected, crash, interrupted, refused, unreachable, unusable
    (the address cannot be used), declined (the bot plays none of the games it was offered), lost (and not resumed),
    closed (the arena hung up without a word), or the arena's reason: replaced, restart, slow_reader, protocol, flood,
    frame, silent, arena, revoked.
    """

    kind: str
    text: str = ""
    matches: int = 0
    """How many matches were played to their end."""
    target: str = ""
    """Where a redirected session goes on."""
    error: BaseException | None = field(default=None, compare=False)
    """What the bot raised, after a crash."""

    @property
    def status(self) -> int:
        """The exit status: 0 ended well, 1 failed, 2 never began to play, 130 Ctrl-C."""
        if self.kind in CLEAN:
            return 0
        if self.kind in BEFORE_PLAY:
            return 2
        return 130 if self.kind == "interrupted" else 1
