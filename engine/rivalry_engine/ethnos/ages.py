"""Setup, the deal of an Age, and its end (E2, E3, E8)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from rivalry_engine.chance import Stream
from rivalry_engine.ethnos import events, fairies, question, raccoons, scoring
from rivalry_engine.ethnos.cards import DRAGON, UNIT, deck_of, packed
from rivalry_engine.ethnos.data import (
    COLOURS,
    DRAGON_COPIES,
    FACE_UP_A_SEAT,
    FAIRIES,
    HORDE_GLORY,
    MERFOLK,
    TRIBES_IN_PLAY,
)
from rivalry_engine.ethnos.extra import NOTHING

if TYPE_CHECKING:
    from rivalry_engine.ethnos.state import EthnosState

SEVERAL: Final = -2
"""In place of a seat: several are asked at once."""


def set_up(state: EthnosState) -> None:
    """Draws the Tribes unless they are named, and deals the Glory tokens (E2.1, E2.2, N2.2, N2.6)."""
    game, seed = state.rules, state.seed
    if game.named_tribes:
        state.tribes = game.named_tribes
    else:
        boxed = [tribe for tribe in game.edition.tribe_words if tribe != FAIRIES or game.fairies]
        drawn = Stream(seed, "setup/tribes").sample(len(boxed), TRIBES_IN_PLAY[game.seats])
        state.tribes = tuple([boxed[place] for place in drawn])
    tokens = list(game.figures.glory_tokens)
    Stream(seed, "setup/tokens").shuffle(tokens)
    dealt = tokens[: 6 * game.figures.tokens_a_kingdom]
    state.tokens = tuple([tuple(sorted(dealt[kingdom::6])) for kingdom in range(6)])


def first_of_the_game(state: EthnosState) -> int:
    """The first player of the first Age (E3.3)."""
    return Stream(state.seed, "setup/first").below(state.game.seats)


def begin(state: EthnosState) -> None:
    """Deals the next Age to ``state.first``; what it deals follows from the seed and the Age alone (E3)."""
    seats = state.game.seats
    state.age += 1
    deck = deck_of(state.tribes)
    Stream(state.seed, f"age/{state.age}/deck").shuffle(deck)
    state.hands = [UNIT[deck.pop()] for _ in range(seats)]
    row = [deck.pop() for _ in range(FACE_UP_A_SEAT * seats)]
    state.row = packed(row)
    state.safe = (len(deck) + state.edition.odd_card_on_top) // 2
    bottom = len(deck) - state.safe + DRAGON_COPIES
    # The bottom half is in random order already: to shuffle Dragons into it is to draw their places.
    for place in Stream(state.seed, f"age/{state.age}/dragons").sample(bottom, DRAGON_COPIES):
        deck.insert(place, DRAGON)
    state.deck = deck
    state.dragons = 0
    state.drawer = -1
    state.known = [0] * seats
    state.seat = state.first
    state.kind = question.TURN
    state.settle()
    if state.log is not None:
        state.log.append(events.age_begun(state.age, state.first, state.row, deck=len(state.deck), hands=state.hands))


def end(state: EthnosState, drawer: int) -> None:
    """The last Dragon came to ``drawer``: hands go back, everything scores, Orc boards may be emptied (E8)."""
    seats = len(state.hands)
    state.drawer = drawer
    if state.extra.given:
        fairies.forget(state)
    state.hands = [0] * seats
    state.known = [0] * seats
    state.deck = []
    state.safe = 0
    state.row = 0
    if state.log is not None:
        state.log.append(events.age_ended(state.age, drawer))
    for colour in COLOURS:
        paid = scoring.kingdom(state, colour)
        _gain(state, paid)
        if state.log is not None:
            state.log.append(events.kingdom_scored(colour, paid))
    raccoons.leave(state)
    if MERFOLK in state.tribes:
        paid = scoring.merfolk(state)
        _gain(state, paid)
        if state.log is not None:
            state.log.append(events.merfolk_scored(paid))
    if state.giant >= 0:
        award = state.figures.giant_awards[state.age - 1]
        state.glory[state.giant] += award
        if state.log is not None:
            state.log.append(events.giant_scored(state.giant, award))
    state.bands = [[band & scoring.WITHOUT_SKELETONS for band in played] for played in state.bands]
    paid = tuple([sum([scoring.band_glory(band) for band in played]) for played in state.bands])
    _gain(state, paid)
    if state.log is not None:
        state.log.append(events.bands_scored(paid))
    state.settle()
    if state.age == state.figures.ages:
        for step in range(seats):
            owner = (drawer + step) % seats
            if state.hordes[owner]:
                _empty(state, owner)
        _finish(state)
    elif state.edition.is_simultaneous:
        _ask_all_owners(state)
    else:
        _ask_owners(state, 0)


def empty(state: EthnosState, seat: int, empties: int) -> None:
    """An Orc board is emptied or kept; then the next owner is asked (E9.7, E9.9)."""
    if state.seat == SEVERAL:
        _answer(state, seat, empties)
        return
    if empties:
        _empty(state, seat)
    elif state.log is not None:
        state.log.append(events.declined(seat, state.kind))
    _ask_owners(state, (seat - state.drawer) % len(state.hands) + 1)


def _ask_owners(state: EthnosState, step: int) -> None:
    """Asks the next owner of an Orc board with markers, from ``step`` seats after the drawer on; else goes on."""
    seats = len(state.hands)
    for place in range(step, seats):
        owner = (state.drawer + place) % seats
        if state.hordes[owner]:
            state.seat = owner
            state.kind = question.EMPTY
            return
    _finish(state)


def _ask_all_owners(state: EthnosState) -> None:
    """Asks all owners of Orc boards with markers at once; without any it goes on (N3.6)."""
    if any(state.hordes):
        state.seat = SEVERAL
        state.kind = question.EMPTY
    else:
        _finish(state)


def _answer(state: EthnosState, seat: int, empties: int) -> None:
    """Keeps an answer until the last is in; then all are told and paid together (N3.6)."""
    state.answers = (*state.answers, (seat, empties))
    if state.movers():
        return
    for owner, does in sorted(state.answers):
        if does:
            _empty(state, owner)
        elif state.log is not None:
            state.log.append(events.declined(owner, state.kind))
    state.answers = ()
    _finish(state)


def _empty(state: EthnosState, seat: int) -> None:
    markers = state.hordes[seat].bit_count()
    glory = HORDE_GLORY[markers]
    state.hordes[seat] = 0
    state.supply[seat] += markers
    state.glory[seat] += glory
    state._seats[seat] = None
    if state.log is not None:
        state.log.append(events.horde_emptied(seat, markers, glory))


def _finish(state: EthnosState) -> None:
    """Tokens return; the next Age begins, or the game is over, and then the Bands stay for the ranks (E8, E10)."""
    seats = len(state.hands)
    state.trolls = [0] * seats
    state.giant = -1
    if state.fairies:
        state.extra = NOTHING
    if state.age == state.figures.ages:
        state.seat = -1
        state.kind = question.OVER
        state.settle()
        if state.log is not None:
            state.log.append(events.game_ended(state.scores(), state.ranks()))
        return
    state.bands = [[] for _ in range(seats)]
    state.first = first_of_the_next(state.glory, state.drawer)
    begin(state)


def first_of_the_next(glory: list[int], drawer: int) -> int:
    """Who has least Glory; of several, the nearest clockwise to the drawer of the last Dragon, himself first (E3.3)."""
    seats = len(glory)
    least = min(glory)
    for step in range(seats):
        seat = (drawer + step) % seats
        if glory[seat] == least:
            return seat
    raise AssertionError("somebody has least")


def _gain(state: EthnosState, glory: tuple[int, ...]) -> None:
    for seat, amount in enumerate(glory):
        state.glory[seat] += amount
