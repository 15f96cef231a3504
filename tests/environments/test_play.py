import numpy as np
import pytest

from engine.sealed import Sealed
from environments.playing import at_random, begun
from rivalry_engine import playout, record
from rivalry_engine.error import IllegalActionError, RivalryError
from rivalry_environments.encoder import encoder
from rivalry_environments.play import OVER, Play

GAMES = [("kuhn", {}), ("ethnos", {"seats": 2}), ("ethnos", {"seats": 5}), ("foederati", {"seats": 3})]


@pytest.mark.parametrize(("name", "options"), GAMES)
def test_random_masked_play_is_a_match_that_verifies(name, options):
    play = begun(name, **options)
    for _ in at_random(play):
        pass

    again = record.verified(record.read(play.record()), play.game)

    assert again.scores() == play.state.scores()
    assert play.legal() == []
    assert not play.mask(0).any()
    with pytest.raises(RivalryError, match="over"):
        play.say(0)


@pytest.mark.parametrize(("name", "options"), GAMES)
def test_the_words_of_bots_answers_play_the_bots_match(name, options):
    play = begun(name, **options)
    numbers = [0] * play.game.seats
    while play.seat != OVER:
        prompt = play.prompt()
        numbers[play.seat] += 1
        assert prompt.number == numbers[play.seat]
        for word in play.words(playout.uniform(prompt)):
            play.say(word)

    played = playout.play(play.game, [playout.uniform] * play.game.seats, play.seed)

    assert tuple(play.moves) == played.moves


def test_seats_asked_at_once_are_asked_in_order_and_see_nothing_of_each_other():
    play = Play(encoder(Sealed({"seats": 3})), b"x")
    before = play.state.observe(1).json()

    asked = []
    for word in (2, 1, 0):
        asked.append(play.seat)
        assert play.state.observe(1).json() == before
        assert play.moves == []
        play.say(word)

    assert asked == [0, 1, 2]
    assert play.moves == [(0, 2), (1, 1), (2, 0)]
    assert play.state.observe(1).json() != before
    assert play.seat == 0


def test_a_seat_that_waits_may_say_nothing():
    play = begun("kuhn")

    assert play.mask(0).tolist() == [1, 1]
    assert play.mask(1).tolist() == [0, 0]


def in_the_middle_of_a_band():
    """Ethnos with a Band half said: seats draw to the hand limit, and then say what they lead and a card with it."""
    play = begun("ethnos", seats=2, tribes=["elves", "skeletons", "orcs", "trolls", "giants"])
    draw, done = play.encoder.words.texts.index("draw"), play.encoder.words.done
    while len(play.said) < 2:
        allowed = play.legal()
        play.say(draw if draw in allowed else next(word for word in allowed if word != done))
    return play


def test_a_clone_goes_its_own_way_from_the_middle_of_a_decision():
    play = in_the_middle_of_a_band()
    twin = play.clone()
    vector, log, moves = play.vector(0), len(play.log), len(play.moves)

    for _ in at_random(twin, "other"):
        pass

    assert play.said
    assert np.array_equal(play.vector(0), vector)
    assert (len(play.log), len(play.moves)) == (log, moves)
    assert len(twin.log) > log
    assert twin.seat == OVER


def test_what_was_said_stands_in_the_vector_of_the_seat_that_says_it_alone():
    play = in_the_middle_of_a_band()
    said = play.encoder.layout["said"]
    own, other = play.vector(play.seat)[said], play.vector(1 - play.seat)[said]

    assert {word: play.said.count(word) for word in play.said} == {
        int(word): int(own[word]) for word in np.flatnonzero(own)
    }
    assert not other.any()


@pytest.mark.parametrize(("name", "options"), GAMES)
def test_a_record_is_said_again_word_by_word(name, options):
    play = begun(name, **options)
    for _ in at_random(play):
        pass
    again = begun(name, **options)

    for _, action in play.moves:
        for word in again.words(play.game.text(action)):
            again.say(word)

    assert again.moves == play.moves
    assert again.seat == OVER


def test_an_answer_that_is_not_legal_has_no_words():
    with pytest.raises(IllegalActionError, match=r"seat 0: 'fold' is no action of Kuhn poker.* \(notation\)"):
        begun("kuhn").words("fold")
    with pytest.raises(RivalryError, match="number of a choice"):
        begun("kuhn").words(2)


def test_a_record_needs_a_name_for_each_seat_or_none():
    with pytest.raises(RivalryError, match="1 names were given; kuhn has 2 seats"):
        begun("kuhn").record(["one"])
