"""How ``greedy`` plays Foederati: one command after the other, each the best by the board as it is after it."""

from __future__ import annotations

from typing import Final

from rivalry_bots.standing import Standing, battle_strengths
from rivalry_engine.foederati import actions, question
from rivalry_engine.foederati.actions import (
    ATTACK,
    CARD_PART,
    EXCHANGE,
    EXPAND,
    MIGRATE,
    REINFORCE,
    SAIL,
)
from rivalry_engine.foederati.sight import FoederatiObservation
from rivalry_engine.foederati.squares import BIT, grown
from rivalry_engine.game import Choice
from rivalry_engine.prompt import Answer, Prompt

WORTH_A_MOVE: Final = 250
"""A move that adds less is left: it may be needed elsewhere later."""
CLOSE: Final = 12
"""So many moves are weighed exactly, those that look best by their ends."""
CARD: Final = 300
"""What a card that is spent in a battle is worth."""
BATTLE_MOST: Final = 4
"""So many cards at most are spent in a battle, all its rounds together."""
DEFENCE: Final = 15
"""Of a hundred unknown cards so many fit a square that one has a shield at."""


def answer(prompt: Prompt) -> Answer:
    """The best choice by the observation alone."""
    seen = prompt.observation
    assert isinstance(seen, FoederatiObservation)
    if prompt.kind == question.BATTLE:
        return _battle(prompt, seen)
    if prompt.kind == question.FIRST:
        return prompt.answer(0)
    standing = Standing(seen)
    if prompt.kind == question.PLACEMENT:
        parts = prompt.choices[0].parts
        return prompt.answer(0, [_best([standing.placed(square) for square in parts])])
    return _turn(prompt, seen, standing)


def _turn(prompt: Prompt, seen: FoederatiObservation, standing: Standing) -> Answer:
    expansion = _expansion(prompt, seen, standing)
    attack = _attack(prompt, seen, standing)
    if attack is not None and (expansion is None or attack[0] > expansion[0]):
        return attack[1]
    if expansion is not None:
        return expansion[1]
    move = _move(prompt, standing)
    if move is not None:
        return move
    exchange = _exchange(prompt, seen)
    return exchange if exchange is not None else prompt.answer(len(prompt.choices) - 1)


def _expansion(prompt: Prompt, seen: FoederatiObservation, standing: Standing) -> tuple[int, Answer] | None:
    """The best square that a card fits, by the card that fits least elsewhere."""
    cards: dict[int, tuple[int, int, int]] = {}
    for index, choice in enumerate(prompt.choices):
        if actions.verb(choice.action) == EXPAND:
            for part, square in enumerate(choice.parts):
                use = (len(choice.parts), index, part)
                if square not in cards or use < cards[square]:
                    cards[square] = use
    if not cards:
        return None
    listed = sorted(cards)
    prices = [standing.placed(square) for square in listed]
    best = _best(prices)
    if seen.me.supply == 1 and not _ahead(seen) and not seen.board.end_trigger:
        return None  # the last shield ends the game
    _, index, part = cards[listed[best]]
    return prices[best], prompt.answer(index, [part])


def _ahead(seen: FoederatiObservation) -> bool:
    return seen.me.position == max([player.position for player in seen.seats])


def _attack(prompt: Prompt, seen: FoederatiObservation, standing: Standing) -> tuple[int, Answer] | None:
    """The best target that the cards in hand are likely to win."""
    best: tuple[int, Answer] | None = None
    for index, choice in enumerate(prompt.choices):
        if actions.verb(choice.action) != ATTACK:
            continue
        target = actions.square(choice.action)
        owner = next(player.seat for player in seen.seats if player.shields_mask & BIT[target])
        attack, defence = battle_strengths(seen, target, owner)
        bonus = seen.setup.map.battle_bonus
        expected = bonus * ((seen.seats[owner].hand_size * DEFENCE + 50) // 100)
        needed = max(0, (defence + expected - attack) // bonus + 1)
        if needed > min(len(choice.parts), BATTLE_MOST):
            continue
        price = standing.taken(target, owner) - CARD * needed
        if price > 0 and (best is None or price > best[0]):
            least = tuple(range(choice.least))
            best = (price, prompt.answer(index, least))
    return best


def _move(prompt: Prompt, standing: Standing) -> Answer | None:
    """The best move, if it is worth it: weighed exactly are those whose ends look best."""
    looks: list[tuple[int, int, int, int, int]] = []
    arrivals: dict[int, int] = {}
    for index, choice in enumerate(prompt.choices):
        if actions.verb(choice.action) not in (MIGRATE, SAIL):
            continue
        origin = actions.other(choice.action)
        for part, square in enumerate(choice.parts):
            if square not in arrivals:
                arrivals[square] = standing.placed(square)
            looks.append((-arrivals[square], index, part, origin, square))
    looks.sort()
    weighed = _spread(looks)
    if not weighed:
        return None
    prices = [standing.moved(origin, square) for _, _, _, origin, square in weighed]
    best = _best(prices)
    _, index, part, _, _ = weighed[best]
    return prompt.answer(index, [part]) if prices[best] >= WORTH_A_MOVE else None


def _spread(looks: list[tuple[int, int, int, int, int]]) -> list[tuple[int, int, int, int, int]]:
    """The best looking moves, of each origin no more than two."""
    taken: list[tuple[int, int, int, int, int]] = []
    origins: dict[int, int] = {}
    for look in looks:
        if origins.get(look[3], 0) < 2:
            origins[look[3]] = origins.get(look[3], 0) + 1
            taken.append(look)
        if len(taken) == 2 * CLOSE:
            break
    return taken


def _exchange(prompt: Prompt, seen: FoederatiObservation) -> Answer | None:
    """The cards that fit fewest free squares go, if some fit hardly any."""
    for index, choice in enumerate(prompt.choices):
        if actions.verb(choice.action) == EXCHANGE:
            uses = [_use(seen, part - CARD_PART) for part in choice.parts]
            order = sorted(range(len(uses)), key=lambda part: (uses[part], part))
            worst = [part for part in order[: choice.most] if uses[part] < 4]
            return prompt.answer(index, worst) if worst else None
    return None


def _use(seen: FoederatiObservation, face: int) -> int:
    """How many free squares a card fits."""
    board = seen.setup.map
    mask = grown(seen.me.shields_mask) if face == board.neighbour else board.fits[face]
    return (mask & seen.free_mask).bit_count()


def _battle(prompt: Prompt, seen: FoederatiObservation) -> Answer:
    """As few cards as put the own side ahead, or yield."""
    turn, board = seen.turn, seen.setup.map
    attacks = seen.seat == turn.active
    gap = turn.defence - turn.attack if attacks else turn.attack - turn.defence
    ties_to_own = seen.setup.options["battle_tie_to"] == ("attacker" if attacks else "defender")
    needed = -(-gap // board.battle_bonus) if ties_to_own else gap // board.battle_bonus + 1
    spent = sum([1 for seat, _ in turn.played_cards if seat == seen.seat])
    if len(prompt.choices) < 2:
        return prompt.answer(0)
    choice: Choice = prompt.choices[0]
    assert actions.verb(choice.action) == REINFORCE
    needed = max(1, needed)
    if needed > choice.most or spent + needed > BATTLE_MOST:
        return prompt.answer(1)
    order = sorted(range(len(choice.parts)), key=lambda part: (_use(seen, choice.parts[part] - CARD_PART), part))
    return prompt.answer(0, order[:needed])


def _best(prices: list[int]) -> int:
    """The index of the greatest, the first of equals."""
    return prices.index(max(prices))
