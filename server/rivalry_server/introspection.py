"""Health and reflection, which ask nobody for a token: what they let one address have open is bounded."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterable, AsyncIterator, Callable, Coroutine, Iterator, Sequence
from typing import TYPE_CHECKING, Any, Final

import grpc
import grpc.aio
from grpc_health.v1 import health, health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha import reflection, reflection_pb2_grpc

from rivalry_server import identity
from rivalry_server.limits import TooMuchError

if TYPE_CHECKING:
    from rivalry_server.gate import Gate

Context = grpc.aio.ServicerContext[Any, Any]
TELL_S: Final = 1.0
"""How long an arena that stops waits until those who watch its health are told."""


class _Health(health.aio.HealthServicer):  # type: ignore[misc]
    def __init__(self, gate: Gate) -> None:
        super().__init__()
        self._gate = gate

    async def Watch(self, request: Any, context: Context) -> None:  # noqa: N802 - the service's own
        try:
            with _one_more(self._gate, context):
                await super().Watch(request, context)
        except TooMuchError as error:
            await context.abort(grpc.StatusCode.RESOURCE_EXHAUSTED, str(error))


class _Reflection(reflection.aio.ReflectionServicer):  # type: ignore[misc]
    def __init__(self, gate: Gate, names: Sequence[str]) -> None:
        super().__init__(names)
        self._gate = gate

    async def ServerReflectionInfo(  # noqa: N802 - the service's own
        self, request_iterator: AsyncIterable[Any], unused_context: Context
    ) -> AsyncIterator[Any]:
        try:
            with _one_more(self._gate, unused_context):
                async for told in super().ServerReflectionInfo(request_iterator, unused_context):
                    yield told
        except TooMuchError as error:
            await unused_context.abort(grpc.StatusCode.RESOURCE_EXHAUSTED, str(error))


@contextlib.contextmanager
def _one_more(gate: Gate, context: Context) -> Iterator[None]:
    """A stream of the address that calls, while it is open; raises TooMuchError."""
    stay = gate.use(identity.of_address(context.peer())).watch()
    try:
        yield
    finally:
        stay.over()


def added(server: grpc.aio.Server, gate: Gate, services: Sequence[str]) -> Callable[[], Coroutine[Any, Any, None]]:
    """Adds health and reflection for the ``services``; what is returned tells that the arena serves no more."""
    servicer = _Health(gate)
    health_pb2_grpc.add_HealthServicer_to_server(servicer, server)
    names = (*services, health.SERVICE_NAME, reflection.SERVICE_NAME)
    reflection_pb2_grpc.add_ServerReflectionServicer_to_server(_Reflection(gate, names), server)
    # The servicer's own `set` is a coroutine that only takes a lock; before the server is started nobody holds it.
    servicer._server_status.update(dict.fromkeys(("", *services), health_pb2.HealthCheckResponse.SERVING))

    async def tell() -> None:
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(servicer.enter_graceful_shutdown(), TELL_S)

    return tell
