"""What a seat or the public may know, made of public parts and the seat's own cards.

FoederatiSetup        seats, options, the map; the same for the whole match
FoederatiObservation  board, turn and seats (public parts), the audience's own hand and kept cards, who is asked what
BoardView             round, foundings, end, and the cards the pile was made of when it was last shuffled
TurnView              the turn and the battle in it, the discard pile, the number of cards in the draw pile
SeatView              a seat's score, supply, shields on the board, number of cards, plays and draws

The parts are immutable.  A part that did not change since the last observation is the same object, so whoever turns
parts into bytes may keep those by identity.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from rivalry_engine.foederati import question, squares
from rivalry_engine.foederati.maps import Map
from rivalry_engine.game import PUBLIC, Observation, View
from rivalry_engine.option import OptionValue

if TYPE_CHECKING:
    from rivalry_engine.foederati.state import FoederatiState


class FoederatiSetup(View):
    """What is public and the same for the whole match."""

    __slots__ = ("map", "options", "seats")

    def __init__(self, seats: int, options: Mapping[str, OptionValue], board: Map) -> None:
        self.seats = seats
        self.options = options
        self.map = board

    def __eq__(self, other: object) -> bool:
        return self is other or (isinstance(other, FoederatiSetup) and self.json() == other.json())

    def __hash__(self) -> int:
        return hash((self.seats, self.map.id))

    def json(self) -> dict[str, Any]:
        """``cards`` gives each face its number and how many copies the deck has."""
        return {
            "seats": self.seats,
            "options": {name: value for name, value in self.options.items() if name != "map"},
            "map": self.map.json,
            "cards": {card.name: {"number": card.number, "copies": card.copies} for card in self.map.cards},
        }


class Founding:
    """A country's founding: which country, by whom, as the how-manieth (from 0), and in which round (FO8.1)."""

    __slots__ = ("country", "order", "round", "seat")

    def __init__(self, country: int, seat: int, order: int, number: int) -> None:
        self.country = country
        self.seat = seat
        self.order = order
        self.round = number

    def facts(self) -> tuple[int, int, int, int]:
        """All of it as integers: country, seat, order, round."""
        return self.country, self.seat, self.order, self.round

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Founding) and self.facts() == other.facts()

    def __hash__(self) -> int:
        return hash(self.facts())


class BoardView:
    """The round, and what belongs to nobody and seldom changes."""

    __slots__ = (
        "end_trigger",
        "first",
        "foundings",
        "map",
        "passed_mask",
        "pool_pack",
        "reshuffles",
        "round",
        "stall",
        "stirred",
        "triggers_mask",
    )

    def __init__(self, state: FoederatiState) -> None:
        self.map: Map = state.board
        self.round: int = state.round
        """From 1; 0 in the initial placement."""
        self.first: int = state.first
        """The first player of this round."""
        self.foundings: tuple[Founding, ...] = tuple(state.foundings)
        """In their order; as many as markers were taken from the track."""
        self.passed_mask: int = state.passed
        """The seats that have passed since the last turn that was no pass, a bit for each (FO8.2)."""
        self.stall: int = state.stall
        """Whole rounds on end in which no supply fell and no country was founded."""
        self.stirred: bool = state.stirred
        """True if a supply fell or a country was founded in this round."""
        self.end_trigger: int = state.end_trigger
        """The trigger that ends the game after this round, 1 to 4; 0 while there was none (FO8.2)."""
        self.triggers_mask: int = state.triggers
        """All triggers that have occurred, bit ``trigger`` for each (FO10.51)."""
        self.reshuffles: int = state.reshuffles
        """How often the discards became the draw pile."""
        self.pool_pack: int = state.pool
        """The cards of the draw pile when it was last shuffled; before the first reshuffle, the whole deck."""

    def facts(self) -> tuple[Any, ...]:
        """All of it as integers and tuples of them."""
        return (
            self.round,
            self.first,
            self.passed_mask,
            self.stall,
            self.stirred,
            self.end_trigger,
            self.triggers_mask,
            self.reshuffles,
            self.pool_pack,
            tuple([founding.facts() for founding in self.foundings]),
        )

    def __eq__(self, other: object) -> bool:
        return self is other or (isinstance(other, BoardView) and self.facts() == other.facts())

    def __hash__(self) -> int:
        return hash(self.facts())

    def json(self) -> dict[str, Any]:
        names = self.map.countries
        return {
            "round": self.round,
            "first": self.first,
            "founded": {
                names[each.country]: {"seat": each.seat, "order": each.order, "round": each.round}
                for each in self.foundings
            },
            "passed": seats_of(self.passed_mask),
            "stall": self.stall,
            "stirred": self.stirred,
            "end_trigger": self.end_trigger or None,
            "triggers": seats_of(self.triggers_mask),
            "reshuffles": self.reshuffles,
            "pool": self.map.names(self.pool_pack) if self.reshuffles else None,
        }


