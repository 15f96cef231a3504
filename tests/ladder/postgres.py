"""PostgreSQL as the tests run it: Debian's, as a user of its own, on a Unix socket in a folder that goes with it."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

INSTALL = "sudo apt install postgresql"


def programs() -> Path | None:
    """The folder of the newest initdb and postgres; None where there are none."""
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"), key=lambda path: int(path.parts[4]))
    if found:
        return found[-1].parent
    there = shutil.which("initdb")
    return None if there is None else Path(there).resolve().parent


@contextmanager
def cluster() -> Iterator[str]:
    """The URL of a new and empty database, while it runs."""
    folder = programs()
    assert folder is not None
    user = "postgres" if os.geteuid() == 0 else None  # it refuses to run as root
    with tempfile.TemporaryDirectory(prefix="pg-", ignore_cleanup_errors=True) as made:
        home = Path(made)
        if user is not None:
            shutil.chown(home, user)
        quiet = {"user": user, "cwd": home, "stdout": subprocess.DEVNULL, "stderr": subprocess.PIPE, "check": True}
        data = home / "data"
        words = ["--no-sync", "--auth=trust", "--username=ladder", "--encoding=UTF8", "--locale=C"]
        subprocess.run([folder / "initdb", "-D", data, *words], **quiet)  # type: ignore[call-overload]
        options = f"-c fsync=off -c listen_addresses= -c unix_socket_directories={home} -c shared_buffers=16MB"
        control = [folder / "pg_ctl", "-D", data, "-s", "-w"]
        subprocess.run([*control, "-o", options, "-l", home / "log", "start"], **quiet)  # type: ignore[call-overload]
        try:
            yield f"postgresql+psycopg://ladder@/postgres?host={home}"
        finally:
            subprocess.run([*control, "-m", "immediate", "stop"], **quiet)  # type: ignore[call-overload]


def emptied(url: str) -> None:
    """Makes a PostgreSQL database as it was when it was new."""
    from sqlalchemy import create_engine, text

    engine = create_engine(url)
    with engine.begin() as connection:
        connection.execute(text("DROP SCHEMA public CASCADE"))
        connection.execute(text("CREATE SCHEMA public"))
    engine.dispose()
