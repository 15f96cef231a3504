"""Games that give what no game gives, or raise what is to end a program: their matches end alone, and it is told."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import pytest

from rivalry_client import Bot
from rivalry_client.local import LocalBot
from rivalry_engine import playout, record
from rivalry_engine.error import GameFailedError
from rivalry_engine.event import Event
from rivalry_engine.game import Choice, Objection
from rivalry_engine.prompt import Prompt
from rivalry_server import local, watching
from rivalry_server.arena import Arena
from rivalry_server.given import BrokenGameError
from rivalry_server.match import Match
from rivalry_server.match_spec import MatchSpec
from rivalry_server.outcome import End, Result
from rivalry_server.record import Move
from rivalry_server.seat import AbsentSeat, InProcess, InProcessSeat
from rivalry_server.settings import FRAME_BYTES
from rivalry_server.spectator import Spectator
from server import virtual
from server.peer import Peer, answer, opened, spec, tally
from server.tally import Tally, TallyObservation, TallySetup, TallyState

SEATS = "expected seats from 0 to 2, ascending, none twice"
CHOICES = "expected a tuple of Choice"
SCORES = "expected 3 integers of 64 bits"
RANKS = "expected 3 ranks from 1, where equals share and those after them are skipped, as 1, 1, 3"
JSON = "expected JSON objects, lists, texts, integers, flags and null"

FIRST = InProcess(playout.first, "first")


@dataclass(frozen=True, slots=True)
class Odd:
    """A method of the game, what it gives, and what is told of it."""

    method: str
    gives: Any
    told: str
    kind: type = TallyState

    def put(self, patch: pytest.MonkeyPatch) -> None:
        patch.setattr(self.kind, self.method, lambda *_: self.gives)


MALFORMED = [
    Odd("movers", None, f"movers() gave None; {SEATS}"),
    Odd("movers", (0, 0, 1, 2), f"movers() gave (0, 0, 1, 2); {SEATS}"),
    Odd("movers", (9,), f"movers() gave (9,); {SEATS}"),
    Odd("movers", (-1,), f"movers() gave (-1,); {SEATS}"),
    Odd("movers", (2, 1), f"movers() gave (2, 1); {SEATS}"),
    Odd("movers", (True,), f"movers() gave (True,); {SEATS}"),
    Odd("movers", ("0",), f"movers() gave ('0',); {SEATS}"),
    Odd("question", None, "question(0) gave None; expected a text"),
    Odd("question", ["bid"], "question(0) gave ['bid']; expected a text"),
    Odd("choices", None, f"choices(0) gave None; {CHOICES}, at least one"),
    Odd("choices", (1, 2), f"choices(0) gave (1, 2); {CHOICES}"),
    Odd("choices", (Choice(1), 2), f"choices(0) gave (Choice(1, (), 0, 0, 0), 2); {CHOICES}"),
    Odd("observe", None, "observe(0) gave None; expected an Observation"),
    Odd("setup", None, "setup() gave None; expected a View"),
    Odd("scores", (1,), f"scores() gave (1,); {SCORES}"),
    Odd("scores", (1, 2, True), f"scores() gave (1, 2, True); {SCORES}"),
    Odd("scores", (1, 2, 0.5), f"scores() gave (1, 2, 0.5); {SCORES}"),
    Odd("scores", None, f"scores() gave None; {SCORES}"),
    Odd("scores", (0, 0, 1 << 63), f"scores() gave (0, 0, 9223372036854775808); {SCORES}"),
    Odd("ranks", (0, 0, 0), f"ranks() gave (0, 0, 0); {RANKS}"),
    Odd("ranks", (1, 2), f"ranks() gave (1, 2); {RANKS}"),
    Odd("ranks", None, f"ranks() gave None; {RANKS}"),
    Odd("new_state", None, "new_state() gave None; expected a State", Tally),
    Odd("text", None, "text(0) gave None; expected a text", Tally),
    Odd("text", "\ud800", "text(0) gave '\\ud800'; expected a text", Tally),
]
OVER_THE_LINK = [
    Odd("json", {"x": {1}}, f"observe(0).json() gave {{'x': {{1}}}}; {JSON}", TallyObservation),
    Odd("json", None, f"setup().json() gave None; {JSON}", TallySetup),
    Odd("part_text", None, "part_text(0) gave None; expected a text", Tally),
]
"""What nobody needs who plays in the arena's process."""