class TurnView:
    """The turn that runs, the battle in it, and the piles."""

    __slots__ = (
        "acted",
        "active",
        "attack",
        "attacked_mask",
        "defence",
        "defender",
        "discard_pack",
        "map",
        "moved_mask",
        "moved_once",
        "pile",
        "played_cards",
        "target",
        "used",
    )

    def __init__(self, state: FoederatiState) -> None:
        self.map: Map = state.board
        self.active: int = state.active
        """Whose turn it is; in the placement, who places; with the question ``first`` and after the end -1."""
        self.used: int = state.used
        """How often this turn has expanded or attacked."""
        self.moved_once: bool = state.moved_once
        """True if this turn has migrated or exchanged."""
        self.moved_mask: int = state.moved
        """The squares on which shields stand that have moved in this turn."""
        self.acted: bool = state.acted
        """True if this turn has done anything, so that it can end and not pass."""
        self.attacked_mask: int = state.attacked
        """The seats attacked in this turn, a bit for each: they refill their hands when it ends."""
        self.discard_pack: int = state.discard
        self.pile: int = len(state.pile)
        """Cards in the draw pile."""
        self.target: int = state.target
        """The square that is attacked; -1 without a battle."""
        self.defender: int = state.defender
        """Its owner; -1 without a battle."""
        self.attack: int = state.attack
        """The attacker's strength A, cards included."""
        self.defence: int = state.defence
        """The defender's strength D, cards included."""
        self.played_cards: tuple[tuple[int, int], ...] = tuple(state.played)
        """The cards of the battle, each with the seat that played it, in order: (seat, face)."""

    def facts(self) -> tuple[Any, ...]:
        """All of it as integers and tuples of them."""
        return (
            self.active,
            self.used,
            self.moved_once,
            self.moved_mask,
            self.acted,
            self.attacked_mask,
            self.discard_pack,
            self.pile,
            self.target,
            self.defender,
            self.attack,
            self.defence,
            self.played_cards,
        )

    def __eq__(self, other: object) -> bool:
        return self is other or (isinstance(other, TurnView) and self.facts() == other.facts())

    def __hash__(self) -> int:
        return hash(self.facts())

    def json(self) -> dict[str, Any]:
        return {
            "active": self.active if self.active >= 0 else None,
            "used": self.used,
            "moved_once": self.moved_once,
            "moved": squares.names(self.moved_mask),
            "acted": self.acted,
            "attacked": seats_of(self.attacked_mask),
            "battle": self._battle(),
            "discard": self.map.names(self.discard_pack),
            "pile": self.pile,
        }

    def _battle(self) -> dict[str, Any] | None:
        if self.target < 0:
            return None
        return {
            "target": squares.name(self.target),
            "attacker": self.active,
            "defender": self.defender,
            "attack": self.attack,
            "defence": self.defence,
            "played": [{"seat": seat, "card": self.map.card_name(face)} for seat, face in self.played_cards],
        }


class SeatView:
    """What everybody knows of one seat."""

    __slots__ = ("hand_size", "lost", "map", "position", "seat", "shields_mask", "since", "supply")

    def __init__(self, state: FoederatiState, seat: int) -> None:
        self.map: Map = state.board
        self.seat: int = seat
        self.position: int = state.positions[seat]
        """The space on the score track, which is the score."""
        self.supply: int = state.supply[seat]
        self.lost: int = state.lost[seat]
        """Shields that are out of the game."""
        self.shields_mask: int = state.shields[seat]
        """The squares of its shields."""
        self.hand_size: int = state.hands[seat] % 255
        self.since: tuple[int, ...] = tuple(state.since[seat])
        """What the seat did with cards since the last reshuffle: a face it put down, or minus the number it drew.

        Empty before the first reshuffle.  With ``pool_pack`` it tells which cards the seat can have.
        """

    @property
    def shields(self) -> tuple[int, ...]:
        """The squares of its shields, ascending."""
        return squares.listed(self.shields_mask)

    def facts(self) -> tuple[Any, ...]:
        """All of it as integers and a tuple of them."""
        return self.seat, self.position, self.supply, self.lost, self.shields_mask, self.hand_size, self.since

    def __eq__(self, other: object) -> bool:
        return self is other or (isinstance(other, SeatView) and self.facts() == other.facts())

    def __hash__(self) -> int:
        return hash(self.facts())

    def json(self) -> dict[str, Any]:
        return {
            "seat": self.seat,
            "position": self.position,
            "supply": self.supply,
            "lost": self.lost,
            "shields": squares.names(self.shields_mask),
            "hand_size": self.hand_size,
            "since": [self.map.card_name(entry) if entry >= 0 else -entry for entry in self.since],
        }


