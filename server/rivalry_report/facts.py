"""What a report tells beside the figures: what was played, under which terms, and how long it took."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Entrant:
    """A bot as it was entered: its name, and the SPEC that says how it is started."""

    name: str
    spec: str


@dataclass(frozen=True, slots=True)
class Facts:
    """What was settled before the first match, as text for people, and how far it went."""

    title: str
    kind: str
    """Who met whom, such as ``round robin``."""
    game: str
    options: tuple[tuple[str, str], ...]
    """The game's options with their values, as they are written on the command line."""
    seats: int
    seed: str
    """As its organiser may have written it: a text, or ``0x`` and hex."""
    time: str
    """The time control as text."""
    first: str = field(default="", kw_only=True)
    """What first prompts have, where that is more than others have."""
    policies: tuple[tuple[str, str], ...]
    concurrency: int
    """How many matches ran at once; 0: as many as a null match allowed."""
    entrants: tuple[Entrant, ...]
    blocks_planned: int
    """How many blocks were to be played, as far as that was settled."""
    blocks_whole: int
    """How many were played to their end."""
    excluded: tuple[str, ...] = ()
    """The blocks that were left out, each with why."""
    rules: tuple[str, ...] = ()
    """Sentences: what leaves a block out, and what does not."""
    promises: tuple[str, ...] = ()
    """Sentences: what the schedule promises."""
    commands: tuple[str, ...] = ()
    """How to get the same result again: lines for a shell."""
    ended: bool = True
    """False while matches are still to be played."""


@dataclass(frozen=True, slots=True)
class Timing:
    """What a seat spent in one match: ``spent_us`` microseconds of its own in ``decisions`` decisions."""

    bot: str
    decisions: int
    spent_us: int
