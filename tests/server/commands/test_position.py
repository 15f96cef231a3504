from __future__ import annotations

import io
import json
import sys

import pytest

from rivalry_engine.kuhn import KuhnState

DEAL = {"game": "kuhn", "seed": "0x78", "cards": ["king", "jack"]}


@pytest.fixture
def deal(tmp_path):
    path = tmp_path / "deal.json"
    path.write_text(json.dumps(DEAL), encoding="utf-8")
    return path


def test_new_prints_the_position_of_a_seed(rivalry):
    position = rivalry("position", "new", "--game", "kuhn", "--option", "seats=2", "--seed", "x").json()

    assert position["seed"] == "0x78"
    assert position == rivalry("position", "new", "--game", "kuhn", "--seed", "0x78").json()


def test_new_without_a_seed_is_by_chance(rivalry):
    first = rivalry("position", "new", "--game", "kuhn").json()
    second = rivalry("position", "new", "--game", "kuhn").json()

    assert first["seed"] != second["seed"]


def test_show_prints_every_key(rivalry, deal):
    assert rivalry("position", "show", deal).json() == {**DEAL, "options": {"seats": 2}, "moves": []}


def test_a_position_is_read_from_stdin(rivalry, monkeypatch):
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(json.dumps(DEAL).encode())))

    assert rivalry("position", "show", "-").json()["cards"] == ["king", "jack"]


def test_observe_tells_a_seat_its_own_and_the_public_less(rivalry, deal):
    assert rivalry("position", "observe", deal, "--seat", "0").json()["card"] == "king"
    assert rivalry("position", "observe", deal, "--seat", "1").json()["card"] == "jack"
    assert rivalry("position", "observe", deal).json()["card"] is None


def test_observe_tells_it_as_text_too(rivalry, deal):
    said = rivalry("position", "observe", deal, "--seat", "0", "--text")

    assert said.status == 0
    assert said.out.splitlines()[:2] == ["Kuhn poker: you are seat 0", "Your card: king"]
    assert "card" not in rivalry("position", "observe", deal, "--text").out.lower()


def test_legal_lists_movers_prompt_and_choices(rivalry, deal):
    assert rivalry("position", "legal", deal).json() == {
        "movers": [0],
        "prompt": "open",
        "choices": [
            {"index": 0, "text": "pass", "parts": [], "least": 0, "most": 0, "usual": 0},
            {"index": 1, "text": "bet", "parts": [], "least": 0, "most": 0, "usual": 0},
        ],
    }


def test_legal_of_a_seat_that_is_not_asked_is_refused(rivalry, deal):
    said = rivalry("position", "legal", deal, "--seat", "1")

    assert said.status == 2
    assert "not asked now; expected one of 0" in said.err


def test_apply_plays_notation(rivalry, deal, tmp_path):
    said = rivalry("position", "apply", deal, "pass", "bet", "bet")
    over = tmp_path / "over.json"
    over.write_text(said.out, encoding="utf-8")

    assert said.json()["moves"] == ["pass", "bet", "bet"]
    assert rivalry("position", "legal", over).json() == {"movers": [], "prompt": None, "choices": []}


@pytest.mark.parametrize(
    ("actions", "complaint"),
    [
        (["fold"], "'fold' is no action of Kuhn poker"),
        (["pass", "pass", "bet"], "action 3, 'bet': the game is over"),
        (["--seat", "1", "bet"], "--seat 1: not asked now; expected one of 0"),
        (["--seat", "7", "bet"], "--seat 7: expected a seat from 0 to 1"),
    ],
)
def test_apply_refuses_what_cannot_be_done(rivalry, deal, actions, complaint):
    said = rivalry("position", "apply", deal, *actions)

    assert said.status == 2
    assert complaint in said.err
    assert said.out == ""