def told_of(odd: Odd) -> str:
    return f"{odd.method}-{odd.gives!a}"


def over_the_link(first: MatchSpec | None = None, **fields: Any) -> Result:
    """What comes of a match over the link whose bots take first choices."""

    async def work() -> Result:
        async with Arena() as arena:
            match = opened(arena, first or spec(tally(3)))
            peers = [asyncio.ensure_future(Peer(arena).sit_and_play(**fields)) for _ in range(3)]
            await asyncio.wait(peers, timeout=300)
            return await match

    return virtual.run(work())


def here() -> Result:
    """What comes of a match of functions."""
    return local.play(spec(tally(3)), [FIRST] * 3)


def broken(result: Result, text: str) -> None:
    """Holds that a match ended by what its game gave, told in these words and not to be run again."""
    assert result.text == f"the game tally failed: {text}"
    assert result.void
    assert (result.attempt, result.owed) == (1, False)
    assert {seat.end for seat in result.seats} == {End.ARENA_FAULT}
    assert {seat.text for seat in result.seats} == {"the game tally failed: BrokenGameError"}
    record.read("".join(f"{line}\n" for line in result.record()))


@pytest.mark.parametrize("odd", MALFORMED, ids=told_of)
def test_what_a_game_gives_that_is_malformed_ends_its_match_and_is_told(
    monkeypatch: pytest.MonkeyPatch, odd: Odd
) -> None:
    odd.put(monkeypatch)

    broken(over_the_link(), odd.told)
    if odd.method != "setup":  # no function asks for it
        broken(here(), odd.told)


@pytest.mark.parametrize("odd", OVER_THE_LINK, ids=told_of)
def test_what_a_game_gives_to_be_sent_that_is_malformed_is_told(monkeypatch: pytest.MonkeyPatch, odd: Odd) -> None:
    monkeypatch.setattr("rivalry_wire.codec.codec", generic)
    monkeypatch.setattr("rivalry_server.messages.codec", generic)
    odd.put(monkeypatch)

    broken(over_the_link(), odd.told)


def generic(game: Any) -> Any:
    """The codec of a game that has none of its own."""
    from rivalry_wire.generic import GenericCodec

    return GenericCodec(game)


@pytest.mark.parametrize("odd", [odd for odd in MALFORMED if odd.kind is TallyState], ids=told_of)
def test_the_same_of_a_heavy_game_is_told_in_the_same_words(monkeypatch: pytest.MonkeyPatch, odd: Odd) -> None:
    monkeypatch.setattr(Tally, "heavy", True)
    odd.put(monkeypatch)

    async def work() -> Result:
        async with Arena() as arena:
            return await arena.run_match(spec(tally(3)), [FIRST] * 3)

    result = asyncio.run(work())

    assert result.text == f"the game tally failed: {odd.told}"
    assert not result.owed


@pytest.mark.parametrize(
    ("event", "told"),
    [
        (None, "it put None into the log; expected an Event"),
        (Event("bids", None), f"the event bids gave None; {JSON}"),  # type: ignore[arg-type]
        (Event("bids", {"bids": {1}}), f"the event bids gave {{'bids': {{1}}}}; {JSON}"),
        (Event("bids", {}, None), "the event bids has the secrets None; expected facts by seat"),  # type: ignore[arg-type]
    ],
)
def test_an_event_that_is_malformed_is_told(monkeypatch: pytest.MonkeyPatch, event: Any, told: str) -> None:
    def happened(state: TallyState, *_: object) -> None:
        if state.log is not None:
            state.log.append(event)

    monkeypatch.setattr(TallyState, "_happened", happened)

    broken(over_the_link(), told)


