"""What a model is told: the rules in short once, then each decision whole, since nothing is remembered between them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from rivalry_engine.viewing import outline
from rivalry_wire.codec import UnreadableError

if TYPE_CHECKING:
    from rivalry_client.match import Match
    from rivalry_client.prompt import Prompt
    from rivalry_engine.game import Game

EVENTS_MOST: Final = 120
"""How many of the newest events are told."""

FORM: Final = """\
Each message shows the whole situation; you do not see earlier messages.
Think briefly if you must, and end with one line:
ANSWER: N             the number of a choice: it does just what its line says
ANSWER: N with 0 2    choice N with these of its parts, by their numbers
ANSWER: N with none   choice N with none of its parts
ANSWER: text          any legal action, written as the choices are
A number is always the number of a choice. Give one answer; two different ones count as none."""
NOTES: Final = """
You may add a line "NOTE: …" before the answer: it is shown to you at your later decisions, until you replace it."""


def rules(match: Match) -> Game | None:
    """The rules of the match; None where they are not installed here."""
    try:
        return match.game
    except UnreadableError:
        return None


def system(match: Match, *, notes: bool) -> str:
    """The rules in short, the words of the game, what the match was set up with, and the form of an answer."""
    paragraphs = [_opening(match)]
    game = rules(match)
    if game is not None:
        if game.primer:
            paragraphs.append(f"# The rules in short\n{game.primer.strip()}")
        if game.glossary:
            words = "\n".join(f"{word}: {meaning}" for word, meaning in game.glossary.items())
            paragraphs.append(f"# Words\n{words}")
        if setup := _setup(match):
            paragraphs.append(f"# What stays the same for the whole match\n{setup}")
    paragraphs.append(f"# How to answer\n{FORM}{NOTES if notes else ''}")
    return "\n\n".join(paragraphs)


def question(prompt: Prompt, *, note: str = "") -> str:
    """One decision: what happened, what the seat sees, what it may do."""
    paragraphs = []
    if events := happened(prompt):
        paragraphs.append("# What happened since your last decision\n" + "\n".join(events))
    if note:
        paragraphs.append(f"# Your note\n{note}")
    if seen := view(prompt):
        paragraphs.append(f"# What you see\n{seen.rstrip()}")
    paragraphs.append(f"# Your choices ({prompt.kind})\n" + "\n".join(choices(prompt)))
    return "\n\n".join(paragraphs)


def again(why: str) -> str:
    """What the model is told after a reply that was no legal answer."""
    return (
        f"That was not taken: {why}\nThe situation and the choices are the same. Answer again, in the form asked for."
    )


def view(prompt: Prompt) -> str:
    """The observation as text; empty where neither rules installed here nor the arena give one."""
    try:
        return prompt.view()
    except UnreadableError:
        return ""


def happened(prompt: Prompt) -> list[str]:
    """The events since the last prompt in words, the oldest left out where they are many."""
    try:
        texts = [prompt.game.event_text(event) for event in prompt.events]
    except UnreadableError:
        return []
    left_out = len(texts) - EVENTS_MOST
    return texts if left_out <= 0 else [f"({left_out} earlier ones are left out)", *texts[left_out:]]


def choices(prompt: Prompt) -> list[str]:
    """A line for each choice: its number, its text, and what parts it may be taken with."""
    texts, shapes = prompt.texts(), prompt.shapes()
    return [
        f"[{index}] {text}{_parts(prompt.part_texts(index), shape) if shape[0] else ''}"
        for index, (text, shape) in enumerate(zip(texts, shapes, strict=True))
    ]


def _parts(texts: Sequence[str], shape: tuple[int, int, int, int]) -> str:
    _, least, most, usual = shape
    size = str(most) if least == most else f"{least} to {most}"
    listed = ", ".join(f"{number}={text}" for number, text in enumerate(texts))
    return f"  | parts: {listed}; takes {size}; the number alone takes the first {usual}"


def _opening(match: Match) -> str:
    game = rules(match)
    title = match.game_name if game is None else game.title
    given = {} if game is None else game.options_given()
    told = ", ".join(f"{name}={value}" for name, value in given.items() if name != "seats")
    options = f" Options: {told}." if told else ""
    return (
        f"You play {title} ({match.game_name}) on seat {match.seat} of {match.seats}; seats count from 0.{options}"
        " Play to win."
    )


def _setup(match: Match) -> str:
    """The setup as text; empty where there is none, as in a game that was begun by a function call."""
    setup = getattr(match, "setup", None)
    return "" if setup is None else outline(setup.json()).strip()
