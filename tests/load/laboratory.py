"""The fault laboratory: matches in virtual time whose bots and streams fail by chance, from a seed.

Each seat is played by the Python client over a line that delays frames, says the bot's frames twice, breaks, or lets
everything vanish for a while before it breaks; its program is killed and started again with its resume token, or fails
for good.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from dataclasses import dataclass, replace
from typing import Any, Final

from load.cutting import ClientEnd, Silent
from rivalry.arena.v1 import outcome_pb2, play_pb2
from rivalry_client.bot import Bot
from rivalry_client.prompt import Prompt
from rivalry_client.session import Session
from rivalry_client.streams import Dialled
from rivalry_client.thinking import OnLoop
from rivalry_engine import prompt as engine
from rivalry_engine.chance import Stream
from rivalry_engine.game import Game
from rivalry_server import local
from rivalry_server.arena import Arena
from rivalry_server.link import LinkLostError, QueueLink, pair
from rivalry_server.outcome import End, Result
from rivalry_server.policies import Policies, Policy, Rule
from rivalry_server.seat import InProcess
from rivalry_server.seating import Command, Listen
from server import virtual
from server.peer import spec

FINE: Final = 10_000
DELAY_MOST_S: Final = 0.2
VANISHED_MOST_S: Final = 20.0
AWAY_MOST_S: Final = 10.0
PER_FRAME: Final = {"drop": 150, "half-open": 60, "kill": 80, "delay": 3_000, "duplicate": 1_000}
"""How often each fault is injected, in FINEths of the frames."""
SHAKY_FRAMES: Final = 6
SHAKY: Final = 10
"""What breaks a connection is so many times as frequent among the first frames of one that follows another."""
FAULTS_MOST: Final = 10
"""Breaks of one seat: with more, a match might never end."""
LASTS_S: Final = 3_600.0
GRACE_S: Final = 600.0
"""With a clock that stands still it is for all absences of a match together."""
WAIT_S: Final = 600.0
LINGERS_S: Final = 1.0
"""How long a bot that dials in without a token stays after its match."""
FAILS: Final = ("raises", "vanishes")
"""How a bot fails for good: with an exception of its own, or without a word."""


def by_luck(prompt: engine.Prompt) -> object:
    """A choice that depends on the seat's chance and the prompt's number alone."""
    return Stream(prompt.luck, f"prompt/{prompt.number}").below(len(prompt.shapes()))


class Token:
    """The resume token of a program, on a disk that outlives it."""

    path = "memory"

    def __init__(self) -> None:
        self.kept = b""
        self.dead = False
        """True once the program was killed: it writes nothing more."""

    def token(self) -> bytes:
        return self.kept

    def keep(self, token: bytes) -> None:
        if not self.dead:
            self.kept = token

    def forget(self) -> None:
        if not self.dead:
            self.kept = b""


class Program:
    """The bot of one seat: its program, started as often as it is killed, and its lines to the arena."""

    def __init__(
        self, arena: Arena, *, token: str | None, chance: Stream, faults: Counter[str], fails: str, again: bool
    ) -> None:
        """``fails`` says how it fails for good in its second prompt, empty for not at all; with ``again`` it is started
        again after that, and does not fail any more.
        """
        self.faults = faults
        self.chance = chance
        self.outcomes: list[outcome_pb2.Outcome] = []
        """Those that it was told."""
        self.seat: int | None = None
        """The seat that it was told to have; None before its match began."""
        self.lost = False
        """True once it has failed for good."""
        self._arena = arena
        self._token = token
        self._fails = fails
        self._again = again
        self._file = Token()
        self._lines: list[Line] = []
        self._left = FAULTS_MOST
        self._killed = asyncio.Event()
        self._told = asyncio.Event()
        self._gone = False
        self._vanishes = False

    async def play(self) -> None:
        """Until the bot was told the end of the match, or has failed for good."""
        while not self.lost:
            self._killed.clear()
            self._gone = False
            session = Session(
                self._dial(),
                self._bot(),
                thinking=OnLoop(),
                report=Silent(talkative=False),
                streams=Dialled(self._dial, Stream(self.chance.word().to_bytes(8, "little"), "back-off")),
                patience_s=LASTS_S,
                resume_file=self._file,  # type: ignore[arg-type]
            )
            playing = asyncio.ensure_future(session.play())
            killed = asyncio.ensure_future(self._killed.wait())
            waits = [playing, killed]
            if self._token is None:  # such a session goes on after its match
                waits.append(asyncio.ensure_future(self._told.wait()))
            await asyncio.wait(waits, return_when=asyncio.FIRST_COMPLETED)
            for waiting in waits[1:]:
                waiting.cancel()
            if self._killed.is_set():
                await self._die(playing)
            elif not playing.done():
                await asyncio.sleep(LINGERS_S)
                playing.cancel()
                await asyncio.wait((playing,))
                return
            elif playing.result().kind == "crash":
                self._failed()
            elif self.outcomes:
                return
            else:
                assert playing.result().kind in ("closed", "lost", "unreachable", "refused", "silent"), playing.result()
                assert self._left < FAULTS_MOST, f"{playing.result()} without a fault"
                self._file.kept = b""
                await asyncio.sleep(2.0)

    async def close(self) -> None:
        """Returns when all its lines are over."""
        for line in self._lines:
            line.drop()
        await asyncio.gather(*(line.over() for line in self._lines))

    def strikes(self, fault: str, *, shaky: bool = False) -> bool:
        """True if a fault of a kind is to happen now; it is counted."""
        breaks = fault in ("drop", "half-open", "kill")
        often = PER_FRAME[fault] * (SHAKY if shaky else 1)
        if (breaks and (not self._left or self._gone)) or self.chance.below(FINE) >= often:
            return False
        self._left -= breaks
        self.faults[fault] += 1
        return True

    def kill(self) -> None:
        """Ends the program without a word."""
        self._gone = True
        self._file.dead = True
        self._killed.set()
        for line in self._lines:
            line.drop()

    def heard(self, frame: bytes) -> None:
        """A frame has come to the program."""
        for message in play_pb2.PlayResponse.FromString(frame).messages:
            if message.HasField("match_started"):
                assert self.seat in (None, message.match_started.seat), "the bot got another seat"
                self.seat = message.match_started.seat
            elif message.HasField("match_ended"):
                self.outcomes.append(message.match_ended.outcome)
                self._told.set()

    def _dial(self) -> ClientEnd:
        line = Line(self, self._arena, self._token, again=bool(self._lines))
        self._lines.append(line)
        if self._gone:  # the program is dead and does not know yet
            line.drop()
        return _Heard(line.near, self)

    async def _die(self, playing: asyncio.Future[Any]) -> None:
        playing.cancel()
        await asyncio.wait((playing,))
        if self._vanishes:
            self._vanishes = False
            self._failed()
            if self.lost:
                return
        kept, self._file = self._file.kept, Token()
        self._file.kept = kept
        await asyncio.sleep(AWAY_MOST_S * self.chance.below(FINE) / FINE)

    def _failed(self) -> None:
        """The bot has failed for good, or is started again if it is to be."""
        self.faults[f"fails: {self._fails}"] += 1
        self._fails = ""
        self.lost = not self._again
        if self._again and self._token is None:
            self.seat = None  # it is offered any seat that is awaited again
        self._file = Token()

    def _bot(self) -> type[Bot]:
        outer = self

        class Played(Bot):
            name = "by-luck"
            quick = True

            def choose(self, prompt: Prompt) -> object:
                if prompt.number >= 2 and outer._fails == "raises":
                    raise RuntimeError("the bot fails")
                if prompt.number >= 2 and outer._fails == "vanishes" and not outer._gone:
                    outer._vanishes = True
                    outer.kill()
                return by_luck(prompt)

        return Played


class _Heard(ClientEnd):
    """The bot's end of a line, whose program is told what comes."""

    def __init__(self, link: QueueLink, program: Program) -> None:
        super().__init__(link, link)
        self._program = program

    async def read(self) -> bytes | None:
        frame = await super().read()
        if frame is not None:
            self._program.heard(frame)
        return frame


