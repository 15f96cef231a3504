"""What a process holds, counted: descriptors, threads, children, tasks, files, memory."""

from __future__ import annotations

import asyncio
import gc
import os
from collections.abc import Mapping
from pathlib import Path

PAGE_KB = os.sysconf("SC_PAGE_SIZE") // 1_024


def resident_kb(pid: int | str = "self") -> int:
    """How much memory of a process is in use, in KiB."""
    return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * PAGE_KB


def descriptors(pid: int | str = "self") -> int:
    """How many files, sockets and the like a process has open."""
    return len(list(Path(f"/proc/{pid}/fd").iterdir()))


def children(pid: int | str = "self") -> list[int]:
    """The processes that one has started and not seen the end of, zombies included."""
    found: list[int] = []
    for task in Path(f"/proc/{pid}/task").glob("*/children"):
        try:
            found += [int(word) for word in task.read_text().split()]
        except OSError:
            continue
    return found


def is_zombie(pid: int) -> bool:
    """True for a process that has ended and that nobody waited for."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z"
    except OSError:
        return False


def taken(places: Mapping[str, Path] | None = None) -> dict[str, int]:
    """What this process holds, in a running loop; ``places`` are folders whose files are counted by name."""
    gc.collect()
    started = children()
    counted = {
        "descriptors": descriptors(),
        "threads": len(list(Path("/proc/self/task").iterdir())),
        "children": len(started),
        "zombies": sum(map(is_zombie, started)),
        "tasks": len(asyncio.all_tasks()),
    }
    for name, place in (places or {}).items():
        counted[name] = sum(1 for _ in place.iterdir())
    return counted
