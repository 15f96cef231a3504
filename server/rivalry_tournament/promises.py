"""What a schedule promises, in sentences with figures, as its settings say it; ``checking`` counts whether it holds."""

from __future__ import annotations

from collections.abc import Sequence

from rivalry_engine.counting import counted
from rivalry_tournament.rotations import CYCLES
from rivalry_tournament.schedule import Round
from rivalry_tournament.settings import DEPENDENT, Kind, Settings


def promises(settings: Settings, rounds: Sequence[Round]) -> tuple[str, ...]:
    """The sentences."""
    blocks = [block for round_ in rounds for block in round_.blocks]
    matches = sum(len(block.matches) for block in blocks)
    when = "the first round has" if settings.kind in DEPENDENT else "there are"
    return (
        f"{when} {counted(len(blocks), 'block')} and {counted(matches, 'match', 'matches')}",
        _seats(settings),
        *_neighbours(settings),
        _seeds(settings),
        _meetings(settings),
    )


def _seats(settings: Settings) -> str:
    return "in every block each bot is on every seat equally often, and no two matches of it have the same seats"


def _neighbours(settings: Settings) -> tuple[str, ...]:
    if settings.bots < settings.seats and settings.kind is not Kind.EVALUATION:
        return ()
    if settings.rotations == "full" or settings.seats == 2:
        return ("in every block each bot sits left of every other equally often",)
    return (f"over {CYCLES[settings.seats]} orders of a table each bot sits left of every other equally often",)


def _seeds(settings: Settings) -> str:
    if settings.seeds == "own":
        return "every block has a seed of its own"
    return "the blocks of a round with the same number have the same seed, and no others have it"


def _meetings(settings: Settings) -> str:
    kind = settings.kind
    if kind is Kind.ROUND_ROBIN:
        return "every two entrants meet in equally many blocks"
    if kind is Kind.GAUNTLET:
        return f"every subject meets every opponent in {counted(settings.blocks, 'block')}, and opponents do not meet"
    if kind is Kind.EVALUATION:
        return (
            f"every subject plays {counted(settings.blocks, 'block')} with the same seeds and draws; of the field "
            "each is drawn equally often, or once more or less"
        )
    if kind is Kind.SWISS:
        return "in every round each entrant is at one table or has a bye, and nobody has two byes more than another"
    return "every tie is played by two who are in, until the bracket has a winner"
