"""The long proofs: ``make proof``.

Each is made of steps that are kept in ``.proof`` as they end, so that a run that was stopped goes on where it stopped;
what is kept counts only while the sources that the proof is about stay the same.  The tables go to the README that has
their marks, that of the tests or of the server.  ``python tests/proof/run.py [--only NAME] [--anew] [--jobs N]`` ends
with 1 when a proof fails.

A proof is a module with ``ABOUT`` (folders and files of sources), ``STEPS`` (names), ``run(step)`` (its figures, which
raises AssertionError where the proof fails) and ``table(figures)`` (lines, and whether it holds).  One that measures
time or load says ``ALONE = True``: its steps run one after the other when all others are done.  One that
says ``LONG = True`` takes long and is run only when it is named.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
KEPT = ROOT / ".proof"
READMES = (ROOT / "tests" / "README.md", ROOT / "server" / "README.md")
HERE = str(Path(__file__).resolve().parent)
sys.path[:] = [str(ROOT / "tests"), *(path for path in sys.path if path != HERE)]  # proofs have names of other folders

from proof import (  # noqa: E402 - found through the line above
    builds,
    chaos,
    crowd,
    cuts,
    damage,
    evaluation,
    foederati,
    kills,
    ladder,
    mutants,
    null_match,
    positions,
    power,
    search,
    silence,
    strength,
    tournament,
)

PROOFS: dict[str, ModuleType] = {
    "positions": positions,
    "foederati": foederati,
    "builds": builds,
    "strength": strength,
    "search": search,
    "evaluation": evaluation,
    "mutants": mutants,
    "cuts": cuts,
    "chaos": chaos,
    "power": power,
    "damage": damage,
    "silence": silence,
    "kills": kills,
    "null-match": null_match,
    "tournament": tournament,
    "crowd": crowd,
    "ladder": ladder,
}
Figures = dict[str, Any]
TOOK = "took_s"
"""The figure of a step that tells how many seconds it took."""


@dataclass(frozen=True, slots=True)
class Step:
    """One step of a proof, done in a process of its own."""

    proof: str
    name: str
    file: Path
    alone: bool = False
    """True if nothing else is to run beside it."""

    def done(self) -> Figures | None:
        """What it came to, if it has ended before."""
        return json.loads(self.file.read_text(encoding="utf-8")) if self.file.exists() else None

    def do(self) -> Figures:
        """Runs it and keeps what it came to; raises RuntimeError with what it said when it broke."""
        command = [sys.executable, str(Path(__file__)), "--step", self.proof, self.name]
        began = time.monotonic()
        ran = subprocess.run(command, capture_output=True, text=True, check=False)
        if ran.returncode != 0:
            raise RuntimeError(f"{self.proof} {self.name}: {ran.stderr.strip()[-2000:]}")
        figures: Figures = {**json.loads(ran.stdout), TOOK: round(time.monotonic() - began, 1)}
        self.file.parent.mkdir(parents=True, exist_ok=True)
        part = self.file.with_suffix(".part")
        part.write_text(json.dumps(figures), encoding="utf-8")
        part.replace(self.file)
        return figures


def digest(about: tuple[str, ...]) -> str:
    """What the sources in the folders and files ``about`` are, in sixteen digits."""
    whole = hashlib.sha256()
    for place in (ROOT / name for name in about):
        assert place.exists(), f"{place} is not there"
        for path in sorted(place.rglob("*.py")) if place.is_dir() else [place]:
            whole.update(str(path.relative_to(ROOT)).encode() + b"\0" + path.read_bytes())
    return whole.hexdigest()[:16]


def steps(name: str) -> list[Step]:
    """The steps of a proof, in order."""
    proof = PROOFS[name]
    folder = KEPT / name / digest(proof.ABOUT)
    alone = getattr(proof, "ALONE", False)
    return [Step(name, step, folder / f"{step}.json", alone) for step in proof.STEPS]


def carried_out(wanted: list[Step], jobs: int, most: int | None = None) -> dict[Step, Figures]:
    """Every step's figures; those that are kept are not done again, and those that want the machine alone come last.

    With ``most`` only the first so many of those that are missing are done.
    """
    figures = {step: kept for step in wanted if (kept := step.done()) is not None}
    said(f"{len(figures)} of {len(wanted)} steps are kept from before")
    missing = [step for step in wanted if step not in figures][:most]
    together = [step for step in missing if not step.alone]
    for several, at_once in ((together, jobs), ([step for step in missing if step.alone], 1)):
        _carry_out(several, at_once, figures, len(wanted))
    return figures


def _carry_out(missing: list[Step], jobs: int, figures: dict[Step, Figures], whole: int) -> None:
    with ThreadPoolExecutor(jobs) as pool:
        running = {pool.submit(step.do): step for step in missing}
        try:
            for finished in as_completed(running):
                step = running[finished]
                figures[step] = finished.result()
                said(f"{len(figures):>4} of {whole}  {step.proof} {step.name}: {brief(figures[step])}")
        except BaseException:
            pool.shutdown(cancel_futures=True, wait=False)
            raise


def brief(figures: Mapping[str, Any]) -> str:
    return str(figures.get("told") or json.dumps(figures))


def said(text: str) -> None:
    sys.stderr.write(text + "\n")
    sys.stderr.flush()


def written(name: str, table: list[str]) -> None:
    """Puts a table between its marks in the README that has them."""
    begin, end = f"<!-- proof {name} -->\n", "<!-- end -->"
    readme = next((readme for readme in READMES if begin in readme.read_text(encoding="utf-8")), None)
    assert readme is not None, f"no README has the mark {begin!r}"
    before, _, rest = readme.read_text(encoding="utf-8").partition(begin)
    _, mark, after = rest.partition(end)
    assert mark, f"{readme} has no {end!r} after {begin!r}"
    readme.write_text(before + begin + "\n" + "\n".join(table) + "\n\n" + end + after, encoding="utf-8")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", choices=list(PROOFS), action="append", help="this proof; may be repeated")
    parser.add_argument("--anew", action="store_true", help="forget what is kept")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="steps at the same time")
    parser.add_argument("--most", type=int, help="so many steps at most; the tables have what there is")
    parser.add_argument("--step", nargs=2, metavar=("PROOF", "STEP"), help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.step:
        name, step = given.step
        sys.stdout.write(json.dumps(PROOFS[name].run(step)))
        return 0
    if given.anew:
        shutil.rmtree(KEPT, ignore_errors=True)
    names = given.only or [name for name, proof in PROOFS.items() if not getattr(proof, "LONG", False)]
    began = time.monotonic()
    wanted = {name: steps(name) for name in names}
    try:
        figures = carried_out([step for name in names for step in wanted[name]], given.jobs, given.most)
    except KeyboardInterrupt:
        said("stopped; the same command goes on from here")
        return 130
    except RuntimeError as error:
        said(str(error))
        return 1
    failed = False
    for name in names:
        proof = PROOFS[name]
        table, holds = proof.table([figures[step] for step in wanted[name] if step in figures])
        written(name, table)
        took = sum(figures[step].get(TOOK, 0.0) for step in wanted[name] if step in figures)
        said(f"\n{name}: {'holds' if holds else 'FAILS'}, its steps took {took:.0f} s")
        print("\n".join(table))
        failed |= not holds
    said(f"{time.monotonic() - began:.0f} s")
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
