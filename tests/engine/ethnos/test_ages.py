"""E3, E8: how an Age begins and how it ends."""

from collections import Counter

import pytest

from engine.ethnos.table import FIVE, LAST_AGE, SIX, asked, at, do, ending, face_up, glory, hand, markers, seat_of
from engine.ethnos.test_setup import all_cards
from rivalry_engine.ethnos import Ethnos

SEATS = (2, 3, 4, 5, 6)


@pytest.mark.parametrize("seats", SEATS)
@pytest.mark.parametrize("age", [1, 2])
def test_the_dragons_lie_in_the_lower_half(seats, age):
    """E3.2: the bottom part has the larger half, and over many deals a Dragon is anywhere in it."""
    tribes = FIVE if seats < 4 else SIX
    firsts, lasts = [], []
    cards = 12 * len(tribes) - seats - 2 * seats
    for number in range(60):
        if age == 1:
            place = Ethnos({"seats": seats, "tribes": list(tribes)}).new_state(f"{number}".encode()).position()
        else:
            place = do(ending(seats, tribes, age=1, seed=f"{number}"), "draw").position()
        deck = place["deck"]
        assert place["age"] == age
        assert len(deck) == cards + 3
        assert place["safe"] == cards // 2
        where = [index for index, card in enumerate(deck) if card == "dragon"]
        assert len(where) == 3
        firsts.append(where[0])
        lasts.append(where[2])

    assert cards // 2 <= min(firsts) <= cards // 2 + 3
    assert max(lasts) == cards + 2


def test_four_players_without_halflings_have_63_cards_with_30_safe_on_top():
    """E3.2, worked example 9"""
    place = Ethnos({"seats": 4, "tribes": list(SIX)}).new_state(b"nine").position()

    assert len(place["deck"]) == 63
    assert place["safe"] == 30
    assert "dragon" not in place["deck"][:30]


def test_an_odd_deck_has_the_larger_half_at_the_bottom():
    """E3.2: two players, five Tribes, no Halflings: 54; three players with Halflings: 72 - 9 = 63, 31 safe."""
    place = Ethnos({"seats": 3, "tribes": ["halflings", *FIVE[:4]]}).new_state(b"odd").position()

    assert len(place["deck"]) == 66
    assert place["safe"] == 31


@pytest.mark.parametrize("seats", SEATS)
def test_chance_says_who_starts_age_one(seats):
    """E3.3"""
    starters = Counter()
    for number in range(40 * seats):
        state = Ethnos({"seats": seats}).new_state(f"start {number}".encode())
        (seat,) = state.movers()
        assert state.position()["first_player"] == seat
        starters[seat] += 1

    assert set(starters) == set(range(seats))
    assert all(20 < count < 60 for count in starters.values())


@pytest.mark.parametrize(
    ("scores", "drawer", "starter"),
    [
        ((5, 5, 9, 7), 2, 0),
        ((5, 5, 9, 7), 1, 1),
        ((5, 5, 9, 7), 0, 0),
        ((5, 5, 9, 7), 3, 0),
        ((9, 5, 9, 5), 0, 1),
        ((9, 5, 9, 5), 2, 3),
        ((9, 5, 9, 5), 3, 3),
        ((9, 8, 7, 6), 0, 3),
        ((4, 4, 4, 4), 2, 2),
        ((3, 4, 4, 4), 2, 0),
    ],
)
def test_later_ages_start_with_the_least_glory_nearest_to_the_drawer(scores, drawer, starter):
    """E3.3, E4.8, worked examples 8 and 14"""
    state = ending(4, age=1, movers=[drawer], players=[{"glory": score} for score in scores])

    do(state, "draw")

    assert asked(state) == ("turn", starter)
    assert state.position()["first_player"] == starter
    assert state.position()["age"] == 2


def test_troll_tokens_do_not_say_who_starts():
    """E3.3"""
    for holder in range(3):
        players = [{"troll_tokens": [6] if seat == holder else []} for seat in range(3)]
        state = ending(age=1, movers=[1], players=players)

        do(state, "draw")

        assert asked(state) == ("turn", 1)


def test_the_start_of_age_two_follows_the_glory_paid_at_the_end_of_age_one():
    """E3.3, E8: seat 0 has least before scoring and most after it."""
    state = ending(
        age=1,
        glory_tokens={"Rhea": [8, 8]},
        players=[{"glory": 3, "markers": {"Rhea": 1}}, {"glory": 4}, {"glory": 5}],
    )

    do(state, "draw")

    assert glory(state) == [11, 4, 5]
    assert asked(state) == ("turn", 1)


