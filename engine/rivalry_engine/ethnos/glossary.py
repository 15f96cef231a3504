"""The words of each edition and what they mean, for people and language models."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

FIRST: Final[Mapping[str, str]] = MappingProxyType(
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
        "swap, swap none": "exchange a Fairy's Band for one of an opponent's that is no larger, or not (E7.1)",
        "draw all, draw none": "draw as many cards as a Wizard's Band has, or none (E6.12)",
        "stop": "play no further Band after a Centaur's (E6.1)",
        "empty, keep board": "score the Orc board at the end of an Age, or leave its markers (E9.7)",
        "Centaurs": "led by one that placed its marker: play another Band at once (E6.1)",
        "Dwarves": "led by one: the Band counts one card more when it scores (E6.2)",
        "Elves": "led by one: keep cards instead of discarding all (E6.3)",
        "Fairies": "an option; led by one: swap the Band for one of an opponent's, which is then played (E7)",
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

SECOND: Final[Mapping[str, str]] = MappingProxyType(
    {
        "clan": "the kind of a card; five or six of the twelve clans are in play (N2.1, N2.3)",
        "region": "one of six, named by its colour: red, blue, green, yellow, black, white (N2.1)",
        "prestige": "the score",
        "prestige tokens": "what a region pays at the end of an age, lowest first (N2.2, N4.1)",
        "ally pool": "the face-up cards",
        "marker": "a seat's sign of control in a region; most markers earn most (E5.4, N4.1)",
        "party": "cards of one clan or one colour laid down together; pays prestige by its size (E5.1, N4.2)",
        "leader": "the card of a party whose colour says where the marker goes and whose ability is carried out (N3.0)",
        "age": "a round of play; it ends when its last dragon is drawn (N2.4, N5)",
        "dragon": "three in the lower half of each age's deck (E3.2, N2.4)",
        "coin": "what Raccoons put on a region's slot; the first there earns it at the end of the age (N3.4)",
        "take": "recruit a card of the ally pool (E4.2)",
        "draw": "recruit the top card of the deck (E4.2)",
        "pass": "the forced turn of a hand of ten Dogs (N3.8)",
        "band": "play a party, its leader first (E5.1)",
        "mark": "place the party's marker, or a free one of the Koi board (E5.4, N3.5)",
        "keep": "the cards that a Red Panda's party saves from the discard (N3.1)",
        "token": "which Fox token is taken; it breaks ties (N3.7)",
        "stop": "play no further party after an Owl's (N3.1)",
        "empty, keep board": "score the settlement board when an age ends, or leave its markers; all at once (N3.6)",
        "Owl": "led by one that placed its marker: play another party at once (N3.1)",
        "Rabbit": "led by one: the party counts one card more when it scores (N3.2)",
        "Red Panda": "led by one: keep cards instead of discarding all (N3.1)",
        "Bear": "led by one, the largest such party of the age: prestige at once and the Bear token (N3.3)",
        "Koi": "led by one: advance on the Koi board by the party's size (N3.5)",
        "Tiger": "led by one: the party counts one card more for placing its marker (N3.1)",
        "Monkey": "led by one: a marker goes on the settlement board (N3.6)",
        "Fox": "led by one: take a Fox token of at most the party's size (N3.7)",
        "Deer": "led by one: the marker may go to any region (N3.1)",
        "Raven": "led by one: draw as many cards as the party has, after the discard (N3.1)",
        "Raccoon": "led by one: put the lowest coin on the region of its colour (N3.4)",
        "Dog": "wild; never leads, and leaves before parties score (N3.1)",
        "glory, kingdoms, tribes, bands, giant, merfolk, horde, trolls": (
            "keys of JSON, the same in both editions: here prestige, regions, clans, parties, the Bear token, the Koi"
            " board, the settlement board, Fox tokens"
        ),
    }
)

OF: Final[Mapping[str, Mapping[str, str]]] = MappingProxyType({"first": FIRST, "second": SECOND})
"""By edition."""
BOTH: Final[Mapping[str, str]] = MappingProxyType(
    {**FIRST, **{word: f"second edition: {meaning}" for word, meaning in SECOND.items() if word not in FIRST}}
)
"""Both editions' words, for whoever asks about the game and has not chosen one."""
