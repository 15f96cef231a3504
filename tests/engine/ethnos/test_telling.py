"""Events in words."""

import pytest

from engine.ethnos.table import at, do, ending, second_ending
from rivalry_engine import catalog, playout
from rivalry_engine.chance import Stream
from rivalry_engine.ethnos import Ethnos, question, telling
from rivalry_engine.event import Seen, seen
from rivalry_engine.game import PUBLIC
from rivalry_engine.prompt import judged


@pytest.mark.parametrize(
    ("kind", "facts", "words"),
    [
        ("passed", {"seat": 1}, "seat 1 can do nothing"),
        ("dragon", {"seat": 2, "number": 3}, "seat 2 draws Dragon 3 of 3"),
        ("marked", {"seat": 0, "kingdom": 6}, "seat 0 places a marker in Rhea"),
        ("horde", {"seat": 0, "kingdom": 1}, "seat 0 marks Ithys on its Orc board"),
        ("token", {"seat": 0, "value": 4}, "seat 0 takes Troll token 4"),
        ("advanced", {"seat": 0, "space": 7}, "seat 0 is on space 7 of the Merfolk board"),
        (
            "giant",
            {"seat": 0, "size": 5, "glory": 2},
            "seat 0 takes the Giant token with a Band of 5 and gains 2 Glory",
        ),
        ("kept", {"seat": 0, "count": 2}, "seat 0 keeps 2 of its cards"),
        ("kept", {"seat": 0, "count": 0, "cards": ()}, "seat 0 keeps 0 of its cards"),
        ("age_ended", {"age": 2, "seat": 1}, "Age 2 ends: seat 1 drew last"),
        ("kingdom_scored", {"kingdom": 2, "glory": (0, 4, 4)}, "Althea pays seat 1 4, seat 2 4"),
        ("kingdom_scored", {"kingdom": 2, "glory": (0, 0, 0)}, "Althea pays nobody"),
        ("merfolk_scored", {"glory": (5, 0, 0)}, "the Merfolk board pays seat 0 5"),
        ("giant_scored", {"seat": 1, "glory": 4}, "the Giant token pays seat 1 4"),
        ("bands_scored", {"glory": (1, 3, 6)}, "Bands pay seat 0 1, seat 1 3, seat 2 6"),
        ("horde_emptied", {"seat": 1, "markers": 3, "glory": 6}, "seat 1 empties its Orc board of 3 and gains 6 Glory"),
        ("game_ended", {"scores": (9, 12), "ranks": (2, 1)}, "the game ends: seat 0 has 9, seat 1 has 12"),
    ],
)
def test_an_event_is_told_in_words(kind, facts, words):
    assert Ethnos().event_text(Seen(kind, facts)) == words


@pytest.mark.parametrize(
    ("kind", "first", "second"),
    [
        ("marker", "places no marker", "places no marker"),
        ("advance", "stays where it is on the Merfolk board", "stays where it is on the Koi board"),
        ("bonus", "places no free marker of the Merfolk board", "places no free marker of the Koi board"),
        ("horde", "puts no marker on its Orc board", "puts no marker on its settlement board"),
        ("token", "takes no Troll token", "takes no Fox token"),
        ("target", "swaps its Band for no other", "swaps its party for no other"),
        ("further", "plays no further Band", "plays no further party"),
        ("draw", "draws no cards", "draws no cards"),
        ("empty", "keeps the markers on its Orc board", "keeps the markers on its settlement board"),
    ],
)
def test_what_is_declined_is_told_as_what_the_seat_does(kind, first, second):
    """E5.8: in the words of each edition."""
    for edition, words in (("first", first), ("second", second)):
        event = Seen("declined", {"seat": 1, "kind": kind})
        assert Ethnos({"edition": edition}).event_text(event) == f"seat 1 {words}"


def test_every_question_that_can_be_declined_has_words():
    """E5.8: a turn is not declined, and keeping no card is told as kept."""
    every = {value for name, value in vars(question).items() if name.isupper() and isinstance(value, str) and value}

    for kind in every - {question.TURN, question.KEEP}:
        assert Ethnos().event_text(Seen("declined", {"seat": 0, "kind": kind})).startswith("seat 0 ")


def test_a_board_that_is_kept_is_not_told_as_empty():
    """E9.7, N3.6"""
    first = ending(age=1, players=[{"orc_board": ["red", "blue"]}])
    second = do(second_ending(players=[{"orc_board": ["red", "blue"]}]), "draw")
    do(first, "draw").log = second.log = []

    do(first, "keep board")
    do(second, "keep board")

    texts = [state.game.event_text(seen(state.log[0], PUBLIC)) for state in (first, second)]
    assert texts == ["seat 0 keeps the markers on its Orc board", "seat 0 keeps the markers on its settlement board"]


@pytest.mark.parametrize(
    ("seats", "dragons", "last"), [(2, "literal", 2), (3, "literal", 2), (4, "literal", 3), (2, "3", 3)]
)
def test_dragons_are_counted_to_the_one_that_ends_the_age_as_in_the_view(seats, dragons, last):
    """N5"""
    state = second_ending(seats, dragons_to_end=dragons, dragons=last - 1, deck=["dragon"] * (4 - last))
    state.log = []
    assert f"{last - 1} of {last} dragons are out" in state.game.view(state.observe(0))

    do(state, "draw")

    texts = [state.game.event_text(seen(event, PUBLIC)) for event in state.log[:2]]
    assert texts == [f"seat 0 draws Dragon {last} of {last}", "Age 1 ends: seat 0 drew last"]


def test_a_drawn_card_is_told_to_its_owner_by_name():
    state = at(deck=["red elf", "dragon", "dragon", "dragon"])
    state.log = []
    do(state, "draw")

    (event,) = state.log
    assert state.game.event_text(seen(event, 0)) == "seat 0 draws red elf"
    assert state.game.event_text(seen(event, PUBLIC)) == "seat 0 draws a card"
    assert not state.game.is_echo(seen(event, 0)), "its owner learns which card"
    assert state.game.is_echo(seen(event, PUBLIC)), "the action said that much"


def test_a_band_is_told_with_its_leader_and_its_cards():
    state = at(players=[{"hand": ["red elf", "blue elf", "skeleton"]}])
    state.log = []
    do(state, "band red elf: blue elf")

    assert state.game.event_text(seen(state.log[0], PUBLIC)) == "seat 0 plays a Band under red elf: blue elf, red elf"


@pytest.mark.parametrize("seats", [2, 4, 6])
def test_every_event_of_a_game_has_words_for_every_audience(seats):
    game = catalog.game("ethnos", {"seats": seats})
    state = game.new_state(b"telling")
    state.log = []
    stream = Stream(b"telling", "play")
    while movers := state.movers():
        seat = movers[0]
        choices = state.choices(seat)
        shapes = [(len(choice.parts), choice.least, choice.most, choice.usual) for choice in choices]
        state.apply(seat, judged(state, seat, choices, playout.picked(shapes, stream)))

    texts = [game.event_text(seen(event, audience)) for event in state.log for audience in range(-1, seats)]

    assert all(texts)
    assert {event.kind for event in state.log} >= {"age_begun", "age_ended", "game_ended", *telling.ECHOES["first"]} - {
        "passed",
        "declined",
        "horde",
        "token",
    }
    public = next(text for text in texts if text.startswith("Age 2 begins: "))
    assert public.endswith(" cards")
    assert any(text.startswith(f"{public}; the hand is ") for text in texts)
