from __future__ import annotations

import json

import pytest

from server.commands.recorded import lines


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "game.jsonl"
    path.write_text(lines(), encoding="utf-8")
    return path


def test_a_game_is_shown_move_by_move_with_its_outcome(rivalry, file):
    said = rivalry("replay", file)

    assert said.status == 0
    shown = said.out.splitlines()
    assert shown[0].startswith("kuhn (seats 2), seed 0x78, match 0000")
    assert shown[1:3] == ["  seat 0: random 1", "  seat 1: first 1"]
    assert shown[3].startswith("   1  seat 0 random: ")
    assert any(line.startswith("        seat ") and " wins " in line for line in shown)
    assert not any("seat 0: bet" in line for line in shown)
    assert shown[-3].split() == ["rank", "seat", "bot", "score", "end"]


def test_json_holds_the_moves_with_the_scores_after_each(rivalry, file):
    game = rivalry("replay", file, "--json").json()

    assert [move["n"] for move in game["moves"]] == list(range(1, len(game["moves"]) + 1))
    assert game["moves"][-1]["scores"] == game["outcome"]["scores"]


def test_a_record_that_breaks_off_is_shown_as_far_as_it_goes(rivalry, file):
    file.write_text("".join(lines().splitlines(keepends=True)[:-1]), encoding="utf-8")

    said = rivalry("replay", file)

    assert said.status == 0
    assert "breaks off after" in said.out


def test_the_position_after_some_actions_can_be_played_on(rivalry, file, tmp_path):
    said = rivalry("replay", file, "--after", 1)
    position = tmp_path / "position.json"
    position.write_text(said.out, encoding="utf-8")

    assert len(json.loads(said.out)["moves"]) == 1
    assert rivalry("position", "legal", position).json()["movers"] == [1]


def test_a_position_beyond_the_end_is_refused(rivalry, file):
    said = rivalry("replay", file, "--after", 99)

    assert said.status == 2
    assert "--after 99" in said.err


def test_a_damaged_record_is_status_1(rivalry, file):
    file.write_text(lines().replace('"us":12', '"us":13', 1), encoding="utf-8")

    assert rivalry("replay", file).status == 1


def test_a_record_cut_within_a_line_is_shown_as_far_as_it_is_whole(rivalry, file):
    file.write_text(lines()[:-40], encoding="utf-8")

    said = rivalry("replay", file)

    assert said.status == 0
    assert "breaks off after" in said.out
    assert f"{file}: cut within line {len(lines().splitlines())}; what is whole" in said.err
    assert said.err.count("\n") == 1
