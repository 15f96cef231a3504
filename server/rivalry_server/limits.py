"""What one identity may have and do: open sessions, matches in them, new sessions, unasked messages, calls."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from rivalry.arena.v1 import errors_pb2
from rivalry_server.flood import Allowance
from rivalry_server.greeting import RefusedError

if TYPE_CHECKING:
    from rivalry_server.identity import Identity
    from rivalry_server.settings import Settings


class TooMuchError(Exception):
    """A call above what its identity may; the message says what that is and when to try again."""


class Use:
    """What an identity has now, and what is left of its allowances."""

    def __init__(self, identity: Identity, settings: Settings, now: float) -> None:
        times = settings.local_times if identity.local else 1
        self.identity = identity
        self.stays: set[Stay] = set()
        self.sessions = 0
        self.watches = 0
        self.matches = 0
        """Promised to its sessions."""
        self._sessions_most = settings.identity_sessions * times
        self._matches_most = settings.identity_matches * times
        self._watches_most = settings.identity_watches * times
        self._per_minute = settings.identity_new_per_minute * times
        self._fresh = Allowance(self._per_minute, self._per_minute / 60, now)
        self.unasked = Allowance(settings.identity_unasked_burst * times, settings.identity_unasked_per_s * times, now)
        self._calls_per_s = settings.identity_calls_per_s * times
        self._calls = Allowance(settings.identity_calls_burst * times, self._calls_per_s, now)
        self._work_ms_per_s = settings.identity_work_ms_per_s * times
        self._work = Allowance(settings.identity_work_burst_ms * times, self._work_ms_per_s, now)
        """In milliseconds; each call takes one of them at least."""

    def session(self, matches: int, now: float) -> Stay:
        """One more session, with up to ``matches``, of which fewer may be granted; raises RefusedError."""
        self.come(now)
        if self.sessions >= self._sessions_most:
            raise self._refused(
                f"open sessions of one identity: at most {self._sessions_most}",
                f"has {self.sessions}",
                "try again when one of them has ended",
            )
        granted = min(matches, self._matches_most - self.matches)
        if granted < 1:
            raise self._refused(
                f"matches in the open sessions of one identity: at most {self._matches_most}",
                f"has sessions for {self.matches}",
                "try again when one of them has ended, or ask for fewer matches in each hello",
            )
        return Stay(self, granted)

    def come(self, now: float) -> None:
        """One more hello; raises RefusedError if there were too many of late."""
        if self._fresh.spent(now):
            raise self._refused(
                f"new sessions of one identity in a minute: {self._per_minute}",
                "opened more",
                f"try again in {soon(self._fresh.wait_s())}",
            )

    def again(self, matches: int) -> Stay:
        """A session that was open before the arena was started anew: it counts, and is not refused."""
        return Stay(self, matches)

    def watch(self) -> Stay:
        """One more stream of WatchMatch; raises TooMuchError."""
        if self.watches >= self._watches_most:
            raise TooMuchError(
                f"streams by which one identity may watch at once: {self._watches_most}, and {self.identity} has "
                f"{self.watches}; try again when one of them has ended"
            )
        return Stay(self, 0, watches=True)

    def call(self, now: float) -> None:
        """One more call; raises TooMuchError."""
        if self._calls.spent(now):
            raise TooMuchError(
                f"calls of one identity in a second: {self._calls_per_s:g}, and {self.identity} made more; "
                f"try again in {soon(self._calls.wait_s())}"
            )
        if self._work.spent(now):
            raise TooMuchError(
                f"work of the arena at the calls of one identity in a second: {self._work_ms_per_s:g} ms, and "
                f"{self.identity} asked for more; try again in {soon(self._work.wait_s())}"
            )

    def worked(self, seconds: float) -> None:
        """The last call took the arena so long."""
        self._work.charge(1_000 * seconds)

    def idle(self, now: float) -> bool:
        """True if forgetting it gives nothing away: nothing is open, and its allowances are whole."""
        return not self.stays and all(each.whole(now) for each in (self._fresh, self.unasked, self._calls, self._work))

    def _refused(self, ours: str, has: str, remedy: str) -> RefusedError:
        return RefusedError(errors_pb2.REFUSAL_REASON_LIMIT, ours=ours, yours=f"{self.identity} {has}", remedy=remedy)


class Stay:
    """A session or a watch of an identity, from its beginning to its end."""

    def __init__(self, use: Use, matches: int, *, watches: bool = False) -> None:
        self.matches = matches
        """How many matches may be open in the session."""
        self.watches = watches
        self.on_revoked: Callable[[], None] | None = None
        """Called once if the token that it was begun with is revoked."""
        self._use = use
        use.stays.add(self)
        use.matches += matches
        use.watches += watches
        use.sessions += not watches

    @property
    def identity(self) -> Identity:
        """Whose it is."""
        return self._use.identity

    def unasked(self, now: float) -> bool:
        """Counts an unasked message; True if the identity's sessions together said too many."""
        return self._use.unasked.spent(now)

    def over(self) -> None:
        """It has ended; said again, nothing happens."""
        if self in self._use.stays:
            self._use.stays.discard(self)
            self._use.matches -= self.matches
            self._use.watches -= self.watches
            self._use.sessions -= not self.watches

    def revoke(self) -> None:
        """Its token is good for nothing any more."""
        call, self.on_revoked = self.on_revoked, None
        if call is not None:
            call()


def soon(wait_s: float) -> str:
    """How long to wait before the next try, in words: whole seconds, so that it is not too early."""
    return f"{max(1, round(wait_s + 0.5))} s"
