from __future__ import annotations

import errno
import io
import os
import resource
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from rivalry_server import files


@contextmanager
def short_files() -> Iterator[None]:
    """No file may be longer than five bytes: not for longer than a test needs, whose report may go to a file."""
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (5, limits[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)


def test_content_is_all_of_a_file_up_to_the_most_that_is_read(tmp_path):
    path = tmp_path / "file"
    path.write_bytes(b"x" * (2 * files.CHUNK + 3))

    assert files.content(path, most=2 * files.CHUNK + 3) == path.read_bytes()
    with pytest.raises(files.TooLargeError, match="more than 2 MiB, which is the most that is read") as raised:
        files.content(path, most=2 * files.CHUNK)
    assert raised.value.filename == str(path)


def test_a_large_file_is_not_read_at_all(tmp_path, monkeypatch):
    path = tmp_path / "sparse"
    path.touch()
    os.truncate(path, 6 << 30)
    monkeypatch.setattr(files, "bounded", lambda *_, **__: pytest.fail("it was read"))

    with pytest.raises(files.TooLargeError):
        files.content(path)


def test_a_device_that_never_ends_is_left_at_the_most():
    with pytest.raises(files.TooLargeError, match="more than 1 MiB"):
        files.content(Path("/dev/zero"), most=1 << 20)


def test_a_pipe_that_never_ends_is_left_at_the_most(tmp_path):
    path = tmp_path / "pipe"
    os.mkfifo(path)

    def feed() -> None:
        with path.open("wb", buffering=0) as pipe:
            try:
                while True:
                    pipe.write(bytes(1 << 16))
            except BrokenPipeError:
                return

    feeder = threading.Thread(target=feed)
    feeder.start()
    with pytest.raises(files.TooLargeError):
        files.content(path, most=1 << 20)
    feeder.join(60)
    assert not feeder.is_alive()


def test_a_fault_of_reading_names_the_file():
    with pytest.raises(OSError, match="/proc/self/mem") as raised:
        files.content(Path("/proc/self/mem"))

    assert (raised.value.errno, raised.value.filename) == (errno.EIO, "/proc/self/mem")
    assert files.told(raised.value) == "/proc/self/mem: Input/output error; see to the disk, or give another file"


@pytest.mark.parametrize("make", [files.made, files.replaced])
def test_of_a_file_that_cannot_be_written_nothing_is_left(tmp_path, make):
    path = tmp_path / "file"

    with short_files(), pytest.raises(files.UnwrittenError, match=f"File too large: '{path}'"):
        make(path, b"more than five")

    assert list(tmp_path.iterdir()) == []
    make(path, b"five!")
    assert path.read_bytes() == b"five!"


def test_what_is_there_stays_where_nothing_new_can_be_written(tmp_path):
    path = tmp_path / "file"
    path.write_bytes(b"old")

    with pytest.raises(FileExistsError):
        files.made(path, b"new")
    with short_files(), pytest.raises(files.UnwrittenError):
        files.replaced(path, b"more than five")

    assert path.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [path]


def test_a_library_that_tells_more_than_a_line_is_cut_short():
    with pytest.raises(files.UnwrittenError) as raised, files.writing("file"):
        raise OSError(errno.ENOSPC, "Error writing bytes to file. Detail: [errno 28] No space left on device")

    assert files.told(raised.value) == "file: No space left on device; make room"


def test_bounded_reads_to_the_end():
    assert files.bounded(io.BytesIO(b"x" * files.CHUNK), "-", most=files.CHUNK) == b"x" * files.CHUNK
