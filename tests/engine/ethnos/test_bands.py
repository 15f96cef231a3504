"""Which Bands a hand can play (E5.1, E5.2): the tables against the plain way, on thousands of hands."""

from itertools import combinations

import pytest

from engine.ethnos.table import SIX, at, numbered, offered
from rivalry_engine.chance import Stream
from rivalry_engine.ethnos import actions, bands
from rivalry_engine.ethnos.cards import COLOUR_FIELDS, SKELETON, TRIBE_FIELDS, colour_of, deck_of, packed, tribe_of
from rivalry_engine.ethnos.data import COLOURS, SKELETONS
from rivalry_engine.ethnos.edition import FIRST

BOXED = tuple(FIRST.tribe_words)


def all_bands(hand):
    """Every Band of a hand the plain way: each subset, tested by its cards, with each card that may lead it."""
    found = set()
    for size in range(1, len(hand) + 1):
        for cards in set(combinations(sorted(hand), size)):
            others = [card for card in cards if card != SKELETON]
            if others and (
                len({tribe_of(card) for card in others}) == 1 or len({colour_of(card) for card in others}) == 1
            ):
                found |= {actions.band(leader, packed(cards)) for leader in others}
    return found


def by_table(hand, tribes):
    tribe_fields = [TRIBE_FIELDS[tribe] for tribe in tribes if tribe != SKELETONS]
    return bands.playable(packed(hand), tribe_fields, [COLOUR_FIELDS[colour] for colour in COLOURS])


def dealt(stream, largest):
    """Tribes in play and a hand of them; every second hand is of few faces, so that copies and Skeletons abound."""
    tribes = tuple(BOXED[place] for place in stream.sample(len(BOXED), 6))
    deck = deck_of(tribes)
    if stream.below(2):
        kept = {stream.choice(deck) for _ in range(4)} | {SKELETON}
        deck = [card for card in deck if card in kept]
    stream.shuffle(deck)
    return tribes, deck[: 1 + stream.below(largest)]


@pytest.mark.parametrize(("hands", "largest"), [(3000, 6), (120, 10)])
def test_the_tables_find_the_bands_that_trying_every_subset_finds(hands, largest):
    stream = Stream(b"bands", f"largest/{largest}")

    for _ in range(hands):
        tribes, hand = dealt(stream, largest)
        spelled = bands.spelled_out(by_table(hand, tribes))

        assert len(spelled) == len(set(spelled)), hand
        assert set(spelled) == all_bands(hand), hand


def test_a_hand_has_at_most_twenty_choices_and_no_two_of_them_are_the_same():
    stream = Stream(b"bands", "choices")

    for _ in range(2000):
        tribes, hand = dealt(stream, 10)
        choices = by_table(hand, tribes)

        assert len(choices) <= 20
        assert len(set(choices)) == len(choices)
        for choice in choices:
            assert (choice.least, choice.most, choice.usual) == (0, len(choice.parts), len(choice.parts))


def test_full_tables_are_emptied_and_the_answers_stay_the_same(monkeypatch):
    monkeypatch.setattr(bands, "_HANDS_LIMIT", 3)
    monkeypatch.setattr(bands, "_GROUPS_LIMIT", 3)
    stream = Stream(b"bands", "full")

    for _ in range(200):
        tribes, hand = dealt(stream, 5)

        assert set(bands.spelled_out(by_table(hand, tribes))) == all_bands(hand)


def test_a_leader_is_offered_once_by_its_tribe_and_once_by_its_colour():
    state = at(4, SIX, players=[{"hand": ["red elf", "blue elf", "red orc", "skeleton"]}], face_up=["red orc"])

    assert numbered(state) == [
        "take red orc",
        "draw",
        "band blue elf: red elf, skeleton",
        "band red elf: blue elf, skeleton",
        "band red orc: skeleton",
        "band blue elf: skeleton",
        "band red elf: red orc, skeleton",
        "band red orc: red elf, skeleton",
    ]


def test_a_leader_whose_tribe_and_colour_have_the_same_cards_is_offered_once():
    state = at(4, SIX, players=[{"hand": ["red elf", "red elf", "skeleton"]}], face_up=[])

    assert numbered(state) == ["draw", "band red elf: red elf, skeleton"]
    assert offered(state) == {
        "draw",
        "band red elf",
        "band red elf: red elf",
        "band red elf: skeleton",
        "band red elf: red elf, skeleton",
    }


def test_the_number_alone_plays_the_whole_band_and_no_parts_play_the_leader_alone():
    state = at(4, SIX, players=[{"hand": ["red elf", "blue elf", "skeleton"]}], face_up=[])
    whole = state.choices(0)[1]

    assert state.game.text(whole.action) == "band blue elf: red elf, skeleton"
    assert state.game.text(state.game.fill(whole, ())) == "band blue elf"
    assert [state.game.part_text(part) for part in whole.parts] == ["red elf", "skeleton"]
    assert state.game.text(state.game.fill(whole, (1,))) == "band blue elf: skeleton"
