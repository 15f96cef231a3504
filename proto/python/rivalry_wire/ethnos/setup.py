"""The setup of Ethnos: options, Tribes with the card table, Kingdoms with their Glory tokens, boards."""

from __future__ import annotations

from typing import Final

from rivalry.games.ethnos.v1 import ethnos_pb2 as pb
from rivalry_engine.ethnos import data
from rivalry_engine.ethnos.cards import copies, faces_of
from rivalry_engine.ethnos.game import Ethnos
from rivalry_engine.ethnos.sight import EthnosSetup
from rivalry_wire.reading import UnreadableError, parsed

EDITIONS: Final = {"first": pb.EDITION_FIRST}
RULESETS: Final = {"standard": pb.RULESET_STANDARD, "bga": pb.RULESET_BGA}


def setup_written(setup: EthnosSetup) -> bytes:
    """``Setup``."""
    small = data.is_small(setup.seats)
    options = setup.options
    message = pb.Setup(
        edition=EDITIONS[options["edition"]],
        ruleset=RULESETS[options["ruleset"]],
        fairies=options["fairies"],
        centaurs_need_marker=options["centaurs_need_marker"],
        seats=setup.seats,
        ages=setup.ages,
        dragons_to_end=data.DRAGON_COPIES,
        supply=data.SUPPLY,
        band_glory=data.BAND_GLORY,
        horde_glory=data.HORDE_GLORY,
        giant_glory=data.GIANT_AWARDS[small],
        giant_bonus=data.GIANT_BONUS,
    )
    for tribe in setup.tribe_numbers:
        faces = faces_of(tribe)
        message.tribes.add(
            type=tribe,
            name=data.TRIBE_WORDS[tribe],
            card_name=data.CARD_WORDS[tribe],
            cards=faces,
            copies=copies(faces[0]),
        )
    for colour in data.COLOURS:
        message.kingdoms.add(
            colour=colour,
            colour_name=data.COLOUR_WORDS[colour],
            name=data.KINGDOMS[colour],
            tokens=setup.tokens_by_colour[colour - 1],
        )
    if data.MERFOLK in setup.tribe_numbers:
        message.supply = data.SUPPLY_WITH_MERFOLK
        message.merfolk_board.CopyFrom(
            pb.MerfolkBoard(last=data.MERFOLK_LAST, symbols=data.MERFOLK_SYMBOLS, awards=data.MERFOLK_AWARDS[small])
        )
    return message.SerializeToString()


def setup_read(encoded: bytes, game: Ethnos) -> EthnosSetup:
    """The setup of a match of ``game``; raises UnreadableError also when it is that of a match with other options."""
    message = parsed(pb.Setup, encoded)
    options = game.options
    told = (message.edition, message.ruleset, message.fairies, message.centaurs_need_marker, message.seats)
    ours = (
        EDITIONS[options["edition"]],
        RULESETS[options["ruleset"]],
        options["fairies"],
        options["centaurs_need_marker"],
        game.seats,
    )
    if told != ours:
        raise UnreadableError(
            f"a setup of edition, ruleset, fairies, centaurs_need_marker, seats {told}; expected {ours}"
        )
    tribes = tuple([tribe.type for tribe in message.tribes])
    if list(tribes) != sorted(set(tribes)) or not set(tribes) <= set(data.TRIBE_WORDS):
        raise UnreadableError(f"Tribes of the types {list(tribes)}; expected known ones, ascending")
    if [kingdom.colour for kingdom in message.kingdoms] != list(data.COLOURS):
        raise UnreadableError("a setup of other Kingdoms than those of the colours 1 to 6, ascending")
    setup = EthnosSetup.__new__(EthnosSetup)
    setup.seats = message.seats
    setup.ages = message.ages
    setup.options = options
    setup.tribe_numbers = tribes
    setup.tokens_by_colour = tuple([tuple(kingdom.tokens) for kingdom in message.kingdoms])
    return setup
