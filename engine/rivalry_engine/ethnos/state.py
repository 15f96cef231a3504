"""One playing of Ethnos: its attributes, and the questions it answers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final

from rivalry_engine.ethnos import ages, bands, choices, legal, powers, scoring, sight, turn
from rivalry_engine.ethnos.actions import (
    ADVANCE,
    BAND,
    DRAW,
    DRAW_CARDS,
    EMPTY,
    HORDE,
    KEEP,
    MARK,
    PACK_SHIFT,
    PASS,
    STOP,
    SWAP,
    TAKE,
    TOKEN,
    target,
)
from rivalry_engine.ethnos.ages import SEVERAL
from rivalry_engine.ethnos.cards import COLOUR_FIELDS, TRIBE_FIELDS, faces
from rivalry_engine.ethnos.data import COLOURS, RACCOONS, SKELETONS
from rivalry_engine.ethnos.edition import COINS, Edition, Figures
from rivalry_engine.ethnos.extra import NO_COINS, NOTHING, Extra
from rivalry_engine.event import Event
from rivalry_engine.game import PUBLIC, Choice, Objection, State

if TYPE_CHECKING:
    from rivalry_engine.ethnos.game import Ethnos
    from rivalry_engine.ethnos.sight import BoardView, EthnosObservation, EthnosSetup, SeatView

NOBODY: Final = -1
_MOVERS: Final[list[tuple[int, ...] | None]] = [(0,), (1,), (2,), (3,), (4,), (5,), None, ()]
"""By the seat asked; SEVERAL, the last but one, depends on the boards."""


class EthnosState(State):
    """The rules' whole position.

    Whoever sets attributes from outside calls ``settle`` afterwards; it derives those that begin with an underscore,
    and ``faces``.
    """

    __slots__ = (
        "_board",
        "_colour_fields",
        "_seats",
        "_setup",
        "_tribe_fields",
        "age",
        "answers",
        "bands",
        "bonus",
        "deck",
        "dragons",
        "drawer",
        "edition",
        "extra",
        "faces",
        "fairies",
        "figures",
        "first",
        "game",
        "giant",
        "glory",
        "hands",
        "hordes",
        "kind",
        "known",
        "markers",
        "merfolk",
        "row",
        "rules",
        "safe",
        "seat",
        "seed",
        "supply",
        "tokens",
        "tribes",
        "trolls",
    )

    rules: Ethnos
    """The game, by its own type."""
    figures: Figures
    """What the rules ask for by edition, seats and options: the game's, at hand."""
    edition: Edition
    fairies: bool
    """True if Fairies may come (E7): the game's, at hand."""
    seed: bytes
    """All chance to come follows from it and the Age; no counter is needed."""
    tribes: tuple[int, ...]
    """The types of the Tribes in play, ascending (E2.2)."""
    tokens: tuple[tuple[int, ...], ...]
    """By Kingdom (index colour - 1), its Glory tokens from I up (E2.1)."""

    age: int
    """From 1."""
    first: int
    """The first player of this Age (E3.3)."""
    seat: int
    """The seat asked now; NOBODY when the game is over, SEVERAL when all owners of Orc boards are asked (N3.6)."""
    kind: str
    """The kind of the question open to ``seat``; empty when the game is over.

    A question about a Band is about the last one in ``bands[seat]``.  ``empty`` is asked clockwise from ``drawer``:
    the owners of Orc boards after ``seat`` are still to come.
    """
    bonus: int
    """With the question ``bonus``: how many Merfolk symbols are still to be asked for, this one included; else 0."""

    answers: tuple[tuple[int, int], ...]
    """While several are asked: seat and flag of each answer that is in; nobody is shown any of it (N3.6)."""

    deck: list[int]
    """Card numbers, Dragons among them, the top card last; empty while ``empty`` is asked and when the game is over."""
    safe: int
    """How many cards from the top are certain to be no Dragons: what is left of the top half (E3.2)."""
    dragons: int
    """Dragons out in this Age."""
    drawer: int
    """Who drew the Dragon that ended this Age; NOBODY while it runs."""
    row: int
    """The face-up cards as a pack."""
    faces: list[int]
    """The different cards of ``row``, ascending: derived."""

    hands: list[int]
    """By seat, the hand as a pack (``cards``)."""
    known: list[int]
    """By seat, the part of the hand that everybody knows, as a pack (E4.9)."""
    bands: list[list[int]]
    """By seat, this Age's Bands in the order played, each Leader | pack << 8; without Skeletons once they left."""
    glory: list[int]
    """By seat, the score."""
    supply: list[int]
    """By seat, markers that can still be placed (E1.6, E5.10)."""
    markers: list[int]
    """Markers in the Kingdoms, at index 6 * seat + colour - 1."""
    merfolk: list[int]
    """By seat, the space on the Merfolk board, 0 to 18; 0 when Merfolk are not in play."""
    hordes: list[int]
    """By seat, the Orc board: bit ``colour`` is set where a marker stands."""
    trolls: list[int]
    """By seat, the Troll tokens held: bit ``value`` is set."""
    giant: int
    """The holder of the Giant token, or NOBODY."""
    extra: Extra
    """Coins, and what Fairies need to know."""

    _tribe_fields: tuple[int, ...]
    _colour_fields: tuple[int, ...]
    _setup: EthnosSetup | None
    _board: BoardView | None
    _seats: list[SeatView | None]

    def __init__(self, game: Ethnos) -> None:
        """A state without attributes yet: the factory of ``begin``, ``clone``, ``imagine`` and positions."""
        self.game = game
        self.rules = game
        self.figures = game.figures
        self.edition = game.edition
        self.fairies = game.fairies
        self.log: list[Event] | None = None

    def begin(self, seed: bytes) -> None:
        """Sets up the game and deals the first Age."""
        seats = self.game.seats
        self.seed = seed
        ages.set_up(self)
        self.age = 0
        self.drawer = NOBODY
        self.bonus = 0
        self.hands = [0] * seats
        self.known = [0] * seats
        self.bands = [[] for _ in range(seats)]
        self.glory = [0] * seats
        self.supply = [self.rules.supply(self.tribes)] * seats
        self.markers = [0] * (6 * seats)
        self.merfolk = [0] * seats
        self.hordes = [0] * seats
        self.trolls = [0] * seats
        self.giant = NOBODY
        self.answers = ()
        self.extra = Extra(NO_COINS, len(COINS)) if RACCOONS in self.tribes else NOTHING
        self.first = ages.first_of_the_game(self)
        ages.begin(self)

    def settle(self) -> None:
        """Derives what follows from the other attributes."""
        self.faces = faces(self.row)
        self._tribe_fields = tuple([TRIBE_FIELDS[tribe] for tribe in self.tribes if tribe != SKELETONS])
        self._colour_fields = tuple([COLOUR_FIELDS[colour] for colour in COLOURS])
        self._setup = None
        self._board = None
        self._seats = [None] * self.game.seats

    def movers(self) -> Sequence[int]:
        movers = _MOVERS[self.seat]
        if movers is not None:
            return movers
        answered = [seat for seat, _ in self.answers]
        return tuple([seat for seat in self.owners() if seat not in answered])

    def owners(self) -> tuple[int, ...]:
        """The seats with a marker on their Orc board."""
        return tuple([seat for seat, horde in enumerate(self.hordes) if horde])

    def is_asked(self, seat: int) -> bool:
        """True if a question is open to ``seat``."""
        return seat in self.movers()

    def question(self, seat: int) -> str:
        return self.kind if seat == self.seat or self.is_asked(seat) else ""

    def choices(self, seat: int) -> Sequence[Choice]:
        return choices.offered(self) if seat == self.seat or self.is_asked(seat) else ()

    def legal_actions(self, seat: int) -> Sequence[int]:
        return bands.spelled_out(choices.offered(self)) if seat == self.seat or self.is_asked(seat) else ()

    def objection(self, seat: int, action: int) -> Objection | None:
        return legal.objection(self, seat, action)

    def apply(self, seat: int, action: int) -> None:
        verb = action & 15
        if verb == TAKE:
            turn.take(self, seat, action >> 4)
        elif verb == BAND:
            powers.lay_down(self, seat, action >> 4)
        elif verb == MARK:
            powers.mark(self, seat, action >> 4)
        elif verb == DRAW:
            turn.recruit(self, seat)
        elif verb == ADVANCE:
            powers.advance(self, seat, action >> 4)
        elif verb == HORDE:
            powers.horde(self, seat, action >> 4)
        elif verb == TOKEN:
            powers.token(self, seat, action >> 4)
        elif verb == KEEP:
            powers.keep(self, seat, action >> PACK_SHIFT)
        elif verb == DRAW_CARDS:
            powers.draw(self, seat, action >> 4)
        elif verb == STOP:
            powers.stop(self, seat)
        elif verb == SWAP:
            powers.target(self, seat, *target(action))
        elif verb == EMPTY:
            ages.empty(self, seat, action >> 4)
        else:
            assert verb == PASS, action
            turn.forced_pass(self, seat)

    def setup(self) -> EthnosSetup:
        return sight.setup(self)

    def observe(self, audience: int) -> EthnosObservation:
        return sight.observation(self, audience)

    def scores(self) -> tuple[int, ...]:
        return tuple(self.glory)

    def ranks(self) -> tuple[int, ...]:
        return scoring.ranks(self)

    def clone(self) -> EthnosState:
        other = EthnosState(self.rules)
        other.seed = self.seed
        other.tribes = self.tribes
        other.tokens = self.tokens
        other.age = self.age
        other.first = self.first
        other.seat = self.seat
        other.kind = self.kind
        other.bonus = self.bonus
        other.deck = self.deck[:]
        other.safe = self.safe
        other.dragons = self.dragons
        other.drawer = self.drawer
        other.row = self.row
        other.faces = self.faces[:]
        other.hands = self.hands[:]
        other.known = self.known[:]
        other.bands = [played[:] for played in self.bands]
        other.glory = self.glory[:]
        other.supply = self.supply[:]
        other.markers = self.markers[:]
        other.merfolk = self.merfolk[:]
        other.hordes = self.hordes[:]
        other.trolls = self.trolls[:]
        other.giant = self.giant
        other.answers = self.answers
        other.extra = self.extra
        other._tribe_fields = self._tribe_fields
        other._colour_fields = self._colour_fields
        other._setup = self._setup
        other._board = self._board
        other._seats = self._seats[:]
        return other

    def position(self) -> dict[str, Any]:
        from rivalry_engine.ethnos import position

        return position.written(self)


__all__ = ["NOBODY", "PUBLIC", "SEVERAL", "EthnosState"]