class FoederatiObservation(Observation):
    """All that an audience may know; with the setup it is enough to choose by."""

    __slots__ = ("asked", "board", "hand_pack", "kept_pack", "kind", "seat", "seats", "setup", "turn")

    def __init__(
        self,
        setup: FoederatiSetup,
        board: BoardView,
        turn: TurnView,
        seats: tuple[SeatView, ...],
        seat: int,
        hand_pack: int,
        kept_pack: int,
        asked: int,
        kind: str,
    ) -> None:
        self.setup = setup
        self.board = board
        self.turn = turn
        self.seats = seats
        self.seat = seat
        self.hand_pack = hand_pack
        """The audience's own hand as a pack; 0 for the public."""
        self.kept_pack = kept_pack
        """The audience's own hand when the discards were last reshuffled, as a pack; 0 before and for the public."""
        self.asked = asked
        """The seat that is asked; -1 when the game is over."""
        self.kind = kind
        """The kind of its question (``question.KINDS``); empty when the game is over."""

    @property
    def hand(self) -> tuple[str, ...]:
        """The names of the audience's own cards, ascending by face."""
        return tuple(self.setup.map.names(self.hand_pack))

    @property
    def me(self) -> SeatView:
        """What everybody knows of the audience's own seat."""
        return self.seats[self.seat]

    @property
    def free_mask(self) -> int:
        """The squares on which no shield stands."""
        taken = 0
        for part in self.seats:
            taken |= part.shields_mask
        return squares.ALL & ~taken

    @property
    def founded_mask(self) -> int:
        """The squares of founded countries."""
        mask = 0
        for founding in self.board.foundings:
            mask |= self.setup.map.country_masks[founding.country]
        return mask

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, FoederatiObservation)
            and self.seat == other.seat
            and self.asked == other.asked
            and self.kind == other.kind
            and self.hand_pack == other.hand_pack
            and self.kept_pack == other.kept_pack
            and self.turn == other.turn
            and self.board == other.board
            and self.seats == other.seats
            and self.setup == other.setup
        )

    def __hash__(self) -> int:
        return hash((self.seat, self.hand_pack, self.turn, self.seats))

    def json(self) -> dict[str, Any]:
        names = self.setup.map.names
        return {
            "seat": self.seat if self.seat != PUBLIC else None,
            "question": {"seat": self.asked if self.asked >= 0 else None, "kind": self.kind},
            "board": self.board.json(),
            "turn": self.turn.json(),
            "hand": names(self.hand_pack),
            "kept": names(self.kept_pack),
            "seats": [part.json() for part in self.seats],
        }


def seats_of(mask: int) -> list[int]:
    """The numbers of the bits of a mask of seats or triggers, ascending."""
    return [number for number in range(mask.bit_length()) if mask >> number & 1]


def observation(state: FoederatiState, audience: int) -> FoederatiObservation:
    """What ``audience`` may know, from the parts that are kept and those that changed."""
    board = state._board
    if board is None:
        board = state._board = BoardView(state)
    turn = state._turn
    if turn is None:
        turn = state._turn = TurnView(state)
    parts = state._seats
    for seat, part in enumerate(parts):
        if part is None:
            parts[seat] = SeatView(state, seat)
    return FoederatiObservation(
        state.rules.facts,
        board,
        turn,
        tuple(parts),  # type: ignore[arg-type]
        audience,
        state.hands[audience] if audience >= 0 else 0,
        state.kept[audience] if audience >= 0 else 0,
        state.seat,
        state.kind,
    )


__all__ = [
    "BoardView", "FoederatiObservation", "FoederatiSetup", "Founding", "SeatView", "TurnView", "observation",
    "question", "seats_of",
]  # fmt: skip
