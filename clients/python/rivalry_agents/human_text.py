"""What a person at a terminal reads."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from rivalry_agents import llm_text
from rivalry_agents.mcp_server import telling
from rivalry_client.match import Match, Outcome, Ruling
from rivalry_client.prompt import Prompt
from rivalry_engine.event import Seen
from rivalry_wire.codec import UnreadableError

HELP: Final = """\
Answer with one line:
  3            choice 3, as its line says
  3 with 0 2   choice 3 with these of its parts, by their numbers; 3 0 2 is the same
  3 with none  choice 3 with none of its parts
  its words    any legal action, written as the choices are
Or ask:
  look         what your seat sees, and the choices, once more
  rules        the rules in short
  glossary     the words of the game; glossary WORD for those that hold WORD
  help         this
  quit         give up the match (so does Ctrl-D)"""
WITHDRAWN: Final = "You are not asked any more: the time ran out, or the match is over (--time untimed sets no limit)."
"""What happens is not told any more, as the seat may be a stand-in's now; the outcome is."""
UNINSTALLED: Final = "The game is not installed here; whoever runs the arena can tell: rivalry games GAME"
NUMBERS: Final = re.compile(r"(\d{1,6})((?:[ ,]+\d{1,6})+)")


def opening(match: Match) -> str:
    """Which match it is, and who plays."""
    game = llm_text.rules(match)
    title = match.game_name if game is None else f"{game.title} ({match.game_name})"
    players = ", ".join(
        f"seat {player.seat} {'you' if player.seat == match.seat else player.name or '?'}" for player in match.players
    )
    limit = "no time limit" if match.prompt_s is None else f"{match.prompt_s:g} s for a prompt"
    return f"Match {match.id} of {title}: {players}; {limit}.\nhelp tells how to answer, rules how the game is played."


def question(prompt: Prompt) -> str:
    """What happened, what the seat sees, and the choices."""
    left = "" if prompt.budget_s is None else f", {prompt.budget_s:.0f} s left"
    heading = f"Prompt {prompt.number} ({prompt.kind}{left})"
    return "\n".join([*llm_text.happened(prompt), "", heading, look(prompt)])


def look(prompt: Prompt) -> str:
    """What the seat sees, and the choices."""
    seen = llm_text.view(prompt).rstrip()
    return "\n".join(
        [*([seen, ""] if seen else []), "Your choices:", *(f"  {line}" for line in llm_text.choices(prompt))]
    )


def rejected(prompt: Prompt, ruling: Ruling) -> str:
    """Why the last answer was not taken."""
    tries = "" if prompt.tries_left > 1 else "; the next rejection ends your part in the match"
    return f"Not taken ({ruling.code or ruling.reason}): {ruling.text}. Answer again{tries}."


def out(seat: int) -> str:
    """What is said to one who gave up."""
    return f"Seat {seat} is out: a stand-in plays on for it. How the match ends is told here."


def happened(match: Match, events: Sequence[Seen]) -> list[str]:
    """Events in words; nothing where the game is not installed here."""
    try:
        return [match.game.event_text(event) for event in events]
    except UnreadableError:
        return []


def outcome(match: Match, result: Outcome) -> str:
    """How the match ended, the winner first."""
    return "\n" + telling.outcome(match, result)


def told(prompt: Prompt, said: str) -> str:
    """What is told when the person asks instead of answering; empty for anything else."""
    word, _, rest = said.lower().partition(" ")
    if word == "glossary":
        return _glossary(prompt, rest)
    if rest:
        return ""
    if word in ("help", "?"):
        return HELP
    if word == "look":
        return look(prompt)
    return _primer(prompt) if word == "rules" else ""


def spelled(said: str, texts: Sequence[str]) -> str:
    """An answer as it is read everywhere: ``3 0 2`` is ``3 with 0 2``, unless it is the text of a choice."""
    numbers = NUMBERS.fullmatch(said)
    return said if numbers is None or said in texts else f"{numbers[1]} with {numbers[2].strip(' ,')}"


def _primer(prompt: Prompt) -> str:
    try:
        return prompt.game.primer.strip() or "The game tells no rules in short."
    except UnreadableError:
        return UNINSTALLED


def _glossary(prompt: Prompt, wanted: str) -> str:
    try:
        words = prompt.game.glossary
    except UnreadableError:
        return UNINSTALLED
    lines = [f"{word}: {meaning}" for word, meaning in words.items() if wanted in word.lower()]
    return "\n".join(lines) or f"The glossary has no word{f' that holds {wanted!r}' if wanted else 's'}."
