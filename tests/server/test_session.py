"""Sessions over queue links in virtual time: greeting, rulings, limits, events, the end."""

from __future__ import annotations

import asyncio
import re
from dataclasses import replace
from typing import Any

import pytest

from rivalry.arena.v1 import errors_pb2, session_pb2
from rivalry.games.generic.v1 import generic_pb2
from rivalry_engine import playout
from rivalry_server.arena import Arena
from rivalry_server.greeting import greeting
from rivalry_server.outcome import End, Result
from rivalry_server.seat import InProcess
from rivalry_server.seating import Listen
from rivalry_server.settings import FRAME_MESSAGES, Settings
from server import virtual
from server.peer import FromBot, Peer, answer, hello, kuhn, opened, spec, tally
from server.tally import Tally

Versions = session_pb2.VersionRange


def first_heard(*messages: session_pb2.FromBot, token: str | None = None, settings: Settings | None = None) -> Any:
    """What the arena says to the first frame of a stream, and whether it then hangs up."""

    async def work() -> tuple[Any, bool]:
        async with Arena(settings) as arena:
            peer = Peer(arena, token=token)
            await peer.say(*messages)
            heard = await peer.hear()
            await asyncio.sleep(1)
            return heard, peer.session.done()

    return virtual.run(work())


@pytest.mark.parametrize(("least", "most"), [(1, 1), (0, 1), (1, 9), (-3, 999)])
def test_a_version_range_that_overlaps_is_welcome(least: int, most: int) -> None:
    heard, over = first_heard(hello(protocol=Versions(least=least, most=most)))

    assert (heard.welcome.protocol, over) == (1, False)


@pytest.mark.parametrize(("least", "most"), [(0, 0), (2, 9), (-1, 0), (1, 0)])
def test_a_version_range_apart_is_refused_with_both_sides_and_the_remedy(least: int, most: int) -> None:
    heard, over = first_heard(hello(protocol=Versions(least=least, most=most)))

    assert heard.refused.reason == errors_pb2.REFUSAL_REASON_VERSION
    assert (heard.refused.ours, heard.refused.yours) == ("protocol 1 to 1", f"protocol {least} to {most}")
    assert heard.refused.remedy
    assert over


@pytest.mark.parametrize(
    ("message", "refusal"),
    [
        (hello(""), "HELLO"),
        (hello("x" * 65), "HELLO"),
        (hello("line\nbreak"), "HELLO"),
        (hello(version="x" * 65), "HELLO"),
        (hello(library="\x1b[2J"), "HELLO"),
        (hello(matches=0), "HELLO"),
        (hello(prompts=-1), "HELLO"),
        (hello(games=["chess", "go"]), "GAME"),
        (hello(games=["kuhn", *map(str, range(1_024))]), "HELLO"),
        (hello(features=["new"] * 1_025), "HELLO"),
        (FromBot(resume=session_pb2.Resume(protocol=session_pb2.VersionRange(least=1, most=1), token=b"x")), "RESUME"),
        (FromBot(pong=session_pb2.Pong()), "HELLO"),
        (FromBot(), "HELLO"),
    ],
)
def test_a_first_message_that_cannot_be_used_is_refused(message: session_pb2.FromBot, refusal: str) -> None:
    heard, over = first_heard(message)

    assert errors_pb2.RefusalReason.Name(heard.refused.reason) == f"REFUSAL_REASON_{refusal}"
    assert heard.refused.remedy
    assert over


def test_of_the_games_a_bot_names_only_those_that_are_hosted_are_kept() -> None:
    assert greeting(hello(games=["chess", "kuhn"]), ["kuhn", "ethnos"], Settings()).games == {"kuhn"}


def test_an_unknown_token_is_refused() -> None:
    heard, _ = first_heard(hello(), token="guessed")

    assert heard.refused.reason == errors_pb2.REFUSAL_REASON_TOKEN


