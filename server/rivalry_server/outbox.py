"""What is pending for one session, and its one writer: everything there is goes into the next frame."""

from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Callable

from rivalry_server.clock import Alarm
from rivalry_server.journal import Journal
from rivalry_server.link import Link
from rivalry_server.patience import HELD_UP_S
from rivalry_server.settings import FRAME_BYTES, FRAME_MESSAGES


class Due(ABC):
    """Something to be written whose bytes are settled when its frame is."""

    __slots__ = ()

    @abstractmethod
    def written(self, now: float) -> bytes:
        """The piece that goes into a frame begun at ``now``; empty when it is not wanted any more."""

    def returned(self, now: float) -> None:  # noqa: B027 - most need not know
        """The write of that frame has returned."""


class Outbox:
    """The bounded queue of one session, and the only one who writes to its link."""

    def __init__(
        self,
        link: Link,
        journal: Journal,
        *,
        now: Callable[[], float],
        write_s: float,
        bound: int,
        on_slow: Callable[[str], None],
    ) -> None:
        """``on_slow`` is called when a write takes longer than ``write_s`` or more than ``bound`` pieces wait."""
        self.bound = bound
        self._link = link
        self._journal = journal
        self._now = now
        self._write_s = write_s
        self._on_slow = on_slow
        self._items: deque[bytes | Due] = deque()
        self._under_way: list[Due] = []
        self._loop = asyncio.get_running_loop()
        self._wake: asyncio.Future[None] | None = None
        self._closing = False
        self._alarm = Alarm(self._loop, now, self._too_slow)
        self._due = 0.0
        """When the write that is under way is to have returned."""

    def put(self, item: bytes | Due) -> None:
        """Adds to what is pending; nothing is taken after ``finish``."""
        if self._closing:
            return
        self._items.append(item)
        if len(self._items) > self.bound:
            self._on_slow(f"{len(self._items)} messages wait to be read")
        wake = self._wake
        if wake is not None and not wake.done():
            wake.set_result(None)

    def finish(self) -> None:
        """``write_all`` returns when what is pending is written."""
        self._closing = True
        if self._wake is not None and not self._wake.done():
            self._wake.set_result(None)

    def give_up(self) -> None:
        """Nothing that is due is written here any more: it is told on another stream, and settled for that one."""
        kept = [item for item in self._items if type(item) is bytes]
        self._items.clear()
        self._items.extend(kept)
        self._under_way.clear()

    async def write_all(self) -> None:
        """Writes frames until ``finish``; raises LinkLostError when the other side is gone."""
        items = self._items
        try:
            while True:
                if not items:
                    if self._closing:
                        return
                    self._wake = self._loop.create_future()
                    await self._wake
                    self._wake = None
                self._journal.commit()
                began = self._now()
                frame = self._frame(began)
                if frame:
                    self._due = began + self._write_s
                    self._alarm.set(self._due)
                    await self._link.write(frame)
                    self._alarm.clear()
                    self._returned()
        finally:
            self._alarm.close()

    def _frame(self, now: float) -> bytes:
        items = self._items
        pieces: list[bytes] = []
        size = 0
        while items and len(pieces) < FRAME_MESSAGES:
            item = items.popleft()
            if type(item) is bytes:
                data = item
            else:
                data = item.written(now)  # type: ignore[union-attr]
                self._under_way.append(item)  # type: ignore[arg-type]
            size += len(data)
            if size > FRAME_BYTES:
                items.appendleft(data)
                break
            if data:
                pieces.append(data)
        return b"".join(pieces)

    def _returned(self) -> None:
        """The last frame was written."""
        if self._under_way:
            now = self._now()
            for due in self._under_way:
                due.returned(now)
            self._under_way.clear()

    def _too_slow(self) -> None:
        now = self._now()
        late_s = now - self._due
        if late_s >= HELD_UP_S:  # the write may have returned, which is not known yet
            self._due = now + min(late_s, self._write_s)
            self._alarm.set(self._due)
            return
        self._on_slow(f"a write did not return in {self._write_s:g} s")
