"""Other states in the place of the true one, for ``conformance``: whoever cannot tell them apart is to see the same.

One is imagined by the game for a seat.  Another is the true one after another answer of a seat, which those who are not
to know the answer cannot tell from the true answer.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Final

from rivalry_engine.chance import Stream
from rivalry_engine.event import Seen, seen
from rivalry_engine.game import PUBLIC, Action, Game, Observation, State

Holds = Callable[[bool, str], None]
"""Raises for a promise that is not kept: whether it holds, and the promise in words."""

ANSWERS: Final = 3
"""So many other answers of a seat are tried at one decision."""


def imagined(holds: Holds, game: Game, state: State, seat: int, rng: Stream, *, closely: bool) -> State:
    """A state imagined for ``seat``, checked against the true one; if ``closely``, its position as well."""
    observation = state.observe(seat)
    other = game.imagine(seat, observation, rng)
    holds(isinstance(other, State), f"imagine gives a state; it gave {other!r:.80}")
    holds(other.log is None, "an imagined state has no log")
    holds(other.observe(seat) == observation, "an imagined state looks the same to its seat")
    _asks_the_same(holds, state, other, seat, "an imagined state")
    holds(other.observe(PUBLIC) == state.observe(PUBLIC), "an imagined state is the same to those without a seat")
    holds(other.setup().json() == state.setup().json(), "an imagined state has the same setup")
    if closely and game.has_positions:
        again = game.state_at(other.position())
        which = "the state of an imagined state's position"
        holds(again.observe(seat) == observation, f"{which} looks the same to the seat")
        _asks_the_same(holds, state, again, seat, which)
    return other


def _asks_the_same(holds: Holds, state: State, other: State, seat: int, which: str) -> None:
    holds(tuple(other.movers()) == tuple(state.movers()), f"{which} asks the same seats")
    if seat in state.movers():
        holds(other.question(seat) == state.question(seat), f"{which} asks the seat the same question")
        holds(list(other.choices(seat)) == list(state.choices(seat)), f"{which} offers the same choices")


def check_told(holds: Holds, state: State, other: State, seat: int, answered: Sequence[tuple[int, Action]]) -> None:
    """What ``seat`` and the public are told of the ``answered`` actions is the same in a state imagined for it.

    That is, as long as they go on observing the same there and the actions can be done.  Where no seat could tell the
    two states apart they differ in chance alone, as in dice that are yet to be thrown.
    """
    if all(state.observe(each) == other.observe(each) for each in range(state.game.seats)):
        return
    true, other = state.clone(), other.clone()
    for mover, action in answered:
        if other.objection(mover, action) is not None:
            return
        _compare(holds, (true, action), (other, action), mover, (seat, PUBLIC))


def check_hidden(holds: Holds, state: State, answered: Sequence[tuple[int, Action]]) -> None:
    """Whoever cannot tell another answer of a seat from that of ``answered`` is told the same of both.

    Answers that come to the same, as where nothing becomes of either, hide nothing.
    """
    came = _seen_after(state, answered)
    for at, (seat, action) in enumerate(answered):
        audiences = [audience for audience in (PUBLIC, *range(state.game.seats)) if audience != seat]
        others = [each.action for each in state.choices(seat) if each.action != action]
        for another in others[:ANSWERS]:
            if _seen_after(state, (*answered[:at], (seat, another), *answered[at + 1 :])) != came:
                _compare(holds, (state.clone(), action), (state.clone(), another), seat, audiences)


def _seen_after(state: State, answered: Sequence[tuple[int, Action]]) -> list[Observation]:
    """What each seat observes when all who are asked at once have answered."""
    twin = state.clone()
    for seat, action in answered:
        twin.apply(seat, action)
    return [twin.observe(seat) for seat in range(state.game.seats)]


def _compare(
    holds: Holds, one: tuple[State, Action], other: tuple[State, Action], mover: int, audiences: Iterable[int]
) -> None:
    """Does an action in each of two states; to those of ``audiences`` that observed the same before and observe the
    same after it, the same has been told.  Who is asked and the scores, which a match tells in the end, are the same.
    """
    alike = [audience for audience in audiences if one[0].observe(audience) == other[0].observe(audience)]
    logs = []
    for state, action in (one, other):
        state.log = []
        state.apply(mover, action)
        logs.append(state.log)
        state.log = None
    if (one[0].movers(), one[0].scores()) != (other[0].movers(), other[0].scores()):
        return
    for audience in alike:
        if one[0].observe(audience) == other[0].observe(audience):
            first, second = ([seen(event, audience) for event in log] for log in logs)
            holds(first == second, _told(audience, first, second))


def _told(audience: int, first: Sequence[Seen], second: Sequence[Seen]) -> str:
    kinds = [event.kind for event in (*first, *second) if event not in first or event not in second]
    who = "everybody is" if audience == PUBLIC else f"seat {audience} is"
    what = f"the event {kinds[0]}" if kinds else "the order of the events"
    return (
        f"what {who} told of a step follows from what is observed before and after it; {what} does not: it tells what"
        " is hidden, or the observation leaves out what was shown"
    )
