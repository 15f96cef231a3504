"""The derived chance: its vectors, its bounds, its independence of other labels."""

import hashlib
import hmac

import pytest

from rivalry_engine import chance
from rivalry_engine.chance import Stream
from rivalry_engine.compiled import is_compiled
from rivalry_engine.error import RivalryError


def test_words_are_hmac_sha256_over_label_zero_and_counter():
    stream = Stream(b"key", "label")

    words = [stream.word() for _ in range(8)]

    blocks = b"".join(
        hmac.new(b"key", b"label\x00" + counter.to_bytes(8, "big"), hashlib.sha256).digest() for counter in (0, 1)
    )
    assert words == [int.from_bytes(blocks[at : at + 8], "big") for at in range(0, 64, 8)]


def test_the_vectors_of_the_readme_hold():
    stream = Stream(b"rivalry", "test")
    assert [f"{stream.word():016x}" for _ in range(5)] == [
        "d2b527ce9d526858",
        "636f29ce5f7101c5",
        "8690cb445d7a68ed",
        "e296dc98cd323596",
        "f136a6ccdfbb88b0",
    ]
    stream = Stream(b"rivalry", "test")
    assert [stream.below(10) for _ in range(10)] == [2, 3, 5, 6, 2, 1, 3, 4, 7, 0]
    cards = list(range(10))
    Stream(b"rivalry", "test").shuffle(cards)
    assert cards == [0, 3, 9, 7, 1, 6, 4, 8, 5, 2]
    stream = Stream(b"rivalry", "test")
    assert stream.sample(20, 5) == [7, 8, 12, 13, 17]
    assert stream.choice("abcdef") == "d"
    assert chance.luck(b"rivalry", 0).hex() == "fac19293b385a901ef16c8c83ac56e17288efbe8d14b0fb04a4b9a2cb7f77c88"


class Words(Stream):
    """A stream whose words are given."""

    def __init__(self, *words: int) -> None:
        super().__init__(b"", "")
        self.words = list(words)

    def word(self) -> int:
        return self.words.pop(0)


@pytest.mark.skipif(is_compiled(), reason="a compiled stream has no subclasses in plain Python")
def test_a_word_at_or_above_the_last_multiple_is_rejected():
    last_multiple = 2**64 - 2**64 % 10

    assert Words(last_multiple, 2**64 - 1, 17).below(10) == 7
    assert Words(last_multiple - 1).below(10) == 9


@pytest.mark.skipif(is_compiled(), reason="a compiled stream has no subclasses in plain Python")
def test_a_power_of_two_rejects_nothing():
    assert Words(2**64 - 1).below(2**64) == 2**64 - 1
    assert Words(2**64 - 1).below(16) == 15


@pytest.mark.parametrize("bound", [0, -1, 2**64 + 1])
def test_a_bound_out_of_range_is_refused(bound):
    with pytest.raises(RivalryError, match=f"below\\({bound}\\): expected a bound from 1"):
        Stream(b"", "").below(bound)


@pytest.mark.skipif(is_compiled(), reason="a compiled stream has no subclasses in plain Python")
def test_shuffling_goes_from_the_top_and_may_leave_a_card_where_it_is():
    cards = ["a", "b", "c"]

    Words(0, 1).shuffle(cards)  # 2 <-> 0, then 1 <-> 1

    assert cards == ["c", "b", "a"]


def test_every_order_of_three_comes_about_as_often():
    stream, counts = Stream(b"orders", "x"), {}
    for _ in range(6000):
        cards = [0, 1, 2]
        stream.shuffle(cards)
        counts[tuple(cards)] = counts.get(tuple(cards), 0) + 1

    assert len(counts) == 6
    assert all(850 < count < 1150 for count in counts.values())


def test_every_subset_comes_about_as_often():
    stream, counts = Stream(b"subsets", "x"), {}
    for _ in range(6000):
        chosen = tuple(stream.sample(4, 2))
        counts[chosen] = counts.get(chosen, 0) + 1

    assert sorted(counts) == [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)]
    assert all(850 < count < 1150 for count in counts.values())


def test_a_sample_of_all_or_none_takes_all_or_none():
    assert Stream(b"", "").sample(5, 5) == [0, 1, 2, 3, 4]
    assert Stream(b"", "").sample(5, 0) == []
    with pytest.raises(RivalryError, match="expected a count from 0 to 5"):
        Stream(b"", "").sample(5, 6)


def test_labels_and_seeds_give_streams_of_their_own():
    first = [Stream(seed, label).word() for seed in (b"a", b"b") for label in ("x", "y")]

    assert len(set(first)) == 4
    assert Stream(b"a", "x").word() == first[0]


def test_seeds_are_read_as_text_or_hex_and_written_as_hex():
    assert chance.seed_from_text("abc") == b"abc"
    assert chance.seed_from_text("0x00ff") == b"\x00\xff"
    assert chance.seed_text(b"\x00\xff") == "0x00ff"
    assert chance.seed_of_match(b"abc", 7) == b"abc/7"
    with pytest.raises(RivalryError, match="even number of hex digits"):
        chance.seed_from_text("0x0")


def test_the_luck_of_a_seat_is_its_own():
    assert len({chance.luck(b"s", seat) for seat in range(6)}) == 6
    assert len(chance.luck(b"s", 0)) == 32
