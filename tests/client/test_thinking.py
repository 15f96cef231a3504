"""Where hooks run: a signal ends the wait for a job even when another thread took it."""

from __future__ import annotations

import signal
import subprocess
import sys
import textwrap

import pytest

LIMIT_S = 50

WAITS = {
    "a bot's thread": """
        from rivalry_client.thinking import InThread
        wait = InThread().serve
    """,
    "many matches": """
        from queue import SimpleQueue
        from rivalry_server.commands.many import _in_order
        def wait():
            next(_in_order([1], SimpleQueue()))
    """,
}

PROGRAM = """
import signal, threading, time

def stop(number, frame):
    raise SystemExit(7)

signal.signal(signal.SIGTERM, stop)

def elsewhere():
    # Taken by this thread, the signal does not wake the main one: just what one too early does.
    time.sleep(0.3)
    signal.pthread_kill(threading.get_ident(), signal.SIGTERM)
    time.sleep(60)

threading.Thread(target=elsewhere, daemon=True).start()
wait()
"""


@pytest.mark.skipif(not hasattr(signal, "pthread_kill"), reason="this system cannot signal one thread")
@pytest.mark.parametrize("wait", WAITS)
def test_a_signal_that_does_not_wake_the_wait_is_noticed_all_the_same(wait: str) -> None:
    program = textwrap.dedent(WAITS[wait]) + PROGRAM

    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=LIMIT_S, check=False)

    assert (done.returncode, done.stderr) == (7, "")
