"""The evaluation of a tournament, where what it needs is installed."""

from __future__ import annotations

import shlex
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from rivalry_engine.extra import install
from rivalry_tournament import results

if TYPE_CHECKING:
    from rivalry_evaluation.standing import Evaluation
    from rivalry_tournament.results import Tournament

PACKAGES: Final = ("numpy", "scipy", "matplotlib")
"""What tables are made with, and last what plots are."""


def evaluated(folder: str) -> tuple[Tournament, Evaluation]:
    """The tournament in a folder and what its matches say until now; raises UsageError where a package is missing.

    Raises what ``results.read`` does.
    """
    tournament = results.read(Path(folder))
    try:
        from rivalry_evaluation.evaluation import evaluate
    except ImportError as error:
        raise missing(error) from error
    return tournament, evaluate(tournament.played())


def missing(error: ImportError) -> click.UsageError:
    """What to say where a package of the extra ``tournament`` is not installed."""
    return click.UsageError(
        f"{error.name} is not installed, which tables and reports are made with; {install('tournament')}"
    )


def lacking(folder: Path, *, no_report: bool) -> str:
    """What the end of a tournament in ``folder`` will be without, to be said before its first match; empty: nothing."""
    missing = [name for name in (PACKAGES[:-1] if no_report else PACKAGES) if find_spec(name) is None]
    if not missing:
        return ""
    without = "report" if missing == [PACKAGES[-1]] else "ratings" if no_report else "ratings and report"
    are = "is" if len(missing) == 1 else "are"
    return (
        f"{' and '.join(missing)} {are} not installed: this will end without {without}. Now or afterwards,"
        f" {install('tournament')}; then: {afterwards(folder, no_report=no_report)}"
    )


def afterwards(folder: Path, *, no_report: bool) -> str:
    """The command that makes up for what the end of a tournament was without."""
    return f"rivalry tournament {'table' if no_report else 'report'} {shlex.quote(str(folder))}"
