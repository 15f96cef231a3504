from __future__ import annotations

from importlib.metadata import version

from rivalry_engine import record
from rivalry_engine.compiled import is_compiled
from rivalry_server import settings


def test_the_five_version_numbers_and_the_build_of_the_engine_are_told(rivalry):
    numbers = rivalry("version", "--json").json()

    assert list(numbers) == ["package", "protocol", "rules", "record_format", "journal_format", "engine"]
    assert numbers["package"] == version("rivalry")
    assert numbers["protocol"] == settings.PROTOCOL_MOST
    assert numbers["rules"]["kuhn"] == 1
    assert numbers["record_format"] == record.FORMAT
    assert numbers["engine"] == ("compiled" if is_compiled() else "plain")


def test_a_person_gets_a_table(rivalry):
    said = rivalry("version")

    assert said.status == 0
    assert len(said.out.splitlines()) == 7
