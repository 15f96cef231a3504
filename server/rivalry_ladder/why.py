"""Why a bot does not play: every reason there is, and the one place where it is decided who may.

``obstacles`` is what the ladder asks before it matches a bot and what ``rivalry ladder why`` shows, so that the two
cannot differ.  Reasons of another kind, that there is nobody to play, come from the matchmaking itself.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from rivalry_engine.counting import counted

ANOTHER: Final = (
    "register another bot under an owner of its own, rivalry ladder register BOT --version TEXT --owner NAME"
)
OTHER_OWNER: Final = f"{ANOTHER}; or the operator sets same_owner = true for the queue"
"""What to do where bots of one owner do not meet."""


class Why(StrEnum):
    """A reason, in a word."""

    DATABASE = "database"
    DRAINING = "draining"
    QUEUE_CLOSED = "queue-closed"
    QUEUE_PAUSED = "queue-paused"
    PAUSED = "paused"
    QUARANTINED = "quarantined"
    TOKEN = "token"
    NOT_IN_SETTINGS = "not-in-settings"
    PROGRAM = "program"
    NOT_CONNECTED = "not-connected"
    OTHER_VERSION = "other-version"
    OTHER_GAMES = "other-games"
    SILENT = "silent"
    PROBE_LATER = "probe-later"
    PROBE_RUNS = "probe-runs"
    PROBE_OWED = "probe-owed"
    VOID = "void"
    RESTS = "rests"
    BUSY = "busy"
    FULL = "full"
    NOBODY = "nobody"
    SAME_OWNER = "same-owner"
    NOT_CLOSE = "not-close"
    TURN = "turn"


@dataclass(frozen=True, slots=True)
class Reason:
    """Why a bot does not play, and what to do about it (empty: nothing but wait)."""

    why: Why
    text: str
    remedy: str = ""


@dataclass(frozen=True, slots=True)
class Facts:
    """All that decides whether a bot may be matched in one queue now."""

    bot: str
    version: str
    queue: str
    draining: bool = False
    queue_closed: bool = False
    queue_paused: str | None = None
    """The text given when it was paused; None while it is not."""
    paused: str | None = None
    quarantined: str | None = None
    token_ended: str = ""
    """``revoked``, ``expired`` or ``removed``; empty while the token is good, or none is needed."""
    in_settings: bool = True
    """False for a bot that the server ran and whose settings are gone."""
    program_missing: str = ""
    """The program that the server would start and does not find."""
    dials_in: bool = True
    """False for a bot that the server starts, dials, or has built in."""
    sessions: int = 0
    versions: tuple[str, ...] = ()
    """The other versions that its sessions say they are."""
    said: int = 0
    """Sessions of the right version, or of none."""
    suited: int = 0
    """Those of them that play the game."""
    answering: int = 0
    """Those of them that did not leave an offer without a reply."""
    last_seen: str = ""
    room: int = 0
    playing: tuple[str, ...] = ()
    """The bot's matches that run or wait for their seats to be taken."""
    void: str = ""
    """Why its last match came to nothing, while it is not matched for that."""
    void_in_s: float = 0.0
    rests_s: float = 0.0
    """How long it rests after its last match was made."""
    probed: bool = True
    probe_running: bool = False
    probe_in_s: float = 0.0
    probe_failed: str = ""
    """How the last probe match failed."""


def obstacles(facts: Facts) -> list[Reason]:
    """Why the bot may not be matched in this queue now, the weightiest first; none if it may."""
    return [*_decided(facts), *_absent(facts), *_probing(facts), *_full(facts)]


def may_probe(facts: Facts) -> bool:
    """True if nothing keeps the bot from a probe match but that it owes it."""
    return [reason.why for reason in obstacles(facts)] == [Why.PROBE_OWED]


def shut_out(facts: Facts) -> bool:
    """True if people or the ladder's rules have decided that the bot is not matched in this queue."""
    return bool(_decided(facts))


def _decided(facts: Facts) -> list[Reason]:
    """What people and the ladder's rules have decided."""
    found = []
    if facts.draining:
        found.append(Reason(Why.DRAINING, "the server is stopping and begins no more matches"))
    if facts.queue_closed:
        text = f"the queue {facts.queue} is closed: the server's settings have it no more"
        found.append(Reason(Why.QUEUE_CLOSED, text, "the operator puts it back, or enter another queue"))
    if facts.queue_paused is not None:
        found.append(
            _paused(
                Why.QUEUE_PAUSED,
                f"the queue {facts.queue}",
                facts.queue_paused,
                f"an operator resumes it, rivalry ladder resume --queue {facts.queue}",
            )
        )
    if facts.paused is not None:
        found.append(_paused(Why.PAUSED, "the bot", facts.paused, f"rivalry ladder resume {facts.bot}"))
    if facts.quarantined is not None:
        remedy = (
            f"mend it, then rivalry ladder resume {facts.bot}, or register a new version; it plays a probe match first"
        )
        found.append(Reason(Why.QUARANTINED, f"it is in quarantine: {facts.quarantined}", remedy))
    return found


