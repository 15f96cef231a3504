"""The one writer of a stream: nothing leaves before what led to it is written down."""

from __future__ import annotations

import asyncio

from rivalry_server.journal import NoJournal
from rivalry_server.link import pair
from rivalry_server.outbox import Due, Outbox
from server import virtual


class Noting(NoJournal):
    """Notes when it is asked to write down what it has."""

    __slots__ = ("notes",)

    def __init__(self, notes: list[str]) -> None:
        self.notes = notes

    def commit(self) -> None:
        self.notes.append("committed")


class Piece(Due):
    """Notes when it is put into a frame and when that was written."""

    def __init__(self, notes: list[str]) -> None:
        self.notes = notes

    def written(self, now: float) -> bytes:
        self.notes.append("framed")
        return b"due"

    def returned(self, now: float) -> None:
        self.notes.append("written")


def test_the_journal_is_written_before_each_frame_is_begun() -> None:
    async def work() -> tuple[list[str], list[bytes | None]]:
        theirs, ours = pair()
        notes: list[str] = []
        loop = asyncio.get_running_loop()
        outbox = Outbox(theirs, Noting(notes), now=loop.time, write_s=5, bound=9, on_slow=notes.append)
        writing = asyncio.ensure_future(outbox.write_all())
        heard = []
        for _ in range(3):
            outbox.put(Piece(notes))
            heard.append(await ours.read())
            await asyncio.sleep(0)
        outbox.put(b"plain")
        heard.append(await ours.read())
        outbox.finish()
        await writing
        return notes, heard

    notes, heard = virtual.run(work())

    assert notes[:10] == [*["committed", "framed", "written"] * 3, "committed"]
    assert heard == [b"due"] * 3 + [b"plain"]
