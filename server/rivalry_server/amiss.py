"""Finds out whether a match failed because of something malformed that its game gives."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from rivalry_engine.event import Event, seen
from rivalry_engine.game import PUBLIC, Choice, Game, Observation, State, View
from rivalry_engine.prompt import shown
from rivalry_server import given
from rivalry_server.given import is_integer, is_text, unlike

A_TEXT: Final = "a text"


def found(game: Game, state: object, events: Sequence[object] = ()) -> str:
    """What of all that the game gives now is malformed, in words; empty where nothing is.

    It is asked once more for everything, so this is for a match that has failed.  What the game raises at that is no
    answer: whatever it raised before was put down to it already.
    """
    if not isinstance(state, State):
        return f"its first state is {shown(state)}; expected a State"
    for looked in (
        _movers(game, state),
        _prompts(game, state),
        _public(game, state),
        _outcome(game, state),
        _events(game, events),
    ):
        try:
            wrong = next(looked, "")
        except BaseException as error:
            from rivalry_server.blame import game_s

            game_s(game, error, state=state)  # which raises what is not the game's
            continue
        if wrong:
            return wrong
    return ""


def _movers(game: Game, state: State) -> Iterator[str]:
    movers = state.movers()
    try:
        fit = given.are_seats(tuple(movers), game.seats)
    except TypeError:
        fit = False
    if not fit:
        yield unlike("movers()", movers, given.seats_expected(game.seats))


def _prompts(game: Game, state: State) -> Iterator[str]:
    for seat in state.movers():
        kind = state.question(seat)
        if not is_text(kind):
            yield unlike(f"question({seat})", kind, A_TEXT)
        choices = state.choices(seat)
        if not isinstance(choices, Sequence) or not choices:
            yield unlike(f"choices({seat})", choices, "a tuple of Choice, at least one")
        for choice in choices:
            yield from _choice(game, seat, choice)
        yield from _observation(game, state, seat)


def _choice(game: Game, seat: int, choice: object) -> Iterator[str]:
    if not isinstance(choice, Choice):
        yield unlike(f"choices({seat})", choice, "a Choice")
        return
    numbers = (choice.action, choice.least, choice.most, choice.usual)
    if not isinstance(choice.parts, tuple) or not all(is_integer(number) for number in (*numbers, *choice.parts)):
        yield unlike(f"choices({seat})", choice, "a Choice of integers with a tuple of integers as parts")
    elif not 0 <= choice.least <= choice.usual <= choice.most <= len(choice.parts):
        yield unlike(f"choices({seat})", choice, "0 <= least <= usual <= most <= the number of parts")
    else:
        yield from _worded(f"text({choice.action})", game.text(choice.action))
        for part in choice.parts:
            yield from _worded(f"part_text({part})", game.part_text(part))


def _observation(game: Game, state: State, audience: int) -> Iterator[str]:
    observation = state.observe(audience)
    if not isinstance(observation, Observation):
        yield unlike(f"observe({audience})", observation, "an Observation")
        return
    yield from _facts(f"observe({audience}).json()", observation.json())
    yield from _worded(f"view(observe({audience}))", game.view(observation))


def _public(game: Game, state: State) -> Iterator[str]:
    setup = state.setup()
    if not isinstance(setup, View):
        yield unlike("setup()", setup, "a View")
    else:
        yield from _facts("setup().json()", setup.json())
    yield from _observation(game, state, PUBLIC)


def _outcome(game: Game, state: State) -> Iterator[str]:
    scores, ranks = state.scores(), state.ranks()
    if not given.are_scores(scores, game.seats):
        yield unlike("scores()", scores, given.scores_expected(game.seats))
    if not given.are_ranks(ranks, game.seats):
        yield unlike("ranks()", ranks, given.ranks_expected(game.seats))


def _events(game: Game, events: Sequence[object]) -> Iterator[str]:
    for event in events:
        if not isinstance(event, Event):
            yield f"it put {shown(event)} into the log; expected an Event"
            continue
        if not is_text(event.kind):
            yield f"it told an event of kind {shown(event.kind)}; expected {A_TEXT}"
        secrets = event.secrets
        if not isinstance(secrets, Mapping) or not all(isinstance(each, Mapping) for each in secrets.values()):
            yield f"the event {event.kind} has the secrets {shown(secrets)}; expected facts by seat"
            continue
        for facts in (event.facts, *secrets.values()):
            yield from _facts(f"the event {event.kind}", facts)
        for audience in (PUBLIC, *range(game.seats)):
            yield from _worded(f"event_text() of {event.kind}", game.event_text(seen(event, audience)))


def _worded(asked: str, text: object) -> Iterator[str]:
    if not is_text(text):
        yield unlike(asked, text, A_TEXT)


def _facts(asked: str, facts: object) -> Iterator[str]:
    fit = isinstance(facts, Mapping) and all(isinstance(key, str) for key in facts)
    if not fit or not _is_json(facts):
        yield unlike(asked, facts, "JSON objects, lists, texts, integers, flags and null")


def _is_json(facts: object) -> bool:
    try:
        written = json.dumps(facts if isinstance(facts, dict) else dict(facts), ensure_ascii=False)  # type: ignore[call-overload]
    except (TypeError, ValueError, RecursionError):
        return False
    return is_text(written)
