"""The notation of actions, both ways."""

import pytest

from engine.ethnos.table import played
from rivalry_engine.error import NotationError
from rivalry_engine.ethnos import Ethnos, actions
from rivalry_engine.ethnos.cards import ALLIES, packed
from rivalry_engine.ethnos.edition import EDITIONS, FIRST
from rivalry_engine.ethnos.notation import FORMS, card

GAME = Ethnos()

EVERY_FORM = [
    "take blue orc",
    "take skeleton",
    "draw",
    "pass",
    "band red elf",
    "band red elf: red elf",
    "band red elf: blue elf, skeleton",
    "band green wingfolk: green merfolk, green wizard, skeleton, skeleton",
    "mark Rhea",
    "mark none",
    "keep red orc, blue dwarf",
    "keep skeleton, skeleton",
    "keep none",
    "advance",
    "stay",
    "horde",
    "no horde",
    "token 4",
    "token none",
    "draw all",
    "draw none",
    "stop",
    "empty",
    "keep board",
]


@pytest.mark.parametrize("text", EVERY_FORM)
def test_every_form_is_read_and_written_again(text):
    action = GAME.action(text)

    assert actions.is_formed(action)
    assert GAME.action(GAME.text(action)) == action
    assert sorted(GAME.text(action).replace(",", "").split()) == sorted(text.replace(",", "").split())


@pytest.mark.parametrize(
    ("given", "canonical"),
    [
        ("  TAKE   Blue\tORC ", "take blue orc"),
        ("band RED elf:skeleton ,blue  elf", "band red elf: blue elf, skeleton"),
        ("band red elf :", "band red elf"),
        ("band red elf: skeleton, red orc, blue elf", "band red elf: blue elf, red orc, skeleton"),
        ("mark RHEA", "mark Rhea"),
        ("Keep red orc,blue dwarf", "keep blue dwarf, red orc"),
        ("KEEP NONE", "keep none"),
        ("keep  BOARD", "keep board"),
        ("draw ALL\n", "draw all"),
        ("token  4", "token 4"),
    ],
)
def test_case_spacing_and_the_order_of_cards_do_not_matter(given, canonical):
    assert GAME.text(GAME.action(given)) == canonical


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ("", "band LEADER: CARD, CARD"),
        ("fly", "'fly' is no action"),
        ("take", "'' is no card"),
        ("take dragon", "'dragon' is no card"),
        ("take red skeleton", "'red skeleton' is no card"),
        ("take elf", "'elf' is no card"),
        ("take red elves", "'red elf'"),
        ("draw two", "'draw two' is no action"),
        ("pass on", "'pass on' is no action"),
        ("band", "'' is no card"),
        ("band : red elf", "'' is no card"),
        ("band red elf, blue elf", "'red elf, blue elf' is no card"),
        ("band red elf: blue elf,", "'' is no card"),
        ("band red elf: red elf, red elf", "has but 2 cards red elf"),
        ("keep " + ", ".join(["skeleton"] * 11), "11 cards; a hand holds at most 10"),
        ("band red elf: " + ", ".join(["skeleton"] * 10), "11 cards; a hand holds at most 10"),
        ("mark red", "Ithys, Althea, Pelagon, Straton, Duris, Rhea or none"),
        ("mark", "'' is no Kingdom"),
        ("token 0", "expected 1 to 6 or none"),
        ("token 7", "expected 1 to 6 or none"),
        ("keep", "'' is no card"),
        ("empty board", "'empty board' is no action"),
    ],
)
def test_what_is_no_action_is_refused_with_what_came_and_what_was_expected(given, said):
    with pytest.raises(NotationError) as caught:
        GAME.action(given)

    assert said in str(caught.value)
    assert repr(given)[:70] in str(caught.value)


def test_a_long_text_is_refused_at_once_and_cut_in_the_message():
    with pytest.raises(NotationError) as caught:
        GAME.action("keep " + "skeleton, " * 100_000)

    assert "100001 cards" in str(caught.value)
    assert len(str(caught.value)) < 200


def test_every_form_is_told_to_who_writes_none():
    with pytest.raises(NotationError) as caught:
        GAME.action("help")

    assert all(form in str(caught.value) for form in FORMS)


@pytest.mark.parametrize("edition", EDITIONS.values(), ids=lambda edition: edition.name)
def test_every_card_is_read_by_its_name(edition):
    """E1.3, N2.1"""
    allies = edition.allies()

    assert [card(edition, edition.names[number].upper()) for number in allies] == allies
    assert set(allies) < set(ALLIES)


@pytest.mark.parametrize("seats", [2, 4])
def test_every_legal_action_of_whole_games_goes_both_ways(seats):
    game = Ethnos({"seats": seats})
    state = game.new_state(b"notation")
    seen = {}

    for seat, _ in played(state, b"notation"):
        for action in state.legal_actions(seat):
            if action not in seen:
                seen[action] = game.text(action)
                assert game.action(seen[action]) == action

    assert len(set(seen.values())) == len(seen)


@pytest.mark.parametrize(
    "action",
    [
        -1,
        0,
        15,
        actions.take(0),
        actions.take(7),
        actions.take(120),
        actions.draw() | 1 << 4,
        actions.mark(7),
        actions.token(7),
        actions.horde(True) + 16,
        actions.stop() | 1 << 12,
        actions.band(card(FIRST, "red elf"), 0),
        actions.keep(0) | 1 << 4,
        actions.keep(8),
        actions.keep(3),
        actions.keep(1 << 4000),
        actions.keep(packed([card(FIRST, "skeleton")] * 11)),
    ],
)
def test_an_int_that_no_notation_means_is_malformed(action):
    state = GAME.new_state(b"notation")
    (seat,) = state.movers()
    objection = state.objection(seat, action)

    assert not actions.is_formed(action)
    assert objection is not None
    assert objection.code == "malformed"
