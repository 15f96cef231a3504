"""``rivalry`` inside the test: its exit status, stdout and stderr."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest

from rivalry_server.program import run


@dataclass(frozen=True, slots=True)
class Said:
    """What a run of the program left behind."""

    status: int
    out: str
    err: str

    def json(self) -> Any:
        """All of stdout, which is one JSON value."""
        return json.loads(self.out)


Rivalry = Callable[..., Said]


@pytest.fixture
def rivalry(capsys: pytest.CaptureFixture[str]) -> Rivalry:
    def ran(*arguments: object) -> Said:
        status = run([str(argument) for argument in arguments])
        captured = capsys.readouterr()
        return Said(status, captured.out, captured.err)

    return ran
