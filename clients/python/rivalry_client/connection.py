"""One stream of a session: greets, reads to its end, and writes what waits."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Final

from google.protobuf.message import DecodeError

from rivalry.arena.v1 import session_pb2
from rivalry_client.ending import Ending
from rivalry_client.link import Link, LinkError
from rivalry_client.outbox import Outbox
from rivalry_client.pulse import SILENCE_S, Pulse

GREETING_S: Final = 20.0
"""How long the arena may take to answer the first message."""
LAST_WORDS_S: Final = 5.0
"""How long the last words to an arena may take on their way out."""


class Connection:
    """A stream over ``link``; ``take`` is given each frame that comes."""

    def __init__(self, link: Link, take: Callable[[bytes], None], pulse: Pulse) -> None:
        self.link = link
        self.outbox = Outbox(link)
        self.welcomed = False
        self.over = False
        """True once the arena has said its last word on this stream."""
        self.acknowledged = False
        """True if the end of a match was acknowledged: then the arena is given time to read it."""
        self._take = take
        self._pulse = pulse
        self._loop = asyncio.get_running_loop()

    async def run(self, first: session_pb2.FromBot) -> Ending | None:
        """Says ``first`` and reads to the end of the stream.

        Returns how the stream broke or what was wrong with it; None when the arena said its last word.
        """
        writer = self._loop.create_task(self.outbox.run())
        self.outbox.put(first)
        try:
            ending = await self._read()
            if self.over:
                await self._last_words()
            return ending
        finally:
            self._pulse.stop()
            self.outbox.close()
            writer.cancel()
            await asyncio.gather(writer, return_exceptions=True)
            await self.link.close()

    async def _read(self) -> Ending | None:
        going_on = True
        try:
            async with asyncio.timeout(GREETING_S):
                while going_on and not self.welcomed:
                    going_on = await self._hears()
            while going_on:
                going_on = await self._hears()
        except TimeoutError:
            return Ending("unreachable", f"no answer to the first message in {GREETING_S:.0f} s")
        except DecodeError:
            return Ending("protocol", "the arena sent a frame that cannot be read")
        except LinkError as error:
            return None if self.over else self._broken(error)
        if self.over:
            return None
        return self._silent() if self._pulse.dead else Ending("closed", "the arena closed the stream without a word")

    async def _hears(self) -> bool:
        """Takes one frame; False when the stream is over."""
        frame = await self.link.read()
        if frame is None:
            return False
        self._pulse.heard_at = self._loop.time()
        outbox = self.outbox
        # What the frame leads to at once is written from here, without waking the writer.
        outbox.held = True
        try:
            self._take(frame)
        finally:
            outbox.held = False
        await outbox.flush()
        return not self.over

    async def _last_words(self) -> None:
        """Lets out what is still to be said."""
        try:
            async with asyncio.timeout(LAST_WORDS_S):
                await self.outbox.drain()
                if self.acknowledged:
                    await self.link.finish()
        except (LinkError, TimeoutError):
            return

    def _broken(self, error: LinkError) -> Ending:
        if self._pulse.dead:
            return self._silent()
        if self.welcomed:
            return Ending("lost", str(error))
        if error.code in ("unauthenticated", "permission_denied"):
            return Ending("refused", f"token: {error.text}")
        if error.code == "unimplemented":
            return Ending("unreachable", "what answers there is no arena")
        return Ending("unreachable", error.text or error.code)

    def _silent(self) -> Ending:
        return Ending("lost", f"nothing came for {SILENCE_S:.0f} s, not even an answer to a ping")
