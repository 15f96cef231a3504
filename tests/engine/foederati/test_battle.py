"""Attacks and battles (FO7)."""

import pytest

from engine.foederati.table import asked, at, country, do, hand, offered, refusal, seat_of, shields, supply, told

HANDS = {0: {"hand": ["column 5", "neighbour"]}, 1: {"hand": ["country Ausonia", "sea"]}}


def example(**options):
    """The first worked example: Ausonia founded, A = 2 and D = 2 on H5."""
    return at("G5 H4", "H5 I5", "H6", founded="U", seats=HANDS, options=options)


def strengths(state):
    battle = state.observe(-1).json()["turn"]["battle"]
    return battle["attack"], battle["defence"]


def test_a_battle_alternates_until_the_side_that_would_lose_yields():
    """FO7, FO10.22, FO10.23, FO10.24, FO10.26, worked example 1"""
    state = do(example(), "attack H5")
    assert (strengths(state), asked(state)) == ((2, 2), ("battle", 0))
    do(state, "reinforce column 5")
    assert (strengths(state), asked(state)) == ((4, 2), ("battle", 1))
    do(state, "reinforce country Ausonia")
    assert (strengths(state), asked(state)) == ((4, 4), ("battle", 0))

    failed = do(state.clone(), "yield")
    assert asked(failed) == ("turn", 0)
    assert supply(failed) == [27, 28, 29]
    assert seat_of(failed, 0)["lost"] == 1
    assert (shields(failed, 0), shields(failed, 1)) == (["G5", "H4"], ["H5", "I5"])

    won = do(state.clone(), "reinforce neighbour")
    assert (strengths(won), asked(won)) == ((6, 4), ("battle", 1))
    do(won, "yield")
    assert (shields(won, 0), shields(won, 1)) == (["G5", "H4", "H5"], ["I5"])
    assert (seat_of(won, 1)["lost"], seat_of(won, 1)["supply"]) == (1, 28)
    assert (seat_of(won, 0)["lost"], seat_of(won, 0)["supply"]) == (0, 27)


CARDS = ["row H", "column 5", "row G/H", "column 5/6", "column 1/5/9", "country Ausonia"]
OTHERS = ["sea", "row G", "column 6", "row I/J", "column 4/7", "country Raetia"]


def test_a_card_may_be_played_when_it_would_fit_the_target():
    """FO7, worked example 2: occupied or not"""
    state = at("G5 H4", "H5 I5", founded="U", seats={0: {"hand": [*CARDS, "neighbour"]}})
    for card in (*CARDS, "neighbour"):
        assert refusal(state, f"attack H5: {card}") == ""

    state = at("G5 H4", "H5 I5", founded="U", seats={0: {"hand": OTHERS}})
    for card in OTHERS:
        assert refusal(state, f"attack H5: {card}") == "CARD_DOES_NOT_FIT"
    assert refusal(state, "attack H5: neighbour") == "NO_SUCH_CARD"


def test_a_defender_s_neighbour_needs_another_shield_of_his_beside_the_target():
    """FO7, worked example 2: it fits only because of I5"""
    hands = {0: {"hand": ["row H"]}, 1: {"hand": ["neighbour"]}}
    beside = do(at("G5 H4", "H5 I5", founded="U", seats=hands), "attack H5: row H")
    assert refusal(beside, "reinforce neighbour") == ""

    alone = do(at("G5 H4", "H5 J10", founded="U", seats=hands), "attack H5: row H")
    assert refusal(alone, "reinforce neighbour") == "CARD_DOES_NOT_FIT"
    assert offered(alone) == {"yield"}


def test_only_opponents_in_founded_countries_beside_own_shields_are_attacked():
    """FO7, FO10.19, FO10.20, FO10.21, FO10.11"""
    state = at("G4 H4 G6 J7", "H5 F6 I7 G5 J6 H1", founded="U", seats={0: {"hand": []}})

    assert offered(state, "attack ") == {"attack H5", "attack I7"}
    assert refusal(state, "attack F6") == "TARGET_NOT_FOUNDED"
    assert refusal(state, "attack J6") == "TARGET_NOT_FOUNDED"
    assert refusal(state, "attack I7") == ""
    assert refusal(state, "attack H6") == "TARGET_NOT_ENEMY"
    assert refusal(state, "attack H4") == "TARGET_NOT_ENEMY"
    far = at("G4", "H5 I7", founded="U")
    assert refusal(far, "attack H5") == "TARGET_NOT_ADJACENT"
    assert offered(far, "attack") == set()


