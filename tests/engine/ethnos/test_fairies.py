"""Fairies (E7): two Bands change owners, and the one received is played."""

import pytest

from engine.ethnos.table import at, do, glory, hand, markers, numbered, offered, refusal, seat_of
from rivalry_engine import conformance
from rivalry_engine.chance import Stream
from rivalry_engine.error import OptionError, PositionError
from rivalry_engine.ethnos import Ethnos
from rivalry_engine.event import seen
from rivalry_engine.game import PUBLIC

FAIRIES = ("fairies", "giants", "elves", "trolls", "centaurs")


def band(*cards):
    """A Band under its first card."""
    return {"leader": cards[0], "cards": list(cards)}


def fairies_of(size, *, more=()):
    """A hand with Fairies of ``size`` led by a red one, and ``more``."""
    return {"hand": [*["red fairy", "red fairy", "blue fairy", "blue fairy", "green fairy"][:size], *more]}


def table(players, tribes=FAIRIES, seats=3, **keys):
    return at(seats, tribes, fairies=True, players=players, **keys)


def lay(state, size):
    """Plays the Fairies of a hand and places no marker."""
    rest = ["red fairy", "blue fairy", "blue fairy", "green fairy"][: size - 1]
    do(state, "band red fairy" + (": " + ", ".join(rest) if rest else ""))
    return do(state, "mark none") if state.question(0) == "marker" else state


def bands_of(state, seat):
    return [(part["leader"], len(part["cards"])) for part in seat_of(state, seat)["bands"]]


def test_fairies_come_only_when_the_option_lets_them():
    """E7: drawn from thirteen, or named."""
    drawn = {
        tribe for number in range(40) for tribe in Ethnos({"fairies": True}).new_state(b"%d" % number).setup().tribes
    }
    never = {tribe for number in range(40) for tribe in Ethnos().new_state(b"%d" % number).setup().tribes}

    assert drawn - never == {"fairies"}
    assert len(never) == 12
    with pytest.raises(OptionError, match="fairies need fairies=true"):
        Ethnos({"seats": 3, "tribes": list(FAIRIES)})
    assert Ethnos({"seats": 3, "tribes": list(FAIRIES), "fairies": True}).options_given()["fairies"] is True
    assert Ethnos({"fairies": True}).new_state(b"").setup().options["fairies"] is True


def test_the_marker_of_the_fairies_comes_before_the_target():
    """E7.1, E7.8"""
    state = table([fairies_of(2), {"bands": [band("blue elf")]}])

    do(state, "band red fairy: red fairy")
    assert state.question(0) == "marker"
    do(state, "mark Rhea")

    assert state.question(0) == "target"
    assert markers(state) == {"Rhea": 1}


def test_only_an_opponents_band_that_is_no_larger_can_be_received():
    """E7.1: Skeletons count on both sides."""
    tribes = ("fairies", "giants", "elves", "trolls", "skeletons")
    players = [
        {"hand": ["red fairy", "skeleton"], "bands": [band("grey troll")]},
        {"bands": [band("blue elf", "green elf"), band("blue elf", "blue giant", "skeleton"), band("green troll")]},
        {"bands": [band("orange elf", "skeleton")]},
    ]
    state = table(players, tribes)

    do(state, "band red fairy: skeleton", "mark none")

    assert numbered(state) == ["swap 1 0", "swap 1 2", "swap 2 0", "swap none"]
    assert offered(state) == set(numbered(state))
    codes = {text: refusal(state, text) for text in ("swap 1 1", "swap 0 0", "swap 2 1", "swap 5 0", "draw", "stop")}
    assert codes == {
        "swap 1 1": "too_large",
        "swap 0 0": "own_band",
        "swap 2 1": "no_band",
        "swap 5 0": "no_band",
        "draw": "other_question",
        "stop": "other_question",
    }


def test_two_bands_change_owners_with_cards_and_leaders():
    """E7.1, E7.3"""
    state = table([fairies_of(3), {"bands": [band("grey troll"), band("blue elf", "green elf"), band("red troll")]}])

    do(lay(state, 3), "swap 1 1")

    assert bands_of(state, 0) == [("blue elf", 2)]
    assert bands_of(state, 1) == [("grey troll", 1), ("red fairy", 3), ("red troll", 1)]


