"""A ladder that runs, with bots that dial in over gRPC: probes, ratings, restarts, and why somebody does not play."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Coroutine
from pathlib import Path
from typing import Any, TypeVar

import grpc.aio
import pytest
from sqlalchemy import select

from e2e.program import RIVALRY, running
from ladder.crew import QUEUE, Hand, Holding, Second, misplaced, strengths
from ladder.house import House, house
from rivalry_ladder import book, official
from rivalry_ladder import settings as ladder_settings
from rivalry_ladder.settings import Settings
from rivalry_ladder.tables import RESULTS
from rivalry_server.token_file import TokenFile
from rivalry_server.tokens import Kind, Token

T = TypeVar("T")
STRONG, FAIR, WEAK = Hand("strong", 98), Hand("fair", 50), Hand("weak", 2)


def made(**figures: Any) -> Settings:
    """Settings of a quick ladder."""
    quick = {"round_s": 0.02, "resamples": 100, "probe_again_s": 0.1, "gap": 9} | figures
    return ladder_settings.settings({"ladder": quick, "queues": {"kuhn": QUEUE}})


def run(work: Coroutine[Any, Any, T]) -> T:
    """What ``work`` returns in time."""
    return asyncio.run(asyncio.wait_for(work, 80))


def test_a_small_ladder_stands_in_the_order_of_strength_through_a_restart(database: str, tmp_path: Path) -> None:
    """On PostgreSQL; the others here are on SQLite."""
    hands = [STRONG, FAIR, WEAK]
    newer = Hand("weak", 70, bot=Second)

    async def begun() -> tuple[dict[str, str], int]:
        async with house(tmp_path, made(), url=database) as first:
            tokens = {hand.name: await first.hired(hand, matches=2) for hand in hands}
            await first.until(lambda: _counts(first, 18))
            await first.crew.leaves("weak")
            await first.ask("RegisterBot", name="weak", version="2", owner="weak")
            first.crew.works(newer, tokens["weak"], matches=2)
            await first.until(lambda: _counts(first, 26))
            await first.crew.go_home()
            return tokens, await first.counted()

    async def went_on(tokens: dict[str, str], before: int) -> tuple[Any, list[official.Line], int]:
        async with house(tmp_path, made(), url=database) as second:
            assert await second.counted() >= before
            for hand in (STRONG, FAIR, newer):
                second.crew.works(hand, tokens[hand.name], matches=2)
            await second.until(lambda: _counts(second, 40))
            await second.crew.go_home()
            await second.until(lambda: not len(second.ladder.course))  # what they had left behind is over
            lines = await second.ladder.desk.do(lambda connection: official.lines(connection, 1, 1))
            table = await second.ask("GetTable")
            return table.table, lines, await second.counted()

    table, lines, counted = run(went_on(*run(begun())))

    rows = [
        {key: getattr(row, key) for key in ("bot", "version", "rating", "rating_low", "rating_high", "rank")}
        for row in table.rows
    ]
    _, wrong = misplaced(rows, strengths([*hands, newer]))
    assert (len(rows), wrong) == (4, [])
    rating = {f"{row['bot']}@{row['version']}": row["rating"] for row in rows}
    assert rating["strong@1"] > rating["weak@1"]
    assert len(lines) == counted
    assert official.log_digest(random.Random(3).sample(lines, len(lines))) == table.log_digest


async def _counts(of: House, most: int) -> bool:
    return await of.counted() >= most


def test_a_faulty_bot_goes_into_quarantine_and_comes_back_by_a_probe(tmp_path: Path) -> None:
    broken = Hand("broken", 50, breaks=100)

    async def work() -> None:
        async with house(tmp_path, made(probes=2)) as here:
            token = await here.hired(broken)
            await here.until(lambda: _is_why(here, "broken", "quarantined"))
            told = await here.ask("GetBot", name="broken")
            assert [fault.kind for fault in told.faults] == ["crash", "crash"] or len(told.faults) == 2
            assert "2 probe matches failed one after the other" in told.bot.quarantined
            assert not told.bot.entries[0].probed
            await here.crew.leaves("broken")
            here.crew.works(Hand("broken", 50), token)
            await here.ask("ResumeBot", name="broken")
            await here.until(lambda: _is_why(here, "broken", "nobody"))
            assert (await here.ask("GetBot", name="broken")).bot.entries[0].probed
            await here.crew.go_home()

    run(work())


async def _is_why(of: House, name: str, code: str) -> bool:
    return code in await of.why(name)


def test_why_follows_what_happens(tmp_path: Path) -> None:
    async def work() -> None:
        async with house(tmp_path, made(starve_s=0.05)) as here:
            ready = (await here.ask("RegisterBot", name="fair", version="1", owner="ann")).token
            assert await here.why("fair") == ["not-connected", "probe-owed"]
            here.crew.works(Hand("fair", 50, bot=Second), ready)
            await here.until(lambda: _is_why(here, "fair", "other-version"))
            await here.crew.leaves("fair")
            here.crew.works(FAIR, ready)
            await here.until(lambda: _is_why(here, "fair", "nobody"))
            await here.until(lambda: here.ladder.waiting.starves(1))
            await here.ask("PauseBot", name="fair", why="tea")
            assert await here.why("fair") == ["paused"]
            await here.ask("ResumeBot", name="fair")
            await here.ask("PauseQueue", name="kuhn", why="repairs")
            assert await here.why("fair") == ["queue-paused"]
            await here.ask("ResumeQueue", name="kuhn")
            new = (await here.ask("RegisterBot", name="fair", version="1", owner="ann", new_token=True)).token
            assert new != ready
            await here.until(lambda: _is_why(here, "fair", "not-connected"))
            await here.crew.go_home()

    run(work())


def test_no_match_begins_once_a_pause_was_answered(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    bots = {name: {"run": f"built-in:{name}", "owner": name} for name in ("first", "random")}
    figures = {"round_s": 0.02, "gap": 9}
    settings = ladder_settings.settings({"ladder": figures, "queues": {"kuhn": QUEUE}, "bots": bots})
    looked, goes_on = asyncio.Event(), asyncio.Event()

    async def paused(here: House) -> set[str]:
        await here.ask("PauseQueue", name="kuhn")
        return set(here.ladder.arena.attempts)

    async def work() -> tuple[set[str], set[str]]:
        async with house(tmp_path, settings) as here:
            await here.until(lambda: _counts(here, 1))
            do = here.ladder.desk.do

            async def held(asked: Any) -> Any:
                found = await do(asked)
                if asked is book.read:
                    looked.set()
                    await goes_on.wait()
                return found

            monkeypatch.setattr(here.ladder.desk, "do", held)
            await looked.wait()
            pausing = asyncio.ensure_future(paused(here))
            await asyncio.wait((pausing,), timeout=0.3)
            goes_on.set()
            known = await pausing
            await here.more_rounds(2)
            return known, set(here.ladder.arena.attempts)

    known, after = run(work())

    assert after == known


def test_two_bots_of_one_owner_do_not_meet(tmp_path: Path) -> None:
    async def work() -> None:
        async with house(tmp_path, made()) as here:
            for hand in (STRONG, WEAK):
                await here.hired(hand, owner="ann")
            await here.until(lambda: _is_why(here, "weak", "same-owner"))
            await here.hired(FAIR, owner="bob")
            await here.until(lambda: _counts(here, 4))
            found = (await here.ask("ListLadderMatches", page_size=3)).matches
            assert all("fair@1" in [seat.label for seat in match.seats] for match in found if not match.probe)
            await here.crew.go_home()

    run(work())


CALLS: list[tuple[Kind | None, str, dict[str, Any], str]] = [
    (None, "ListBots", {}, "UNAUTHENTICATED"),
    (Kind.BOT, "ListBots", {}, "OK"),
    (Kind.BOT, "RegisterBot", {"name": "x", "version": "1"}, "PERMISSION_DENIED"),
    (Kind.OWNER, "RegisterBot", {"name": "x", "version": "1"}, "OK"),
    (Kind.OWNER, "RegisterBot", {"name": "x", "version": "1", "owner": "other"}, "PERMISSION_DENIED"),
    (Kind.OWNER, "PauseBot", {"name": "theirs"}, "PERMISSION_DENIED"),
    (Kind.OWNER, "StartSeason", {"name": "2"}, "PERMISSION_DENIED"),
    (Kind.OPERATOR, "StartSeason", {"name": "2"}, "OK"),
    (Kind.OPERATOR, "StartSeason", {"name": "1"}, "ALREADY_EXISTS"),
    (Kind.OPERATOR, "PauseBot", {"name": "theirs"}, "OK"),
    (Kind.OPERATOR, "GetBot", {"name": "nobody"}, "NOT_FOUND"),
    (Kind.OPERATOR, "GetTable", {"queue": "chess"}, "NOT_FOUND"),
    (Kind.OPERATOR, "RegisterBot", {"name": "x"}, "INVALID_ARGUMENT"),
    (Kind.OPERATOR, "ListLadderMatches", {"page_token": "x"}, "INVALID_ARGUMENT"),
]


def tokens_shown(folder: Path) -> dict[Kind | None, str]:
    """Tokens of each kind, which the ladder of the folder knows; that of nobody is empty."""
    shown: dict[Kind | None, str] = {None: ""}

    def with_tokens(tokens: dict[str, Token]) -> dict[str, Token]:
        for each in Kind:
            token, shown[each] = Token.made(each, "me", now=0.0)
            tokens[token.token_id] = token
        return tokens

    TokenFile(folder).changed(with_tokens)
    return shown


def test_who_may_what(tmp_path: Path) -> None:
    shown = tokens_shown(tmp_path)

    async def code_of(here: House, kind: Kind | None, method: str, fields: dict[str, Any]) -> str:
        try:
            await here.ask(method, token=shown[kind], **fields)
        except grpc.aio.AioRpcError as error:
            return str(error.code().name)
        return "OK"

    async def work() -> list[str]:
        async with house(tmp_path, made(), ask_for_tokens=True) as here:
            await here.ask("RegisterBot", token=shown[Kind.OPERATOR], name="theirs", version="1", owner="others")
            return [await code_of(here, kind, method, fields) for kind, method, fields, _ in CALLS]

    assert run(work()) == [code for *_, code in CALLS]


def test_only_who_may_say_whose_a_bot_is_is_told_how_to_say_so(tmp_path: Path) -> None:
    shown = tokens_shown(tmp_path)

    async def refused(here: House, kind: Kind) -> str:
        with pytest.raises(grpc.aio.AioRpcError) as failed:
            await here.ask("RegisterBot", token=shown[kind], name="theirs", version="2")
        return str(failed.value.details())

    async def work() -> tuple[str, str, bool]:
        async with house(tmp_path, made(), ask_for_tokens=True) as here:
            of_others = {"name": "theirs", "owner": "the others"}
            await here.ask("RegisterBot", token=shown[Kind.OPERATOR], version="1", **of_others)
            operator, owner = [await refused(here, kind) for kind in (Kind.OPERATOR, Kind.OWNER)]
            done = await here.ask("RegisterBot", token=shown[Kind.OPERATOR], version="2", **of_others)
            return operator, owner, done.new_version

    assert run(work()) == (
        "the bot 'theirs' is the others's; take another name, or register it as theirs by --owner 'the others'",
        "the bot 'theirs' is the others's; take another name",
        True,
    )


def test_a_match_that_runs_when_the_server_stops_goes_on_and_counts_once(tmp_path: Path) -> None:
    settings = ladder_settings.settings(
        {"ladder": {"round_s": 0.02, "gap": 9}, "queues": {"kuhn": {"game": "kuhn", "time": "60s"}}}
    )
    two = [Hand("one", 60, bot=Holding), Hand("two", 40, bot=Holding)]

    async def open_ones(here: House) -> list[str]:
        found = (await here.ask("ListLadderMatches")).matches
        return [match.match_id for match in found if match.state == "open" and not match.probe]

    async def work() -> tuple[list[str], list[Any], list[bool]]:
        Holding.begins()
        async with house(tmp_path, settings) as first:
            for hand in two:
                await first.hired(hand)
            await first.until(lambda: _counts(first, 1))
            await Holding.holds()
            before = await open_ones(first)
        async with house(tmp_path, settings) as second:
            Holding.goes_on.set()
            await second.until(lambda: _ended(second, before))
            found = (await second.ask("ListLadderMatches", page_size=1_000)).matches
            query = select(RESULTS.c.counted).where(RESULTS.c.match_id.in_(before))
            counted = await second.ladder.desk.do(lambda connection: list(connection.execute(query).scalars()))
            await first.crew.go_home()
            return before, [match for match in found if match.match_id in before], counted

    before, told, counted = run(work())

    assert len(before) == 1
    assert [(match.counted, [seat.end for seat in match.seats]) for match in told] == [(True, ["normal"] * 2)]
    assert counted == [True]


async def _ended(of: House, ids: list[str]) -> bool:
    found = (await of.ask("ListLadderMatches", page_size=1_000)).matches
    return all(match.state == "ended" for match in found if match.match_id in ids)


def test_commands_and_bots_that_are_dialled_play_as_the_settings_say(tmp_path: Path) -> None:
    far = f"unix:{tmp_path}/far"
    bots = {
        "started": {"run": f"cmd:{RIVALRY} bot first", "owner": "ann"},
        "dialled": {"run": f"dial:{far}", "owner": "bob"},
        "missing": {"run": "cmd:no-such-program"},
        "broken": {"run": f"cmd:{tmp_path}/broken", "owner": "dan"},
    }
    (tmp_path / "broken").write_text("no program")
    (tmp_path / "broken").chmod(0o700)
    settings = ladder_settings.settings(
        {"ladder": {"round_s": 0.1, "gap": 9}, "queues": {"kuhn": {"game": "kuhn"}}, "bots": bots}
    )

    async def work() -> Any:
        async with house(tmp_path / "data", settings) as here:
            await here.until(lambda: _counts(here, 2))
            assert await here.why("missing") == ["program", "probe-owed"]
            await here.until(lambda: _is_why(here, "broken", "probe-later"))
            return (await here.ask("ListBots")).bots

    with running("bot", "random", "--host-bot", far):
        told = run(work())

    assert {bot.name: bot.means for bot in told} == {"broken": 3, "dialled": 2, "missing": 3, "started": 3}
