"""The rules in short, for somebody who is to play and knows only the notation's look."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

FIRST: Final = """\
Collect cards, lay them down as Bands, and hold Kingdoms by your markers. Most Glory at the end wins.

Cards have a Tribe and one of six colours; each colour is a Kingdom. Five or six of the Tribes are in play.
The game has three Ages, two with 2 or 3 seats. An Age ends at once when the third Dragon is drawn; then all cards and
Bands go, markers stay.

A turn is one of two things:
- Recruit one card: "take blue orc" from the face-up cards, or "draw" the top card of the deck. Never above ten cards.
- Play a Band: "band red elf: blue elf, skeleton". The Leader stands before the colon, the other cards after it. All
  cards of a Band share one Tribe or one colour; Skeletons fit anywhere and never lead. Then:
  1. Marker: if the Band has more cards than you have markers in the Kingdom of the Leader's colour (with two players:
     than both of you have there), you may place one: "mark Rhea" or "mark none".
  2. The ability of the Leader's Tribe; X is the number of cards in the Band.
  3. The rest of your hand goes face up to the row, for everybody to take.

Leaders: Centaurs, if the marker was placed, play one more Band ("stop" ends it). Dwarves count one card more when
Bands score. Elves keep up to X cards ("keep red orc"). Giants, if the largest so far in the Age, gain 2 Glory and the
token that pays at its end. Halflings place no marker. Merfolk advance X on their board, whose symbols give free
markers and which scores like a Kingdom. Minotaurs count one more for the marker. Orcs put a marker on the Orc board
("horde"), which pays 1, 3, 6, 10, 15, 20 when emptied. Trolls take a token of at most X ("token 4"), which breaks
ties. Wingfolk place in any Kingdom. Wizards draw X cards after the discard. Fairies (an option) swap the Band with
one of an opponent's that is no larger ("swap SEAT BAND", Bands of a seat numbered from 0), which then counts as just
played.

At the end of an Age:
- Each Kingdom has Glory tokens, lowest first. In Age I the player with most markers there gets the first token; in Age
  II the most get the second and the next the first; in Age III all three are paid. Those who tie share what they would
  fill, rounded down. With two players, in Age II the one with most gets the second token and the other nothing; those
  who tie share that token; whoever is alone there gets the first and the second.
- Each Band scores by its cards without Skeletons: 1: 0, 2: 1, 3: 3, 4: 6, 5: 10, 6 or more: 15.
- The boards of Merfolk, Orcs and Giants pay.

So: large Bands pay, and raise markers where few stand; but what you cannot play when you lay down a Band goes to the
others. The cards in your hand are worth nothing when the third Dragon comes; it lies in the lower half of the deck.
"""

SECOND: Final = """\
Collect cards, lay them down as parties, and hold regions by your markers. Most prestige at the end wins.

Cards have a clan and one of six colours; each colour is a region. Five or six of the clans are in play. The game has
three ages, two with 2 or 3 seats. An age ends at once when its last dragon is drawn, usually the third; then all cards
and parties go, markers stay.

A turn is one of two things:
- Recruit one card: "take blue monkey" from the ally pool, or "draw" the top card of the deck. Never above ten cards.
- Play a party: "band red owl: blue owl, dog". The leader stands before the colon, the other cards after it. All
  cards of a party share one clan or one colour; Dogs fit anywhere and never lead. Then:
  1. Marker: if the party has more cards than you have markers in the region of the leader's colour (with two players:
     than both of you have there), you may place one: "mark red" or "mark none".
  2. The ability of the leader's clan, which is always used; X is the number of cards in the party.
  3. The rest of your hand goes to the ally pool, for everybody to take.

Leaders: Owl, if the marker was placed, plays one more party ("stop" ends it). Rabbit counts one card more when parties
score. Red Panda keeps up to X cards ("keep red fox"). Bear, if the largest so far in the age, gains 4 prestige and the
token that pays at its end. Koi advances X on its board, whose symbols give free markers and which scores like a region.
Tiger counts one more for the marker. Monkey puts a marker on the settlement board, which pays 1, 3, 6, 10, 15, 20 when
emptied: all owners decide at once after the first ages ("empty" or "keep board"), and the last age empties all. Fox
takes a token of at most X ("token 4"), which breaks ties. Deer places in any region. Raven draws X cards after the
discard. Raccoon puts the lowest coin left on the region's slot of the age, for whoever is first there.

At the end of an age:
- Each region has prestige tokens, lowest first. In age I the player with most markers there gets the first token; in
  age II the most get the second and the next the first; in age III all three are paid. Those who tie share what they
  would fill, rounded down. With two players, in age II the one with most gets the second token and the other
  nothing; those who tie share that token; whoever is alone there gets the first and the second; an option drops this.
- Each party scores by its cards without Dogs: 1: 0, 2: 1, 3: 3, 4: 6, 5: 10, 6 or more: 15.
- The boards and tokens of Koi, Monkey and Bear pay.
"""

OF: Final[Mapping[str, str]] = {"first": FIRST, "second": SECOND}
"""By edition."""
BOTH: Final = f"The first edition:\n\n{FIRST}\nThe second edition (option edition=second):\n\n{SECOND}"
