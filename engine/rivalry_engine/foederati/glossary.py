"""The words of Foederati and what they mean, for people and language models."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

GLOSSARY: Final[Mapping[str, str]] = MappingProxyType(
    {
        "square": "a place on the board for one shield, named by row and column, A1 to J10 (FO4.1)",
        "country": "one of twelve regions on land, large or small; what fills it founds it (FO4.1, FO8.1)",
        "sea": "a region of water; also a card that fits any free sea square (FO4.1, FO4.2)",
        "shield": "a piece of a seat on the board or in its supply (FO5)",
        "supply": "shields not yet used; it never grows (FO5, FO8.2)",
        "lost": "shields out of the game (FO7)",
        "ship": "a shield on a sea square (FO6.1)",
        "card": "row, column, country, neighbour or sea; it says where a shield may go (FO4.2)",
        "neighbour": "a card that fits any free square next to an own shield (FO4.2)",
        "next to": "up, down, left or right, never diagonal (FO4.1)",
        "position": "the space of a seat's leader on the score track, which is its score (FO5)",
        "round": "each seat takes one turn, clockwise from the first player (FO6)",
        "first": "the seat that begins the round (FO6)",
        "place": "put down a shield in the initial placement (FO5.1)",
        "expand": "discard a card and put a shield on a free square that it fits; two expand and attack a turn (FO6)",
        "attack": "begin a battle for a square of a founded country that is next to an own shield (FO7)",
        "A, D": "the strengths of attacker and defender: shields next to the target, 1 more for D, 2 a card (FO7)",
        "reinforce": "play fitting cards in a battle (FO7)",
        "yield": "give a battle up (FO7)",
        "migrate": "move one shield from land, once a turn, instead of an exchange (FO6.1)",
        "sail": "move a ship, each once a turn (FO6.1)",
        "exchange": "discard one or two cards and draw as many, once a turn, instead of a migration (FO6.1)",
        "end turn": "end a turn that did something (FO6)",
        "pass": "end a turn that did nothing (FO6)",
        "founded": "said of a country that was full once; its founder got the marker's points (FO8.1)",
        "marker, red": "twelve on the foundation track; red fields bring the tribal scoring (FO4.3, FO8.3)",
        "clan": "three or more own shields that hang together (FO9.2)",
        "fleet": "all ships of a seat (FO9.3)",
        "tribes": "the scoring of each country by the shields in it (FO9.4)",
        "choose first": "the seat in last place names the first player of the next round (FO8.3)",
        "end trigger": "all passed, a supply is empty, the last marker, or nothing stirs: the last round (FO8.2)",
        "pool": "the cards the draw pile was made of when it was last shuffled (FO10.72)",
    }
)