def test_an_arena_may_ask_for_tokens() -> None:
    heard, _ = first_heard(hello(), settings=Settings(ask_for_tokens=True))

    assert heard.refused.reason == errors_pb2.REFUSAL_REASON_TOKEN


def test_a_full_arena_refuses_as_busy() -> None:
    heard, _ = first_heard(hello(), settings=Settings(sessions=0))

    assert heard.refused.reason == errors_pb2.REFUSAL_REASON_BUSY


def test_limits_are_the_lesser_of_both_sides() -> None:
    settings = Settings(matches_per_session=5, prompts_per_session=4)
    heard, _ = first_heard(hello(matches=9, prompts=2), settings=settings)

    assert (heard.welcome.limits.matches, heard.welcome.limits.prompts) == (5, 2)


def test_features_agreed_are_those_both_know() -> None:
    heard, _ = first_heard(hello(features=["live_events", "telepathy", "legal_text"]))

    assert list(heard.welcome.features) == ["legal_text", "live_events"]


def test_a_stream_without_a_hello_is_ended() -> None:
    async def work() -> session_pb2.SessionEnded:
        async with Arena() as arena:
            ended: session_pb2.SessionEnded = await Peer(arena).until("session_ended")
            return ended

    assert virtual.run(work()).reason == errors_pb2.SESSION_END_REASON_SILENT


def test_parts_are_taken_as_they_are_said() -> None:
    async def work() -> tuple[session_pb2.Prompt, Result]:
        async with Arena() as arena:
            match = opened(arena, spec(tally(2, rounds=1)))
            peers = [Peer(arena), Peer(arena)]
            await asyncio.gather(*(peer.sit() for peer in peers))
            playing = asyncio.ensure_future(peers[1].play())
            await peers[0].answer(await peers[0].until("prompt"))
            prompt = await peers[0].until("prompt")
            await peers[0].answer(prompt, parts=session_pb2.Parts(indices=[0, 2]))
            await peers[0].until("match_ended")
            await playing
            return prompt, await match

    prompt, result = virtual.run(work())

    assert (list(prompt.parts), list(prompt.least), list(prompt.most), list(prompt.usual)) == ([3], [1], [3], [2])
    assert '"action":"show 101"' in result.record()[3]


def test_legal_text_and_legal_full_spell_out_the_prompt() -> None:
    async def work() -> list[session_pb2.Prompt]:
        async with Arena() as arena:
            match = opened(arena, spec(tally(2, rounds=1)))
            peers = [Peer(arena), Peer(arena)]
            await asyncio.gather(*(peer.sit_and_play(features=["legal_text", "legal_full"]) for peer in peers))
            await match
            return peers[0].all("prompt")

    bid, show = virtual.run(work())

    assert list(bid.texts) == [f"bid {number}" for number in range(10)]
    assert list(show.texts) == ["show 011"]
    assert list(show.part_texts) == ["pebble 0", "pebble 1", "pebble 2"]
    assert len(show.legal) == 7
    assert not show.legal_cut


def test_view_text_is_what_the_game_says_of_the_seats_own_observation() -> None:
    async def work() -> tuple[list[session_pb2.Prompt], list[session_pb2.Prompt]]:
        async with Arena() as arena:
            match = opened(arena, spec(tally(2, rounds=1)))
            peers = [Peer(arena), Peer(arena)]
            await asyncio.gather(
                *(peer.sit_and_play(features=features) for peer, features in zip(peers, asked, strict=True))
            )
            await match
            return peers[0].all("prompt"), peers[1].all("prompt")

    asked: tuple[list[str], list[str]] = (["view_text"], [])
    with_view, without = virtual.run(work())

    secret = re.search(r"^secret: (secret-0-\w+)$", with_view[0].view, re.MULTILINE)
    assert secret
    assert [prompt.view for prompt in with_view] == [
        f"seat: 0\nsecret: {secret[1]}\nrounds: nothing",
        f"seat: 0\nsecret: {secret[1]}\nrounds: (0, 0)",
    ]
    assert not [prompt for prompt in without if prompt.view]


