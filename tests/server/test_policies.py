"""Policies in words and messages."""

from __future__ import annotations

import pytest

from rivalry.arena.v1 import outcome_pb2
from rivalry_engine.error import RivalryError
from rivalry_server.outcome import End
from rivalry_server.policies import ENDS, Policies, Policy, Rule

VOID = Rule(Policy.VOID)
EVERY = Policies(
    on_illegal=Rule(Policy.END),
    on_timeout=VOID,
    on_disconnect=Rule(Policy.STAND_IN, 2),
    on_crash=Rule(Policy.VOID, 3),
    on_no_show=Rule(Policy.END, 100),
    grace_us=1_500_000,
    grace_paused=True,
)


@pytest.mark.parametrize("policies", [Policies(), Policies(on_crash=VOID), EVERY, Policies(grace_us=0)])
def test_policies_travel_both_ways(policies: Policies) -> None:
    assert Policies.of(policies.message()) == policies
    assert Policies.parsed(policies.texts()) == policies


def test_what_is_not_said_or_not_known_is_the_stand_in() -> None:
    assert Policies.of(outcome_pb2.Policies(on_crash=999, grace_clock=999)) == Policies()  # type: ignore[arg-type]


def test_each_end_has_its_policy_and_who_resigns_is_stood_in_for() -> None:
    policies = Policies(*[VOID] * 5)

    for end in ENDS:
        assert policies.on(end).policy is Policy.VOID
    assert policies.on(End.RESIGNED) == Rule()


def test_the_usual_grace_is_not_told_in_texts() -> None:
    assert set(Policies().texts()) == {f"on_{end}" for end in ENDS}
    assert EVERY.texts()["grace"] == "1500ms paused"
    assert EVERY.texts()["on_crash"] == "retry 3 void"


@pytest.mark.parametrize(
    ("text", "end"),
    [
        ("forfeit", End.CRASH),
        ("", End.CRASH),
        ("retry", End.CRASH),
        ("retry 0", End.CRASH),
        ("retry 101", End.CRASH),
        ("retry 2 again", End.CRASH),
        ("retry 2", End.TIMEOUT),
        ("retry 1 void", End.ILLEGAL),
    ],
)
def test_another_text_is_refused_with_those_that_are_expected(text: str, end: End) -> None:
    with pytest.raises(RivalryError, match=rf"policy '{text}'.* expected one of stand-in, end, void"):
        Rule.parsed(text, end)


@pytest.mark.parametrize("text", ["", "30", "25h", "30s pause", "1441m", "paused"])
def test_a_grace_that_is_none_is_refused(text: str) -> None:
    with pytest.raises(RivalryError, match=f"grace '{text}'; expected a time up to 24 hours"):
        Policies.parsed({"grace": text})


@pytest.mark.parametrize(
    "message",
    [
        outcome_pb2.Policies(crash_retries=101),
        outcome_pb2.Policies(no_show_retries=-1),
        outcome_pb2.Policies(grace_us=-1),
    ],
)
def test_a_message_with_figures_out_of_bounds_is_refused(message: outcome_pb2.Policies) -> None:
    with pytest.raises(RivalryError, match="expected 0 to"):
        Policies.of(message)
