"""Packs are sets of cards with copies, written in one integer: held against what Counter says of the same cards."""

from collections import Counter

import pytest

from rivalry_engine.chance import Stream
from rivalry_engine.ethnos import cards

EVERY = [card for card in cards.ALLIES for _ in range(cards.copies(card))]


def drawn(stream, most):
    return [EVERY[at] for at in stream.sample(len(EVERY), stream.below(most + 1))]


@pytest.mark.parametrize("number", range(100))
def test_a_pack_says_of_its_cards_what_counting_them_says(number):
    stream = Stream(b"packs", str(number))
    some, others = drawn(stream, 14), drawn(stream, 14)
    pack, other = cards.packed(some), cards.packed(others)
    counted, taken = Counter(some), Counter(others)

    assert cards.size(pack) == len(some)
    assert [cards.count(pack, card) for card in cards.ALLIES] == [counted[card] for card in cards.ALLIES]
    assert list(cards.listed(pack)) == sorted(some)
    assert cards.faces(pack) == sorted(counted)
    assert cards.holds(pack, other) is (taken <= counted)
    assert cards.holds(pack, cards.packed(some[: len(some) // 2]))
    assert list(cards.listed(cards.less(pack, other))) == sorted((counted - taken).elements())


def test_what_is_no_card_is_in_no_pack():
    assert [card for card in range(cards.NUMBERS) if not cards.copies(card) and cards.count(cards.WHOLE, card)] == []
    assert list(cards.listed(cards.WHOLE)) == sorted(EVERY)
