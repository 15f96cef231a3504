"""A ladder's database of each kind."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from ladder import postgres
from rivalry_ladder.store import Store


@pytest.fixture(scope="session")
def database() -> Iterator[str]:
    """The URL of a PostgreSQL of this run's own."""
    if postgres.programs() is None:
        pytest.skip(f"PostgreSQL is not installed: {postgres.INSTALL}")
    with ExitStack() as stack:
        yield stack.enter_context(postgres.cluster())


@pytest.fixture(params=["sqlite", "postgresql"])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The URL of an empty database, of one kind after the other."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path}/ladder.db"
    made: str = request.getfixturevalue("database")
    postgres.emptied(made)
    return made


@pytest.fixture
def store(url: str) -> Iterator[Store]:
    """An open store, of one kind after the other."""
    opened = Store.at(url)
    yield opened
    opened.close()


@pytest.fixture
def light(tmp_path: Path) -> Iterator[Store]:
    """An open store in a file, for what does not depend on the kind of database."""
    opened = Store.in_folder(tmp_path / "light")
    yield opened
    opened.close()
