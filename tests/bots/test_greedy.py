"""greedy's judgement, position by position."""

from __future__ import annotations

from typing import Any

from rivalry_bots import catalog as bots
from rivalry_bots.plan import lasts, unseen
from rivalry_engine.ethnos import Ethnos
from rivalry_engine.ethnos.cards import copies
from rivalry_engine.ethnos.sight import EthnosObservation
from rivalry_engine.game import State
from rivalry_engine.playout import Chooser, play
from rivalry_engine.prompt import Answer, StatePrompt, judged

TRIBES = ["elves", "orcs", "trolls", "skeletons", "giants", "wizards"]
TOKENS = {name: [2, 4, 6] for name in ("Ithys", "Althea", "Pelagon")} | {
    "Straton": [4, 6, 8],
    "Duris": [8, 8, 10],
    "Rhea": [0, 0, 10],
}


def at(hand: list[str], row: list[str], **keys: Any) -> State:
    """A four-seat position with seat 0 to move."""
    position = {
        "game": "ethnos",
        "options": {"seats": 4, "tribes": keys.pop("tribes", TRIBES)},
        "movers": [0],
        "glory_tokens": TOKENS,
        "face_up": row,
        "seats": [{"hand": hand, **keys.pop("me", {})}, {}, {}, {}],
        **keys,
    }
    return Ethnos({"seats": 4, "tribes": position["options"]["tribes"]}).state_at(position)  # type: ignore[index]


def said(state: State) -> str:
    """What greedy does, as notation."""
    prompt = StatePrompt(state, 0, number=1, luck=b"luck")
    action = judged(state, 0, prompt.choices, Answer.of(bots.local("greedy")(prompt)))
    assert isinstance(action, int)
    return state.game.text(action)


def seen(state: State) -> EthnosObservation:
    observation = state.observe(0)
    assert isinstance(observation, EthnosObservation)
    return observation


def test_it_takes_the_card_that_goes_with_its_hand() -> None:
    state = at(["red elf", "red orc", "red troll"], ["blue wizard", "red giant", "green orc"], dragons=0)

    assert said(state) == "take red giant"


def test_it_plays_a_large_band_rather_than_wait() -> None:
    state = at(["red elf", "red orc", "red troll", "red giant", "red wizard", "red elf"], ["blue wizard"], dragons=0)

    assert said(state).startswith("band red")


def test_it_plays_what_it_has_when_the_age_may_end_at_the_next_card() -> None:
    hand = ["red elf", "red orc", "red troll"]
    row = ["red giant", "red wizard"]
    patient = at(hand, row, dragons=0)
    pressed = at(hand, row, dragons=2, deck=["dragon", "blue elf"])

    assert said(patient).startswith("take red")
    assert said(pressed).startswith("band red")


def test_it_marks_where_the_marker_pays_most() -> None:
    tribes = ["wingfolk", *TRIBES[1:]]
    state = at(["red wingfolk"], [], tribes=tribes)
    state.apply(0, state.game.action("band red wingfolk"))

    assert said(state) == "mark Duris"


def test_it_keeps_as_many_cards_as_the_elves_let_it_and_the_ones_that_go_together() -> None:
    state = at(["red elf", "blue elf", "green orc", "orange giant", "green troll"], [])
    state.apply(0, state.game.action("band red elf: blue elf"))
    while state.question(0) == "marker":
        state.apply(0, state.game.action("mark none"))

    assert said(state) == "keep green orc, green troll"


def test_it_keeps_its_orc_board_until_it_is_full() -> None:
    full = {"orc_board": ["orange", "green", "grey", "blue", "purple", "red"]}
    part = {"orc_board": ["orange", "green"]}
    pending = {"pending": {"kind": "empty", "seat": 0}, "deck": [], "dragons": 3, "third_dragon": 0}

    assert said(at([], [], me=full, **pending)) == "empty"
    assert said(at([], [], me=part, **pending)) == "keep board"


def test_an_age_lasts_surely_while_the_top_of_the_deck_is_safe() -> None:
    state = Ethnos({"seats": 4}).new_state(b"fresh")
    turns = [lasts(seen(state), turns) for turns in range(40)]

    assert turns[0] == turns[5] == 1000
    assert turns == sorted(turns, reverse=True)
    assert turns[-1] == 0


def test_an_age_lasts_by_the_share_of_the_deck_that_is_no_last_dragon() -> None:
    state = at([], [], dragons=2, deck=["red elf", "dragon", "blue elf", "green elf"])

    assert lasts(seen(state), 1) == 500


def test_unseen_cards_are_those_that_lie_nowhere_in_sight() -> None:
    state = at(["red elf"], ["red elf", "blue orc"])
    left = {copies(card) and state.game.part_text(card): count for card, count in unseen(seen(state))}

    assert "red elf" not in left
    assert (left["blue orc"], left["green orc"], left["skeleton"]) == (1, 2, 12)


def test_it_beats_random_and_hoarder_in_a_few_games() -> None:
    for other in ("random", "hoarder"):
        wins = 0
        for seat in range(4):
            ours: list[Chooser] = [bots.local("greedy" if place == seat else other) for place in range(4)]
            wins += play(Ethnos({"seats": 4}), ours, b"few").state.ranks()[seat] == 1
        assert wins >= 3


def test_it_beats_random_in_the_second_edition_and_with_fairies_too() -> None:
    fairies = ["fairies", "giants", "elves", "orcs", "trolls"]
    for options in ({"edition": "second", "seats": 3}, {"fairies": True, "tribes": fairies, "seats": 3}):
        wins = 0
        for seat in range(3):
            ours: list[Chooser] = [bots.local("greedy" if place == seat else "random") for place in range(3)]
            wins += play(Ethnos(options), ours, b"few").state.ranks()[seat] == 1
        assert wins == 3


def test_its_raccoon_pays_where_it_leads() -> None:
    clans = ["raccoon", "bear", "koi", "fox", "dog", "raven"]
    options = {"seats": 4, "edition": "second", "clans": clans}
    position = {
        "options": options,
        "movers": [0],
        "face_up": [],
        "coins": {},
        "coins_left": 4,
        "age": 3,
        "deck": ["dragon"],
        "dragons": 2,
        "seats": [{"hand": ["red raccoon", "blue raccoon"], "markers": {"blue": 2}}, {"markers": {"red": 2}}],
    }

    assert said(Ethnos(options).state_at(position)).startswith("band blue raccoon")


def test_it_swaps_its_fairies_for_a_band_that_pays_more() -> None:
    tribes = ["fairies", "giants", "elves", "trolls", "orcs", "wizards"]
    large = {"leader": "red giant", "cards": ["red giant", "red giant", "blue giant", "blue giant"]}
    small = {"leader": "red orc", "cards": ["red orc"]}
    hand = ["red fairy", "red fairy", "blue fairy", "blue fairy"]
    options = {"seats": 4, "fairies": True, "tribes": tribes}
    state = Ethnos(options).state_at(
        {"options": options, "movers": [0], "face_up": [], "seats": [{"hand": hand}, {"bands": [small, large]}]}
    )
    state.apply(0, state.game.action("band red fairy: red fairy, blue fairy, blue fairy"))
    state.apply(0, state.game.action("mark none"))

    assert said(state) == "swap 1 1"
