"""The matrix of protocol versions: a bot's range against the arena's, in a hello and in a resume."""

from __future__ import annotations

import asyncio

import pytest

from rivalry.arena.v1 import errors_pb2, session_pb2
from rivalry_engine import playout
from rivalry_server import greeting
from rivalry_server.arena import Arena
from rivalry_server.outcome import End
from rivalry_server.seat import InProcess
from rivalry_server.seating import Listen
from rivalry_server.settings import PROTOCOL_LEAST, PROTOCOL_MOST
from server import virtual
from server.peer import FromBot, Peer, hello, opened, spec

FAR = (1 << 31) - 1
FIRST = InProcess(playout.first, "first")
SPOKEN = {
    "equal": (PROTOCOL_LEAST, PROTOCOL_MOST),
    "older and the oldest": (-FAR, PROTOCOL_LEAST),
    "the newest and newer": (PROTOCOL_MOST, FAR),
    "older and newer": (PROTOCOL_LEAST - 1, PROTOCOL_MOST + 1),
}
FOREIGN = {
    "older": (PROTOCOL_LEAST - 1, PROTOCOL_LEAST - 1),
    "far older": (-FAR - 1, PROTOCOL_LEAST - 1),
    "newer": (PROTOCOL_MOST + 1, PROTOCOL_MOST + 8),
    "far newer": (FAR, FAR),
    "reversed": (PROTOCOL_MOST + 1, PROTOCOL_LEAST - 1),
    "reversed from the oldest": (PROTOCOL_MOST, PROTOCOL_MOST - 1),
    "reversed from a newer": (PROTOCOL_MOST + 1, PROTOCOL_MOST),
    "not given": None,
}


def range_of(ends: tuple[int, int] | None) -> session_pb2.VersionRange:
    """A range from its two ends; empty for None."""
    return session_pb2.VersionRange() if ends is None else session_pb2.VersionRange(least=ends[0], most=ends[1])


def refused(message: session_pb2.FromArena | None, ends: tuple[int, int] | None) -> bool:
    """True if it is a refusal that names both sides and says what to do."""
    assert message is not None
    least, most = ends or (0, 0)
    told = message.refused
    assert told.reason == errors_pb2.REFUSAL_REASON_VERSION
    assert told.ours == f"protocol {PROTOCOL_LEAST} to {PROTOCOL_MOST}"
    assert told.yours == f"protocol {least} to {most}"
    assert "use a client library of a version that speaks" in told.remedy
    return True


def resume(lost: Peer, ends: tuple[int, int] | None) -> session_pb2.FromBot:
    """A resume of the session of a peer."""
    token = lost.all("welcome")[-1].resume_token
    return FromBot(resume=session_pb2.Resume(protocol=range_of(ends), token=token))


@pytest.mark.parametrize("ends", SPOKEN.values(), ids=SPOKEN)
def test_a_hello_in_a_version_spoken_here_is_welcome_in_that(ends: tuple[int, int]) -> None:
    async def work() -> session_pb2.Welcome:
        async with Arena() as arena:
            peer = Peer(arena)
            await peer.say(hello(protocol=range_of(ends)))
            welcome: session_pb2.Welcome = await peer.until("welcome")
            return welcome

    assert virtual.run(work()).protocol == min(ends[1], PROTOCOL_MOST)


@pytest.mark.parametrize("ends", FOREIGN.values(), ids=FOREIGN)
def test_a_hello_in_no_version_spoken_here_is_refused_with_both_sides_and_the_remedy(
    ends: tuple[int, int] | None,
) -> None:
    async def work() -> bool:
        async with Arena() as arena:
            peer = Peer(arena)
            await peer.say(hello(protocol=range_of(ends)))
            assert refused(await peer.hear(), ends)
            return await peer.hear() is None

    assert virtual.run(work())


