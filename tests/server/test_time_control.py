"""Time controls as text and as messages."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rivalry.arena.v1 import time_pb2
from rivalry_engine.error import RivalryError
from rivalry_server.clock import TimeControl

S = 1_000_000
CONTROLS = [
    ("2s", "2s", {"prompt_us": 2 * S, "first_prompt_us": 60 * S}),
    ("500ms", "500ms", {"prompt_us": S // 2, "first_prompt_us": 60 * S}),
    ("1m", "1m", {"prompt_us": 60 * S, "first_prompt_us": 60 * S}),
    ("90s", "90s", {"prompt_us": 90 * S, "first_prompt_us": 90 * S}),
    ("120s", "2m", {"prompt_us": 120 * S, "first_prompt_us": 120 * S}),
    ("2000ms", "2s", {"prompt_us": 2 * S}),
    ("2s,first=2s", "2s,first=2s", {"prompt_us": 2 * S, "first_prompt_us": 2 * S}),
    ("2s,first=1s", "2s,first=2s", {"prompt_us": 2 * S, "first_prompt_us": 2 * S}),
    ("2s,soft=1s,strikes=3", "2s,soft=1s,strikes=3", {"prompt_us": 2 * S, "soft_us": S, "strikes": 3}),
    ("2s,bank=50s", "2s,bank=50s", {"prompt_us": 2 * S, "bank_us": 50 * S, "increment_us": 0}),
    ("2s,increment=1s,bank=0s", "2s,bank=0ms,increment=1s", {"bank_us": 0, "increment_us": S}),
    ("50s+1s", "50s+1s", {"prompt_us": 0, "first_prompt_us": 0, "bank_us": 50 * S, "increment_us": S}),
    ("total=50s", "total=50s", {"prompt_us": 0, "first_prompt_us": 0, "bank_us": 50 * S, "increment_us": 0}),
    ("total=50s,first=1m", "total=50s,first=1m", {"prompt_us": 0, "first_prompt_us": 60 * S}),
    ("2s,margin=0ms", "2s,margin=0ms", {"margin_us": 0}),
    ("2s,margin=50ms", "2s", {"margin_us": 50_000}),
    ("untimed", "untimed", {"prompt_us": None, "first_prompt_us": None, "watchdog_us": 3_600 * S}),
    ("untimed,watchdog=10m", "untimed,watchdog=10m", {"prompt_us": None, "watchdog_us": 600 * S}),
]


@pytest.mark.parametrize(("text", "canonical", "fields"), CONTROLS, ids=[text for text, _, _ in CONTROLS])
def test_a_text_says_a_time_control(text: str, canonical: str, fields: dict[str, int | None]) -> None:
    control = TimeControl.parsed(text)

    assert {name: getattr(control, name) for name in fields} == fields
    assert control.text() == canonical


@pytest.mark.parametrize("text", ["", "2", "2h", "0s", "-1s", "1.5s", "25000m", "2 s", "s", "untimed ", "99999999999s"])
def test_a_text_that_says_none_is_refused(text: str) -> None:
    with pytest.raises(RivalryError, match="expected a time from 1ms to 24h as a whole number with ms, s or m"):
        TimeControl.parsed(text)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("2s,bank", "'bank' after a time: expected .* bank=60s"),
        ("2s,2s", "'2s' after a time: expected"),
        ("x,bank=2s", "'x': expected a time from 1ms"),
        ("2s,bank=2", "'2' is no time: expected a time from 1ms"),
        ("2s,soft=1s,soft=1s", "soft is given twice"),
        ("50s+1s,bank=2s", "bank is given twice"),
        ("2s,soft=1s,strikes=many", "strikes=many: expected a whole number such as strikes=3"),
        ("2s,soft=2s,strikes=1", "soft time 2s: expected less than 2s"),
        ("total=9s,soft=2s,strikes=1", "soft time 2s: expected less than 0ms"),
        ("2s,soft=1s", "soft time with 0 strikes: expected 1 to 10000"),
        ("2s,strikes=1", "1 strikes and no soft time"),
        ("2s,increment=1s", "an increment and no bank"),
        ("untimed,bank=1s", "bank time without a limit"),
        ("untimed,first=1s", "first time without a limit"),
        ("2s,watchdog=3m", "a watchdog's time beside a limit"),
    ],
)
def test_parts_that_do_not_go_together_are_named(text: str, told: str) -> None:
    with pytest.raises(RivalryError, match=rf"^time '{text.replace('+', '.')}': {told}"):
        TimeControl.parsed(text)


@pytest.mark.parametrize(
    ("message", "told"),
    [
        (time_pb2.TimeControl(prompt_us=1_500), "prompt_us is 1500; expected 0 to 86400000000 .* whole milliseconds"),
        (time_pb2.TimeControl(prompt_us=-1_000), "prompt_us is -1000"),
        (time_pb2.TimeControl(prompt_us=1 << 62), "prompt_us is 4611686018427387904"),
        (time_pb2.TimeControl(prompt_us=0), "no time for a prompt and none in the bank"),
        (time_pb2.TimeControl(prompt_us=S, bank_us=S, increment_us=-1_000), "increment_us is -1000"),
        (time_pb2.TimeControl(prompt_us=S, soft_us=1_000, strikes=-1), "soft time with -1 strikes"),
        (time_pb2.TimeControl(prompt_us=S, margin_us=-1_000), "margin_us is -1000"),
        (time_pb2.TimeControl(watchdog_us=0), "watchdog_us is 0; expected 1000 to"),
        (time_pb2.TimeControl(first_prompt_us=S), "first time without a limit"),
    ],
)
def test_a_message_that_says_none_is_refused(message: time_pb2.TimeControl, told: str) -> None:
    with pytest.raises(RivalryError, match=f"^time control: {told}"):
        TimeControl.of(message)


def test_the_usual_time_is_thirty_seconds_and_a_minute_for_the_first_prompt() -> None:
    assert TimeControl() == TimeControl.parsed("30s") == TimeControl(30 * S, 60 * S)


def test_a_first_prompt_is_never_shorter_than_the_others() -> None:
    control = TimeControl.of(time_pb2.TimeControl(prompt_us=5 * S, first_prompt_us=2 * S))

    assert control == TimeControl(5 * S, 5 * S)


def test_a_message_without_a_first_time_gives_the_first_prompt_the_time_of_the_others() -> None:
    control = TimeControl.of(time_pb2.TimeControl(prompt_us=5 * S))

    assert (control.first_prompt_us, control.text()) == (5 * S, "5s,first=5s")


MS = st.integers(1, 86_400_000).map(lambda ms: ms * 1_000)


@st.composite
def controls(draw: st.DrawFn) -> TimeControl:
    """Any time control there can be."""
    if draw(st.integers(0, 9)) == 0:
        return TimeControl(None, margin_us=draw(MS), watchdog_us=draw(MS))
    prompt_us = draw(st.one_of(st.just(0), MS))
    bank_us = draw(MS) if not prompt_us else draw(st.one_of(st.none(), st.just(0), MS))
    soft = prompt_us > 1_000 and draw(st.booleans())
    return TimeControl(
        prompt_us,
        draw(st.one_of(st.none(), st.just(60 * S), MS)),
        soft_us=draw(st.integers(1, prompt_us // 1_000 - 1)) * 1_000 if soft else None,
        strikes=draw(st.integers(1, 10_000)) if soft else 0,
        bank_us=bank_us,
        increment_us=0 if bank_us is None else draw(st.one_of(st.just(0), MS)),
        margin_us=draw(st.one_of(st.just(50_000), st.just(0), MS)),
    )


@given(controls())
def test_every_time_control_comes_back_from_its_text_and_its_message(control: TimeControl) -> None:
    text = control.text()

    assert TimeControl.parsed(text) == control
    assert TimeControl.parsed(text).text() == text
    assert TimeControl.of(control.message()) == control
