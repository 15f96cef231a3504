"""Rows that are found and checked by themselves."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rivalry_server.journal.sealed import Kind, UnsealedError, opened, sealed


@given(st.sampled_from(Kind), st.integers(0, (1 << 64) - 1), st.binary(max_size=200))
def test_a_row_is_what_was_sealed(kind: Kind, key: int, payload: bytes) -> None:
    assert opened(sealed(kind, key, payload)) == (kind, key, payload)


@given(st.data())
def test_a_bit_that_was_flipped_is_noticed(data: st.DataObject) -> None:
    row = bytearray(sealed(Kind.BLOB, 7, b"what happened in one turn"))
    place = data.draw(st.integers(0, len(row) * 8 - 1))
    row[place // 8] ^= 1 << place % 8

    with pytest.raises(UnsealedError):
        opened(bytes(row))
