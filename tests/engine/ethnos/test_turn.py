"""E4: recruiting, Dragons, and what a turn is."""

import pytest

from engine.ethnos.table import asked, at, do, ending, face_up, hand, offered, refusal, seat_of

SKELETONS = ["skeleton"] * 10


def test_turns_go_by_rising_seat_and_after_the_last_comes_the_first():
    """E4.1, E4.8"""
    state = at(4, movers=[2], deck=["red elf"] * 2 + ["blue elf"] * 2 + ["dragon"] * 3)
    order = []

    for _ in range(4):
        order.append(asked(state))
        do(state, "draw")

    assert order == [("turn", 2), ("turn", 3), ("turn", 0), ("turn", 1)]


def test_a_turn_is_to_recruit_or_to_play_a_band_and_never_to_pass():
    """E4.1"""
    state = at(players=[{"hand": ["red elf"]}], face_up=["blue orc"])

    assert offered(state) == {"take blue orc", "draw", "band red elf"}
    assert refusal(state, "pass")


def test_a_face_up_card_is_taken_and_not_replaced():
    """E4.2"""
    state = at(face_up=["blue orc", "red elf", "blue orc"], deck=["skeleton", "dragon", "dragon", "dragon"])

    do(state, "take blue orc")

    assert hand(state) == ["blue orc"]
    assert face_up(state) == ["blue orc", "red elf"]
    assert state.position()["deck"] == ["skeleton", "dragon", "dragon", "dragon"]
    assert asked(state) == ("turn", 1)


def test_the_top_card_of_the_deck_is_drawn():
    """E4.2"""
    state = at(face_up=["blue orc"], deck=["skeleton", "red elf", "dragon", "dragon", "dragon"])

    do(state, "draw")

    assert hand(state) == ["skeleton"]
    assert state.position()["deck"] == ["red elf", "dragon", "dragon", "dragon"]
    assert face_up(state) == ["blue orc"]
    assert asked(state) == ("turn", 1)


def test_with_ten_cards_nobody_recruits_and_with_nine_he_does():
    """E4.2, E4.11"""
    nine = ["red elf", *["skeleton"] * 8]
    assert {"draw", "take blue orc"} <= offered(at(players=[{"hand": nine}], face_up=["blue orc"]))

    state = at(players=[{"hand": [*nine, "skeleton"]}], face_up=["blue orc"])

    assert refusal(state, "draw")
    assert refusal(state, "take blue orc")
    assert refusal(state, "pass")
    assert refusal(state, "band red elf") == ""
    assert all(text.startswith("band red elf") for text in offered(state))
    assert len(offered(state)) == 10


def test_a_drawn_dragon_is_put_aside_and_another_card_is_drawn():
    """E4.3"""
    state = at(deck=["dragon", "dragon", "red elf", "dragon"])

    do(state, "draw")

    place = state.position()
    assert hand(state) == ["red elf"]
    assert (place["dragons"], place["deck"]) == (2, ["dragon"])
    assert asked(state) == ("turn", 1)


def test_the_third_dragon_behind_another_ends_the_age_too():
    """E4.3"""
    state = ending(dragons=1, deck=["dragon", "dragon", "red elf"])

    do(state, "draw")

    assert asked(state) is None
    assert state.position()["dragons"] == 3


def test_a_wizard_draw_puts_dragons_aside_as_well():
    """E4.4, worked example 13"""
    tribes = ("wizards", "elves", "orcs", "trolls", "skeletons")
    state = at(
        tribes=tribes,
        players=[{"hand": ["red wizard", "red elf", "red orc"]}],
        deck=["dragon", "blue elf", "dragon", "blue orc", "blue troll", "green elf", "dragon"],
    )

    do(state, "band red wizard: red elf, red orc", "mark none", "draw all")

    place = state.position()
    assert hand(state) == ["blue elf", "blue orc", "blue troll"]
    assert (place["dragons"], place["deck"]) == (2, ["green elf", "dragon"])
    assert asked(state) == ("turn", 1)


def test_the_third_dragon_cuts_a_wizard_draw_short():
    """E4.4, E4.9, E6.19, worked example 13: hands are gone and the Band of three scores."""
    tribes = ("wizards", "elves", "orcs", "trolls", "skeletons")
    state = ending(
        tribes=tribes,
        players=[{"hand": ["red wizard", "red elf", "red orc", "skeleton"], "glory": 1}, {"hand": ["blue orc"]}],
        deck=["blue elf", "dragon", "blue troll"],
        glory_tokens={"Rhea": [2, 8]},
    )

    do(state, "band red wizard: red elf, red orc", "mark Rhea", "draw all")

    assert asked(state) is None
    assert [hand(state, seat) for seat in range(3)] == [[], [], []]
    assert list(state.scores()) == [1 + 3 + 8, 0, 0]


