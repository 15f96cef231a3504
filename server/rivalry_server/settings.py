"""What an arena allows and how long it waits: every figure in one place."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

PROTOCOL_LEAST: Final = 1
PROTOCOL_MOST: Final = 1
FRAME_MESSAGES: Final = 256
FRAME_BYTES: Final = 1 << 20
RECEIVED_BYTES: Final = FRAME_BYTES + (64 << 10)
"""What gRPC takes for one message, unpacked: a frame a little too large gets words, a larger one a status."""
NOTE_BYTES: Final = 1_024
TRIES: Final = 3
"""Rejected answers to one prompt that end a seat."""
REJECTED: Final = 50
"""Rejected answers in one match that end a seat, however many prompts they were to."""
ACTIONS: Final = 20_000
"""A match that has not ended after so many never may: the longest of the games that are known takes 17,695."""
FEATURES: Final = ("legal_text", "legal_full", "view_text", "live_events", "resume")


@dataclass(frozen=True, slots=True)
class Settings:
    """Limits and waits of one arena.  Times are seconds, sizes bytes."""

    name: str = "rivalry"
    ask_for_tokens: bool = False
    """True if a bot without a token gets no session."""
    sessions: int = 10_000
    identity_sessions: int = 64
    """Sessions of one identity that may be open; an identity is a token, or an address where there is none."""
    identity_matches: int = 4_096
    """Matches of all of its sessions together, as their hellos asked."""
    identity_new_per_minute: int = 120
    """Sessions that it may open: as many at once, and as many a minute after that."""
    identity_unasked_burst: int = 1_024
    """Messages of all its sessions that no prompt asked for: how many at once, and how many a second after that."""
    identity_unasked_per_s: float = 128.0
    identity_watches: int = 64
    """Streams of WatchMatch."""
    identity_calls_burst: int = 512
    """Calls other than Play: how many at once, and how many a second after that.  Operators are not counted."""
    identity_calls_per_s: float = 64.0
    identity_work_burst_ms: int = 1_000
    """How long the arena may work at its calls: so much at once, and so much a second after that."""
    identity_work_ms_per_s: float = 100.0
    identity_trials: int = 2
    """Games of families, with parameters that nobody chose here before, that may be tried or wait for it."""
    identity_silent: int = 64
    """Streams of one address on which nothing was said yet."""
    local_times: int = 100
    """How much more programs of this machine may that show no token: all of them are one identity."""
    matches_per_session: int = 4_096
    prompts_per_session: int = 4_096
    note_bytes: int = NOTE_BYTES
    hello_s: float = 10.0
    """How long a new stream may be silent before its hello."""
    offer_s: float = 20.0
    """How long a bot may keep an open seat that it was offered from others without a reply."""
    write_s: float = 10.0
    """A write that takes longer ends the session as a slow reader, a watcher's stream as well."""
    ping_s: float = 15.0
    watchdog_s: float = 300.0
    """Where a prompt has no time limit: how long its bot may show no life at all."""
    unasked_burst: int = 256
    """Messages that no prompt asked for: how many at once, and how many a second after that."""
    unasked_per_s: float = 32.0
    lag_sample_s: float = 0.01
    """How often it is looked, while a clock runs, how late the loop is."""
    arena_share_s: float = 60.0
    """How much of one seat's time may be the arena's own delay in one match, which else is the arena's fault."""
    arena_share_prompt_s: float = 10.0
    """The same for one prompt."""
    room_s: float = 60.0
    """How long a prompt waits for room among its bot's open prompts before its clock starts all the same.

    It waits on, and its time may be up before the bot was told it.
    """
    resumes_burst: int = 20
    """How often a session may be resumed: so often at once, and so often a second after that."""
    resumes_per_s: float = 1.0
    grace_s: float = 30.0
    """How long a seat whose stream was lost is kept for its bot, where the match does not say."""
    linger_s: float = 60.0
    """How long the end of a match is kept for a bot that is away."""
    drain_s: float = 10.0
    """How long running matches may still take to end when the arena is told to stop."""
    attempts: int = 3
    """How often a match that the arena spoils is run at most."""
    first_state_s: float = 10.0
    """How long a worker may make the first state of a game whose time nobody knows, which else ends its match."""
    step_s: float = 60.0
    """How long a worker may take a step of a heavy game, which else ends its match."""
    heavy_s: float = 0.05
    """A match whose first state took a worker longer has its steps taken by workers too."""
    exit_grace_s: float = 1.0
    """After a spawned bot's stream closed: how long its exit is waited for, which makes the end a crash."""
    open_matches: int = 4_096
    """How many matches made with CreateMatch and the like may wait or run at once."""
    ended_matches: int = 1_000
    """How many matches that have ended are kept for GetMatch and GetRecord."""
