"""A link over gRPC: what it tells of a call that ends while its first frame is written."""

from __future__ import annotations

import asyncio
from typing import Any, cast

import grpc.aio
import pytest

from rivalry_client.grpc_link import FORGOTTEN, DialledLink
from rivalry_client.link import LinkError

Status = tuple[grpc.StatusCode, str]
REFUSED: Status = (grpc.StatusCode.UNAUTHENTICATED, "unknown token")
LOST: Status = (grpc.StatusCode.INTERNAL, FORGOTTEN)


class Call:
    """A call whose first write ends it with a status; without one it is answered."""

    def __init__(self, status: Status | None) -> None:
        self.status = status
        self.written: list[bytes] = []
        self.cancels = 0

    async def write(self, frame: bytes) -> None:
        self._check()
        self.written.append(frame)

    async def read(self) -> bytes:
        self._check()
        return b"answer"

    def cancel(self) -> None:
        self.cancels += 1

    def _check(self) -> None:
        if self.status is not None:
            raise grpc.aio.AioRpcError(self.status[0], grpc.aio.Metadata(), grpc.aio.Metadata(), self.status[1])


class Channel:
    """Opens one call after the other."""

    def __init__(self, *statuses: Status | None) -> None:
        self.calls = [Call(status) for status in statuses]
        self.opened = 0

    def stream_stream(self, method: str) -> Any:
        return self._call

    def _call(self, metadata: object) -> Call:
        self.opened += 1
        return self.calls[self.opened - 1]


def link(channel: Channel) -> DialledLink:
    return DialledLink(cast(grpc.aio.Channel, channel), "token")


@pytest.mark.parametrize("lost", [0, 1, 2])
def test_why_a_call_was_refused_is_told_though_something_was_written_in_that_very_moment(lost: int) -> None:
    async def main() -> None:
        channel = Channel(*[LOST] * lost, REFUSED)
        ours = link(channel)
        reading = asyncio.ensure_future(ours.read())
        await asyncio.sleep(0)

        with pytest.raises(LinkError, match="unauthenticated: unknown token"):
            await ours.write(b"hello")
        with pytest.raises(LinkError, match="unauthenticated: unknown token"):
            await reading

        assert channel.opened == lost + 1

    asyncio.run(main())


def test_what_was_not_read_is_said_over_another_call() -> None:
    async def main() -> None:
        channel = Channel(LOST, None)
        ours = link(channel)

        await ours.write(b"hello")

        assert (channel.calls[1].written, await ours.read()) == ([b"hello"], b"answer")

    asyncio.run(main())


def test_calls_that_are_always_lost_are_not_opened_for_ever() -> None:
    async def main() -> None:
        channel = Channel(*[LOST] * 9)

        with pytest.raises(LinkError, match=FORGOTTEN):
            await link(channel).write(b"hello")

        assert channel.opened == 3

    asyncio.run(main())


def test_a_link_that_was_hung_up_opens_no_other_call() -> None:
    async def main() -> None:
        channel = Channel(LOST, None)
        ours = link(channel)
        ours.hang_up()

        with pytest.raises(LinkError):
            await ours.write(b"hello")
        with pytest.raises(LinkError):
            await ours.read()

        assert (channel.opened, channel.calls[0].cancels) == (1, 1)

    asyncio.run(main())
