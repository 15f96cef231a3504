"""What holds at every decision of every game of the second edition, and of the first with Fairies."""

from collections import Counter
from itertools import combinations

from hypothesis import given, settings
from hypothesis import strategies as st

from engine.ethnos.table import TRIBES
from engine.ethnos.test_properties import BOUNDED
from engine.ethnos.test_second_options import WORDS
from engine.ethnos.test_setup import all_cards
from rivalry_engine.chance import Stream
from rivalry_engine.ethnos import Ethnos
from rivalry_engine.ethnos.edition import COINS
from rivalry_engine.game import PUBLIC

FEW = settings(BOUNDED, max_examples=40)
WHOLE_GAMES = settings(BOUNDED, max_examples=6)


def _second(seats, clans, dragons, tokens, exceptions):
    options = {"dragons_to_end": dragons, "small_game_tokens": tokens, "two_player_exceptions": exceptions}
    return Ethnos({"edition": "second", "seats": seats, "clans": clans[: 5 if seats < 4 else 6], **options})


def _fairies(seats, tribes):
    return Ethnos({"seats": seats, "fairies": True, "tribes": ["fairies", *tribes[: 4 if seats < 4 else 5]]})


GAMES = st.one_of(
    st.builds(
        _second,
        st.integers(2, 6),
        st.permutations(sorted(WORDS)),
        st.sampled_from(["3", "literal"]),
        st.sampled_from([2, 3]),
        st.booleans(),
    ),
    st.builds(_fairies, st.integers(2, 6), st.permutations(list(TRIBES))),
)
SEEDS = st.binary(max_size=8)


def played(state, seed):
    """Plays uniformly drawn answers; yields before each round of them, and between the answers of one round."""
    number = 0
    while state.movers():
        for seat in tuple(state.movers()):
            yield seat
            number += 1
            stream = Stream(seed, f"answer/{number}")
            choice = stream.choice(state.choices(seat))
            size = choice.least + stream.below(choice.most - choice.least + 1)
            chosen = stream.sample(len(choice.parts), size) if choice.parts else ()
            state.apply(seat, state.game.fill(choice, chosen) if choice.parts else choice.action)


def reached(game, seed, steps):
    """A state some decisions into a game; never one that is over."""
    state = game.new_state(seed)
    before = state.clone()
    for count, _ in enumerate(played(state, seed)):
        before = state.clone()
        if count == steps:
            break
    return before


STATES = st.builds(reached, GAMES, SEEDS, st.integers(0, 250))


@WHOLE_GAMES
@given(GAMES, SEEDS)
def test_cards_markers_coins_and_tokens_are_conserved(game, seed):
    """N2.1, N3.4, N3.7, E7.3"""
    state = game.new_state(seed)
    whole = Counter(all_cards(state.position()))
    used = 0
    for _ in played(state, seed):
        place = state.position()
        seen = state.observe(PUBLIC).json()
        usable = 24 if {"koi", "merfolk"} & set(state.setup().tribes) else 25
        for seat, part in zip(place["seats"], seen["seats"], strict=True):
            assert part["supply"] == usable - sum(seat["markers"].values()) - len(seat["orc_board"]) >= 0
            assert not Counter(seat["known"]) - Counter(seat["hand"])
        held = [value for seat in place["seats"] for value in seat["troll_tokens"]]
        assert len(set(held)) == len(held)
        holders = [seat for seat in place["seats"] if seat["giant_token"]]
        assert len(holders) <= 1
        if holders and game.options.get("fairies"):
            carrier = holders[0]["bands"][holders[0]["giant_band"]]
            assert carrier["leader"].endswith("giant")
        if place["third_dragon"] is None:
            assert Counter(all_cards(place)) == whole
        if "coins" in place:
            out = [value for row in place["coins"].values() for value in row]
            assert Counter(out) + Counter(COINS[len(COINS) - place["coins_left"] :]) <= Counter(COINS)
            assert 14 - place["coins_left"] >= used
            used = 14 - place["coins_left"]


@FEW
@given(STATES)
def test_choices_say_just_what_is_legal_and_is_read_as_it_is_written(state):
    """N3.0, E5.8, E7.1"""
    for seat in state.movers():
        said = set()
        for choice in state.choices(seat):
            parts = range(len(choice.parts))
            sizes = range(choice.least, choice.most + 1) if choice.parts else ()
            said |= {state.game.fill(choice, chosen) for size in sizes for chosen in combinations(parts, size)}
            said.add(choice.action)
        legal = list(state.legal_actions(seat))
        assert (set(legal), len(legal)) == (said, len(said))
        for action in legal[:300]:
            assert state.objection(seat, action) is None
            assert state.game.action(state.game.text(action).upper()) == action
        for text in (
            "token none",
            "mark none",
            "stop",
            "empty",
            "keep board",
            "swap none",
            "advance",
            "draw all",
            "horde",
        ):
            action = state.game.action(text)
            assert (state.objection(seat, action) is None) is (action in said)


@FEW
@given(STATES, SEEDS)
def test_what_is_imagined_or_read_from_a_position_looks_the_same(state, seed):
    """E4.9, N3.6, E7.4: to every seat; and it plays on to its end."""
    again = state.game.state_at(state.position())
    assert again.position() == state.position()
    for audience in range(PUBLIC, state.game.seats):
        observation = state.observe(audience)
        assert again.observe(audience) == observation
        imagined = state.game.imagine(audience, observation, Stream(seed, f"{audience}"))
        assert imagined.observe(audience) == observation
        assert imagined.observe(PUBLIC) == state.observe(PUBLIC)
        assert set(imagined.movers()) >= set(state.movers())
        for seat in state.movers():
            if audience == seat:
                assert list(imagined.choices(seat)) == list(state.choices(seat))
    for _ in played(imagined, seed):
        pass


@FEW
@given(STATES, SEEDS)
def test_a_clone_goes_its_own_way(state, seed):
    before = [state.observe(audience) for audience in range(PUBLIC, state.game.seats)]
    place, movers, answers = state.position(), state.movers(), state.answers
    twin = state.clone()
    assert (twin.position(), twin.movers(), twin.answers) == (place, movers, answers)

    for _ in played(twin, seed):
        pass

    assert [state.observe(audience) for audience in range(PUBLIC, state.game.seats)] == before
    assert (state.position(), state.movers(), state.answers) == (place, movers, answers)


@WHOLE_GAMES
@given(GAMES, SEEDS)
def test_an_observation_never_lags_behind(game, seed):
    """What is kept from the last observation is what a fresh state would show."""
    state = game.new_state(seed)
    for count, _ in enumerate(played(state, seed)):
        seen = [state.observe(audience) for audience in range(PUBLIC, game.seats)]
        if count % 5 == 0:
            fresh = game.state_at(state.position())
            assert [fresh.observe(audience) for audience in range(PUBLIC, game.seats)] == seen
