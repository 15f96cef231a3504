from __future__ import annotations

import os
import pty

import pytest

from rivalry_engine.chance import seed_from_text
from rivalry_engine.error import RivalryError
from rivalry_server.policies import ENDS
from rivalry_tournament import given, names, reading, times
from rivalry_tournament.given import SettingsError, Value
from rivalry_tournament.settings import Entrant, Kind, Settings

CUP = """
name = "The cup"
kind = "round-robin"
game = "ethnos"
seats = 4
seed = "cup"
blocks = 6
concurrency = "auto"
[entrants]
greedy = "greedy"
hoarder = "hoarder"
chance = "random"
another = "random"
[options]
edition = "second"
[policies]
on_crash = "retry 2 void"
"""


@pytest.fixture
def written(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)

    def settings(text, more=""):
        (tmp_path / "cup.toml").write_text(more + text, encoding="utf-8")
        return reading.settings(given.together("cup.toml", {}))

    return settings


def test_a_file_gives_the_settings_with_defaults_filled_in(written):
    read = written(CUP)

    assert (read.name, read.kind, read.game, read.seats, read.blocks) == ("The cup", Kind.ROUND_ROBIN, "ethnos", 4, 6)
    assert read.entrants[2] == Entrant("chance", "random")
    assert read.options["edition"] == "second"
    assert read.options["seats"] == 4
    assert read.seed == b"cup"
    assert (read.bots, read.rotations, read.splits, read.tables, read.seeds) == (4, "cyclic", "even", "auto", "shared")
    assert (read.time, read.load, read.wait, read.concurrency) == ("30s,first=30s", "1m", "60s", 0)
    assert (read.attempts, read.ids_of) == (3, "settings")
    assert read.policies["on_crash"] == "retry 2 void"
    assert set(read.policies) >= {f"on_{end}" for end in ENDS}
    assert Settings.of(read.json()) == read


@pytest.mark.parametrize(
    ("given_time", "time", "load"),
    [
        ("100ms", "100ms,first=10s", "1m"),
        ("100ms,soft=50ms,strikes=2", "100ms,soft=50ms,strikes=2,first=10s", "1m"),
        ("90s", "90s", ""),
        ("100ms,first=5s", "100ms,first=5s", ""),
        ("60s+1s", "60s+1s", ""),
        ("untimed", "untimed", ""),
    ],
)
def test_a_first_prompt_has_a_minute_only_while_a_bot_may_have_to_load(written, given_time, time, load):
    read = written(CUP, f'time = "{given_time}"\n')

    assert (read.time, read.load) == (time, load)
    assert written(CUP, f'time = "{read.time}"\n' + (f'load = "{load}"\n' if load else "")).json() == read.json()


@pytest.mark.parametrize("time", ["5s", "30s", "2s,bank=1m", "untimed", "1m+1s", "5s,first=20s", "90s", "5s,first=5s"])
@pytest.mark.parametrize("load", ["", "5m", "1m"])
def test_the_time_is_told_as_it_was_given_and_reads_as_the_same(time, load):
    def of(time, load):
        return given.Given({"time": Value("t", time)} | ({"load": Value("l", load)} if load else {}), "here")

    try:
        settled = times.read(of(time, load))
    except SettingsError:
        return
    told = times.written(*settled)

    assert times.read(of(*told)) == settled
    assert told[0] == time or "first=" in time
    assert load or told[1] == "" or "first=" in time


@pytest.mark.parametrize(
    ("given_seed", "told"),
    [
        ("kills", "kills"),
        ("a seed", "a seed"),
        ("0x6b696c6c73", "kills"),
        ("0x00ff", "0x00ff"),
        ("0x3078", "0x3078"),
        ("0x", "0x"),
        (" blank", "0x20626c616e6b"),
        ("ボ", "ボ"),
        ("a\u202eb", "0x61e280ae62"),
    ],
)
def test_a_seed_is_told_as_somebody_would_write_it(given_seed, told):
    seed = seed_from_text(given_seed)

    assert names.seed(seed) == told
    assert seed_from_text(names.seed(seed)) == seed


@pytest.mark.parametrize(
    ("entrants", "told"),
    [
        ('a = "greedy,random"\nb = "first"', "cup.toml: entrants.a: it is 2 of them in one text"),
        ('a = "cmd:x,y"\nb = "first"', ""),
    ],
)
def test_two_specs_in_one_text_are_told_to_be_given_each_by_itself(written, entrants, told):
    text = f'kind = "gauntlet"\ngame = "kuhn"\n[entrants]\n{entrants}\n'

    if told:
        with pytest.raises(SettingsError, match=told):
            written(text)
    else:
        written(text)


