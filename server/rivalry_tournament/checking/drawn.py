"""Checks of what is derived: block and match ids, and seeds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from rivalry_engine.chance import derived
from rivalry_engine.counting import counted
from rivalry_tournament.checking.finding import Finding, finding
from rivalry_tournament.schedule import Block, Round
from rivalry_tournament.settings import Settings


def ids(settings: Settings, rounds: Sequence[Round]) -> Finding:
    """Every block and match has an id of its own, and the id follows from the tournament's seed and settings."""
    blocks = [block for round_ in rounds for block in round_.blocks]
    matches = [match.match_id for block in blocks for match in block.matches]
    wrong = [f"block id {name} stands {many} times" for name, many in Counter(b.id for b in blocks).items() if many > 1]
    wrong += [f"match id {name} stands {many} times" for name, many in Counter(matches).items() if many > 1]
    wrong += [fault for block in blocks for fault in _underived(settings, block)]
    wrong += [fault for at, round_ in enumerate(rounds, 1) for fault in _misnumbered(at, round_)]
    return finding(
        "ids are unique and follow from seed and settings",
        f"{counted(len(blocks), 'block')}, {counted(len(matches), 'match', 'matches')}",
        wrong,
    )


def _underived(settings: Settings, block: Block) -> Iterator[str]:
    for place, match in enumerate(block.matches, 1):
        if match.place != place:
            yield f"block {block.id}: place {match.place} stands where {place} was expected"
        expected = derived(settings.ids(), f"match/{block.id}/{place}/1").hex()[:32]
        if match.match_id != expected:
            yield f"block {block.id}, place {place}: match id {match.match_id}; expected {expected}"


def _misnumbered(at: int, round_: Round) -> Iterator[str]:
    if round_.number != at:
        yield f"round {round_.number} stands where {at} was expected"
    for place, block in enumerate(round_.blocks, 1):
        if (block.id, block.round) != (f"{at}.{place}", at):
            yield f"block {block.id} of round {block.round} stands where {at}.{place} was expected"


def seeds(settings: Settings, rounds: Sequence[Round]) -> Finding:
    """Blocks of one number in a round share their seed, and no others; or every block has its own."""
    wrong: list[str] = []
    owners: dict[bytes, tuple[int, int] | str] = {}
    for round_ in rounds:
        for block in round_.blocks:
            own = settings.seeds == "own"
            owner: tuple[int, int] | str = block.id if own else (round_.number, block.number)
            label = f"block/{block.id}" if own else f"round/{round_.number}/block/{block.number}"
            if block.seed != derived(settings.seed, label):
                wrong.append(f"block {block.id}: its seed does not follow from the tournament's")
            if owners.setdefault(block.seed, owner) != owner:
                wrong.append(f"block {block.id} has the seed of another: {owners[block.seed]}")
    blocks = sum(len(round_.blocks) for round_ in rounds)
    promise = "every block has its own seed" if settings.seeds == "own" else "the same seeds for every table of a round"
    return finding(promise, f"{counted(len(owners), 'seed')} in {counted(blocks, 'block')}", wrong)
