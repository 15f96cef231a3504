"""``python -m rivalry_bots SPEC …``: a bot as a process, with the command line that every bot has."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from rivalry_bots import catalog
from rivalry_client.run import main
from rivalry_engine.error import RivalryError


def status(argv: Sequence[str]) -> int:
    """Plays the bot that ``argv`` names first; returns the exit status."""
    if not argv or argv[0].startswith("-"):
        sys.stderr.write(
            "rivalry: expected a bot: python -m rivalry_bots NAME[?key=value&…] [--help], NAME one of"
            f" {', '.join(catalog.names())}\n"
        )
        return 0 if "--help" in argv or "-h" in argv else 2
    try:
        spec = catalog.parsed(argv[0])
        bot = catalog.bot_class(spec.name)
        bot.settings_from(spec.settings)
    except RivalryError as error:
        sys.stderr.write(f"rivalry: {error}\n")
        return 2
    given = [f"--set={key}={value}" for key, value in spec.settings.items()]
    return main(bot, [*given, *argv[1:]], program=f"python -m rivalry_bots {spec.name}")


if __name__ == "__main__":
    sys.exit(status(sys.argv[1:]))
