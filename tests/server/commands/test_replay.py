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


def test_a_position_between_answers_that_are_asked_at_once_is_refused_with_those_that_are_whole(rivalry, tmp_path):
    owner, other = {"hand": [], "orc_board": ["red", "blue"]}, {"hand": []}
    options = {"edition": "second", "seats": 4, "clans": ["monkey", "bear", "tiger", "raven", "dog", "koi"]}
    asked = {"pending": {"kind": "empty"}, "movers": [0, 1, 3], "third_dragon": 0, "dragons": 3}
    position, game, cut = tmp_path / "position", tmp_path / "game", tmp_path / "cut"
    seats = [owner, owner, other, owner]
    position.write_text(json.dumps({"game": "ethnos", "options": options, "seats": seats, **asked}), encoding="utf-8")
    bots = ["--bot", "inproc:first"] * 4
    assert rivalry("match", "--game", "ethnos", "--position", position, *bots, "--record", game).status == 0
    cut.write_text("".join(game.read_text(encoding="utf-8").splitlines(keepends=True)[:3]), encoding="utf-8")

    before, one, two, whole = (rivalry("replay", game, "--after", number) for number in range(4))
    broken_off = rivalry("replay", cut, "--after", 2)

    assert (before.status, whole.status) == (0, 0)
    assert before.json()["movers"] == [0, 1, 3]
    for number, said in ((1, one), (2, two)):
        assert (said.status, said.out, said.err.count("\n")) == (2, "", 1)
        assert f"--after {number}: between the answers of several who are asked at once" in said.err
        assert "; expected 0 or 3; see" in said.err
    assert "; expected 0; see" in broken_off.err


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
