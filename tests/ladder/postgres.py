"""PostgreSQL as the tests run it: Debian's, as a user of its own, on a Unix socket in a folder that goes with it."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rivalry_ladder.store import Store

INSTALL = "sudo apt install postgresql"


def programs() -> Path | None:
    """The folder of the newest initdb and postgres; None where there are none."""
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"), key=lambda path: int(path.parts[4]))
    if found:
        return found[-1].parent
    there = shutil.which("initdb")
    return None if there is None else Path(there).resolve().parent


class Cluster:
    """A PostgreSQL of this run's own."""

    def __init__(self, home: Path) -> None:
        """Makes its files in ``home``, which goes with it."""
        folder = programs()
        assert folder is not None
        user = "postgres" if os.geteuid() == 0 else None  # it refuses to run as root
        if user is not None:
            shutil.chown(home, user)
        self.url = f"postgresql+psycopg://ladder@/postgres?host={home}"
        self._quiet = {"user": user, "cwd": home, "stdout": subprocess.DEVNULL, "stderr": subprocess.PIPE}
        self._control = [folder / "pg_ctl", "-D", home / "data", "-s", "-w"]
        options = f"-c fsync=off -c listen_addresses= -c unix_socket_directories={home} -c shared_buffers=16MB"
        self._how = ["-o", options, "-l", home / "log"]
        words = ["--no-sync", "--auth=trust", "--username=ladder", "--encoding=UTF8", "--locale=C"]
        self._run([folder / "initdb", "-D", home / "data", *words])

    def start(self) -> None:
        """Returns when it takes connections."""
        self._run([*self._control, *self._how, "start"])

    def stop(self) -> None:
        """Stops it as if its machine had."""
        self._run([*self._control, "-m", "immediate", "stop"])

    def made(self, name: str) -> str:
        """The URL of another database of it, which is empty."""
        from sqlalchemy import create_engine, make_url, text

        engine = create_engine(self.url, isolation_level="AUTOCOMMIT")
        with engine.connect() as connection:
            connection.execute(text(f"CREATE DATABASE {name}"))
        engine.dispose()
        return make_url(self.url).set(database=name).render_as_string()

    def _run(self, words: list[Any]) -> None:
        subprocess.run(words, check=True, **self._quiet)


@contextmanager
def cluster() -> Iterator[Cluster]:
    """A new and empty one that runs."""
    with tempfile.TemporaryDirectory(prefix="pg-", ignore_cleanup_errors=True) as home:
        made = Cluster(Path(home))
        made.start()
        try:
            yield made
        finally:
            made.stop()


def emptied(url: str) -> None:
    """Makes a PostgreSQL database as it was when it was new."""
    from sqlalchemy import create_engine, text

    engine = create_engine(url)
    with engine.begin() as connection:
        connection.execute(text("DROP SCHEMA public CASCADE"))
        connection.execute(text("CREATE SCHEMA public"))
    engine.dispose()


def emptied_of_rows(store: Store) -> None:
    """Removes all that a ladder wrote, and leaves its tables."""
    from sqlalchemy import text

    from rivalry_ladder.tables import METADATA

    with store.engine.begin() as connection:
        connection.execute(text("SET LOCAL session_replication_role = replica"))  # results are append-only
        names = ", ".join(METADATA.tables)
        connection.execute(text(f"TRUNCATE {names} RESTART IDENTITY CASCADE"))
