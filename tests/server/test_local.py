"""Matches of functions in this process."""

from __future__ import annotations

import subprocess
import sys
from typing import ClassVar

import pytest

from rivalry_client import Bot, Match, Outcome, Resign
from rivalry_client.local import LocalBot
from rivalry_engine import playout, record
from rivalry_engine.error import RivalryError
from rivalry_engine.prompt import Answer, Prompt
from rivalry_server import local
from rivalry_server.match import MatchSpec
from rivalry_server.outcome import End
from rivalry_server.policies import Policies, Policy
from rivalry_server.seat import InProcess
from server.peer import kuhn, spec, tally

UNIFORM = InProcess(playout.uniform, "uniform", "2", "inproc:uniform")


def test_functions_play_a_match_whose_record_verifies() -> None:
    result = local.play(spec(tally(4)), [UNIFORM] * 4)

    assert [(seat.bot, seat.name, seat.version) for seat in result.seats] == [("inproc:uniform", "uniform", "2")] * 4
    assert sum(seat.decisions for seat in result.seats) == result.decisions == 9
    state = record.verified(record.read("".join(f"{line}\n" for line in result.record())), tally(4))
    assert list(state.scores()) == [seat.score for seat in result.seats]


def test_an_exception_is_a_crash_and_the_others_play_on() -> None:
    def broken(prompt: Prompt) -> object:
        raise KeyError("lost my notes")

    result = local.play(spec(tally(3)), [UNIFORM, InProcess(broken, "broken"), UNIFORM])

    assert (result.seats[1].end, result.seats[1].text) == (End.CRASH, "KeyError: 'lost my notes'")
    assert result.seats[1].stood_in
    assert {result.seats[seat].end for seat in (0, 2)} == {End.NORMAL}


@pytest.mark.parametrize("answer", [None, 2.5, object()])
def test_what_is_no_answer_is_a_crash(answer: object) -> None:
    result = local.play(spec(), [InProcess(lambda prompt: answer, "odd"), UNIFORM])

    assert result.seats[0].end is End.CRASH


def test_a_third_illegal_answer_ends_the_seat() -> None:
    answers = iter([99, "nonsense", Answer(index=0, parts=(0,))])
    result = local.play(spec(), [InProcess(lambda prompt: next(answers), "odd"), UNIFORM])

    assert (result.seats[0].end, result.seats[0].illegal) == (End.ILLEGAL, 3)


def test_a_second_try_is_taken() -> None:
    answers = iter([99, 0, 0])
    result = local.play(spec(), [InProcess(lambda prompt: next(answers), "odd"), UNIFORM])

    assert (result.seats[0].end, result.seats[0].illegal) == (End.NORMAL, 1)


def test_policies_hold_here_too() -> None:
    def broken(prompt: Prompt) -> object:
        raise KeyError

    policies = Policies(on_crash=Policy.VOID)
    result = local.play(MatchSpec(kuhn(), b"x", policies=policies), [InProcess(broken, "broken"), UNIFORM])

    assert result.void


def test_a_bot_is_told_each_event_once_and_sees_no_state() -> None:
    told: list[str] = []
    attributes: set[str] = set()

    def choose(prompt: Prompt) -> object:
        told.extend(seen.kind for seen in prompt.events)
        attributes.update(name for name in dir(prompt) if not name.startswith("_"))
        return 0

    local.play(spec(tally(2, rounds=4)), [InProcess(choose, "me"), UNIFORM])

    assert told == ["bids"] * 4
    assert "state" not in attributes


def test_too_few_bots_are_refused() -> None:
    with pytest.raises(RivalryError, match="tally has 3 seats here; 1 bots were given"):
        local.play(spec(tally(3)), [UNIFORM])


def test_a_match_from_a_position_begins_there() -> None:
    position = {"game": "kuhn", "cards": ["king", "jack"], "moves": ["pass"]}
    result = local.play(MatchSpec(kuhn(), b"x", position=position), [UNIFORM, UNIFORM])

    assert result.seats[1].decisions == 1
    record.verified(record.read("".join(f"{line}\n" for line in result.record())))


def test_it_needs_neither_asyncio_nor_grpc_nor_structlog() -> None:
    program = (
        "import sys; from rivalry_server import local; from rivalry_server.match import MatchSpec;"
        "from rivalry_server.seat import InProcess; from rivalry_engine import catalog, playout;"
        "local.play(MatchSpec(catalog.game('kuhn'), b'x'), [InProcess(playout.first, 'first')] * 2);"
        "print(sorted({'asyncio', 'grpc', 'structlog', 'google.protobuf'} & set(sys.modules)))"
    )

    told = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)

    assert told.stdout == "[]\n"


class Noted(Bot):
    """Writes down what it is told."""

    told: ClassVar[list[object]] = []

    def start(self, match: Match) -> None:
        self.told.append((match.id, match.seat, [player.name for player in match.players], match.prompt_s))
        assert match.setup.json()

    def choose(self, prompt: Prompt) -> object:
        return 0

    def ended(self, match: Match, outcome: Outcome) -> None:
        self.told.append((match.id, [(seat.end, seat.rank) for seat in outcome.seats]))


def inside(bot: type[Bot]) -> InProcess:
    """A bot's class as the command line seats it."""
    return InProcess(LocalBot(bot), bot.shown_name())


def test_a_bot_in_process_is_told_how_its_match_begins_and_ends() -> None:
    Noted.told.clear()
    match = spec(kuhn())

    local.play(match, [UNIFORM, inside(Noted)])

    assert Noted.told[0] == (match.match_id, 1, ["uniform", "Noted"], 2.0)
    assert [end for end, _ in Noted.told[1][1]] == ["normal", "normal"]  # type: ignore[index]
    assert len(Noted.told) == 2


def test_a_bot_in_process_may_resign() -> None:
    class Weary(Noted):
        def choose(self, prompt: Prompt) -> object:
            raise Resign("no hope")

    result = local.play(spec(kuhn()), [inside(Weary), UNIFORM])

    assert (result.seats[0].end, result.seats[0].text) == (End.RESIGNED, "no hope")
    assert (result.seats[1].end, result.seats[1].rank) == (End.NORMAL, 1)


def test_a_bot_in_process_that_fails_at_the_start_crashes_and_one_that_fails_at_the_end_does_not() -> None:
    class Stillborn(Noted):
        def start(self, match: Match) -> None:
            raise OSError("no table")

    class Sulking(Noted):
        def ended(self, match: Match, outcome: Outcome) -> None:
            raise OSError("unfair")

    result = local.play(spec(kuhn()), [inside(Stillborn), inside(Sulking)])

    assert [(seat.end, seat.text) for seat in result.seats] == [
        (End.CRASH, "OSError: no table"),
        (End.NORMAL, ""),
    ]
