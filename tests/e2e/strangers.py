"""An arena that asks who is there, its bots and its calls, in processes of their own."""

from __future__ import annotations

import contextlib
import json
import signal
import subprocess
import time

import grpc
import pytest

from e2e.program import RIVALRY, environment, running
from rivalry.arena.v1 import match_pb2, play_pb2
from rivalry_server.token_file import TokenFile
from rivalry_server.tokens import Kind, Token

OPEN = match_pb2.SeatSpec(open=match_pb2.OpenSeat())
FIRST = match_pb2.SeatSpec(built_in="first")


def new_token(data, kind, name="mine"):
    """A new token, and its id, as ``rivalry token new`` makes it."""
    token, text = Token.made(Kind(kind), name, now=time.time(), lasts_s=None)
    TokenFile(data).changed(lambda tokens: {**tokens, token.token_id: token})
    return text, token.token_id


@contextlib.contextmanager
def arena(*arguments, log="none"):
    """The process of an arena and its address."""
    with running("serve", "--port", 0, "--log", log, "--json", *arguments) as process:
        assert process.stdout is not None
        line = process.stdout.readline()
        assert line, process.communicate()[1]
        yield process, json.loads(line)["address"]
        process.send_signal(signal.SIGTERM)
        process.communicate(timeout=30)


def bot(*arguments, cwd=None, **variables):
    """``rivalry bot`` with variables of its environment, run to its end."""
    return subprocess.run(
        [RIVALRY, "bot", *map(str, arguments)],
        env={**environment(), **variables},
        cwd=cwd,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


def started_bot(*arguments, **variables):
    """The same, still running."""
    return subprocess.Popen(
        [RIVALRY, "bot", *map(str, arguments)],
        env={**environment(), **variables},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def shown(token):
    return (("authorization", f"Bearer {token}"),)


def code(call):
    """The status and the words of a call that fails."""
    with pytest.raises(grpc.RpcError) as raised:
        call()
    return raised.value.code().name, raised.value.details()


def create(stub, token=None, seats=(OPEN, FIRST)):
    request = play_pb2.CreateMatchRequest(game="kuhn", seats=seats)
    return stub.CreateMatch(request, timeout=30, metadata=shown(token) if token else None)


def ended(stub, match_id, token=None):
    """The match once it has ended."""
    due = time.monotonic() + 60
    while time.monotonic() < due:
        request = play_pb2.GetMatchRequest(match_id=match_id)
        match = stub.GetMatch(request, timeout=30, metadata=shown(token) if token else None).match
        if match.phase == match_pb2.MATCH_PHASE_ENDED:
            return match
        time.sleep(0.05)
    raise AssertionError("the match did not end")
