"""The evaluation of a tournament, where what it needs is installed."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from rivalry_tournament import results

if TYPE_CHECKING:
    from rivalry_evaluation.standing import Evaluation
    from rivalry_tournament.results import Tournament

INSTALL: Final = "pip install 'rivalry[tournament]', or in the clone: .venv/bin/pip install -e '.[tournament]'"


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
    return click.UsageError(f"{error.name} is not installed, which tables and reports are made with: {INSTALL}")
