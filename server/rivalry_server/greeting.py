"""The first message of a session: a hello that is taken, or why it is not."""

from __future__ import annotations

from collections.abc import Container
from dataclasses import dataclass
from typing import Final

from rivalry.arena.v1 import errors_pb2, session_pb2
from rivalry_server.identity import LOCAL, Identity
from rivalry_server.settings import (
    FEATURES,
    FRAME_BYTES,
    FRAME_MESSAGES,
    PROTOCOL_LEAST,
    PROTOCOL_MOST,
    Settings,
)

LISTED: Final = 1_024
"""So many games, and so many features, a hello may name."""
OURS = f"protocol {PROTOCOL_LEAST} to {PROTOCOL_MOST}"


@dataclass(frozen=True, slots=True)
class Greeting:
    """What was agreed with a bot."""

    name: str
    version: str
    library: str
    games: frozenset[str]
    """Those that are hosted here; empty: any."""
    matches: int
    prompts: int
    features: frozenset[str]
    who: Identity = LOCAL
    """Whose session it is."""

    def welcome(self, settings: Settings, session_id: str, package: str, *, protocol: int) -> session_pb2.Welcome:
        """The message that says so, and the version of the protocol that is spoken on the stream."""
        return session_pb2.Welcome(
            protocol=protocol,
            arena=f"{settings.name} {package}",
            features=[feature for feature in FEATURES if feature in self.features],
            session=session_id,
            limits=session_pb2.Limits(
                matches=self.matches,
                prompts=self.prompts,
                frame_messages=FRAME_MESSAGES,
                frame_bytes=FRAME_BYTES,
                note_bytes=settings.note_bytes,
            ),
        )


class RefusedError(Exception):
    """A first message that is not taken; ``refused`` says so to the bot."""

    def __init__(self, reason: errors_pb2.RefusalReason, *, ours: str, yours: str, remedy: str) -> None:
        super().__init__(f"{yours}; {ours}; {remedy}")
        self.refused = session_pb2.Refused(reason=reason, ours=ours, yours=yours, remedy=remedy)


def greeting(message: session_pb2.FromBot, hosted: Container[str], settings: Settings) -> Greeting:
    """What the first message of a session agrees to; raises RefusedError."""
    kind = message.WhichOneof("message")
    if kind != "hello":
        raise _bad("a session begins with a hello", f"the first message was {kind or 'of an unknown kind'}")
    hello = message.hello
    spoken(hello.protocol)
    _checked_word("name", hello.name, least=1)
    _checked_word("version", hello.version, least=0)
    _checked_word("library", hello.library, least=0)
    for field, named in (("games", hello.games), ("features", hello.features)):
        if len(named) > LISTED:
            raise _bad(f"{field} are at most {LISTED}", f"{field} are {len(named)}")
    games = frozenset(game for game in hello.games if game in hosted)
    if hello.games and not games:
        raise RefusedError(
            errors_pb2.REFUSAL_REASON_GAME,
            ours="none of these games is hosted here",
            yours=", ".join(sorted(set(hello.games)))[:200],
            remedy="ask ListGames what is hosted, or install the game beside the arena",
        )
    return Greeting(
        name=hello.name,
        version=hello.version,
        library=hello.library,
        games=games,
        matches=_bounded("matches", hello, settings.matches_per_session),
        prompts=_bounded("prompts", hello, settings.prompts_per_session),
        features=frozenset(hello.features) & frozenset(FEATURES),
    )


def spoken(speaks: session_pb2.VersionRange) -> int:
    """The greatest protocol version that both the bot and the arena speak; raises RefusedError if there is none."""
    if not speaks.least <= PROTOCOL_MOST or not speaks.most >= PROTOCOL_LEAST or speaks.most < speaks.least:
        raise RefusedError(
            errors_pb2.REFUSAL_REASON_VERSION,
            ours=OURS,
            yours=f"protocol {speaks.least} to {speaks.most}",
            remedy="use a client library of a version that speaks one of the arena's protocol versions",
        )
    return min(speaks.most, PROTOCOL_MOST)


def _bounded(field: str, hello: session_pb2.Hello, most: int) -> int:
    asked = int(getattr(hello, field)) if hello.HasField(field) else 1
    if asked < 1:
        raise _bad(f"{field} is at least 1", f"{field} is {asked}")
    return min(asked, most)


def _checked_word(field: str, text: str, *, least: int) -> None:
    if not least <= len(text) <= 64 or not text.isprintable():
        raise _bad(f"{field} is {least} to 64 printable characters", f"{field} is {text[:80]!r}")


def _bad(ours: str, yours: str) -> RefusedError:
    return RefusedError(
        errors_pb2.REFUSAL_REASON_HELLO, ours=ours, yours=yours, remedy="mend the hello and open a new stream"
    )
