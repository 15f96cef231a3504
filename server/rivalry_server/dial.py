"""Dials a bot that hosts BotService and holds a session with it."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Coroutine
from typing import TYPE_CHECKING, Any, Final

from rivalry_client.tls import TlsError, trouble
from rivalry_server.link import CallLink, Link
from rivalry_server.logs import log
from rivalry_server.outcome import shortened
from rivalry_server.settings import RECEIVED_BYTES

if TYPE_CHECKING:
    from grpc.aio import Channel, StreamStreamCall

    from rivalry_server.lobby import Vacancy
    from rivalry_server.seating import Dial

METHOD: Final = "/rivalry.arena.v1.BotService/Play"
PROBE: Final = "/grpc.health.v1.Health/Check"
OPTIONS: Final = (
    ("grpc.max_reconnect_backoff_ms", 1_000),
    # A bot's address is meant as it is, whatever proxy the environment names.
    ("grpc.enable_http_proxy", 0),
    ("grpc.keepalive_time_ms", 30_000),
    ("grpc.keepalive_timeout_ms", 20_000),
    ("grpc.http2.max_pings_without_data", 0),
    ("grpc.max_receive_message_length", RECEIVED_BYTES),
)
AGAIN_S: Final = 0.5
"""Between two sessions with a bot that hung up before its match began."""


async def dialled(bot: Dial, vacancy: Vacancy, hold: Callable[[Link], Coroutine[Any, Any, None]]) -> None:
    """Holds sessions for one seat with the bot at ``bot.target``, until its match is over or this is cancelled.

    The bot may be started later than the match is made, and again before the match begins.
    """
    import grpc.aio

    from rivalry_client.grpc_link import SESSION, metadata

    target = bot.target
    try:
        credentials = bot.tls.dialling() if bot.tls else None
    except TlsError as error:  # the files were good when the bot was registered
        vacancy.trouble = str(error)
        log.error("bot_unreachable", match=vacancy.attempt.spec.match_id, seat=vacancy.seat, why=str(error))
        return
    if credentials is None:
        channel = grpc.aio.insecure_channel(target, options=OPTIONS)
    else:
        channel = grpc.aio.secure_channel(target, credentials, options=OPTIONS)
    vacancy.trouble = f"{target} has not answered"
    try:
        while True:
            await _connected(channel, bot, vacancy)
            vacancy.trouble = ""
            away = vacancy.taken_by
            lost = () if away is None else ((SESSION, away.session_id),)
            call: grpc.aio.StreamStreamCall[Any, Any] = channel.stream_stream(METHOD)(
                metadata=(*metadata(bot.token), *lost)
            )
            link = CallLink(call, target)
            link.token = vacancy.token
            try:
                await hold(link)
                await link.finished()
                vacancy.trouble = vacancy.trouble or await _left(call, target) or vacancy.trouble_before
                vacancy.trouble_before = vacancy.trouble
            finally:
                call.cancel()
            if not vacancy.attempt.expects(vacancy.seat):
                return
            log.info("bot_redialled", match=vacancy.attempt.spec.match_id, seat=vacancy.seat, target=target)
            await asyncio.sleep(AGAIN_S)
    finally:
        await channel.close()


async def _connected(channel: Channel, bot: Dial, vacancy: Vacancy) -> None:
    """Returns when there is a connection; the vacancy and the log are told what keeps it from coming about."""
    import grpc

    state = channel.get_state(try_to_connect=True)
    while state is not grpc.ChannelConnectivity.READY:
        if state is grpc.ChannelConnectivity.TRANSIENT_FAILURE:
            why = await _failure(channel, bot)
            if why not in ("", vacancy.trouble):
                vacancy.trouble = why
                log.info(
                    "bot_unreachable",
                    match=vacancy.attempt.spec.match_id,
                    seat=vacancy.seat,
                    target=bot.target,
                    why=why,
                )
        await channel.wait_for_state_change(state)
        state = channel.get_state(try_to_connect=True)


async def _failure(channel: Channel, bot: Dial) -> str:
    """Why there is no connection, which gRPC tells only to a call; empty if there is one by now."""
    import grpc.aio

    probe: grpc.aio.UnaryUnaryMultiCallable[Any, Any] = channel.unary_unary(PROBE)
    try:
        await probe(b"", timeout=AGAIN_S)
    except grpc.aio.AioRpcError as error:
        if error.code() is grpc.StatusCode.UNAVAILABLE:
            if why := await trouble(error.details() or "", bot.target, tls=bool(bot.tls)):
                return f"{bot.target} cannot be spoken with: {why}"
            # "failed to connect to all addresses; last error: UNKNOWN: ipv4:…: …: Connection refused (111)"
            why = (error.details() or "").rpartition(": ")[2].strip("[] ")
            why = re.sub(r" \(\d+\)$", "", why) or "no connection"
            return shortened(f"{why[0].lower()}{why[1:]} at {bot.target}")
    return ""


async def _left(call: StreamStreamCall[Any, Any], target: str) -> str:
    """How a bot's side of a session ended that took no seat; empty where gRPC has forgotten it."""
    import grpc

    from rivalry_client.grpc_link import FORGOTTEN

    if call.done() and (code := await call.code()) is not grpc.StatusCode.OK:
        why = await call.details()
        return "" if why == FORGOTTEN else shortened(f"{target} answered {code.name}: {why}")
    return f"{target} hung up"
