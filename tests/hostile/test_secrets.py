"""Nothing that a seat may not know is in any byte it is sent."""

from __future__ import annotations

import asyncio

from rivalry_engine.chance import luck
from rivalry_server.arena import Arena
from rivalry_server.outcome import Result
from server import virtual
from server.peer import Peer, opened, spec, tally


def frames_of(seats: int) -> tuple[list[bytes], list[str], Result]:
    """All bytes each seat was sent in a match whose events tell secrets; the secrets; the result."""

    async def work() -> tuple[list[bytes], list[str], Result]:
        async with Arena() as arena:
            game = tally(seats, rounds=3)
            match = opened(arena, spec(game))
            peers = [Peer(arena) for _ in range(seats)]
            started = await asyncio.gather(
                *(peer.sit(features=["legal_text", "view_text", "live_events"]) for peer in peers)
            )
            await asyncio.gather(*(peer.play() for peer in peers))
            result = await match
            by_seat = [b""] * seats
            for peer, message in zip(peers, started, strict=True):
                by_seat[message.seat] = b"".join(peer.frames)
            return by_seat, game.new_state(spec().seed).secrets, result  # type: ignore[attr-defined]

    return virtual.run(work())


def test_a_seat_is_sent_its_own_secrets_and_nobody_elses() -> None:
    sent, secrets, _ = frames_of(4)

    for seat, data in enumerate(sent):
        assert [secret.encode() in data for secret in secrets] == [other == seat for other in range(4)]


def test_the_seed_and_the_luck_of_others_are_never_sent() -> None:
    sent, _, _ = frames_of(4)
    seed = spec().seed

    for seat, data in enumerate(sent):
        assert seed not in data
        assert seed.hex().encode() not in data
        assert [luck(seed, other) in data for other in range(4)] == [other == seat for other in range(4)]


def test_tokens_are_in_no_message() -> None:
    async def work() -> tuple[bytes, list[str]]:
        async with Arena() as arena:
            from server.test_lobby import invited_only

            attempt = await invited_only(arena, spec(tally(2)))
            tokens = [attempt.vacancies[seat].token for seat in range(2)]
            peers = [Peer(arena, token=token) for token in tokens]
            await asyncio.gather(*(peer.sit() for peer in peers))
            await asyncio.gather(*(peer.play() for peer in peers))
            return b"".join(frame for peer in peers for frame in peer.frames), tokens

    data, tokens = virtual.run(work())

    assert not [token for token in tokens if token.encode() in data]
