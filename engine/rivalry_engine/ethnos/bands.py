"""Which Bands a hand can play (E5.1, E5.2), by table: a look-up for each Tribe and each colour in the hand.

A *group* is what a hand has of one Tribe or one colour, with its Skeletons.  A choice is a Leader within a group, with
the group's other cards as parts; groups recur all the time, so their choices are kept.  The tables are bounded and are
emptied when full.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from rivalry_engine.ethnos.actions import BAND, IN_PACK, PACK_SHIFT
from rivalry_engine.ethnos.cards import (
    COLOUR_FIELDS,
    SKELETON,
    TRIBE_FIELDS,
    UNIT,
    faces,
    listed,
    packed,
    size,
)
from rivalry_engine.game import Choice

_HANDS: Final[dict[int, list[Choice]]] = {}
_GROUPS: Final[dict[int, list[Choice]]] = {}
_HANDS_LIMIT: Final = 1 << 14
_GROUPS_LIMIT: Final = 1 << 12


def playable(hand: int, tribe_fields: Sequence[int], colour_fields: Sequence[int]) -> list[Choice]:
    """A choice for each Leader with its Tribe and one with its colour; not to be changed by the caller.

    Where the two have the same cards they are one choice.  First the Tribes, then the colours, each ascending.
    """
    found = _HANDS.get(hand)
    if found is not None:
        return found
    found = []
    for field in tribe_fields:
        group = hand & field
        if group:
            led = _GROUPS.get(group)
            found += _led(group) if led is None else led
    for field in colour_fields:
        group = hand & field
        if group:
            led = _GROUPS.get(group)
            if led is None:
                led = _led(group)
            if len(led) != 1 or hand & TRIBE_FIELDS[led[0].action >> 7 & 31] != group:
                found += led
    if len(_HANDS) >= _HANDS_LIMIT:
        _HANDS.clear()
    _HANDS[hand] = found
    return found


def _led(group: int) -> list[Choice]:
    led: list[Choice] = []
    for leader in faces(group):
        if leader != SKELETON:
            parts = listed(group - UNIT[leader])
            most = len(parts)
            led.append(Choice(BAND | leader << 4 | group << PACK_SHIFT, parts, 0, most, most))
    if len(_GROUPS) >= _GROUPS_LIMIT:
        _GROUPS.clear()
    _GROUPS[group] = led
    return led


def is_one(leader: int, cards: int) -> bool:
    """True if ``cards`` are of one Tribe or of one colour, Skeletons left out, and ``leader`` is no Skeleton."""
    if leader == SKELETON:
        return False
    return not cards & ~TRIBE_FIELDS[leader >> 3] or not cards & ~COLOUR_FIELDS[leader & 7]


def filled(choice: Choice, chosen: Sequence[int]) -> int:
    """The action of ``choice`` with the parts at ``chosen``."""
    parts = choice.parts
    if not parts:
        return choice.action
    action = _bare(choice.action)
    for index in chosen:
        action += IN_PACK[parts[index]]
    return action


def _bare(action: int) -> int:
    """The action of a choice without its parts: ``keep none``, or a Band of its Leader alone."""
    bare = action & 4095
    return bare + IN_PACK[bare >> 4] if bare & 15 == BAND else bare


def spelled_out(offered: Sequence[Choice]) -> list[int]:
    """Every action that the choices can say, each once, in the order in which they come up."""
    actions: dict[int, None] = {}
    for choice in offered:
        if not choice.parts:
            actions[choice.action] = None
            continue
        bare = _bare(choice.action)
        for pack in _subsets(choice.parts, choice.most):
            actions[bare + (pack << PACK_SHIFT)] = None
    return list(actions)


def _subsets(parts: tuple[int, ...], most: int) -> list[int]:
    """The packs of up to ``most`` of ``parts``, equal cards merged, each once."""
    packs = [0]
    for card in faces(packed(parts)):
        unit = UNIT[card]
        copies = parts.count(card)
        packs = [pack + n * unit for pack in packs for n in range(min(copies, most - size(pack)) + 1)]
    return packs
