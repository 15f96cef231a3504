"""The desk: where chat agents get their seats, and the chairs that they hold, each by its key."""

from __future__ import annotations

import asyncio
import json
import logging
import secrets
from collections.abc import Mapping, Sequence
from typing import Any, Final

from rivalry.arena.v1 import match_pb2, play_pb2, time_pb2
from rivalry_agents.mcp_server.arena import Arena
from rivalry_agents.mcp_server.chair import Chair, ChairBot, ChairReport
from rivalry_bots import catalog as bots
from rivalry_client.client import Seating
from rivalry_client.ending import Ending
from rivalry_engine.chance import seed_from_text
from rivalry_engine.error import RivalryError

log = logging.getLogger("rivalry.mcp")

OPEN: Final = "open"
"""The opponent who is whoever comes."""
IDLE_S: Final = 900.0
"""A seat that its agent does not ask about for so long is given up."""
SEATS_MOST: Final = 256
OVER_MOST: Final = 256
"""So many seats whose matches are over are kept for who wants to look back."""
SEATED_S: Final = 10.0
"""How long the arena may take to begin a match whose seats are all taken."""
REFUSED_S: Final = 0.3
"""How long a refusal is waited for where others are awaited; one that comes later is told with the next look."""
OPEN_WAIT_S: Final = 600.0
"""How long an open seat of a new match waits for somebody."""
PROMPT_LEAST_S: Final = 0.001
PROMPT_MOST_S: Final = 86_400.0
NAME_MOST: Final = 64


class DeskError(RivalryError):
    """What the agent asked for cannot be had."""


