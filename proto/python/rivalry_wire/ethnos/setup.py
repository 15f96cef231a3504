"""The setup of Ethnos: options, Tribes with the card table, Kingdoms with their Glory tokens, boards."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from rivalry.games.ethnos.v1 import ethnos_pb2 as pb
from rivalry_engine.ethnos import data
from rivalry_engine.ethnos.cards import copies, faces_of
from rivalry_engine.ethnos.edition import COINS, Figures
from rivalry_engine.ethnos.game import Ethnos
from rivalry_engine.ethnos.sight import EthnosSetup
from rivalry_engine.option import OptionValue
from rivalry_wire.reading import UnreadableError, parsed

EDITIONS: Final = {"first": pb.EDITION_FIRST, "second": pb.EDITION_SECOND}
RULESETS: Final = {None: pb.RULESET_UNSPECIFIED, "standard": pb.RULESET_STANDARD, "bga": pb.RULESET_BGA}
TOLD: Final = (
    "edition",
    "ruleset",
    "fairies",
    "centaurs_need_marker",
    "seats",
    "dragons_to_end",
    "small_game_tokens",
    "two_player_exceptions",
)
"""The fields that follow from the options."""


def _from_options(figures: Figures, options: Mapping[str, OptionValue]) -> tuple[object, ...]:
    """The values of ``TOLD``."""
    return (
        EDITIONS[figures.edition.name],
        RULESETS[options.get("ruleset")],
        options.get("fairies", False),
        figures.centaurs_need_marker,
        figures.seats,
        figures.dragons_to_end,
        options.get("small_game_tokens", 2),
        options.get("two_player_exceptions", True),
    )


def setup_written(setup: EthnosSetup) -> bytes:
    """``Setup``."""
    figures, edition = setup.figures, setup.edition
    message = pb.Setup(
        ages=setup.ages,
        supply=data.SUPPLY,
        band_glory=data.BAND_GLORY,
        horde_glory=data.HORDE_GLORY,
        giant_glory=figures.giant_awards,
        giant_bonus=edition.giant_bonus,
    )
    for name, value in zip(TOLD, _from_options(figures, setup.options), strict=True):
        setattr(message, name, value)
    for tribe in setup.tribe_numbers:
        faces = faces_of(tribe)
        message.tribes.add(
            type=tribe,
            name=edition.tribe_words[tribe],
            card_name=edition.card_words[tribe],
            cards=faces,
            copies=copies(faces[0]),
        )
    for colour in data.COLOURS:
        message.kingdoms.add(
            colour=colour,
            colour_name=edition.colour_words[colour],
            name=edition.kingdoms[colour],
            tokens=setup.tokens_by_colour[colour - 1],
        )
    if data.MERFOLK in setup.tribe_numbers:
        message.supply = data.SUPPLY_WITH_MERFOLK
        message.merfolk_board.CopyFrom(
            pb.MerfolkBoard(last=edition.merfolk_last, symbols=figures.merfolk_symbols, awards=figures.merfolk_awards)
        )
    if data.RACCOONS in setup.tribe_numbers:
        message.coins.extend(COINS)
    return message.SerializeToString()


def setup_read(encoded: bytes, game: Ethnos) -> EthnosSetup:
    """The setup of a match of ``game``; raises UnreadableError also when it is that of a match with other options."""
    message = parsed(pb.Setup, encoded)
    told = tuple([getattr(message, name) for name in TOLD])
    ours = _from_options(game.figures, game.options)
    if told != ours:
        raise UnreadableError(f"a setup of {', '.join(TOLD)} {told}; expected {ours}")
    tribes = tuple([tribe.type for tribe in message.tribes])
    if list(tribes) != sorted(set(tribes)) or not set(tribes) <= set(game.edition.tribe_words):
        raise UnreadableError(f"Tribes of the types {list(tribes)}; expected known ones, ascending")
    if [kingdom.colour for kingdom in message.kingdoms] != list(data.COLOURS):
        raise UnreadableError("a setup of other Kingdoms than those of the colours 1 to 6, ascending")
    setup = EthnosSetup.__new__(EthnosSetup)
    setup.seats = message.seats
    setup.figures = game.figures
    setup.ages = message.ages
    setup.options = game.options
    setup.tribe_numbers = tribes
    setup.tokens_by_colour = tuple([tuple(kingdom.tokens) for kingdom in message.kingdoms])
    return setup
