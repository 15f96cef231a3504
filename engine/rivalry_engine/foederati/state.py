"""One playing of Foederati: its attributes, and the questions it answers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final

from rivalry_engine.event import Event
from rivalry_engine.foederati import battle, choices, founding, groups, legal, moves, rounds, sight, squares, turn
from rivalry_engine.foederati.actions import (
    ATTACK,
    CHOOSE_FIRST,
    END_TURN,
    EXCHANGE,
    EXPAND,
    MIGRATE,
    PACK_SHIFT,
    PASS,
    PLACE,
    REINFORCE,
    SAIL,
    YIELD,
)
from rivalry_engine.foederati.groups import Group
from rivalry_engine.foederati.hands import Hand
from rivalry_engine.foederati.maps import Map
from rivalry_engine.foederati.sight import BoardView, FoederatiObservation, FoederatiSetup, Founding, SeatView, TurnView
from rivalry_engine.game import Choice, Objection, State, ranked

if TYPE_CHECKING:
    from rivalry_engine.foederati.game import Foederati

NOBODY: Final = -1
_MOVERS: Final[list[tuple[int, ...]]] = [(0,), (1,), (2,), (3,), (4,), ()]


class FoederatiState(State):
    """The rules' whole position.

    Whoever sets attributes from outside calls ``settle`` afterwards; it derives those that begin with an underscore,
    and ``free``, ``groups``, ``founded``, ``founded_land`` and ``laid_out``.
    """

    __slots__ = (
        "_board",
        "_seats",
        "_turn",
        "acted",
        "active",
        "attack",
        "attacked",
        "board",
        "defence",
        "defender",
        "discard",
        "end_trigger",
        "first",
        "founded",
        "founded_land",
        "foundings",
        "free",
        "game",
        "groups",
        "hands",
        "kept",
        "kind",
        "laid_out",
        "lost",
        "moved",
        "moved_once",
        "passed",
        "pile",
        "played",
        "pool",
        "positions",
        "reshuffles",
        "round",
        "rules",
        "seat",
        "seed",
        "shields",
        "since",
        "stall",
        "stirred",
        "supply",
        "target",
        "triggers",
        "used",
    )

    rules: Foederati
    """The game, by its own type."""
    board: Map
    seed: bytes
    """All chance to come follows from it and the number of reshuffles; no counter is needed."""

    kind: str
    """The kind of the question open to ``seat``; empty when the game is over."""
    seat: int
    """The seat asked now; NOBODY when the game is over."""
    active: int
    """Whose turn it is; NOBODY with the question ``first`` and when the game is over."""
    round: int
    """From 1; 0 in the initial placement."""
    first: int
    """The first player of this round."""

    foundings: list[Founding]
    """In their order."""
    passed: int
    """The seats that have passed since the last turn that was no pass, as a mask (FO8.2)."""
    stall: int
    """Whole rounds on end in which no supply fell and no country was founded."""
    stirred: bool
    """True if a supply fell or a country was founded in this round."""
    end_trigger: int
    """The first trigger that occurred, 1 to 4, or 0 (FO8.2)."""
    triggers: int
    """All that occurred, bit ``trigger`` for each."""

    used: int
    """How often this turn has expanded or attacked."""
    moved_once: bool
    """True if this turn has migrated or exchanged."""
    moved: int
    """The squares on which shields stand that have moved in this turn."""
    acted: bool
    """True if this turn has done anything."""
    attacked: int
    """The seats attacked in this turn, as a mask."""

    target: int
    """The square that is attacked by ``active``; NOBODY without a battle."""
    defender: int
    attack: int
    defence: int
    """The strengths A and D, cards included."""
    played: list[tuple[int, int]]
    """The cards of the battle, in order: (seat, face)."""

    pile: list[int]
    """The faces of the draw pile, the top card last."""
    discard: int
    """The discard pile as a pack."""
    reshuffles: int
    pool: int
    """The draw pile when it was last shuffled, as a pack; the whole deck before the first reshuffle."""
    hands: list[int]
    """By seat, the hand as a pack."""
    kept: list[int]
    """By seat, the hand at the last reshuffle, as a pack; 0 before."""
    since: list[list[int]]
    """By seat, since the last reshuffle: a face it put down, or minus the number it drew; empty before."""

    positions: list[int]
    """By seat, the space on the score track."""
    supply: list[int]
    lost: list[int]
    """By seat, shields out of the game."""
    shields: list[int]
    """By seat, the squares of its shields, as a mask."""

    free: int
    """The squares without a shield: derived."""
    groups: list[list[Group]]
    """By seat, the connected groups of its shields, by their first squares: derived."""
    founded: int
    """The founded countries, a bit for each: derived."""
    founded_land: int
    """The squares of the founded countries: derived."""
    laid_out: list[Hand | None]
    """By seat, the hand laid out; None where nobody asked yet: derived."""

    _board: BoardView | None
    _turn: TurnView | None
    _seats: list[SeatView | None]

    def __init__(self, game: Foederati) -> None:
        """A state without attributes yet: the factory of ``begin``, ``clone``, ``imagine`` and positions."""
        self.game = game
        self.rules = game
        self.board = game.board
        self.log: list[Event] | None = None

    def begin(self, seed: bytes) -> None:
        """Sets up the game and deals the hands (FO5)."""
        rounds.set_up(self, seed)
        self.settle()

    def settle(self) -> None:
        """Derives what follows from the other attributes."""
        taken = 0
        for mask in self.shields:
            taken |= mask
        self.free = squares.ALL & ~taken
        self.groups = [groups.of(mask) for mask in self.shields]
        self.founded = founding.mask_of(self.foundings)
        self.founded_land = 0
        for each in self.foundings:
            self.founded_land |= self.board.country_masks[each.country]
        self.laid_out = [None] * len(self.hands)
        self._board = None
        self._turn = None
        self._seats = [None] * len(self.hands)

    def hand_of(self, seat: int) -> Hand:
        """A hand, laid out."""
        found = self.laid_out[seat]
        if found is None:
            found = self.laid_out[seat] = Hand(self.board, self.hands[seat])
        return found

    def movers(self) -> Sequence[int]:
        return _MOVERS[self.seat]

    def question(self, seat: int) -> str:
        return self.kind if seat == self.seat else ""

    def choices(self, seat: int) -> Sequence[Choice]:
        return choices.offered(self) if seat == self.seat and seat >= 0 else ()

    def legal_actions(self, seat: int) -> Sequence[int]:
        return choices.spelled_out(choices.offered(self)) if seat == self.seat and seat >= 0 else ()

    def objection(self, seat: int, action: int) -> Objection | None:
        return legal.objection(self, seat, action)

    def apply(self, seat: int, action: int) -> None:
        verb = action & 15
        self._turn = None
        if verb == EXPAND:
            turn.expand(self, seat, action >> 11 & 127, action >> 4 & 127)
        elif verb in (SAIL, MIGRATE):
            moves.move(self, seat, action >> 11 & 127, action >> 4 & 127)
        elif verb == END_TURN:
            turn.end(self, seat)
        elif verb == EXCHANGE:
            turn.exchange(self, seat, action >> PACK_SHIFT)
        elif verb == ATTACK:
            battle.attack(self, seat, action >> 4 & 127, action >> PACK_SHIFT)
        elif verb == REINFORCE:
            battle.reinforce(self, seat, action >> PACK_SHIFT)
        elif verb == YIELD:
            battle.give_way(self, seat)
        elif verb == PASS:
            turn.forgo(self, seat)
        elif verb == PLACE:
            rounds.place(self, seat, action >> 4 & 127)
        else:
            assert verb == CHOOSE_FIRST, action
            rounds.choose_first(self, seat, action >> 11 & 127)

    def setup(self) -> FoederatiSetup:
        return self.rules.facts

    def observe(self, audience: int) -> FoederatiObservation:
        return sight.observation(self, audience)

    def scores(self) -> tuple[int, ...]:
        return tuple(self.positions)

    def ranks(self) -> tuple[int, ...]:
        """By position; positions differ, and so do ranks (FO8.4, FO10.74)."""
        return ranked(self.positions)

    def clone(self) -> FoederatiState:
        other = FoederatiState(self.rules)
        other.seed = self.seed
        other.kind = self.kind
        other.seat = self.seat
        other.active = self.active
        other.round = self.round
        other.first = self.first
        other.foundings = self.foundings[:]
        other.passed = self.passed
        other.stall = self.stall
        other.stirred = self.stirred
        other.end_trigger = self.end_trigger
        other.triggers = self.triggers
        other.used = self.used
        other.moved_once = self.moved_once
        other.moved = self.moved
        other.acted = self.acted
        other.attacked = self.attacked
        other.target = self.target
        other.defender = self.defender
        other.attack = self.attack
        other.defence = self.defence
        other.played = self.played[:]
        other.pile = self.pile[:]
        other.discard = self.discard
        other.reshuffles = self.reshuffles
        other.pool = self.pool
        other.hands = self.hands[:]
        other.kept = self.kept[:]
        other.since = [entries[:] for entries in self.since]
        other.positions = self.positions[:]
        other.supply = self.supply[:]
        other.lost = self.lost[:]
        other.shields = self.shields[:]
        other.free = self.free
        other.groups = [found[:] for found in self.groups]
        other.founded = self.founded
        other.founded_land = self.founded_land
        other.laid_out = self.laid_out[:]
        other._board = self._board
        other._turn = self._turn
        other._seats = self._seats[:]
        return other

    def position(self) -> dict[str, Any]:
        from rivalry_engine.foederati import position

        return position.written(self)
