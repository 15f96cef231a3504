"""The gate: who somebody is, by the token shown or the address, and what that identity may."""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Final

from rivalry_server import identity, tokens
from rivalry_server.identity import Identity, Kind
from rivalry_server.limits import Stay, TooMuchError, Use
from rivalry_server.link import MISSHOWN
from rivalry_server.logs import log
from rivalry_server.tokens import Token

if TYPE_CHECKING:
    from rivalry_server.link import Link
    from rivalry_server.settings import Settings
    from rivalry_server.token_file import TokenFile

LOOK_S: Final = 1.0
"""How often the file of tokens is looked at for tokens that were revoked."""
REMEMBERED: Final = 4_096
"""Identities above which those that are idle are forgotten."""


class StrangerError(Exception):
    """Nobody is known by what was shown; ``yours`` says what that was, ``remedy`` what to do."""

    def __init__(self, yours: str, remedy: str) -> None:
        super().__init__(f"{yours}; {remedy}")
        self.yours = yours
        self.remedy = remedy


class Gate:
    """Knows everybody by identity.  Without a file of tokens only seats have some."""

    def __init__(
        self, settings: Settings, file: TokenFile | None = None, *, wall: Callable[[], float] = time.time
    ) -> None:
        """``wall`` tells the seconds since 1970, by which tokens expire."""
        self._settings = settings
        self._file = file
        self._wall = wall
        self._uses: dict[tuple[Kind, str], Use] = {}
        self._sweep_at = REMEMBERED
        self._silent: dict[Link, str] = {}
        self._silent_of: Counter[str] = Counter()
        self.may_begin: Callable[[Identity], None] = _anybody
        """Asked about whoever is to have one more session; raises RefusedError if there is none for it here."""

    def caller(self, shown: str | None, peer: str) -> Identity:
        """Who shows a token, or none, that is not a seat's; raises StrangerError."""
        if shown is None:
            if self._settings.ask_for_tokens:
                raise StrangerError("no token was shown", "show one as authorization: Bearer TOKEN")
            return identity.of_address(peer)
        if shown == MISSHOWN:
            raise StrangerError("what authorization shows is in another form", "show authorization: Bearer TOKEN")
        token = tokens.shown(shown, self._tokens())
        if token is None:
            raise StrangerError("the token is unknown here", "ask whoever runs the arena or made the match for one")
        if ended := token.ended(self._wall()):
            raise StrangerError(f"the token {token.token_id} is {ended}", "ask whoever gave it for another")
        return Identity(Kind(token.kind.value), token.token_id, token.name)

    def use(self, who: Identity) -> Use:
        """What ``who`` has and may."""
        now = asyncio.get_running_loop().time()
        use = self._uses.get((who.kind, who.key))
        if use is None:
            if len(self._uses) >= self._sweep_at:
                self._uses = {key: use for key, use in self._uses.items() if not use.idle(now)}
                self._sweep_at = max(REMEMBERED, 2 * len(self._uses))
            use = self._uses[who.kind, who.key] = _Use(who, self, self._settings, now)
        return use

    def arrives(self, link: Link) -> None:
        """A stream on which nothing was said yet; raises TooMuchError if its address has too many of them."""
        who = identity.of_address(link.peer)
        most = self._settings.identity_silent * (self._settings.local_times if who.local else 1)
        if self._silent_of[who.key] >= most:
            raise TooMuchError(
                f"{most} streams of one address may be silent at once, and {who} has them; begin each with a hello"
            )
        self._silent[link] = who.key
        self._silent_of[who.key] += 1

    def speaks(self, link: Link) -> None:
        """Something was said on a stream, or it is over."""
        key = self._silent.pop(link, None)
        if key is not None:
            self._silent_of[key] -= 1
            if not self._silent_of[key]:
                del self._silent_of[key]

    def look(self) -> None:
        """Ends what was begun with tokens that were revoked or removed since."""
        known = self._tokens()
        for use in list(self._uses.values()):
            if (
                use.stays
                and use.identity.kind in (Kind.BOT, Kind.OPERATOR, Kind.OWNER)
                and _revoked(known, use.identity)
            ):
                stays: list[Stay] = list(use.stays)
                log.info("token_revoked", token=use.identity.key, name=use.identity.name, open=len(stays))
                for stay in stays:
                    stay.revoke()

    async def watch(self) -> None:
        """Looks again and again."""
        while self._file is not None:
            await asyncio.sleep(LOOK_S)
            try:
                self.look()
            except Exception as error:
                log.error("tokens_unwatched", exc_info=error)

    def _tokens(self) -> Mapping[str, Token]:
        return {} if self._file is None else self._file.tokens()


class _Use(Use):
    """One by the gate's rule of who may have sessions."""

    def __init__(self, who: Identity, gate: Gate, settings: Settings, now: float) -> None:
        super().__init__(who, settings, now)
        self._gate = gate

    def session(self, matches: int, now: float) -> Stay:
        self._gate.may_begin(self.identity)
        return super().session(matches, now)


def _anybody(who: Identity) -> None:
    """Whoever is known may have sessions."""


def _revoked(known: Mapping[str, Token], who: Identity) -> bool:
    token = known.get(who.key)
    return token is None or token.revoked is not None
