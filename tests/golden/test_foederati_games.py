"""The golden games of Foederati are played again, action by action, and come out as they are written."""

import json

import pytest

from golden import foederati_games, make
from rivalry_engine.foederati import Foederati


def written(name: str) -> str:
    return (make.HERE / f"{name}.txt").read_text()


@pytest.mark.parametrize("name", foederati_games.GAMES)
def test_a_golden_game_comes_out_as_it_is_written(name):
    options, seed = foederati_games.GAMES[name]
    actions = [line.split(" | ", 1)[1] for line in written(name).splitlines() if " | " in line]

    assert foederati_games.told(Foederati(options), seed, actions) == written(name)


@pytest.mark.parametrize("name", foederati_games.GAMES)
def test_chance_draws_the_same_actions_again(name):
    options, seed = foederati_games.GAMES[name]

    assert foederati_games.told(Foederati(options), seed) == written(name)


def test_every_command_and_every_question_comes_up_in_the_golden_games():
    lines = [line for name in foederati_games.GAMES for line in written(name).splitlines() if " | " in line]
    commands = {line.split(" | ")[1].split()[0] for line in lines}

    assert {line.split(" | ")[0].split()[-1] for line in lines} == {"placement", "turn", "battle", "first"}
    assert commands == {
        "place", "expand", "attack", "migrate", "sail", "exchange", "end", "pass", "reinforce", "yield", "choose",
    }  # fmt: skip


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_eight_games_end_as_the_table_says(seats):
    table = json.loads(foederati_games.TABLE.read_text())

    assert table["rules_version"] == Foederati.rules_version
    assert [foederati_games.result(seats, number) for number in range(foederati_games.RESULTS)] == table[str(seats)]
