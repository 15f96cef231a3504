"""A ladder's database of each kind.  What can be shared is: one PostgreSQL a run, and each schema migrated once."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from ladder import postgres
from rivalry_ladder.store import FILE, Store


@pytest.fixture(scope="session")
def cluster() -> Iterator[postgres.Cluster]:
    """A PostgreSQL of this run's own."""
    if postgres.programs() is None:
        pytest.skip(f"PostgreSQL is not installed: {postgres.INSTALL}")
    with postgres.cluster() as made:
        yield made


@pytest.fixture
def database(cluster: postgres.Cluster) -> str:
    """The URL of its database for ladders that run, with nothing in it."""
    postgres.emptied(cluster.url)
    return cluster.url


@pytest.fixture(scope="session")
def _shelf(cluster: postgres.Cluster) -> Iterator[Store]:
    """An open store in another of its databases."""
    opened = Store.at(cluster.made("shelf"))
    yield opened
    opened.close()


@pytest.fixture(scope="session")
def _sqlite(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A file with the schema and nothing else."""
    folder = tmp_path_factory.mktemp("sqlite")
    Store.in_folder(folder).close()
    return folder / FILE


@pytest.fixture(params=["sqlite", "postgresql"])
def store(request: pytest.FixtureRequest) -> Store:
    """An open store with nothing in it, of one kind after the other."""
    if request.param == "sqlite":
        light: Store = request.getfixturevalue("light")
        return light
    shelf: Store = request.getfixturevalue("_shelf")
    postgres.emptied_of_rows(shelf)
    return shelf


@pytest.fixture
def light(tmp_path: Path, _sqlite: Path) -> Iterator[Store]:
    """An open store in a file, for what does not depend on the kind of database."""
    (tmp_path / "light").mkdir()
    shutil.copy(_sqlite, tmp_path / "light" / FILE)
    opened = Store.in_folder(tmp_path / "light")
    yield opened
    opened.close()
