"""The ladder's database: SQLite in the data folder by default, PostgreSQL by URL.

The schema is brought up to date by alembic when it is opened.  One ladder has it at a time.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final, TypeVar

from alembic import command
from alembic.config import Config
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, Engine, create_engine, event, make_url
from sqlalchemy.engine import URL
from sqlalchemy.exc import ArgumentError, DatabaseError, NoSuchModuleError, SQLAlchemyError
from sqlalchemy.pool import StaticPool

from rivalry_ladder.error import GoneError, StoreError

T = TypeVar("T")
FILE: Final = "ladder.db"
Failed: Final = (SQLAlchemyError, GoneError)
"""What work on a database raises while it cannot be read or written."""
MIGRATIONS: Final = Path(__file__).resolve().parent / "migrations"
LOCK: Final = 0x52564C4C
"""The number of PostgreSQL's advisory lock that the ladder which has a database holds, by its one connection."""
LEFT_S: Final = 3.0
"""So long one that was stopped, or killed, may have it still: PostgreSQL notices in a moment that it is gone."""
PATIENCE: Final = {"connect_timeout": 10, "tcp_user_timeout": 10_000}
"""How long a PostgreSQL that says nothing is waited for, in seconds and in milliseconds; libpq's words."""


class Store:
    """A database that is open.  Its methods are for one thread."""

    def __init__(self, engine: Engine) -> None:
        """Brings the schema up to date; raises StoreError."""
        self.engine = engine
        self._file: tuple[Path, os.stat_result] | None = None
        try:
            _upgraded(engine)
            if engine.dialect.name == "sqlite" and (path := engine.url.database):
                self._file = Path(path), Path(path).stat()
        except Failed as error:
            self.close()
            raise StoreError(f"{shown(engine.url)}: {reason(error)}") from error
        except BaseException:
            self.close()
            raise

    @classmethod
    def in_folder(cls, folder: Path) -> Store:
        """The SQLite file of a data folder, which is made where there is none; raises StoreError."""
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        path = folder / FILE
        os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600))  # whoever makes it says who may read it
        path.chmod(0o600)
        return cls(_sqlite(URL.create("sqlite+pysqlite", database=str(path))))

    @classmethod
    def at(cls, url: str) -> Store:
        """The database of an SQLAlchemy URL; raises StoreError for one that is none, or not to be reached."""
        try:
            made = make_url(url)
            if made.get_backend_name() == "sqlite":
                return cls(_sqlite(made))
            if made.get_backend_name() != "postgresql":
                raise StoreError(f"{shown(made)}: expected sqlite or postgresql, as in postgresql+psycopg://HOST/NAME")
            return cls(_postgresql(made))
        except (ArgumentError, NoSuchModuleError, ModuleNotFoundError) as error:
            raise StoreError(
                f"the database {url.partition('://')[0][:40]!r}…: {error}; "
                "expected a URL such as postgresql+psycopg://USER@HOST/NAME"
            ) from error

    def do(self, work: Callable[[Connection], T]) -> T:
        """What ``work`` returns, in one transaction, which holds whole or not at all; raises ``Failed``."""
        self._check_there()
        with self.engine.begin() as connection:
            return work(connection)

    def settle(self, work: Callable[[Connection], T]) -> T:
        """The same at the start, where whatever fails is a StoreError."""
        try:
            return self.do(work)
        except SQLAlchemyError as error:
            remedy = "see to the disk, or to the process that holds it, and start again"
            raise StoreError(f"{shown(self.engine.url)}: {reason(error)}; {remedy}") from error

    def close(self) -> None:
        """Lets go of the database."""
        self.engine.dispose()

    def _check_there(self) -> None:
        """SQLite goes on writing to a file that was removed, and all of that would be lost."""
        if self._file is None:
            return
        path, opened = self._file
        try:
            there = os.path.samestat(path.stat(), opened)
        except OSError:
            there = False
        if not there:
            raise GoneError(
                f"{path} was removed or replaced while the ladder runs: put the same file back, with its -wal, "
                "or stop the ladder and start it on a copy"
            )


def shown(url: URL) -> str:
    """A URL without its password."""
    return url.render_as_string(hide_password=True)


def head() -> str:
    """The newest revision of the schema."""
    return str(ScriptDirectory(str(MIGRATIONS)).get_current_head())


@contextmanager
def configured(engine: Engine) -> Iterator[Config]:
    """alembic's configuration over one transaction."""
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS).replace("%", "%%"))
    with engine.begin() as connection:
        config.attributes["connection"] = connection
        yield config


def _upgraded(engine: Engine) -> None:
    from alembic.util import CommandError

    try:
        with configured(engine) as config:
            command.upgrade(config, "head")
    except CommandError as error:
        raise StoreError(
            f"{shown(engine.url)}: its schema is not known here ({error}); use the rivalry that wrote it, or newer"
        ) from error


def _sqlite(url: URL) -> Engine:
    # One connection for all: the ladder's one thread has it.
    engine = create_engine(url, poolclass=StaticPool, connect_args={"check_same_thread": False, "timeout": 10.0})

    @event.listens_for(engine, "connect")
    def prepared(connection: Any, record: object) -> None:
        for pragma in ("journal_mode=WAL", "synchronous=NORMAL", "foreign_keys=ON", "busy_timeout=10000"):
            connection.execute(f"PRAGMA {pragma}").close()

    return engine


def _postgresql(url: URL) -> Engine:
    # One connection for all: it holds the lock, so that what is written is written by whoever has it, however often the
    # server was started again meanwhile.
    patience = {word: value for word, value in PATIENCE.items() if word not in url.query}
    engine = create_engine(
        url, pool_size=1, max_overflow=0, pool_pre_ping=True, isolation_level="READ COMMITTED", connect_args=patience
    )

    @event.listens_for(engine, "connect")
    def taken(connection: Any, record: object) -> None:
        due = time.monotonic() + LEFT_S
        while not _has_lock(connection):
            if time.monotonic() > due:
                connection.close()
                raise GoneError("another ladder has this database; stop it, or give another")
            time.sleep(LEFT_S / 30)

    return engine


def _has_lock(connection: Any) -> bool:
    """True if a connection of psycopg's has the ladder's lock now."""
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT pg_try_advisory_lock({LOCK})")
        (has_it,) = cursor.fetchone()
    connection.commit()
    return bool(has_it)


def reason(error: Exception) -> str:
    """What the driver said, in one line."""
    said = str(error.orig) if isinstance(error, DatabaseError) and error.orig is not None else str(error)
    return " ".join(said.split())[:400]
