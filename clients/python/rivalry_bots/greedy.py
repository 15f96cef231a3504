"""Weighs each choice, from the observation alone, and remembers nothing: Ethnos here, Foederati in ``settler``."""

from __future__ import annotations

from itertools import combinations

from rivalry_bots.plan import Plans
from rivalry_bots.worth import Worth
from rivalry_client.bot import Bot
from rivalry_client.prompt import Prompt
from rivalry_engine.ethnos.actions import BAND, TAKE, pack, target, value, verb
from rivalry_engine.ethnos.cards import SKELETON, count, less, listed, size
from rivalry_engine.ethnos.data import CENTAURS, COLOURS
from rivalry_engine.ethnos.sight import EthnosObservation
from rivalry_engine.prompt import Answer


class GreedyBot(Bot):
    """In Ethnos it builds the Band that pays best for the turns it takes, and stops when the Age may end first.

    In Foederati it does what makes its board worth most, one command after the other.
    """

    name = "greedy"
    version = "1"
    games = ("ethnos", "foederati")
    quick = True

    def choose(self, prompt: Prompt) -> Answer | int:
        """The choice that is worth most; the first of equals."""
        seen = prompt.observation
        if not isinstance(seen, EthnosObservation):
            from rivalry_bots import settler

            return settler.answer(prompt)
        offered = [choice.action for choice in prompt.choices]
        if prompt.kind == "turn":
            return _best(turn(seen, offered))
        if prompt.kind == "further":
            worth = Worth(seen)
            return _best([_laid(worth, seen.hand_pack, action) if verb(action) == BAND else 0 for action in offered])
        if prompt.kind in ("marker", "bonus"):
            worth = Worth(seen)
            return _best([worth.marker(value(action)) for action in offered])
        if prompt.kind == "keep":
            return prompt.answer(0, kept(seen, prompt.choices[0].parts, prompt.choices[0].most))
        if prompt.kind == "target":
            return _best(swaps(seen, offered))
        if prompt.kind == "empty":
            return 0 if seen.me.horde_mask.bit_count() == len(COLOURS) else 1
        # An advance, an Orc's marker, the highest Troll token and the Wizards' cards cost nothing: the first choices.
        return 0


def turn(seen: EthnosObservation, offered: list[int]) -> list[int]:
    """What each action of a turn is worth."""
    worth = Worth(seen)
    plans = Plans(seen, worth)
    hand = list(listed(seen.hand_pack))
    prices: list[int] = []
    for action in offered:
        if verb(action) == BAND:
            prices.append(_laid(worth, seen.hand_pack, action))
        elif verb(action) == TAKE:
            card = value(action)
            row = list(plans.row)
            row.remove(card)
            prices.append(plans.after_a_turn(plans.best([*hand, card], row)))
        else:
            prices.append(plans.after_a_turn(plans.after_a_draw(hand)))
    return prices


def swaps(seen: EthnosObservation, offered: list[int]) -> list[int]:
    """What each Band is worth that Fairies may receive; none is worth nothing (E7.1)."""
    worth = Worth(seen)
    own = seen.me.band_numbers[-1]
    mine = (own & 255, size(own >> 8), count(own >> 8, SKELETON))
    prices: list[int] = []
    for action in offered:
        seat, number = target(action)
        prices.append(worth.swap(*mine, seen.seats[seat].band_numbers[number]) if seat >= 0 else 0)
    return prices


def kept(seen: EthnosObservation, parts: tuple[int, ...], most: int) -> tuple[int, ...]:
    """Which cards the Elves keep: as many as may be, those with the best plan together (at most 126 sets)."""
    plans = Plans(seen, Worth(seen))
    sets = list(combinations(range(len(parts)), most))
    return sets[_best([plans.best([parts[index] for index in chosen], plans.row) for chosen in sets])]


def _laid(worth: Worth, hand: int, action: int) -> int:
    """What a Band is worth when it is played now, with the Band that may follow a Centaur's (E6.1)."""
    leader, cards = value(action), pack(action)
    rest = less(hand, cards)
    price = worth.band(leader, size(cards), count(cards, SKELETON), size(rest))
    if leader >> 3 == CENTAURS and rest and worth.places_marker(leader, size(cards)):
        price += max(0, *[_at_once(worth, rest, next_leader) for next_leader in listed(rest)])
    return price


def _at_once(worth: Worth, hand: int, leader: int) -> int:
    """The better of a Leader's two Bands out of a hand."""
    if leader == SKELETON:
        return 0
    cards = listed(hand)
    wild = cards.count(SKELETON)
    sizes = (
        len([card for card in cards if card >> 3 == leader >> 3]),
        len([card for card in cards if card & 7 == leader & 7]),
    )
    return max(worth.band(leader, wild + same, wild, len(cards) - wild - same) for same in sizes)


def _best(prices: list[int]) -> int:
    return prices.index(max(prices))