class Line:
    """One stream through the laboratory: ``near`` is the bot's end."""

    def __init__(self, program: Program, arena: Arena, token: str | None, *, again: bool) -> None:
        """``again``: the bot had another before."""
        theirs, self._far = pair(token=token)
        self._inner, self.near = pair()
        self._program = program
        self._again = again
        self._frames = 0
        self._vanishing: frozenset[str] = frozenset()
        self._holding = asyncio.ensure_future(arena.hold(theirs))
        self._pumps = [
            asyncio.ensure_future(self._pump(self._inner, self._far, "up")),
            asyncio.ensure_future(self._pump(self._far, self._inner, "down")),
        ]

    def drop(self) -> None:
        """The connection breaks; what is under way is lost."""
        self._far.cut()
        self._inner.cut()

    async def over(self) -> None:
        """Returns when the arena has let go of it; raises what went wrong."""
        await asyncio.gather(self._holding, *self._pumps)

    async def _pump(self, come: QueueLink, go: QueueLink, way: str) -> None:
        program = self._program
        try:
            while (frame := await come.read()) is not None:
                if way in self._vanishing:
                    continue
                if program.strikes("delay"):
                    await asyncio.sleep(DELAY_MOST_S * program.chance.below(FINE) / FINE)
                self._frames += 1
                shaky = self._again and self._frames <= SHAKY_FRAMES
                if program.strikes("half-open", shaky=shaky):
                    self._vanish()
                if program.strikes("drop", shaky=shaky):
                    self.drop()
                if program.strikes("kill", shaky=shaky):
                    program.kill()
                if way in self._vanishing:
                    continue
                await go.write(frame)
                if way == "up" and _may_be_said_twice(frame) and program.strikes("duplicate"):
                    await go.write(frame)
        except LinkLostError:
            pass
        go.close()

    def _vanish(self) -> None:
        """From here on what is written one way or both goes nowhere, until the connection is found to be gone."""
        chance = self._program.chance
        self._vanishing = (frozenset(("up",)), frozenset(("down",)), frozenset(("up", "down")))[chance.below(3)]
        asyncio.get_running_loop().call_later(VANISHED_MOST_S * chance.below(FINE) / FINE, self.drop)


