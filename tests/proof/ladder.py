"""A ladder of twelve bots of known strength over a thousand matches, killed in the middle, on SQLite and PostgreSQL."""

from __future__ import annotations

import asyncio
import json
import random
import signal
import subprocess
import tempfile
import time
from collections.abc import Callable, Coroutine
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import grpc.aio
from sqlalchemy import func, select

from e2e.program import RIVALRY, environment
from ladder import postgres
from ladder.crew import Crew, Hand, Second, misplaced, strengths
from rivalry.ladder.v1 import ladder_pb2, ladder_pb2_grpc
from rivalry_ladder import official
from rivalry_ladder.store import Store
from rivalry_ladder.tables import MATCHES, RESULTS

ABOUT = (
    "server/rivalry_ladder",
    "server/rivalry_evaluation",
    "server/rivalry_server/arena.py",
    "server/rivalry_server/attempt.py",
    "server/rivalry_server/lobby.py",
    "server/rivalry_server/journal",
    "tests/ladder/crew.py",
    "tests/proof/ladder.py",
)
ALONE = True
STEPS = ["sqlite", "postgresql"]
MATCHES_LEAST = 1_000
RESAMPLES = 400
STEP_S = 900.0
SETTINGS = f"""
[ladder]
round_s = 0.1
patience_s = 5
probe_again_s = 1
resamples = {RESAMPLES}
[queues.kuhn]
game = "kuhn"
time = "1s,first=1s"
"""
STEADY = [Hand(f"bets{bets:02}", bets) for bets in (2, 12, 24, 36, 50, 64, 78, 90)]
RESTLESS = Hand("restless", 45)
"""Leaves and returns."""
OLDER, NEWER = Hand("renewed", 20), Hand("renewed", 85, bot=Second)
"""One bot in two versions."""
LATE, BROKEN = Hand("late", 60, late=35), Hand("broken", 70, breaks=8)
"""Faulty: the one so often that it is put into quarantine, the other now and then."""
HANDS = [*STEADY, RESTLESS, OLDER, LATE, BROKEN]


class Server:
    """``rivalry ladder serve`` on a folder, on the same port however often it is started."""

    def __init__(self, folder: Path, url: str | None) -> None:
        self._folder = folder
        self._words = [] if url is None else ["--database", url]
        self.address = "127.0.0.1:0"
        self._process: subprocess.Popen[str] | None = None

    def rise(self) -> None:
        """Starts it."""
        words = ["ladder", "serve", "--data", self._folder, "--address", self.address, "--json", "--log", "warning"]
        with (self._folder / "said").open("a") as said:
            self._process = subprocess.Popen(
                [RIVALRY, *map(str, words), *self._words],
                env=environment(),
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=said,
                text=True,
            )
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        assert line, (self._folder / "said").read_text()[-2000:]
        self.address = json.loads(line)["address"]

    def ends(self, number: signal.Signals) -> int:
        """Ends it; returns its status."""
        assert self._process is not None
        self._process.send_signal(number)
        status = self._process.wait(30)
        if self._process.stdout is not None:
            self._process.stdout.close()
        return status


def run(step: str) -> dict[str, Any]:
    """One ladder; raises AssertionError where a pair stands in the wrong order, or a result is lost or there twice."""
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        url = None
        if step == "postgresql":
            assert postgres.programs() is not None, f"PostgreSQL is not installed: {postgres.INSTALL}"
            url = stack.enter_context(postgres.cluster()).url
        (folder / "ladder.toml").write_text(SETTINGS)
        server = Server(folder, url)
        server.rise()
        try:
            figures = asyncio.run(asyncio.wait_for(_course(server), STEP_S))
        finally:
            status = server.ends(signal.SIGTERM)
        assert status == 0
        said = (folder / "said").read_text()
        assert "Traceback" not in said, said[-3000:]
        store = Store.in_folder(folder) if url is None else Store.at(url)
        try:
            return {"what": step} | figures | _kept(store, figures)
        finally:
            store.close()


