"""Matches of functions in this process."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from collections.abc import Callable
from typing import ClassVar

import pytest

from rivalry_client import Bot, Match, Outcome, Resign
from rivalry_client.local import LocalBot
from rivalry_client.match import Ruling
from rivalry_client.prompt import Prompt as Asked
from rivalry_engine import playout, record
from rivalry_engine.error import RivalryError
from rivalry_engine.prompt import Answer, Prompt
from rivalry_server import local
from rivalry_server.commands import play
from rivalry_server.match_spec import MatchSpec
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
        "import sys; from rivalry_server import local; from rivalry_server.match_spec import MatchSpec;"
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


def test_a_bot_is_told_why_its_answer_was_rejected_as_over_the_wire(capsys: pytest.CaptureFixture[str]) -> None:
    told: list[tuple[int, Ruling | None, int]] = []

    class Wrong(Bot):
        def choose(self, prompt: Asked) -> object:
            told.append((prompt.number, prompt.ruling, prompt.tries_left))
            return {1: 99, 2: "rob"}.get(len(told), 0)

    result = local.play(spec(tally(2, rounds=2)), [inside(Wrong), UNIFORM])

    assert told[0] == (1, None, 3)
    assert told[1] == (1, Ruling("rejected", "no_choice", "", "there is no choice 99; the prompt has 0 to 9", 2), 2)
    number, ruling, left = told[2]
    assert ruling is not None and "'rob'" in ruling.text
    assert (number, ruling.reason, ruling.code, ruling.tries_left, left) == (1, "notation", "", 1, 1)
    assert told[3] == (2, None, 3)
    assert (result.seats[0].end, result.seats[0].illegal) == (End.NORMAL, 2)
    assert "seat 0 Wrong| answer rejected (prompt 1, no_choice): there is no choice 99" in capsys.readouterr().err


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


class MuteError(Exception):
    def __str__(self) -> str:
        raise SystemExit(3)


class Wordless:
    def __repr__(self) -> str:
        raise GeneratorExit


class Contrary(int):
    def __lt__(self, other: object) -> bool:
        raise RuntimeError("no order")

    __le__ = __gt__ = __ge__ = __lt__  # type: ignore[assignment]


def raising(error: BaseException) -> Callable[[Prompt], object]:
    def choose(prompt: Prompt) -> object:
        raise error

    return choose


@pytest.mark.parametrize(
    "error",
    [
        SystemExit(0),
        GeneratorExit(),
        asyncio.CancelledError(),
        BaseException("anything"),
        StopIteration(3),
        MemoryError(),
        MuteError(),
        ValueError("\ud800"),
    ],
    ids=lambda error: type(error).__name__,
)
def test_whatever_a_bot_raises_is_its_own_crash(error: BaseException) -> None:
    class Starting(Noted):
        def start(self, match: Match) -> None:
            raise error

    class Ending(Noted):
        def ended(self, match: Match, outcome: Outcome) -> None:
            raise error

    for bots, end in (
        ([InProcess(raising(error), "odd"), UNIFORM], End.CRASH),
        ([inside(Starting), UNIFORM], End.CRASH),
        ([inside(Ending), UNIFORM], End.NORMAL),
    ):
        result = local.play(spec(), bots)

        assert [seat.end for seat in result.seats] == [end, End.NORMAL]


def test_ctrl_c_while_a_bot_thinks_stops_the_program() -> None:
    with pytest.raises(KeyboardInterrupt):
        local.play(spec(), [InProcess(raising(KeyboardInterrupt()), "slow"), UNIFORM])


def test_a_reason_to_resign_that_cannot_be_told_is_none() -> None:
    class Sulky(Resign):
        __str__ = MuteError.__str__

    result = local.play(spec(), [InProcess(raising(Sulky()), "sulky"), UNIFORM])

    assert (result.seats[0].end, result.seats[0].text) == (End.RESIGNED, "(its words cannot be read)")


@pytest.mark.parametrize(
    ("answer", "end"),
    [
        (Answer(index="x"), End.CRASH),  # type: ignore[arg-type]
        (Answer(text=5), End.CRASH),  # type: ignore[arg-type]
        (Answer(action=object()), End.CRASH),  # type: ignore[arg-type]
        (Answer(index=0, parts=(0.0,)), End.CRASH),  # type: ignore[arg-type]
        (Answer(index=0, note=5), End.CRASH),  # type: ignore[arg-type]
        (Answer(index=0, note="\ud800"), End.CRASH),
        ("\ud800", End.CRASH),
        (Wordless(), End.CRASH),
        (10**5000, End.ILLEGAL),
        (Answer(action=1 << 20_000), End.ILLEGAL),
        (Answer(action=-5), End.ILLEGAL),
        (Answer(index=0, note="n" * 1_025), End.ILLEGAL),
        (Contrary(0), End.NORMAL),
        (Answer(index=Contrary(0)), End.NORMAL),
        (Answer(index=0, note="ä" * 512), End.NORMAL),
        (Answer(index=0, note="\x1b[2J\r\n\u202e\x00"), End.NORMAL),
    ],
    ids=lambda value: type(value).__name__,
)
def test_an_odd_answer_hurts_nobody_else_and_the_record_verifies(answer: object, end: End) -> None:
    odd = InProcess(lambda prompt: answer, "odd \ud800\x1b[2J\n\u202e" + "x" * 100, "\x00\ud800")
    result = local.play(spec(), [odd, UNIFORM])

    assert [seat.end for seat in result.seats] == [end, End.NORMAL]
    record.verified(record.read("".join(f"{line}\n" for line in result.record())))


def test_a_note_is_rejected_with_its_code() -> None:
    result = local.play(spec(), [InProcess(lambda prompt: Answer(index=0, note="n" * 1_025), "odd"), UNIFORM])

    assert result.seats[0].text == "a note of 1025 bytes; at most 1024 are taken (note)"


@pytest.mark.parametrize("name", [5, None, b"x"])
def test_a_bot_s_name_is_a_text(name: object) -> None:
    with pytest.raises(RivalryError, match=r"a bot's name is .*; expected a text"):
        InProcess(playout.first, name)  # type: ignore[arg-type]


def test_a_bot_s_words_are_one_line_that_can_be_printed(capsys: pytest.CaptureFixture[str]) -> None:
    words = "no\x1b[2J\r\nseat 9 wins\x07 \u202e\ud800"
    bots = [
        InProcess(raising(ValueError(words)), f"one{words}", words),
        InProcess(raising(Resign(words)), "two"),
        UNIFORM,
    ]

    result = local.play(spec(tally(3)), bots)

    assert result.seats[0].text == r"ValueError: no\x1b[2J  seat 9 wins\x07 \u202e\ud800"
    assert result.seats[1].text == r"no\x1b[2J  seat 9 wins\x07 \u202e\ud800"
    assert all(text.isprintable() for seat in result.seats for text in (seat.name, seat.version, seat.text, seat.bot))
    play.table(play.facts(result, None))
    told = capsys.readouterr()
    assert len([line for line in told.out.splitlines() if line.strip()]) == 1 + 3
    assert not {"\x1b", "\x07", "\r", "\u202e"} & set(told.out + told.err)


def test_what_a_bot_does_to_what_it_is_told_changes_nothing() -> None:
    def meddling(prompt: Prompt) -> object:
        for event in prompt.events:
            event.facts.clear()  # type: ignore[attr-defined]
        for attribute in ("choices", "observation", "game", "luck"):
            setattr(prompt, attribute, None)
        return 0

    plain = local.play(spec(tally(2, rounds=4)), [InProcess(playout.first, "plain"), UNIFORM])
    heard: list[object] = []

    def listening(prompt: Prompt) -> object:
        heard.extend(dict(event.facts) for event in prompt.events)
        return playout.uniform(prompt)

    meddled = local.play(spec(tally(2, rounds=4)), [InProcess(meddling, "odd"), InProcess(listening, "two")])

    assert meddled.game_digest == plain.game_digest
    assert heard and all(heard)
