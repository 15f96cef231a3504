"""The words of Ethnos and what they mean, for people and language models."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

GLOSSARY: Final[Mapping[str, str]] = MappingProxyType(
    {
        "Tribe": "the kind of a card; five or six of the twelve Tribes are in play (E1.3, E2.2)",
        "Kingdom": "one of six regions, each with a colour: Ithys orange, Althea green, Pelagon grey, Straton blue,"
        " Duris purple, Rhea red (E1.2)",
        "Glory": "the score (E1.8)",
        "Glory tokens": "what a Kingdom pays at the end of an Age, lowest first (E2.1, E9.1)",
        "marker": "a seat's sign of control in a Kingdom; most markers earn most (E5.4, E9.1)",
        "Band": "cards of one Tribe or one colour laid down together; pays Glory by its size (E5.1, E9.6)",
        "Leader": "the card of a Band whose colour says where the marker goes and whose ability is used (E5.2, E5.5)",
        "Age": "a round of play; it ends when the third Dragon is drawn (E4.3, E8)",
        "Dragon": "three in the lower half of each Age's deck (E3.2)",
        "take": "recruit a face-up card (E4.2)",
        "draw": "recruit the top card of the deck (E4.2)",
        "pass": "the forced turn of a hand of ten Skeletons (E4.6)",
        "mark": "place the Band's marker, or a Merfolk bonus marker (E5.4, E6.6)",
        "keep": "the cards an Elf's Band saves from the discard (E6.3)",
        "advance, stay": "move on the Merfolk board by the Band's size, or not (E6.6)",
        "horde, no horde": "put a marker on the Orc board, or not (E6.8)",
        "token": "take a Troll token, which breaks ties (E6.10, E9.3)",
        "draw all, draw none": "draw as many cards as a Wizard's Band has, or none (E6.12)",
        "stop": "play no further Band after a Centaur's (E6.1)",
        "empty, keep board": "score the Orc board at the end of an Age, or leave its markers (E9.7)",
        "Centaurs": "led by one that placed its marker: play another Band at once (E6.1)",
        "Dwarves": "led by one: the Band counts one card more when it scores (E6.2)",
        "Elves": "led by one: keep cards instead of discarding all (E6.3)",
        "Giants": "led by one, the largest such Band of the Age: Glory at once and the Giant token (E6.4)",
        "Halflings": "twice as many cards; led by one, the Band places no marker (E6.5)",
        "Merfolk": "led by one: advance on the Merfolk board (E6.6)",
        "Minotaurs": "led by one: the Band counts one card more for placing its marker (E6.7)",
        "Orcs": "led by one: a marker on the Orc board (E6.8)",
        "Skeletons": "wild; never lead, and leave before Bands score (E6.9)",
        "Trolls": "led by one: take a Troll token (E6.10)",
        "Wingfolk": "led by one: the marker may go to any Kingdom (E6.11)",
        "Wizards": "led by one: draw cards after the discard (E6.12)",
    }
)
