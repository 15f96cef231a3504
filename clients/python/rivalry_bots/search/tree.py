"""The tree below a root's answer: information-set Monte Carlo tree search over imagined states.

One tree serves all imagined states; a node is what was done so far, and in each state only what is legal there is
looked at (single-observer ISMCTS: Cowling, Powley, Whitehouse 2012).  Seats that move at the same time choose each for
itself, without knowing of one another.  Selection is UCB1 (Auer et al. 2002) in whole numbers.
"""

from __future__ import annotations

from math import isqrt
from typing import Final

from rivalry_bots.search.guide import Guide
from rivalry_engine.game import Action, State

WORD: Final = (1 << 32) - 1
FINE: Final = 64
"""Steps of the logarithm in UCB1."""


class Node:
    """What was learnt after one sequence of actions."""

    __slots__ = ("children", "tried")

    def __init__(self) -> None:
        self.children: dict[tuple[Action, ...], Node] = {}
        self.tried: dict[tuple[int, Action], list[int]] = {}
        """By seat and action: how often it was tried, how often it could have been, and the sum of its values."""


class Playouts:
    """Plays states out, through the tree where the guide wants one; chance follows from ``luck`` alone."""

    def __init__(self, guide: Guide, luck: int) -> None:
        self._guide = guide
        self._luck = (luck | 1) & WORD
        self._spread = 1

    def values(self, state: State, node: Node) -> list[int]:
        """By seat, the value of one playout from ``state``, which is used up; ``node`` learns of it."""
        guide = self._guide
        guide.begin(state)
        path: list[tuple[list[int], int]] = []
        decisions = 0
        movers = state.movers()
        inside = guide.grows_tree
        while movers and not guide.is_cut(state, decisions):
            if inside:
                done = tuple([self._selected(node, state, seat, path) for seat in movers])
                child = node.children.get(done)
                if child is None:
                    child = node.children[done] = Node()
                    inside = False
                node = child
            else:
                done = tuple([guide.move(state, seat, self._word()) for seat in movers])
            for seat, action in zip(tuple(movers), done, strict=True):
                state.apply(seat, action)
            decisions += len(done)
            movers = state.movers()
        values = guide.values(state)
        self._spread = max(self._spread, max(values) - min(values))
        for tried, seat in path:
            tried[0] += 1
            tried[2] += values[seat]
        return values

    def _selected(self, node: Node, state: State, seat: int, path: list[tuple[list[int], int]]) -> Action:
        """The action of ``seat`` that UCB1 picks; one that was never tried goes first."""
        best, chosen, action = -1, None, 0
        fresh: list[Action] = []
        for choice in state.choices(seat):
            tried = node.tried.get((seat, choice.action))
            if tried is None:
                fresh.append(choice.action)
                continue
            tried[1] += 1
            mean = tried[2] // tried[0] if tried[0] else 0
            log = FINE * tried[1].bit_length()
            bound = mean + self._spread * isqrt(log * FINE // max(tried[0], 1)) // FINE + (self._spread << 8)
            if bound > best:
                best, chosen, action = bound, tried, choice.action
        if fresh:
            action = fresh[self._word() % len(fresh)]
            chosen = node.tried[(seat, action)] = [0, 1, 0]
        assert chosen is not None
        path.append((chosen, seat))
        return action

    def _word(self) -> int:
        """The next random integer: Marsaglia's xorshift of 32 bits (2003)."""
        luck = self._luck
        luck ^= luck << 13 & WORD
        luck ^= luck >> 17
        luck ^= luck << 5 & WORD
        self._luck = luck
        return luck
