"""An arena that serves: address in use, signals, health, a match made over gRPC."""

from __future__ import annotations

import contextlib
import json
import resource
import signal
import socket
import time

import grpc
import pytest
from grpc_health.v1 import health_pb2, health_pb2_grpc

from e2e.program import SOON_S, rivalry, running, serving
from rivalry.arena.v1 import match_pb2, outcome_pb2, play_pb2, play_pb2_grpc


def test_a_used_port_is_refused_in_one_line_with_status_2():
    with serving() as address:
        done = rivalry("serve", "--port", address.rpartition(":")[2])

    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
    assert address in done.stderr


@pytest.mark.parametrize("stop", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_ends_it_soon_with_a_bot_on_the_line(stop):
    with running("serve", "--port", 0, "--json", "--log", "none") as arena:
        assert arena.stdout is not None
        address = json.loads(arena.stdout.readline())["address"]
        with running("bot", "random", "--address", address, "-v") as bot:
            assert bot.stderr is not None
            bot.stderr.readline()
            began = time.monotonic()
            arena.send_signal(stop)
            _, err = arena.communicate(timeout=30)
            took_s = time.monotonic() - began
            bot.wait(30)

    assert arena.returncode in (0, 130)
    assert took_s < SOON_S
    assert "Traceback" not in err


def test_matches_end_though_strangers_have_taken_all_descriptors(tmp_path):
    with running("serve", "--host", f"unix:{tmp_path}/s", "--json", "--log", "none", "--data", tmp_path) as process:
        assert process.stdout is not None
        address = json.loads(process.stdout.readline())["address"]
        soft, hard = resource.prlimit(process.pid, resource.RLIMIT_NOFILE)
        assert soft == hard
        with grpc.insecure_channel(address) as channel, contextlib.ExitStack() as strangers:
            arena = play_pb2_grpc.ArenaServiceStub(channel)
            arena.ListMatches(play_pb2.ListMatchesRequest(), timeout=30)
            resource.prlimit(process.pid, resource.RLIMIT_NOFILE, (64, hard))
            for _ in range(100):
                stranger = strangers.enter_context(socket.socket(socket.AF_UNIX))
                stranger.settimeout(0.2)
                with contextlib.suppress(OSError):
                    stranger.connect(f"{tmp_path}/s")
            seats = [match_pb2.SeatSpec(built_in="random")] * 2
            request = play_pb2.CreateMatchRequest(game="ethnos", seats=seats)
            made = arena.CreateMatch(request, timeout=30).match
            *_, last = arena.WatchMatch(play_pb2.WatchMatchRequest(match_id=made.match_id), timeout=30)

    assert [seat.end for seat in last.messages[-1].ended.outcome.seats] == [outcome_pb2.END_NORMAL] * 2


def test_it_says_that_it_serves():
    with serving() as address, grpc.insecure_channel(address) as channel:
        answer = health_pb2_grpc.HealthStub(channel).Check(health_pb2.HealthCheckRequest(), timeout=30)

    assert answer.status == health_pb2.HealthCheckResponse.SERVING


def test_a_match_made_over_grpc_is_played_by_a_bot_that_dials_in():
    with serving() as address, grpc.insecure_channel(address) as channel:
        arena = play_pb2_grpc.ArenaServiceStub(channel)
        made = arena.CreateMatch(
            play_pb2.CreateMatchRequest(
                request_id="one",
                game="kuhn",
                seed=b"x",
                seats=[
                    match_pb2.SeatSpec(open=match_pb2.OpenSeat()),
                    match_pb2.SeatSpec(built_in="first"),
                ],
            ),
            timeout=5,
        )
        bot = rivalry("bot", "random", "--address", address, "--token", made.seat_tokens[0])
        ended = arena.GetMatch(play_pb2.GetMatchRequest(match_id=made.match.match_id), timeout=30).match
        record = arena.GetRecord(play_pb2.GetRecordRequest(match_id=made.match.match_id), timeout=30).record

    assert bot.returncode == 0, bot.stderr
    assert ended.phase == match_pb2.MATCH_PHASE_ENDED
    assert rivalry("verify", "-", stdin=record).returncode == 0
