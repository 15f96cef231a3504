from __future__ import annotations

import json
import re

import pytest

from rivalry_tournament.schedule import Schedule, read

FLAGS = ("--game", "kuhn", "--bot", "random", "--bot", "first", "--bot", "third=random", "--seed", "cup")


@pytest.fixture(autouse=True)
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


def plan(rivalry, *flags, bots=FLAGS):
    said = rivalry("tournament", "plan", *bots, *flags, "--json")
    assert said.status == 0, said.err
    return said.json()


def test_a_plan_counts_blocks_matches_and_seats(rivalry):
    said = plan(rivalry, "--kind", "round-robin", "--blocks", "5", "--match-time", "100ms", "--concurrency", "2")

    assert (said["blocks"], said["matches"], said["rounds"], said["more_rounds"]) == (15, 30, 1, False)
    assert said["each"]["third"] == {"blocks": 10, "matches": 20, "seats": 20}
    assert said["seconds"] == 1.5


def test_a_plan_for_people_says_what_is_promised_and_what_is_left_out(rivalry):
    said = rivalry("tournament", "plan", *FLAGS, "--kind", "swiss", "--rounds", "3")

    assert said.status == 0
    assert "1 block, 2 matches; later rounds follow from results" in said.out
    assert "a block with a match that is void, or still owed after its last attempt, is left out whole" in said.out


def test_flags_go_before_the_file_and_options_and_policies_are_joined(rivalry, here):
    (here / "cup.toml").write_text(
        'kind = "round-robin"\ngame = "ethnos"\nblocks = 2\n[entrants]\na = "random"\nb = "first"\n'
        '[options]\nedition = "second"\n[policies]\non_crash = "void"\n'
    )

    said = plan(
        rivalry, "cup.toml", "--blocks", "3", "--option", "seats=2", "--on-illegal", "end", "--write", "s.json", bots=()
    )
    settings = read(here / "s.json").settings

    assert (said["blocks"], said["seats"]) == (3, 2)
    assert settings.options["edition"] == "second"
    assert (settings.policies["on_crash"], settings.policies["on_illegal"]) == ("void", "end")


@pytest.mark.parametrize(
    ("flags", "complaint"),
    [
        ((), "rivalry tournament plan: Missing argument 'FILE'"),
        (("nothing.toml",), "rivalry: nothing.toml: No such file or directory"),
        ((*FLAGS, "--kind", "cup"), "rivalry: --kind = 'cup'; expected round-robin"),
        ((*FLAGS, "--bot", "random"), "rivalry: --bot random: there is an entrant 'random'; give it another name"),
        ((*FLAGS, "--kind", "swiss", "--match-time", "x"), "rivalry tournament plan: --match-time x: expected 1ms"),
        (("--game", "kuhn", "--kind", "swiss"), "rivalry: the flags: no entrants; expected a table of at least two"),
        ((*FLAGS, "--kind", "knockout", "--blocks", "999999"), "rivalry: 1 table with 999999 blocks of 2 matches are"),
    ],
)
def test_bad_input_is_one_line_and_status_2(rivalry, flags, complaint):
    said = rivalry("tournament", "plan", *flags)

    assert (said.status, said.out) == (2, "")
    assert said.err.startswith(complaint)
    assert said.err.count("\n") == 1


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ('name = "a\\u202eb"', "cup.toml: name = 'a\\u202eb'; expected 1 to 80 printable characters"),
        ('name = "a\\u001b[31m"', "cup.toml: name = 'a\\x1b[31m'; expected 1 to 80 printable characters"),
        (f'name = "{"n" * 81}"', f"cup.toml: name = '{'n' * 58}…; expected 1 to 80 printable characters"),
        ('name = " a"', "cup.toml: name = ' a'; expected 1 to 80 printable characters, and no blanks around them"),
        ('"a\\u001bb" = 5', "cup.toml: a\\x1bb: there is no such key"),
        (
            'entrants.a = "cmd:a\\u0000b"',
            "cup.toml: entrants.a = 'cmd:a\\x00b'; expected a SPEC of printable characters",
        ),
        ('entrants.a = "cmd:\\u001b[2J"', "cup.toml: entrants.a = 'cmd:\\x1b[2J'; expected a SPEC of printable"),
        ('entrants."\\u202ea" = "random"', "cup.toml: entrants.\\u202ea: a name has 1 to 64 printable"),
        (
            f'entrants.{"n" * 5000} = "random"',
            f"cup.toml: entrants.{'n' * 40}…{'n' * 39}: a name has 1 to 64 printable",
        ),
        (f'entrants.a = "{"n" * 5000}:b"', f"cup.toml: entrants.a = '{'n' * 40}…{'n' * 39}': expected NAME, inproc:"),
        ('kind = "gauntlet"\nsubjects = ["\\u202e"]', "cup.toml: subjects: '\\u202e' is no entrant; expected one of"),
        (f'rotations = "{"r" * 5000}"', f"cup.toml: rotations: '{'r' * 59}; expected full, cyclic"),
    ],
)
def test_texts_that_a_terminal_should_not_see_are_escaped_and_long_ones_cut(rivalry, here, text, complaint):
    usual = {"kind": '"swiss"', "game": '"kuhn"', "entrants.b": '"random"', "entrants.c": '"first"'}
    rest = "\n".join(f"{key} = {value}" for key, value in usual.items() if f"{key} =" not in text)
    (here / "cup.toml").write_text(f"{text}\n{rest}\n", encoding="utf-8")

    said = rivalry("tournament", "plan", "cup.toml")

    assert said.status == 2
    assert said.err.startswith(f"rivalry: {complaint}")
    assert len(said.err) < 700 and said.err[:-1].isprintable()


