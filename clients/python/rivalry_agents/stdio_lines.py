"""The lines of the protocol for programs: ``clients/stdio/README.md`` is its page.

A line is one JSON object in ASCII without spaces between its tokens, ``type`` first.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Final

from rivalry_client.bot import GivenUpError
from rivalry_client.match import Match, Outcome, Ruling
from rivalry_client.prompt import Prompt
from rivalry_engine.game import Game
from rivalry_engine.prompt import Answer, Resign, shown
from rivalry_wire.codec import UnreadableError

PROTOCOL: Final = 1
"""Raised when a program that goes by the page would not understand any more."""
KEYS: Final = frozenset({"index", "parts", "text", "resign", "number", "note"})
NUMBER_MOST: Final = (1 << 31) - 1
EXPECTED: Final = (
    'expected one line such as {"index":0}, {"index":0,"parts":[0,2]}, {"text":"pass"} or {"resign":"why"}'
)


class RubbishError(GivenUpError):
    """A line of the program's that is no answer."""


def line(value: Mapping[str, Any]) -> bytes:
    """``value`` as one line."""
    return json.dumps(value, separators=(",", ":")).encode() + b"\n"


def started(match: Match) -> dict[str, Any]:
    """The first line: the protocol's version, and what stays the same for the whole match."""
    game = _game(match)
    return {
        "type": "match",
        "protocol": PROTOCOL,
        "game": match.game_name,
        "seat": match.seat,
        "seats": match.seats,
        "match": match.id,
        "rules_version": match.rules_version,
        "options": dict(match.options),
        "players": [player.name for player in match.players],
        "prompt_ms": _ms(match.prompt_s),
        "first_prompt_ms": _ms(match.first_prompt_s),
        "luck": f"0x{match.luck.hex()}",
        "resumed": match.resumed,
        "primer": "" if game is None else game.primer,
        "glossary": {} if game is None else dict(game.glossary),
        "setup": None if game is None else match.setup.json(),
    }


def asked(prompt: Prompt, time_left_s: float | None) -> dict[str, Any]:
    """A prompt, with the numbers that a shell needs before everything else."""
    return {
        "type": "prompt",
        "number": prompt.number,
        "count": len(prompt.shapes()),
        "kind": prompt.kind,
        "time_left_ms": _ms(time_left_s),
        "tries_left": prompt.tries_left,
        "choices": [_choice(prompt, index) for index in range(len(prompt.shapes()))],
        "events": _events(prompt),
        "view": prompt.view(),
        "observation": _observation(prompt),
    }


def ruled(number: int, ruling: Ruling) -> dict[str, Any]:
    """Why the last answer was not taken; the same prompt follows."""
    return {
        "type": "ruling",
        "number": number,
        "kind": ruling.kind,
        "reason": ruling.reason,
        "code": ruling.code,
        "text": ruling.text,
        "tries_left": ruling.tries_left,
    }


def over(match: Match, outcome: Outcome) -> dict[str, Any]:
    """The last line: how the match ended for everybody, what happened since the last prompt, and for this seat."""
    own = outcome.seats[match.seat] if match.seat < len(outcome.seats) else None
    return {
        "type": "ended",
        "rank": None if own is None else own.rank,
        "score": None if own is None else own.score,
        "end": "" if own is None else own.end,
        "void": outcome.void,
        "text": outcome.text,
        "score_unit": outcome.score_unit,
        "seats": [
            {"seat": seat.seat, "name": seat.name, "score": seat.score, "rank": seat.rank, "end": seat.end}
            for seat in outcome.seats
        ],
    }


def answer_in(said: bytes, number: int) -> Answer | None:
    """The answer in a line of the program's to prompt ``number``; None for one to an earlier prompt.

    Raises Resign where the program gives up, and RubbishError for what is no answer.
    """
    try:
        value = json.loads(said)
    except (ValueError, RecursionError):
        raise _rubbish(said, number) from None
    if not isinstance(value, dict) or not value.keys() <= KEYS:
        raise _rubbish(said, number)
    if (about := value.get("number", number)) != number:
        if type(about) is int and 0 < about < number:
            return None
        raise _rubbish(said, number)
    if len(value.keys() & {"index", "text", "resign"}) != 1 or ("parts" in value and "index" not in value):
        raise _rubbish(said, number)
    texts = [value.get(key, "") for key in ("text", "resign", "note")]
    if not all(isinstance(text, str) and _encodable(text) for text in texts):
        raise _rubbish(said, number)
    if "resign" in value:
        raise Resign(value["resign"] or "the program gave up")
    if "text" in value:
        return Answer(text=value["text"], note=value.get("note", ""))
    numbers = [value["index"], *_list(value.get("parts"))]
    if not all(type(each) is int and 0 <= each <= NUMBER_MOST for each in numbers):
        raise _rubbish(said, number)
    parts = None if value.get("parts") is None else tuple(sorted(numbers[1:]))
    return Answer(index=value["index"], parts=parts, note=value.get("note", ""))


def _list(parts: object) -> list[object]:
    """The parts; something that is no number where they are no list."""
    return [] if parts is None else parts if isinstance(parts, list) else [None]


def _rubbish(said: bytes, number: int) -> RubbishError:
    return RubbishError(f"the program answered prompt {number} with {shown(said.decode(errors='replace'))}; {EXPECTED}")


def _encodable(text: str) -> bool:
    return text.isascii() or not any("\ud800" <= letter <= "\udfff" for letter in text)


def _choice(prompt: Prompt, index: int) -> dict[str, Any]:
    count, least, most, usual = prompt.shapes()[index]
    text = {"text": prompt.text(index)}
    if not count:
        return dict(text)
    return {**text, "parts": prompt.part_texts(index), "least": least, "most": most, "usual": usual}


def _events(prompt: Prompt) -> list[str] | None:
    try:
        return [prompt.game.event_text(event) for event in prompt.events]
    except UnreadableError:
        return None


def _observation(prompt: Prompt) -> Any:
    try:
        return prompt.observation.json()
    except UnreadableError:
        return None


def _game(match: Match) -> Game | None:
    try:
        return match.game
    except UnreadableError:
        return None


def _ms(seconds: float | None) -> int | None:
    return None if seconds is None else max(round(seconds * 1000), 0)
