"""The events: one function a kind, its facts by name.

``seat``, ``defender``, ``first``: seats.  ``square``, ``origin``, ``target``: squares (0 to 99).  ``card``, ``cards``:
faces.  ``country``: its number on the map.  ``gains``: by seat, what was gained; ``positions``: by seat, the score
after it.  ``attack``, ``defence``: the strengths A and D.  A hand and drawn cards are secret: the fact ``cards`` or
``hand`` is there for their owner alone.
"""

from __future__ import annotations

from rivalry_engine.event import Event
from rivalry_engine.foederati.packs import listed


def begun(first: int, positions: tuple[int, ...], hands: list[int]) -> Event:
    """The game begins: who starts, where the leaders stand; each seat sees its own ``hand`` (FO5)."""
    facts = {"first": first, "positions": positions}
    return Event("begun", facts, {seat: {"hand": listed(hand)} for seat, hand in enumerate(hands)})


def placed(seat: int, square: int) -> Event:
    """A shield of the initial placement (FO5.1)."""
    return Event("placed", {"seat": seat, "square": square})


def round_begun(number: int, first: int) -> Event:
    """A round begins (FO6)."""
    return Event("round_begun", {"round": number, "first": first})


def expanded(seat: int, card: int, square: int) -> Event:
    """A card was discarded and a shield put down (FO6)."""
    return Event("expanded", {"seat": seat, "card": card, "square": square})


def attacked(seat: int, defender: int, target: int, pack: int, attack: int, defence: int) -> Event:
    """A battle begins, perhaps with opening cards (FO7)."""
    facts = {"seat": seat, "defender": defender, "target": target, "cards": listed(pack)}
    return Event("attacked", {**facts, "attack": attack, "defence": defence})


def reinforced(seat: int, pack: int, attack: int, defence: int) -> Event:
    """A side of the battle played cards (FO7)."""
    return Event("reinforced", {"seat": seat, "cards": listed(pack), "attack": attack, "defence": defence})


def yielded(seat: int) -> Event:
    """A side of the battle yielded (FO7)."""
    return Event("yielded", {"seat": seat})


def battle_won(seat: int, defender: int, target: int) -> Event:
    """The attacked shield is out of the game, and one of the attacker's stands there (FO7)."""
    return Event("battle_won", {"seat": seat, "defender": defender, "target": target})


def battle_lost(seat: int, defender: int, target: int, shields: int) -> Event:
    """The attack failed; the attacker lost that many shields of its supply, 1 or 0 (FO7)."""
    return Event("battle_lost", {"seat": seat, "defender": defender, "target": target, "shields": shields})


def migrated(seat: int, origin: int, square: int) -> Event:
    """A shield migrated (FO6.1)."""
    return Event("migrated", {"seat": seat, "origin": origin, "square": square})


def sailed(seat: int, origin: int, square: int) -> Event:
    """A ship sailed (FO6.1)."""
    return Event("sailed", {"seat": seat, "origin": origin, "square": square})


def exchanged(seat: int, pack: int) -> Event:
    """Cards were discarded; ``drew`` follows (FO6.1)."""
    return Event("exchanged", {"seat": seat, "cards": listed(pack)})


def drew(seat: int, drawn: list[int]) -> Event:
    """Cards came from the pile; only their owner sees which, in order (FO6.2)."""
    return Event("drew", {"seat": seat, "count": len(drawn)}, {seat: {"cards": tuple(drawn)}})


def reshuffled(number: int, count: int) -> Event:
    """All discards became the draw pile, the ``number``-th time (FO10.29)."""
    return Event("reshuffled", {"number": number, "count": count})


def founded(seat: int, country: int, order: int, points: int, red: bool, position: int) -> Event:
    """A country was founded as the ``order``-th, from 1; the founder stands on ``position`` after it (FO8.1)."""
    facts = {"seat": seat, "country": country, "order": order, "points": points, "red": red, "position": position}
    return Event("founded", facts)


def turn_ended(seat: int) -> Event:
    """A turn that did something is over."""
    return Event("turn_ended", {"seat": seat})


def passed(seat: int) -> Event:
    """A turn that did nothing is over."""
    return Event("passed", {"seat": seat})


def end_triggered(trigger: int, seat: int) -> Event:
    """The game ends after this round: 1 all passed, 2 a supply is empty, 3 the last marker, 4 nothing stirs (FO8.2).

    ``seat`` is by whose doing, -1 with trigger 4.
    """
    return Event("end_triggered", {"trigger": trigger, "seat": seat})


def scored(what: str, gains: tuple[int, ...], positions: tuple[int, ...]) -> Event:
    """A part of a décompte, ``clans``, ``fleets`` or ``tribes``, has moved the leaders (FO9)."""
    return Event("scored", {"what": what, "gains": gains, "positions": positions})


def first_chosen(seat: int, first: int) -> Event:
    """The seat in last place named the first player of the next round (FO8.3)."""
    return Event("first_chosen", {"seat": seat, "first": first})


def game_ended(scores: tuple[int, ...], ranks: tuple[int, ...]) -> Event:
    """The final décompte is done (FO8.4)."""
    return Event("game_ended", {"scores": scores, "ranks": ranks})