def test_an_empty_deck_ends_the_age_as_the_third_dragon_would():
    """E4.5: the position has an empty deck although the third Dragon has not come."""
    state = at(4, age=1, movers=[2], dragons=2, deck=[], face_up=["red elf"])

    do(state, "draw")

    assert state.position()["age"] == 2
    assert asked(state) == ("turn", 2)


def test_ten_skeletons_are_a_forced_pass():
    """E4.6, E5.8: it is asked, and it is the only action."""
    state = at(players=[{"hand": SKELETONS}], face_up=["red elf"])

    assert offered(state) == {"pass"}
    do(state, "pass")

    assert hand(state) == SKELETONS
    assert asked(state) == ("turn", 1)


def test_nine_skeletons_recruit():
    """E4.6, E4.10"""
    state = at(players=[{"hand": SKELETONS[:9]}], face_up=["red elf"])

    assert offered(state) == {"draw", "take red elf"}


def test_a_forced_pass_shows_ten_skeletons():
    """E4.6, E4.9"""
    state = do(at(players=[{"hand": SKELETONS}]), "pass")

    assert seat_of(state, 0)["known"] == SKELETONS


def test_a_card_taken_face_up_is_known_until_it_is_seen_again():
    """E4.9"""
    state = at(players=[{"hand": ["blue elf"]}], face_up=["blue orc", "red orc"])
    do(state, "take blue orc")
    assert seat_of(state, 0)["known"] == ["blue orc"]
    assert seat_of(state, 1)["known"] == []

    state = at(players=[{"hand": ["blue elf", "blue orc"], "known": ["blue orc"]}])
    do(state, "band blue orc", "mark none")

    assert seat_of(state, 0)["known"] == []


def test_a_drawn_card_is_not_known():
    """E4.9"""
    state = do(at(deck=["blue orc", "dragon", "dragon", "dragon"]), "draw")

    assert hand(state) == ["blue orc"]
    assert seat_of(state, 0)["known"] == []


def test_the_cards_certain_to_lie_above_the_dragons_grow_fewer_with_each_draw():
    """E4.9"""
    state = at(deck=["red elf", "red orc", "blue orc", "dragon", "dragon", "dragon"], safe=2)

    assert state.position()["safe"] == 2
    do(state, "draw")
    assert state.position()["safe"] == 1
    do(state, "draw")
    assert state.position()["safe"] == 0
    do(state, "draw")
    assert state.position()["safe"] == 0


def test_cards_that_an_elf_keeps_are_not_shown():
    """E4.9: what was known and did not show up in the discard must still be in the hand; nothing else is known."""
    cards = ["red elf", "red orc", "green elf", "blue orc", "blue orc"]
    players = [{"hand": cards, "known": ["blue orc", "red orc"]}]

    kept = do(at(players=players), "band red elf", "mark none", "keep red orc")
    assert hand(kept) == ["red orc"]
    assert seat_of(kept, 0)["known"] == ["red orc"]
    other = do(at(players=players), "band red elf", "mark none", "keep blue orc")
    assert hand(other) == ["blue orc"]
    assert seat_of(other, 0)["known"] == []


@pytest.mark.parametrize(
    ("cards", "row", "actions"),
    [
        ([], ["red elf"], {"draw", "take red elf"}),
        (["red elf"], [], {"draw", "band red elf"}),
        ([], [], {"draw"}),
        (["skeleton"], [], {"draw"}),
    ],
)
def test_without_cards_or_face_up_cards_there_is_less_to_do(cards, row, actions):
    """E4.10: and it is asked all the same."""
    state = at(players=[{"hand": cards}], face_up=row)

    assert asked(state) == ("turn", 0)
    assert offered(state) == actions


def test_one_card_among_nine_skeletons_must_be_played():
    """E4.11"""
    state = at(players=[{"hand": ["green troll", *SKELETONS[:9]]}])

    do(state, "band green troll", "mark none", "token none")

    assert face_up(state).count("skeleton") >= 9
    assert hand(state) == []


def test_everybody_sees_what_is_public_and_only_the_owner_his_hand():
    """E4.7"""
    state = at(
        players=[{"hand": ["red elf"]}, {"hand": ["blue orc", "skeleton"]}],
        face_up=["green orc"],
        deck=["grey troll", "dragon", "red troll", "dragon", "dragon"],
    )

    for audience in (-1, 0, 1, 2):
        text = str(state.observe(audience).json())
        assert "green orc" in text
        assert ("red elf" in text) is (audience == 0)
        assert ("blue orc" in text) is (audience == 1)
        assert "grey troll" not in text
        assert "red troll" not in text
