"""Watching a match: public events as they happen."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import grpc
import grpc.aio

from rivalry.arena.v1 import match_pb2, play_pb2
from rivalry_engine.game import PUBLIC
from rivalry_server import describe
from rivalry_server.blame import tamed
from rivalry_server.watch import Reader

if TYPE_CHECKING:
    from rivalry_server.attempt import Attempt
    from rivalry_server.match import Match


async def watched(attempt: Attempt, context: grpc.aio.ServicerContext[Any, Any], write_s: float) -> None:
    """Tells a watcher what the public may know of a match, until it has ended; drops one that does not read."""
    changed = asyncio.Event()
    attempt.watchers.append(changed.set)
    match: Match | None = None
    reader = Reader(0)
    try:
        await context.send_initial_metadata(())  # tells the watcher that nothing is missed from now on
        while True:
            changed.clear()
            batch: list[match_pb2.Watched] = []
            if match is None and attempt.match is not None:
                match = attempt.match
                reader = match.log.reader()
                batch.append(_started(attempt, match))
            if match is not None:
                batch += _events(match, reader.have)
                reader.have = len(match.log)
            result = attempt.result
            if result is not None:
                batch.append(match_pb2.Watched(ended=describe.match(attempt, with_seed=not result.owed)))
            for message in batch:
                await _written(context, message, write_s)
            if result is not None:
                return
            if not batch:
                await changed.wait()
    finally:
        attempt.watchers.remove(changed.set)
        if match is not None:
            match.log.close(reader)


def _started(attempt: Attempt, match: Match) -> match_pb2.Watched:
    return match_pb2.Watched(
        started=match_pb2.WatchStarted(
            match=describe.match(attempt, with_seed=False),
            setup=match.wire.setup,
            observation=match.wire.public_observation(),
            events=len(match.log),
        )
    )


def _events(match: Match, told: int) -> list[match_pb2.Watched]:
    try:
        return _told(match, told)
    except Exception:
        raise
    except BaseException as error:
        raise tamed(match, error) from error


def _told(match: Match, told: int) -> list[match_pb2.Watched]:
    seen = match.log.seen(PUBLIC, told)
    return [
        match_pb2.Watched(
            events=match_pb2.WatchedEvents(
                first_event=first,
                event_count=count,
                events=match.wire.events_any(data),
                texts=[match.game.event_text(event) for event in seen[first - 1 - told : first - 1 - told + count]],
            )
        )
        for first, count, data in match.wire.events(PUBLIC, told)
    ]


async def _written(context: grpc.aio.ServicerContext[Any, Any], message: match_pb2.Watched, write_s: float) -> None:
    try:
        async with asyncio.timeout(write_s):
            await context.write(play_pb2.WatchMatchResponse(messages=[message]))
    except TimeoutError:
        await context.abort(grpc.StatusCode.RESOURCE_EXHAUSTED, f"what was sent was not read in {write_s:g} s")
