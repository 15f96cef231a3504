import pytest
from hypothesis import given
from hypothesis import strategies as st

from rivalry.arena.v1 import session_pb2
from rivalry_wire.bytewise import delimited, packed, varint


@given(st.integers(0, 2**63 - 1))
def test_a_number_is_written_as_protobuf_writes_it(number):
    written = bytes([8]) + varint(number)

    assert session_pb2.Ping.FromString(written).nonce == number


@pytest.mark.parametrize("number", [0, 127, 128, 4095, 4096, 16383, 16384, 2**21 - 1, 2**21, 2**64 - 1])
def test_a_number_at_an_edge_is_as_long_as_it_needs(number):
    written = varint(number)

    assert len(written) == max(1, -(-number.bit_length() // 7))
    assert sum((byte & 127) << 7 * place for place, byte in enumerate(written)) == number


@pytest.mark.parametrize("number", [-1, -4096, -(2**70)])
def test_a_negative_number_is_refused(number):
    with pytest.raises(ValueError, match="no number for a varint"):
        varint(number)


@given(st.lists(st.integers(0, 2**31 - 1)))
def test_packed_numbers_are_written_as_protobuf_writes_them(numbers):
    assert packed(1, numbers) == session_pb2.Parts(indices=numbers).SerializeToString()


@given(st.text(max_size=400))
def test_a_text_is_written_as_protobuf_writes_it(text):
    written = delimited(2, text.encode()) if text else b""

    assert written == session_pb2.Resign(why=text).SerializeToString()
