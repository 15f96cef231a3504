"""Banks, increments and strikes, as every prompt tells them."""

from __future__ import annotations

import asyncio

from rivalry_server.arena import Arena
from rivalry_server.outcome import End
from server import virtual
from server.clock_table import S, rounds
from server.peer import Peer, opened, spec, tally


def test_every_prompt_tells_the_banks_of_all_seats() -> None:
    prompts, result = rounds("1s,bank=10s", lambda seat, number: 3.0 if seat else 0.5)

    assert [list(prompt.banks_us) for prompt in prompts[0][:3]] == [
        [10 * S, 10 * S],
        [10 * S, 8 * S],
        [10 * S, 6 * S],
    ]
    assert [prompt.budget_us for prompt in prompts[1]] == [11 * S, 9 * S, 7 * S]
    assert not any(prompt.strikes_left for prompt in prompts[0])
    assert result.seats[1].end is End.NORMAL


def test_a_bank_that_is_used_up_ends_the_seat() -> None:
    prompts, result = rounds("total=5s", lambda seat, number: 2.0 if seat else 0.1)

    assert [prompt.budget_us for prompt in prompts[1]] == [5 * S, 3 * S, S]
    assert result.seats[1].end is End.TIMEOUT
    assert result.seats[1].text.startswith("no legal answer to prompt 3 in 1 s")


def test_an_increment_is_added_after_each_answer() -> None:
    prompts, result = rounds("5s+1s", lambda seat, number: 2.0 if seat else 0.0)

    assert [list(prompt.banks_us) for prompt in prompts[0][:3]] == [[5 * S, 5 * S], [6 * S, 4 * S], [7 * S, 3 * S]]
    assert result.seats[1].end is End.NORMAL


def test_every_prompt_tells_the_strikes_of_all_seats_and_then_the_soft_limit_is_the_limit() -> None:
    prompts, result = rounds("2s,soft=1s,strikes=1", lambda seat, number: 1.5 if seat else 0.0, count=4)

    assert [list(prompt.strikes_left) for prompt in prompts[0][:4]] == [[1, 1], [1, 1], [1, 0], [1, 0]]
    assert [prompt.budget_us for prompt in prompts[1]] == [2 * S, 2 * S, S]
    assert result.seats[1].text.startswith("no legal answer to prompt 3 in 1 s")


def test_a_plain_limit_tells_no_clocks() -> None:
    prompts, _ = rounds("2s", lambda seat, number: 0.0)

    assert not any(prompt.banks_us or prompt.strikes_left for seat in prompts for prompt in seat)


def test_no_prompt_tells_whether_another_seat_has_answered_already() -> None:
    async def work() -> list[list[int]]:
        async with Arena() as arena:
            match = opened(arena, spec(tally(2, rounds=2), time="1s,bank=10s"))
            peer = Peer(arena)
            await peer.hello(matches=2, prompts=1)
            await peer.accept()
            await peer.accept()
            for _ in range(4):
                prompt = await peer.until("prompt")
                await asyncio.sleep(2)
                await peer.answer(prompt)
            await match
            return [list(prompt.banks_us) for prompt in peer.all("prompt")]

    told = virtual.run(work())

    assert told == [[10 * S, 10 * S], [10 * S, 10 * S], [9 * S, 9 * S], [9 * S, 9 * S]]
