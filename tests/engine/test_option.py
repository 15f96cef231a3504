"""Options: declared, checked, read from text; every refusal says what came and what is allowed."""

import pytest

from rivalry_engine.error import OptionError
from rivalry_engine.option import Option, resolved

FLAG = Option("fast", "flag", False, (), "")
ONLY_OFF = Option("fairies", "flag", False, (False,), "")
COUNT = Option("count", "integer", 2, (2, 3, 4), "")
WORD = Option("mode", "word", "a", ("a", "b"), "")
WORDS = Option("tribes", "words", None, ("elves", "orcs", "trolls"), "")
ANY = Option("map", "json", None, (), "")


@pytest.mark.parametrize(
    ("option", "text", "value"),
    [
        (FLAG, "true", True),
        (FLAG, "false", False),
        (COUNT, "3", 3),
        (WORD, "b", "b"),
        (WORDS, "orcs, elves", ("orcs", "elves")),
        (ANY, '{"a": [1]}', {"a": [1]}),
    ],
)
def test_text_becomes_the_option_s_type(option, text, value):
    assert option.from_text(text) == value
    assert option.checked(value) == value


@pytest.mark.parametrize(
    ("option", "text", "message"),
    [
        (FLAG, "yes", "option fast: 'yes' is not allowed; expected true or false"),
        (ONLY_OFF, "true", "option fairies: true is not allowed; expected false"),
        (COUNT, "five", "option count: 'five' is not allowed; expected one of 2, 3, 4"),
        (COUNT, "5", "option count: 5 is not allowed; expected one of 2, 3, 4"),
        (WORD, "c", "option mode: 'c' is not allowed; expected one of a, b"),
        (WORDS, "orcs,dwarfs", "option tribes: 'dwarfs' is not allowed; expected different words out of elves, orcs"),
        (WORDS, "orcs,orcs", "option tribes: 'orcs' stands twice; expected different words"),
        (ANY, "{", "option map: '{' is not allowed; expected a JSON value"),
    ],
)
def test_bad_text_is_refused_with_what_came_and_what_is_allowed(option, text, message):
    with pytest.raises(OptionError) as refusal:
        option.from_text(text)

    assert str(refusal.value).startswith(message)


@pytest.mark.parametrize(
    ("option", "value"),
    [(FLAG, 1), (COUNT, True), (COUNT, 2.0), (COUNT, None), (WORD, 1), (WORDS, "orcs"), (WORDS, [1]), (WORDS, 3)],
)
def test_a_value_of_another_type_is_refused(option, value):
    with pytest.raises(OptionError, match=f"option {option.name}: .*expected"):
        option.checked(value)


def test_null_is_left_to_chance_where_chance_is_the_default():
    assert WORDS.checked(None) is None


def test_options_not_given_are_at_their_default():
    assert resolved("game", [FLAG, COUNT], {"count": 4}) == {"fast": False, "count": 4}


def test_an_unknown_option_is_refused_with_those_there_are():
    with pytest.raises(OptionError, match="game has no option 'cuont'; it has fast, count"):
        resolved("game", [FLAG, COUNT], {"cuont": 4})
