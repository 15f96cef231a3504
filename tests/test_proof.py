"""The runner of the long proofs: what has ended is kept, and the tables go between their marks."""

from __future__ import annotations

import json
from dataclasses import dataclass

import pytest

from proof import run
from proof.run import Step, carried_out, digest, written


@dataclass(frozen=True, slots=True)
class Scripted(Step):
    """A step that writes its name and breaks where it is told to."""

    breaks: bool = False

    def do(self):
        if self.breaks:
            raise RuntimeError(f"{self.name} broke")
        self.file.write_text(json.dumps({"told": self.name}), encoding="utf-8")
        return {"told": self.name}


def test_a_run_that_was_stopped_goes_on_where_it_stopped(tmp_path):
    first, second = (Scripted("toy", name, tmp_path / f"{name}.json") for name in ("first", "second"))
    with pytest.raises(RuntimeError, match="broke"):
        carried_out([first, Scripted("toy", "second", second.file, breaks=True)], 1)

    figures = carried_out([Scripted("toy", "first", first.file, breaks=True), second], 1)

    assert [done["told"] for done in figures.values()] == ["first", "second"]


def test_what_is_kept_belongs_to_the_sources_it_is_about():
    assert digest(("engine",)) == digest(("engine",)) != digest(("engine", "clients/python"))


def test_a_table_goes_between_its_marks(tmp_path, monkeypatch):
    readme = tmp_path / "README.md"
    readme.write_text("above\n<!-- proof toy -->\nold\n<!-- end -->\nbelow\n", encoding="utf-8")
    monkeypatch.setattr(run, "README", readme)

    written("toy", ["| new |"])
    written("toy", ["| new |"])

    assert readme.read_text(encoding="utf-8") == "above\n<!-- proof toy -->\n\n| new |\n\n<!-- end -->\nbelow\n"


def test_every_proof_has_its_marks():
    text = run.README.read_text(encoding="utf-8")

    assert all(f"<!-- proof {name} -->\n" in text for name in run.PROOFS)