def test_none_is_a_target_too_and_ends_the_turn():
    """E7.1"""
    state = table([fairies_of(1, more=["blue elf"]), {"bands": [band("grey troll")]}], face_up=[])

    do(lay(state, 1), "swap none")

    assert state.movers() == (1,)
    assert bands_of(state, 0) == [("red fairy", 1)]
    assert state.position()["face_up"] == ["blue elf"]


def test_without_a_band_that_fits_nothing_is_asked():
    """E7.4"""
    state = table([fairies_of(1), {"bands": [band("blue elf", "green elf")]}])

    lay(state, 1)

    assert state.movers() == (1,)


def test_the_band_received_places_its_marker_by_its_own_size():
    """E7.2, E7.8: a hand stays until the discard."""
    players = [
        {**fairies_of(3, more=["grey giant"]), "markers": {"Straton": 2, "Althea": 1}},
        {"bands": [band("blue elf", "green elf"), band("green troll", "red troll")]},
    ]
    state = table(players, face_up=[])

    small = do(lay(state.clone(), 3), "swap 1 0")
    assert small.question(0) == "keep"
    fitting = do(lay(state.clone(), 3), "swap 1 1")

    assert fitting.question(0) == "marker"
    assert offered(fitting) == {"mark Althea", "mark none"}
    assert hand(fitting) == ["grey giant"]
    do(fitting, "mark Althea")
    assert fitting.question(0) == "token"
    assert offered(fitting) == {"token 1", "token 2", "token none"}


def giants(third=None, size=4, own=4):
    """A's Giants hold the token; B has Fairies; C, if there is one, has Giants of its own."""
    cards = ["red giant", "red giant", "blue giant", "blue giant", "green giant"][:size]
    players = [fairies_of(own), {"bands": [band(*cards)], "giant_token": True}]
    if third:
        players.append({"bands": [band(*["grey giant", "grey giant", "purple giant", "purple giant"][:third])]})
    return lay(table(players), own)


def test_a_giant_band_brings_its_token_and_pays_when_no_other_is_as_large():
    """E7.3, worked example 16"""
    alone = do(giants(), "swap 1 0", "mark none")
    assert (glory(alone), seat_of(alone, 0)["giant_token"]) == ([2, 0, 0], True)

    equal = do(giants(third=4), "swap 1 0", "mark none")
    assert (glory(equal), seat_of(equal, 0)["giant_token"]) == ([0, 0, 0], True)


def test_a_giant_band_without_the_token_takes_nothing_with_it():
    """E7.3: of two equal ones the first has the token."""
    state = giants(third=4)

    do(state, "swap 2 0", "mark none")

    assert [seat_of(state, seat)["giant_token"] for seat in range(3)] == [False, True, False]
    assert glory(state) == [0, 0, 0]


def test_the_token_stays_on_its_band_among_those_of_one_player():
    """E7.3"""
    two = [band("red giant", "red giant"), band("blue giant", "blue giant")]
    for carrier, holds in ((0, False), (1, True)):
        players = [fairies_of(2), {"bands": two, "giant_token": True, "giant_band": carrier}]
        state = do(lay(table(players), 2), "swap 1 1", "mark none")
        assert seat_of(state, 0)["giant_token"] is holds
        assert seat_of(state, 1)["giant_token"] is not holds


def test_larger_giants_take_the_token_from_the_band_received():
    """E7.3, E6.4: the token moves to the Band that surpasses."""
    state = do(giants(size=1, own=1), "swap 1 0", "mark none")
    assert seat_of(state, 0)["giant_band"] == 0

    state = table([{"hand": ["red giant", "red giant"], "bands": [band("blue giant")], "giant_token": True}])
    do(state, "band red giant: red giant", "mark none")

    assert (seat_of(state, 0)["giant_band"], glory(state)[0]) == (1, 2)


