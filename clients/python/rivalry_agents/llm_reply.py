"""What a model's reply means: one answer, or the reason why it is none.  Nothing is guessed.

The answer stands on a line that begins with ``ANSWER:``, or alone below it, else on the last line.  Marks of layout
around it do not count (stars, backticks, quotes, a full stop), nor does what stands before the end of a ``</think>``.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from rivalry_client.prompt import Prompt
from rivalry_engine.error import NotationError
from rivalry_engine.prompt import Answer, shown
from rivalry_wire.codec import UnreadableError

MARKS: Final = "*_`'\"“”‘’ \t"
ANSWER: Final = re.compile(r"^[*_`#>\s]*(?:final\s+)?answer[*_`\s]*[:=：][*_`\s]*", re.IGNORECASE)
NOTE: Final = re.compile(r"^[*_`#>\s]*note[*_`\s]*[:：][*_`\s]*", re.IGNORECASE)
NUMBER: Final = re.compile(
    r"^(?:choice\s+)?(?:\[(?P<boxed>[0-9]{1,6})\]|(?P<bare>[0-9]{1,6}))(?P<rest>.*)$", re.IGNORECASE | re.DOTALL
)
NUMBERS: Final = r"[0-9]{1,6}(?:[\s,]+(?:and\s+)?[0-9]{1,6})*"
PARTS: Final = re.compile(
    rf"^(?:with\s+)?(?:parts?\s*:?\s*)?(?P<list>none|\[\s*\]|\[\s*{NUMBERS}\s*\]|{NUMBERS})$", re.IGNORECASE
)
WORDED: Final = re.compile(r"^(?:with|parts?)\b", re.IGNORECASE)
TEXT_MOST: Final = 1_000
NOTE_MOST: Final = 500


class UnclearError(ValueError):
    """A reply that is no answer; the text says why, to the model."""


def answer_in(prompt: Prompt, reply: str) -> Answer:
    """The answer in ``reply``; raises UnclearError for none, for more than one, and for what the prompt refuses."""
    text = _answer_text(reply)
    found = NUMBER.match(text)
    numbered = None if found is None else _numbered(prompt, text, int(found["boxed"] or found["bare"]), found["rest"])
    if numbered is not None:
        return numbered
    texts = [_plain(each) for each in prompt.texts()]
    if _plain(text) in texts:
        return Answer(index=texts.index(_plain(text)))
    if len(text) > TEXT_MOST:
        raise UnclearError(f"the answer has {len(text)} characters; a number or one action is expected")
    try:
        prompt.game.action(text)
    except NotationError as error:
        raise UnclearError(f"{shown(text)} is neither the number of a choice nor an action: {error}") from None
    except UnreadableError:
        pass  # the rules are not installed here: the arena says whether it is one
    return Answer(text=text)


def note_in(reply: str) -> str:
    """What the model wants to remember, from the lines that begin with ``NOTE:``; empty for nothing."""
    lines = [NOTE.sub("", line).strip() for line in _said(reply).splitlines() if NOTE.match(line)]
    return " ".join(lines)[:NOTE_MOST]


def _said(reply: str) -> str:
    """The reply without what a reasoning model thought aloud."""
    _, mark, after = reply.rpartition("</think>")
    if mark:
        return after
    if reply.lstrip().startswith("<think>"):
        raise UnclearError("the reply ends before the thoughts do; think less and answer")
    return reply


def _answer_text(reply: str) -> str:
    lines = [line.strip() for line in _said(reply).splitlines()]
    lines = [line for line in lines if line.strip(MARKS) and not NOTE.match(line) and not line.startswith("```")]
    if not lines:
        raise UnclearError("the reply is empty")
    marked = [_marked(lines, at) for at, line in enumerate(lines) if ANSWER.match(line)]
    if len({_plain(each) for each in marked}) > 1:
        raise UnclearError(f"the reply has {len(marked)} different answers; give one")
    return marked[-1] if marked else _bare(lines[-1])


def _marked(lines: Sequence[str], at: int) -> str:
    """What stands after ``ANSWER:`` in line ``at``, or as the only line below it."""
    below = lines[at + 1 :]
    text = _bare(ANSWER.sub("", lines[at])) or (_bare(ANSWER.sub("", below[0])) if len(below) == 1 else "")
    if text:
        return text
    several = f", and {len(below)} lines stand below; write the answer on its line" if below else ""
    raise UnclearError(f"nothing stands after ANSWER:{several}")


def _bare(line: str) -> str:
    """The line without marks of layout around it."""
    return line.strip(MARKS).removesuffix(".").strip(MARKS)


def _plain(text: str) -> str:
    return " ".join(text.split()).casefold()


def _numbered(prompt: Prompt, text: str, index: int, rest: str) -> Answer | None:
    """The answer of a number and what stands behind it; None where it may be notation that begins with a number."""
    shapes = prompt.shapes()
    rest = " ".join(rest.split())
    if not rest:
        return Answer(index=_known(index, len(shapes)))
    if (parts := PARTS.match(rest)) and WORDED.match(rest):
        return _with_parts(shapes, _known(index, len(shapes)), parts["list"])
    named = rest.lstrip(":.)-–— ").strip()
    named = named[1:-1] if named.startswith("(") and named.endswith(")") else named
    if index < len(shapes) and _plain(_bare(named)) == _plain(prompt.text(index)):
        return Answer(index=index)
    if _plain(text) in [_plain(each) for each in prompt.texts()]:
        return None
    try:
        prompt.game.action(text)
    except (NotationError, UnreadableError):
        raise UnclearError(
            f"what stands behind the number {index} is unclear: {shown(rest)}; answer with the number alone, or with"
            f" its parts as in: {index} with 0 2"
        ) from None
    return None


def _known(index: int, count: int) -> int:
    if index >= count:
        raise UnclearError(f"there is no choice {index}; the numbers are 0 to {count - 1}")
    return index


def _with_parts(shapes: Sequence[tuple[int, int, int, int]], index: int, listed: str) -> Answer:
    count, least, most, _ = shapes[index]
    given = [int(each) for each in re.findall(r"[0-9]+", listed)]
    if not count:
        raise UnclearError(f"choice {index} has no parts; answer with the number alone")
    if outside := [each for each in given if each >= count]:
        raise UnclearError(f"choice {index} has no part {outside[0]}; its parts are 0 to {count - 1}")
    if len(set(given)) < len(given):
        raise UnclearError(f"a part stands twice in {listed.strip()!r}; each may be named once")
    if not least <= len(given) <= most:
        raise UnclearError(f"choice {index} takes {least} to {most} parts; {len(given)} were named")
    return Answer(index=index, parts=tuple(sorted(given)))
