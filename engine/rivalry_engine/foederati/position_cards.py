"""The cards of a position: what is stated is taken out first, and the rest is dealt in the order of the seed.

What is left when both piles are stated lies aside for good.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

from rivalry_engine.chance import Stream
from rivalry_engine.error import PositionError
from rivalry_engine.foederati import labels, packs
from rivalry_engine.foederati.packs import UNIT
from rivalry_engine.foederati.values import Checks
from rivalry_engine.prompt import shown

if TYPE_CHECKING:
    from rivalry_engine.foederati.state import FoederatiState

CHECKS: Final = Checks("position key", PositionError)
MOST: Final = 1_000_000


def _face(made: FoederatiState, word: Any, path: str) -> int:
    face = made.board.face_of.get(word.lower()) if isinstance(word, str) else None
    if face is None:
        raise CHECKS.refused(path, shown(word), "a card such as 'row A', 'column 1/5/9', 'neighbour' or 'sea'")
    return face


def _faces(made: FoederatiState, value: Any, path: str) -> list[int]:
    listed = CHECKS.a_list(value, path)
    return [_face(made, word, f"{path}[{place}]") for place, word in enumerate(listed)]


def read(made: FoederatiState, given: Mapping[str, Any], players: Sequence[Mapping[str, Any]]) -> None:
    """Hands and piles, then what is known of them since the last reshuffle."""
    board = made.board
    dealt = [*[face for hand in made.hands for face in packs.listed(hand)], *reversed(made.pile)]
    hands: list[list[int] | None] = []
    for seat, player in enumerate(players):
        path = f"seats[{seat}].hand"
        hand = _faces(made, player["hand"], path) if "hand" in player else None
        if hand is not None and len(hand) > board.hand_size:
            raise CHECKS.refused(path, f"{len(hand)} cards", f"{board.hand_size} at the most")
        hands.append(hand)
    pile = _faces(made, given["draw_pile"], "draw_pile") if "draw_pile" in given else None
    discard = _faces(made, given["discard"], "discard") if "discard" in given else None
    rest = _left(made, dealt, [*hands, pile, discard])
    for seat, hand in enumerate(hands):
        if hand is None:
            hand, rest = rest[: board.hand_size], rest[board.hand_size :]
        made.hands[seat] = packs.packed(hand)
    if pile is None:
        pile, rest = rest, []
    if discard is None:
        discard = rest
    made.pile = pile[::-1]
    made.discard = packs.packed(discard)
    _known(made, given, players)


def _left(made: FoederatiState, dealt: Sequence[int], stated: Sequence[list[int] | None]) -> list[int]:
    """The cards that nothing has claimed, in the order in which the seed deals them."""
    left = [card.copies for card in made.board.cards]
    for cards in stated:
        for face in cards or ():
            left[face] -= 1
            if left[face] < 0:
                card = made.board.cards[face]
                raise PositionError(f"position: one {card.name} too many; expected {card.copies} of them in all")
    rest: list[int] = []
    for face in dealt:
        if left[face]:
            left[face] -= 1
            rest.append(face)
    return rest


def _known(made: FoederatiState, given: Mapping[str, Any], players: Sequence[Mapping[str, Any]]) -> None:
    """The pool, and what each seat had and did since the last reshuffle; by default that has just been."""
    board = made.board
    made.reshuffles = CHECKS.whole(given.get("reshuffles", 0), "reshuffles", 0, MOST)
    if not made.reshuffles:
        for key, holder, path in (("pool", given, ""), *[(k, p, f"seats[{s}].") for k, p, s in _entries(players)]):
            if holder.get(key):
                raise CHECKS.refused(f"{path}{key}", shown(holder[key]), "none before the first reshuffle")
        made.pool = board.deck_pack
        return
    pool = given.get("pool")
    made.pool = packs.packed(made.pile if pool is None else _faces(made, pool, "pool"))
    for seat, player in enumerate(players):
        path = f"seats[{seat}]"
        kept = player.get("kept")
        made.kept[seat] = made.hands[seat] if kept is None else packs.packed(_faces(made, kept, f"{path}.kept"))
        made.since[seat] = [
            -CHECKS.whole(entry, f"{path}.since[{place}]", 1, packs.FACES)
            if isinstance(entry, int)
            else _face(made, entry, f"{path}.since[{place}]")
            for place, entry in enumerate(CHECKS.a_list(player.get("since", []), f"{path}.since", most=MOST))
        ]
    _check_known(made)


def _entries(players: Sequence[Mapping[str, Any]]) -> list[tuple[str, Mapping[str, Any], int]]:
    return [(key, player, seat) for seat, player in enumerate(players) for key in ("kept", "since")]


def _check_known(made: FoederatiState) -> None:
    """What was kept, drawn and put down must give the hands, and the pool what was drawn and the pile."""
    drawn_in_all = 0
    for seat, entries in enumerate(made.since):
        path = f"seats[{seat}].since"
        before = packs.packed([entry for entry in entries if entry >= 0]) + made.hands[seat]
        kept = labels.counts(entries, packs.size(made.hands[seat]))[0]
        if kept != packs.size(made.kept[seat]) or not packs.holds(before, made.kept[seat]):
            raise CHECKS.refused(path, "plays and draws that do not lead from kept to hand", "those that do")
        fresh = before - made.kept[seat]
        drawn_in_all += fresh
        sizes = [packs.size(hand) for hand in made.hands]
        if labels.drawn(made.since, sizes, [seat], made.kept[seat], fresh, Stream(b"", "position")) is None:
            raise CHECKS.refused(
                path, "a card put down before it can have been drawn", "plays and draws in their order"
            )
    if drawn_in_all + packs.packed(made.pile) != made.pool:
        raise CHECKS.refused("pool", "not what was drawn since and lies in the draw pile", "just that")
    if not packs.holds(made.board.deck_pack, sum(made.kept) + made.pool):
        raise CHECKS.refused("pool", "with the kept cards more of a kind than there are", "cards that there are")


def played(made: FoederatiState, listed: Sequence[Any]) -> None:
    """The cards of the battle that is on; they lie in the discard pile (FO10.56)."""
    pack = 0
    for place, each in enumerate(listed):
        path = f"battle.played[{place}]"
        entry = CHECKS.an_object(each, path, ("seat", "card"))
        if entry["seat"] not in (made.active, made.defender) or isinstance(entry["seat"], bool):
            raise CHECKS.refused(f"{path}.seat", shown(entry["seat"]), f"{made.active} or {made.defender}")
        face = _face(made, entry["card"], f"{path}.card")
        pack += UNIT[face]
        if not packs.holds(made.discard, pack):
            raise CHECKS.refused(f"{path}.card", shown(entry["card"]), "a card of the discard pile")
        made.played.append((int(entry["seat"]), face))
