"""Frames at their limits, and the numbers of the schema they are spliced with."""

from __future__ import annotations

import pytest

from rivalry.arena.v1 import play_pb2, session_pb2
from rivalry_server import frames
from rivalry_server.settings import FRAME_BYTES, FRAME_MESSAGES
from server.peer import FromBot


def test_the_field_numbers_are_those_of_the_schema() -> None:
    fields = session_pb2.FromArena.DESCRIPTOR.fields_by_name

    for name in (
        *("welcome", "refused", "seat_offer", "match_started", "prompt", "ruling"),
        *("events", "match_ended", "ping", "session_ended"),
    ):
        assert getattr(frames, name.upper()) == fields[name].number


def test_pieces_put_together_are_a_frame_of_either_service() -> None:
    frame = frames.piece(frames.PING, session_pb2.Ping(nonce=7).SerializeToString()) * 3

    assert [message.ping.nonce for message in play_pb2.PlayResponse.FromString(frame).messages] == [7, 7, 7]
    assert play_pb2.BotServicePlayRequest.FromString(frame).messages[2].ping.nonce == 7


def test_a_message_that_fits_no_frame_is_an_error() -> None:
    with pytest.raises(frames.FrameSizeError, match="a frame holds 1048576"):
        frames.piece(frames.EVENTS, bytes(FRAME_BYTES))


@pytest.mark.parametrize("count", [0, 1, FRAME_MESSAGES])
def test_a_frame_of_up_to_256_messages_is_read(count: int) -> None:
    frame = play_pb2.PlayRequest(messages=[FromBot()] * count).SerializeToString()

    assert len(frames.messages(frame)) == count


def test_a_frame_of_257_messages_is_refused() -> None:
    frame = play_pb2.PlayRequest(messages=[FromBot()] * (FRAME_MESSAGES + 1)).SerializeToString()

    with pytest.raises(frames.FrameSizeError, match="257 messages"):
        frames.messages(frame)


def _frame_of(size: int) -> bytes:
    """A frame of exactly ``size`` bytes."""
    padding = size - 20
    while True:
        answer = session_pb2.Answer(text="x" * padding)
        frame = play_pb2.PlayRequest(messages=[FromBot(answer=answer)]).SerializeToString()
        if len(frame) == size:
            return frame
        padding += size - len(frame)


def test_a_frame_of_one_mebibyte_is_read_and_one_byte_more_is_refused() -> None:
    assert len(frames.messages(_frame_of(FRAME_BYTES))) == 1
    with pytest.raises(frames.FrameSizeError):
        frames.messages(_frame_of(FRAME_BYTES + 1))


@pytest.mark.parametrize("frame", [b"\xff", b"\x0a\x05abc", b"not a frame at all"])
def test_bytes_that_are_no_frame_are_refused(frame: bytes) -> None:
    with pytest.raises(frames.FrameError):
        frames.messages(frame)
