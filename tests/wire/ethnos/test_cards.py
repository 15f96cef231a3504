import pytest
from hypothesis import given
from hypothesis import strategies as st

from rivalry_engine.ethnos.cards import ALLIES, DRAGON, WHOLE, copies, listed, packed
from rivalry_wire.ethnos.cards import numbers_of, pack_of
from rivalry_wire.reading import UnreadableError

PACKS = st.lists(st.sampled_from(ALLIES), max_size=40).map(
    lambda cards: sorted(card for place, card in enumerate(cards) if cards[:place].count(card) < copies(card))
)


@given(PACKS)
def test_a_pack_is_written_as_the_engine_lists_it_and_comes_back(cards):
    pack = packed(cards)

    assert tuple(numbers_of(pack)) == listed(pack) == tuple(cards)
    assert pack_of(numbers_of(pack)) == pack


def test_the_whole_box_is_written():
    assert pack_of(numbers_of(WHOLE)) == WHOLE


@pytest.mark.parametrize("cards", [[0], [-1], [DRAGON], [128], [255], [256], [10**9], [9, 9, 9], [15], [112] * 13])
def test_what_is_no_set_of_cards_is_unreadable(cards):
    with pytest.raises(UnreadableError):
        pack_of(cards)
