"""The open question of a position: which may be stated, and whether the stated pieces can have led to it (E5.8)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

from rivalry_engine.ethnos import cards
from rivalry_engine.ethnos.ages import SEVERAL
from rivalry_engine.ethnos.data import (
    CENTAURS,
    ELVES,
    FAIRIES,
    HALFLINGS,
    HAND_LIMIT,
    MERFOLK,
    ORCS,
    TROLLS,
    WIZARDS,
)
from rivalry_engine.ethnos.position_values import a_list, an_object, impossible, integer, whole

if TYPE_CHECKING:
    from rivalry_engine.ethnos.game import Ethnos
    from rivalry_engine.ethnos.state import EthnosState

LEADERS: Final[dict[str, int]] = {
    "marker": 0,
    "advance": MERFOLK,
    "bonus": MERFOLK,
    "horde": ORCS,
    "token": TROLLS,
    "target": FAIRIES,
    "further": CENTAURS,
    "keep": ELVES,
    "draw": WIZARDS,
}
"""The questions about a Band, with the Tribe that must lead it; 0 for any."""
MOST_SYMBOLS: Final = 4
_NOT_ASKED: Final = {"first": (), "second": ("advance", "horde", "draw", "target")}
"""By edition, the questions that it does not have (N3.0, E7)."""


def stated(given: Mapping[str, Any], game: Ethnos, *, over: bool, first: int) -> dict[str, Any]:
    """The open question: kind, seat, and what else it has; empty when the game is over.  ``first`` starts the Age.

    Where several are asked at once the seat is SEVERAL; who they are follows from their boards (N3.6).
    """
    seats, edition = game.seats, game.edition
    movers = [
        whole(seat, f"movers[{place}]", 0, seats - 1)
        for place, seat in enumerate(a_list(given.get("movers", []), "movers"))
    ]
    question = given.get("pending")
    if over:
        if movers:
            raise impossible("movers", repr(movers), "none, since the game is over")
        if question is not None:
            raise impossible("pending", repr(question), "null, since the game is over")
        return {}
    pending = {"kind": "turn"}
    if question is not None:
        pending = dict(an_object(question, "pending", ("kind", "seat", "band", "symbols", "given")))
    kinds = [kind for kind in ("turn", *LEADERS, "empty") if kind not in _NOT_ASKED[edition.name]]
    kind = pending.get("kind")
    if kind not in kinds:
        raise impossible("pending.kind", repr(kind), "one of " + ", ".join(kinds))
    if kind == "empty" and edition.is_simultaneous:
        an_object(pending, "pending", ("kind",))
        return {"kind": kind, "seat": SEVERAL, "movers": movers if "movers" in given else None}
    if "movers" in given and len(movers) != 1:
        raise impossible("movers", repr(movers), "one seat")
    seat = movers[0] if movers else first
    asked = integer(pending, "seat", "pending.seat", seat, 0, seats - 1)
    if movers and movers[0] != asked:
        raise impossible("pending.seat", str(asked), f"{movers[0]}, who is in movers")
    if "symbols" in pending and kind != "bonus":
        raise impossible("pending.symbols", repr(pending["symbols"]), "only with the question bonus")
    if "band" in pending and kind not in LEADERS:
        raise impossible("pending.band", repr(pending["band"]), "only with a question about a Band")
    if "given" in pending and (kind not in LEADERS or not game.fairies):
        raise impossible("pending.given", repr(pending["given"]), "only with Fairies and a question about a Band")
    return {**pending, "kind": kind, "seat": asked, **({"symbols": _symbols(pending)} if kind == "bonus" else {})}


def given_away(made: EthnosState, pending: Mapping[str, Any]) -> tuple[tuple[int, int], ...]:
    """The Bands that were given away in this turn (E7.4)."""
    found: list[tuple[int, int]] = []
    for place, pair in enumerate(a_list(pending.get("given", []), "pending.given")):
        path = f"pending.given[{place}]"
        if len(a_list(pair, path)) != 2:
            raise impossible(path, repr(pair), "a seat and the number of one of its Bands")
        other = whole(pair[0], path, 0, made.rules.seats - 1)
        number = whole(pair[1], path, 0, len(made.bands[other]) - 1)
        if other == made.seat or (other, number) in found:
            raise impossible(path, repr(pair), "each time another Band of an opponent")
        found.append((other, number))
    return tuple(found)


def check(made: EthnosState, pending: Mapping[str, Any]) -> None:
    """Refuses a question that cannot be open in what is stated."""
    kind = made.kind
    if not kind:
        _check_over(made)
    elif kind in LEADERS:
        _check_band(made, pending, made.bands[made.seat])
    elif kind == "empty":
        _check_empty(made, pending)


def _check_empty(made: EthnosState, pending: Mapping[str, Any]) -> None:
    """Refuses a decision about boards that are empty, or that the last Age empties (E9.7, N3.6)."""
    owners = list(made.owners())
    if not owners or (made.seat != SEVERAL and made.seat not in owners) or made.age == made.rules.figures.ages:
        board = made.rules.edition.words.orc_board
        raise impossible("pending.kind", "empty", f"a seat with markers on its {board}, before the last Age")
    if made.seat == SEVERAL and pending["movers"] not in (None, owners):
        raise impossible("movers", repr(pending["movers"]), f"{owners}, who have markers there")


def _check_over(made: EthnosState) -> None:
    """Refuses pieces that the end of the last Age took away (E8, E9.7)."""
    for seat in range(made.rules.seats):
        if made.hordes[seat]:
            raise impossible(f"seats[{seat}].orc_board", "markers", "[], since the last Age empties it")
        if made.trolls[seat]:
            raise impossible(f"seats[{seat}].troll_tokens", "tokens", "[], since they return when an Age ends")
    if made.giant != -1:
        raise impossible(f"seats[{made.giant}].giant_token", "true", "false, since it returns when an Age ends")


def _check_band(made: EthnosState, pending: Mapping[str, Any], played: Sequence[int]) -> None:
    seat, kind = made.seat, made.kind
    last = len(played) - 1
    if last < 0:
        raise impossible("pending.kind", kind, f"a Band of seat {seat} that it is about")
    integer(pending, "band", "pending.band", last, last, last)
    leader, size = played[-1] & 255, cards.size(played[-1] >> 8)
    edition, figures = made.rules.edition, made.rules.figures
    if LEADERS[kind] not in (0, leader >> 3) or (kind == "marker" and leader >> 3 == HALFLINGS):
        raise impossible("pending.kind", kind, f"a question that a Band led by {edition.names[leader]} asks")
    if cards.size(made.hands[seat]) + size > HAND_LIMIT:
        held = f"{cards.size(made.hands[seat])} cards and a Band of {size}"
        raise impossible(f"seats[{seat}].hand", held, f"{HAND_LIMIT} cards together, which were in hand before it")
    space = made.merfolk[seat]
    passed = [symbol for symbol in figures.merfolk_symbols if space - size < symbol <= space]
    seats = range(made.rules.seats) if figures.outnumbers_all else (seat,)
    kingdom = (leader & 7) - 1
    fits = made.markers[6 * seat + kingdom] > 0 and sum(made.markers[6 * who + kingdom] for who in seats) <= size
    possible = {
        "marker": made.supply[seat] > 0,
        "advance": space < edition.merfolk_last,
        "bonus": 0 < made.bonus <= len(passed) and made.supply[seat] >= 1,
        "horde": made.supply[seat] > 0 and not made.hordes[seat] >> (leader & 7) & 1,
        "token": True,
        "target": True,
        "further": made.hands[seat] > 0 and (fits or not figures.centaurs_need_marker),
        "keep": made.hands[seat] > 0,
        "draw": True,
    }
    if not possible[kind] or (kind in ("marker", "token", "target") and len(made.choices(seat)) < 2):
        raise impossible("pending.kind", kind, "a question that leaves something to decide here")


def _symbols(pending: Mapping[str, Any]) -> int:
    return integer(pending, "symbols", "pending.symbols", 1, 1, MOST_SYMBOLS)
