"""The kinds of questions, and the numbers of the enum."""

from __future__ import annotations

from typing import Final

from rivalry.games.foederati.v1 import foederati_pb2 as pb
from rivalry_engine.foederati import question

NUMBERS: Final[dict[str, int]] = {
    question.OVER: pb.QUESTION_UNSPECIFIED,
    **{kind: pb.Question.Value(f"QUESTION_{kind.upper()}") for kind in question.KINDS},
}
WORDS: Final[dict[int, str]] = {number: kind for kind, number in NUMBERS.items()}