def test_what_was_given_away_in_a_turn_cannot_be_received_in_it():
    """E7.4: Fairies that are received look for another Band."""
    players = [fairies_of(2), {"bands": [band("grey fairy", "grey fairy")]}, {"bands": [band("red troll")]}]
    state = do(lay(table(players), 2), "swap 1 0", "mark none")

    assert state.question(0) == "target"
    assert offered(state) == {"swap 2 0", "swap none"}
    assert refusal(state, "swap 1 0") == "given"
    do(state, "swap 2 0", "mark none", "token none")

    assert bands_of(state, 0) == [("red troll", 1)]
    assert bands_of(state, 2) == [("grey fairy", 2)]
    later = Ethnos(state.position()["options"]).state_at({**state.position(), "movers": [1]})
    assert later.observe(PUBLIC).board.extra.given == ()


def test_centaurs_that_are_received_lead_to_a_further_band_by_the_marker_they_place_now():
    """E7.5"""
    players = [fairies_of(1, more=["red elf"]), {"bands": [band("blue centaur")], "markers": {"Straton": 1}}]

    placed = do(lay(table(players), 1), "swap 1 0", "mark Straton")
    assert placed.question(0) == "further"
    assert "band red elf" in offered(placed)

    declined = do(lay(table(players), 1), "swap 1 0", "mark none")
    assert declined.movers() == (1,)


def test_elves_and_wizards_that_are_received_end_the_turn_by_their_own_size():
    """E7.6"""
    tribes = ("fairies", "giants", "elves", "wizards", "trolls")
    elves = [fairies_of(3, more=["grey troll", "blue troll"]), {"bands": [band("blue elf")]}]
    state = do(lay(table(elves, tribes, face_up=[]), 3), "swap 1 0", "mark none")
    assert state.question(0) == "keep"
    assert offered(state) == {"keep none", "keep grey troll", "keep blue troll"}

    wizards = [fairies_of(3, more=["grey troll"]), {"bands": [band("blue wizard", "blue wizard")]}]
    state = table(wizards, tribes, face_up=[], deck=["red elf", "blue elf", "green elf", "dragon", "dragon", "dragon"])
    do(lay(state, 3), "swap 1 0", "mark none")
    assert (state.question(0), hand(state), state.position()["face_up"]) == ("draw", [], ["grey troll"])
    do(state, "draw all")
    assert hand(state) == ["blue elf", "red elf"]


def test_every_other_band_works_for_its_new_owner():
    """E7.7"""
    tribes = ("fairies", "orcs", "merfolk", "halflings", "minotaurs")
    orcs = [fairies_of(1), {"bands": [band("blue orc")], "orc_board": ["blue"]}]
    state = do(lay(table(orcs, tribes), 1), "swap 1 0", "mark none", "horde")
    assert [seat_of(state, seat)["orc_board"] for seat in (0, 1)] == [["blue"], ["blue"]]

    merfolk = [{**fairies_of(2), "merfolk": 1}, {"bands": [band("blue merfolk", "red merfolk")], "merfolk": 9}]
    state = do(lay(table(merfolk, tribes), 2), "swap 1 0", "mark none", "advance")
    assert [seat_of(state, seat)["merfolk"] for seat in (0, 1)] == [3, 9]
    assert state.question(0) == "bonus"

    halflings = [fairies_of(2), {"bands": [band("blue halfling", "red halfling")]}]
    assert do(lay(table(halflings, tribes), 2), "swap 1 0").movers() == (1,)

    minotaurs = [{**fairies_of(1), "markers": {"Straton": 1}}, {"bands": [band("blue minotaur")]}]
    assert offered(do(lay(table(minotaurs, tribes), 1), "swap 1 0")) == {"mark Straton", "mark none"}

    tribes = ("fairies", "dwarves", "wingfolk", "trolls", "giants")
    wingfolk = [fairies_of(1), {"bands": [band("blue wingfolk")]}]
    assert len(offered(do(lay(table(wingfolk, tribes), 1), "swap 1 0"))) == 7
    tokens = [{**fairies_of(2), "troll_tokens": [1]}, {"bands": [band("blue troll", "red troll")], "troll_tokens": [2]}]
    assert do(lay(table(tokens, tribes), 2), "swap 1 0", "mark none").movers() == (1,)


