"""Calls of a ladder over gRPC, whose failures are one line each."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from typing import TYPE_CHECKING, Any, TypeVar

from rivalry_server import stop
from rivalry_server.commands.arena_calls import CallError, Calls

if TYPE_CHECKING:
    import grpc.aio

    from rivalry_server.commands.arena_where import Where

T = TypeVar("T")


class LadderCalls(Calls):
    """The calls of one ladder; each raises CallError."""

    def __init__(self, channel: grpc.aio.Channel, where: Where) -> None:
        from rivalry.ladder.v1 import ladder_pb2_grpc

        super().__init__(channel, where)
        self._stub = ladder_pb2_grpc.LadderServiceStub(channel)  # type: ignore

    async def ask(self, method: str, /, **fields: Any) -> Any:
        """What the ladder answers to ``method`` with a request of ``fields``."""
        from rivalry.ladder.v1 import ladder_pb2

        return await self._answer(method, getattr(ladder_pb2, f"{method}Request")(**fields))

    async def _failure(self, name: str, error: grpc.aio.AioRpcError) -> CallError:
        failure = await super()._failure(name, error)
        if failure.code == "UNIMPLEMENTED":
            text = f"what answers at {self.where.address} is an arena without a ladder, or one of another version"
            return CallError(
                f"{text}; start one with `rivalry ladder serve`, or look what --address says", code=failure.code
            )
        if failure.code == "UNAVAILABLE" and not failure.heard:
            text = str(failure).replace("no arena", "no ladder").replace("`rivalry serve`", "`rivalry ladder serve`")
            return CallError(text, code=failure.code, heard=False)
        if failure.code == "UNAUTHENTICATED":
            text = str(failure).replace("an operator's or a bot's", "an owner's, an operator's or a bot's")
            return CallError(text, code=failure.code)
        return failure


def asked(where: Where, work: Callable[[LadderCalls], Coroutine[Any, Any, T]]) -> T:
    """What ``work`` returns, which is given the ladder's calls; raises as ``arena_calls.asked`` does."""
    with stop.held():
        from rivalry_client.grpc_link import channel
        from rivalry_server.commands.loop import run

    async def main() -> T:
        line = channel(where.address, where.tls)
        try:
            return await work(LadderCalls(line, where))
        finally:
            await line.close()

    return run(main)


def answer(where: Where, method: str, /, **fields: Any) -> Any:
    """What the ladder answers to one call."""
    return asked(where, lambda calls: calls.ask(method, **fields))