@pytest.mark.parametrize("ends", SPOKEN.values(), ids=SPOKEN)
def test_a_resume_in_a_version_spoken_here_goes_on(ends: tuple[int, int]) -> None:
    async def work() -> tuple[session_pb2.Welcome, list[End]]:
        async with Arena() as arena:
            over = opened(arena, spec())
            first, second = Peer(arena), Peer(arena)
            await asyncio.gather(first.sit(features=["resume"]), second.sit())
            await first.until("prompt")
            first.link.cut()
            again = Peer(arena)
            await again.say(resume(first, ends))
            welcome = await again.until("welcome")
            await asyncio.gather(again.play(), second.play())
            return welcome, [seat.end for seat in (await over).seats]

    welcome, told = virtual.run(work())

    assert (welcome.resumed, welcome.protocol) == (True, min(ends[1], PROTOCOL_MOST))
    assert told == [End.NORMAL, End.NORMAL]


@pytest.mark.parametrize("ends", FOREIGN.values(), ids=FOREIGN)
def test_a_resume_in_no_version_spoken_here_is_refused_and_the_session_is_kept(ends: tuple[int, int] | None) -> None:
    async def work() -> list[End]:
        async with Arena() as arena:
            over = opened(arena, spec())
            first, second = Peer(arena), Peer(arena)
            await asyncio.gather(first.sit(features=["resume"]), second.sit())
            await first.until("prompt")
            first.link.cut()
            stranger = Peer(arena)
            await stranger.say(resume(first, ends))
            assert refused(await stranger.hear(), ends)
            assert await stranger.hear() is None
            again = Peer(arena)
            await again.say(resume(first, (PROTOCOL_LEAST, PROTOCOL_MOST)))
            await asyncio.gather(again.play(), second.play())
            return [seat.end for seat in (await over).seats]

    assert virtual.run(work()) == [End.NORMAL, End.NORMAL]


@pytest.mark.parametrize(
    ("ends", "agreed"),
    [
        ((1, 1), 1),
        ((1, 2), 2),
        ((2, 2), 2),
        ((0, 3), 3),
        ((3, 9), 3),
        ((1, 9), 3),
        ((4, 9), 0),
        ((3, 1), 0),
        ((2, 1), 0),
    ],
)
@pytest.mark.parametrize("comes_back", [False, True])
def test_an_arena_of_several_versions_speaks_the_greatest_of_both_and_takes_no_reversed_range(
    ends: tuple[int, int], agreed: int, comes_back: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(greeting, "PROTOCOL_MOST", 3)

    async def work() -> session_pb2.FromArena | None:
        async with Arena() as arena:
            opened(arena, spec(), [Listen(), FIRST])
            peer = Peer(arena)
            if not comes_back:
                await peer.say(hello(protocol=range_of(ends)))
                return await peer.hear()
            await peer.sit(features=["resume"])
            peer.link.cut()
            again = Peer(arena)
            await again.say(resume(peer, ends))
            return await again.hear()

    heard = virtual.run(work())

    assert heard is not None
    if agreed:
        assert heard.welcome.protocol == agreed
    else:
        assert heard.refused.reason == errors_pb2.REFUSAL_REASON_VERSION


def test_a_refused_version_takes_no_stream_from_a_bot_that_has_one() -> None:
    async def work() -> list[End]:
        async with Arena() as arena:
            over = opened(arena, spec())
            first, second = Peer(arena), Peer(arena)
            await asyncio.gather(first.sit(features=["resume"]), second.sit())
            stranger = Peer(arena)
            await stranger.say(resume(first, (PROTOCOL_MOST + 1, PROTOCOL_MOST + 1)))
            assert refused(await stranger.hear(), (PROTOCOL_MOST + 1, PROTOCOL_MOST + 1))
            await asyncio.gather(first.play(), second.play())
            return [seat.end for seat in (await over).seats]

    assert virtual.run(work()) == [End.NORMAL, End.NORMAL]
