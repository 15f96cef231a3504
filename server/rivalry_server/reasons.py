"""Why an answer was not taken, as bots are told it: the arena's word, or the game's own code."""

from __future__ import annotations

from typing import Final

from rivalry_client.match import Ruling
from rivalry_engine.game import Objection
from rivalry_server.words import shortened

ILLEGAL: Final = "illegal"
WORDS: Final = {
    "no_choice": "no_choice",
    "no_parts": "parts",
    "part_count": "parts",
    "part_order": "parts",
    "notation": "notation",
    "empty": "empty",
    "unreadable": "unreadable",
    "note": "note",
}
"""The arena's word for its own objections, by code; any other code is the game's."""


def word(code: str) -> str:
    """The arena's word for an objection; ``illegal`` for a game's own."""
    return WORDS.get(code, ILLEGAL)


def rejection(objection: Objection, tries_left: int) -> Ruling:
    """What a bot in this process is told of an answer to its open prompt, in the words of the wire."""
    reason = word(objection.code)
    code = objection.code if reason == ILLEGAL else ""
    return Ruling("rejected", reason, code, shortened(objection.text), tries_left)
