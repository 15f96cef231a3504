"""Policies in words and messages."""

from __future__ import annotations

import pytest

from rivalry.arena.v1 import outcome_pb2
from rivalry_engine.error import RivalryError
from rivalry_server.outcome import End
from rivalry_server.policies import Policies, Policy, policy


def test_policies_travel_both_ways() -> None:
    policies = Policies(on_crash=Policy.VOID, on_timeout=Policy.END)

    assert Policies.of(policies.message()) == policies


def test_what_is_not_said_or_not_known_is_the_stand_in() -> None:
    assert Policies.of(outcome_pb2.Policies(on_crash=999)) == Policies()  # type: ignore[arg-type]


def test_each_end_has_its_policy_and_who_resigns_is_stood_in_for() -> None:
    policies = Policies(*[Policy.VOID] * 5)

    for end in (End.ILLEGAL, End.TIMEOUT, End.DISCONNECT, End.CRASH, End.NO_SHOW):
        assert policies.on(end) is Policy.VOID
    assert policies.on(End.RESIGNED) is Policy.STAND_IN


def test_an_unknown_word_is_refused_with_the_three_that_are() -> None:
    with pytest.raises(RivalryError, match="policy 'forfeit'; expected one of stand-in, end, void"):
        policy("forfeit")
