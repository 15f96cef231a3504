"""The events: one function a kind, its facts by name.

Cards are card numbers, Kingdoms are colours (1 to 6), ``glory`` is what was gained.
"""

from __future__ import annotations

from rivalry_engine.ethnos.cards import listed
from rivalry_engine.event import Event


def age_begun(age: int, first: int, row: int, *, deck: int, hands: list[int]) -> Event:
    """An Age is dealt; each seat sees its own first card (E3.1)."""
    facts = {"age": age, "first": first, "row": listed(row), "deck": deck}
    return Event("age_begun", facts, {seat: {"hand": listed(hand)} for seat, hand in enumerate(hands)})


def taken(seat: int, card: int) -> Event:
    """A face-up card was taken."""
    return Event("taken", {"seat": seat, "card": card})


def drawn(seat: int, card: int) -> Event:
    """A card came from the deck; only its owner sees which."""
    return Event("drawn", {"seat": seat}, {seat: {"card": card}})


def dragon(seat: int, number: int) -> Event:
    """Somebody drew a Dragon, the ``number``-th of the Age (E4.3)."""
    return Event("dragon", {"seat": seat, "number": number})


def passed(seat: int) -> Event:
    """Ten Skeletons were shown (E4.6)."""
    return Event("passed", {"seat": seat})


def band(seat: int, played: int) -> Event:
    """A Band was laid down; ``cards`` holds its Leader too."""
    return Event("band", {"seat": seat, "leader": played & 255, "cards": listed(played >> 8)})


def marked(seat: int, colour: int) -> Event:
    """A marker went to a Kingdom."""
    return Event("marked", {"seat": seat, "kingdom": colour})


def declined(seat: int, kind: str) -> Event:
    """The question ``kind`` was answered with none, stay, stop or keep board."""
    return Event("declined", {"seat": seat, "kind": kind})


def giant(seat: int, size: int, glory: int) -> Event:
    """The Giant token changed hands or was confirmed (E6.4)."""
    return Event("giant", {"seat": seat, "size": size, "glory": glory})


def advanced(seat: int, space: int) -> Event:
    """The marker on the Merfolk board went to ``space``."""
    return Event("advanced", {"seat": seat, "space": space})


def horde(seat: int, colour: int) -> Event:
    """A marker went to the Orc board."""
    return Event("horde", {"seat": seat, "kingdom": colour})


def token(seat: int, value: int) -> Event:
    """A Troll token was taken."""
    return Event("token", {"seat": seat, "value": value})


def coin(seat: int, colour: int, value: int) -> Event:
    """A coin went to the slot of a region (N3.4)."""
    return Event("coin", {"seat": seat, "kingdom": colour, "value": value})


def swapped(seat: int, other: int, number: int, received: int) -> Event:
    """A seat's last Band changed places with Band ``number`` of ``other``, which is the one told (E7.1)."""
    facts = {"seat": seat, "other": other, "band": number, "leader": received & 255, "cards": listed(received >> 8)}
    return Event("swapped", facts)


def kept(seat: int, pack: int) -> Event:
    """Elves kept cards; only their owner sees which."""
    cards = listed(pack)
    return Event("kept", {"seat": seat, "count": len(cards)}, {seat: {"cards": cards}})


def discarded(seat: int, pack: int) -> Event:
    """Cards went from a hand to the face-up row."""
    return Event("discarded", {"seat": seat, "cards": listed(pack)})


def age_ended(age: int, drawer: int) -> Event:
    """The last Dragon came to ``drawer``; all hands went back unseen (E8)."""
    return Event("age_ended", {"age": age, "seat": drawer})


def kingdom_scored(colour: int, glory: tuple[int, ...]) -> Event:
    """A Kingdom paid each seat (E9.1)."""
    return Event("kingdom_scored", {"kingdom": colour, "glory": glory})


def merfolk_scored(glory: tuple[int, ...]) -> Event:
    """The Merfolk board paid each seat (E9.5)."""
    return Event("merfolk_scored", {"glory": glory})


def giant_scored(seat: int, glory: int) -> Event:
    """The Giant token paid its holder (E6.4)."""
    return Event("giant_scored", {"seat": seat, "glory": glory})


def bands_scored(glory: tuple[int, ...]) -> Event:
    """After their Skeletons left, the Bands paid each seat (E9.6)."""
    return Event("bands_scored", {"glory": glory})


def horde_emptied(seat: int, markers: int, glory: int) -> Event:
    """An Orc board was emptied; its markers went back to the supply (E9.7)."""
    return Event("horde_emptied", {"seat": seat, "markers": markers, "glory": glory})


def game_ended(scores: tuple[int, ...], ranks: tuple[int, ...]) -> Event:
    """The last Age is scored (E10)."""
    return Event("game_ended", {"scores": scores, "ranks": ranks})
