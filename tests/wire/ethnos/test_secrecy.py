"""What a seat must not know changes no byte that it is sent."""

from hypothesis import given, settings
from hypothesis import strategies as st

from rivalry_engine.chance import Stream
from rivalry_engine.event import seen
from rivalry_engine.game import PUBLIC
from rivalry_wire.codec import codec
from rivalry_wire.shapes import shapes
from wire.walk import SEEDS, apply, audiences, decisions, ethnos


@settings(max_examples=6, deadline=None)
@given(st.integers(2, 6), SEEDS)
def test_observation_and_choices_are_the_same_bytes_in_every_state_a_seat_may_be_in(seats, seed):
    game = ethnos(seats)
    wire = codec(game)
    for number, (state, mover) in enumerate(decisions(game, seed)):
        if number % 16:
            continue
        for seat in range(seats):
            observation = state.observe(seat)
            other = game.imagine(seat, observation, Stream(seed, f"{number}/{seat}"))
            assert wire.observation(other.observe(seat)) == wire.observation(observation)
            assert wire.observation(other.observe(PUBLIC)) == wire.observation(state.observe(PUBLIC))
            if seat == mover:
                assert wire.choices(other.choices(seat)) == wire.choices(state.choices(seat))
                assert shapes(other.choices(seat)) == shapes(state.choices(seat))


@settings(max_examples=4, deadline=None)
@given(SEEDS)
def test_events_are_the_same_bytes_until_something_is_shown(seed):
    game = ethnos(4)
    wire = codec(game)
    for number, (state, mover) in enumerate(decisions(game, seed)):
        if number % 8:
            continue
        here = state.clone()
        there = game.imagine(mover, state.observe(mover), Stream(seed, str(number)))
        here.log, there.log = [], []
        apply(here, mover, Stream(seed, f"act/{number}"))
        apply(there, mover, Stream(seed, f"act/{number}"))
        kinds = {event.kind for event in here.log + there.log}
        if kinds & {"dragon", "age_ended", "age_begun"}:
            continue
        for audience in audiences(game):
            if audience == mover and "drawn" in kinds:
                continue
            told, imagined = (
                b"".join([wire.event(seen(event, audience)) for event in played.log]) for played in (here, there)
            )
            assert told == imagined


@settings(max_examples=4, deadline=None)
@given(SEEDS)
def test_nobody_else_is_sent_a_card_that_was_drawn_or_kept(seed):
    game = ethnos(3, tribes=["elves", "wizards", "orcs", "giants", "skeletons"])
    wire = codec(game)
    state = None
    for state, _ in decisions(game, seed):  # noqa: B007
        pass
    for event in state.log:
        for audience in audiences(game):
            (told,) = wire.read_events(wire.event(seen(event, audience)))
            if event.kind == "drawn":
                assert ("card" in told.facts) == (audience == told.facts["seat"])
            if event.kind == "kept":
                assert ("cards" in told.facts) == (audience == told.facts["seat"])
            if event.kind == "age_begun":
                assert ("hand" in told.facts) == (audience != PUBLIC)