class Desk:
    """Takes seats at ``arena``, keeps their chairs, and gives up those that nobody asks about for ``idle_s``."""

    def __init__(self, arena: Arena, *, idle_s: float = IDLE_S, seats_most: int = SEATS_MOST) -> None:
        self.arena = arena
        self.idle_s = idle_s
        self._seats_most = seats_most
        self._chairs: dict[str, Chair] = {}
        self._sessions: dict[str, asyncio.Task[None]] = {}
        self._lapses: dict[str, asyncio.TimerHandle] = {}

    def chair(self, key: str) -> Chair:
        """The chair of ``key``, which is not idle for now; raises DeskError."""
        chair = self._chairs.get(key)
        if chair is None:
            raise DeskError(
                f"there is no seat {key[:40]!r} here: give the key that new_match or join_match returned; "
                f"a seat that nobody asks about for {self.idle_s:g} s is given up and forgotten"
            )
        self._lapse_later(key)
        return chair

    async def new_match(
        self,
        game: str,
        *,
        opponents: Sequence[str],
        seat: int,
        options: Mapping[str, Any],
        seed: str,
        prompt_s: float,
        name: str,
    ) -> tuple[Chair, dict[int, str]]:
        """A chair at a new match, and the tokens of the seats that are left open, by seat; raises RivalryError.

        ``opponents`` stand in the order of the other seats; one of them is for all.
        """
        if not PROMPT_LEAST_S <= prompt_s <= PROMPT_MOST_S:
            raise DeskError(
                f"seconds_per_prompt is {prompt_s:g}; expected {PROMPT_LEAST_S:g} to {PROMPT_MOST_S:g}, such as 300"
            )
        others = await self._others(game, opponents, options)
        if not 0 <= seat <= len(others):
            raise DeskError(f"your_seat is {seat}; {game} with {len(others) + 1} seats has 0 to {len(others)}")
        who = [*others[:seat], OPEN, *others[seat:]]
        self._check_room(name)
        request = play_pb2.CreateMatchRequest(
            game=game,
            options_json=_json(options),
            seats=[_seat(each, mine=at == seat) for at, each in enumerate(who)],
            time_control=time_pb2.TimeControl(prompt_us=round(prompt_s * 1_000_000)),
            wait_us=round(OPEN_WAIT_S * 1_000_000),
        )
        if seed:
            request.seed = seed_from_text(seed)
        made = await self.arena.created(request)
        tokens = {at: token for at, token in enumerate(made.seat_tokens) if token}
        chair = self._seated(name, token=tokens.pop(seat))
        await chair.until(chair.settled, REFUSED_S if tokens else SEATED_S)
        if chair.ending is not None and chair.match is None:
            self._forget(chair.key)
            await self.arena.cancelled(made.match.match_id, "its maker got no seat")
            raise DeskError(f"the arena gives no seat at the new match: {chair.ending.text or chair.ending.kind}")
        return chair, tokens

    async def join(self, *, token: str, game: str, name: str, wait_s: float) -> Chair:
        """A chair for the seat of ``token``, or without one for the next that is open, of ``game`` if that is given.

        Whether there is a match for it is awaited for ``wait_s``, or for REFUSED_S where that is longer.
        """
        self._check_room(name)
        if token and (not token.isascii() or not token.isprintable() or len(token) > 512):
            raise DeskError("token: expected a seat's token, one word of ASCII")
        if game:
            await self.arena.described(game)
        chair = self._seated(name, token=token, game=game)
        await chair.until(chair.settled, max(wait_s, REFUSED_S))
        if chair.ending is not None and chair.match is None:
            self._forget(chair.key)
            raise DeskError(f"the arena gives no seat: {chair.ending.text or chair.ending.kind}")
        return chair

    def keep(self, chair: Chair) -> None:
        """The agent was there just now."""
        if chair.key in self._chairs:
            self._lapse_later(chair.key)

    def leave(self, chair: Chair, why: str) -> None:
        """Ends the session of a chair: its seat, where it has one, is played on as the match's policy says."""
        session = self._sessions.get(chair.key)
        if session is not None and not session.done():
            log.info("seat %s is left: %s", chair.name, why)
            session.cancel()

    async def close(self) -> None:
        """Leaves all seats; returns when the arena was told."""
        for timer in self._lapses.values():
            timer.cancel()
        sessions = list(self._sessions.values())
        for session in sessions:
            session.cancel()
        await asyncio.gather(*sessions, return_exceptions=True)
        self._chairs.clear()

    async def _others(self, game: str, opponents: Sequence[str], options: Mapping[str, Any]) -> list[str]:
        """Who sits on the other seats."""
        described = await self.arena.described(game)
        counts = list(described.game.seat_counts)
        seats = options.get("seats", len(opponents) + 1 if len(opponents) > 1 else 0)
        if not seats:
            declared = {option.name: option.default_json for option in described.game.options}
            seats = json.loads(declared.get("seats", "0")) or counts[0]
        if type(seats) is not int or seats not in counts:
            raise DeskError(f"{game} is played with {', '.join(map(str, counts))} seats; {seats!r} were asked for")
        names = list(opponents) or [usual_opponent(game)]
        if len(names) == 1:
            names *= seats - 1
        if len(names) != seats - 1:
            raise DeskError(
                f"opponents: {len(names)} were named, and {seats} seats less yours are {seats - 1}; "
                "name so many, or one for all"
            )
        return names

    def _seated(self, name: str, *, token: str, game: str = "") -> Chair:
        chair = Chair(secrets.token_hex(8), name)
        bot = type("ChairBot", (ChairBot,), {"games": (game,)}) if game else ChairBot
        seating = Seating(bot, name, settings={"chair": chair})
        self._chairs[chair.key] = chair
        self._forget_old()
        self._sessions[chair.key] = asyncio.get_running_loop().create_task(self._session(chair, seating, token))
        self._lapse_later(chair.key)
        return chair

    async def _session(self, chair: Chair, seating: Seating, token: str) -> None:
        """Runs the session of a chair, and ends it when its match is over: another would be another chair."""
        playing = asyncio.ensure_future(self.arena.seat(seating, ChairReport(chair), token=token))
        ended = asyncio.ensure_future(chair.until(lambda: chair.outcome is not None, 10 * PROMPT_MOST_S))
        try:
            await asyncio.wait((playing, ended), return_when=asyncio.FIRST_COMPLETED)
        finally:
            playing.cancel()
            ended.cancel()
            await asyncio.wait((playing, ended))
            chair.left(Ending("left") if playing.cancelled() else _ending(playing))

    def _check_room(self, name: str) -> None:
        if not name.strip() or len(name) > NAME_MOST or not name.isprintable():
            raise DeskError(f"name {name[:80]!r}: expected 1 to {NAME_MOST} printable characters")
        open_chairs = sum(not chair.over for chair in self._chairs.values())
        if open_chairs >= self._seats_most:
            raise DeskError(f"{open_chairs} seats are held here, and no more are taken; give one up with resign")

    def _forget_old(self) -> None:
        """Of the seats whose matches are over the oldest are not kept where there are many."""
        over = [key for key, chair in self._chairs.items() if chair.over]
        for key in over[: max(len(over) - OVER_MOST, 0)]:
            self._forget(key)

    def _lapse_later(self, key: str) -> None:
        before = self._lapses.pop(key, None)
        if before is not None:
            before.cancel()
        self._lapses[key] = asyncio.get_running_loop().call_later(self.idle_s, self._lapsed, key)

    def _lapsed(self, key: str) -> None:
        self.leave(self._chairs[key], f"its agent did not ask about it for {self.idle_s:g} s")
        self._forget(key)

    def _forget(self, key: str) -> None:
        timer = self._lapses.pop(key, None)
        if timer is not None:
            timer.cancel()
        self._chairs.pop(key, None)
        session = self._sessions.get(key)
        if session is not None:
            session.add_done_callback(lambda _: self._sessions.pop(key, None))


def usual_opponent(game: str) -> str:
    """The built-in bot that plays where none is named."""
    names = opponents_of(game)
    return "greedy" if "greedy" in names else "random"


def opponents_of(game: str) -> list[str]:
    """The built-in bots that play ``game``, as this machine has them."""
    return bots.names_for(game)


def _seat(who: str, *, mine: bool) -> match_pb2.SeatSpec:
    """Who sits there; a seat that is ``mine`` is for whoever has its token, so that nobody who waits is quicker."""
    if who == OPEN:
        return match_pb2.SeatSpec(open=match_pb2.OpenSeat(token_only=mine))
    return match_pb2.SeatSpec(built_in=who)


def _json(options: Mapping[str, Any]) -> str:
    try:
        return json.dumps(dict(options))
    except (TypeError, ValueError) as error:
        raise DeskError(f"options: {error}; expected a JSON object") from error


def _ending(playing: asyncio.Future[Ending]) -> Ending:
    error = playing.exception()
    if error is None:
        return playing.result()
    log.error("a session failed", exc_info=error)
    return Ending("crash", f"{type(error).__name__}: {error}")
