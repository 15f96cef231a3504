"""OpenSpiel's words and number of an action go both ways."""

from __future__ import annotations

import pytest

from rivalry_engine.error import NotationError
from rivalry_engine.prompt import ACTION_BITS
from rivalry_openspiel.notation import MASK, action_of, action_read, number_of, text_of


@pytest.mark.parametrize("words", ["x(0,1)", "", "Nf3 #1", "Zug nach links", "♠A", "a" * 1_000, "ä" * 500])
@pytest.mark.parametrize("number", [0, 7, MASK])
def test_an_action_is_read_as_the_one_that_was_written(words: str, number: int) -> None:
    action = action_of(number, words)

    assert number_of(action) == number
    assert action_read(text_of(action)) == action
    assert action.bit_length() <= ACTION_BITS


def test_words_stand_on_one_line_without_what_cannot_be_printed() -> None:
    assert text_of(action_of(3, " a\n b\x1b[1m\t c ")) == "a b [1m c #3"


def test_two_actions_of_the_same_words_differ() -> None:
    assert text_of(action_of(1, "Pass")) != text_of(action_of(2, "Pass"))


@pytest.mark.parametrize("text", ["", "pass", "#", "pass #01", "pass #-1", f"pass #{MASK + 1}", "a  b #1", "pass#1"])
def test_what_is_no_action_is_refused(text: str) -> None:
    with pytest.raises(NotationError, match="expected words and OpenSpiel's number"):
        action_read(text)