async def _course(server: Server) -> dict[str, Any]:
    """All that happens to the ladder while it runs."""
    async with grpc.aio.insecure_channel(server.address) as channel:
        ask = _asks(channel)
        crew = Crew(server.address)
        tokens = {}
        for hand in HANDS:
            tokens[hand.name] = (await ask("RegisterBot", name=hand.name, version="1", owner=hand.name)).token
            crew.works(hand, tokens[hand.name])
        began = time.monotonic()
        await _until(ask, 200)
        await crew.leaves(RESTLESS.name)
        await _until(ask, 300)
        await crew.leaves(OLDER.name)
        await ask("RegisterBot", name=NEWER.name, version="2", owner=NEWER.name)
        crew.works(NEWER, tokens[NEWER.name])
        await _until(ask, 400)
        late = await _quarantined(ask)
        await ask("ResumeBot", name=LATE.name)
        await _until(ask, 500)
        server.ends(signal.SIGKILL)
        await asyncio.to_thread(server.rise)
        await _until(ask, 650)
        crew.works(RESTLESS, tokens[RESTLESS.name])
        await _until(ask, MATCHES_LEAST)
        took_s = time.monotonic() - began
        await ask("PauseQueue", name="kuhn", why="the proof is over")
        while (await ask("ListQueues")).queues[0].playing:  # noqa: ASYNC110 - another process
            await asyncio.sleep(0.1)
        why = [
            reason.code for each in (await ask("ExplainBot", name=LATE.name)).explanations for reason in each.reasons
        ]
        counted = await _counted(ask)
        table = (await ask("GetTable")).table
        while table.matches < counted:  # one that was fitted a moment ago is told again
            await asyncio.sleep(1)
            table = (await ask("GetTable")).table
        await crew.go_home()
    rows = [
        {key: getattr(row, key) for key in ("bot", "version", "matches", "rating", "rating_low", "rating_high", "rank")}
        for row in table.rows
        if row.HasField("rank")
    ]
    pairs, wrong = misplaced(rows, strengths([*HANDS, NEWER]))
    assert pairs >= 15, f"only {pairs} pairs differ by more than their intervals"
    assert not wrong, f"in the wrong order: {wrong}; {rows}"
    assert late, "the bot that is late was not put into quarantine"
    return {
        "matches": counted,
        "per_minute": round(60 * counted / took_s),
        "pairs": pairs,
        "wrong": len(wrong),
        "quarantined": late,
        "why": why,
        "log_digest": table.log_digest,
        "rows": rows,
    }


def _kept(store: Store, figures: dict[str, Any]) -> dict[str, Any]:
    """What the database holds: every result once, and the same table from a log that was shuffled."""
    twice = select(RESULTS.c.match_id).group_by(RESULTS.c.match_id, RESULTS.c.attempt).having(func.count() > 1)
    without = select(MATCHES.c.id).where(MATCHES.c.state == "ended", MATCHES.c.id.not_in(select(RESULTS.c.match_id)))
    for broken in (twice, without, select(MATCHES.c.id).where(MATCHES.c.state == "open")):
        assert store.do(lambda connection, broken=broken: connection.execute(broken).all()) == []
    dropped = store.do(
        lambda connection: connection.execute(
            select(func.count()).select_from(MATCHES).where(MATCHES.c.state == "dropped")
        ).scalar()
    )
    lines = store.do(lambda connection: official.lines(connection, 1, 1))
    assert len(lines) == figures["matches"]
    assert official.log_digest(lines) == figures["log_digest"]
    random.Random(1).shuffle(lines)
    again = official.table(lines, alpha=0.05, resamples=RESAMPLES)
    told = {f"{row['bot']}@{row['version']}": row["rating"] for row in figures["rows"]}
    assert {row["label"]: row["rating"] for row in again["rows"]} == told
    return {"dropped": dropped, "shuffled": "equal", "told": f"{figures['matches']} matches"}


async def _quarantined(ask: Callable[..., Coroutine[Any, Any, Any]]) -> str:
    """Why the bot that is late is in quarantine, once it is."""
    while True:
        bot = (await ask("GetBot", name=LATE.name)).bot
        if bot.quarantined:
            return str(bot.quarantined)
        await asyncio.sleep(0.5)


async def _until(ask: Callable[..., Coroutine[Any, Any, Any]], count: int) -> None:
    """Returns when so many results count."""
    while await _counted(ask) < count:  # noqa: ASYNC110 - another process
        await asyncio.sleep(0.25)


async def _counted(ask: Callable[..., Coroutine[Any, Any, Any]]) -> int:
    return sum(season.matches for season in (await ask("ListSeasons")).seasons)


def _asks(channel: grpc.aio.Channel) -> Callable[..., Coroutine[Any, Any, Any]]:
    stub = ladder_pb2_grpc.LadderServiceStub(channel)  # type: ignore[no-untyped-call]

    async def ask(method: str, /, **fields: Any) -> Any:
        request = getattr(ladder_pb2, f"{method}Request")(**fields)
        return await getattr(stub, method)(request, wait_for_ready=True)

    return ask


def table(figures: list[dict[str, Any]]) -> tuple[list[str], bool]:
    """A row for each kind of database."""
    lines = [
        "| database | matches that count | a minute | pairs that differ by more than their intervals "
        "| in the wrong order | table from a shuffled log |",
        "|---|---|---|---|---|---|",
    ]
    for step in figures:
        lines.append(
            f"| {step['what']} | {step['matches']:,} | {step['per_minute']:,} | {step['pairs']} | {step['wrong']} "
            f"| {step['shuffled']} |"
        )
    holds = len(figures) == len(STEPS) and all(step["wrong"] == 0 for step in figures)
    return [*lines, "", '`make proof ARGS="--only ladder"`'], holds