@pytest.fixture
def boards(tmp_path):
    """A position in which seats 0, 1 and 3 of four are asked at once."""
    owner, other = {"hand": [], "orc_board": ["red", "blue"]}, {"hand": []}
    options = {"edition": "second", "seats": 4, "clans": ["monkey", "bear", "tiger", "raven", "dog", "koi"]}
    asked = {"pending": {"kind": "empty"}, "movers": [0, 1, 3], "third_dragon": 0, "dragons": 3}
    path = tmp_path / "boards.json"
    position = {"game": "ethnos", "options": options, "seats": [owner, owner, other, owner], **asked}
    path.write_text(json.dumps(position), encoding="utf-8")
    return path


@pytest.mark.parametrize(
    ("actions", "missing"),
    [
        (["empty"], "the actions of seats 1 and 3 are missing"),
        (["empty", "keep board"], "the action of seat 3 is missing"),
        (["--seat", "3", "empty"], "the actions of seats 0 and 1 are missing"),
    ],
)
def test_apply_drops_no_answer_of_those_who_are_asked_at_once(rivalry, boards, actions, missing):
    said = rivalry("position", "apply", boards, *actions)

    assert said.status == 2
    assert f"{missing}: seats 0, 1 and 3 are asked at once" in said.err
    assert said.err.count("\n") == 1
    assert said.out == ""


def test_apply_plays_the_answers_of_all_who_are_asked_at_once(rivalry, boards):
    after = rivalry("position", "apply", boards, "empty", "keep board", "empty").json()

    assert [seat["orc_board"] for seat in after["seats"]] == [[], ["red", "blue"], [], []]
    assert after["age"] == 2


def test_apply_may_end_where_several_are_asked_at_once(rivalry, boards, tmp_path):
    before = tmp_path / "before.json"
    drawn = json.loads(boards.read_text(encoding="utf-8"))
    del drawn["pending"], drawn["third_dragon"]
    before.write_text(json.dumps({**drawn, "movers": [2], "dragons": 2, "deck": ["dragon"], "face_up": []}))

    assert rivalry("position", "apply", before, "draw").json()["movers"] == [0, 1, 3]


def test_imagine_keeps_what_the_seat_knows(rivalry, deal):
    imagined = rivalry("position", "imagine", deal, "--seat", "0", "--seed", "s").json()

    assert imagined["cards"][0] == "king"
    assert imagined == rivalry("position", "imagine", deal, "--seat", "0", "--seed", "s").json()


@pytest.mark.parametrize(
    ("content", "complaint"),
    [
        ("{", "not JSON"),
        ("[]", "a position is a JSON object"),
        ('{"game": "chess"}', "there is no game 'chess'"),
        ('{"game": "kuhn", "cards": ["king", "king"]}', "position key cards"),
        ('{"game": "kuhn", "colour": 1}', "position key colour: unknown"),
    ],
)
def test_a_bad_position_is_refused_in_one_line_naming_the_key(rivalry, tmp_path, content, complaint):
    path = tmp_path / "bad.json"
    path.write_text(content, encoding="utf-8")

    said = rivalry("position", "show", path)

    assert said.status == 2
    assert said.err.count("\n") == 1
    assert complaint in said.err


def test_a_file_that_is_not_there_is_named(rivalry, tmp_path):
    said = rivalry("position", "show", tmp_path / "nothing.json")

    assert said.status == 2
    assert "nothing.json" in said.err


def test_help_cuts_no_text_short(rivalry):
    assert "..." not in rivalry("position", "--help").out.partition("Commands:")[2]


def test_an_imagined_state_whose_position_is_one_of_another_is_told_and_not_printed(rivalry, tmp_path, monkeypatch):
    file = tmp_path / "position.json"
    file.write_text(rivalry("position", "new", "--game", "kuhn", "--seed", "x").out, encoding="utf-8")
    whole = KuhnState.position
    monkeypatch.setattr(KuhnState, "position", lambda self: {**whole(self), "cards": ["king", "queen"]})
    seen = rivalry("position", "observe", file, "--seat", "0").json()

    said = rivalry("position", "imagine", file, "--seat", "0", "--seed", "y")

    assert seen["card"] == "jack" and (said.status, said.out, said.err.count("\n")) == (2, "", 1)
    assert "the game kuhn failed: the position of the state that it imagined is one of another state, in" in said.err
