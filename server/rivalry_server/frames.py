"""Frames: what is pending for one session, at most 256 messages and 1 MiB, spliced from messages serialised before."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from google.protobuf.message import DecodeError

from rivalry.arena.v1 import play_pb2
from rivalry_server.settings import FRAME_BYTES, FRAME_MESSAGES
from rivalry_wire.bytewise import varint

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rivalry.arena.v1 import session_pb2

WELCOME: Final = 1
REFUSED: Final = 2
SEAT_OFFER: Final = 3
MATCH_STARTED: Final = 4
PROMPT: Final = 5
RULING: Final = 6
EVENTS: Final = 7
MATCH_ENDED: Final = 8
PING: Final = 9
DRAIN: Final = 10
SESSION_ENDED: Final = 12
PONG: Final = 13
"""Field numbers of ``FromArena``; a test holds them against the schema."""

_MESSAGES: Final = b"\x0a"
"""The tag of field 1, ``messages``, of PlayResponse and of BotServicePlayRequest alike."""
_TAGS: Final = tuple(bytes([field << 3 | 2]) for field in range(16))


class FrameError(Exception):
    """A frame over the limits, or one that is no frame."""


class FrameSizeError(FrameError):
    """A frame over the limits."""


def piece(field: int, body: bytes) -> bytes:
    """One message to a bot as a part of a frame: ``field`` of FromArena holding the serialised ``body``."""
    size = varint(len(body))
    written = b"".join((_MESSAGES, varint(1 + len(size) + len(body)), _TAGS[field], size, body))
    if len(written) > FRAME_BYTES:
        raise FrameSizeError(f"a message of {len(written)} bytes; a frame holds {FRAME_BYTES}")
    return written


def messages(frame: bytes) -> Sequence[session_pb2.FromBot]:
    """The messages of a frame from a bot; raises FrameSizeError or FrameError."""
    if len(frame) > FRAME_BYTES:
        raise FrameSizeError(f"a frame of {len(frame)} bytes; at most {FRAME_BYTES} are taken")
    try:
        read = play_pb2.PlayRequest.FromString(frame).messages
    except DecodeError as error:
        raise FrameError(f"a frame of {len(frame)} bytes is no PlayRequest") from error
    if len(read) > FRAME_MESSAGES:
        raise FrameSizeError(f"a frame of {len(read)} messages; at most {FRAME_MESSAGES} are taken")
    return read