def _absent(facts: Facts) -> list[Reason]:
    """What keeps the bot from being reached."""
    if not facts.in_settings:
        text = "the server ran it, and the server's settings do not have it any more"
        return [Reason(Why.NOT_IN_SETTINGS, text, "the operator puts it back into the settings")]
    if facts.program_missing:
        text = f"the server does not find the program {facts.program_missing!r} that it is to start"
        return [Reason(Why.PROGRAM, text, "the operator installs it, or mends the settings")]
    if not facts.dials_in:
        return []
    if facts.token_ended:
        text = f"its token is {facts.token_ended}"
        return [Reason(Why.TOKEN, text, f"rivalry ladder register {facts.bot} --new-token, and run it with that")]
    if not facts.sessions:
        seen = f"; it was last here {facts.last_seen}" if facts.last_seen else "; it has not been here yet"
        remedy = "start it with its token: RIVALRY_TOKEN=… rivalry bot NAME --address …, or a program of your own"
        return [Reason(Why.NOT_CONNECTED, f"no bot with its token is connected{seen}", remedy)]
    if not facts.said:
        said = ", ".join(repr(version) for version in facts.versions)
        text = f"what is connected says version {said}; the version that is registered is {facts.version!r}"
        return [
            Reason(Why.OTHER_VERSION, text, f"rivalry ladder register {facts.bot} --version VERSION, or run that one")
        ]
    if not facts.suited:
        text = f"what is connected does not play the game of {facts.queue}: its hello names other games"
        return [Reason(Why.OTHER_GAMES, text, "have its hello name the game, or none, which means any")]
    if not facts.answering:
        text = "it left the offer of a seat without a reply, and is offered nothing more over this stream"
        return [
            Reason(Why.SILENT, text, "start it again; a bot replies to each SeatOffer, by accepting or with why not")
        ]
    return []


def _probing(facts: Facts) -> list[Reason]:
    """The match that a bot plays before it is rated."""
    if facts.probed:
        return []
    if facts.probe_running:
        return [Reason(Why.PROBE_RUNS, "its probe match runs; it is rated when that ended well")]
    if facts.probe_in_s > 0:
        text = f"its last probe match failed ({facts.probe_failed}); the next is made in {facts.probe_in_s:.0f} s"
        return [Reason(Why.PROBE_LATER, text, "mend it meanwhile; a new version is probed at once")]
    return [
        Reason(Why.PROBE_OWED, "it plays a probe match against a built-in bot before it is rated; that is made next")
    ]


def _full(facts: Facts) -> list[Reason]:
    """What only time mends."""
    if facts.void:
        text = f"its last match came to nothing ({facts.void}); it is matched again in {facts.void_in_s:.0f} s"
        return [Reason(Why.VOID, text)]
    if facts.rests_s > 0:
        return [
            Reason(Why.RESTS, f"the settings have it rest between matches, for {max(0.1, facts.rests_s):.1f} s more")
        ]
    if facts.room > 0 or _absent(facts) or facts.probe_running:
        return []
    ids = ", ".join(facts.playing)
    text = f"it plays as many matches as it takes at once: {ids}" if ids else "it has no room for another match now"
    return [Reason(Why.BUSY, text, "" if ids else "it plays outside the ladder, or its hello asks for fewer matches")]


def alone(
    left: Mapping[int, Reason], seats: int, owners: Mapping[int, int], *, same_owner: bool = False
) -> Mapping[int, Reason]:
    """``left``, where who finds nobody is told that the queue has too few bots for a match, or bots of too few owners.

    ``owners`` says whose each bot of the queue is.
    """
    found = len(set(owners.values()))
    if len(owners) < seats:
        text = f"the queue has {len(owners)} of the {seats} bots that a match needs; others have to enter it"
        told = Reason(Why.NOBODY, text, f"{ANOTHER}; or the operator adds bots to the server's settings")
    elif found < seats and not same_owner:
        text = f"the queue's {len(owners)} bots are of {counted(found, 'owner')}, and a match needs {seats}, since "
        told = Reason(Why.SAME_OWNER, f"{text}the queue seats no two bots of one owner", OTHER_OWNER)
    else:
        return left
    return {entry: told if reason.why is Why.NOBODY else reason for entry, reason in left.items()}


def _paused(why: Why, what: str, text: str, remedy: str) -> Reason:
    return Reason(why, f"{what} is paused: {text}" if text else f"{what} is paused", remedy)


def codes(reasons: Sequence[Reason]) -> list[str]:
    """Their words."""
    return [str(reason.why) for reason in reasons]
