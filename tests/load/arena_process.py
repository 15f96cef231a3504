"""A real arena and real bots as processes that are killed and started again, and what the matches come to."""

from __future__ import annotations

import json
import subprocess
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import grpc

from e2e.program import RIVALRY, environment
from rivalry.arena.v1 import match_pb2, play_pb2, play_pb2_grpc
from rivalry_engine import catalog
from rivalry_engine.playout import uniform
from rivalry_server import local
from rivalry_server.match_spec import MatchSpec
from rivalry_server.seat import InProcess

TESTS = Path(__file__).resolve().parents[1]
START_S = 60.0
PONDERING = "load.pondering:Pondering"


class Process:
    """A program of ours that may be killed and started again; what it says on stderr goes to a file."""

    def __init__(self, arguments: Sequence[object], errors: Path) -> None:
        self.arguments = [str(word) for word in arguments]
        self.errors = errors
        self.process: subprocess.Popen[str] | None = None

    def start(self, *, stdout: int = subprocess.DEVNULL) -> subprocess.Popen[str]:
        """Starts it."""
        with self.errors.open("a") as errors:
            self.process = subprocess.Popen(
                [RIVALRY, *self.arguments],
                cwd=TESTS,
                env={**environment(), "GRPC_VERBOSITY": "NONE"},
                stdin=subprocess.DEVNULL,
                stdout=stdout,
                stderr=errors,
                text=True,
            )
        return self.process

    def kill(self) -> None:
        """Ends it with SIGKILL, if it runs."""
        if self.process is not None:
            self.process.kill()
            self.process.wait()
            if self.process.stdout is not None:
                self.process.stdout.close()
            self.process = None

    def says(self, words: str) -> None:
        """Returns when it has said ``words``; raises AssertionError when that takes too long."""
        limit = time.monotonic() + START_S
        while words not in self.said():
            assert self.process is not None and self.process.poll() is None, f"it ended: {self.said()}"
            assert time.monotonic() < limit, f"it did not say {words!r} but {self.said()!r}"
            time.sleep(0.05)

    def said(self) -> str:
        """All of stderr so far."""
        return self.errors.read_text(encoding="utf-8") if self.errors.exists() else ""


class ArenaProcess(Process):
    """``rivalry serve`` on a folder, on the same port however often it is started."""

    def __init__(self, data: Path | None, errors: Path, *options: object) -> None:
        kept = () if data is None else ("--data", data)
        super().__init__(("serve", "--json", "--log", "warning", *kept, *options), errors)
        self.address = ""
        self._channel: grpc.Channel | None = None
        self._words = self.arguments

    @property
    def pid(self) -> int:
        """Its process id."""
        assert self.process is not None
        return self.process.pid

    def rise(self) -> None:
        """Starts it and returns when it listens."""
        port = self.address.rpartition(":")[2] or "0"
        self.arguments = [*self._words, "--port", port]
        process = self.start(stdout=subprocess.PIPE)
        assert process.stdout is not None
        line = process.stdout.readline()
        assert line, f"the arena did not start: {self.said()[-2000:]}"
        self.address = json.loads(line)["address"]
        self._channel = grpc.insecure_channel(self.address)

    def kill(self) -> None:
        super().kill()
        if self._channel is not None:
            self._channel.close()
            self._channel = None

    def stop(self) -> int:
        """Ends it with SIGTERM; returns its exit status."""
        assert self.process is not None
        self.process.terminate()
        try:
            return self.process.wait(30)
        finally:
            self.kill()

    def call(self, method: str, request: Any) -> Any:
        """One call of ArenaService."""
        assert self._channel is not None
        stub = play_pb2_grpc.ArenaServiceStub(self._channel)
        return getattr(stub, method)(request, timeout=START_S, wait_for_ready=True)

    def made(self, number: int, wanted: Wanted) -> str:
        """Makes a match, whose id it returns; asked again it is the same one."""
        response = self.call("CreateMatch", wanted.request(number))
        return str(response.match.match_id)

    def matches(self) -> dict[str, match_pb2.Match]:
        """All matches, by id."""
        found: dict[str, match_pb2.Match] = {}
        token = ""
        while True:
            page = self.call("ListMatches", play_pb2.ListMatchesRequest(page_size=1_000, page_token=token))
            found.update((each.match_id, each) for each in page.matches)
            token = page.next_page_token
            if not token:
                return found


class Wanted:
    """A match that is to be made: its game, seed, and how many of its seats are open, the others being built in."""

    def __init__(self, game: str, seats: int, seed: bytes, *, open_seats: int) -> None:
        self.game = game
        self.seats = seats
        self.seed = seed
        self.open_seats = open_seats

    def request(self, number: int) -> play_pb2.CreateMatchRequest:
        """What asks for it."""
        seats = [match_pb2.SeatSpec(open=match_pb2.OpenSeat())] * self.open_seats
        seats += [match_pb2.SeatSpec(built_in="random")] * (self.seats - self.open_seats)
        request = play_pb2.CreateMatchRequest(
            request_id=f"{self.seed.hex()}/{number}",
            game=self.game,
            seed=self.seed,
            options_json=json.dumps({"seats": self.seats}) if self.game != "kuhn" else "",
            seats=seats,
            wait_us=600_000_000,
        )
        request.time_control.prompt_us = 300_000_000
        request.policies.grace_us = 300_000_000
        return request

    def digest(self) -> str:
        """The ``game_digest`` of a match of such bots that nothing happens to."""
        game = catalog.game(self.game, {} if self.game == "kuhn" else {"seats": self.seats})
        bots = [InProcess(uniform, "random") for _ in range(self.seats)]
        return local.play(MatchSpec(game, self.seed), bots).game_digest


def ended(match: match_pb2.Match) -> bool:
    """True if a match is over."""
    return match.phase == match_pb2.MATCH_PHASE_ENDED


def awaited(arena: ArenaProcess, count: int, limit_s: float) -> dict[str, match_pb2.Match]:
    """All matches once ``count`` have ended; raises AssertionError when they take longer than ``limit_s``."""
    limit = time.monotonic() + limit_s
    while True:
        found = arena.matches()
        if sum(map(ended, found.values())) >= count:
            return found
        open_ = [each for each in found.values() if not ended(each)]
        assert time.monotonic() < limit, f"{len(open_)} matches did not end in {limit_s:g} s: {open_[:2]}"
        time.sleep(0.1)


def ends_of(match: match_pb2.Match) -> list[str]:
    """How each seat ended, in words."""
    from rivalry.arena.v1 import outcome_pb2

    return [outcome_pb2.End.Name(seat.end).removeprefix("END_").lower() for seat in match.outcome.seats]
