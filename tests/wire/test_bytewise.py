from hypothesis import given
from hypothesis import strategies as st

from rivalry.arena.v1 import session_pb2
from rivalry_wire.bytewise import delimited, packed, varint


@given(st.integers(0, 2**63 - 1))
def test_a_number_is_written_as_protobuf_writes_it(number):
    written = bytes([8]) + varint(number)

    assert session_pb2.Ping.FromString(written).nonce == number


@given(st.lists(st.integers(0, 2**31 - 1)))
def test_packed_numbers_are_written_as_protobuf_writes_them(numbers):
    assert packed(1, numbers) == session_pb2.Parts(indices=numbers).SerializeToString()


@given(st.text(max_size=400))
def test_a_text_is_written_as_protobuf_writes_it(text):
    written = delimited(2, text.encode()) if text else b""

    assert written == session_pb2.Resign(why=text).SerializeToString()