def _may_be_said_twice(frame: bytes) -> bool:
    """True if a frame opens no session and leaves none: those may be said once."""
    kinds = {message.WhichOneof("message") for message in play_pb2.PlayRequest.FromString(frame).messages}
    return kinds.isdisjoint(("hello", "resume", "leave"))


@dataclass(frozen=True, slots=True)
class Trial:
    """What became of one match: the faults that were injected, and how many of its bots failed for good."""

    faults: Counter[str]
    lost: int
    result: Result


def tried(game: Game, seed: bytes) -> Trial:
    """One match with faults by chance; raises AssertionError where a seat did not get what it should have."""
    chance = Stream(seed, "laboratory")
    failing = {number: FAILS[chance.below(2)] for number in range(game.seats - 1) if chance.below(8) == 0}
    rule = (Rule(Policy.STAND_IN), Rule(Policy.END), Rule(Policy.VOID), Rule(Policy.VOID, 3))[chance.below(4)]
    grace_us = round(GRACE_S * 1_000_000)
    policies = Policies(on_crash=rule, on_disconnect=rule, grace_us=grace_us, grace_paused=bool(chance.below(2)))
    walk_in = bool(chance.below(2))
    match = replace(spec(game, time="20m", wait_s=WAIT_S), seed=seed, policies=policies)
    whole = local.play(match, [InProcess(by_luck, "by-luck") for _ in range(game.seats)])
    faults: Counter[str] = Counter()

    async def played() -> tuple[Result, list[Program]]:
        async with Arena() as arena:
            occupants = [Listen() if walk_in else Command(("true",), "cmd") for _ in range(game.seats)]
            attempt = arena._attempt(match, occupants, None)
            attempt.open()
            programs = [
                Program(
                    arena,
                    token=None if walk_in else attempt.vacancies[number].token,
                    chance=Stream(seed, f"bot/{number}"),
                    faults=faults,
                    fails=failing.get(number, ""),
                    again=bool(rule.retries),
                )
                for number in range(game.seats)
            ]
            async with asyncio.timeout(LASTS_S):
                await asyncio.gather(*(program.play() for program in programs))
                result = await attempt.finished
            for program in programs:
                await program.close()
            await asyncio.sleep(2 * arena.settings.linger_s)
            lobby = arena.lobby
            left = [lobby.sessions, lobby._by_key, lobby._by_token, lobby._open, lobby._with_room]
            assert not any(left), f"the lobby keeps {left}"
            return result, programs

    result, programs = virtual.run(played())
    for number, program in enumerate(programs):
        assert program.seat is not None, f"bot {number} got no seat"
        found = result.seats[program.seat]
        if program.lost:
            # Where another's failure had stopped the match, this one came too late to matter.
            stopped = (
                rule.policy is not Policy.STAND_IN and sum(each.end is not End.NORMAL for each in result.seats) > 0
            )
            expected = (End.CRASH, End.DISCONNECT, *((End.NORMAL,) if stopped else ()))
            assert found.end in expected, f"bot {number} failed: {found.end}: {found.text}"
            continue
        assert found.end is End.NORMAL, f"bot {number}, which is honest: {found.end}: {found.text}"
        assert program.outcomes, f"bot {number} was not told the end"
        told = program.outcomes[-1]
        assert told.game_digest == result.game_digest and told.void == result.void, f"bot {number} was told {told}"
    lost = sum(program.lost for program in programs)
    if not lost:
        assert result.game_digest == whole.game_digest, "nobody was lost, and another game was played"
    return Trial(faults, lost, result)
