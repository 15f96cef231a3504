"""The rules in short, for somebody who is to play and knows only the notation's look."""

from __future__ import annotations

from typing import Final

PRIMER: Final = """\
Foederati: tribes settle a map of 10 by 10 squares (A1 to J10), 12 countries and some seas, one shield a square.
Most points win; your space on the score track is your score, and no two leaders share a space: who would stop on a
taken space goes on to the next free one.

First, in turn, everybody places some shields on free squares (place F5). Small countries take 2 shields, large ones 4,
all players together; seas take any number.

Then come rounds; each player has a turn. In a turn, in any order:
- up to two of: expand (discard a card, put a shield from your supply on a free square that the card fits) and attack;
- one of: migrate (move one shield that stands on land) or exchange (discard 1 or 2 cards and draw as many);
- sail: each of your ships (shields on sea squares) may move once.
A shield moves to any free square next to the group of your shields that it hangs together with. Next to means up,
down, left, right. End with "end turn", or "pass" if you did nothing. Then your hand is refilled to 10.

Cards: "row F", "column 1/5/9" (any free square on one of those lines, sea too), "country Ausonia", "sea" (any sea
square), "neighbour" (any square next to a shield of yours).

Founding: who occupies the last free square of a country founds it and takes the next marker of the track (3 to 7
points). Some markers are red. Only founded countries can be attacked.

Attack: name an opponent's shield in a founded country next to a shield of yours. Your strength is the number of your
shields next to it; the defender's is 1 plus the number of his next to it; every fitting card adds 2. The side that
would lose plays cards (reinforce) or yields. A tie is the defender's. Win: his shield is gone, one from your supply
stands there. Lose: a shield of your supply is gone.

Scoring, after a round in which a country was founded: clans (connected groups of 3 or more: 8, 6, 4, 2, 1 points for
the largest sizes, paid for each clan of that size), fleets (2 and 1 for most ships, then 1 for each ship), and after a
red marker tribes (each country: 4/2/1 large, 2/1/0 small by shields in it, 2 more if you are there alone). Who ties
gets the points of the place below. After a scoring the player in last place names who goes first.

The game ends with the round in which all have passed on end, a supply is empty, or the last country was founded; then
everything is scored once more.

Options of the match may change details; they are told in its setup.
"""
