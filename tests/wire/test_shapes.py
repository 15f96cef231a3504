from hypothesis import given
from hypothesis import strategies as st

from rivalry.arena.v1.session_pb2 import Prompt
from rivalry_engine.game import Choice
from rivalry_wire.shapes import shapes

SIZES = st.one_of(st.integers(0, 12), st.integers(0, 300))
SHAPES = st.tuples(SIZES, SIZES, SIZES, SIZES).map(sorted)


def choice(least, usual, most, parts):
    return Choice(1, tuple(range(parts)), least, most, usual)


@given(st.lists(SHAPES, max_size=200))
def test_shapes_are_fields_of_a_prompt(rows):
    choices = [choice(*row) for row in rows]

    prompt = Prompt.FromString(shapes(choices))

    count = len(choices)
    assert list(prompt.parts) == [len(choice.parts) for choice in choices]
    assert list(prompt.least or [0] * count) == [choice.least for choice in choices]
    assert list(prompt.most or [0] * count) == [choice.most for choice in choices]
    assert list(prompt.usual or [0] * count) == [choice.usual for choice in choices]
    assert prompt == Prompt(parts=prompt.parts, least=prompt.least, most=prompt.most, usual=prompt.usual)


def test_a_choice_with_more_parts_than_fit_a_byte():
    prompt = Prompt.FromString(shapes([choice(0, 300, 300, 300), choice(0, 1, 1, 128)]))

    assert list(prompt.parts) == [300, 128]
    assert list(prompt.most) == [300, 1]


def test_plain_choices_have_no_sizes():
    prompt = Prompt.FromString(shapes([choice(0, 0, 0, 0)] * 3))

    assert list(prompt.parts) == [0, 0, 0]
    assert not prompt.least and not prompt.most and not prompt.usual


def test_the_same_object_gets_the_same_bytes_and_another_its_own():
    three, two = [choice(0, 0, 0, 0)] * 3, [choice(0, 2, 2, 2)] * 2

    assert shapes(three) is shapes(three)
    assert shapes(two) != shapes(three)
