"""Dials a bot that hosts BotService and holds a session with it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from typing import TYPE_CHECKING, Any, Final

from rivalry_server.link import CallLink, Link
from rivalry_server.logs import log

if TYPE_CHECKING:
    from rivalry_server.lobby import Vacancy

METHOD: Final = "/rivalry.arena.v1.BotService/Play"
OPTIONS: Final = (
    ("grpc.max_reconnect_backoff_ms", 1_000),
    # A bot's address is meant as it is, whatever proxy the environment names.
    ("grpc.enable_http_proxy", 0),
    ("grpc.keepalive_time_ms", 30_000),
    ("grpc.keepalive_timeout_ms", 20_000),
    ("grpc.http2.max_pings_without_data", 0),
)
AGAIN_S: Final = 0.5
"""Between two sessions with a bot that hung up before its match began."""


async def dialled(target: str, vacancy: Vacancy, hold: Callable[[Link], Coroutine[Any, Any, None]]) -> None:
    """Holds sessions for one seat with the bot at ``target``, until its match is over or this is cancelled.

    The bot may be started later than the match is made, and again before the match begins.
    """
    import grpc.aio

    channel = grpc.aio.insecure_channel(target, options=OPTIONS)
    try:
        while True:
            await channel.channel_ready()
            call: grpc.aio.StreamStreamCall[Any, Any] = channel.stream_stream(METHOD)()
            link = CallLink(call, target)
            link.token = vacancy.token
            try:
                await hold(link)
                await link.finished()
            finally:
                call.cancel()
            if not vacancy.attempt.waiting_for(vacancy.seat):
                return
            log.info("bot_redialled", match=vacancy.attempt.spec.match_id, seat=vacancy.seat, target=target)
            await asyncio.sleep(AGAIN_S)
    finally:
        await channel.close()
