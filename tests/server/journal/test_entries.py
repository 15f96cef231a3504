"""Entries of the journal, as bytes and back."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rivalry_server.journal.entries import (
    Begun,
    DamagedBlobError,
    Entry,
    Lost,
    Rejected,
    Retried,
    Seated,
    decoded,
    entry,
)
from rivalry_server.outcome import End
from rivalry_server.record import Move

numbers = st.integers(0, 1 << 80)
texts = st.text(max_size=40)
entries = st.one_of(
    st.builds(
        Move,
        seat=numbers,
        action=st.integers(-(1 << 90), 1 << 90),
        elapsed_us=numbers,
        by=st.none() | texts,
        note=texts,
        network_us=numbers,
        arena_us=numbers,
    ),
    st.builds(Rejected, numbers),
    st.builds(Lost, numbers, st.sampled_from(End), texts),
    st.builds(Retried, numbers, st.sampled_from(End), texts),
    st.builds(Seated, numbers, texts, texts),
    st.builds(Begun, st.lists(st.tuples(texts, texts), max_size=6).map(tuple)),
)


@given(st.lists(st.tuples(numbers, numbers, entries), max_size=20))
def test_what_was_written_is_read(written: list[tuple[int, int, Entry]]) -> None:
    blob = b"".join(entry(row, index, what) for row, index, what in written)

    assert decoded(blob) == written


@given(st.binary(max_size=60))
def test_any_bytes_are_entries_or_a_damaged_blob(data: bytes) -> None:
    try:
        found = decoded(data)
    except DamagedBlobError:
        return
    assert isinstance(found, list)


def test_a_blob_that_was_cut_is_damaged() -> None:
    whole = entry(1, 0, Lost(2, End.CRASH, "ValueError: no"))

    for size in range(1, len(whole)):
        with pytest.raises(DamagedBlobError):
            decoded(whole[:size])


def test_a_usual_action_takes_ten_bytes() -> None:
    assert len(entry(300, 500, Move(3, 4_000, 1_500, None, ""))) <= 11
