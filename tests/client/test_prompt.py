"""Prompts that came over the wire."""

from __future__ import annotations

import pytest

from client.scripted import KuhnTable
from rivalry.arena.v1 import session_pb2, time_pb2
from rivalry.games.generic.v1 import generic_pb2
from rivalry_client.match import Measured, TimeControl, TimeSpent
from rivalry_client.prompt import WirePrompt
from rivalry_client.table import WireMatch, outcome
from rivalry_engine import catalog
from rivalry_engine.chance import Stream, luck
from rivalry_engine.ethnos import Ethnos
from rivalry_engine.game import Game, State
from rivalry_engine.playout import picked, uniform
from rivalry_engine.prompt import StatePrompt, judged
from rivalry_wire.codec import UnreadableError, codec
from rivalry_wire.generic import GenericCodec
from rivalry_wire.shapes import shapes


def over_the_wire(game: Game, state: State, seat: int, number: int, seed: bytes) -> WirePrompt:
    """The prompt as it arrives, after everything was bytes."""
    writing = codec(game)
    started = session_pb2.MatchStarted(
        match=1, game=game.name, options_json="{}", seat=seat, luck=luck(seed, seat), match_id="m"
    )
    started.setup.type_url = writing.url("Setup")
    started.setup.value = writing.setup(state.setup())
    started.options_json = f'{{"seats":{game.seats}}}'
    choices = state.choices(seat)
    message = session_pb2.Prompt(match=1, number=number, kind=state.question(seat), first_event=1)
    message.MergeFromString(shapes(choices))
    message.observation.value = writing.observation(state.observe(seat))
    message.choices.value = writing.choices(choices)
    return WirePrompt(WireMatch(started), session_pb2.Prompt.FromString(message.SerializeToString()), handle=1)


def test_a_prompt_over_the_wire_is_the_prompt_in_process() -> None:
    seed = b"the same"
    game = Ethnos({"seats": 3})
    state = game.new_state(seed)
    for number in range(1, 200):
        if not state.movers():
            break
        seat = state.movers()[0]
        here = StatePrompt(state, seat, number=number, luck=luck(seed, seat))
        there = over_the_wire(game, state, seat, number, seed)

        assert there.kind == here.kind
        assert there.shapes() == here.shapes()
        assert there.texts() == here.texts()
        assert [there.text(index) for index in range(len(there.choices))] == here.texts()
        assert list(there.choices) == list(here.choices)
        assert there.observation == here.observation
        assert there.view() == here.view() == game.view(here.observation)
        for index, choice in enumerate(here.choices):
            if choice.parts:
                assert there.part_texts(index) == here.part_texts(index)
        assert uniform(there) == uniform(here)
        action = judged(state, seat, here.choices, uniform(there))
        assert isinstance(action, int)
        state.apply(seat, action)


def unknown(**facts: object) -> WirePrompt:
    """A prompt of a game that is not installed."""
    started = session_pb2.MatchStarted(match=1, game="go", options_json='{"seats":2}', luck=bytes(32))
    started.setup.type_url = "type.googleapis.com/go.v1.Setup"
    message = session_pb2.Prompt(match=1, number=4, kind="move", parts=[0, 3], least=[0, 1], most=[0, 2], usual=[0, 1])
    for name, value in facts.items():
        if isinstance(value, str):
            setattr(message, name, value)
        else:
            getattr(message, name).extend(value)
    return WirePrompt(WireMatch(started), message, handle=1)


def test_a_game_that_is_not_installed_is_played_by_number() -> None:
    prompt = unknown()

    assert prompt.shapes() == [(0, 0, 0, 0), (3, 1, 2, 1)]
    answer = picked(prompt.shapes(), Stream(bytes(32), "any"))
    assert answer.index in (0, 1)
    assert prompt.answer(1, [2, 0]).parts == (0, 2)
    assert "go" not in catalog.names()


def test_a_game_that_is_not_installed_has_the_words_that_the_arena_sends() -> None:
    prompt = unknown(texts=["pass", "stones"], part_texts=["a1", "b2", "c3"], legal=["pass"])

    assert prompt.texts() == ["pass", "stones"]
    assert prompt.text(1) == "stones"
    assert prompt.part_texts(0) == []
    assert prompt.part_texts(1) == ["a1", "b2", "c3"]
    assert prompt.legal() == (["pass"], False)


