"""What holds at every decision of every game."""

from collections import Counter
from itertools import combinations, permutations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from engine.ethnos.table import COLOURS, KINGDOMS, SIX, TRIBES, at, do, first_choice_to_the_end, offered, placed, played
from engine.ethnos.test_setup import all_cards
from rivalry_engine import conformance
from rivalry_engine.chance import Stream
from rivalry_engine.error import RivalryError
from rivalry_engine.ethnos import Ethnos
from rivalry_engine.game import PUBLIC

BOUNDED = settings(
    max_examples=100,
    derandomize=True,
    deadline=None,
    database=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
WHOLE_GAMES = settings(BOUNDED, max_examples=10)

GAMES = st.builds(
    lambda seats, tribes, ruleset, freed: Ethnos(
        {
            "seats": seats,
            "tribes": tribes[: 5 if seats < 4 else 6],
            "ruleset": ruleset,
            "centaurs_need_marker": not freed,
        }
    ),
    st.integers(2, 6),
    st.permutations(list(TRIBES)),
    st.sampled_from(["standard", "bga"]),
    st.booleans(),
)
SEEDS = st.binary(min_size=0, max_size=8)


def copies(name: str) -> int:
    """How many cards of a face there are (E1.3)."""
    return {"skeleton": 12, "halfling": 4}.get(name.split()[-1], 2)


def reached(game, seed: bytes, steps: int):
    """A state some decisions into a game that is played by chance; never one that is over."""
    state = game.new_state(seed)
    before = state.clone()
    for count, _ in enumerate(played(state, seed)):
        if count == steps:
            return state
        before = state.clone()
    return before


STATES = st.builds(reached, GAMES, SEEDS, st.integers(0, 250))


@WHOLE_GAMES
@given(GAMES, SEEDS)
def test_cards_and_markers_are_conserved_at_every_decision(game, seed):
    """E1.3, E1.4, E1.6: in every place that the Age has, and none twice."""
    state = game.new_state(seed)
    whole = Counter(all_cards(state.position()))
    usable = 24 if "merfolk" in state.position()["options"]["tribes"] else 25
    for _ in played(state, seed):
        place = state.position()
        supplies = [part["supply"] for part in state.observe(PUBLIC).json()["seats"]]
        for seat, supply in zip(place["seats"], supplies, strict=True):
            placed_markers = sum(seat["markers"].values()) + len(seat["orc_board"])
            assert supply == usable - placed_markers >= 0
            assert len(seat["hand"]) <= 10
            assert not Counter(seat["known"]) - Counter(seat["hand"])
            assert 0 <= seat["merfolk"] <= 18
        trolls = [value for seat in place["seats"] for value in seat["troll_tokens"]]
        assert len(set(trolls)) == len(trolls)
        assert sum(seat["giant_token"] for seat in place["seats"]) <= 1
        if place["third_dragon"] is None:
            assert Counter(all_cards(place)) == whole
            assert place["deck"].count("dragon") + place["dragons"] == 3
            assert "dragon" not in place["deck"][: place["safe"]]


def vocabulary(state) -> set[str]:
    """Actions of every kind, legal or not, said with the cards in play."""
    faces = list(state.setup().json()["cards"])
    (seat,) = state.movers()
    held = state.position()["seats"][seat]["hand"]
    texts = {"draw", "pass", "stop", "advance", "stay", "horde", "no horde", "draw all", "draw none", "empty"}
    texts |= {"keep board", "keep none", "mark none", "token none"}
    texts |= {f"mark {kingdom}" for kingdom in KINGDOMS} | {f"token {value}" for value in range(1, 7)}
    texts |= {f"take {face}" for face in faces}
    for size in range(5):
        for cards in combinations(sorted(held), size):
            if cards:
                texts.add("keep " + ", ".join(cards))
                texts |= {f"band {cards[at]}: {', '.join(cards[:at] + cards[at + 1 :])}" for at in range(size)}
    for face in faces[::5]:
        texts |= {f"keep {face}", f"band {face}", f"band {face}: {faces[0]}", f"band {faces[0]}: {face}, {faces[-1]}"}
    return texts


def is_band(leader: str, cards: list[str]) -> bool:
    """E5.1 and E5.2, said once more."""
    plain = [card.split() for card in cards if card != "skeleton"]
    return leader != "skeleton" and (len({c for c, _ in plain}) == 1 or len({t for _, t in plain}) == 1)


@BOUNDED
@given(STATES)
def test_an_action_is_legal_just_when_it_is_listed_and_the_rules_allow_it(state):
    """E4.2, E4.6, E4.11, E5.1, E5.2, E5.8"""
    (seat,) = state.movers()
    place = state.position()
    held = Counter(place["seats"][seat]["hand"])
    kind = state.question(seat)
    listed = set(state.legal_actions(seat))
    for text in vocabulary(state) | {state.game.text(action) for action in list(listed)[:300]}:
        action = state.game.action(text)
        legal = state.objection(seat, action) is None
        assert legal is (action in listed), text
        verb, _, rest = text.partition(" ")
        cards = [card for card in rest.replace(": ", ", ").split(", ") if card not in ("none", "")]
        if verb == "take":
            assert legal is (kind == "turn" and rest in place["face_up"] and held.total() < 10), text
        elif text == "draw":
            assert legal is (kind == "turn" and held.total() < 10), text
        elif text == "pass":
            assert legal is (kind == "turn" and held == {"skeleton": 10}), text
        elif verb == "band":
            allowed = kind in ("turn", "further") and not Counter(cards) - held and is_band(cards[0], cards)
            assert legal is allowed, text
        elif verb == "keep" and text != "keep board":
            most = len(place["seats"][seat]["bands"][-1]["cards"]) if kind == "keep" else 0
            assert legal is (kind == "keep" and not Counter(cards) - held and len(cards) <= most), text
        elif verb in ("advance", "stay", "stop"):
            assert legal is (kind == {"stop": "further"}.get(verb, "advance")), text
        elif text in ("horde", "no horde", "draw all", "draw none", "empty", "keep board"):
            assert legal is (kind == {"h": "horde", "d": "draw"}.get(text.removeprefix("no ")[0], "empty")), text


@BOUNDED
@given(STATES)
def test_every_legal_action_can_be_said_through_a_choice_and_its_parts(state):
    """E5.8"""
    (seat,) = state.movers()
    said = set()
    choices = state.choices(seat)
    for choice in choices:
        assert 0 <= choice.least <= choice.usual <= choice.most <= len(choice.parts)
        parts = range(len(choice.parts))
        if choice.parts:
            assert choice.action == state.game.fill(choice, range(choice.usual))
            said |= {
                state.game.fill(choice, chosen)
                for size in range(choice.least, choice.most + 1)
                for chosen in combinations(parts, size)
            }
        else:
            said.add(choice.action)

    listed = list(state.legal_actions(seat))
    assert len(listed) == len(set(listed))
    assert said == set(listed)
    assert len({choice.action for choice in choices}) == len(choices)
    assert len(choices) <= 60


@BOUNDED
@given(STATES)
def test_every_action_is_read_as_it_is_written(state):
    (seat,) = state.movers()
    for action in list(state.legal_actions(seat))[:500]:
        text = state.game.text(action)
        assert state.game.action(text) == action
        assert state.game.action(f"  {text.upper()} ") == action
        if text.startswith("band") and ", " in text:
            leader, _, others = text.partition(": ")
            assert state.game.action(f"{leader}: " + ", ".join(reversed(others.split(", ")))) == action


@BOUNDED
@given(STATES, SEEDS)
def test_a_clone_goes_its_own_way(state, seed):
    before = state.position()
    views = [state.observe(audience) for audience in range(-1, state.game.seats)]
    twin = state.clone()
    assert twin.position() == before

    for _ in played(twin, seed, limit=40):
        pass

    assert state.position() == before
    assert [state.observe(audience) for audience in range(-1, state.game.seats)] == views


@BOUNDED
@given(STATES, SEEDS)
def test_what_is_imagined_looks_the_same_and_plays_to_the_end(state, seed):
    """E4.9: to every seat its own observation, choices and public facts; what it may not know comes from elsewhere."""
    for audience in range(state.game.seats):
        observation = state.observe(audience)
        imagined = state.game.imagine(audience, observation, Stream(seed, f"{audience}"))
        assert imagined.observe(audience) == observation
        assert imagined.observe(PUBLIC) == state.observe(PUBLIC)
        assert list(imagined.choices(audience)) == list(state.choices(audience))
        assert imagined.movers() == state.movers()
        assert imagined.log is None
        place = imagined.position()
        assert place["seed"] != state.position()["seed"]
        assert placed(place).position() == place
        if audience == 0:
            first_choice_to_the_end(imagined)


@WHOLE_GAMES
@given(GAMES, SEEDS)
def test_an_observation_never_lags_behind(game, seed):
    """What is kept from the last observation is what a fresh state would show."""
    state = game.new_state(seed)
    for count, _ in enumerate(played(state, seed)):
        seen = [state.observe(audience) for audience in range(-1, game.seats)]
        if count % 7 == 0:
            fresh = game.state_at(state.position())
            assert [fresh.observe(audience) for audience in range(-1, game.seats)] == seen
            assert [view.json() for view in seen] == [fresh.observe(a).json() for a in range(-1, game.seats)]
            assert state.observe(PUBLIC).seat == PUBLIC


@pytest.mark.parametrize("seats", [2, 3])
def test_the_game_keeps_what_every_game_promises(seats):
    conformance.check(Ethnos({"seats": seats}), games=1, seed=b"ethnos")


def bands_of_everything(tribes, spared: Counter) -> list[dict]:
    """Every card in play but ``spared``, laid out in Bands of one Tribe each."""
    bands = []
    skeletons = 12 - spared["skeleton"]
    for tribe in tribes:
        word = TRIBES[tribe]
        if word == "skeleton":
            continue
        faces = [f"{colour} {word}" for colour in COLOURS]
        cards = [face for face in faces for _ in range(copies(face) - spared[face])]
        for start in range(0, len(cards), 6):
            extra = min(skeletons, 4)
            skeletons -= extra
            part = cards[start : start + 6]
            bands.append({"leader": part[0], "cards": part + ["skeleton"] * extra})
    assert not skeletons
    return bands


@pytest.mark.parametrize(
    ("safe", "dragons", "known"), [(0, 2, []), (1, 2, []), (2, 1, []), (0, 1, ["red orc"]), (0, 0, [])]
)
def test_every_state_that_a_seat_may_be_in_is_imagined(safe, dragons, known):
    """E4.9: all the cards but five lie open; seat 1 holds two of them and the deck has three."""
    hidden = ["red orc", "red elf", "red elf", "skeleton", "blue elf"]
    spared = Counter([*hidden, "green elf"])
    tribes = ("elves", "orcs", "trolls", "skeletons", "giants")
    deck = [*hidden[2:], *["dragon"] * (3 - dragons)]
    players = [
        {"hand": ["green elf"]},
        {"hand": hidden[:2], "known": known},
        {"bands": bands_of_everything(tribes, spared)},
    ]
    state = at(tribes=tribes, face_up=[], deck=deck, dragons=dragons, safe=safe, players=players)
    observation = state.observe(0)

    consistent = set()
    for cards in set(permutations(hidden)):
        if not Counter(known) - Counter(cards[:2]):
            for places in combinations(range(safe, len(deck)), 3 - dragons):
                rest = list(cards[2:])
                made = tuple("dragon" if place in places else rest.pop(0) for place in range(len(deck)))
                consistent.add((tuple(sorted(cards[:2])), made))
    stream = Stream(b"small", "imagine")
    drawn = Counter()
    for _ in range(12 * len(consistent)):
        place = state.game.imagine(0, observation, stream).position()
        drawn[tuple(sorted(place["seats"][1]["hand"])), tuple(place["deck"])] += 1

    assert set(drawn) == consistent


def test_an_imagined_state_leaves_aside_what_lies_aside():
    """E4.9: a deck of two by hand, the other cards out until the next Age."""
    state = at(
        deck=["red elf", "dragon"], face_up=["blue orc"], players=[{"hand": ["red orc"]}, {"hand": ["blue elf"]}]
    )
    observation = state.observe(0)

    for number in range(20):
        imagined = state.game.imagine(0, observation, Stream(b"aside", f"{number}"))
        assert imagined.observe(0) == observation
        assert len(imagined.position()["deck"]) == 2
        assert imagined.position()["deck"].count("dragon") == 1


def test_the_bands_of_a_full_hand_are_all_there():
    """E5.1: ten cards of one colour with four Skeletons, counted by hand: 6 leaders times their subsets."""
    cards = ["red elf", "red elf", "red orc", "red troll", "red giant", "red wizard", *["skeleton"] * 4]
    state = at(4, SIX, players=[{"hand": cards}])

    # equal cards merged: 3 counts of red elf, 2 each of four others, 5 of skeletons; a leader takes one of its own
    elves = 2 * 2**4 * 5
    others = 4 * 3 * 2**3 * 5
    assert len(offered(state)) == elves + others


def test_no_band_of_the_bands_of_a_hand_is_missed():
    """E5.1, E5.2: every subset of a hand, against the definition."""
    stream = Stream(b"hands", "subsets")
    faces = [f"{colour} {TRIBES[tribe]}" for tribe in SIX if tribe != "skeletons" for colour in COLOURS[:3]]
    for _ in range(12):
        held = []
        while len(held) < 7:
            card = "skeleton" if stream.below(5) == 0 else stream.choice(faces)
            if held.count(card) < copies(card):
                held.append(card)
        state = at(4, SIX, players=[{"hand": held}], face_up=[])
        expected = {"draw"}
        for size in range(1, 8):
            for cards in combinations(sorted(held), size):
                for leader in set(cards):
                    if is_band(leader, list(cards)):
                        rest = list(cards)
                        rest.remove(leader)
                        action = state.game.action(f"band {leader}" + (": " + ", ".join(rest) if rest else ""))
                        expected.add(state.game.text(action))
        assert offered(state) == expected
        do(state, "draw")


def test_only_an_observation_of_the_seat_itself_is_imagined_behind():
    """E4.9"""
    state = at()
    stream = Stream(b"whose", "imagine")

    assert state.game.imagine(1, state.observe(1), stream).observe(1) == state.observe(1)
    for seat, observation in ((0, state.observe(1)), (0, state.observe(PUBLIC)), (0, state.setup()), (PUBLIC, None)):
        with pytest.raises(RivalryError, match="imagine"):
            state.game.imagine(seat, observation, stream)


def test_an_empty_deck_is_imagined_empty():
    """E4.5, E4.9"""
    state = at(deck=[], dragons=2)

    imagined = state.game.imagine(0, state.observe(0), Stream(b"empty", "imagine"))

    assert imagined.position()["deck"] == []
    assert imagined.observe(0) == state.observe(0)
