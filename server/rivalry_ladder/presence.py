"""Who is there: what the arena knows of a bot now, and the facts that decide whether it may be matched."""

from __future__ import annotations

import shutil
import time
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from rivalry_engine.naming import among
from rivalry_ladder.book import Row
from rivalry_ladder.registry import Means
from rivalry_ladder.settings import Settings
from rivalry_ladder.why import Facts
from rivalry_server.identity import Kind
from rivalry_server.seating import Command

if TYPE_CHECKING:
    from rivalry_ladder.course import Course
    from rivalry_server.arena import Arena
    from rivalry_server.session import Session
    from rivalry_server.token_file import TokenFile

VOID_LEAST_S = 1.0
VOID_MOST_S = 60.0
"""After matches that came to nothing, one after the other, a bot is matched again so long after the last: twice as long
each time."""


class Presence:
    """Looks at sessions, tokens and settings; remembers when a bot was here last, and what came to nothing."""

    def __init__(
        self,
        arena: Arena,
        settings: Settings,
        tokens: TokenFile,
        course: Course,
        *,
        wall: Callable[[], float] = time.time,
    ) -> None:
        self._arena = arena
        self._settings = settings
        self._tokens = tokens
        self._course = course
        self._wall = wall
        self._seen: dict[str, float] = {}
        self._made: dict[int, float] = {}
        """By entry: when its last match was made."""
        self._voids: dict[int, tuple[int, float, str]] = {}
        """By entry: how many of its last matches came to nothing, when it may be matched again, and why."""

    def sessions(self) -> Mapping[str, list[Session]]:
        """The sessions that have a stream, by the id of the bot's token they showed."""
        found: dict[str, list[Session]] = {}
        for session in self._arena.lobby.sessions:
            if session.attached and session.greeting.who.kind is Kind.BOT:
                found.setdefault(session.greeting.who.key, []).append(session)
        now = self._wall()
        self._seen.update(dict.fromkeys(found, now))
        return found

    def void(self, entry: int, why: str) -> None:
        """A match of an entry came to nothing."""
        count = self._voids.get(entry, (0, 0.0, ""))[0] + 1
        wait_s = min(VOID_MOST_S, VOID_LEAST_S * 2 ** (count - 1))
        self._voids[entry] = (count, self._wall() + wait_s, why)

    def made(self, entry: int) -> None:
        """A match of an entry is made now."""
        self._made[entry] = self._wall()

    def not_played(self, entry: int) -> None:
        """That match came to nothing by another's fault: the entry need not rest for it."""
        self._made.pop(entry, None)

    def well(self, entry: int) -> None:
        """A match of an entry came to something."""
        self._voids.pop(entry, None)

    def facts(self, row: Row, sessions: Mapping[str, list[Session]]) -> Facts:
        """All that decides whether ``row`` may be matched now."""
        now = self._wall()
        _, again_at, void = self._voids.get(row.entry, (0, 0.0, ""))
        dials_in = row.means is Means.DIALS_IN
        here = sessions.get(row.token_id, []) if dials_in else []
        said = [session for session in here if session.greeting.version in ("", row.version)]
        suited = [session for session in said if self._plays(session, row.queue)]
        others = [session.greeting.version for session in here if session not in said]
        answering = [session for session in suited if not session.silent]
        bot = self._settings.bots.get(row.name)
        playing = self._course.of_bot(row.bot)
        if dials_in:
            taken = sum(session.greeting.matches for session in answering) - len(playing)
            room = min(taken, sum(session.room for session in answering))
        else:
            room = (0 if bot is None else bot.matches) - len(playing)
        return Facts(
            bot=row.name,
            version=row.version,
            queue=row.queue,
            draining=self._arena.lobby.draining,
            queue_closed=row.queue_closed,
            queue_paused=row.queue_paused,
            paused=row.paused,
            quarantined=row.quarantined,
            token_ended=self._token_ended(row.token_id) if dials_in else "",
            in_settings=dials_in or bot is not None,
            program_missing="" if bot is None or not isinstance(bot.registered, Command) else _missing(bot.registered),
            dials_in=dials_in,
            sessions=len(here),
            versions=tuple(sorted(set(others))),
            suited=len(suited),
            said=len(said),
            answering=len(answering),
            last_seen=_moment(self._seen.get(row.token_id)),
            room=room,
            playing=tuple(playing),
            void=void if again_at > now else "",
            void_in_s=max(0.0, again_at - now),
            rests_s=max(0.0, self._made.get(row.entry, 0.0) + self._settings.figures.rest_s - now),
            probed=row.probed,
            probe_running=self._course.probes(row.entry),
            probe_in_s=max(0.0, row.probe_after - now),
            probe_failed=row.probe_failed,
        )

    def _plays(self, session: Session, queue: str) -> bool:
        games = session.greeting.games
        known = self._settings.queues.get(queue)
        return not games or (known is not None and among(known.game.name, games))

    def _token_ended(self, token_id: str) -> str:
        token = self._tokens.tokens().get(token_id)
        return "removed" if token is None else token.ended(self._wall())


def _missing(command: Command) -> str:
    """The program of a command where there is none; empty where there is."""
    return "" if shutil.which(command.argv[0]) is not None else command.argv[0]


def _moment(at: float | None) -> str:
    return "" if at is None else f"{datetime.fromtimestamp(at, UTC):%Y-%m-%d %H:%M:%S}Z"
