"""Where ``rivalry`` begins: what must be so before anything is imported that takes its time."""

from __future__ import annotations

import os
import sys

from rivalry_server import stop


def main() -> None:
    """The entry point of the console script."""
    stop.at_once()
    _open_streams()
    os.environ.setdefault("GRPC_VERBOSITY", "NONE")
    from rivalry_server.program import run

    sys.exit(run(sys.argv[1:]))


def _open_streams() -> None:
    """Has the three standard streams be there: one that was closed goes nowhere."""
    for number in (0, 1, 2):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDWR)  # takes the lowest number that is free, which is this one
    sys.stdin = sys.stdin or os.fdopen(0, "r", closefd=False)
    sys.stdout = sys.stdout or os.fdopen(1, "w", closefd=False)
    sys.stderr = sys.stderr or os.fdopen(2, "w", closefd=False)


if __name__ == "__main__":
    main()
