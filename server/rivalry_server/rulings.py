"""Rulings: what a bot is told about an answer that was not taken, and answers read from messages."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from rivalry.arena.v1 import errors_pb2, session_pb2
from rivalry_engine.game import Objection
from rivalry_engine.prompt import Answer
from rivalry_server import frames, reasons
from rivalry_server.words import overlong, shortened
from rivalry_wire.codec import Codec, UnreadableError

if TYPE_CHECKING:
    from rivalry_server.player import Player

REASONS: Final = {
    reasons.ILLEGAL: errors_pb2.RULING_REASON_ILLEGAL,
    "no_choice": errors_pb2.RULING_REASON_NO_CHOICE,
    "parts": errors_pb2.RULING_REASON_PARTS,
    "notation": errors_pb2.RULING_REASON_NOTATION,
    "empty": errors_pb2.RULING_REASON_EMPTY,
    "unreadable": errors_pb2.RULING_REASON_UNREADABLE,
    "note": errors_pb2.RULING_REASON_NOTE,
}
"""By the arena's words."""

PLAIN: Final = tuple(Answer(index=index) for index in range(256))
"""The answers that are nearly all answers, made once."""


def ruling(
    kind: errors_pb2.RulingKind,
    reason: errors_pb2.RulingReason,
    text: str,
    *,
    match: int,
    number: int,
    code: str = "",
    tries_left: int = 0,
    budget_us: int | None = None,
) -> bytes:
    """A Ruling as a piece of a frame."""
    return frames.piece(
        frames.RULING,
        session_pb2.Ruling(
            match=match,
            number=number,
            kind=kind,
            reason=reason,
            code=code,
            text=shortened(text),
            tries_left=tries_left,
            budget_us=budget_us,
        ).SerializeToString(),
    )


def rejection(objection: Objection | None, player: Player, *, match: int, budget_us: int | None) -> bytes:
    """The ruling on an answer to the open prompt that the rules or its form forbid; None: nobody knows any more why."""
    if objection is None:
        return ruling(
            errors_pb2.RULING_KIND_REJECTED,
            errors_pb2.RULING_REASON_UNSPECIFIED,
            "an answer to this prompt was rejected before, and why is not known any more",
            match=match,
            number=player.number,
            tries_left=player.tries,
            budget_us=budget_us,
        )
    kind = errors_pb2.RULING_KIND_REJECTED
    return _on_the_open(kind, objection, objection.text, player, match=match, budget_us=budget_us)


def rejected_already(objection: Objection, player: Player, *, match: int, budget_us: int | None) -> bytes:
    """The ruling on an answer to the open prompt that was rejected before and is sent again: it costs nothing."""
    kind = errors_pb2.RULING_KIND_DUPLICATE
    text = f"prompt {player.number} was answered so before, and that was rejected: {objection.text}"
    return _on_the_open(kind, objection, text, player, match=match, budget_us=budget_us)


def _on_the_open(
    kind: errors_pb2.RulingKind, objection: Objection, text: str, player: Player, *, match: int, budget_us: int | None
) -> bytes:
    reason = REASONS[reasons.word(objection.code)]
    return ruling(
        kind,
        reason,
        text,
        match=match,
        number=player.number,
        code=objection.code if reason == errors_pb2.RULING_REASON_ILLEGAL else "",
        tries_left=player.tries,
        budget_us=budget_us,
    )


def out_of_turn(
    message: session_pb2.Answer,
    player: Player,
    *,
    match: int,
    told: bool,
    taken: Answer | None,
    expired: int | None,
    codec: Codec,
    note_bytes: int,
) -> bytes:
    """The ruling on an answer to a prompt that is not open.

    ``told``: the bot has the open prompt, if there is one; ``taken`` is the answer that was taken last, ``expired`` the
    number of the prompt whose time was up.
    """
    number = message.number
    kind, reason = errors_pb2.RULING_KIND_STALE, errors_pb2.RULING_REASON_NUMBER
    last_taken = player.number if not player.open else player.number - 1
    if number == expired:
        kind, text = errors_pb2.RULING_KIND_EXPIRED, f"the time for prompt {number} was up"
    elif player.end is not None:
        reason = errors_pb2.RULING_REASON_OVER
        text = f"this seat's part in the match is over: {player.end}"
    elif taken is not None and number == last_taken:
        again = answer_in(message, codec, note_bytes)
        if isinstance(again, Answer) and _said(again) == _said(taken):
            kind, text = errors_pb2.RULING_KIND_DUPLICATE, f"prompt {number} was answered so before"
        else:
            kind, text = errors_pb2.RULING_KIND_CONFLICT, f"prompt {number} was answered otherwise before"
    elif player.open and told:
        text = f"prompt {player.number} is open; the answer was to {number}"
    else:
        text = f"no prompt is open; the answer was to {number}"
    return ruling(kind, reason, text, match=match, number=number)


def without_match(match: int, number: int, *, over: bool, now: int) -> bytes:
    """The ruling on an answer to a prompt of a match that the session does not play, or that is ``over``, or goes on by
    another handle ``now``.
    """
    text = f"match {match} is over" if over else f"this session has no match {match}"
    return ruling(
        errors_pb2.RULING_KIND_STALE,
        errors_pb2.RULING_REASON_OVER if over else errors_pb2.RULING_REASON_UNKNOWN_MATCH,
        text if now == match else f"match {match} goes on as match {now}",
        match=match,
        number=number,
    )


def answer_in(message: session_pb2.Answer, codec: Codec, note_bytes: int) -> Answer | Objection:
    """The answer that ``message`` holds, or why it cannot be read; whether it is legal is not asked here."""
    note = message.note
    if not note and message.WhichOneof("said") == "index" and not message.HasField("parts"):
        index = message.index
        return PLAIN[index] if 0 <= index < len(PLAIN) else Answer(index=index)
    if note and (objection := overlong(note, note_bytes)):
        return objection
    said = message.WhichOneof("said")
    parts = tuple(message.parts.indices) if message.HasField("parts") else None
    if said == "index":
        return Answer(index=message.index, parts=parts, note=note)
    if said == "text":
        return Answer(text=message.text, parts=parts, note=note)
    if said is None:
        return Answer(parts=parts, note=note)
    url = codec.url("Action")
    if message.action.type_url != url:
        return Objection("unreadable", f"the action is of type {message.action.type_url[:100]!r}; expected {url!r}")
    try:
        return Answer(action=codec.read_action(message.action.value), parts=parts, note=note)
    except UnreadableError as error:
        return Objection("unreadable", str(error))


def _said(answer: Answer) -> tuple[object, ...]:
    return (answer.index, answer.parts, answer.action, answer.text)
