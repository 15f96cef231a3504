"""Matches that go on after the arena was killed: after each transaction, the end is that of a match left in peace."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest

from rivalry.arena.v1 import errors_pb2, match_pb2, play_pb2, session_pb2
from rivalry_engine import catalog, record
from rivalry_engine.game import Game
from rivalry_server import identity
from rivalry_server.arena import Arena
from rivalry_server.creation import Creations, RequestReusedError
from rivalry_server.match_spec import MatchSpec
from rivalry_server.outcome import End, Result
from rivalry_server.policies import Policies, Policy, Rule
from rivalry_server.seating import Command, Listen, Occupant
from server import virtual
from server.journal.house import Killed, arena, built_in, gone_on, played
from server.peer import FromBot, Peer, kuhn, tally


@pytest.fixture(autouse=True)
def _tally(monkeypatch: pytest.MonkeyPatch) -> None:
    """The test game is an installed one."""
    entries = {**catalog._entries(), "tally": EntryPoint("tally", "server.tally:Tally", catalog.GROUP)}
    monkeypatch.setattr(catalog, "_entries", lambda: entries)
    catalog.rules.cache_clear()


def ethnos() -> Game:
    return catalog.game("ethnos", {"seats": 2})


@pytest.mark.parametrize(
    ("game", "bot"), [(kuhn, "random"), (lambda: tally(4, rounds=5), "uniform"), (ethnos, "random")]
)
def test_a_match_that_was_killed_after_any_transaction_ends_as_one_that_was_not(
    game: Callable[[], Game], bot: str, tmp_path: Path
) -> None:
    killed = Killed(tmp_path / "data", tmp_path)
    specs = [MatchSpec(game(), b"seed/%d" % number) for number in range(3)]

    async def whole() -> list[str]:
        house = arena(killed.folder)
        killed.watch(house._journal)
        seats = [built_in(bot, specs[0].game.name)] * specs[0].game.seats
        attempts = [house.open_match(spec, seats) for spec in specs]
        digests = [(await attempt.finished).game_digest for attempt in attempts]
        await house.stop()
        return digests

    digests = virtual.run(whole())
    every = 1 if len(killed.folders) < 60 else len(killed.folders) // 12
    for folder in [*killed.folders[3::every], killed.folders[-1]]:
        results = virtual.run(gone_on(folder))
        assert [result.game_digest for result in results] == digests
        for result in results:
            record.verified(record.read("".join(line + "\n" for line in result.record())))


def test_the_record_of_a_match_that_went_on_holds_what_was_measured_before(tmp_path: Path) -> None:
    killed = Killed(tmp_path / "data", tmp_path)

    async def whole() -> list[str]:
        house = arena(killed.folder)
        killed.watch(house._journal)
        attempt = house.open_match(MatchSpec(tally(3), b"seed"), [built_in("uniform", "tally")] * 3)
        lines = (await attempt.finished).record()
        await house.stop()
        return lines

    lines = virtual.run(whole())

    for folder in killed.folders[3:]:
        (result,) = virtual.run(gone_on(folder))
        assert result.record() == lines


def test_results_are_there_after_a_restart_with_their_records(tmp_path: Path) -> None:
    specs = [MatchSpec(kuhn(), b"%d" % number) for number in range(4)]
    before = virtual.run(played(tmp_path, specs, [built_in("random", "kuhn")] * 2))

    after = virtual.run(gone_on(tmp_path))

    assert [result.record() for result in after] == [result.record() for result in before]
    assert [result.seats for result in after] == [result.seats for result in before]


def test_a_match_that_waits_for_a_seat_waits_again_after_a_restart(tmp_path: Path) -> None:
    async def waits() -> str:
        house = arena(tmp_path)
        attempt = house.open_match(MatchSpec(kuhn(), b"x", wait_s=5), [built_in("random", "kuhn"), Listen()])
        await asyncio.sleep(3)
        await house.stop()
        return attempt.vacancies[1].token

    async def again() -> tuple[bytes, float, End]:
        house = arena(tmp_path)
        house.go_on()
        (attempt,) = house.attempts.values()
        began = asyncio.get_running_loop().time()
        result = await attempt.finished
        took_s = asyncio.get_running_loop().time() - began
        await house.stop()
        return attempt.vacancies[1].fingerprint, took_s, result.seats[1].end

    token = virtual.run(waits())
    fingerprint, took_s, end = virtual.run(again())

    assert fingerprint == identity.fingerprint(token)
    assert took_s == pytest.approx(5, abs=0.1)
    assert end is End.NO_SHOW


@pytest.mark.parametrize(
    ("again", "tries", "illegal"), [(0, [2], 1), (1, [2, 2], 1), (2, [2, 2, 1], 2)], ids=["not", "once", "twice"]
)
def test_a_rejection_counts_after_a_restart_is_told_again_and_the_same_answer_once_more_costs_no_try(
    again: int, tries: list[int], illegal: int, tmp_path: Path
) -> None:
    async def before() -> tuple[session_pb2.FromBot, session_pb2.Prompt]:
        house = arena(tmp_path)
        house.open_match(MatchSpec(kuhn(), b"seed"), [Listen(), built_in("first", "kuhn")])
        peer = Peer(house)
        await peer.sit(features=["resume"])
        prompt = await peer.until("prompt")
        await peer.answer(prompt, 99)
        await peer.until("ruling")
        await house.stop()
        token = peer.all("welcome")[0].resume_token
        ack = session_pb2.Ack(match=prompt.match, prompt=prompt.number)
        versions = session_pb2.VersionRange(least=1, most=1)
        resume = session_pb2.Resume(protocol=versions, token=token, acks=[ack])
        return FromBot(resume=resume), prompt

    async def after(resume: session_pb2.FromBot) -> tuple[session_pb2.Prompt, list[session_pb2.Ruling], Result]:
        house = arena(tmp_path)
        house.go_on()
        peer = Peer(house)
        await peer.say(resume)
        prompt = await peer.until("prompt")
        await peer.until("ruling")
        for _ in range(again):
            await peer.answer(prompt, 99)
            await peer.until("ruling")
        await peer.answer(prompt)
        await peer.play()
        (attempt,) = house.attempts.values()
        result = await attempt.finished
        await house.stop()
        return prompt, peer.all("ruling"), result

    resume, asked = virtual.run(before())
    prompt, rulings, result = virtual.run(after(resume))

    assert (prompt.match, prompt.number, prompt.tries_left) == (asked.match, asked.number, 2)
    assert [(ruling.match, ruling.number, ruling.kind, ruling.tries_left) for ruling in rulings] == [
        (asked.match, asked.number, errors_pb2.RULING_KIND_REJECTED, left) for left in tries
    ]
    assert (result.seats[0].end, result.seats[0].illegal) == (End.NORMAL, illegal)


def test_a_bot_is_told_how_to_come_back_after_a_restart_and_that_works(tmp_path: Path) -> None:
    async def before() -> tuple[list[str], str]:
        house = arena(tmp_path)
        attempt = house.open_match(MatchSpec(kuhn(), b"seed"), [Listen(), Listen()])
        plain, resuming = Peer(house, token=attempt.vacancies[0].token), Peer(house)
        await asyncio.gather(plain.sit("plain"), resuming.sit("resuming", features=["resume"]))
        await house.stop()
        told = [await peer.until("session_ended") for peer in (plain, resuming)]
        assert {each.reason for each in told} == {errors_pb2.SESSION_END_REASON_RESTART}
        return [each.remedy for each in told], attempt.vacancies[0].token

    async def after(token: str) -> None:
        house = arena(tmp_path)
        house.go_on()
        plain = Peer(house, token=token)
        await plain.sit("plain")
        assert (await plain.until("prompt")).number == 1
        await house.stop()

    remedies, token = virtual.run(before())
    virtual.run(after(token))

    assert remedies == ["say hello later, with the same token if one was shown", "resume later"]


def test_a_retry_that_was_used_is_used_after_a_restart(tmp_path: Path) -> None:
    crash = FromBot(leave=session_pb2.Leave(reason=session_pb2.LEAVE_REASON_CRASH, text="ValueError: no"))

    async def crashing(house: Arena, token: str) -> Peer:
        peer = Peer(house, token=token)
        await peer.sit()
        await peer.until("prompt")
        await peer.say(crash)
        await peer.until("session_ended")
        return peer

    async def before() -> str:
        house = arena(tmp_path)
        policies = Policies(on_crash=Rule(Policy.STAND_IN, 1))
        attempt = house.open_match(
            MatchSpec(kuhn(), b"seed", policies=policies, wait_s=5), [Listen(), built_in("first", "kuhn")]
        )
        await crashing(house, token := attempt.vacancies[0].token)
        await house.stop()
        return token

    async def after(token: str) -> Result:
        house = arena(tmp_path)
        house.go_on()
        (attempt,) = house.attempts.values()
        await crashing(house, token)
        result = await attempt.finished
        await house.stop()
        return result

    result = virtual.run(after(virtual.run(before())))

    assert (result.seats[0].end, result.seats[0].retries, result.seats[0].stood_in) == (End.CRASH, 1, True)
    assert result.seats[0].text == "ValueError: no"


async def opened(
    folder: Path, game: Game, seats: list[Occupant], *, registered: dict[str, Command] | None = None
) -> str:
    """A match that waits for somebody when its arena goes down; returns its id."""
    house = arena(folder, registered=registered)
    attempt = house.open_match(MatchSpec(game, b"x", wait_s=5), seats)
    await asyncio.sleep(0.1)
    await house.stop()
    return attempt.spec.match_id


async def found(folder: Path, match_id: str) -> Result:
    """How a match has ended in an arena that was started again, and that the others were not in its way."""
    house = arena(folder)
    try:
        house.go_on()
        other = house.open_match(MatchSpec(kuhn(), b"y"), [built_in("random", "kuhn")] * 2)
        assert not (await other.finished).void
        attempt = house.match(match_id)
        assert attempt is not None
        return await attempt.finished
    finally:
        await house.stop()


def test_a_match_whose_registered_bot_is_gone_ends_as_the_arenas_fault(tmp_path: Path) -> None:
    house = Command(("true",), "cmd:true", "house")
    seats: list[Occupant] = [house, Listen()]
    match_id = virtual.run(opened(tmp_path, kuhn(), seats, registered={"house": house}))

    result = virtual.run(found(tmp_path, match_id))

    assert result.void and [seat.end for seat in result.seats] == [End.ARENA_FAULT] * 2
    assert "no bot 'house' is registered" in result.text
    assert virtual.run(found(tmp_path, match_id)).text == result.text


def test_a_match_of_other_rules_ends_as_the_arenas_fault(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    match_id = virtual.run(opened(tmp_path, tally(2), [built_in("uniform", "tally"), Listen()]))
    monkeypatch.setattr("server.tally.Tally.rules_version", 2)

    async def whole() -> str:
        house = arena(tmp_path)
        house.go_on()
        (kept,) = house._journal.newest(1)
        await house.stop()
        assert kept.opening.match_id == match_id
        return str(kept.facts["text"])

    assert "the match began under rules version 1 of tally; this package has version 2" in virtual.run(whole())


def test_a_request_that_is_repeated_after_a_restart_gets_its_match_and_tokens(tmp_path: Path) -> None:
    request = play_pb2.CreateMatchRequest(
        request_id="cup/final",
        game="kuhn",
        seats=[match_pb2.SeatSpec(open=match_pb2.OpenSeat()), match_pb2.SeatSpec(built_in="random")],
    )

    async def asked(request: play_pb2.CreateMatchRequest) -> tuple[str, list[str], bytes]:
        house = arena(tmp_path)
        try:
            house.go_on()
            attempt, tokens = Creations(house).created(request)
            await asyncio.sleep(0.1)
            return attempt.spec.match_id, tokens, attempt.vacancies[0].fingerprint
        finally:
            await house.stop()

    match_id, tokens, fingerprint = virtual.run(asked(request))

    assert virtual.run(asked(request)) == (match_id, tokens, fingerprint)
    assert identity.fingerprint(tokens[0]) == fingerprint and tokens[1] == ""
    other = play_pb2.CreateMatchRequest()
    other.CopyFrom(request)
    other.seed = b"another"
    with pytest.raises(RequestReusedError, match="another seed"):
        virtual.run(asked(other))
    kept = b"".join(file.read_bytes() for file in tmp_path.iterdir())
    assert tokens[0].encode() not in kept and b"cup/final" not in kept
