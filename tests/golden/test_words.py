"""What is shown and told in the golden games is what their files say."""

import pytest

from golden import make, words


@pytest.mark.parametrize("name", words.NAMES)
def test_no_word_of_a_golden_game_changes_unseen(name):
    written = (make.HERE / f"{name}.words.txt").read_text()

    assert words.told(name) == written, "make golden writes the words anew; then read what git diff shows"


def test_every_golden_game_has_its_words():
    games = {path.name.removesuffix(".txt") for path in make.HERE.glob("*.txt") if ".words" not in path.name}

    assert games == set(words.NAMES)