def test_a_view_that_is_too_long_for_a_frame_is_cut_and_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    async def work() -> session_pb2.Prompt:
        async with Arena() as arena:
            match = opened(arena, spec(tally(2, rounds=1)))
            peers = [Peer(arena), Peer(arena)]
            await asyncio.gather(*(peer.sit_and_play(features=["view_text"]) for peer in peers))
            await match
            prompt: session_pb2.Prompt = peers[0].all("prompt")[0]
            return prompt

    monkeypatch.setattr(Tally, "view", lambda game, observation: "🂡" * 300_000)

    view = virtual.run(work()).view

    assert len(view) == 65_536
    assert view.startswith("🂡🂡")
    assert view.endswith("\n(cut: the whole has 300000 characters)")


def test_live_events_come_when_they_happen() -> None:
    async def work() -> list[session_pb2.Events]:
        async with Arena() as arena:
            match = opened(arena, spec(tally(3, rounds=1)))
            peers = [Peer(arena) for _ in range(3)]
            await asyncio.gather(*(peer.sit(features=["live_events"]) for peer in peers))
            playing = [asyncio.ensure_future(peer.play()) for peer in peers[1:]]
            await peers[0].answer(await peers[0].until("prompt"))
            show = await peers[0].until("prompt")
            await asyncio.sleep(1)
            await peers[0].answer(show)
            await peers[0].until("match_ended")
            await asyncio.gather(*playing)
            await match
            return peers[1].all("events")

    events = virtual.run(work())

    assert [(message.first_event, message.event_count) for message in events] == [(1, 1)]


@pytest.mark.parametrize("features", [[], ["live_events"]])
def test_events_are_counted_without_gaps(features: list[str]) -> None:
    async def work() -> list[Peer]:
        async with Arena() as arena:
            match = opened(arena, spec(tally(3, rounds=5)))
            peers = [Peer(arena) for _ in range(3)]
            await asyncio.gather(*(peer.sit_and_play(features=features) for peer in peers))
            await match
            return peers

    for peer in virtual.run(work()):
        have = 0
        for message in peer.heard:
            told = getattr(message, message.WhichOneof("message") or "")
            if getattr(told, "event_count", 0):
                assert told.first_event <= have + 1
                assert len(generic_pb2.Events.FromString(told.events.value).events) == told.event_count
                have = max(have, told.first_event + told.event_count - 1)
        assert have == 6


def test_an_ack_spares_events_that_an_answer_would_acknowledge() -> None:
    async def work() -> tuple[list[session_pb2.Prompt], session_pb2.MatchEnded]:
        async with Arena() as arena:
            match = opened(arena, spec(tally(2, rounds=2)))
            other, peer = Peer(arena), Peer(arena)
            await asyncio.gather(other.sit(), peer.sit())
            playing = asyncio.ensure_future(other.play())
            await peer.answer(await peer.until("prompt"))
            second = await peer.until("prompt")
            await peer.say(FromBot(ack=session_pb2.Ack(match=second.match, events=1)))
            ended = await peer.until("match_ended")
            await playing
            await match
            return peer.all("prompt"), ended

    prompts, ended = virtual.run(work())

    assert [prompt.event_count for prompt in prompts] == [0, 1]
    assert (ended.first_event, ended.event_count) == (2, 2)


