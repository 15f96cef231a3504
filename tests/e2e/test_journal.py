"""An arena with ``--data`` that is killed while matches run, and started again: every match ends as if nothing was."""

from __future__ import annotations

import json
import time
from contextlib import contextmanager
from pathlib import Path

import grpc

from e2e.program import held, match, rivalry, running
from rivalry.arena.v1 import match_pb2, play_pb2, play_pb2_grpc

SEEDS = [b"one", b"two", b"three"]
PROGRAM = "cmd:rivalry bot random"


@contextmanager
def serving(data: Path, port: int):
    """An arena on a folder: its process, its address, and the calls that operators make."""
    more = ("--register", f"house={PROGRAM}", "--log", "warning", "--json")
    with running("serve", "--port", port, "--data", data, *more) as process:
        line = process.stdout.readline()
        assert line, process.communicate()[1]
        address = json.loads(line)["address"]
        with grpc.insecure_channel(address) as channel:
            yield process, address, play_pb2_grpc.ArenaServiceStub(channel)


def request(number: int, seed: bytes) -> play_pb2.CreateMatchRequest:
    """A long match of a bot that dials in, a built-in one, and one that the arena starts."""
    request = play_pb2.CreateMatchRequest(
        request_id=f"match {number}",
        game="ethnos",
        seed=seed,
        seats=[
            match_pb2.SeatSpec(open=match_pb2.OpenSeat()),
            match_pb2.SeatSpec(built_in="random"),
            match_pb2.SeatSpec(registered="house"),
        ],
    )
    request.time_control.prompt_us = 600_000_000
    return request


def listed(stub) -> list[match_pb2.Match]:
    return list(reversed(stub.ListMatches(play_pb2.ListMatchesRequest(), timeout=30).matches))


def test_a_killed_arena_goes_on_and_every_match_ends_as_one_left_in_peace(tmp_path):
    data = tmp_path / "data"
    bots = []
    random = held(tmp_path, "rivalry_bots.random_bot:RandomBot", after=20)
    with serving(data, 0) as (first, address, stub):
        made = [stub.CreateMatch(request(number, seed), timeout=30) for number, seed in enumerate(SEEDS)]
        for each in made:
            bot = running("bot", random, "--address", address, "--token", each.seat_tokens[0], cwd=tmp_path)
            bots.append((bot, bot.__enter__()))
        limit = time.monotonic() + 90
        while not all(each.decisions >= 40 for each in listed(stub)):
            assert time.monotonic() < limit, listed(stub)
            time.sleep(0.02)
        first.kill()
        first.wait(30)

    whole = json.loads(rivalry("journal", "check", "--data", data, "--json").stdout)
    with serving(data, address.rpartition(":")[2]) as (second, _, stub):
        again = stub.CreateMatch(request(0, SEEDS[0]), timeout=30)
        (tmp_path / "let-go").touch()
        limit = time.monotonic() + 90
        while not all(each.phase == match_pb2.MATCH_PHASE_ENDED for each in listed(stub)):
            assert time.monotonic() < limit, listed(stub)
            time.sleep(0.1)
        ended = listed(stub)
        statuses = [process.wait(30) for _, process in bots]
        records = [
            stub.GetRecord(play_pb2.GetRecordRequest(match_id=each.match_id), timeout=30).record for each in ended
        ]
        second.terminate()
        second.wait(30)
    for bot, _ in bots:
        bot.__exit__(None, None, None)
    files = [tmp_path / f"{number}.jsonl" for number in range(len(records))]
    for file, record in zip(files, records, strict=True):
        file.write_text(record, encoding="utf-8")

    assert rivalry("verify", *files).returncode == 0
    assert whole["whole"] and (whole["going_on"], whole["ended"]) == (len(SEEDS), 0)
    assert again.match.match_id == made[0].match.match_id
    assert list(again.seat_tokens) == list(made[0].seat_tokens)
    assert statuses == [0] * len(SEEDS)
    for each, seed in zip(ended, SEEDS, strict=True):
        alone = match("ethnos", *["inproc:random"] * 3, more=("--seed", seed.decode()))
        assert not each.outcome.void
        assert [seat.end for seat in each.outcome.seats] == [1, 1, 1], each.outcome
        assert each.outcome.game_digest == alone["game_digest"]


def test_a_second_arena_on_the_same_folder_is_refused_in_one_line(tmp_path):
    with serving(tmp_path, 0):
        done = rivalry("serve", "--port", 0, "--data", tmp_path)

    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
    assert "the journal is in use by process" in done.stderr
