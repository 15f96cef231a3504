"""Each bad bot at a table of three: how it ends, and that the others end well and are ranked above it."""

from __future__ import annotations

import json
import re

import pytest

from e2e.program import match, rivalry

ENDS = {
    "bad-twice": ("normal", ""),
    # It is late by so little that it is not where the arena was held up meanwhile, which is not its time.
    "bad-late?after=1": ("timeout", r"no legal answer to prompt ([2-9]|\d\d) in 0\.3 s"),
    "bad-stale?after=1": ("timeout", r"no legal answer to prompt 2 in 0\.3 s"),
    "bad-garbage": ("disconnect", "no PlayRequest"),
    "bad-garbage?what=text": ("illegal", "is no action"),
    "bad-garbage?what=action": ("illegal", "unreadable"),
    "bad-illegal": ("illegal", "there is no choice 1048576"),
    "bad-hangup": ("disconnect", ""),
    "bad-flood": ("disconnect", "too many messages that no prompt asked for"),
    "bad-silent?after=1": ("timeout", r"no legal answer to prompt 2 in 0\.3 s"),
    "bad-exit": ("crash", "status 3"),
}


@pytest.mark.parametrize("bot", ENDS)
def test_a_bad_bot_ends_as_stated_and_the_others_end_well(bot):
    end, text = ENDS[bot]
    time = "300ms" if end == "timeout" else "1m"

    played = match("ethnos", bot, "inproc:random", "inproc:first", more=("--seed", "bad", "--time", time))

    bad, *others = played["seats"]
    assert bad["end"] == end
    assert re.search(text, bad["text"]), bad["text"]
    assert [seat["end"] for seat in others] == ["normal", "normal"]
    if end == "normal":
        assert not bad["stood_in"]
    else:
        assert bad["rank"] == 3
        assert bad["stood_in"]
        assert {seat["rank"] for seat in others} <= {1, 2}


def test_bots_in_their_own_processes_learn_the_outcome_when_one_of_them_dies():
    played = match("ethnos", "bad-exit?after=3", "random", "first", more=("--seed", "bad"))

    assert [seat["end"] for seat in played["seats"]] == ["crash", "normal", "normal"]
    assert played["seats"][0]["decisions"] == 3


@pytest.mark.parametrize(("policy", "void"), [("end", False), ("void", True)])
def test_a_policy_says_what_follows(policy, void):
    bots = ("--bot", "bad-illegal?after=2", "--bot", "inproc:random", "--bot", "inproc:first")
    done = rivalry("match", "--game", "ethnos", *bots, "--seed", "p", "--on-illegal", policy, "--json")

    played = json.loads(done.stdout)
    assert done.returncode == int(void)
    assert played["void"] is void
    assert played["decisions"] < 20
    assert played["seats"][0]["end"] == "illegal"
