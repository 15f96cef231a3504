"""Events in words, for people who read a replay or watch a match."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from rivalry_engine.counting import counted
from rivalry_engine.event import Seen
from rivalry_engine.foederati.maps import Map
from rivalry_engine.foederati.squares import name

ECHOES: Final = frozenset(
    ("placed", "expanded", "migrated", "sailed", "exchanged", "yielded", "turn_ended", "passed", "first_chosen")
)
"""Kinds that say no more than the action that made them."""
_TRIGGERS: Final = (
    "",
    "all have passed",
    "the supply of seat {seat} is empty",
    "seat {seat} has founded the last country",
    "nothing has stirred for too long",
)


def told(board: Map, seen: Seen) -> str:
    """An event in words, as far as its audience sees it."""
    facts = seen.facts
    who = f"seat {facts.get('seat')}"
    where = name(facts["square"]) if "square" in facts else ""
    kind = seen.kind
    if kind == "placed":
        return f"{who} places a shield on {where}"
    if kind == "expanded":
        return f"{who} expands to {where} with {board.card_name(facts['card'])}"
    if kind in ("migrated", "sailed"):
        return f"{who} {'migrates' if kind == 'migrated' else 'sails'} from {name(facts['origin'])} to {where}"
    if kind in ("attacked", "reinforced", "battle_won", "battle_lost", "yielded"):
        return f"{who} {_battle(board, kind, facts)}"
    if kind in ("exchanged", "drew"):
        return f"{who} {_cards_moved(board, kind, facts)}"
    if kind == "turn_ended":
        return f"{who} ends the turn"
    if kind == "passed":
        return f"{who} passes"
    if kind == "first_chosen":
        return f"{who} chooses seat {facts['first']} to go first"
    if kind == "founded":
        red = ", a red field" if facts["red"] else ""
        points = f"{counted(facts['points'], 'point')}{red}, and stands on {facts['position']}"
        return f"{who} founds {board.countries[facts['country']]} for {points}"
    return _whole(board, kind, facts)


def _battle(board: Map, kind: str, facts: Mapping[str, Any]) -> str:
    if kind == "yielded":
        return "yields"
    if kind == "reinforced":
        return f"plays {_cards(board, facts['cards'])}: {facts['attack']} against {facts['defence']}"
    target = f"{name(facts['target'])} of seat {facts['defender']}"
    if kind == "battle_won":
        return f"takes {target}"
    if kind == "battle_lost":
        lost = counted(facts["shields"], "shield") if facts["shields"] else "no shield"
        return f"fails to take {target} and loses {lost}"
    cards = f" with {_cards(board, facts['cards'])}" if facts["cards"] else ""
    return f"attacks {target}{cards}: {facts['attack']} against {facts['defence']}"


def _cards_moved(board: Map, kind: str, facts: Mapping[str, Any]) -> str:
    if kind == "exchanged":
        return f"puts down {_cards(board, facts['cards'])}"
    count = facts["count"]
    if "cards" in facts:
        return f"draws {_cards(board, facts['cards'])}"
    return f"draws {counted(count, 'card')}"


def _whole(board: Map, kind: str, facts: Mapping[str, Any]) -> str:
    """Events of nobody in particular."""
    if kind == "begun":
        hand = f"; the hand is {_cards(board, facts['hand'])}" if "hand" in facts else ""
        return f"the game begins: seat {facts['first']} starts, the leaders stand on {_row(facts['positions'])}{hand}"
    if kind == "round_begun":
        return f"round {facts['round']} begins with seat {facts['first']}"
    if kind == "reshuffled":
        discards = counted(facts["count"], "discard is", "discards are")
        return f"the {discards} shuffled into a new pile"
    if kind == "end_triggered":
        return f"{_TRIGGERS[facts['trigger']].format(seat=facts['seat'])}: the game ends with this round"
    if kind == "scored":
        gains = ", ".join(f"seat {seat} {gain}" for seat, gain in enumerate(facts["gains"]) if gain) or "nobody"
        return f"{facts['what']} pay {gains}; the leaders stand on {_row(facts['positions'])}"
    assert kind == "game_ended", kind
    return f"the game ends: {', '.join(f'seat {seat} has {score}' for seat, score in enumerate(facts['scores']))}"


def _cards(board: Map, faces: Sequence[int]) -> str:
    return ", ".join(board.card_name(face) for face in faces)


def _row(values: Sequence[int]) -> str:
    return " ".join(map(str, values))
