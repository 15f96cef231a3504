"""The golden games are played again, action by action, and come out as they are written."""

import json

import pytest

from golden import make
from rivalry_engine.ethnos import Ethnos


def actions_of(text: str) -> list[str]:
    return [line.split(" | ", 1)[1] for line in text.splitlines() if " | " in line]


@pytest.mark.parametrize("name", make.GAMES)
def test_a_golden_game_comes_out_as_it_is_written(name):
    written = (make.HERE / f"{name}.txt").read_text()
    options, seed = make.GAMES[name]

    assert make.told(Ethnos(options), seed, actions_of(written)) == written


@pytest.mark.parametrize("name", make.GAMES)
def test_chance_draws_the_same_actions_again(name):
    written = (make.HERE / f"{name}.txt").read_text()
    options, seed = make.GAMES[name]

    assert make.told(Ethnos(options), seed) == written


def test_every_tribe_and_every_question_comes_up_in_the_golden_games():
    texts = [(make.HERE / f"{name}.txt").read_text() for name in make.GAMES]
    tribes = {word for text in texts for word in text.split("tribes: ")[1].split("\n")[0].split(", ")}
    questions = {line.split(" | ")[0].split()[-1] for text in texts for line in text.splitlines() if " | " in line}

    assert len(tribes) == 13 + 12
    assert questions == {
        "target",
        "turn",
        "marker",
        "advance",
        "bonus",
        "horde",
        "token",
        "further",
        "keep",
        "draw",
        "empty",
    }


@pytest.mark.parametrize("seats", [2, 3, 4, 5, 6])
def test_forty_games_end_as_the_table_says(seats):
    table = json.loads(make.TABLE.read_text())

    assert table["rules_version"] == Ethnos.rules_version
    assert [make.result(seats, number) for number in range(make.RESULTS)] == table[str(seats)]


@pytest.mark.parametrize("seats", [2, 3, 4, 5, 6])
def test_ten_games_of_the_second_edition_end_as_the_table_says(seats):
    table = json.loads(make.SECOND_TABLE.read_text())

    assert table["rules_version"] == Ethnos.rules_version
    assert [make.second_result(seats, number) for number in range(make.RESULTS // 4)] == table[str(seats)]


def test_the_rulesets_of_the_second_edition_differ_in_small_games_alone():
    table = json.loads(make.SECOND_TABLE.read_text())

    for seats in range(2, 7):
        differ = [standard != literal for standard, _, literal, _ in table[str(seats)]]
        assert any(differ) is (seats < 4)


def test_a_golden_file_does_not_change_under_the_same_rules_version(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(make, "HERE", tmp_path)
    monkeypatch.setattr(make, "TABLE", tmp_path / "table.json")
    monkeypatch.setattr(make, "SECOND_TABLE", tmp_path / "second.json")
    monkeypatch.setattr(make, "RESULTS", 1)
    monkeypatch.setattr(make, "GAMES", {"one": ({"seats": 2}, "one")})
    assert make.main() == 0
    whole = (tmp_path / "one.txt").read_text()
    assert make.main() == 0

    (tmp_path / "one.txt").write_text(whole + "more\n")
    assert make.main() == 1
    assert "one.txt would change" in capsys.readouterr().err
    assert (tmp_path / "one.txt").read_text() == whole + "more\n"

    (tmp_path / "one.txt").write_text(whole.replace("rules_version: 1", "rules_version: 0"))
    assert make.main() == 0
    assert (tmp_path / "one.txt").read_text() == whole
