"""The kinds of questions of Ethnos, as numbers of the enum ``Question`` and as the engine's words."""

from __future__ import annotations

from typing import Final

from rivalry.games.ethnos.v1 import ethnos_pb2 as pb
from rivalry_engine.ethnos import question

PREFIX: Final = "QUESTION_"

NUMBERS: Final[dict[str, int]] = {
    question.OVER: 0,
    **{name.removeprefix(PREFIX).lower(): number for name, number in pb.Question.items() if number},
}
"""By word."""
WORDS: Final[dict[int, str]] = {number: word for word, number in NUMBERS.items()}
"""By number."""
