"""Open seats and who takes them, in virtual time."""

from __future__ import annotations

import asyncio
import io
import json
from collections.abc import Callable
from dataclasses import replace

import pytest

from rivalry.arena.v1 import errors_pb2, session_pb2
from rivalry_engine import playout
from rivalry_server import logs
from rivalry_server.arena import Arena
from rivalry_server.attempt import Attempt
from rivalry_server.match_spec import MatchSpec
from rivalry_server.outcome import End, Result
from rivalry_server.policies import Policy
from rivalry_server.seat import InProcess
from rivalry_server.seating import Command, Listen
from server import virtual
from server.peer import FromBot, Peer, opened, spec, tally

FIRST = InProcess(playout.first, "first")


def decline(offer: session_pb2.SeatOffer) -> session_pb2.FromBot:
    return FromBot(seat_reply=session_pb2.SeatReply(offer=offer.offer, accepted=False, why="busy"))


async def invited_only(arena: Arena, match: MatchSpec) -> Attempt:
    """A match whose seats go to those who show their tokens."""
    attempt = arena._attempt(match, [Command(("true",), "cmd")] * match.game.seats, None)
    attempt.open()
    return attempt


def test_a_seats_token_seats_its_bot_there() -> None:
    async def work() -> tuple[list[int], Result, list[str | None]]:
        async with Arena() as arena:
            attempt = await invited_only(arena, spec(tally(3)))
            peers = [Peer(arena, token=attempt.vacancies[seat].token) for seat in (2, 0, 1)]
            started = await asyncio.gather(*(peer.sit() for peer in peers))
            await asyncio.gather(*(peer.play() for peer in peers))
            ended = await peers[0].until("session_ended")
            assert ended.reason == errors_pb2.SESSION_END_REASON_DONE
            assert await peers[0].hear() is None
            return [message.seat for message in started], await attempt.finished, peers[0].kinds()

    seats, result, kinds = virtual.run(work())

    assert seats == [2, 0, 1]
    assert {seat.end for seat in result.seats} == {End.NORMAL}
    assert kinds[-2:] == ["match_ended", "session_ended"]


def test_a_bot_started_again_before_its_match_takes_its_seat_though_the_old_stream_still_stands() -> None:
    async def work() -> tuple[Result, int]:
        async with Arena() as arena:
            attempt = await invited_only(arena, spec(tally(2)))
            first, other = (Peer(arena, token=attempt.vacancies[seat].token) for seat in (0, 1))
            await first.hello("half open")
            await first.accept()
            again = Peer(arena, token=attempt.vacancies[0].token)
            await asyncio.sleep(0.1)
            playing = asyncio.gather(again.sit_and_play("again"), other.sit_and_play("other"))
            reason = (await first.until("session_ended")).reason
            await playing
            return await attempt.finished, reason

    result, reason = virtual.run(work())

    assert [(seat.name, seat.end) for seat in result.seats] == [("again", End.NORMAL), ("other", End.NORMAL)]
    assert reason == errors_pb2.SESSION_END_REASON_REPLACED


def test_a_bot_without_a_token_gets_no_seat_that_is_someones() -> None:
    async def work() -> list[str | None]:
        async with Arena() as arena:
            await invited_only(arena, spec(tally(3)))
            peer = Peer(arena)
            await peer.hello()
            await asyncio.sleep(1)
            await arena.stop()
            await peer.until("session_ended")
            return peer.kinds()

    assert virtual.run(work()) == ["welcome", "session_ended"]


def test_an_open_seat_for_its_token_alone_waits_for_whoever_shows_it() -> None:
    async def work() -> tuple[list[str | None], Result]:
        async with Arena() as arena:
            waiting = Peer(arena)
            await waiting.hello("waits")
            await asyncio.sleep(1)
            attempt = arena.open_match(spec(tally(2)), [Listen(token="a seat's own", walk_in=False), FIRST])
            await asyncio.sleep(1)
            await Peer(arena, token="a seat's own").sit_and_play("its own")
            await arena.stop()
            await waiting.until("session_ended")
            return waiting.kinds(), await attempt.finished

    kinds, result = virtual.run(work())

    assert kinds == ["welcome", "session_ended"]
    assert [(seat.name, seat.end) for seat in result.seats] == [("its own", End.NORMAL), ("first", End.NORMAL)]


