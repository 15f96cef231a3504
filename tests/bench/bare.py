"""The bound of the arena's speed: a server that only sends a payload and waits for an answer, and its clients.

``python -m bench.bare ADDRESS ANSWER_BYTES`` is one client.
"""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
import time
from pathlib import Path

os.environ.setdefault("GRPC_VERBOSITY", "NONE")
METHOD = "/bare.Bare/Play"
TESTS = Path(__file__).resolve().parents[1]


async def _client(address: str, answer: bytes) -> None:
    import grpc.aio

    async with grpc.aio.insecure_channel(address) as channel:
        call = channel.stream_stream(METHOD)()
        while await call.read() is not grpc.aio.EOF:
            await call.write(answer)
        await call.done_writing()


class _Bare:
    """Collects streams, then asks them in turn."""

    def __init__(self, clients: int, payload: bytes, seconds: float) -> None:
        self.clients = clients
        self.payload = payload
        self.seconds = seconds
        self.contexts: list[object] = []
        self.full = asyncio.Event()
        self.over = asyncio.Event()

    async def play(self, _requests: object, context: object) -> None:
        self.contexts.append(context)
        if len(self.contexts) == self.clients:
            self.full.set()
        await self.over.wait()

    async def measured(self) -> float:
        """Round trips a second, asked one after the other."""
        await asyncio.wait_for(self.full.wait(), 30)
        for _ in range(3):
            await self._round()
        rounds, began = 0, time.perf_counter()
        while time.perf_counter() - began < self.seconds:
            await self._round()
            rounds += 1
        took = time.perf_counter() - began
        self.over.set()
        return rounds * self.clients / took

    async def _round(self) -> None:
        for context in self.contexts:
            await context.write(self.payload)  # type: ignore[attr-defined]
            await context.read()  # type: ignore[attr-defined]


async def _serve(clients: int, payload: bytes, answer_bytes: int, seconds: float) -> float:
    import grpc.aio

    bare = _Bare(clients, payload, seconds)
    server = grpc.aio.server()
    server.add_generic_rpc_handlers(
        (grpc.method_handlers_generic_handler("bare.Bare", {"Play": grpc.stream_stream_rpc_method_handler(bare.play)}),)
    )
    port = server.add_insecure_port("127.0.0.1:0")
    await server.start()
    processes = [
        subprocess.Popen(
            [sys.executable, "-m", "bench.bare", f"127.0.0.1:{port}", str(answer_bytes)],
            env={**os.environ, "PYTHONPATH": str(TESTS)},
            cwd=TESTS,
        )
        for _ in range(clients)
    ]
    try:
        return await bare.measured()
    finally:
        await server.stop(1)
        for process in processes:
            try:
                process.wait(5)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()


def _run(main: object) -> object:
    import uvloop

    return uvloop.run(main)  # type: ignore[arg-type]


def round_trips(*, clients: int, payload_bytes: int, answer_bytes: int, seconds: float) -> float:
    """Round trips a second of a bare server that asks ``clients`` processes in turn with payloads of that size."""
    rate = _run(_serve(clients, os.urandom(payload_bytes), answer_bytes, seconds))
    assert isinstance(rate, float)
    return rate


if __name__ == "__main__":
    _run(_client(sys.argv[1], bytes(int(sys.argv[2]))))
