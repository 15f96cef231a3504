"""Founding, the ends of rounds and of the game (FO8)."""

import pytest

from engine.foederati.table import asked, at, country, do, game, offered, played, refusal, shields, supply, told

FRISIA = "D5 D6 E4"
CARD = {0: {"hand": ["country Frisia"]}}
HOME = "A2 A3 A4"


def scored(log):
    """The parts of the scorings in a log."""
    return [event.facts["what"] for event in log if event.kind == "scored"]


def after(state, *texts):
    """What the passes of everybody else after some notation lead to, as events."""
    log = told(state, *texts)
    while asked(state) is not None and asked(state)[0] == "turn" and asked(state)[1] != 0:
        log += told(state, "pass")
    return log


def test_whoever_fills_a_country_founds_it_and_scores_the_first_marker():
    """FO8.1, FO10.30"""
    state = at(FRISIA, HOME, seats=CARD)

    log = told(state, "expand country Frisia: E5")

    founded = state.position()["founded"]
    assert founded == [{"country": "Frisia", "seat": 0, "round": 2}]
    (event,) = [event for event in log if event.kind == "founded"]
    assert event.facts == {"seat": 0, "country": 6, "order": 1, "points": 3, "red": False, "position": 3}
    assert state.scores() == (3, 1)


@pytest.mark.parametrize(
    ("own", "theirs", "text"),
    [("D5 D6 E3", "E5", "migrate E3 E4"), ("D5 E4 E5 D4", "A2", "sail D4 D6"), ("D5", "D6 E4", "expand row E: E5")],
)
def test_any_means_founds_and_others_shields_count(own, theirs, text):
    """FO8.1, FO10.17, FO10.30"""
    state = at(own, theirs, seats={0: {"hand": ["row E"]}})

    do(state, text)

    assert [each["country"] for each in state.position()["founded"]] == ["Frisia"]
    assert state.position()["founded"][0]["seat"] == 0


def test_a_move_within_a_country_does_not_found_it():
    """FO10.64"""
    state = at("D5 D6 E4", HOME)

    do(state, "migrate D5 E5")

    assert state.position()["founded"] == []


def test_a_country_is_not_founded_twice():
    """FO10.31, FO10.60"""
    state = at("D5 D6 E4", HOME, founded="F", seats=CARD)
    before = state.scores()

    do(state, "expand country Frisia: E5")

    assert len(state.position()["founded"]) == 1
    assert state.scores() == before


def test_founding_points_move_the_leader_over_taken_spaces():
    """FO8.1, FO9.5, FO10.43, worked example 10"""
    seats = {0: {"position": 3}, 1: {"position": 1, "hand": ["country Frisia"]},
             2: {"position": 0, "hand": ["country Raetia"]}}  # fmt: skip
    state = at("F5 F6 G5", FRISIA, HOME, seats=seats, movers=[2], first_player=2)
    do(state, "expand country Raetia: G6", "end turn", "pass")
    assert state.scores() == (3, 1, 4)
    do(state, "expand country Frisia: E5")
    assert state.scores() == (3, 5, 4)


def test_several_countries_in_a_round_score_their_markers_at_once_and_bring_one_scoring():
    """FO8.1, FO8.3, FO10.32"""
    hands = {0: {"hand": ["country Frisia", "country Raetia"]}}
    state = at(f"{FRISIA} F5 F6 G5", HOME, seats=hands)

    do(state, "expand country Frisia: E5", "expand country Raetia: G6")
    assert state.scores() == (6, 1)
    log = after(state, "end turn")

    assert scored(log) == ["clans", "fleets"]


def test_a_red_field_brings_the_tribes():
    """FO8.3, FO10.32, FO10.33: the fourth marker is red"""
    three = at(FRISIA, HOME, founded="AT", seats=CARD)
    assert scored(after(three, "expand country Frisia: E5", "end turn")) == ["clans", "fleets"]
    four = at(FRISIA, HOME, founded="ATS", seats=CARD)
    log = after(four, "expand country Frisia: E5", "end turn")
    assert scored(log) == ["clans", "fleets", "tribes"]
    assert [event.facts["red"] for event in log if event.kind == "founded"] == [True]


def test_red_alone_scores_where_the_option_says_so():
    """FO8.3, FO10.33: and without a scoring nobody chooses"""
    options = {"scoring_scope": "red-only"}
    three = at(FRISIA, HOME, founded="AT", seats=CARD, options=options)
    assert scored(after(three, "expand country Frisia: E5", "end turn")) == []
    assert asked(three) == ("turn", 0)
    four = at(FRISIA, HOME, founded="ATS", seats=CARD, options=options)
    assert scored(after(four, "expand country Frisia: E5", "end turn")) == ["clans", "fleets", "tribes"]
    assert asked(four)[0] == "first"


def test_a_round_without_a_founding_scores_nothing_and_keeps_the_first_player():
    """FO8.3"""
    state = at(HOME, FRISIA, "J1", movers=[2], first_player=2, seats={2: {"hand": ["sea"]}})

    log = told(state, "exchange sea", "end turn", "pass", "pass")

    assert scored(log) == []
    assert asked(state) == ("turn", 2)
    assert state.position()["round"] == 3