def test_an_own_shield_at_sea_or_outside_the_country_is_enough():
    """FO7, FO10.21"""
    assert refusal(at("H4", "H5", founded="U"), "attack H5") == ""
    assert refusal(at("G6", "H6", founded="U"), "attack H6") == ""


def test_full_seas_are_attacked_where_the_option_says_so():
    """FO7, FO10.19, FO10.61: the Amber Sea with its four squares"""
    sea = country("b")
    full = {"options": {"attack_full_seas": True}, "seats": {0: {"hand": ["sea"]}}}

    assert refusal(at("B7", " ".join(sea)), "attack B8") == "TARGET_NOT_FOUNDED"
    state = at("B7", " ".join(sea), **full)
    assert refusal(state, "attack B8") == ""
    assert refusal(state, "attack B8: sea") == ""
    assert refusal(at("B7", "B8 A8 A9", **full), "attack B8") == "TARGET_NOT_FOUNDED"
    mixed = at("B7 C8", "B8 A8 A9", **full)
    assert offered(mixed, "attack B8") == {"attack B8", "attack B8: sea"}


def test_an_opening_card_is_required_where_the_option_says_so():
    """FO7, FO10.22"""
    state = example(attack_needs_opening_card=True)

    assert refusal(state, "attack H5") == "OPENING_CARD_REQUIRED"
    assert refusal(state, "attack H5: column 5") == ""
    assert offered(state, "attack") == {
        "attack H5: column 5", "attack H5: neighbour", "attack H5: column 5, neighbour",
    }  # fmt: skip
    unarmed = at(
        "G5 H4", "H5 I5", founded="U", seats={0: {"hand": ["sea"]}}, options={"attack_needs_opening_card": True}
    )
    assert offered(unarmed, "attack") == set()
    assert refusal(unarmed, "attack H5: sea") == "CARD_DOES_NOT_FIT"


def test_a_tie_goes_to_the_attacker_where_the_option_says_so():
    """FO7, FO10.24: at A = D the defender is to act"""
    state = do(example(battle_tie_to="attacker"), "attack H5")

    assert (strengths(state), asked(state)) == ((2, 2), ("battle", 1))
    do(state, "yield")
    assert shields(state, 0) == ["G5", "H4", "H5"]


def test_a_failed_attack_costs_nothing_where_the_option_says_so():
    """FO7, FO10.26, FO10.73: and the stall count goes on"""
    state = do(example(attacker_loses_shield_on_failure=False), "attack H5", "yield")

    assert (supply(state)[0], seat_of(state, 0)["lost"]) == (28, 0)
    assert state.position()["stirred"] is False
    assert state.position()["turn"]["used"] == 1
    paid = do(example(), "attack H5", "yield")
    assert paid.position()["stirred"] is True


def test_a_beaten_shield_is_out_of_the_game():
    """FO7, FO10.25"""
    state = do(at("G5 H4", "H5", founded="U", seats={1: {"hand": []}}), "attack H5", "yield")

    assert (shields(state, 1), seat_of(state, 1)["lost"], supply(state)) == ([], 1, [41, 43])


def test_opening_cards_count_when_the_attacker_is_ahead_already_and_any_number_of_them():
    """FO7, FO10.68"""
    hands = {0: {"hand": [*CARDS, "neighbour", "neighbour"]}, 1: {"hand": []}}
    state = at("G5 H4", "H5", founded="U", seats=hands)

    do(state, f"attack H5: {', '.join([*CARDS, 'neighbour', 'neighbour'])}")

    assert (strengths(state), asked(state)) == ((18, 1), ("battle", 1))


def test_a_side_without_cards_or_without_a_fitting_card_is_asked_all_the_same():
    """FO7, FO10.55: yield is its one answer"""
    for own in ([], ["sea"]):
        state = do(at("G5 H4", "H5", founded="U", seats={1: {"hand": own}}), "attack H5")
        assert asked(state) == ("battle", 1)
        assert offered(state) == {"yield"}
    weak = do(at("H4", "H5 I5", founded="U", seats={0: {"hand": ["sea"]}}), "attack H5")
    assert asked(weak) == ("battle", 0)
    assert offered(weak) == {"yield"}


