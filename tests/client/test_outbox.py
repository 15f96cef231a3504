"""What waits to be sent, and when it is known to be on its way."""

from __future__ import annotations

import asyncio

from client.scripted import PATIENCE_S
from rivalry.arena.v1 import play_pb2, session_pb2
from rivalry_client.link import QueueLink
from rivalry_client.outbox import Outbox


def leave(text: str) -> session_pb2.FromBot:
    """A message that can be told from others."""
    return session_pb2.FromBot(leave=session_pb2.Leave(text=text))


def test_it_is_drained_when_what_is_being_written_and_what_waits_is_written() -> None:
    async def main() -> None:
        ours, theirs = QueueLink.pair(bound=1)
        outbox = Outbox(ours)
        writer = asyncio.ensure_future(outbox.run())
        for text in ("one", "two", "three"):  # the link takes one frame, and the writer waits with the second
            outbox.put(leave(text))
            await asyncio.sleep(0)
        draining = asyncio.ensure_future(outbox.drain())
        await asyncio.sleep(0.01)
        assert not draining.done()
        heard = []
        while len(heard) < 3:
            frame = await theirs.read()
            assert frame is not None
            heard += [message.leave.text for message in play_pb2.PlayRequest.FromString(frame).messages]
        await asyncio.wait_for(draining, PATIENCE_S)
        writer.cancel()
        assert heard == ["one", "two", "three"]

    asyncio.run(main())


def test_a_closed_one_forgets_what_waits_and_drops_what_is_put() -> None:
    async def main() -> None:
        ours, theirs = QueueLink.pair()
        outbox = Outbox(ours)
        outbox.put(leave("early"))
        outbox.close()
        outbox.put(leave("late"))
        outbox.put_frame(b"late, too")
        await outbox.drain()
        ours.hang_up()
        assert await theirs.read() is None

    asyncio.run(main())