def test_a_token_is_worth_nothing_after_its_match() -> None:
    async def work() -> session_pb2.Refused:
        async with Arena() as arena:
            attempt = await invited_only(arena, spec(tally(2), wait_s=1))
            await attempt.finished
            peer = Peer(arena, token=attempt.vacancies[0].token)
            await peer.hello()
            refused: session_pb2.Refused = await peer.until("refused")
            return refused

    assert virtual.run(work()).reason == errors_pb2.REFUSAL_REASON_TOKEN


def test_what_kept_a_seat_from_being_taken_is_told() -> None:
    async def declining(peer: Peer) -> None:
        await peer.say(decline(await peer.until("seat_offer")))

    async def crashing(peer: Peer) -> None:
        await peer.until("seat_offer")
        await peer.say(FromBot(leave=session_pb2.Leave(reason="LEAVE_REASON_CRASH", text="ValueError: boom")))  # type: ignore[arg-type]

    async def leaving(peer: Peer) -> None:
        await peer.accept()
        await peer.say(FromBot(leave=session_pb2.Leave(text="enough")))

    async def work() -> list[str]:
        async with Arena() as arena:
            attempt = await invited_only(arena, spec(tally(4), wait_s=5))
            for seat, act in enumerate((declining, crashing, leaving)):
                peer = Peer(arena, token=attempt.vacancies[seat].token)
                await peer.hello(f"peer {seat}")
                await act(peer)
            return [seat.text for seat in (await attempt.finished).seats]

    texts = virtual.run(work())

    assert texts == [
        "the seat was not taken in 5 s; peer 0 declined the seat: busy",
        "the seat was not taken in 5 s; peer 1 left before it took the seat: ValueError: boom",
        "the seat was not taken in 5 s; its bot left before the match began: enough",
        "the seat was not taken in 5 s",
    ]


def test_a_declined_seat_is_offered_to_the_next_and_not_again() -> None:
    async def work() -> tuple[Result, int]:
        async with Arena() as arena:
            match = opened(arena, spec(tally(2)))
            picky, other, third = Peer(arena), Peer(arena), Peer(arena)
            await picky.hello("picky")
            await picky.say(decline(await picky.until("seat_offer")))
            await picky.say(decline(await picky.until("seat_offer")))
            await asyncio.gather(other.sit_and_play("other"), third.sit_and_play("third"))
            return await match, len(picky.all("seat_offer"))

    result, offers = virtual.run(work())

    assert {seat.name for seat in result.seats} == {"other", "third"}
    assert offers == 2


def test_who_hangs_up_before_the_match_begins_leaves_the_seat_open() -> None:
    async def work() -> Result:
        async with Arena() as arena:
            match = opened(arena, spec(tally(2)))
            gone, other, third = Peer(arena), Peer(arena), Peer(arena)
            await gone.hello("gone")
            await gone.accept()
            await asyncio.sleep(1)
            gone.link.close()
            await asyncio.sleep(1)
            await asyncio.gather(other.sit_and_play("other"), third.sit_and_play("third"))
            return await match

    assert [seat.end for seat in virtual.run(work()).seats] == [End.NORMAL, End.NORMAL]


def test_who_hangs_up_with_an_offer_open_gives_it_back() -> None:
    async def work() -> Result:
        async with Arena() as arena:
            match = opened(arena, spec(tally(2)))
            gone, other, third = Peer(arena), Peer(arena), Peer(arena)
            await gone.hello("gone")
            await gone.until("seat_offer")
            gone.link.cut()
            await asyncio.gather(other.sit_and_play("other"), third.sit_and_play("third"))
            return await match

    assert {seat.name for seat in virtual.run(work()).seats} == {"other", "third"}


def test_a_bot_that_crashes_before_the_match_begins_has_crashed() -> None:
    async def work() -> Result:
        async with Arena() as arena:
            match = opened(arena, spec(tally(2)))
            peer, other = Peer(arena), Peer(arena)
            await peer.hello("peer")
            await peer.accept()
            await peer.say(FromBot(leave=session_pb2.Leave(reason="LEAVE_REASON_CRASH", text="KeyError: x")))
            await asyncio.sleep(1)
            await other.sit_and_play("other")
            return await match

    crashed = virtual.run(work()).seats[0]

    assert (crashed.name, crashed.end, crashed.text) == ("peer", End.CRASH, "KeyError: x")


