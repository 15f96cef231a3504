"""Positions: a state as JSON that people write by hand, every key optional.

``written`` shows every key; ``state`` reads what is stated and settles the rest: stated pieces are taken out first, and
what is left is dealt from ``seed`` as at the start of the Age.  The keys are told in ``RULES.md``, "Positions".
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from rivalry_engine.chance import seed_text
from rivalry_engine.ethnos import cards
from rivalry_engine.ethnos.data import COLOURS, TROLL_TOKENS
from rivalry_engine.ethnos.edition import Edition
from rivalry_engine.ethnos.options import TRIBES
from rivalry_engine.ethnos.position_pending import LEADERS
from rivalry_engine.ethnos.position_reading import Reading
from rivalry_engine.ethnos.state import NOBODY, SEVERAL, EthnosState

if TYPE_CHECKING:
    from rivalry_engine.ethnos.game import Ethnos


def state(game: Ethnos, position: Mapping[str, Any]) -> EthnosState:
    """The state of a position; raises PositionError that names the path of the key that is impossible."""
    return Reading(game, position).state()


def written(state: EthnosState) -> dict[str, Any]:
    """The position of a state, every key shown; ``state`` is its inverse.

    Of answers that wait for others it tells nothing: all who were asked are asked again (N3.6).
    """
    over = state.seat == NOBODY
    edition = state.rules.edition
    tribes = [edition.tribe_words[tribe] for tribe in state.tribes]
    return {
        "game": state.game.name,
        "options": {**state.game.options_given(), TRIBES[edition.name]: tribes},
        "seed": seed_text(state.seed),
        "age": state.age,
        "movers": list(state.owners() if state.seat == SEVERAL else state.movers()),
        "first_player": state.first,
        "dragons": state.dragons,
        "third_dragon": None if state.drawer == NOBODY else state.drawer,
        "deck": [edition.names[card] for card in reversed(state.deck)],
        "safe": state.safe,
        "face_up": _names(edition, state.row),
        "glory_tokens": {edition.kingdoms[colour]: list(state.tokens[colour - 1]) for colour in COLOURS},
        **_coins_written(state),
        "pending": None if over or state.kind == "turn" else _pending_written(state),
        "over": over,
        "seats": [_seat_written(state, seat) for seat in range(state.game.seats)],
    }


def _pending_written(state: EthnosState) -> dict[str, Any]:
    if state.seat == SEVERAL:
        return {"kind": state.kind}
    pending: dict[str, Any] = {"kind": state.kind, "seat": state.seat}
    if state.kind in LEADERS:
        pending["band"] = len(state.bands[state.seat]) - 1
    if state.kind == "bonus":
        pending["symbols"] = state.bonus
    if state.extra.given:
        pending["given"] = [list(place) for place in state.extra.given]
    return pending


def _coins_written(state: EthnosState) -> dict[str, Any]:
    """The coins where Raccoons are in play (N3.4)."""
    extra = state.extra
    if not extra.coins:
        return {}
    kingdoms = state.rules.edition.kingdoms
    return {
        "coins": {kingdoms[colour]: list(extra.coins[colour - 1]) for colour in COLOURS},
        "coins_left": extra.coins_left,
    }


def _seat_written(state: EthnosState, seat: int) -> dict[str, Any]:
    edition = state.rules.edition
    written: dict[str, Any] = {
        "hand": _names(edition, state.hands[seat]),
        "known": _names(edition, state.known[seat]),
        "glory": state.glory[seat],
        "markers": {edition.kingdoms[colour]: state.markers[6 * seat + colour - 1] for colour in COLOURS},
        "bands": [
            {"leader": edition.names[band & 255], "cards": _names(edition, band >> 8)} for band in state.bands[seat]
        ],
        "merfolk": state.merfolk[seat],
        "orc_board": [edition.colour_words[colour] for colour in COLOURS if state.hordes[seat] >> colour & 1],
        "troll_tokens": [value for value in TROLL_TOKENS if state.trolls[seat] >> value & 1],
        "giant_token": state.giant == seat,
    }
    if state.giant == seat and state.extra.giant_band >= 0:
        written["giant_band"] = state.extra.giant_band
    return written


def _names(edition: Edition, pack: int) -> list[str]:
    return [edition.names[card] for card in cards.listed(pack)]