def test_many_matches_on_one_stream_are_one_frame() -> None:
    async def work() -> tuple[list[Result], list[list[str | None]]]:
        async with Arena() as arena:
            attempts = [arena.open_match(MatchSpecs.number(number), [Listen(), Listen()]) for number in range(64)]
            peer = Peer(arena)
            await peer.hello(matches=128, prompts=128)
            frames: list[list[str | None]] = []
            while not all(attempt.finished.done() for attempt in attempts):
                before = len(peer.frames)
                said = []
                message = await peer.hear()
                while message is not None:
                    which = message.WhichOneof("message")
                    if which == "seat_offer":
                        reply = session_pb2.SeatReply(offer=message.seat_offer.offer, accepted=True)
                        said.append(FromBot(seat_reply=reply))
                    elif which == "prompt":
                        said.append(answer(message.prompt, index=0))
                    message = await peer.hear() if peer._pending else None
                frames.append([str(len(peer.frames) - before)])
                if said:
                    await peer.say(*said)
                await asyncio.sleep(0)
            return [await attempt.finished for attempt in attempts], frames

    results, frames = virtual.run(work())

    assert {seat.end for result in results for seat in result.seats} == {End.NORMAL}
    assert len({result.match_id for result in results}) == 64
    assert len(frames) < 12


class MatchSpecs:
    @staticmethod
    def number(number: int) -> Any:
        from rivalry_server.match_spec import MatchSpec

        return MatchSpec(kuhn(), b"x", f"{number:032x}")


def test_a_prompt_above_the_bound_waits_and_its_clock_has_not_started() -> None:
    async def work() -> tuple[int, Result, Result]:
        async with Arena() as arena:
            slow = arena.open_match(spec(tally(2, rounds=1)), [Listen(), Listen()])
            peer = Peer(arena)
            await peer.hello(matches=2, prompts=1)
            await peer.accept()
            await peer.accept()
            first = await peer.until("prompt")
            await asyncio.sleep(1.9)
            at_once = len(peer.all("prompt"))
            await peer.answer(first, 1)
            second = await peer.until("prompt")
            await asyncio.sleep(1.9)
            await peer.answer(second, 2)
            await peer.play()
            result = await slow.finished
            return at_once, result, result

    at_once, result, _ = virtual.run(work())

    assert at_once == 1
    assert [seat.end for seat in result.seats] == [End.NORMAL, End.NORMAL]


def test_a_prompt_that_waits_for_room_too_long_is_on_the_clock_all_the_same() -> None:
    async def work() -> tuple[Result, float]:
        async with Arena() as arena:
            slow = arena.open_match(spec(tally(2, rounds=1), time="5m"), [Listen(), Listen()])
            peer = Peer(arena)
            await peer.hello(matches=2, prompts=1)
            await peer.accept()
            await peer.accept()
            first = await peer.until("prompt")
            loop = asyncio.get_running_loop()
            began = loop.time()
            await asyncio.sleep(100.0)
            await peer.answer(first, 1)
            second = await peer.until("prompt")
            assert second.budget_us == 260_000_000, "its clock has run for 40 s"
            await peer.play()
            return await slow.finished, loop.time() - began

    result, took_s = virtual.run(work())

    assert sorted(seat.end for seat in result.seats) == [End.NORMAL, End.TIMEOUT]
    assert took_s == pytest.approx(360.0, abs=0.2)


def test_a_prompt_that_is_lost_while_it_waits_for_room_is_among_what_was_spent() -> None:
    async def work() -> Result:
        async with Arena() as arena:
            peer = Peer(arena)
            long = arena.open_match(spec(tally(2, rounds=1), time="5m"), [Listen(), InProcess(playout.first, "first")])
            await peer.hello(matches=2, prompts=1)
            await peer.accept()
            await peer.until("prompt")
            short = replace(spec(tally(2, rounds=1), time="2s"), match_id="5" * 32)
            over = arena.open_match(short, [Listen(), InProcess(playout.first, "first")]).finished
            await peer.accept()
            result = await over
            long.cancel("enough")
            return result

    result = virtual.run(work())

    assert result.seats[0].end is End.TIMEOUT
    assert result.duration_s == pytest.approx(62.0, abs=0.2)
    assert result.seats[0].spent.bot_us == pytest.approx(2_000_000, abs=100_000)


