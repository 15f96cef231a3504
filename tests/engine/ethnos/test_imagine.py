"""Imagined states: they look the same to the seat, keep what is known (E4.9), and leave nothing possible out."""

from itertools import permutations

import pytest

from engine.ethnos.table import FIVE, SIX, at, do, hand, played
from rivalry_engine.chance import Stream
from rivalry_engine.ethnos import Ethnos
from rivalry_engine.ethnos.cards import DRAGON, deck_of, holds, packed
from rivalry_engine.ethnos.edition import FIRST
from rivalry_engine.game import PUBLIC


def audiences(state):
    return (PUBLIC, *range(state.game.seats))


def imagined(state, audience, count, label=""):
    for number in range(count):
        yield state.game.imagine(audience, state.observe(audience), Stream(b"imagine", f"{label}/{number}"))


def hidden(state):
    """What an audience cannot see: the hands and the order of the deck."""
    place = state.position()
    return tuple(tuple(sorted(seat["hand"])) for seat in place["seats"]), tuple(place["deck"])


@pytest.mark.parametrize("seats", [2, 3, 4, 5, 6])
def test_at_every_question_of_a_game_an_imagined_state_looks_the_same(seats):
    state = Ethnos({"seats": seats}).new_state(b"imagine")

    for number, (seat, _) in enumerate(played(state, b"imagine")):
        if number % 5:
            continue
        for audience in audiences(state):
            (other,) = imagined(state, audience, 1, str(number))

            assert other.observe(audience) == state.observe(audience)
            assert other.observe(PUBLIC) == state.observe(PUBLIC)
            assert other.movers() == state.movers()
            assert other.question(seat) == state.question(seat)
            if audience == seat:
                assert other.choices(seat) == state.choices(seat)
                assert other.legal_actions(seat) == state.legal_actions(seat)


@pytest.mark.parametrize("seats", [2, 4, 6])
def test_an_imagined_state_has_every_card_once_and_no_dragon_among_the_safe_ones(seats):
    state = Ethnos({"seats": seats}).new_state(b"whole")

    for number, (seat, _) in enumerate(played(state, b"whole")):
        if number % 7 or state.drawer >= 0:
            continue
        (other,) = imagined(state, seat, 1, str(number))
        pack = other.row + sum(other.hands) + sum(band >> 8 for row in other.bands for band in row)

        assert pack + packed([card for card in other.deck if card != DRAGON]) == packed(deck_of(other.tribes))
        assert other.deck.count(DRAGON) == 3 - other.dragons
        assert DRAGON not in other.deck[len(other.deck) - other.safe :]
        assert all(holds(mine, known) for mine, known in zip(other.hands, other.known, strict=True))


def test_an_imagined_game_can_be_played_to_its_end():
    state = Ethnos({"seats": 3}).new_state(b"to the end")

    for number, (seat, _) in enumerate(played(state, b"to the end")):
        if number % 60 == 0:
            (other,) = imagined(state, seat, 1)
            assert other.log is None
            for _ in played(other, b"on"):
                pass
            assert not other.movers()


def test_the_seed_of_an_imagined_state_is_its_own():
    state = Ethnos().new_state(b"the real one")

    seeds = {other.seed for other in imagined(state, 0, 5)}

    assert len(seeds) == 5
    assert state.seed not in seeds


SMALL = {
    "dragons": 2,
    "face_up": [],
    "players": [
        {"hand": ["red elf"]},
        {"hand": ["blue elf", "skeleton"], "known": ["skeleton"]},
        {"hand": ["red orc"]},
    ],
}


def small(deck):
    """A position in which every card but six lies in Bands, so that little is hidden."""
    used = ["red elf", "blue elf", "skeleton", "red orc", *deck]
    rest = [name for name in named_deck() if name != "dragon"]
    for name in used:
        if name != "dragon":
            rest.remove(name)
    players = [dict(player) for player in SMALL["players"]]
    players[0]["bands"] = in_bands(rest)
    return at(3, FIVE, **{**SMALL, "players": players, "deck": deck})


