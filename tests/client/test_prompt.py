"""Prompts that came over the wire."""

from __future__ import annotations

import pytest

from client.scripted import KuhnTable
from rivalry.arena.v1 import session_pb2, time_pb2
from rivalry_client.match import Measured
from rivalry_client.prompt import WirePrompt
from rivalry_client.table import WireMatch
from rivalry_engine import catalog
from rivalry_engine.chance import Stream, luck
from rivalry_engine.ethnos import Ethnos
from rivalry_engine.game import Game, State
from rivalry_engine.playout import picked, uniform
from rivalry_engine.prompt import StatePrompt, judged
from rivalry_wire.codec import UnreadableError, codec
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