def test_more_matches_than_the_bound_are_not_offered() -> None:
    async def work() -> tuple[int, int]:
        async with Arena() as arena:
            attempts = [arena.open_match(MatchSpecs.number(number), [Listen(), Listen()]) for number in range(3)]
            peer = Peer(arena)
            await peer.hello(matches=4)
            await asyncio.sleep(1)
            link_peer = asyncio.ensure_future(peer.until("session_ended"))
            await asyncio.sleep(1)
            offered = len(peer.all("seat_offer"))
            for attempt in attempts:
                attempt.cancel("enough")
            link_peer.cancel()
            return offered, len(arena.lobby.sessions)

    assert virtual.run(work()) == (4, 1)


def test_unknown_kinds_and_values_are_ignored() -> None:
    unknown_kind = b"\x0a\x06\xfa\x01\x03abc"
    unknown_field = b"\x0a\x0b\x3a\x09\x08\x01\xf2\x3e\x04what"

    async def work() -> Result:
        async with Arena() as arena:
            match = opened(arena, spec())
            odd, other = Peer(arena), Peer(arena)
            playing = asyncio.ensure_future(other.sit_and_play("other"))
            await odd.hello()
            await odd.link.write(unknown_kind)
            await odd.link.write(unknown_field)
            await odd.say(FromBot(ack=session_pb2.Ack(match=999, events=999)))
            await odd.accept()
            await odd.play()
            await odd.say(FromBot(leave=session_pb2.Leave(reason=999)))  # type: ignore[arg-type]
            await odd.until("session_ended")
            await playing
            return await match

    assert {seat.end for seat in virtual.run(work()).seats} == {End.NORMAL}


def test_a_ping_is_answered_and_its_round_trip_told() -> None:
    async def work() -> list[session_pb2.Ping]:
        async with Arena() as arena:
            peer = Peer(arena)
            await peer.hello()
            first = await peer.until("ping")
            await asyncio.sleep(0.02)
            await peer.say(FromBot(pong=session_pb2.Pong(nonce=first.nonce)))
            return [first, await peer.until("ping")]

    first, second = virtual.run(work())

    assert not first.HasField("last_round_trip_us")
    assert second.last_round_trip_us == 20_000
    assert second.nonce != first.nonce


def test_a_bot_that_leaves_is_told_that_it_has_left() -> None:
    async def work() -> session_pb2.SessionEnded:
        async with Arena() as arena:
            peer = Peer(arena)
            await peer.hello()
            await peer.say(FromBot(leave=session_pb2.Leave(reason="LEAVE_REASON_DONE", text="bye")))
            ended: session_pb2.SessionEnded = await peer.until("session_ended")
            await peer.session
            return ended

    assert virtual.run(work()).reason == errors_pb2.SESSION_END_REASON_LEFT


def test_a_stopping_arena_tells_its_sessions_and_their_matches() -> None:
    async def work() -> tuple[list[str | None], bool]:
        async with Arena() as arena:
            match = opened(arena, spec())
            peer, other = Peer(arena), Peer(arena)
            await asyncio.gather(peer.sit(), other.sit())
            await arena.stop()
            await peer.until("session_ended")
            result = await match
            return peer.kinds()[-2:], result.void

    assert virtual.run(work()) == (["match_ended", "session_ended"], True)


def test_frames_hold_at_most_256_messages() -> None:
    async def work() -> list[int]:
        async with Arena() as arena:
            attempts = [arena.open_match(MatchSpecs.number(number), [Listen(), Listen()]) for number in range(200)]
            peer = Peer(arena)
            await peer.hello(matches=400)
            while len(peer.all("seat_offer")) < 400:
                await peer.hear()
            for attempt in attempts:
                attempt.cancel("enough")
            from rivalry.arena.v1 import play_pb2

            return [len(play_pb2.PlayResponse.FromString(frame).messages) for frame in peer.frames]

    sizes = virtual.run(work())

    assert max(sizes) == FRAME_MESSAGES
    assert sum(sizes) == 402  # a welcome, a ping and the offers
