"""Copies: what bots without chance of their own play again and again in a game without chance says nothing new.

Where every match of a table went exactly as the first of its seating did, bots and game are deterministic, and a second
match is the first one looked at twice: each seating is counted once.  Where one seating of a table ever went two ways,
chance is at work, and two matches alike are two draws of it: all are counted, since to leave out what is frequent would
make the rare count as much.  A game as short as Kuhn poker is alike very often.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from rivalry_evaluation.played import Played


def ordered(played: Sequence[Played]) -> list[Played]:
    """The matches in the one order that all sums are made in.  Raises ValueError where a match is there twice."""
    matches = sorted(played, key=lambda match: (match.block, match.match))
    seen: set[str] = set()
    for match in matches:
        if match.match in seen:
            raise ValueError(f"match {match.match} is there twice; give each match once")
        seen.add(match.match)
    return matches


def counted(played: Sequence[Played]) -> tuple[list[Played], int]:
    """The matches that are counted, by block and match id, and how many copies are not counted again."""
    matches = ordered(played)
    transcripts: defaultdict[tuple[str, ...], set[str]] = defaultdict(set)
    for match in matches:
        transcripts[match.bots].add(match.transcript)
    chancy = {_table(bots) for bots, different in transcripts.items() if len(different) > 1}
    kept: list[Played] = []
    told: set[tuple[str, ...]] = set()
    for match in matches:
        if _table(match.bots) in chancy or match.bots not in told:
            kept.append(match)
        told.add(match.bots)
    return kept, len(matches) - len(kept)


def _table(bots: tuple[str, ...]) -> frozenset[str]:
    """Who sits there, wherever and however often."""
    return frozenset(bots)
