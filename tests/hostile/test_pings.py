"""A bot whose HTTP/2 pings without data as often as it likes, spoken by hand: gRPC's own clients hold theirs back."""

from __future__ import annotations

import asyncio
import struct
from dataclasses import dataclass, field
from typing import Any, Final

import grpc.aio
import pytest

from rivalry.arena.v1 import play_pb2, session_pb2
from rivalry_client import host
from rivalry_server import service
from rivalry_server.arena import Arena
from server.peer import FromBot, hello

DATA, HEADERS, SETTINGS, PING, GOAWAY = 0, 1, 4, 6, 7
END_HEADERS, ACK = 4, 1
PREFACE: Final = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
PINGS: Final = 40
EVERY_S: Final = 0.01


@dataclass
class Heard:
    """What a server sent."""

    pongs: int = 0
    away: bytes = b""
    data: bytes = b""
    changed: asyncio.Event = field(default_factory=asyncio.Event)


class Line:
    """One connection, and one stream on it."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader = reader
        self._writer = writer
        self.heard = Heard()
        self._listening = asyncio.ensure_future(self._listen())

    @staticmethod
    async def to(address: str) -> Line:
        """A connection to ``host:port``."""
        name, _, port = address.rpartition(":")
        line = Line(*await asyncio.open_connection(name, int(port)))
        line._writer.write(PREFACE)
        line._send(SETTINGS, b"", stream=0)
        return line

    def call(self, path: str) -> None:
        """Begins a call of a method."""
        headers = {
            ":method": "POST",
            ":scheme": "http",
            ":path": path,
            ":authority": "x",
            "content-type": "application/grpc",
            "te": "trailers",
        }
        block = b"".join(
            b"\x00" + bytes([len(name)]) + name.encode() + bytes([len(value)]) + value.encode()
            for name, value in headers.items()
        )
        self._send(HEADERS, block, flags=END_HEADERS)

    def say(self, message: session_pb2.FromBot) -> None:
        """One frame of a session."""
        frame = play_pb2.PlayRequest(messages=[message]).SerializeToString()
        self._send(DATA, struct.pack(">BI", 0, len(frame)) + frame)

    def ping(self) -> None:
        """A ping of HTTP/2, which holds no data of any call."""
        self._send(PING, bytes(8), stream=0)

    async def until(self, what: Any) -> bool:
        """True once ``what(heard)`` is; False if it never is."""
        while not what(self.heard):
            self.heard.changed.clear()
            if self._listening.done():
                return bool(what(self.heard))
            await asyncio.wait_for(self.heard.changed.wait(), 30)
        return True

    async def close(self) -> None:
        """Hangs up."""
        self._listening.cancel()
        await asyncio.gather(self._listening, return_exceptions=True)
        self._writer.close()
        await asyncio.gather(self._writer.wait_closed(), return_exceptions=True)

    def _send(self, kind: int, body: bytes, *, flags: int = 0, stream: int = 1) -> None:
        self._writer.write(struct.pack(">I", len(body))[1:] + struct.pack(">BBI", kind, flags, stream) + body)

    async def _listen(self) -> None:
        try:
            while True:
                head = await self._reader.readexactly(9)
                body = await self._reader.readexactly(int.from_bytes(head[:3], "big"))
                kind, flags = head[3], head[4]
                if kind == PING and flags & ACK:
                    self.heard.pongs += 1
                elif kind == PING:
                    self._send(PING, body, flags=ACK, stream=0)
                elif kind == SETTINGS and not flags & ACK:
                    self._send(SETTINGS, b"", flags=ACK, stream=0)
                elif kind == GOAWAY:
                    self.heard.away = body
                elif kind == DATA:
                    self.heard.data += body
                self.heard.changed.set()
        except (asyncio.IncompleteReadError, ConnectionError):
            return
        finally:
            self.heard.changed.set()


async def eager(line: Line) -> None:
    """Pings again and again, each time when the one before was answered."""
    for number in range(1, PINGS + 1):
        line.ping()
        if not await line.until(lambda heard: heard.pongs >= number or heard.away) or line.heard.away:  # noqa: B023
            return
        await asyncio.sleep(EVERY_S)


def test_a_bot_that_pings_without_data_while_it_thinks_is_not_cut_off() -> None:
    async def work() -> Heard:
        async with Arena() as arena:
            line = await Line.to(await arena.start("127.0.0.1:0"))
            line.call("/rivalry.arena.v1.ArenaService/Play")
            line.say(hello())
            assert await line.until(lambda heard: b"rivalry 0" in heard.data), "no welcome"
            await eager(line)
            line.say(FromBot(ping=session_pb2.Ping(nonce=0x7777)))
            pong = session_pb2.FromArena(pong=session_pb2.Pong(nonce=0x7777)).SerializeToString()
            assert await line.until(lambda heard: pong in heard.data)
            await line.close()
            return line.heard

    heard = asyncio.run(work())

    assert heard.away == b""
    assert heard.pongs == PINGS


def pinged(options: Any) -> Heard:
    """What a server with such options answers to pings without any call."""

    async def work() -> Heard:
        server = grpc.aio.server(options=options)
        port = server.add_insecure_port("127.0.0.1:0")
        await server.start()
        line = await Line.to(f"127.0.0.1:{port}")
        await eager(line)
        await line.close()
        await server.stop(0)
        return line.heard

    return asyncio.run(work())


@pytest.mark.parametrize("options", [service.OPTIONS, host.HOST_OPTIONS], ids=["arena", "hosted bot"])
def test_whoever_pings_without_a_call_is_not_cut_off(options: Any) -> None:
    heard = pinged(options)

    assert (heard.away, heard.pongs) == (b"", PINGS)


def test_a_server_with_grpcs_own_settings_cuts_whoever_pings_so_off() -> None:
    heard = pinged(())

    assert b"too_many_pings" in heard.away
    assert heard.pongs < PINGS
