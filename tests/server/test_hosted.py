"""Games of families are made in a thread, so that nobody waits for one that takes long."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Awaitable, Callable
from typing import TypeVar

import pytest

from rivalry_engine import catalog
from rivalry_engine.error import UnknownGameError
from rivalry_engine.game import Game
from rivalry_engine.kuhn import Kuhn
from rivalry_server.hosted import Hosted, Wanted
from rivalry_server.identity import Identity, Kind
from rivalry_server.limits import TooMuchError
from rivalry_server.trials import WAITING_MOST

T = TypeVar("T")

PATIENCE_S = 60
STRANGER = Identity(Kind.ADDRESS, "192.0.2.1")


class Two(catalog.Family):
    """A family that lists one game, and has others."""

    title = "two games"

    def names(self) -> list[str]:
        return ["listed"]

    def rules(self, name: str) -> type[Game]:
        return Kuhn


@pytest.fixture(autouse=True)
def two(monkeypatch: pytest.MonkeyPatch) -> None:
    class Entry:
        def load(self) -> catalog.Family:
            return Two()

    monkeypatch.setattr(catalog, "_entries", lambda: {"two": Entry()})
    for kept in (catalog._listed, catalog._loaded, catalog.rules):
        kept.cache_clear()


def whole(work: Callable[[], Awaitable[T]]) -> T:
    async def timed() -> T:
        async with asyncio.timeout(PATIENCE_S):
            return await work()

    return asyncio.run(timed())


async def until_tried(hosted: Hosted, count: int) -> None:
    """Returns when there are so many trials, waiting and running: whether each is needed is found out in a thread."""
    while hosted._trials._has.total() < count:  # noqa: ASYNC110 - threads set no event of a loop
        await asyncio.sleep(0.002)


@pytest.mark.parametrize("name", ["two:listed", "two:other"])
def test_the_loop_goes_on_while_a_game_of_a_family_is_made(name: str) -> None:
    async def work() -> tuple[str, bool]:
        hosted, gate = Hosted(), threading.Event()

        def slow() -> str:
            assert gate.wait(PATIENCE_S)
            return threading.current_thread().name

        making = asyncio.ensure_future(hosted.aside(Wanted(name), slow))
        await asyncio.sleep(0.02)
        waited = making.done()
        gate.set()
        return await making, waited

    where, was_done = whole(work)

    assert where != threading.main_thread().name
    assert not was_done


def test_a_game_of_its_own_is_made_at_once() -> None:
    where = asyncio.run(Hosted().aside(Wanted("kuhn"), threading.current_thread))

    assert where is threading.main_thread()


@pytest.mark.parametrize("name", ["two:listed", "two:other"])
def test_what_goes_wrong_in_the_thread_is_told(name: str) -> None:
    def wrong() -> None:
        raise UnknownGameError("no such game")

    with pytest.raises(UnknownGameError, match="no such game"):
        asyncio.run(Hosted().aside(Wanted(name), wrong))


def test_games_that_are_listed_or_were_made_before_wait_for_none_that_is_tried() -> None:
    async def work() -> list[str]:
        hosted, gate = Hosted(), threading.Event()
        chosen = Wanted("two:listed", '{"size":3}', 2)
        await hosted.aside(chosen, lambda: "first")
        strangers = [Identity(Kind.ADDRESS, f"192.0.2.{number}") for number in range(WAITING_MOST + 2)]
        trials = [
            asyncio.ensure_future(hosted.aside(Wanted("two:other"), lambda: gate.wait(PATIENCE_S), who=who))
            for who in strangers
        ]
        await until_tried(hosted, len(strangers))
        with pytest.raises(TooMuchError, match="try again"):
            await hosted.aside(Wanted("two:listed", '{"size":4}', 2), lambda: "tried")

        made = [
            await hosted.aside(Wanted("two:listed"), lambda: "described"),
            await hosted.aside(Wanted("two:listed", "", 2), lambda: "listed"),
            await hosted.aside(chosen, lambda: "made before"),
        ]

        gate.set()
        await asyncio.gather(*trials)
        return made

    assert whole(work) == ["described", "listed", "made before"]


def test_a_listed_game_with_anything_chosen_is_tried() -> None:
    assert Wanted("two:listed", "", 2).plain()
    assert Wanted("two:listed", "{}").plain()
    assert not Wanted("two:listed", "", 3).plain()
    assert not Wanted("two:listed", '{"size":3}').plain()
    assert not Wanted("two:other").plain()


def test_one_stranger_has_two_trials_and_is_told_to_wait_for_an_answer() -> None:
    async def work() -> None:
        hosted, gate = Hosted(), threading.Event()
        trials = [
            asyncio.ensure_future(hosted.aside(Wanted("two:other"), lambda: gate.wait(PATIENCE_S), who=STRANGER))
            for _ in range(2)
        ]
        await until_tried(hosted, 2)

        with pytest.raises(TooMuchError, match=r"two:other .* address 192\.0\.2\.1 has 2 already"):
            await hosted.aside(Wanted("two:other"), lambda: None, who=STRANGER)

        gate.set()
        await asyncio.gather(*trials)

    whole(work)
