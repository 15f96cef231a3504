"""The log of a tournament: one file that is only ever added to, and is the truth of what was played.

A line is on the disk before anything is told that follows from it.  What a power cut or ``kill -9`` left of a last line
is cut off when the log is opened again.  While it is open nobody else can open it.
"""

from __future__ import annotations

import os
import time
from pathlib import Path
from types import TracebackType
from typing import Final

from rivalry_engine.counting import counted
from rivalry_engine.error import RivalryError
from rivalry_server import files
from rivalry_tournament import lines
from rivalry_tournament.chain import Chain
from rivalry_tournament.lines import Head, Line, LineError

FILE: Final = "log.jsonl"
NUL: Final = b"\0"
SETTLED: Final = (("schedule", "schedule.json"), ("settings", "compare.json"))
"""What a log goes with: a tournament's, and a comparison's."""
ASKED_S: Final = 0.5
"""So long a process that asks whether the log is open is waited for, at most."""


class LogError(RivalryError):
    """A log that cannot be gone on with."""


class Log:
    """An open log.  ``lines`` are those it had when it was opened, its head left out; ``cut`` the bytes of a torn last
    line, and what else stood after the last whole one, that were cut off.
    """

    def __init__(self, folder: Path, digest: str, *, at: int) -> None:
        """Opens the log in ``folder``, or begins it, for the schedule of ``digest``; ``at`` is the time of its head.

        Raises LogError if somebody else has it open, it goes with another schedule, or is damaged; OSError.
        """
        self.path = folder / FILE
        self.lines: tuple[Line, ...] = ()
        self.cut = b""
        self._chain = Chain(digest)
        self._descriptor = os.open(self.path, os.O_RDWR | os.O_CREAT | os.O_APPEND | getattr(os, "O_CLOEXEC", 0), 0o644)
        try:
            _lock(self._descriptor, self.path)
            self._take_in(digest, at)
        except BaseException:
            os.close(self._descriptor)
            raise

    def append(self, *added: Line) -> None:
        """Adds lines, which are on the disk when this returns; raises OSError."""
        rest = memoryview(b"".join(map(self._chain.written, added)))
        with files.writing(self.path):
            while rest:
                rest = rest[os.write(self._descriptor, rest) :]
            os.fsync(self._descriptor)

    def mended(self) -> str:
        """What was cut off when it was opened, in words; empty if nothing was."""
        if not self.cut:
            return ""
        if not self.cut.strip(NUL + b"\n"):
            nothing = counted(self.cut.count(NUL), "NUL byte")
            what = f"{self.path} ended in {nothing}, as a power cut leaves them: they are cut off"
        else:
            what = f"the last line of {self.path} was torn: {counted(len(self.cut), 'byte')} of it are cut off"
        return f"{what}, and what has no line is played again"

    def close(self) -> None:
        """Lets others open it."""
        os.close(self._descriptor)

    def __enter__(self) -> Log:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _take_in(self, digest: str, at: int) -> None:
        with files.reading(self.path):
            text = self.path.read_bytes()
        whole = _whole(text)
        self.cut = text[whole:]
        if self.cut:
            with files.writing(self.path):
                os.ftruncate(self._descriptor, whole)
                os.fsync(self._descriptor)
        if whole:
            self.lines = parsed(text[:whole], self.path, digest, self._chain)
        else:
            self.append(Head(digest, at))
            sync_folder(self.path.parent)


def read(path: Path, digest: str) -> tuple[Line, ...]:
    """The lines of a log that goes with the schedule of ``digest``, its head and a torn last line left out.

    A log that was not begun has none.  Raises LogError, OSError.
    """
    try:
        with files.reading(path):
            text = path.read_bytes()
    except FileNotFoundError:
        return ()
    whole = text[: _whole(text)]
    return parsed(whole, path, digest, Chain(digest)) if whole else ()


def _whole(text: bytes) -> int:
    """How many bytes of ``text`` are whole lines.

    What follows them is of a last line that was torn: it has no end, or it holds NUL, which no line does.  After a
    power cut a file may be as long as it was to become, and hold NUL where its bytes did not reach the disk.
    """
    end = text.rfind(b"\n") + 1
    while end:
        begins = text.rfind(b"\n", 0, end - 1) + 1
        if text.find(NUL, begins, end) < 0:
            break
        end = begins
    return end


def parsed(text: bytes, path: Path, digest: str, chain: Chain) -> tuple[Line, ...]:
    """The whole lines of ``text``, at least one, its head left out; ``chain`` is that of the schedule of ``digest``.

    Raises LogError with the number of a line that is none, or does not follow from those before it.
    """
    first, *rest = text.split(b"\n")[:-1]
    _check_head(first, digest, path)
    return tuple([_line(number, line, path, chain) for number, line in enumerate((first, *rest), 1)][1:])


def _line(number: int, text: bytes, path: Path, chain: Chain) -> Line:
    try:
        return chain.read(text)
    except LineError as error:
        raise LogError(f"{path}: line {number} was damaged: {error}; put the file back as it was") from error


def _check_head(text: bytes, digest: str, path: Path) -> None:
    """Raises LogError if a log's first line is of another format or schedule."""
    try:
        head = lines.parsed(text)
    except LineError as error:
        raise LogError(f"{path}: line 1 was damaged: {error}; put the file back as it was") from error
    if head.get("kind") != "head":
        raise LogError(f"{path}: its first line is no head; expected a log that `rivalry tournament run` began")
    if head.get("format") != lines.FORMAT:
        raise LogError(f"{path}: log format {head.get('format')!r:.60}; this package reads {lines.FORMAT}")
    if head.get("schedule") != digest:
        what, file = SETTLED[(path.parent / SETTLED[1][1]).exists()]
        raise LogError(
            f"{path}: it goes with the {what} {str(head.get('schedule'))[:12]!r}…, and {file} beside it is"
            f" {digest[:12]!r}…; put the {what} back as it was"
        )


def in_use(path: Path) -> bool:
    """True if somebody has the log open and plays on."""
    try:
        descriptor = os.open(path, os.O_RDONLY)
    except OSError:
        return False
    try:
        return not _locked(descriptor, alone=False)
    finally:
        os.close(descriptor)


def _lock(descriptor: int, path: Path) -> None:
    """Nobody else may have the log open; the system lets go of it when the process ends, however it ends.

    Who only asks whether it is open (``in_use``) holds it for a moment, which is waited for.
    """
    due = time.monotonic() + ASKED_S
    while not _locked(descriptor, alone=True):
        if time.monotonic() > due:
            raise LogError(f"{path.parent}: another process plays here; wait for it, or stop it")
        time.sleep(ASKED_S / 20)


def _locked(descriptor: int, *, alone: bool) -> bool:
    """True if the lock is had now, ``alone`` or with others who only ask."""
    try:
        import fcntl
    except ImportError:  # a system without such locks
        return True
    try:
        fcntl.flock(descriptor, (fcntl.LOCK_EX if alone else fcntl.LOCK_SH) | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def sync_folder(folder: Path) -> None:
    """Which files a folder has is on the disk as well."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        with files.writing(folder):
            os.fsync(descriptor)
    finally:
        os.close(descriptor)