def test_bands_score_and_break_ties_for_whoever_they_lie_before():
    """E7.3, E7.9"""
    tribes = ("fairies", "dwarves", "wingfolk", "trolls", "giants")
    for ruleset in ("standard", "bga"):
        players = [
            fairies_of(4),
            {"bands": [band("blue dwarf", "red dwarf")]},
            {"hand": [], "glory": 6},
        ]
        state = at(
            3, tribes, fairies=True, ruleset=ruleset, age=2, dragons=2, deck=["dragon"], face_up=[], players=players
        )
        do(lay(state, 4), "swap 1 0", "mark none", "draw")
        assert glory(state) == [3, 6, 6]
        assert state.ranks() == (3, 1, 2)


def test_a_position_between_two_exchanges_comes_back_and_is_imagined():
    """E7.4, E4.9"""
    players = [fairies_of(2), {"bands": [band("grey fairy", "grey fairy")]}, {"bands": [band("red troll")]}]
    state = do(lay(table(players), 2), "swap 1 0", "mark none")
    place = state.position()

    assert place["pending"]["given"] == [[1, 0]]
    assert state.game.state_at(place).position() == place
    other = state.game.imagine(0, state.observe(0), Stream(b"fairies", "imagine"))
    assert list(other.choices(0)) == list(state.choices(0))


@pytest.mark.parametrize("given", [[[0, 0]], [[1, 1]], [[1]], [[1, 0], [1, 0]], 7, [[3, 0]]])
def test_a_position_with_an_impossible_exchange_is_refused(given):
    """E7.4"""
    players = [fairies_of(2), {"bands": [band("grey fairy", "grey fairy")]}, {"bands": [band("red troll")]}]
    place = do(lay(table(players), 2), "swap 1 0", "mark none").position()

    with pytest.raises(PositionError, match=r"pending\.given"):
        Ethnos(place["options"]).state_at({**place, "pending": {**place["pending"], "given": given}})


def test_which_band_carries_the_token_is_stated_by_its_holder_alone():
    """E7.3"""
    giant = band("red giant")
    for players in (
        [{"bands": [giant], "giant_band": 0}],
        [{"bands": [giant], "giant_token": True, "giant_band": 1}],
        [{"bands": [band("red troll"), giant], "giant_token": True, "giant_band": 0}],
    ):
        with pytest.raises(PositionError, match="giant_band"):
            table(players)


def test_an_exchange_is_told_to_all_and_so_is_the_token_that_moves():
    """E7.1, E7.3"""
    state = giants(third=4)
    state.log = []

    do(state, "swap 1 0")

    told = [(event.kind, dict(seen(event, PUBLIC).facts)) for event in state.log]
    assert [kind for kind, _ in told] == ["swapped", "giant"]
    assert told[0][1] | {"leader": 0, "cards": ()} == {"seat": 0, "other": 1, "band": 0, "leader": 0, "cards": ()}
    assert told[1][1] == {"seat": 0, "size": 4, "glory": 0}
    words = [state.game.event_text(seen(event, PUBLIC)) for event in state.log]
    assert words[0].startswith("seat 0 swaps it for Band 0 of seat 1, under red giant: ")
    assert words[1] == "seat 0 takes the Giant token with a Band of 4"


@pytest.mark.parametrize("text", ["swap", "swap 1", "swap 6 0", "swap -1 0", "swap 1 0 0", "swap a b", "swap 1 100"])
def test_an_exchange_that_names_no_band_is_no_notation(text):
    """E7.1"""
    from rivalry_engine.error import NotationError

    with pytest.raises(NotationError, match="swap"):
        Ethnos().action(text)


@pytest.mark.parametrize("seats", [2, 6])
def test_games_with_fairies_keep_what_every_game_promises(seats):
    """E7"""
    tribes = ["fairies", "giants", "elves", "centaurs", "orcs", "merfolk"][: 5 if seats == 2 else 6]
    game = Ethnos({"seats": seats, "fairies": True, "tribes": tribes})

    conformance.check(game, games=1, seed=b"fairies")
