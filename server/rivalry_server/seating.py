"""Who is to sit on a seat: a function here, a command, a bot to be dialled, whoever dials in."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from rivalry_client.tls import Tls
from rivalry_server import identity
from rivalry_server.seat import InProcess

if TYPE_CHECKING:
    from rivalry_server.clock import TimeControl
    from rivalry_server.greeting import Greeting
    from rivalry_server.pool import Pool


@dataclass(frozen=True, slots=True)
class Command:
    """A program that is started for the seat and dials in (``RIVALRY_ADDRESS`` and ``RIVALRY_TOKEN`` say where).

    ``bot`` is the specification as the organiser gave it, ``registered`` the name that finds it again, if there is one.
    """

    argv: tuple[str, ...]
    bot: str
    registered: str = ""


@dataclass(frozen=True, slots=True)
class Dial:
    """A bot that hosts BotService at ``target``: what gRPC takes, ``host:port``, ``[v6]:port`` or ``unix:/path``.

    ``tls`` says whom to trust there and what to show, and ``token`` is what the bot asks its callers for.
    """

    target: str
    bot: str
    registered: str = ""
    tls: Tls = field(default_factory=Tls)
    token: str = field(default="", repr=False)
    loading: TimeControl | None = None
    """The time that the seat has instead of the match's: for a bot that may have to load something."""


@dataclass(frozen=True, slots=True)
class Reserved:
    """The bot that shows the bot's token with an id, in one version; one that says no version is taken too."""

    token_id: str
    version: str

    def suits(self, greeting: Greeting) -> bool:
        """True for that bot's sessions."""
        who = greeting.who
        return who.kind is identity.Kind.BOT and who.key == self.token_id and greeting.version in ("", self.version)


@dataclass(frozen=True, slots=True)
class Listen:
    """Whoever dials in with the seat's token, or, if ``walk_in``, without one where the arena asks for none.

    Without a ``token`` the seat gets one by chance; where only its ``fingerprint`` is known, it is found by that.
    ``reserved`` says which of the bots that show tokens of their own is meant, if not any.
    """

    bot: str = "listen"
    token: str = field(default="", repr=False)
    fingerprint: bytes = b""
    reserved: Reserved | None = None
    walk_in: bool = True

    def __post_init__(self) -> None:
        if self.token:
            object.__setattr__(self, "fingerprint", identity.fingerprint(self.token))


@dataclass(frozen=True, slots=True)
class Pooled:
    """Whoever of a pool has room: a program that plays one match after the other."""

    pool: Pool
    bot: str
    loading: TimeControl | None = None
    """The time that the seat has instead of the match's, until a match of its program has ended."""
    registered: str = ""
    """As with ``Command``: after a restart of the arena the seat gets a program of its own."""


Occupant = InProcess | Command | Dial | Listen | Pooled
"""What ``Arena.run_match`` takes for a seat."""


@dataclass(frozen=True, slots=True)
class Invitation:
    """How a bot takes a seat that is open to whoever dials in."""

    match_id: str
    seat: int
    address: str
    token: str