def named_deck():
    tribes = Ethnos({"seats": 3, "tribes": list(FIVE)}).named_tribes
    return [FIRST.names[card] for card in deck_of(tribes)]


def in_bands(names):
    """Bands of one Tribe each that hold all of ``names``; Skeletons are spread over them."""
    skeletons = [name for name in names if name == "skeleton"]
    bands = []
    for tribe in ("elf", "giant", "orc", "troll"):
        cards = [name for name in names if name.endswith(tribe)]
        for start in range(0, len(cards), 4):
            part = cards[start : start + 4]
            bands.append({"leader": part[0], "cards": part + [skeletons.pop() for _ in range(min(3, len(skeletons)))]})
    return bands


def test_every_consistent_state_is_reached_and_no_other():
    deck = ["green elf", "dragon", "grey elf"]
    state = small(deck)
    # Seat 0 does not see one card of seat 1, the card of seat 2 and the deck: four cards, and where the Dragon lies.
    unseen = ["blue elf", "red orc", "green elf", "grey elf"]
    possible = set()
    for one, two, *rest in permutations(unseen):
        for place in range(3):
            order = [*rest[:place], "dragon", *rest[place:]]
            possible.add(((("red elf",), tuple(sorted([one, "skeleton"])), (two,)), tuple(order)))

    reached = {hidden(other) for other in imagined(state, 0, 1500)}

    assert reached == possible
    assert len(possible) == 72


def test_cards_aside_may_lie_in_a_hand_or_in_the_deck():
    state = at(
        3,
        FIVE,
        players=[{"hand": ["red elf"]}, {"hand": ["blue elf"]}],
        deck=["dragon", "red orc"],
        dragons=2,
        face_up=[],
    )

    decks = {hidden(other)[1] for other in imagined(state, 0, 200)}

    assert all(len(deck) == 2 and deck.count("dragon") == 1 for deck in decks)
    assert len(decks) > 20


def test_a_card_taken_face_up_stays_in_the_hand_that_took_it():
    state = at(3, FIVE, players=[{"hand": []}, {"hand": ["blue orc"]}], face_up=["red elf"])
    do(state, "take red elf", "draw")

    for other in imagined(state, 2, 30):
        assert "red elf" in hand(other, 0)


def test_of_a_known_card_that_elves_may_have_kept_only_what_must_be_there_is_known():
    cards = ["red elf", "blue elf", "red orc", "blue orc", "green troll"]
    state = at(3, FIVE, players=[{"hand": cards, "known": ["red orc", "blue orc"]}], face_up=[])
    do(state, "band red elf: blue elf", "mark none", "keep blue orc, green troll")

    # The red Orc was discarded face up; the blue one was not, so it was kept.
    assert [card.name for card in state.observe(1).seats[0].known] == ["blue orc"]
    kept = {hidden(other)[0][0] for other in imagined(state, 1, 60)}
    assert all("blue orc" in cards and len(cards) == 2 for cards in kept)
    assert len(kept) > 5


def test_of_two_copies_of_which_one_is_known_none_is_known_when_one_was_played():
    cards = ["red elf", "red elf", "blue elf", "blue elf"]
    state = at(3, FIVE, players=[{"hand": cards, "known": ["red elf"]}], face_up=[])
    do(state, "band red elf: blue elf", "mark none", "keep red elf, blue elf")

    assert state.observe(1).seats[0].known == ()


def test_ten_skeletons_are_known_after_a_pass_and_not_before():
    state = at(4, SIX, players=[{"hand": ["skeleton"] * 10}], face_up=[])
    assert state.observe(1).seats[0].known == ()

    do(state, "pass")

    assert [card.name for card in state.observe(1).seats[0].known] == ["skeleton"] * 10


def test_the_public_imagines_every_hand():
    state = Ethnos().new_state(b"public")

    hands = {hidden(other)[0] for other in imagined(state, PUBLIC, 20)}

    assert len(hands) == 20
