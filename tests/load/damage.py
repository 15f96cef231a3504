"""A journal that is damaged in many ways, and what an arena makes of it."""

from __future__ import annotations

import asyncio
import io
import json
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from tempfile import mkdtemp

from rivalry_engine import catalog
from rivalry_engine.chance import Stream
from rivalry_server import logs
from rivalry_server.journal.lasting import FileJournal
from rivalry_server.journal.rescue import salvaged
from rivalry_server.journal.sealed import Kind
from rivalry_server.journal.store import FILE, PAGE_BYTES, JournalError
from rivalry_server.match_spec import MatchSpec
from rivalry_server.seating import Listen
from server import virtual
from server.journal.house import FILES, arena, built_in, gone_on

ENDED, OPEN = 30, 6
Damage = Callable[[bytearray, Stream], bytearray]


def _cut(data: bytearray, chance: Stream) -> bytearray:
    return data[: chance.below(len(data))]


def _flipped(data: bytearray, chance: Stream) -> bytearray:
    for _ in range(1 + chance.below(4)):
        data[chance.below(len(data))] ^= 1 << chance.below(8)
    return data


def _blanked(data: bytearray, chance: Stream) -> bytearray:
    at = chance.below(len(data))
    size = min(len(data) - at, 1 + chance.below(2 * PAGE_BYTES))
    data[at : at + size] = bytes(size)
    return data


def _shuffled(data: bytearray, chance: Stream) -> bytearray:
    """Two pages in each other's places, as after a mad disk."""
    pages = max(2, len(data) // PAGE_BYTES)
    one, other = (PAGE_BYTES * chance.below(pages) for _ in range(2))
    data[one : one + PAGE_BYTES], data[other : other + PAGE_BYTES] = (
        data[other : other + PAGE_BYTES],
        data[one : one + PAGE_BYTES],
    )
    return data


DAMAGES: dict[str, Damage] = {"cut": _cut, "flipped": _flipped, "blanked": _blanked, "shuffled": _shuffled}


@cache
def left() -> tuple[Path, dict[int, tuple[bytes, str]]]:
    """What a killed arena has left, in a folder: matches that ended, some of Ethnos, and some under way.

    Results stand partly in the database and partly in its log; with it, by row, seed and digest of those that ended.
    """
    folder, data = Path(mkdtemp()), Path(mkdtemp())
    ended: dict[int, tuple[bytes, str]] = {}
    kuhn, ethnos = catalog.game("kuhn"), catalog.game("ethnos", {"seats": 2})

    async def whole() -> None:
        house = arena(data)
        journal = house._journal
        assert isinstance(journal, FileJournal)
        for number in range(ENDED):
            game = ethnos if number % 6 == 5 else kuhn
            bots = [built_in("random", game.name)] * 2
            result = await house.open_match(MatchSpec(game, b"%d" % number), bots).finished
            ended[number + 1] = (result.seed, result.game_digest)
            if number == ENDED // 2:
                journal._store.execute("PRAGMA wal_checkpoint(PASSIVE)")
        for number in range(OPEN):
            house.open_match(MatchSpec(kuhn, b"open/%d" % number, wait_s=3), [built_in("random", "kuhn"), Listen()])
        await asyncio.sleep(1)
        for name in FILES:
            shutil.copyfile(data / name, folder / name)
        await house.stop()

    virtual.run(whole())
    shutil.rmtree(data)
    return folder, ended


@dataclass(frozen=True, slots=True)
class Start:
    """What an arena made of a damaged journal: how it was told, and the results that could be read and are there."""

    how: str
    """whole, rescued or refused."""
    readable: int


def damaged(folder: Path, kind: str, name: str, chance: Stream) -> None:
    """Puts a damaged copy of the journal into ``folder``; ``name`` is the file that is damaged."""
    for each in FILES:
        shutil.copyfile(left()[0] / each, folder / each)
    data = bytearray((folder / name).read_bytes())
    (folder / name).write_bytes(bytes(DAMAGES[kind](data, chance)))


def started(folder: Path) -> Start:
    """Starts an arena on a damaged journal; raises AssertionError where something is told badly or lost."""
    rows = salvaged(folder / FILE)
    readable = {key for kind, key in rows if kind is Kind.RESULT and (Kind.ATTEMPT, key) in rows}
    log = io.StringIO()
    logs.configure("warning", stream=log)
    try:
        results = virtual.run(gone_on(folder))
    except JournalError as error:
        assert "\n" not in str(error) and str(folder) in str(error), error
        assert (folder / FILE).exists(), "a journal that was refused is gone"
        return Start("refused", len(readable))
    finally:
        logs.configure("warning")
    told = [json.loads(line) for line in log.getvalue().splitlines()]
    assert not [line for line in told if "exception" in line], told
    assert not [line for line in told if "\n" in str(line.get("error", ""))], told
    rescued = [line for line in told if line["event"] == "journal_rescued"]
    aside = list(folder.glob("journal.damaged-*.db"))
    assert len(rescued) == len(aside) <= 1, told
    digests = {result.seed: result.game_digest for result in results}
    missing = [row for row in readable if digests.get(left()[1][row][0]) != left()[1][row][1]]
    assert not missing, f"results that could be read are lost or others: rows {missing}"
    assert virtual.run(gone_on(folder)) is not None  # and a second start finds nothing amiss
    return Start("rescued" if aside else "whole", len(readable))
