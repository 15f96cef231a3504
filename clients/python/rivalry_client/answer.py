"""An answer as a message."""

from __future__ import annotations

from rivalry.arena.v1 import session_pb2
from rivalry_client.prompt import WirePrompt
from rivalry_engine.prompt import Answer


def said(prompt: WirePrompt, answer: Answer, number: int) -> session_pb2.FromBot:
    """The answer to ``prompt`` under any number."""
    message = session_pb2.FromBot()
    filled = message.answer
    filled.match = prompt.handle
    filled.number = number
    if answer.index is not None:
        filled.index = answer.index
    elif answer.text is not None:
        filled.text = answer.text
    elif answer.action is not None:
        filled.action.type_url, filled.action.value = prompt.match.payloads.action(answer.action)
    if answer.parts is not None:
        filled.parts.SetInParent()
        filled.parts.indices.extend(answer.parts)
    if answer.note:
        filled.note = answer.note
    return message
