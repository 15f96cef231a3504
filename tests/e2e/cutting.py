"""Runs a bot behind a line that is cut again and again: ``python cutting.py BYTES TIMES COMMAND…``.

The bot dials this program in place of the arena, and each of its first TIMES connections is closed after some BYTES
bytes of the arena; the next is left to the end of the match.  How often that was is said on stderr, as ``cuts: N``.
"""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import threading
from contextlib import suppress


def dialled(target: str) -> socket.socket:
    if target.startswith("unix:"):
        line = socket.socket(socket.AF_UNIX)
        line.connect(target.removeprefix("unix:"))
        return line
    host, _, port = target.rpartition(":")
    return socket.create_connection((host.strip("[]"), int(port)))


def copied(source: socket.socket, sink: socket.socket, most: int) -> bool:
    """Copies until the source ends or after ``most`` bytes; True if those were reached."""
    with suppress(OSError):
        while data := source.recv(4096):
            sink.sendall(data)
            most -= len(data)
            if most <= 0:
                return True
    return False


def closed(*lines: socket.socket) -> None:
    for line in lines:
        with suppress(OSError):
            line.shutdown(socket.SHUT_RDWR)
        line.close()


def main() -> int:
    most, times, command = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3:]
    arena = os.environ["RIVALRY_ADDRESS"]
    cuts = 0
    listener = socket.create_server(("127.0.0.1", 0))

    def serve() -> None:
        nonlocal cuts
        while True:
            bot, _ = listener.accept()
            line = dialled(arena)
            threading.Thread(target=copied, args=(bot, line, sys.maxsize), daemon=True).start()
            cuts += copied(line, bot, most if cuts < times else sys.maxsize)
            closed(bot, line)

    threading.Thread(target=serve, daemon=True).start()
    port = listener.getsockname()[1]
    done = subprocess.run(command, env={**os.environ, "RIVALRY_ADDRESS": f"127.0.0.1:{port}"}, check=False)
    sys.stderr.write(f"cuts: {cuts}\n")
    return done.returncode


if __name__ == "__main__":
    sys.exit(main())