def test_after_a_scoring_the_player_in_last_place_names_the_first_player():
    """FO8.3, FO10.44, FO10.70: anybody, himself first among the choices"""
    state = at(FRISIA, "H1", "J1", seats={**CARD, 1: {"position": 9}, 2: {"position": 5}})
    after(state, "expand country Frisia: E5", "end turn")

    last = min(range(3), key=state.scores().__getitem__)
    assert asked(state) == ("first", last)
    (seat,) = state.movers()
    assert [state.game.text(choice.action) for choice in state.choices(seat)] == [
        f"choose first {(last + step) % 3}" for step in range(3)
    ]
    assert refusal(state, "choose first 1", seat=(last + 1) % 3) == "NOT_LAST_PLACE"
    assert refusal(state, "pass", seat=(last + 1) % 3) == "NOT_YOUR_TURN"
    assert refusal(state, "choose first 3") == "NO_SUCH_SEAT"
    assert state.objection(last, state.game.action("choose first 3")).text == "there is no seat 3: expected 0 to 2"
    assert refusal(state, "pass") == "WRONG_PHASE"
    log = told(state, "choose first 1")
    assert asked(state) == ("turn", 1)
    assert [event.kind for event in log] == ["first_chosen", "round_begun"]
    assert state.position()["first_player"] == 1


def test_the_game_ends_when_all_have_passed_on_end_even_over_rounds():
    """FO8.2, FO10.45, worked example 7: two seats; a pass counts once"""
    state = at(FRISIA, "J1", seats={**CARD, 0: {"hand": ["country Frisia"], "position": 9}})
    do(state, "expand country Frisia: E5", "end turn", "pass")
    assert asked(state) == ("first", 1)
    do(state, "choose first 1", "pass")
    assert state.position()["triggers"] == []
    assert asked(state) == ("turn", 0)

    log = told(state, "pass")

    assert state.position()["triggers"] == [1]
    assert asked(state) is None
    assert scored(log) == ["clans", "fleets"]
    assert log[-1].kind == "game_ended"


def test_a_turn_that_is_no_pass_breaks_the_run():
    """FO8.2, FO10.14, FO10.45: an exchange is no pass"""
    state = at(HOME, FRISIA, "J1")
    do(state, "pass", "pass")
    assert state.position()["passed"] == [0, 1]
    (third,) = state.movers()
    do(state, min(offered(state, "exchange")), "end turn")
    assert third == 2
    assert state.position()["passed"] == []
    do(state, "pass", "pass")
    assert state.position()["triggers"] == []
    do(state, "pass")
    assert state.position()["triggers"] == [1]


def test_the_round_is_finished_after_the_last_pass():
    """FO8.2, FO10.45, FO10.49, FO10.50: the run began in the round before"""
    state = at(HOME, FRISIA, "J1", passed=[1, 2])

    do(state, "pass")

    assert asked(state) == ("turn", 1)
    assert state.position()["triggers"] == [1]
    do(state, "pass", "pass")
    assert asked(state) is None


def test_an_empty_supply_ends_the_game_with_the_round_and_the_player_finishes_his_turn():
    """FO8.2, FO10.49, FO10.53, FO10.54"""
    seats = {0: {"hand": ["sea", "row A"], "supply": 1, "lost": 26}, 1: {"hand": ["row B"]}}
    state = at(HOME, FRISIA, "J1", seats=seats)

    log = told(state, "expand sea: D2")

    assert [event.facts for event in log if event.kind == "end_triggered"] == [{"trigger": 2, "seat": 0}]
    assert refusal(state, "expand row A: A1") == "NO_SUPPLY"
    do(state, "migrate A2 B2", "sail D2 D3", "end turn")
    do(state, "expand row B: B3", "end turn")
    assert asked(state) == ("turn", 2)
    log = told(state, "pass")
    assert scored(log) == ["clans", "fleets"]
    assert asked(state) is None


def almost_all():
    """Eleven countries founded, a square of Illyria left, and shields that fill it."""
    return at("H8 H9 I9", HOME, founded="ATSVIUFNPRG", seats={0: {"hand": ["country Illyria", "row A"]}})


def test_the_twelfth_marker_ends_the_game_and_there_is_one_scoring():
    """FO8.2, FO10.34, FO10.52: the last marker is red and brings the tribes; nobody chooses"""
    state = almost_all()

    log = told(state, "expand country Illyria: I10", "expand row A: A1", "end turn", "pass")

    assert state.position()["triggers"] == [3]
    assert scored(log) == ["clans", "fleets", "tribes"]
    assert asked(state) is None
    founded = [event for event in log if event.kind == "founded"]
    assert [(event.facts["order"], event.facts["points"], event.facts["red"]) for event in founded] == [(12, 7, True)]