def test_a_schedule_from_elsewhere_has_such_names_no_more_than_one_made_here(rivalry, here):
    plan(rivalry, "--kind", "round-robin", "--name", "the cup", "--write", "s.json")
    whole = (here / "s.json").read_text()
    for old, new, complaint in (
        ("the cup", "the\\u202ecup", "s.json: name the\\u202ecup; expected 1 to 80 printable characters"),
        ("the cup", "c" * 81, f"s.json: name {'c' * 40}…{'c' * 39}; expected 1 to 80 printable"),
        ('"third"', '"th\\u001bird"', "s.json: entrant th\\x1bird; a name has 1 to 64 printable characters"),
        (
            '"spec":"first"',
            '"spec":"cmd:a\\u0000b"',
            "s.json: entrant first: cmd:a\\x00b; expected a SPEC of printable",
        ),
    ):
        assert old in whole
        (here / "s.json").write_text(whole.replace(old, new))
        said = rivalry("tournament", "check", "s.json")
        assert said.status == 2 and said.err.startswith(f"rivalry: {complaint}"), said.err


def test_what_a_check_finds_is_escaped_and_cut(rivalry, here):
    plan(rivalry, "--kind", "round-robin", "--write", "s.json")
    value = json.loads((here / "s.json").read_bytes())
    value["rounds"][0]["blocks"][0]["bots"][0] = "\u202e" * 500
    (here / "s.json").write_text(json.dumps(value))

    said = rivalry("tournament", "check", "s.json")

    assert said.status == 1
    assert "\\u202e" in said.err and "\u202e" not in said.out + said.err and len(said.err) < 600


def test_a_file_may_begin_with_a_byte_order_mark(rivalry, here):
    text = 'kind = "swiss"\ngame = "kuhn"\n[entrants]\na = "random"\nb = "first"\n'
    (here / "cup.toml").write_text(text, encoding="utf-8-sig")

    assert plan(rivalry, "cup.toml", bots=())["blocks"] == 1


def test_a_schedule_that_holds_is_status_0_and_a_changed_one_1(rivalry, here):
    plan(rivalry, "--kind", "round-robin", "--write", "s.json")
    value = json.loads((here / "s.json").read_bytes())
    seats = value["rounds"][0]["blocks"][1]["matches"][0]["seats"]
    seats[0], seats[1] = seats[1], seats[0]
    (here / "changed.json").write_text(json.dumps(value))

    held, changed = rivalry("tournament", "check", "s.json", "--json"), rivalry("tournament", "check", "changed.json")

    assert held.status == 0
    assert held.json()["held"] is True
    assert changed.status == 1
    assert re.search("^NO +in every block each bot is on every seat equally often", changed.out, re.MULTILINE)
    assert changed.err.startswith("rivalry: changed.json: ")


def test_a_schedule_is_not_written_over(rivalry):
    plan(rivalry, "--kind", "round-robin", "--write", "s.json")

    said = rivalry("tournament", "plan", *FLAGS, "--kind", "swiss", "--write", "s.json")

    assert said.status == 2
    assert "s.json: File exists" in said.err


def test_what_is_no_schedule_is_status_2(rivalry, here):
    (here / "s.json").write_text("{}")

    said = rivalry("tournament", "check", "s.json")

    assert said.status == 2
    assert said.err == "rivalry: s.json: schedule format None; expected 1\n"


def test_the_same_settings_give_the_same_bytes(rivalry, here):
    plan(rivalry, "--kind", "double-knockout", "--write", "one.json")
    plan(rivalry, "--kind", "double-knockout", "--write", "other.json")

    assert (here / "one.json").read_bytes() == (here / "other.json").read_bytes()
    assert isinstance(read(here / "one.json"), Schedule)


def test_a_trial_tells_from_matches_that_are_played_how_long_it_takes(rivalry):
    bots = ("--game", "kuhn", "--bot", "a=inproc:random", "--bot", "b=inproc:first", "--kind", "round-robin")

    said = plan(rivalry, "--trial", "--blocks", "1000", bots=bots)

    assert 0 < said["seconds"] < 100
