"""The runner of the long proofs: what has ended is kept, and the tables go between their marks."""

from __future__ import annotations

import json
import time
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


def test_a_run_may_do_only_some_of_the_steps_that_are_missing(tmp_path):
    made = [Scripted("toy", name, tmp_path / f"{name}.json") for name in ("first", "second", "third")]

    assert len(carried_out(made, 1, 2)) == 2
    assert len(carried_out(made, 1, 2)) == 3


def test_what_is_kept_belongs_to_the_sources_it_is_about():
    assert digest(("engine",)) == digest(("engine",)) != digest(("engine", "clients/python"))


def test_a_table_goes_between_its_marks(tmp_path, monkeypatch):
    readme = tmp_path / "README.md"
    readme.write_text("above\n<!-- proof toy -->\nold\n<!-- end -->\nbelow\n", encoding="utf-8")
    other = tmp_path / "OTHER.md"
    other.write_text("<!-- proof other -->\n<!-- end -->\n", encoding="utf-8")
    monkeypatch.setattr(run, "READMES", (other, readme))

    written("toy", ["| new |"])
    written("toy", ["| new |"])

    assert readme.read_text(encoding="utf-8") == "above\n<!-- proof toy -->\n\n| new |\n\n<!-- end -->\nbelow\n"


def test_every_proof_has_its_marks_in_one_readme():
    texts = [readme.read_text(encoding="utf-8") for readme in run.READMES]

    for name in run.PROOFS:
        assert sum(text.count(f"<!-- proof {name} -->\n") for text in texts) == 1, name


def test_what_wants_the_machine_alone_comes_last_and_one_by_one(tmp_path):
    running: list[str] = []
    seen: list[tuple[str, int]] = []

    @dataclass(frozen=True, slots=True)
    class Watched(Scripted):
        def do(self):
            running.append(self.name)
            time.sleep(0.05)
            seen.append((self.name, len(running)))
            running.remove(self.name)
            return {"told": self.name}

    names = ("alone-1", "first", "alone-2", "second", "third")
    steps = [Watched("toy", name, tmp_path / name, alone=name.startswith("alone")) for name in names]

    carried_out(steps, 3)

    assert sorted(name for name, _ in seen[:3]) == ["first", "second", "third"]
    assert seen[3:] == [("alone-1", 1), ("alone-2", 1)]


@pytest.mark.parametrize("name", run.PROOFS)
def test_every_proof_says_what_it_is_about_and_names_its_steps_once(name):
    proof = run.PROOFS[name]

    assert len(set(proof.STEPS)) == len(proof.STEPS) > 0
    assert len(digest(proof.ABOUT)) == 16


def test_what_a_proof_is_about_is_there():
    with pytest.raises(AssertionError, match="is not there"):
        digest(("engine", "no/such/folder"))
