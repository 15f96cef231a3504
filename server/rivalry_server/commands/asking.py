"""A game that a command asks: what it raises is told in one line, whatever the command was about to print."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from traceback import walk_tb

import click

from rivalry_engine.answering import answering
from rivalry_engine.game import Game
from rivalry_server.commands import output
from rivalry_server.commands.failure import FailedError


@contextmanager
def asked(game: Game) -> Iterator[None]:
    """Around what a command asks of ``game`` and prints of it; raises GameFailedError where the game fails.

    What is wrong with the command line, and what could not be written, is nothing of the game's.
    """
    try:
        with answering(game.name, but=(click.ClickException, FailedError, OSError)):
            yield
    except OSError as error:
        if any(frame.f_code.co_filename == output.__file__ for frame, _ in walk_tb(error.__traceback__)):
            raise
        with answering(game.name):
            raise
