"""What a game gives to a match, held against what it may give.

What would do harm in silence is looked at here, where it is read, and as quickly as can be.  Whatever else is malformed
fails where it is used; ``amiss`` then finds out what it was.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Final

from rivalry_engine import prompt
from rivalry_engine.error import NotationError, RivalryError
from rivalry_engine.game import Action, Choice, Objection, Observation, View
from rivalry_engine.prompt import Answer, shown

if TYPE_CHECKING:
    from rivalry_engine.game import Game, State

LEAST: Final = -(1 << 63)
MOST: Final = (1 << 63) - 1
"""The scores that a message can hold."""
CHOICES: Final = {Choice}


class BrokenGameError(RivalryError):
    """The game did what no game may do."""


def unlike(asked: str, given: object, expected: str) -> str:
    """What came of something asked of a game, and what was expected."""
    return f"{asked} gave {shown(given)}; expected {expected}"


def is_text(value: object) -> bool:
    """True for a text that can be encoded."""
    try:
        return isinstance(value, str) and bool(value.encode() or True)
    except UnicodeEncodeError:
        return False


def is_integer(value: object) -> bool:
    """True for an integer, which a truth value is not."""
    return isinstance(value, int) and not isinstance(value, bool)


def movers(state: State) -> tuple[int, ...]:
    """The seats that are asked now, of which one that came twice would never be done; raises BrokenGameError."""
    given = tuple(state.movers())
    seats = state.game.seats
    if len(given) == 1 and type(given[0]) is int and 0 <= given[0] < seats:  # nearly always
        return given
    if not are_seats(given, seats):
        raise BrokenGameError(unlike("movers()", given, seats_expected(seats)))
    return given


def are_seats(given: Sequence[object], seats: int) -> bool:
    """True for seats in ascending order."""
    before = -1
    for seat in given:
        if not isinstance(seat, int) or isinstance(seat, bool) or not before < seat < seats:
            return False
        before = seat
    return True


def seats_expected(seats: int) -> str:
    """What movers are, in words."""
    return f"seats from 0 to {seats - 1}, ascending, none twice"


def choices(state: State, seat: int) -> tuple[Choice, ...]:
    """What the seat is offered; raises BrokenGameError where that is nothing, or something else than choices.

    Whether the game would object to one of them is not asked: that takes a tenth as long as the whole decision.  The
    conformance check asks it.
    """
    given = tuple(state.choices(seat))
    if not given:
        raise BrokenGameError(f"it asks seat {seat} and offers no choice")
    if set(map(type, given)) != CHOICES and not all(isinstance(choice, Choice) for choice in given):
        raise BrokenGameError(unlike(f"choices({seat})", given, "a tuple of Choice"))
    return given


def check_prompt(seat: int, kind: object, observation: object) -> None:
    """Raises BrokenGameError for a question or an observation that a bot could only stumble over."""
    if not isinstance(kind, str):
        raise BrokenGameError(unlike(f"question({seat})", kind, "a text"))
    if not isinstance(observation, Observation):
        raise BrokenGameError(unlike(f"observe({seat})", observation, "an Observation"))


def setup(state: State) -> View:
    """What is public for the whole match; raises BrokenGameError."""
    given = state.setup()
    if not isinstance(given, View):
        raise BrokenGameError(unlike("setup()", given, "a View"))
    return given


def judged(state: State, seat: int, offered: Sequence[Choice], answer: Answer) -> Action | Objection:
    """What an answer means, as ``rivalry_engine.prompt.judged`` says; raises BrokenGameError where that is neither an
    action nor an objection.
    """
    verdict = prompt.judged(state, seat, offered, answer)
    if isinstance(verdict, Objection):
        _check_objection(state, seat, offered, answer=answer, objection=verdict)
    elif type(verdict) is not int and not is_integer(verdict):
        raise BrokenGameError(f"it made {shown(verdict)} of an answer of seat {seat}; expected an integer, the action")
    return verdict


def _check_objection(
    state: State, seat: int, offered: Sequence[Choice], *, answer: Answer, objection: Objection
) -> None:
    """Raises BrokenGameError where the game objects to what it offers, or in what are no words."""
    if not is_text(objection.code) or not is_text(objection.text):
        raise BrokenGameError(f"it objected with {shown(objection)}; expected texts as code and text")
    answer = Answer.of(answer)
    action = answer.action
    if answer.text is not None:
        try:
            action = state.game.action(answer.text)
        except NotationError:
            return
    if action is not None:
        check_offer(state, seat, action, offered)


def check_offer(state: State, seat: int, action: Action, offered: Iterable[Choice]) -> None:
    """Raises BrokenGameError where ``action`` is one that the game offers and objects to."""
    if any(choice.action == action for choice in offered):
        objection = state.objection(seat, action)
        if objection is not None:
            raise BrokenGameError(
                f"it offers seat {seat} {shown(state.game.text(action))} and objects to it: {objection.text}"
                f" ({objection.code})"
            )


def scores(state: State) -> tuple[int, ...]:
    """The score of each seat; raises BrokenGameError."""
    given = state.scores()
    if not are_scores(given, state.game.seats):
        raise BrokenGameError(unlike("scores()", given, scores_expected(state.game.seats)))
    return tuple(given)


def are_scores(given: object, seats: int) -> bool:
    """True for an integer of 64 bits for each seat."""
    return (
        isinstance(given, tuple | list)
        and len(given) == seats
        and all(is_integer(score) and LEAST <= score <= MOST for score in given)
    )


def scores_expected(seats: int) -> str:
    """What scores are, in words."""
    return f"{seats} integers of 64 bits"


def ranks(state: State) -> tuple[int, ...]:
    """The rank of each seat; raises BrokenGameError."""
    given = state.ranks()
    if not are_ranks(given, state.game.seats):
        raise BrokenGameError(unlike("ranks()", given, ranks_expected(state.game.seats)))
    return tuple(given)


def are_ranks(given: object, seats: int) -> bool:
    """True for a rank for each seat, where equals share and the ranks after them are skipped."""
    return (
        isinstance(given, tuple | list)
        and len(given) == seats
        and all(is_integer(rank) and rank == 1 + sum(other < rank for other in given) for rank in given)
    )


def ranks_expected(seats: int) -> str:
    """What ranks are, in words."""
    return f"{seats} ranks from 1, where equals share and those after them are skipped, as 1, 1, 3"


def texts(game: Game, actions: Iterable[Action]) -> list[str]:
    """The notation of each action; raises BrokenGameError where it is no text."""
    actions = list(actions)
    given = [game.text(action) for action in actions]
    for action, text in zip(actions, given, strict=True):
        if not (type(text) is str and text.isascii()) and not is_text(text):
            raise BrokenGameError(unlike(f"text({action})", text, "a text"))
    return given


def text_or_number(game: Game) -> Callable[[Action], str]:
    """How an action is written whatever the game does: its notation, or its number where it has none."""

    def written(action: Action) -> str:
        try:
            return texts(game, (action,))[0]
        except BaseException as error:
            from rivalry_server.blame import game_s

            game_s(game, error)  # which raises what is not the game's
            return str(action)

    return written