def test_two_subjects_in_one_flag_are_told_to_be_given_each_by_itself(rivalry):
    flags = ("--kind", "gauntlet", "--game", "kuhn", "--bot", "first", "--bot", "random", "--bot", "third=random")

    said = rivalry("tournament", "plan", *flags, "--subject", "first,random")

    assert (
        said.err.strip() == "rivalry: --subject first,random: give each by itself, as --subject first --subject random"
    )


def test_what_loading_may_take_is_the_organisers_to_say(written):
    assert written(CUP, 'time = "1s"\nload = "5m"\n').load == "5m"
    assert written(CUP, 'time = "1s,first=2s"\nload = "5s"\n').load == "5s"
    assert written(CUP, 'time = "1s,first=5s"\nload = "2s"\n').load == "", "no less than all first prompts"
    for wrong, complaint in (
        ('load = "soon"', "cup.toml: load: 'soon' is no time: expected a time from 1ms"),
        ("load = 5", "cup.toml: load = 5; expected a text"),
        ('time = "untimed"\nload = "5s"', "cup.toml: load: there is no limit for a prompt; leave it out"),
    ):
        with pytest.raises(SettingsError) as error:
            written(CUP, wrong + "\n")
        assert str(error.value).startswith(complaint)


def test_match_ids_follow_from_all_that_decides_how_matches_go(written):
    usual = written(CUP)
    other = ("seats = 4", "blocks = 6", 'edition = "second"', 'hoarder = "hoarder"')
    news = ("seats = 3", "blocks = 7", 'edition = "first"', 'hoarder = "first"')

    ids = {written(CUP, 'time = "1s"\n').ids(), usual.ids()}
    ids |= {written(CUP.replace(old, new)).ids() for old, new in zip(other, news, strict=True)}

    assert len(ids) == 6
    same = CUP.replace('"auto"', "3").replace("The cup", "A cup") + "\n"
    assert written(same).ids() == usual.ids(), "neither its name nor how many run at once"
    assert Settings.of(usual.json()).ids() == usual.ids()


def test_a_schedule_of_before_keeps_its_ids_and_its_time(written):
    value = written(CUP).json()
    del value["ids_of"], value["load"]

    read = Settings.of({**value, "time": "2s"})

    assert (read.ids(), read.time, read.load) == (b"cup", "2s", "")


def test_with_a_person_one_match_runs_at_once(written):
    ours, theirs = pty.openpty()
    text = CUP.replace('hoarder = "hoarder"', f'me = "human?terminal={os.ttyname(theirs)}"')

    assert written(text).concurrency == 1
    with pytest.raises(
        SettingsError, match=r"cup\.toml: concurrency: 2 matches at once; expected 1, since me is a per"
    ):
        written(text.replace('"auto"', "2"))
    os.close(ours)
    os.close(theirs)


def test_a_seed_that_is_not_given_is_drawn(written):
    text = CUP.replace('seed = "cup"\n', "")

    assert written(text).seed != written(text).seed


