"""What a schedule promises, in sentences with figures, as its settings say it; ``checking`` counts whether it holds."""

from __future__ import annotations

from collections.abc import Sequence

from rivalry_engine.counting import counted
from rivalry_tournament import rotations
from rivalry_tournament.schedule import Block, Round
from rivalry_tournament.settings import DEPENDENT, Kind, Settings


def promises(settings: Settings, rounds: Sequence[Round]) -> tuple[str, ...]:
    """The sentences."""
    blocks = [block for round_ in rounds for block in round_.blocks]
    matches = sum(len(block.matches) for block in blocks)
    many = f"{counted(len(blocks), 'block')} and {counted(matches, 'match', 'matches')}"
    return (
        f"the first round has {many}" if settings.kind in DEPENDENT else f"{many} are played",
        _seats(settings),
        *_neighbours(settings, blocks),
        _seeds(settings),
        _meetings(settings),
    )


def _seats(settings: Settings) -> str:
    return "in every block each bot is on every seat equally often, and no two matches of it have the same seats"


def _neighbours(settings: Settings, blocks: Sequence[Block]) -> tuple[str, ...]:
    """Who sits left of whom; nothing where seats are shared, or where draws say who is at a table."""
    often = "each bot sits left of every other equally often"
    drawn = settings.kind is Kind.EVALUATION
    if settings.bots < settings.seats and not drawn:
        return ()
    level = rotations.level_after(settings.seats, settings.rotations)
    if drawn and (level != 1 or any(len(block.bots) < settings.seats for block in blocks)):
        return ()
    if level == 1:
        return (f"in every block {often}",)
    over = "in the block of a table" if settings.blocks == 1 else f"over the {settings.blocks} blocks of a table"
    if level is not None and settings.blocks % level == 0:
        return (f"{over} {often}",)
    least, most = rotations.left_of(settings.seats, settings.rotations, settings.blocks)
    matches = settings.blocks * rotations.count(settings.rotations, settings.seats)
    further = "" if level is None else f"; {level} blocks, or a multiple of them, would make that equal"
    return (f"{over} each bot sits left of every other in {least} to {most} of its {matches} matches{further}",)


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