def test_battle_cards_lie_in_the_discard_pile_at_once_and_nobody_draws():
    """FO7, FO10.56"""
    state = do(example(), "attack H5: column 5", "reinforce country Ausonia")

    before = state.position()["discard"]
    assert {"column 5", "country Ausonia"} <= set(before)
    assert (hand(state, 0), hand(state, 1)) == (["neighbour"], ["sea"])
    do(state, "yield")
    assert (hand(state, 0), hand(state, 1)) == (["neighbour"], ["sea"])


def test_the_attacked_refill_when_the_attacker_s_turn_ends_clockwise_from_him():
    """FO6.2, FO10.28, FO10.59"""
    hands = {0: {"hand": ["row G"]}, 1: {"hand": ["row A"]}, 2: {"hand": []}, 3: {"hand": ["row B"]}}
    state = at("A1", "H5", "G5 H4 I6", "I5", founded="U", seats=hands, movers=[2], first_player=2)
    log = told(state, "attack H5", "yield", "attack I5", "yield", "end turn")

    drew = [event.facts["seat"] for event in log if event.kind == "drew"]
    assert drew == [2, 3, 1]
    assert [len(hand(state, seat)) for seat in range(4)] == [1, 10, 10, 10]


def test_bystanders_take_no_part():
    """FO7: H6 of a third seat counts for nobody, and its owner is not asked"""
    state = do(example(), "attack H5")

    assert strengths(state) == (2, 2)
    assert refusal(state, "yield", seat=2) == "NOT_TO_ACT"
    assert refusal(state, "yield", seat=1) == "NOT_TO_ACT"
    assert refusal(state, "expand sea: A1", seat=2) == "NOT_YOUR_TURN"


def test_a_battle_blocks_all_other_commands():
    """FO6"""
    state = do(example(), "attack H5")

    for text in ("pass", "end turn", "migrate G5 G6", "exchange neighbour", "attack H5", "expand neighbour: G4"):
        assert refusal(state, text) == "WRONG_PHASE"
    assert refusal(state, "reinforce none") == "BAD_COUNT"
    assert refusal(state, "reinforce row A") == "NO_SUCH_CARD"
    assert refusal(state, "reinforce column 5, column 5") == "NO_SUCH_CARD"


def test_a_square_is_attacked_again_after_a_failure_and_not_after_a_win():
    """FO7, FO10.67"""
    lost = do(example(), "attack H5", "yield")
    assert refusal(lost, "attack H5") == ""
    taken = do(at("G5 H4", "H5 I6", founded="U", seats={1: {"hand": []}}), "attack H5", "yield")
    assert refusal(taken, "attack H5") == "TARGET_NOT_ENEMY"


def test_a_shield_placed_by_a_won_attack_moves_and_carries_the_next_attack():
    """FO10.65"""
    state = at("G5 H4", "H5 I5", founded="U", seats={0: {"hand": ["row H", "column 5"]}, 1: {"hand": []}})

    do(state, "attack H5: row H", "yield")

    assert refusal(state, "attack I5") == ""
    assert refusal(state, "migrate H5 H6") == ""
    assert strengths(do(state.clone(), "attack I5")) == (1, 1)


def test_winning_an_attack_founds_nothing():
    """FO7"""
    state = at("G5 H4 G7 H6 H7 I6 I7 I8", "H5 I5", founded="U", seats={1: {"hand": []}})
    before = state.scores()

    do(state, "attack H5", "yield")

    assert len(state.position()["founded"]) == 1
    assert state.scores() == before


def test_an_empty_founded_country_is_an_ordinary_place_and_its_shields_may_be_attacked():
    """FO10.60"""
    state = at("H4", "A5", founded="UF", seats={0: {"hand": ["country Ausonia"]}})
    do(state, "expand country Ausonia: H5")
    assert len(state.position()["founded"]) == 2
    assert refusal(at("D4", "D5", founded="UF"), "attack D5") == ""


@pytest.mark.parametrize("won", [False, True])
def test_the_last_shield_may_attack_and_that_ends_the_game_won_or_lost(won):
    """FO8.2, FO10.27, FO10.54, worked example 8"""
    hands = {0: {"hand": ["row A"], "supply": 1, "lost": 41}, 1: {"hand": []}}
    state = at("G5 H4", "H5" if won else "H5 I5", founded="U", seats=hands)

    do(state, "attack H5", "yield")

    place = state.position()
    assert place["triggers"] == [2]
    assert (place["seats"][0]["supply"], place["seats"][0]["lost"]) == (0, 41 if won else 42)
    assert refusal(state, "attack I5" if not won else "expand row A: A1") == "NO_SUPPLY"
    assert asked(state) == ("turn", 0)