def test_words_that_nobody_can_give_are_an_error_that_says_how_to_get_them() -> None:
    for read in (unknown().texts, lambda: unknown().text(0), lambda: unknown().part_texts(1)):
        with pytest.raises(UnreadableError, match=r"go came as go\.v1\.Setup, .* features = \('legal_text',\)"):
            read()


def test_a_view_is_the_arenas_where_it_was_sent() -> None:
    assert unknown(view="black to move").view() == "black to move"


def test_a_game_that_travels_as_json_has_a_view_without_being_installed_or_asked_for() -> None:
    prompt = unknown()
    started = session_pb2.MatchStarted(match=1, game="go", options_json='{"seats":2}', luck=bytes(32))
    started.setup.type_url = GenericCodec.url("Setup")
    started.setup.value = generic_pb2.Setup(json="{}").SerializeToString()
    prompt.message.observation.value = generic_pb2.Observation(json='{"stones":["a1"]}', seat=0).SerializeToString()

    assert WirePrompt(WireMatch(started), prompt.message, handle=1).view() == "stones: a1"


def test_a_view_that_nobody_can_give_is_an_error_that_says_how_to_get_it() -> None:
    with pytest.raises(UnreadableError, match=r"go came as go\.v1\.Setup, .* wants_view = True"):
        unknown().view()


def test_an_observation_that_nobody_can_read_is_an_error_that_names_the_game() -> None:
    with pytest.raises(UnreadableError, match="go came as"):
        _ = unknown().observation


def test_clocks_and_measures_are_seconds() -> None:
    table = KuhnTable()
    match = WireMatch(table.started().match_started)
    timed = table.prompt(budget_us=1_500_000, last=time_pb2.Measured(number=3, elapsed_us=250_000)).prompt
    untimed = table.prompt().prompt

    assert WirePrompt(match, timed, handle=1).budget_s == 1.5
    assert WirePrompt(match, timed, handle=1).last == Measured(3, 0.25)
    assert WirePrompt(match, untimed, handle=1).budget_s is None
    assert WirePrompt(match, untimed, handle=1).last is None


def test_what_was_charged_to_whom_is_seconds_and_adds_up() -> None:
    table = KuhnTable()
    told = time_pb2.Measured(number=3, elapsed_us=250_000, network_us=30_000, arena_us=20_000, charged_us=205_000)

    last = WirePrompt(WireMatch(table.started().match_started), table.prompt(last=told).prompt, handle=1).last

    assert last == Measured(3, 0.25, network_s=0.03, arena_s=0.02, charged_s=0.205)
    assert round(last.bot_s, 9) == 0.2


def test_the_clocks_and_the_strikes_of_all_seats_are_shown_where_there_are_any() -> None:
    table = KuhnTable()
    match = WireMatch(table.started().match_started)
    banked = WirePrompt(match, table.prompt(banks_us=[1_500_000, 0], strikes_left=[2, 0]).prompt, handle=1)
    plain = WirePrompt(match, table.prompt().prompt, handle=1)

    assert (banked.clocks, banked.strikes_left) == ((1.5, 0.0), (2, 0))
    assert (plain.clocks, plain.strikes_left) == (None, None)


def test_a_match_shows_its_whole_time_control() -> None:
    control = time_pb2.TimeControl(
        prompt_us=2_000_000, soft_us=1_000_000, strikes=3, bank_us=60_000_000, increment_us=500_000, margin_us=0
    )
    started = KuhnTable().started().match_started
    untimed = WireMatch(started)
    started.time_control.CopyFrom(control)
    match = WireMatch(started)

    assert match.time_control == TimeControl(2.0, 2.0, 1.0, 3, 60.0, 0.5, margin_s=0.0, watchdog_s=None)
    assert (match.prompt_s, match.first_prompt_s) == (2.0, 2.0)
    assert untimed.time_control == TimeControl()


def test_an_outcome_tells_what_each_seat_spent_and_how_often_its_bot_was_awaited_again() -> None:
    ended = KuhnTable().ended().match_ended
    ended.outcome.seats[0].retries = 2
    ended.outcome.seats[0].spent.bot_us = 1_250_000
    ended.outcome.seats[0].spent.charged_us = 1_000_000

    seats = outcome(ended.outcome).seats

    assert (seats[0].retries, seats[0].spent) == (2, TimeSpent(1.25, 0.0, 0.0, 1.0))
    assert (seats[1].retries, seats[1].spent) == (0, None)