def test_a_seat_that_nobody_else_took_is_offered_again_to_the_bot_that_replied_too_late() -> None:
    async def work() -> tuple[Result, list[str]]:
        async with Arena() as arena:
            late = Peer(arena)
            await late.hello("late")
            over = opened(arena, spec(tally(2), wait_s=60), [FIRST, Listen()])
            offer = await late.until("seat_offer")
            await asyncio.sleep(25)  # it is busy
            trouble = [vacancy.trouble for vacancy in arena.lobby._open]
            await late.say(accept(offer))
            await late.accept()
            await late.play()
            return await over, trouble

    result, trouble = virtual.run(work())

    assert [(seat.name, seat.end) for seat in result.seats] == [("first", End.NORMAL), ("late", End.NORMAL)]
    assert trouble == ["late did not reply to the offer of the seat in 20 s"]


def test_a_bot_that_does_not_reply_keeps_a_seat_from_others_for_a_while_only() -> None:
    async def work() -> tuple[float, Result, list[str | None]]:
        async with Arena() as arena:
            loop = asyncio.get_running_loop()
            silent, other = Peer(arena), Peer(arena)
            await silent.hello("silent", matches=100)
            over = opened(arena, spec(tally(2), wait_s=60), [FIRST, Listen()])
            offer = await silent.until("seat_offer")
            began = loop.time()
            await other.sit("other")
            waited_s = loop.time() - began
            opened(arena, replace(spec(tally(2), wait_s=60), match_id="2" * 32), [FIRST, Listen()])
            await asyncio.sleep(1.0)
            quiet = [kind for kind in silent.kinds() if kind == "seat_offer"]
            await silent.say(decline(offer))  # too late, but it is alive: it is offered the next one
            await silent.until("seat_offer")
            await other.play()
            return waited_s, await over, quiet

    waited_s, result, quiet = virtual.run(work())

    assert waited_s == pytest.approx(20.0, abs=0.1)
    assert [seat.end for seat in result.seats] == [End.NORMAL, End.NORMAL]
    assert quiet == ["seat_offer"]


def test_a_bot_is_offered_the_games_it_plays() -> None:
    async def work() -> tuple[list[str | None], str]:
        async with Arena() as arena:
            arena.open_match(spec(tally(2)), [Listen(), Listen()])
            other = MatchSpec(spec().game, b"x", "f" * 32)
            arena.open_match(other, [Listen(), Listen()])
            peer = Peer(arena)
            await peer.hello(games=["kuhn"])
            offer = await peer.until("seat_offer")
            return peer.kinds(), offer.game

    assert virtual.run(work()) == (["welcome", "seat_offer"], "kuhn")


def test_two_bots_with_room_share_the_seats_of_a_new_match() -> None:
    async def work() -> Result:
        async with Arena() as arena:
            peers = [Peer(arena), Peer(arena)]
            for number, peer in enumerate(peers):
                await peer.hello(f"bot-{number}", matches=8)
                await peer.until("welcome")
            match = opened(arena, spec(tally(2)))
            for peer in peers:
                await peer.accept()
            await asyncio.gather(*(peer.play() for peer in peers))
            return await match

    assert {seat.name for seat in virtual.run(work()).seats} == {"bot-0", "bot-1"}


def test_a_reply_to_no_offer_changes_nothing() -> None:
    async def work() -> list[str | None]:
        async with Arena() as arena:
            peer = Peer(arena)
            await peer.hello()
            await peer.say(FromBot(seat_reply=session_pb2.SeatReply(offer=77, accepted=True)))
            await asyncio.sleep(1)
            await arena.stop()
            await peer.until("session_ended")
            return peer.kinds()

    assert virtual.run(work()) == ["welcome", "session_ended"]


def test_a_stopping_arena_takes_no_new_sessions() -> None:
    async def work() -> session_pb2.Refused:
        async with Arena() as arena:
            arena.lobby.draining = True
            peer = Peer(arena)
            await peer.hello()
            refused: session_pb2.Refused = await peer.until("refused")
            return refused

    assert virtual.run(work()).reason == errors_pb2.REFUSAL_REASON_DRAINING


def accept(offer: session_pb2.SeatOffer) -> session_pb2.FromBot:
    return FromBot(seat_reply=session_pb2.SeatReply(offer=offer.offer, accepted=True))


