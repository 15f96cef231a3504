"""PettingZoo's own tests, and what it cannot ask."""

import numpy as np
import pytest
from pettingzoo.test import api_test, seed_test
from pettingzoo.test.state_test import test_state_space as state_space_test
from pettingzoo.utils.wrappers import TerminateIllegalWrapper

from engine.sealed import Sealed
from rivalry_engine import record
from rivalry_engine.chance import seed_text
from rivalry_engine.error import IllegalActionError, OptionError, RivalryError, UnknownGameError
from rivalry_environments.pettingzoo import GameEnv, env

GAMES = [
    ("kuhn", {}),
    ("ethnos", {"seats": 2}),
    ("foederati", {"seats": 2}),
    ("ethnos", {"seats": 4}),
    ("foederati", {"seats": 3, "preset": "red-only"}),
    ("ethnos", {"seats": 2, "edition": "second"}),
]
CYCLES = 30

# An observation is a dictionary with a mask, as in PettingZoo's own board games, which its test knows by name; and a
# seat that is not asked, or whose match is over, is allowed nothing.
expected_warnings = [
    pytest.mark.filterwarnings("ignore:Observation is not a NumPy array"),
    pytest.mark.filterwarnings("ignore:Observation space for each agent probably should be"),
    pytest.mark.filterwarnings("ignore:Action mask numpy array is all zeros"),
]


def masked(function):
    for mark in expected_warnings:
        function = mark(function)
    return function


def played(made, *, seed=None, options=None, rng=0):
    """One match by masked chance; returns the rewards and infos of all agents."""
    chance = np.random.default_rng(rng)
    made.reset(seed=seed, options=options)
    rewards, infos = {}, {}
    for agent in made.agent_iter():
        seen, reward, over, _, info = made.last()
        rewards[agent], infos[agent] = rewards.get(agent, 0) + reward, info
        made.step(None if over else int(chance.choice(np.flatnonzero(seen["action_mask"]))))
    return rewards, infos


@masked
@pytest.mark.parametrize(("name", "options"), GAMES)
def test_the_api_test_passes(name, options):
    api_test(env(name, **options), num_cycles=CYCLES)


@masked
@pytest.mark.parametrize(("name", "options"), GAMES[:3])
def test_the_api_test_passes_to_the_end_of_a_match(name, options):
    api_test(env(name, **options, reward="score"), num_cycles=2000)


@pytest.mark.parametrize(("name", "options"), GAMES)
def test_the_seed_test_passes(name, options):
    seed_test(lambda: env(name, **options), num_cycles=CYCLES)


@pytest.mark.parametrize(("name", "options"), GAMES)
def test_the_state_is_what_all_seats_see(name, options):
    """Of its ``state_test`` only this applies: the rest takes actions without a mask, and a parallel environment."""
    made = env(name, **options)
    state_space_test(made)
    made.reset(seed=4)

    for agent in made.agent_iter(40):
        seen, _, over, _, _ = made.last()
        made.step(None if over else int(np.flatnonzero(seen["action_mask"])[-1]))
        assert made.state_space.contains(made.state())
        assert np.array_equal(made.state()[: len(seen["observation"])], made.observe("seat_0")["observation"])
        assert agent in made.possible_agents


@masked
def test_a_game_that_is_not_installed_and_has_no_encoder_passes_too():
    api_test(env(Sealed({"seats": 3}), choices=3, parts=0), num_cycles=50)
    seed_test(lambda: env(Sealed({"seats": 3}), choices=3, parts=0), num_cycles=50)


def test_rewards_come_at_the_end_by_rank_or_by_score():
    by_rank, infos = played(env("ethnos", seats=3), seed=5)
    by_score, again = played(env("ethnos", seats=3, reward="score"), seed=5)

    assert infos == again
    assert by_score == {f"seat_{seat}": float(score) for seat, score in enumerate(infos["seat_0"]["scores"])}
    assert sum(by_rank.values()) == pytest.approx(0)
    order = sorted(by_rank, key=by_rank.__getitem__, reverse=True)
    assert [infos[agent]["rank"] for agent in order] == sorted(infos["seat_0"]["ranks"])


def test_the_seed_is_that_of_the_arena_and_later_matches_follow_from_it():
    made = env("kuhn")

    seeds = []
    for seed, options in ((7, None), (None, None), (None, None), (None, {"seed": "0x00ff"}), (None, None)):
        played(made, seed=seed, options=options)
        seeds.append(made.unwrapped.play.seed)

    assert seeds == [b"7", b"7/1", b"7/2", b"\x00\xff", b"\x00\xff/1"]


def test_a_match_is_a_record_that_verifies():
    made = env("ethnos", seats=2)
    _, infos = played(made, seed=3)
    head, moves = record.read(made.unwrapped.play.record(["learner", "greedy"])), made.unwrapped.play.moves

    state = record.verified(head, made.unwrapped.encoder.game)

    assert state.scores() == infos["seat_0"]["scores"]
    assert seed_text(b"3") in made.unwrapped.play.record()
    assert moves


def test_an_action_that_is_masked_is_refused_and_changes_nothing():
    made = env("ethnos", seats=2)
    made.reset(seed=1)
    before, *_ = made.last()

    with pytest.raises(IllegalActionError, match=r"action 0 \(done\) is not allowed now; allowed are"):
        made.step(0)

    after, *_ = made.last()
    assert all(np.array_equal(before[key], after[key]) for key in before)


def test_pettingzoos_wrapper_ends_the_match_where_an_action_is_masked():
    made = TerminateIllegalWrapper(GameEnv("ethnos", seats=2), illegal_reward=-1)
    made.reset(seed=1)

    made.step(0)

    assert made.rewards["seat_0"] == -1
    assert all(made.terminations.values())


def test_what_an_agent_sees_is_rendered_as_text(capsys):
    made = env("kuhn", render_mode="ansi")
    made.reset(seed=1)

    assert made.render() == made.unwrapped.play.prompt().view()

    human = env("kuhn", render_mode="human")
    human.reset(seed=1)
    human.step(0)
    assert "seat 0 pass" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("error", "given", "said"),
    [
        (UnknownGameError, {"game": "chess"}, "no game 'chess'"),
        (OptionError, {"game": "ethnos", "seats": 9}, "option seats: 9"),
        (RivalryError, {"game": "kuhn", "reward": "money"}, "reward 'money': expected one of rank, score"),
        (RivalryError, {"game": "kuhn", "render_mode": "gif"}, "render mode 'gif': expected ansi"),
        (RivalryError, {"game": Sealed(), "seats": 3}, "made already"),
    ],
)
def test_what_cannot_be_used_is_said(error, given, said):
    with pytest.raises(error, match=said):
        env(**given)


def test_a_seed_that_is_none_is_refused():
    with pytest.raises(RivalryError, match="seed 5: expected text"):
        env("kuhn").reset(options={"seed": 5})