def test_markers_stay_and_tokens_go_back_from_age_to_age():
    """E3.4"""
    tribes = ("merfolk", "orcs", "trolls", "giants", "elves")
    state = ending(
        tribes=tribes,
        age=1,
        players=[
            {
                "hand": ["red elf"],
                "markers": {"Rhea": 2, "Ithys": 1},
                "merfolk": 9,
                "orc_board": ["red", "grey"],
                "troll_tokens": [3, 5],
                "giant_token": True,
                "bands": [{"leader": "red giant", "cards": ["red giant", "red orc"]}],
            }
        ],
    )

    do(state, "draw", "keep board")

    seat = seat_of(state, 0)
    assert markers(state) == {"Rhea": 2, "Ithys": 1}
    assert seat["merfolk"] == 9
    assert sorted(seat["orc_board"]) == ["grey", "red"]
    assert (seat["troll_tokens"], seat["giant_token"], seat["bands"]) == ([], False, [])
    assert len(seat["hand"]) == 1


def test_a_giant_band_of_an_earlier_age_no_longer_counts():
    """E3.4, E6.4"""
    band = {"leader": "red giant", "cards": ["red giant", "red orc", "red elf"]}
    state = ending(age=1, players=[{"bands": [band], "giant_token": True}])
    do(state, "draw")
    place = state.position()
    place["seats"][0]["hand"] = ["blue giant"]
    place["movers"] = [0]
    del place["deck"], place["face_up"]
    state = state.game.state_at(place)
    before = glory(state)[0]

    do(state, "band blue giant", "mark none")

    assert glory(state)[0] == before + 2
    assert seat_of(state, 0)["giant_token"] is True


@pytest.mark.parametrize("seats", SEATS)
def test_every_card_comes_back_for_the_next_age(seats):
    """E3.1, E8: hands, Bands, face-up cards and Dragons are shuffled anew."""
    tribes = FIVE if seats < 4 else SIX
    start = Ethnos({"seats": seats, "tribes": list(tribes)}).new_state(b"again").position()
    players = [{"hand": ["red elf", "skeleton"], "bands": [{"leader": "blue orc", "cards": ["blue orc", "skeleton"]}]}]
    state = ending(seats, tribes, age=1, players=players, face_up=["green troll"])

    do(state, "draw")

    place = state.position()
    assert Counter(all_cards(place)) == Counter(all_cards(start))
    assert place["deck"].count("dragon") == 3
    assert place["dragons"] == 0
    assert len(place["face_up"]) == 2 * seats
    assert [len(seat["hand"]) for seat in place["seats"]] == [1] * seats


@pytest.mark.parametrize("seats", SEATS)
def test_the_game_is_over_after_its_last_age(seats):
    """E2, E8: two Ages with 2 and 3 players, else three."""
    for age in range(1, LAST_AGE[seats]):
        state = do(ending(seats, age=age), "draw")
        assert asked(state) is not None
        assert state.position()["age"] == age + 1
        assert state.position()["over"] is False

    state = do(ending(seats), "draw")

    assert asked(state) is None
    assert state.position()["over"] is True


def test_the_age_ends_at_once_and_nobody_completes_the_round():
    """E8.1, E4.3: the next turn is that of the player who starts the next Age."""
    state = ending(4, age=1, movers=[1], players=[{"glory": 9}, {"glory": 9}, {"glory": 9}, {"glory": 1}])

    do(state, "draw")

    assert asked(state) == ("turn", 3)


def test_the_third_dragon_ends_the_age_and_the_drawer_gets_no_card():
    """E4.3, E8: what the drawer held is gone, and so is the card below the Dragon."""
    state = ending(deck=["dragon", "red elf"], players=[{"hand": ["blue orc"]}, {"hand": ["blue elf"]}])

    do(state, "draw")

    assert asked(state) is None
    assert [hand(state, seat) for seat in range(3)] == [[], [], []]
    assert face_up(state) == []


def test_an_age_without_bands_giants_or_markers_pays_nothing():
    """E9.12"""
    tribes = ("merfolk", "orcs", "trolls", "giants", "dwarves")
    for seats in SEATS:
        six = tribes if seats < 4 else (*tribes, "skeletons")
        for age in range(1, LAST_AGE[seats] + 1):
            state = ending(seats, six, age=age)

            do(state, "draw")

            assert glory(state) == [0] * seats


def test_the_seed_settles_the_next_age_and_the_play_does_not():
    """E3.1: what seats did in Age I never changes the cards of Age II."""
    decks = []
    for taken in ("take red elf", "take blue orc"):
        state = at(age=1, seed="same", dragons=2, deck=["skeleton", "dragon"], face_up=["red elf", "blue orc"])
        do(state, taken, "draw", "draw")
        place = state.position()
        decks.append((place["deck"], place["face_up"], [seat["hand"] for seat in place["seats"]]))

    assert decks[0] == decks[1]