@pytest.mark.parametrize("cancelled", [False, True])
def test_an_invited_bot_is_told_that_its_seat_was_given_up(cancelled: bool) -> None:
    async def work() -> session_pb2.SessionEnded:
        async with Arena() as arena:
            attempt = await invited_only(arena, spec(tally(2), wait_s=1))
            peer = Peer(arena, token=attempt.vacancies[0].token)
            await peer.hello()
            await peer.until("seat_offer")
            if cancelled:
                attempt.cancel("enough")
            ended: session_pb2.SessionEnded = await peer.until("session_ended")
            assert await peer.hear() is None
            return ended

    ended = virtual.run(work())

    assert ended.reason == errors_pb2.SESSION_END_REASON_DONE
    assert ended.text == "the seat is no longer open"


@pytest.mark.parametrize("replies", [(), (accept,), (decline,), (accept,) * 400])
def test_a_walk_in_that_was_too_late_is_offered_the_next_match(
    replies: tuple[Callable[[session_pb2.SeatOffer], session_pb2.FromBot], ...],
) -> None:
    async def work() -> tuple[Result, int]:
        async with Arena() as arena:
            peer = Peer(arena)
            await peer.hello(matches=400)
            gone = [
                arena.open_match(MatchSpec(tally(2), b"x", f"{number:032x}", wait_s=1), [Listen(), FIRST])
                for number in range(2, 402)
            ]
            offers = [await peer.until("seat_offer") for _ in gone]
            await asyncio.gather(*(attempt.finished for attempt in gone))
            match = opened(arena, spec(tally(2)), [Listen(), FIRST])
            offer = await peer.until("seat_offer")
            for late, reply in zip(offers, replies, strict=False):
                await peer.say(reply(late))
            await peer.say(accept(offer))
            await peer.play()
            return await match, len(peer.all("ruling"))

    result, rulings = virtual.run(work())

    assert [seat.end for seat in result.seats] == [End.NORMAL, End.NORMAL]
    assert rulings == 0


def test_who_had_accepted_is_told_when_the_match_is_cancelled_or_the_wait_is_over() -> None:
    async def work(cancelled: bool) -> session_pb2.MatchEnded:
        async with Arena() as arena:
            attempt = await invited_only(arena, spec(tally(2), wait_s=1, on_no_show=Policy.VOID))
            peer = Peer(arena, token=attempt.vacancies[0].token)
            await peer.hello()
            await peer.accept()
            await asyncio.sleep(0.5)
            if cancelled:
                attempt.cancel("enough")
            ended: session_pb2.MatchEnded = await peer.until("match_ended")
            await peer.until("session_ended")
            return ended

    assert virtual.run(work(cancelled=True)).outcome.text == "enough"
    assert virtual.run(work(cancelled=False)).outcome.void


def test_a_bot_that_leaves_as_the_match_is_cancelled_does_not_keep_it_open() -> None:
    async def work() -> Result:
        async with Arena() as arena:
            attempt = await invited_only(arena, spec(tally(2)))
            peer = Peer(arena, token=attempt.vacancies[0].token)
            await peer.hello()
            await peer.accept()
            await asyncio.sleep(1)
            attempt.cancel("enough")
            next(iter(arena.lobby.sessions))._connection._lost("the stream closed")  # type: ignore[union-attr]
            async with asyncio.timeout(5):
                return await attempt.finished

    assert virtual.run(work()).text == "enough"


def test_a_program_that_fails_while_another_seat_is_open_has_crashed_for_good() -> None:
    async def work() -> tuple[Result, session_pb2.SessionEnded]:
        async with Arena() as arena:
            attempt = await invited_only(arena, spec(tally(2), wait_s=30))
            peer = Peer(arena, token=attempt.vacancies[0].token)
            await peer.hello("peer")
            await peer.accept()
            await asyncio.sleep(1)
            attempt._crashed(0, "the program exited with status 3")
            ended = await peer.until("session_ended")
            return await attempt.finished, ended

    result, ended = virtual.run(work())

    assert (result.seats[0].name, result.seats[0].end) == ("peer", End.CRASH)
    assert ended.text == "the seat is no longer open"


def test_refusals_are_logged_now_and_then_with_how_many_there_were() -> None:
    async def work() -> None:
        async with Arena() as arena:
            for _ in range(80):
                peer = Peer(arena)
                await peer.hello("")
                await peer.until("refused")
            await asyncio.sleep(2.0)
            peer = Peer(arena)
            await peer.hello("")
            await peer.until("refused")

    told = io.StringIO()
    logs.configure("info", stream=told)
    try:
        virtual.run(work())
    finally:
        logs.configure("warning")

    refusals = [json.loads(line) for line in told.getvalue().splitlines() if "session_refused" in line]
    assert len(refusals) == 51
    assert refusals[-1]["untold_before"] == 30