def test_words_of_an_event_that_are_none_are_the_games_fault_where_somebody_watches(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    class Reading(Spectator):
        def happened(self, seen: Any) -> None:
            print("· " + tally(3).event_text(seen))

    monkeypatch.setattr(Tally, "event_text", lambda *_: None)

    result = local.play(spec(tally(3)), [FIRST] * 3, spectator=Reading())

    broken(result, "event_text() of bids gave None; expected a text")


def test_a_game_that_tells_more_than_a_frame_holds_is_at_fault() -> None:
    result = over_the_link(spec(tally(3, padding=FRAME_BYTES)))

    assert result.text.startswith("the game tally failed: it tells too much at once: a message of ")
    assert not result.owed


@pytest.mark.parametrize("odd", ["no", ("bid", 1)])
def test_an_answer_of_which_the_game_makes_no_action_is_no_fault_of_the_bots(
    monkeypatch: pytest.MonkeyPatch, odd: object
) -> None:
    monkeypatch.setattr(TallyState, "objection", lambda *_: odd)

    result = local.play(spec(tally(3)), [InProcess(lambda prompt: prompt.text(0), "by text")] * 3)

    broken(result, f"it made {odd!r} of an answer of seat 0; expected an integer, the action")


def test_an_objection_without_words_is_no_fault_of_the_bots(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(TallyState, "objection", lambda *_: Objection(None, "no"))  # type: ignore[arg-type]

    result = local.play(spec(tally(3)), [InProcess(lambda prompt: "bid 9", "by text")] * 3)

    broken(result, "it objected with Objection(None, 'no'); expected texts as code and text")


def objects(state: TallyState, seat: int, action: int) -> Objection | None:
    return Objection("unlucky", f"{action} is no lucky number") if action == 3 else None


TOLD = "it offers seat 0 'bid 3' and objects to it: 3 is no lucky number (unlucky)"


def test_a_choice_that_the_game_objects_to_is_no_fault_of_the_bot_that_names_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(TallyState, "objection", objects)

    async def work() -> Result:
        async with Arena() as arena:
            match = opened(arena, spec(tally(2)), None)
            peers = [Peer(arena), Peer(arena)]
            await asyncio.gather(*(peer.sit() for peer in peers))
            prompt = await peers[0].until("prompt")
            await peers[0].say(answer(prompt, text="bid 3"))
            return await match

    broken(local.play(spec(tally(3)), [InProcess(lambda prompt: "bid 3", "by text")] * 3), TOLD)
    broken(virtual.run(work()), TOLD)


def test_parts_to_a_notation_are_still_the_bots_fault() -> None:
    def odd(prompt: Prompt) -> object:
        return replace(prompt.answer("bid 3"), parts=(0,))

    result = local.play(spec(tally(3)), [InProcess(odd, "odd"), FIRST, FIRST])

    assert [seat.end for seat in result.seats] == [End.ILLEGAL, End.NORMAL, End.NORMAL]


@pytest.mark.parametrize("method", ["apply", "choices", "movers", "question", "observe", "scores", "setup"])
@pytest.mark.parametrize("error", [SystemExit(3), GeneratorExit(), KeyboardInterrupt(), asyncio.CancelledError("x")])
def test_whatever_a_game_raises_ends_its_match_and_the_arena_plays_on(
    monkeypatch: pytest.MonkeyPatch, method: str, error: BaseException
) -> None:
    class Other(Tally):
        """A game of the same package that is in order."""

        def new_state(self, seed: bytes) -> OtherState:
            return OtherState(self, [""] * self.seats)

    class OtherState(TallyState):
        pass

    setattr(OtherState, method, getattr(TallyState, method))
    monkeypatch.setattr(TallyState, method, raising(error))

    async def work() -> tuple[Result, Result]:
        async with Arena() as arena:
            match = opened(arena, spec(tally(3)))
            peers = [asyncio.ensure_future(Peer(arena).sit_and_play()) for _ in range(3)]
            await asyncio.wait(peers, timeout=300)
            after = replace(spec(Other({"seats": 3})), match_id="2" * 32)
            return await match, await arena.run_match(after, [FIRST] * 3)

    result, after = virtual.run(work())

    said = f": {error}" if error.args else ""
    broken(result, f"it raised {type(error).__name__}{said}")
    assert not after.void
    if method != "setup":
        broken(here(), f"it raised {type(error).__name__}{said}")


def raising(error: BaseException) -> Callable[..., Any]:
    def raises(*_: object) -> None:
        raise error

    return raises


@pytest.mark.parametrize("method", ["text", "event_text", "fill", "action", "new_state", "part_text"])
@pytest.mark.parametrize("error", [SystemExit(3), KeyboardInterrupt(3)])
def test_the_same_of_what_is_asked_of_the_game_itself(
    monkeypatch: pytest.MonkeyPatch, method: str, error: BaseException
) -> None:
    def choose(prompt: Prompt) -> object:
        return prompt.answer(0, [0]) if prompt.kind == "show" else "bid 1" if method == "action" else 0

    class Reading(Spectator):
        def happened(self, seen: Any) -> None:
            tally(3).event_text(seen)

    monkeypatch.setattr(Tally, method, raising(error))
    monkeypatch.setattr("rivalry_server.messages.codec", generic)
    seats = [InProcess(choose, "chooses")] * 3
    played = local.play(spec(tally(3)), seats, spectator=Reading())

    if method != "part_text":
        broken(played, f"it raised {type(error).__name__}: 3")
    if method in ("new_state", "text", "part_text"):
        broken(over_the_link(features=["legal_text"]), f"it raised {type(error).__name__}: 3")


@pytest.mark.parametrize("method", ["action", "objection"])
def test_whatever_a_game_raises_over_an_answer_ends_its_match_alone(
    monkeypatch: pytest.MonkeyPatch, method: str
) -> None:
    async def work() -> Result:
        async with Arena() as arena:
            match = opened(arena, spec(tally(2)))
            peers = [Peer(arena), Peer(arena)]
            await asyncio.gather(*(peer.sit() for peer in peers))
            prompt = await peers[0].until("prompt")
            await peers[0].say(answer(prompt, text="bid 1"))
            return await match

    monkeypatch.setattr(Tally if method == "action" else TallyState, method, raising(SystemExit(3)))

    broken(virtual.run(work()), "it raised SystemExit: 3")


def test_ctrl_c_while_a_game_is_at_work_stops_the_program(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: object) -> None:
        signal.raise_signal(signal.SIGINT)

    monkeypatch.setattr(TallyState, "apply", interrupted)

    with pytest.raises(KeyboardInterrupt):
        here()


def test_what_is_not_the_games_goes_on_to_end_the_program() -> None:
    class Leaving(Spectator):
        def asked(self, seat: int, number: int) -> None:
            raise SystemExit(3)

    with pytest.raises(SystemExit):
        local.play(spec(tally(3)), [FIRST] * 3, spectator=Leaving())


def test_a_setup_that_fails_is_no_crash_of_the_bot(monkeypatch: pytest.MonkeyPatch) -> None:
    class Plain(Bot):
        def start(self, match: Any) -> None:
            match.setup.json()

        def choose(self, prompt: Any) -> object:
            return 0

    monkeypatch.setattr(TallyState, "setup", lambda state: None)

    result = local.play(spec(tally(2)), [InProcess(LocalBot(Plain), "plain") for _ in range(2)])

    broken(result, "setup() gave None; expected a View")


def test_a_record_of_a_void_match_has_a_number_where_there_is_no_notation(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Tally, "text", lambda game, action: None)

    lines = here().record()
    read = record.read("".join(f"{line}\n" for line in lines))

    assert [line["action"] for line in read.actions] == ["0"] * 6 + ["103"]


@pytest.mark.parametrize(
    ("attribute", "value", "expected"),
    [
        ("score_unit", 0, "an integer from 1"),
        ("score_unit", 0.5, "an integer from 1"),
        ("rules_version", "1.0", "an integer from 1"),
        ("rules_version", True, "an integer from 1"),
    ],
)
def test_no_match_is_made_of_a_game_whose_outcome_cannot_be_told(
    monkeypatch: pytest.MonkeyPatch, attribute: str, value: object, expected: str
) -> None:
    monkeypatch.setattr(Tally, attribute, value)

    with pytest.raises(GameFailedError) as refused:
        spec(tally(3))

    assert str(refused.value) == f"the game tally failed: its {attribute} is {value!r}; expected {expected}"


@pytest.mark.parametrize(
    ("given", "told"),
    [(lambda *_: None, "state_at() gave None; expected a State"), (raising(SystemExit(3)), "it raised SystemExit: 3")],
)
def test_a_game_that_fails_over_a_position_fails_whoever_asks_for_the_match_alone(
    monkeypatch: pytest.MonkeyPatch, given: Callable[..., Any], told: str
) -> None:
    monkeypatch.setattr(Tally, "state_at", given)
    placed = replace(spec(tally(3)), position={"game": "tally"})

    with pytest.raises(GameFailedError) as refused:
        local.play(placed, [FIRST] * 3)

    assert str(refused.value) == f"the game tally failed: {told}"


def test_a_match_in_which_nobody_is_asked_any_more_has_an_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(InProcessSeat, "ask", lambda seat: None)

    assert here().text == "the arena failed: AssertionError: nobody is asked and the match has not ended"


def test_a_choice_that_the_game_objects_to_after_a_restart_is_the_games_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    results: list[Result] = []
    going_on = Match(
        spec(tally(3)),
        [InProcessSeat(FIRST, now=float, later=lambda call: None) for _ in range(3)],
        now=float,
        later=lambda call: None,
        on_end=results.append,
    )
    monkeypatch.setattr(TallyState, "objection", objects)

    going_on.restore([Move(0, 3, 0, None, "")])

    broken(results[0], TOLD)


def test_a_game_that_raises_anything_while_it_is_played_again_is_told_as_an_error(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    over = here()
    monkeypatch.setattr(TallyState, "apply", raising(SystemExit(3)))
    sitters = [AbsentSeat("", End.NORMAL, "") for _ in range(3)]
    looked_at = Match(spec(tally(3)), sitters, now=float, later=lambda call: None, on_end=lambda result: None)

    with pytest.raises(BrokenGameError):
        looked_at.played_again([Move(seat, 0, 0, None, "") for seat in range(3)], over)


@pytest.mark.parametrize(("kind", "method"), [(Tally, "event_text"), (TallyState, "observe"), (TallyState, "setup")])
def test_a_game_that_raises_anything_where_a_match_is_watched_fails_the_watch_alone(
    monkeypatch: pytest.MonkeyPatch, kind: type, method: str
) -> None:
    sitters = [InProcessSeat(FIRST, now=float, later=lambda call: None) for _ in range(3)]
    match = Match(spec(tally(3)), sitters, now=float, later=lambda call: None, on_end=lambda result: None)
    match.start()
    for seat in range(3):
        match.take(seat, 0, 0)
    monkeypatch.setattr(kind, method, raising(SystemExit(3)))

    with pytest.raises(BrokenGameError):
        {"event_text": lambda: watching._events(match, 0), "observe": match.wire.public_observation}.get(
            method, lambda: match.wire.setup
        )()
