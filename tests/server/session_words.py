"""What a session said first, and its rulings in words."""

from __future__ import annotations

from typing import Any

from rivalry.arena.v1 import errors_pb2, session_pb2
from rivalry.games.generic.v1 import generic_pb2


def reason(ruling: session_pb2.Ruling) -> str:
    return errors_pb2.RulingReason.Name(ruling.reason).removeprefix("RULING_REASON_").lower()


def action(text: str, *, type_url: str = "type.googleapis.com/rivalry.games.generic.v1.Action") -> Any:
    from google.protobuf.any_pb2 import Any as AnyMessage

    return AnyMessage(type_url=type_url, value=generic_pb2.Action(text=text).SerializeToString())
