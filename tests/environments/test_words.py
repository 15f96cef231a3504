"""The words of each game reach every legal action, and nothing else."""

import pytest

from environments.playing import at_random, begun
from rivalry_engine.ethnos import actions
from rivalry_engine.ethnos.cards import COLOUR_FIELDS, TRIBE_FIELDS
from rivalry_environments.ethnos_words import LEAD, LEAD_COLOUR
from rivalry_environments.saying import ways

SPELLED_OUT = 400
STRIDE = 5
GAMES = [
    ("kuhn", {}),
    ("ethnos", {"seats": 2}),
    ("ethnos", {"seats": 4, "tribes": ["elves", "skeletons", "orcs", "trolls", "halflings", "merfolk"]}),
    ("ethnos", {"seats": 3, "tribes": ["centaurs", "wizards", "giants", "minotaurs", "wingfolk"]}),
    ("ethnos", {"seats": 3, "fairies": True, "tribes": ["fairies", "elves", "orcs", "halflings", "wizards"]}),
    ("ethnos", {"seats": 4, "edition": "second"}),
    ("foederati", {"seats": 2}),
    ("foederati", {"seats": 4, "preset": "red-only"}),
]


@pytest.mark.parametrize(("name", "options"), GAMES)
def test_every_legal_action_can_be_said_and_whatever_can_be_said_is_legal(name, options):
    compared = 0
    for play in at_random(begun(name, **options)):
        if play.said or len(play.moves) % STRIDE:
            continue
        state, seat = play.state, play.seat
        legal = state.legal_actions(seat)
        if len(legal) > SPELLED_OUT:
            continue
        choices = state.choices(seat)
        said = {saying.action(play.game) for saying in ways(play.encoder.words, choices)}
        assert said == set(legal)
        compared += 1
    assert compared > (0 if name == "kuhn" else 20)


@pytest.mark.parametrize(("name", "options"), GAMES)
def test_words_mean_different_things_and_each_can_be_read(name, options):
    texts = [text for text in begun(name, **options).encoder.words.texts if text != "unused"]

    assert len(set(texts)) == len(texts)
    assert all(texts)


def test_a_band_is_said_by_what_holds_it_together():
    play = begun("ethnos", seats=2)
    words, seen = play.encoder.words, set()
    for _ in at_random(play):
        if play.said:
            continue
        choices = play.state.choices(play.seat)
        for word, choice in zip(words.choices(choices), choices, strict=True):
            leader = choice.action >> 4 & 255
            if choice.action & 15 == actions.BAND:
                by_colour = word >= LEAD_COLOUR
                field = COLOUR_FIELDS[leader & 7] if by_colour else TRIBE_FIELDS[leader >> 3]
                assert not (choice.action >> actions.PACK_SHIFT) & ~field
                assert words.texts[word].endswith("by colour" if by_colour else "by tribe")
                assert word >= LEAD
                seen.add(by_colour)
    assert seen == {False, True}


def test_a_word_means_the_same_in_every_prompt():
    meant = {}
    for play in at_random(begun("ethnos", seats=3)):
        if not play.said:
            choices = play.state.choices(play.seat)
            for word, choice in zip(play.encoder.words.choices(choices), choices, strict=True):
                if not choice.parts and choice.action & 15 != actions.BAND:
                    text = play.game.text(choice.action)
                    assert meant.setdefault(word, text) == text
    assert len(meant) > 20


def test_words_of_foederati_name_the_square_the_card_and_the_seat():
    play = begun("foederati", seats=3)
    texts, seats, verbs = play.encoder.words.texts, play.game.seats, set()
    for _ in at_random(play):
        seat, choices = play.seat, play.state.choices(play.seat)
        if play.said:
            continue
        for word, choice in zip(play.encoder.words.choices(choices), choices, strict=True):
            action = play.game.text(choice.action)
            if texts[word].startswith("choose first p"):
                assert action == f"choose first {(seat + int(texts[word][-1])) % seats}"
            else:
                assert action.startswith(texts[word].replace(" from", ""))
            parts = {play.game.part_text(part).lower() for part in choice.parts}
            assert parts == {
                texts[part].removeprefix("at ").removeprefix("card ").lower()
                for part in play.encoder.words.parts(choice)
            }
            verbs.add(texts[word].split()[0])
    assert verbs >= {"place", "expand", "migrate", "sail", "exchange", "end", "pass", "choose"}
