"""What a report tells of a tournament: its settings and its course, as text for people."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Final

from rivalry_report.facts import Entrant, Facts, Timing
from rivalry_server.clock import TimeControl
from rivalry_server.time_text import time_text
from rivalry_tournament import times
from rivalry_tournament.names import seed
from rivalry_tournament.settings import DEPENDENT, Kind, Settings
from rivalry_tournament.settings_text import settings_text

if TYPE_CHECKING:
    from rivalry_engine.option import OptionValue
    from rivalry_tournament.results import Tournament

KINDS: Final = {
    Kind.ROUND_ROBIN: "round robin: all against all",
    Kind.GAUNTLET: "gauntlet: subjects against each of the others",
    Kind.SWISS: "Swiss: rounds in which those meet who stand alike",
    Kind.KNOCKOUT: "knockout: who loses is out",
    Kind.DOUBLE_KNOCKOUT: "double knockout: who loses twice is out",
    Kind.EVALUATION: "evaluation: subjects against a field",
}


OUTSIDE: Final = re.compile("cmd:|stdio:|inproc:[^:?]+:")
"""What begins a SPEC that may name files of the folder in which a command is given."""


def facts(tournament: Tournament) -> Facts:
    """What was settled, and how far it went."""
    schedule, settings = tournament.schedule, tournament.schedule.settings
    blocks = list(tournament.blocks)
    exclusion = schedule.exclusion
    return Facts(
        title=settings.name or tournament.folder.resolve().name,
        kind=KINDS[settings.kind] + _subjects(settings),
        game=settings.game,
        options=tuple((name, _text(value)) for name, value in sorted(settings.options.items())),
        seats=settings.seats,
        seed=seed(settings.seed),
        time=times.written(settings.time, settings.load)[0],
        first=_first(settings),
        policies=tuple(sorted((name.replace("_", "-"), text) for name, text in settings.policies.items())),
        concurrency=settings.concurrency,
        entrants=tuple(Entrant(entrant.name, entrant.spec) for entrant in settings.entrants),
        blocks_planned=len(blocks),
        blocks_whole=sum(map(tournament.settled, blocks)),
        excluded=tuple(f"block {block.id}: {why}" for block, why in tournament.left_out()),
        rules=tuple(_sentence(exclusion[key]) for key in ("owed", "excluded", "counts")),
        promises=tuple(map(_sentence, schedule.promises)),
        commands=commands(settings),
        ended=tournament.ended,
    )


def timings(tournament: Tournament) -> list[Timing]:
    """What each seat of each match with a result spent of its own."""
    return [Timing(each.bot, each.decisions, each.bot_us) for each in tournament.timings()]


def commands(settings: Settings) -> tuple[str, ...]:
    """How to play the same tournament: lines for a shell."""
    lines = settings_text(settings).splitlines()
    outside = [entrant.name for entrant in settings.entrants if OUTSIDE.match(entrant.spec)]
    where = [f"# in the folder where it was played, with the programs of {', '.join(outside)}"] if outside else []
    return (*where, "cat >again.toml <<'END'", *lines, "END", "rivalry tournament run again.toml")


def _subjects(settings: Settings) -> str:
    if not settings.subjects:
        return _rounds(settings)
    return f"; {', '.join(settings.subjects)} {'is' if len(settings.subjects) == 1 else 'are'} looked at"


def _rounds(settings: Settings) -> str:
    return f", {settings.rounds} of them" if settings.kind in DEPENDENT and settings.rounds else ""


def _first(settings: Settings) -> str:
    """What first prompts have, where that is more than others have."""
    control = TimeControl.parsed(settings.time)
    if control.first_prompt_us in (None, control.prompt_us) and not settings.load:
        return ""
    told = time_text(control.first_prompt_us or 0)
    more = f", and {settings.load} until a match of the bot’s program is over" if settings.load else ""
    return f"{told}{more}"


def _text(value: OptionValue) -> str:
    if isinstance(value, str):
        return value
    if value is None:
        return "left to chance"
    if isinstance(value, list | tuple) and all(isinstance(item, str) for item in value):
        return ",".join(map(str, value))
    return json.dumps(value, ensure_ascii=False)


def _sentence(text: str) -> str:
    return text[:1].upper() + text[1:] + ("" if text.endswith(".") else ".")
