"""A map: board, deck, foundation track and numbers, read from JSON and checked (FO4).

The map that is built in is ``map.json`` beside this file; another one comes as the option ``map``.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from functools import cache
from importlib import resources
from typing import Any, Final

from rivalry_engine.foederati import map_reading, packs
from rivalry_engine.foederati.actions import CARD_PART
from rivalry_engine.foederati.map_values import an_object, points, whole
from rivalry_engine.foederati.squares import ALL

ROW: Final = "row"
COLUMN: Final = "column"
COUNTRY: Final = "country"
NEIGHBOUR: Final = "neighbour"
SEA: Final = "sea"
SEATS: Final = range(2, 6)


class Card:
    """One face: its number, its kind, its name, and the squares it fits (none of its own for ``neighbour``)."""

    __slots__ = ("copies", "kind", "mask", "name", "number")

    def __init__(self, number: int, kind: str, name: str, *, mask: int, copies: int) -> None:
        self.number = number
        self.kind = kind
        """``row``, ``column``, ``country``, ``neighbour`` or ``sea`` (FO4.2)."""
        self.name = name
        """``row A/B``, ``column 5``, ``country Ausonia``, ``neighbour``, ``sea``."""
        self.mask = mask
        self.copies = copies

    def __repr__(self) -> str:
        return self.name


class Map:
    """All that the data file says, as plain attributes.

    Countries are numbered from 0 in the order of ``regions``, seas likewise; card faces in the order of the deck: rows,
    columns, countries, ``neighbour``, ``sea``.
    """

    def __init__(self, given: Mapping[str, Any]) -> None:
        """Raises OptionError that names the path of what cannot be used."""
        read = an_object(given, "", map_reading.KEYS, ("flags",))
        self.id, self.version = map_reading.identity(read)
        regions = map_reading.regions(read)
        classes = map_reading.classes(read)
        map_reading.check_classes(regions, classes)
        map_reading.lines(read)
        masks = map_reading.grid(read, regions)
        self.country_ids: tuple[str, ...] = tuple([key for key, region in regions.items() if region[1]])
        self.countries: tuple[str, ...] = tuple([regions[key][0] for key in self.country_ids])
        """By country, its name."""
        self.classes: tuple[str, ...] = tuple([regions[key][1] for key in self.country_ids])
        self.country_masks: tuple[int, ...] = tuple([masks[key] for key in self.country_ids])
        self.sea_ids: tuple[str, ...] = tuple([key for key, region in regions.items() if not region[1]])
        self.seas: tuple[str, ...] = tuple([regions[key][0] for key in self.sea_ids])
        self.sea_masks: tuple[int, ...] = tuple([masks[key] for key in self.sea_ids])
        self.sea: int = sum(self.sea_masks)
        """All sea squares."""
        self.land: int = ALL & ~self.sea
        self.country_of: list[int] = _regions_of(self.country_masks)
        """By square, its country; -1 on the sea."""
        self.sea_of: list[int] = _regions_of(self.sea_masks)
        """By square, its sea; -1 on land."""
        self.caps: tuple[int, ...] = tuple([classes[key].cap for key in self.classes])
        """By country, how many shields of all seats together the initial placement allows (FO5.1)."""
        self.tribal: tuple[tuple[int, ...], ...] = tuple([classes[key].tribal for key in self.classes])
        """By country, the points by place (FO9.4)."""
        map_reading.check_sizes(self, classes)
        self.track: tuple[tuple[int, bool], ...] = map_reading.track(read, len(self.countries))
        """By order of founding, points and whether the field is red (FO4.3)."""
        self._numbers(read)
        self._deck(read, [classes[key].cards for key in self.classes])
        map_reading.check_totals(self)
        self.flags: dict[str, Any] = map_reading.flags(read.get("flags", {}))
        """The options that the file states, by their names as options."""
        self.text: str = json.dumps({key: read[key] for key in map_reading.KEYS}, sort_keys=True)
        """The map as JSON without flags, which are options."""

    @property
    def json(self) -> dict[str, Any]:
        """The map as JSON without flags; a new object each time."""
        made: dict[str, Any] = json.loads(self.text)
        return made

    def _numbers(self, read: Mapping[str, Any]) -> None:
        clan = an_object(read["clan"], "clan", ("minSize", "points"))
        self.clan_least: int = whole(clan["minSize"], "clan.minSize", 1, 100)
        self.clan_points: tuple[int, ...] = points(clan["points"], "clan.points")
        maritime = an_object(read["maritime"], "maritime", ("points", "perShip"))
        self.maritime_points: tuple[int, ...] = points(maritime["points"], "maritime.points")
        self.per_ship: int = whole(maritime["perShip"], "maritime.perShip")
        self.sole_bonus: int = whole(read["tribalSoleBonus"], "tribalSoleBonus")
        self.hand_size: int = whole(read["handSize"], "handSize", 1, packs.FACES // SEATS[-1])
        self.actions: int = whole(read["actionsPerTurn"], "actionsPerTurn", 1, 100)
        """How often a turn may expand or attack (FO6)."""
        self.exchange_most: int = whole(read["exchangeMax"], "exchangeMax", 1, self.hand_size)
        self.battle_bonus: int = whole(read["battleCardBonus"], "battleCardBonus", 1)
        self.shields, self.initial = map_reading.players(read)
        """By number of seats: shields of each, and how many of them the initial placement puts down (FO5)."""

    def _deck(self, read: Mapping[str, Any], copies: Sequence[int]) -> None:
        found: list[Card] = []
        for kind, name, mask, count in map_reading.faces(read, self.countries, self.country_masks, copies, self.sea):
            found.append(Card(len(found), kind, name, mask=mask, copies=count))
        self.cards: tuple[Card, ...] = tuple(found)
        """By number, every face."""
        self.deck: tuple[int, ...] = tuple([card.number for card in found for _ in range(card.copies)])
        """The faces of all cards, ascending."""
        self.deck_pack: int = packs.packed(self.deck)
        self.fits: list[int] = [card.mask for card in found] + [0] * (128 - len(found))
        """By face, the squares it names; none for ``neighbour``, whose squares depend on the shields."""
        kinds = [card.kind for card in found]
        self.neighbour: int = kinds.index(NEIGHBOUR) if NEIGHBOUR in kinds else -1
        """The face ``neighbour``; -1 if the deck has none."""
        self.held: list[list[tuple[int, int, int, int]]] = [
            [
                (card.number, ALL if card.kind == NEIGHBOUR else card.mask, CARD_PART + card.number, count)
                for count in range(card.copies + 1)
            ]
            for card in found
        ]
        """By face and number of copies, how a hand lays them out (``hands.Held``)."""
        self.face_of: dict[str, int] = {card.name.lower(): card.number for card in found}

    def names(self, pack: int) -> list[str]:
        """The names of the cards of a pack, ascending."""
        return [self.cards[face].name for face in packs.listed(pack)]

    def card_name(self, face: int) -> str:
        """The name of a face; ``nothing`` for a number that is none."""
        return self.cards[face].name if 0 <= face < len(self.cards) else "nothing"


def _regions_of(masks: Sequence[int]) -> list[int]:
    found = [-1] * 128
    for region, mask in enumerate(masks):
        for square in range(100):
            if mask >> square & 1:
                found[square] = region
    return found


@cache
def usual() -> Map:
    """The map that is built in."""
    text = resources.files("rivalry_engine.foederati").joinpath("map.json").read_text(encoding="utf-8")
    return Map(json.loads(text))
