"""Which games there are, with which options, and what is refused in which words."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

import pytest

from rivalry_engine import catalog
from rivalry_engine.error import OptionError, RivalryError, UnknownGameError
from rivalry_openspiel import bounds, known, library, parameters, state, trial

pyspiel = pytest.importorskip("pyspiel")


def test_the_family_lists_what_can_be_played_without_parameters() -> None:
    family = catalog.family("openspiel")

    assert family is not None
    names = family.names()
    assert list(names) == sorted(names)
    assert {"chess", "kuhn_poker", "goofspiel", "python_tic_tac_toe"} < set(names)
    assert not {"misere", "efg_game", "mfg_garnet", "crossword"} & set(names)


def test_nothing_of_openspiel_is_imported_before_a_game_of_it_is_asked_for() -> None:
    code = (
        "import sys; from rivalry_engine import catalog; catalog.names(); catalog.family('openspiel');"
        "catalog.game('kuhn'); sys.exit('pyspiel' in sys.modules)"
    )

    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_without_openspiel_it_is_said_how_to_install_it(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(name: str) -> Any:
        raise ImportError(f"No module named {name!r}")

    library.pyspiel.cache_clear()
    monkeypatch.setattr(library, "import_module", missing)
    try:
        with pytest.raises(RivalryError, match=r"pip install -e '\.\[openspiel\]'"):
            library.pyspiel()
    finally:
        library.pyspiel.cache_clear()


def test_seats_and_parameters_are_options_and_stand_in_the_record() -> None:
    game = catalog.game("openspiel:goofspiel", {"seats": 3, "imp_info": True, "num_cards": 4})

    assert game.seats == 3
    assert game.options_given() == {"seats": 3, "imp_info": True, "num_cards": 4}
    assert game.new_state(b"x").setup().json()["openspiel"] == "goofspiel(imp_info=True,num_cards=4,players=3)"
    assert game.new_state(b"x").setup().json()["information"] == "imperfect_information"


def test_parameters_in_the_name_are_settled_and_no_options_any_more() -> None:
    rules = catalog.rules("openspiel:kuhn_poker(players=3)")

    assert [option.name for option in rules.options_declared()] == ["seats"]
    assert list(rules.seat_counts) == [3]
    assert rules is catalog.rules("openspiel:kuhn_poker(players=3)")


def test_a_game_within_a_game_is_named_in_the_name() -> None:
    rules = catalog.rules("openspiel:misere(game=tic_tac_toe())")

    assert rules.title == "Misere Tic Tac Toe"
    assert rules.seat_counts == range(2, 3)


@pytest.mark.parametrize(
    ("name", "kind", "words"),
    [
        ("nope", UnknownGameError, "OpenSpiel has no game 'nope'"),
        ("a b", UnknownGameError, "expected a name of OpenSpiel's"),
        ("kuhn_poker(", UnknownGameError, "expected a name of OpenSpiel's"),
        ("mfg_garnet", RivalryError, "mean-field"),
        ("efg_game(filename=/etc/passwd)", RivalryError, "reads its rules from a file"),
        ("misere(game=bargaining(instances_file=/etc/passwd))", OptionError, "instances_file names a file"),
        ("tarok(rng_seed=3)", OptionError, "rng_seed follows from the seed"),
        ("misere", OptionError, "needs parameters out of game"),
        ("crossword", RivalryError, "actions are structures"),
        ("kuhn_poker(players=99)", OptionError, "num_players_ = 99"),
    ],
)
def test_what_cannot_be_played_is_refused_with_the_reason(name: str, kind: type[RivalryError], words: str) -> None:
    with pytest.raises(kind, match=words):
        catalog.rules(f"openspiel:{name}")


def test_parameters_that_would_end_the_process_are_found_in_another() -> None:
    with pytest.raises(OptionError, match="need 3; OpenSpiel then failed altogether"):
        catalog.game("openspiel:universal_poker", {"seats": 3})


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"komi": "much"}, "expected a decimal number, such as 7.5"),
        ({"komi": "7.50"}, "write it as 7.5"),
        ({"board_size": 1 << 40}, "an integer of 32 bits"),
        ({"colour": 1}, "has no option 'colour'"),
    ],
)
def test_an_option_that_is_none_is_refused(options: dict[str, Any], words: str) -> None:
    with pytest.raises(OptionError, match=words):
        catalog.game("openspiel:go", options)


def test_no_option_names_a_file() -> None:
    for short, kind in library.registered().items():
        declared = parameters.declared(kind.parameter_specification, {})
        assert not any("file" in option.name or "root" in option.name for option in declared), short


def test_what_is_said_of_a_game_is_said_of_one_that_openspiel_has() -> None:
    assert known.RESAMPLED | known.HEAVY | set(known.IMPOSSIBLE) <= set(library.registered())


@pytest.mark.parametrize(
    ("name", "options", "words"),
    [
        ("liars_dice(numdice=1000000)", {}, "draws chance or moves more than 2000 times before a seat is asked"),
        ("liars_dice", {"numdice": 1_000_000}, "draws chance or moves more than 2000 times before a seat is asked"),
        ("goofspiel(num_cards=100000)", {}, "it has 100000 legal actions at once; at most 20000"),
        ("connect_four(rows=40000,columns=40000)", {}, "more than 1024 MiB of memory"),
    ],
)
def test_a_game_that_needs_too_much_is_refused_with_the_reason(name: str, options: dict[str, Any], words: str) -> None:
    with pytest.raises(OptionError, match=words):
        catalog.game(f"openspiel:{name}", options)


@pytest.mark.parametrize(
    ("name", "options", "heavy"),
    [
        ("hex(board_size=5)", {}, False),
        ("kuhn_poker(players=3)", {}, False),
        ("liars_dice", {}, False),
        ("liars_dice", {"numdice": 3}, False),
        ("bridge(dealer_vul=true)", {}, True),
        ("bridge", {"dealer_vul": True}, True),
    ],
)
def test_ordinary_parameters_are_taken_and_slow_ones_make_a_game_heavy(
    name: str, options: dict[str, Any], heavy: bool
) -> None:
    game = catalog.game(f"openspiel:{name}", options)

    assert game.heavy is heavy
    assert game.new_state(b"seed").movers()


class Processor:
    """A processor on which everything takes a little less than makes a game heavy, and one thing much more."""

    def __init__(self, held_up: int) -> None:
        self.now, self.asked, self.held_up = 0.0, 0, held_up
        self.usual = 0.9 * bounds.HEAVY_S

    def time(self) -> float:
        self.asked += 1
        self.now += 1.0 if self.asked == self.held_up else self.usual
        return self.now


def test_what_a_busy_machine_made_long_once_makes_no_game_heavy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(library, "_within", [True])
    for held_up in range(2, 24, 2):  # at the end of the loading, of the first state, of a step
        monkeypatch.setattr(trial.time, "process_time", Processor(held_up).time)
        assert not trial._played("tic_tac_toe", {})
    monkeypatch.setattr(bounds, "HEAVY_S", bounds.HEAVY_S / 2)
    processor = Processor(0)
    processor.usual *= 2
    monkeypatch.setattr(trial.time, "process_time", processor.time)
    assert trial._played("tic_tac_toe", {})


def test_a_state_that_draws_without_end_is_no_state(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(state, "UNASKED_MOST", 1)

    with pytest.raises(RivalryError, match="more than 1 times before a seat is asked"):
        catalog.game("openspiel:kuhn_poker").new_state(b"seed")
