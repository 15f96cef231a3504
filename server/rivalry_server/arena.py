"""The arena: a gRPC server, the lobby behind it, and the matches that run in it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from rivalry_engine.error import RivalryError
from rivalry_server.journal import Journal
from rivalry_server.match import MatchSpec
from rivalry_server.outcome import Result
from rivalry_server.seat import InProcess
from rivalry_server.seating import Command, Dial, Invitation, Occupant
from rivalry_server.settings import Settings
from rivalry_server.spectator import Spectator


class AddressError(RivalryError):
    """The address cannot be listened on: in use, not ours, or no address."""


class Arena:
    """One arena in one loop.

    ``async with Arena() as arena: await arena.start("127.0.0.1:0"); result = await arena.run_match(spec, seats)``.
    """

    def __init__(
        self,
        settings: Settings | None = None,
        *,
        built_in: Callable[[str], InProcess] | None = None,
        registered: Mapping[str, Command | Dial] | None = None,
        journal: Journal | None = None,
    ) -> None:
        """``built_in`` gives the bot of a name for CreateMatch and raises RivalryError when there is none;
        ``registered`` holds the bots that its operator registered, by name."""
        raise NotImplementedError

    async def start(self, address: str) -> str:
        """Listens on ``address`` (``host:port``, port 0 for any; ``[v6]:port``; ``unix:/path``) and returns it with the port.

        May be called more than once.  Raises AddressError, whose message is one line.
        """
        raise NotImplementedError

    async def run_match(
        self,
        spec: MatchSpec,
        seats: Sequence[Occupant],
        *,
        spectator: Spectator | None = None,
        invite: Callable[[Invitation], None] | None = None,
    ) -> Result:
        """Seats the bots, plays one match and returns its result; children it started are gone when it returns.

        ``invite`` is called for each seat that is open to whoever dials in.  Raises RivalryError when a command cannot be
        started or the seats are not as many as the game's.
        """
        raise NotImplementedError

    async def serve(self, address: str, *, ready: Callable[[str], None] | None = None) -> None:
        """Listens and hosts matches until SIGTERM or SIGINT, then drains and stops; ``ready`` is told the address."""
        raise NotImplementedError

    async def stop(self) -> None:
        """Ends everything within two seconds: sessions are told, matches cancelled, children ended."""
        raise NotImplementedError

    async def __aenter__(self) -> Arena:
        return self

    async def __aexit__(self, *error: object) -> None:
        await self.stop()
