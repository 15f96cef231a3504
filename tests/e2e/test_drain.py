"""An arena that is told to stop while a match runs: health, bots, what is finished and what is kept."""

from __future__ import annotations

import json
import signal
import time
from pathlib import Path

import grpc
import pytest
from grpc_health.v1 import health_pb2, health_pb2_grpc

from e2e.program import SOON_S, gone, held, rivalry, running
from rivalry.arena.v1 import match_pb2, play_pb2, play_pb2_grpc


def created(address: str, game: str) -> tuple[str, str]:
    """The id of a new match of an open seat against ``first``, and the seat's token."""
    seats = [match_pb2.SeatSpec(open=match_pb2.OpenSeat()), match_pb2.SeatSpec(built_in="first")]
    request = play_pb2.CreateMatchRequest(game=game, seed=b"x", seats=seats)
    request.time_control.prompt_us = 600_000_000
    with grpc.insecure_channel(address) as channel:
        made = play_pb2_grpc.ArenaServiceStub(channel).CreateMatch(request, timeout=30)
    return made.match.match_id, made.seat_tokens[0]


def told(address: str, match_id: str) -> match_pb2.Match:
    with grpc.insecure_channel(address) as channel:
        stub = play_pb2_grpc.ArenaServiceStub(channel)
        return stub.GetMatch(play_pb2.GetMatchRequest(match_id=match_id), timeout=30).match


def until_running(address: str, match_id: str) -> None:
    due = time.monotonic() + 60
    while told(address, match_id).decisions <= 3:
        assert time.monotonic() < due, "the match did not begin"
        time.sleep(0.05)


def health(address: str) -> int:
    with grpc.insecure_channel(address) as channel:
        stub = health_pb2_grpc.HealthStub(channel)
        return int(stub.Check(health_pb2.HealthCheckRequest(), timeout=30).status)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The folder of a bot that plays on from its seventh prompt when there is a file ``let-go``."""
    held(tmp_path, "rivalry_bots.first_bot:FirstBot", after=6)
    return tmp_path


def test_what_runs_may_end_and_nothing_new_begins(folder: Path) -> None:
    with running("serve", "--port", 0, "--json", "--log", "none", "--drain", "2m") as arena:
        assert arena.stdout is not None
        address = json.loads(arena.stdout.readline())["address"]
        match_id, token = created(address, "ethnos")
        with running("bot", "held:Held", "--address", address, "--token", token, "-v", cwd=folder) as bot:
            until_running(address, match_id)
            arena.send_signal(signal.SIGTERM)
            assert gone(lambda: health(address) != health_pb2.HealthCheckResponse.NOT_SERVING)
            with pytest.raises(grpc.RpcError) as refused:
                created(address, "kuhn")
            seats = ("--seat", "first", "--seat", "first")
            create = rivalry("arena", "create", "--game", "kuhn", *seats, "--address", address)
            (folder / "let-go").touch()
            _, said = bot.communicate(timeout=60)
        _, err = arena.communicate(timeout=60)

    assert refused.value.code() is grpc.StatusCode.UNAVAILABLE
    assert create.returncode == 1, "nothing was wrong with what was asked for"
    assert "it takes no new matches; try again when it is back" in create.stderr
    assert "stopping" in refused.value.details()
    assert "the arena stops in 120 s" in said
    assert bot.returncode == 0 and "rank" in said
    assert arena.returncode == 0 and "Traceback" not in err


@pytest.mark.parametrize("second", [signal.SIGINT, signal.SIGTERM])
def test_two_signals_at_once_are_a_signal_and_a_hurry(folder: Path, second: signal.Signals) -> None:
    with running("serve", "--port", 0, "--json", "--log", "none", "--drain", "60s") as arena:
        assert arena.stdout is not None
        address = json.loads(arena.stdout.readline())["address"]
        match_id, token = created(address, "ethnos")
        with running("bot", "held:Held", "--address", address, "--token", token, cwd=folder):
            until_running(address, match_id)
            began = time.monotonic()
            arena.send_signal(signal.SIGTERM if second is signal.SIGINT else signal.SIGINT)
            arena.send_signal(second)
            _, err = arena.communicate(timeout=50)
            took_s = time.monotonic() - began

    assert took_s < SOON_S
    assert arena.returncode == 0 and "Traceback" not in err


def test_what_does_not_end_in_time_is_kept_and_goes_on(folder: Path) -> None:
    serve = ("serve", "--json", "--log", "none", "--drain", "0s", "--data", folder / "data")
    with running(*serve, "--port", 0) as arena:
        assert arena.stdout is not None
        address = json.loads(arena.stdout.readline())["address"]
        match_id, token = created(address, "ethnos")
        with running("bot", "held:Held", "--address", address, "--token", token, "-v", cwd=folder) as bot:
            until_running(address, match_id)
            arena.send_signal(signal.SIGTERM)
            _, err = arena.communicate(timeout=30)
            with running(*serve, "--port", address.rpartition(":")[2]) as again:
                assert again.stdout is not None
                again.stdout.readline()
                (folder / "let-go").touch()
                _, said = bot.communicate(timeout=60)
                ended = told(address, match_id)

    assert arena.returncode == 0 and "Traceback" not in err
    assert bot.returncode == 0, said
    assert [seat.end for seat in ended.outcome.seats] == [1, 1]
    assert ended.outcome.game_digest


def test_a_bot_that_was_registered_before_is_asked_for_and_its_matches_are_not_given_up_by_a_slip(
    tmp_path: Path,
) -> None:
    serve = ("serve", "--json", "--log", "none", "--drain", "0s", "--data", tmp_path / "data", "--port", 0)
    with running(*serve, "--register", "mine=cmd:sleep 60") as arena:
        assert arena.stdout is not None
        address = json.loads(arena.stdout.readline())["address"]
        seats = [match_pb2.SeatSpec(registered="mine"), match_pb2.SeatSpec(built_in="first")]
        with grpc.insecure_channel(address) as channel:
            request = play_pb2.CreateMatchRequest(game="kuhn", seats=seats)
            made = play_pb2_grpc.ArenaServiceStub(channel).CreateMatch(request, timeout=30).match
        arena.send_signal(signal.SIGTERM)
        arena.communicate(timeout=30)

    slip = rivalry(*serve)
    with running(*serve, "--give-up") as arena:
        assert arena.stdout is not None
        ended = told(json.loads(arena.stdout.readline())["address"], made.match_id)

    assert slip.returncode == 2
    assert "the registered bot 'mine' is needed by 1 match; give --register mine=SPEC" in slip.stderr
    assert slip.stderr.count("\n") == 1
    assert ended.outcome.void


def test_a_journal_that_cannot_be_opened_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "data" / "journal.db").mkdir(parents=True)

    done = rivalry("serve", "--port", 0, "--data", tmp_path / "data")
    empty = rivalry("serve", "--port", 0, "--data", "")

    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert "journal.db" in done.stderr and "it is no file" in done.stderr
    assert empty.returncode == 2 and "--data" in empty.stderr
