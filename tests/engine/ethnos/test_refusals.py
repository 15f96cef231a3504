"""Why an action is refused: a code for programs, a sentence for people."""

import pytest

from engine.ethnos.table import at, do, ending
from rivalry_engine.error import NotationError


def said(state, text: str, seat: int | None = None) -> tuple[str, str]:
    (mover,) = state.movers() or (0,)
    objection = state.objection(mover if seat is None else seat, state.game.action(text))
    return objection.code, objection.text


def turn():
    return at(players=[{"hand": ["red elf", "blue elf", "red orc"]}], face_up=["blue orc", "skeleton"])


@pytest.mark.parametrize(
    ("text", "code", "sentence"),
    [
        ("pass", "no_pass", "only ten Skeletons in hand are a pass"),
        ("take red elf", "not_face_up", "red elf is not face up; face up are blue orc, skeleton"),
        ("band red troll", "not_in_hand", "the hand does not hold red troll; it holds blue elf, red elf, red orc"),
        (
            "band red elf: blue elf, red orc",
            "mixed",
            "blue elf, red elf, red orc are neither of one tribe nor of one colour",
        ),
        ("band skeleton", "leader", "a skeleton leads no band"),
        ("stop", "other_question", "the question is turn: expected 'take …', 'draw' or 'band …', not 'stop'"),
    ],
)
def test_what_is_no_turn(text, code, sentence):
    """E4.1, E4.2, E5.1, E5.2"""
    assert said(turn(), text) == (code, sentence)


def test_a_seat_that_is_not_asked_may_do_nothing():
    """E4.1"""
    assert said(turn(), "draw", seat=1) == ("not_asked", "seat 1 is not asked now")
    over = do(ending(), "draw")
    for seat in (-1, 0, 1):
        assert said(over, "draw", seat=seat)[0] == "not_asked"


def test_what_does_not_answer_the_question():
    """E5.8"""
    state = at(players=[{"hand": ["red elf", "red orc", "blue orc"]}])
    do(state, "band red elf")
    assert said(state, "mark Ithys") == ("no_place", "the band's marker cannot go to Ithys, only to Rhea")
    assert said(state, "stop")[1] == "the question is marker: expected 'mark …' or 'mark none', not 'stop'"
    do(state, "mark none")
    assert said(state, "keep red elf") == ("not_in_hand", "the hand does not hold red elf; it holds blue orc, red orc")
    assert said(state, "keep red orc, blue orc") == (
        "too_many",
        "at most 1 cards can be kept, as many as the band has; not blue orc, red orc",
    )


def test_what_cannot_be_placed_or_taken():
    """E6.10, E6.11"""
    troll = at(players=[{"hand": ["red troll", *["skeleton"] * 6]}, {"troll_tokens": [2]}])
    do(troll, "band red troll: " + ", ".join(["skeleton"] * 6), "mark none")
    assert said(troll, "token 2") == ("no_token", "token 2 cannot be taken, only 1, 3, 4, 5, 6")
    tribes = ("wingfolk", "elves", "orcs", "trolls", "giants")
    wing = at(tribes=tribes, players=[{"hand": ["red wingfolk"], "markers": {"Straton": 1}}])
    do(wing, "band red wingfolk")
    assert said(wing, "mark Straton") == (
        "no_place",
        "the band's marker cannot go to Straton, only to Ithys, Althea, Pelagon, Duris, Rhea",
    )


def test_the_hand_limit_is_told():
    """E4.2"""
    state = at(players=[{"hand": ["red elf", *["skeleton"] * 9]}], face_up=["red elf"])

    for text in ("draw", "take red elf"):
        assert said(state, text) == ("hand_limit", "with 10 cards in hand none can be recruited")


MALFORMED = {
    "no verb": [-5, -1, 0, 14, 15],
    "no swap": [13 + 16 * 7, 13 + 16 * 8, 13 + 16 * (1 + 8 * 100)],
    "no card of this edition": [1 + 16 * (8 * 13 + 1), 4 + 16 * (8 * 13 + 1) + (1 << 12 + 4 * (6 * 13 - 6))],
    "a value where none belongs": [2 + 16, 3 + 16, 11 + 16, 6 + 16],
    "no card": [1, 1 + 16 * 8, 1 + 16 * 15, 1 + 16 * 113, 1 + 16 * 120],
    "no Kingdom, token or flag": [5 + 16 * 7, 9 + 16 * 7, 7 + 16 * 2, 8 + 16 * 2, 10 + 16 * 2, 12 + 16 * 2],
    "cards where none belong": [2 + 4096, 5 + 4096, 9 + 4096],
    "cards that there are not": [6 + 4096 * 3, 6 + 4096 * 8, 6 + 4096 * 16**79],
    "too many cards": [6 + 4096 * 11 * 16**78, 6 + 4096 * 16 * 16**78],
    "a value beyond all": [1 + 16 * 255, 4 + 16 * 128 + 4096, 4 + 16 * 255 + 4096, 5 + 16 * 255, 9 + 16 * 255],
    "a Leader outside the Band": [4 + 16 * 30 + 4096, 4 + 16 * 30, 4 + 16 * 112],
}


@pytest.mark.parametrize("number", [number for numbers in MALFORMED.values() for number in numbers])
def test_a_number_that_is_no_action_is_malformed(number):
    state = turn()

    objection = state.objection(0, number)

    assert (objection.code, objection.text) == ("malformed", f"{number} is no action of this game")


@pytest.mark.parametrize(
    ("text", "start"),
    [
        ("dance", "'dance' is no action; expected one of take CARD · draw · pass · band LEADER: CARD, CARD · mark "),
        ("take dragon", "'take dragon': 'dragon' is no card; expected a colour"),
        ("mark red", "'mark red': 'red' is no Kingdom; expected Ithys, Althea, Pelagon, Straton, Duris, Rhea or none"),
        ("token 7", "'token 7': '7' is no Troll token; expected 1 to 6 or none"),
        ("token 0", "'token 0': '0' is no Troll token; expected 1 to 6 or none"),
        ("keep red elf, red elf, red elf", "'keep red elf, red elf, red elf': the game has but 2 cards red elf"),
        ("x" * 80, "'" + "x" * 80 + "' is no action"),
        ("x" * 81, "'" + "x" * 79 + "…' is no action"),
        ("keep " + ", ".join(["red elf"] * 11), "'keep red elf, red elf, red elf"),
    ],
)
def test_a_text_that_is_no_action_is_told_what_is_one(text, start):
    with pytest.raises(NotationError) as caught:
        at().game.action(text)

    assert str(caught.value).startswith(start)


def test_a_band_said_with_more_cards_than_a_hand_holds_is_no_action():
    """E4.2, E5.1"""
    game = at().game

    assert game.text(game.action("band red elf: " + ", ".join(["skeleton"] * 9))).count("skeleton") == 9
    with pytest.raises(NotationError, match="11 cards; a hand holds at most 10"):
        game.action("band red elf: " + ", ".join(["skeleton"] * 10))
