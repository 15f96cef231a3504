"""The setup of Foederati: the map with its cards, track and numbers."""

from __future__ import annotations

from typing import Final

from rivalry.games.foederati.v1 import foederati_pb2 as pb
from rivalry_engine.foederati import Foederati, squares
from rivalry_engine.foederati.sight import FoederatiSetup
from rivalry_wire.reading import UnreadableError, parsed

KINDS: Final = {
    kind: pb.CardKind.Value(f"CARD_KIND_{kind.upper()}") for kind in ("row", "column", "country", "neighbour", "sea")
}


def setup_written(setup: FoederatiSetup) -> bytes:
    """``Setup``."""
    return _message(setup).SerializeToString(deterministic=True)


def _message(setup: FoederatiSetup) -> pb.Setup:
    board = setup.map
    message = pb.Setup(
        seats=setup.seats,
        map_id=board.id,
        map_version=board.version,
        shields=board.shields[setup.seats],
        initial=board.initial[setup.seats],
        hand_size=board.hand_size,
        actions=board.actions,
        exchange_most=board.exchange_most,
        battle_bonus=board.battle_bonus,
        clan_least=board.clan_least,
        clan_points=board.clan_points,
        maritime_points=board.maritime_points,
        per_ship=board.per_ship,
        sole_bonus=board.sole_bonus,
    )
    for country, name in enumerate(board.countries):
        message.regions.add(
            name=name,
            country_class=board.classes[country],
            squares=squares.listed(board.country_masks[country]),
            cap=board.caps[country],
            tribal_points=board.tribal[country],
        )
    for sea, name in enumerate(board.seas):
        message.regions.add(name=name, squares=squares.listed(board.sea_masks[sea]))
    for card in board.cards:
        message.cards.add(kind=KINDS[card.kind], name=card.name, copies=card.copies, squares=squares.listed(card.mask))
    for points, red in board.track:
        message.track.add(points=points, red=red)
    return message


def setup_read(data: bytes, game: Foederati) -> FoederatiSetup:
    """The setup of a match of ``game``; raises UnreadableError when it is that of another table or map."""
    told = parsed(pb.Setup, data)
    told.DiscardUnknownFields()
    ours = _message(game.facts)
    if told != ours:
        what = f"map {told.map_id!r} version {told.map_version} for {told.seats} seats"
        expected = f"{ours.map_id!r} version {ours.map_version} for {ours.seats}"
        raise UnreadableError(f"a setup of {what}; expected just that of {expected}")
    return game.facts
