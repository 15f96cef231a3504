"""Matches over queue links in virtual time: every end, every policy, several movers at once."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Coroutine
from importlib.metadata import EntryPoint
from typing import Any

import pytest

from rivalry.arena.v1 import outcome_pb2, session_pb2
from rivalry_engine import playout, record
from rivalry_engine.chance import luck
from rivalry_engine.error import RivalryError
from rivalry_server import local
from rivalry_server.arena import Arena
from rivalry_server.commands.together import Together
from rivalry_server.outcome import End, Result
from rivalry_server.policies import Policy
from rivalry_server.seat import InProcess
from rivalry_server.seating import Listen
from rivalry_server.spectator import Spectator
from rivalry_wire import codec as codecs
from server import virtual
from server.peer import FromBot, Peer, answer, kuhn, opened, spec, tally

Misbehave = Callable[[Peer, session_pb2.Prompt], Coroutine[Any, Any, None]]


async def _illegal(peer: Peer, prompt: session_pb2.Prompt) -> None:
    for _ in range(3):
        await peer.answer(prompt, 99)
        await peer.until("ruling")
    await peer.until("match_ended")


async def _silent(peer: Peer, prompt: session_pb2.Prompt) -> None:
    await peer.until("match_ended")


async def _hang_up(peer: Peer, prompt: session_pb2.Prompt) -> None:
    peer.link.close()


async def _crash(peer: Peer, prompt: session_pb2.Prompt) -> None:
    await peer.say(FromBot(leave=session_pb2.Leave(reason="LEAVE_REASON_CRASH", text="ValueError: no")))


async def _leave(peer: Peer, prompt: session_pb2.Prompt) -> None:
    await peer.say(FromBot(leave=session_pb2.Leave(reason="LEAVE_REASON_DONE")))


async def _resign(peer: Peer, prompt: session_pb2.Prompt) -> None:
    await peer.say(FromBot(resign=session_pb2.Resign(match=prompt.match, why="hopeless")))
    await peer.until("match_ended")


FAILURES: list[tuple[Misbehave, End, str]] = [
    (_illegal, End.ILLEGAL, "on_illegal"),
    (_silent, End.TIMEOUT, "on_timeout"),
    (_hang_up, End.DISCONNECT, "on_disconnect"),
    (_leave, End.DISCONNECT, "on_disconnect"),
    (_crash, End.CRASH, "on_crash"),
]


def table(
    misbehave: Misbehave | None, *, seats: int = 3, good_prompts: int = 0, rounds: int = 2, **policies: Any
) -> tuple[Result, list[Any]]:
    """A table of Tally at which the last seat misbehaves after some good prompts; without ``misbehave`` it stays empty.

    Returns the result and what each surviving seat heard of the end.
    """

    async def bad(peer: Peer) -> None:
        await peer.sit("bad")
        for _ in range(good_prompts):
            await peer.answer(await peer.until("prompt"), 5)
        assert misbehave is not None
        await misbehave(peer, await peer.until("prompt"))

    async def work() -> tuple[Result, list[Any]]:
        async with Arena() as arena:
            match = opened(arena, spec(tally(seats, rounds=rounds), **policies))
            good = [Peer(arena) for _ in range(seats - 1)]
            playing = [asyncio.ensure_future(peer.sit(f"good-{seat}")) for seat, peer in enumerate(good)]
            await asyncio.sleep(0.001)
            worst = asyncio.ensure_future(bad(Peer(arena))) if misbehave else None
            await asyncio.gather(*playing)
            ended = await asyncio.gather(*(peer.play(lambda prompt: 0) for peer in good))
            result = await match
            if worst is not None:
                await worst
            return result, ended

    return virtual.run(work())


def test_kuhn_plays_a_match_over_the_queue_link_in_virtual_time() -> None:
    async def work() -> tuple[Result, list[session_pb2.MatchEnded]]:
        async with Arena() as arena:
            match = opened(arena, spec())
            ended = await asyncio.gather(*(Peer(arena).sit_and_play() for _ in range(2)))
            return await match, ended

    result, ended = virtual.run(work())

    assert [seat.end for seat in result.seats] == [End.NORMAL, End.NORMAL]
    assert [seat.score for seat in ended[0].outcome.seats] == [seat.score for seat in result.seats]
    assert ended[0].outcome == ended[1].outcome
    assert len(result.game_digest) == 64


def test_the_same_seed_gives_the_same_digest_in_process_and_over_the_link() -> None:
    async def work() -> Result:
        async with Arena() as arena:
            match = opened(arena, spec(tally(4)))
            await asyncio.gather(*(Peer(arena).sit_and_play() for _ in range(4)))
            return await match

    over_the_link = virtual.run(work())

    in_process = local.play(spec(tally(4)), [InProcess(playout.first, "first")] * 4)
    assert in_process.game_digest == over_the_link.game_digest


@pytest.mark.parametrize(("misbehave", "end", "policy"), FAILURES)
def test_a_stand_in_plays_on_for_a_seat_that_failed(misbehave: Misbehave, end: End, policy: str) -> None:
    result, ended = table(misbehave)

    bad = result.seats[2]
    assert (bad.end, bad.rank, bad.stood_in, bad.score is not None) == (end, 3, True, True)
    assert [seat.end for seat in result.seats[:2]] == [End.NORMAL, End.NORMAL]
    assert all(message.outcome.seats[2].end == outcome_pb2.End.Value(f"END_{end.name}") for message in ended)
    assert result.decisions == 3 * 2 + 1


@pytest.mark.parametrize(("misbehave", "end", "policy"), FAILURES)
def test_the_policy_end_stops_the_match_and_ranks_the_others_by_their_scores(
    misbehave: Misbehave, end: End, policy: str
) -> None:
    result, ended = table(misbehave, good_prompts=1, **{policy: Policy.END})

    assert [seat.end for seat in result.seats] == [End.NORMAL, End.NORMAL, end]
    assert [seat.rank for seat in result.seats] == [1, 1, 3]
    assert [seat.score for seat in result.seats] == [0, 0, 5]
    assert result.decisions == 3
    assert not result.void
    assert len(ended) == 2


@pytest.mark.parametrize(("misbehave", "end", "policy"), FAILURES)
def test_the_policy_void_leaves_no_scores_and_no_ranks(misbehave: Misbehave, end: End, policy: str) -> None:
    result, ended = table(misbehave, **{policy: Policy.VOID})

    assert result.void
    assert [seat.end for seat in result.seats] == [End.NORMAL, End.NORMAL, end]
    assert {(seat.score, seat.rank) for seat in result.seats} == {(None, None)}
    assert result.game_digest == ""
    assert all(message.outcome.void and not message.outcome.seats[0].HasField("score") for message in ended)


def test_the_policies_of_other_ends_do_not_apply() -> None:
    result, _ = table(_silent, on_illegal=Policy.VOID, on_crash=Policy.END, on_disconnect=Policy.END)

    assert not result.void
    assert result.decisions == 7


def test_a_seat_that_is_not_taken_is_a_no_show() -> None:
    result, _ = table(None)

    assert [seat.end for seat in result.seats] == [End.NORMAL, End.NORMAL, End.NO_SHOW]
    assert result.seats[2].rank == 3
    assert result.seats[2].text == "the seat was not taken in 60 s"


def test_a_no_show_may_void_the_match() -> None:
    result, ended = table(None, on_no_show=Policy.VOID)

    assert result.void
    assert result.decisions == 0
    assert len(ended) == 2


def test_a_match_nobody_comes_to_is_played_by_stand_ins() -> None:
    async def work() -> Result:
        async with Arena() as arena:
            return await opened(arena, spec(tally(3, rounds=300), wait_s=5))

    result = virtual.run(work())

    assert {seat.end for seat in result.seats} == {End.NO_SHOW}
    assert [seat.rank for seat in result.seats] == [1, 1, 1]
    assert result.decisions == 3 * 300 + 1


def test_a_seat_that_resigns_is_played_on_and_told_the_end() -> None:
    result, ended = table(_resign)

    assert (result.seats[2].end, result.seats[2].text) == (End.RESIGNED, "hopeless")
    assert len(ended) == 2


def test_those_who_failed_later_rank_before_those_who_failed_earlier() -> None:
    async def work() -> Result:
        async with Arena() as arena:
            match = opened(arena, spec(tally(5, rounds=3)))
            peers = [Peer(arena) for _ in range(5)]
            for seat, peer in enumerate(peers):
                await peer.hello(f"seat-{seat}")
                await peer.accept()
                await asyncio.sleep(0.001)

            async def plays(peer: Peer, prompts: int) -> None:
                for _ in range(prompts):
                    await peer.answer(await peer.until("prompt"), 9)
                peer.link.close()

            await asyncio.gather(plays(peers[0], 1), plays(peers[1], 2), plays(peers[2], 1), *map(Peer.play, peers[3:]))
            return await match

    result = virtual.run(work())

    assert [seat.rank for seat in result.seats] == [4, 3, 4, 1, 1]


def test_several_movers_are_asked_at_once_and_nobody_is_told_of_an_answer_before_the_last_is_in() -> None:
    async def work() -> tuple[list[str | None], list[Any]]:
        async with Arena() as arena:
            match = opened(arena, spec(tally(3)))
            peers = [Peer(arena) for _ in range(3)]
            for peer in peers:
                await peer.hello(features=["live_events"])
                await peer.accept()
                await asyncio.sleep(0.001)
            prompts = [await peer.until("prompt") for peer in peers]
            await peers[2].answer(prompts[2], 7)
            await peers[0].answer(prompts[0], 8)
            await asyncio.sleep(1)
            hearing = asyncio.ensure_future(peers[2].hear())
            await asyncio.sleep(0.5)
            quiet = not hearing.done()
            await peers[1].answer(prompts[1], 6)
            heard = await hearing
            assert quiet and heard is not None
            prompt = heard.prompt
            await asyncio.gather(peers[0].play(), peers[1].play(), self_play(peers[2], prompt))
            result = await match
            return peers[2].kinds(), [line for line in result.record() if '"action"' in line]

    async def self_play(peer: Peer, prompt: session_pb2.Prompt) -> None:
        await peer.answer(prompt)
        await peer.play()

    kinds, actions = virtual.run(work())

    assert [line.partition(",")[0] for line in actions[:3]] == [
        '{"action":"bid 8"',
        '{"action":"bid 6"',
        '{"action":"bid 7"',
    ]
    assert kinds.count("prompt") == 2


def test_each_mover_has_its_own_clock() -> None:
    async def work() -> Result:
        async with Arena() as arena:
            match = opened(arena, spec(tally(2, rounds=1)))
            quick, slow = Peer(arena), Peer(arena)
            started = await asyncio.gather(quick.sit(), slow.sit())
            assert [message.seat for message in started] == [0, 1]
            await quick.answer(await quick.until("prompt"), 1)
            prompt = await slow.until("prompt")
            await asyncio.sleep(1.5)
            await slow.answer(prompt, 2)
            await asyncio.gather(quick.play(), slow.play())
            return await match

    result = virtual.run(work())

    lines = result.record()
    assert '"us":0}' in lines[1]
    assert '"us":1500000}' in lines[2]
    assert [seat.end for seat in result.seats] == [End.NORMAL, End.NORMAL]


def test_a_function_in_the_process_plays_beside_a_session() -> None:
    async def work() -> Result:
        async with Arena() as arena:
            match = opened(arena, spec(tally(2)), [InProcess(playout.uniform, "uniform"), Listen()])
            await Peer(arena).sit_and_play()
            return await match

    result = virtual.run(work())

    assert [seat.name for seat in result.seats] == ["uniform", "peer"]
    assert [seat.end for seat in result.seats] == [End.NORMAL, End.NORMAL]


def test_luck_is_the_seats_own_and_follows_from_the_seed() -> None:
    async def work() -> list[bytes]:
        async with Arena() as arena:
            match = opened(arena, spec(tally(3)))
            peers = [Peer(arena) for _ in range(3)]
            started = await asyncio.gather(*(peer.sit() for peer in peers))
            await asyncio.gather(*(peer.play() for peer in peers))
            await match
            return [message.luck for message in sorted(started, key=lambda message: message.seat)]

    given = virtual.run(work())

    assert given == [luck(spec().seed, seat) for seat in range(3)]


def test_records_verify_whatever_the_ends() -> None:
    for misbehave, _, _ in FAILURES:
        result, _ = table(misbehave, good_prompts=1)
        text = "".join(f"{line}\n" for line in result.record())

        record.verified(record.read(text), tally(3))

    assert '"by":"stand-in"' in text


def test_a_note_stands_in_the_record() -> None:
    async def work() -> Result:
        async with Arena() as arena:
            match = opened(arena, spec(tally(2, rounds=1)), [InProcess(playout.first, "first"), Listen()])
            peer = Peer(arena)
            await peer.sit()
            await peer.say(answer(await peer.until("prompt"), index=1, note="feels right"))
            await peer.play()
            return await match

    assert '"note":"feels right"' in virtual.run(work()).record()[2]


def test_a_spectator_follows_public_events() -> None:
    class Watching(Spectator):
        wants_prompts = True

        def __init__(self) -> None:
            self.told: list[object] = []

        def seated(self, seat: int, name: str, version: str) -> None:
            self.told.append(("seated", seat, name))

        def started(self, *_: object) -> None:
            self.told.append("started")

        def prompted(self, prompt: Any) -> None:
            self.told.append(("prompted", prompt.seat, prompt.kind))

        def acted(self, move: Any) -> None:
            self.told.append(("acted", move.seat))

        def happened(self, seen: Any) -> None:
            self.told.append((seen.kind, sorted(seen.facts)))

        def ended(self, result: Result) -> None:
            self.told.append("ended")

    watching = Watching()
    local.play(spec(tally(2, rounds=1)), [InProcess(playout.first, "first")] * 2, spectator=watching)

    assert watching.told == [
        "started",
        ("prompted", 0, "bid"),
        ("prompted", 1, "bid"),
        ("acted", 0),
        ("acted", 1),
        ("bids", ["bids"]),
        ("prompted", 0, "show"),
        ("acted", 0),
        ("shown", ["pebbles"]),
        "ended",
    ]


def test_a_spectator_is_told_only_what_it_wants() -> None:
    class Counting(Spectator):
        def __init__(self, *, events: bool, decisions: bool) -> None:
            self.wants_events, self.wants_decisions = events, decisions
            self.told: Counter[str] = Counter()

        def happened(self, seen: Any) -> None:
            self.told["events"] += 1

        def decided(self, decision: Any) -> None:
            self.told["decisions"] += 1

    def told(spectator: Spectator, *counting: Counting) -> list[dict[str, int]]:
        local.play(spec(tally(2, rounds=1)), [InProcess(playout.first, "first")] * 2, spectator=spectator)
        return [dict(each.told) for each in counting]

    neither, events, decisions = (
        Counting(events=False, decisions=False),
        Counting(events=True, decisions=False),
        Counting(events=False, decisions=True),
    )

    assert told(neither, neither) == [{}]
    assert told(decisions, decisions) == [{"decisions": 3}]
    decisions.told.clear()
    assert told(Together([neither, decisions]), neither, decisions) == [{}, {"decisions": 3}]
    decisions.told.clear()
    assert told(Together([neither, events, decisions]), neither, events, decisions) == [
        {},
        {"events": 2},
        {"decisions": 3},
    ]


def test_too_many_or_too_few_bots_are_refused() -> None:
    async def work() -> None:
        async with Arena() as arena:
            with pytest.raises(ValueError, match="kuhn has 2 seats here; 3 bots were given"):
                await arena.run_match(spec(kuhn()), [Listen()] * 3)

    virtual.run(work())


def test_a_game_whose_codec_cannot_be_loaded_is_refused_before_anybody_is_asked(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    broken = EntryPoint("kuhn", "nobody_has_it:Codec", codecs.GROUP)
    monkeypatch.setattr(codecs, "_entries", lambda: {"kuhn": broken})
    codecs._codec_class.cache_clear()

    async def work() -> None:
        async with Arena() as arena:
            with pytest.raises(RivalryError, match="codec of 'kuhn' cannot be loaded: ModuleNotFoundError"):
                await arena.run_match(spec(kuhn()), [Listen()] * 2)
            await arena.run_match(spec(kuhn()), [InProcess(playout.first, "first")] * 2)

    try:
        virtual.run(work())
    finally:
        codecs._codec_class.cache_clear()


def test_what_a_bot_says_over_the_link_is_one_line_that_can_be_printed() -> None:
    async def leave(peer: Peer, prompt: session_pb2.Prompt) -> None:
        text = "no\x1b[2J\r\nseat 9 wins\u202e"
        await peer.say(FromBot(leave=session_pb2.Leave(reason="LEAVE_REASON_CRASH", text=text)))

    async def resign(peer: Peer, prompt: session_pb2.Prompt) -> None:
        await peer.say(FromBot(resign=session_pb2.Resign(match=prompt.match, why="no\x1b[2J\r\nseat 9 wins\u202e")))
        await peer.until("match_ended")

    for misbehave in (leave, resign):
        result, ended = table(misbehave)

        assert result.seats[2].text == ended[0].outcome.seats[2].text == r"no\x1b[2J  seat 9 wins\u202e"