@pytest.mark.parametrize(
    ("old", "new", "complaint"),
    [
        ("", "blocks 3", "cup.toml: Expected '=' after a key"),
        ('kind = "round-robin"\n', "", "cup.toml: no kind; expected round-robin, gauntlet"),
        ('"round-robin"', '"ladder"', "cup.toml: kind = 'ladder'; expected round-robin, gauntlet"),
        ('game = "ethnos"\n', "", "cup.toml: no game; expected the name of a game"),
        ('"ethnos"', '"chess"', "cup.toml: game: there is no game 'chess'; installed are"),
        ("seats = 4", "seats = 7", "cup.toml: seats = 7; expected a whole number, 2 to 6"),
        ("seats = 4", "seats = 4\nbots = 5", "cup.toml: bots = 5; expected a whole number, 2 to 4"),
        ("blocks = 6", "blocks = 0", "cup.toml: blocks = 0; expected a whole number, 1 to 1000000"),
        ("blocks = 6", "blocks = true", "cup.toml: blocks = True; expected a whole number"),
        ("blocks = 6", "block = 6", "cup.toml: block: there is no such key; expected name, kind"),
        ("blocks = 6", "rounds = 6", "cup.toml: rounds: goes with kind swiss, not with round-robin; leave it out"),
        ("blocks = 6", 'rotations = "some"', "cup.toml: rotations: 'some'; expected full, cyclic, or balanced N"),
        ("blocks = 6", 'splits = "all"', "cup.toml: splits: every bot has one seat here; leave it out"),
        (
            "blocks = 6",
            'bots = 2\nrotations = "cyclic"',
            "cup.toml: rotations = 'cyclic'; expected full, since two bots",
        ),
        (
            "blocks = 6",
            'bots = 3\nrotations = "balanced 8"',
            "cup.toml: rotations = 'balanced 8'; expected full or cyc",
        ),
        ("blocks = 6", 'time = "fast"', "cup.toml: time: time 'fast': expected a time"),
        ("blocks = 6", 'wait = "1h"', "cup.toml: wait: '1h' is no time"),
        ("blocks = 6", 'seed = "0x1"', "cup.toml: Cannot overwrite a value"),
        ('"cup"', '"0x1"', "cup.toml: seed: seed '0x1': expected 0x and an even number"),
        ('"cup"', "7", "cup.toml: seed = 7; expected a text"),
        ('"auto"', "999", "cup.toml: concurrency = 999; expected a whole number, 0 to 256"),
        ('greedy = "greedy"', 'greedy = "gredy"', "cup.toml: entrants.greedy = 'gredy': there is no bot 'gredy'"),
        ('greedy = "greedy"', "greedy = 1", "cup.toml: entrants.greedy = 1; expected a SPEC: NAME"),
        ('greedy = "greedy"', '" g" = "greedy"', "cup.toml: entrants. g: a name has 1 to 64 printable characters"),
        ("[entrants]", "[entrant]", "cup.toml: entrant: there is no such key"),
        ('edition = "second"', 'edition = "third"', "cup.toml: options: option edition: 'third' is not allowed"),
        ('edition = "second"', "seats = 4", "cup.toml: options.seats: seats is given by cup.toml: seats as well"),
        ("on_crash", "on_fire", "cup.toml: policies.on_fire: there is no such policy; expected on_illegal"),
        ('"retry 2 void"', '"replay"', "cup.toml: policies.on_crash: policy 'replay'; expected one of"),
        ('"retry 2 void"', "3", "cup.toml: policies.on_crash = 3; expected a text"),
    ],
)
def test_what_is_wrong_is_told_with_file_key_what_came_and_what_was_expected(written, old, new, complaint):
    assert old in CUP

    with pytest.raises(RivalryError) as error:
        written(CUP.replace(old, new, 1) if old else CUP + new)

    assert str(error.value).startswith(complaint)


@pytest.mark.parametrize(
    ("lines", "complaint"),
    [
        ('kind = "gauntlet"\nsubjects = "x"', "cup.toml: subjects: 'x' is no entrant; expected one of a, b, c"),
        (
            'kind = "gauntlet"\nsubjects = ["a", "b", "c"]',
            "cup.toml: subjects = ['a', 'b', 'c']; expected at least one",
        ),
        ('kind = "gauntlet"\nsubjects = ["a", "a"]', "cup.toml: subjects = ['a', 'a']; expected each name once"),
        ('kind = "gauntlet"\nsubjects = [1]', "cup.toml: subjects = [1]; expected a list of names"),
        ('kind = "swiss"\nrounds = 4', "cup.toml: rounds = 4; expected a whole number, 1 to 3"),
        ('kind = "evaluation"\nseeds = "own"', "cup.toml: seeds = 'own'; expected shared: subjects"),
        ('kind = "knockout"\nbots = 2', "cup.toml: bots: goes with kind round-robin or swiss, not with knockout"),
        (
            'kind = "evaluation"\nrotations = "balanced 2"\nseats = 4\ngame = "ethnos"',
            "cup.toml: rotations: 'balanced 2'",
        ),
        (
            'kind = "evaluation"\nrotations = "balanced 8"\nseats = 4\ngame = "ethnos"',
            "cup.toml: rotations = 'balanced 8'; expected full or cyclic, since a field of 2 has bots on several seats",
        ),
    ],
)
def test_what_does_not_go_with_the_kind_is_told(written, lines, complaint):
    game = "" if "game" in lines else '\ngame = "kuhn"'

    with pytest.raises(SettingsError) as error:
        written(f'{lines}{game}\n[entrants]\na = "random"\nb = "random"\nc = "random"\n')

    assert str(error.value).startswith(complaint)


def test_a_file_that_is_no_text_is_told(tmp_path):
    path = tmp_path / "cup.toml"
    path.write_bytes(b"\xff")

    with pytest.raises(SettingsError, match="expected TOML, which is UTF-8"):
        given.of_file(str(path))
