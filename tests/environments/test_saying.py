from collections import Counter
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rivalry_engine.error import IllegalActionError, RivalryError
from rivalry_engine.game import Choice
from rivalry_engine.prompt import Answer
from rivalry_environments.saying import Saying, ways, words_of
from rivalry_environments.words import Numbered

WORDS = Numbered(4, 8)


@st.composite
def shapes(draw):
    parts = tuple(draw(st.lists(st.integers(0, 3), max_size=7)))
    least = draw(st.integers(0, len(parts)))
    most = draw(st.integers(least, len(parts)))
    return Choice(1, parts, least, most, draw(st.integers(least, most)))


@settings(max_examples=80, deadline=None)
@given(shapes())
def test_every_set_of_parts_is_said_in_just_one_way_and_nothing_else_is(choice):
    sizes = range(choice.least, choice.most + 1)
    wanted = {tuple(sorted(chosen)) for size in sizes for chosen in combinations(choice.parts, size)}

    said = Counter(tuple(sorted(choice.parts[part] for part in saying.parts)) for saying in ways(WORDS, [choice]))

    assert said == Counter(wanted)


@settings(max_examples=50, deadline=None)
@given(shapes(), st.data())
def test_the_words_of_an_answer_say_equal_parts(choice, data):
    size = data.draw(st.integers(choice.least, choice.most))
    chosen = tuple(sorted(data.draw(st.permutations(range(len(choice.parts))))[:size]))
    saying = Saying(WORDS, [Choice(0), choice])

    for word in words_of(WORDS, [Choice(0), choice], Answer(index=1, parts=chosen)):
        saying.say(word)

    assert not saying.next
    assert saying.choice is choice
    assert sorted(choice.parts[part] for part in saying.parts) == sorted(choice.parts[part] for part in chosen)


def test_an_answer_without_parts_takes_the_usual_ones():
    choice = Choice(1, (7, 8, 9), 0, 3, 2)

    assert words_of(WORDS, [choice], Answer(index=0)) == [0, 4, 5, WORDS.done]


def test_a_word_that_is_not_allowed_is_refused_with_what_is():
    saying = Saying(WORDS, [Choice(1), Choice(2)])

    with pytest.raises(IllegalActionError, match=r"action 4 \(part 0\) .* allowed are 0 \(choice 0\), 1 \(choice 1\)"):
        saying.say(4)
    with pytest.raises(IllegalActionError, match="99 is no action; there are 0 to 12"):
        saying.say(99)
    assert saying.said == ()


@pytest.mark.parametrize("answer", [Answer(text="pass"), Answer(index=3), Answer(index=0, parts=(5,))])
def test_an_answer_that_cannot_be_said_is_refused(answer):
    with pytest.raises(RivalryError, match="Answer"):
        words_of(WORDS, [Choice(1, (7, 8), 0, 1, 1)], answer)


def test_more_choices_or_parts_than_words_say_what_to_do():
    with pytest.raises(RivalryError, match="choices=5 or more"):
        Saying(WORDS, [Choice(number) for number in range(5)])
    saying = Saying(WORDS, [Choice(1, tuple(range(9)), 0, 9, 9)])
    with pytest.raises(RivalryError, match="parts=9 or more"):
        saying.say(0)