def test_a_second_trigger_is_written_down_and_the_first_one_counts():
    """FO10.51"""
    state = almost_all()
    place = state.position()
    place["seats"][1].update(supply=1, lost=40)
    state = state.game.state_at(place)

    do(state, "expand country Illyria: I10", "end turn")
    do(state, min(offered(state, "expand")))

    told_board = state.observe(-1).json()["board"]
    assert (told_board["end_trigger"], told_board["triggers"]) == (3, [2, 3])
    assert state.position()["triggers"] == [3, 2]


@pytest.mark.parametrize(
    ("option", "founded", "expected"),
    [
        ("if-red", "AT", ["clans", "fleets"]),
        ("always", "AT", ["clans", "fleets", "tribes"]),
        ("if-red", "ATS", ["clans", "fleets", "tribes"]),
        ("always", "ATS", ["clans", "fleets", "tribes"]),
    ],
)
@pytest.mark.parametrize("scope", ["seed", "red-only"])
def test_the_final_scoring_has_tribes_on_red_or_always(option, founded, expected, scope):
    """FO8.2, FO10.35, FO10.52, worked example 11"""
    seats = {0: {"hand": ["country Frisia"], "supply": 1, "lost": 40}}
    options = {"final_tribal": option, "scoring_scope": scope}
    state = at(FRISIA, HOME, founded=founded, seats=seats, options=options)

    log = told(state, "expand country Frisia: E5", "end turn", "pass")

    assert scored(log) == expected
    assert asked(state) is None


def test_the_final_scoring_is_held_without_a_founding_too():
    """FO8.2, FO10.50"""
    state = at(HOME, FRISIA, passed=[1], options={"scoring_scope": "red-only"}, movers=[0], first_player=1)

    log = told(state, "pass")

    assert scored(log) == ["clans", "fleets"]
    assert asked(state) is None


def test_rounds_in_which_nothing_stirs_end_the_game():
    """FO8.2, FO10.46, FO10.76: ten by default, counted in whole rounds of play"""
    state = at(HOME, FRISIA, stall=8)
    for _ in range(2):
        assert asked(state) == ("turn", 0)
        do(state, min(offered(state, "exchange")), "end turn")
        do(state, min(offered(state, "exchange")), "end turn")

    assert asked(state) is None
    assert state.position()["triggers"] == [4]
    assert state.position()["stall"] == 10


@pytest.mark.parametrize("text", ["expand sea: D2", "attack E5"])
def test_a_shield_out_of_a_supply_starts_the_count_anew(text):
    """FO8.2, FO10.46, FO10.73"""
    hands = {0: {"hand": ["sea"]}, 1: {"hand": []}}
    for pays in (True, False):
        options = {"attacker_loses_shield_on_failure": pays}
        state = at("E4 A3", "E5 D5 D6", founded="F", stall=5, seats=hands, options=options)
        do(state, text)
        if asked(state)[0] == "battle":
            do(state, "yield")
        do(state, "end turn", "pass")
        assert state.position()["stall"] == (0 if pays or text.startswith("expand") else 6)


def test_a_founding_starts_the_count_anew():
    """FO8.2: by a migration, without a shield from the supply"""
    state = at("D5 D6 E4 E6", HOME, stall=5)

    do(state, "migrate E6 E5", "end turn", "pass", "choose first 1")

    assert state.position()["stall"] == 0


def test_a_number_of_still_rounds_can_be_chosen():
    """FO8.2"""
    state = at(HOME, FRISIA, options={"stall_rounds": 1})

    do(state, min(offered(state, "exchange")), "end turn", "pass")

    assert asked(state) is None
    assert state.position()["triggers"] == [4]


def test_nothing_is_said_when_the_game_is_over():
    """FO8.2"""
    state = at(HOME, FRISIA, options={"stall_rounds": 1})
    do(state, min(offered(state, "exchange")), "end turn", "pass")

    assert [refusal(state, text, seat=0) for text in ("pass", "end turn", "yield")] == ["WRONG_PHASE"] * 3
    assert state.choices(0) == ()
    assert state.legal_actions(0) == ()


def test_ranks_follow_the_score_track_and_are_never_shared():
    """FO8.4, FO10.74"""
    state = at(HOME, FRISIA, "J1", seats={0: {"position": 7}, 1: {"position": 9}, 2: {"position": 8}})

    assert state.scores() == (7, 9, 8)
    assert state.ranks() == (3, 1, 2)


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_a_round_goes_clockwise_through_all_seats(seats):
    """FO6"""
    state = game(seats=seats, first_player="1").new_state(b"round")
    order = []
    for seat, action in played(state, b"round"):
        if state.position()["round"] == 2:
            break
        if state.question(seat) == "turn" and state.game.text(action) in ("pass", "end turn"):
            order.append(seat)

    assert order == [(1 + step) % seats for step in range(seats)]


def test_a_country_filled_by_battle_was_founded_before():
    """FO7, FO10.31"""
    land = country("U")
    state = at(" ".join([*land[1:], "G6"]), land[0], founded="U", seats={1: {"hand": []}})

    do(state, f"attack {land[0]}", "yield")

    assert set(shields(state, 0)) >= set(land)
    assert len(state.position()["founded"]) == 1
    assert supply(state)[0] == 44 - len(land) - 1
