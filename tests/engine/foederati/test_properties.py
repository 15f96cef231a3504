"""What holds at every decision of every game (FO11)."""

from collections import Counter
from itertools import combinations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from engine.foederati.table import ALLOTMENT, NAMES, SQUARES, a_map, game, near, played, region
from rivalry_engine import conformance
from rivalry_engine.chance import Stream
from rivalry_engine.game import PUBLIC

BOUNDED = settings(
    max_examples=25,
    derandomize=True,
    deadline=None,
    database=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
WHOLE_GAMES = settings(BOUNDED, max_examples=4)

GAMES = st.builds(
    lambda seats, preset, flags: game(seats=seats, preset=preset, **flags),
    st.integers(2, 5),
    st.sampled_from(["seed", "red-only"]),
    st.fixed_dictionaries(
        {
            "attack_full_seas": st.booleans(),
            "attacker_loses_shield_on_failure": st.booleans(),
            "battle_tie_to": st.sampled_from(["defender", "attacker"]),
        }
    ),
)
SEEDS = st.binary(min_size=0, max_size=8)


def reached(rules, seed: bytes, steps: int):
    """A state some decisions into a game that is played by chance; never one that is over."""
    state = rules.new_state(seed)
    before = state.clone()
    for count, _ in enumerate(played(state, seed)):
        if count == steps:
            return state
        before = state.clone()
    return before


STATES = st.builds(reached, GAMES, SEEDS, st.integers(0, 300))


def whole(place) -> Counter:
    """All cards of a position."""
    cards = Counter(place["draw_pile"]) + Counter(place["discard"])
    for seat in place["seats"]:
        cards += Counter(seat["hand"])
    return cards


@WHOLE_GAMES
@given(GAMES, SEEDS)
def test_shields_cards_markers_and_leaders_are_conserved_after_every_command(rules, seed):
    """FO11, FO4.2, FO5: the invariants"""
    state = rules.new_state(seed)
    place = state.position()
    deck, founded, supplies = whole(place), [], [ALLOTMENT[rules.seats]] * rules.seats
    assert deck.total() == 98
    for seat, action in played(state, seed):
        place = state.position()
        squares = Counter(square for own in place["seats"] for square in own["shields"])
        assert max(squares.values(), default=1) == 1
        assert whole(place) == deck
        for number, own in enumerate(place["seats"]):
            assert own["supply"] + len(own["shields"]) + own["lost"] == ALLOTMENT[rules.seats]
            assert 0 <= own["supply"] <= supplies[number]
            assert len(own["hand"]) <= 10
        supplies = [own["supply"] for own in place["seats"]]
        assert len({own["position"] for own in place["seats"]}) == rules.seats
        assert place["founded"][: len(founded)] == founded
        founded = place["founded"]
        assert len({each["country"] for each in founded}) == len(founded)
        assert place["stall"] < 10 or place["over"]
        text = rules.text(action)
        if text in ("end turn", "pass"):
            full = [seat, *place["turn"]["attacked"]]
            after = state.clone()
            after.apply(seat, action)
            assert [len(after.position()["seats"][each]["hand"]) for each in full] == [10] * len(full)
    assert state.position()["triggers"]
    assert sorted(state.ranks()) == list(range(1, rules.seats + 1))


@BOUNDED
@given(STATES)
def test_an_action_is_legal_just_when_it_is_listed(state):
    """FO6, FO11: every choice with every part, every listed action, and many others"""
    (seat,) = state.movers()
    listed = list(state.legal_actions(seat))
    assert len(listed) == len(set(listed))
    said = set()
    choices = state.choices(seat)
    for choice in choices:
        assert 0 <= choice.least <= choice.usual <= choice.most <= len(choice.parts)
        if not choice.parts:
            said.add(choice.action)
            continue
        assert choice.action == state.game.fill(choice, range(choice.usual))
        if choice.parts[0] < 128:
            assert (choice.least, choice.most, choice.usual) == (1, 1, 1)
        for size in range(choice.least, min(choice.most, 3) + 1):
            said |= {state.game.fill(choice, chosen) for chosen in combinations(range(len(choice.parts)), size)}
    assert said <= set(listed)
    assert len({choice.action for choice in choices}) == len(choices)
    assert len(choices) <= 99
    legal = set(listed)
    assert all(state.objection(seat, action) is None for action in listed[:400])
    for text in vocabulary(state, seat):
        action = state.game.action(text)
        assert (state.objection(seat, action) is None) is (action in legal), text
        other = (seat + 1) % state.game.seats
        assert state.objection(other, action) is not None


def vocabulary(state, seat) -> set[str]:
    """Actions of every kind, legal or not."""
    place = state.position()
    cards = [*place["seats"][seat]["hand"][:4], "sea", "neighbour", "row J"]
    own = place["seats"][seat]["shields"][::3]
    texts = {"pass", "end turn", "yield", "choose first 0", "choose first 1"}
    for square in SQUARES[::4]:
        texts |= {f"place {square}", f"attack {square}"}
        texts |= {f"expand {card}: {square}" for card in cards[:3]}
        texts |= {f"{verb} {origin} {square}" for verb in ("migrate", "sail") for origin in own[:5]}
    for one, two in combinations(cards, 2):
        texts |= {f"exchange {one}, {two}", f"reinforce {one}, {two}", f"exchange {one}", f"reinforce {two}"}
    return texts


@BOUNDED
@given(STATES)
def test_moves_and_expansions_are_those_of_the_rules(state):
    """FO4.2, FO6.1, FO10.9, FO10.10, FO10.15: said once more, square by square"""
    (seat,) = state.movers()
    if state.question(seat) != "turn":
        return
    place = state.position()
    taken = {square for own in place["seats"] for square in own["shields"]}
    own = set(place["seats"][seat]["shields"])
    turn = place["turn"]
    listed = {state.game.text(action) for action in state.legal_actions(seat)}
    expected = set()
    for origin in own - set(turn["moved"]):
        group, edge = {origin}, [origin]
        while edge:
            for square in near(edge.pop()) & own - group:
                group.add(square)
                edge.append(square)
        free = set().union(*[near(square) for square in group]) - taken
        ship = region(origin) in "wnbm"
        if ship or not turn["moved_once"]:
            expected |= {f"{'sail' if ship else 'migrate'} {origin} {square}" for square in free}
    assert {text for text in listed if text.startswith(("sail", "migrate"))} == expected
    expected = set()
    if turn["used"] < 2 and place["seats"][seat]["supply"]:
        for card in set(place["seats"][seat]["hand"]):
            free = [square for square in SQUARES if square not in taken]
            expected |= {f"expand {card}: {square}" for square in free if fit(card, square, own)}
    assert {text for text in listed if text.startswith("expand")} == expected


def fit(card: str, square: str, own: set[str]) -> bool:
    """True if the card names the square (FO4.2)."""
    kind, _, rest = card.partition(" ")
    if kind == "row":
        return square[0] in rest.split("/")
    if kind == "column":
        return square[1:] in rest.split("/")
    if kind == "neighbour":
        return bool(near(square) & own)
    if kind == "sea":
        return region(square) in "wnbm"
    return NAMES.get(region(square)) == rest


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


@WHOLE_GAMES
@given(GAMES, SEEDS)
def test_an_observation_never_lags_behind(rules, seed):
    """What is kept from the last observation is what a fresh state would show."""
    state = rules.new_state(seed)
    for count, (seat, _) in enumerate(played(state, seed)):
        seen = [state.observe(audience) for audience in range(-1, rules.seats)]
        if count % 7 == 0:
            fresh = rules.state_at(state.position())
            assert [fresh.observe(audience) for audience in range(-1, rules.seats)] == seen
            assert [view.json() for view in seen] == [fresh.observe(a).json() for a in range(-1, rules.seats)]
            assert list(fresh.choices(seat)) == list(state.choices(seat))


@WHOLE_GAMES
@given(GAMES, SEEDS, SEEDS)
def test_what_a_seat_sees_does_not_depend_on_what_it_may_not_know(rules, seed, other):
    """FO10.48: the hidden cards dealt anew leave every part of the observation as it was"""
    state = rules.new_state(seed)
    for count, _ in enumerate(played(state, seed)):
        if count % 23 == 0:
            for audience in (PUBLIC, *range(rules.seats)):
                view = state.observe(audience)
                imagined = rules.imagine(audience, view, Stream(other, f"{count}"))
                assert imagined.observe(audience) == view
                assert imagined.observe(PUBLIC).json() == state.observe(PUBLIC).json()
                assert whole(imagined.position()) == whole(state.position())
                assert imagined.position()["seed"] != state.position()["seed"]
                assert rules.state_at(imagined.position()).position() == imagined.position()


def test_the_public_and_the_others_see_no_card_in_hand():
    """FO10.48"""
    for seed in (b"1", b"2"):
        state = game(seats=3).new_state(seed)
        for _ in played(state, seed, limit=80):
            pass
        place = state.position()
        for audience in (PUBLIC, 0, 1, 2):
            told = state.observe(audience).json()
            assert told["hand"] == (place["seats"][audience]["hand"] if audience >= 0 else [])
            assert [seat["hand_size"] for seat in told["seats"]] == [len(seat["hand"]) for seat in place["seats"]]
            assert all("hand" not in seat and "kept" not in seat for seat in told["seats"])
            assert "draw_pile" not in str(told)


FLAGS = [
    {}, {"preset": "red-only"}, {"scoring_scope": "red-only"}, {"final_tribal": "always"}, {"attack_full_seas": True},
    {"attack_needs_opening_card": True}, {"attacker_loses_shield_on_failure": False}, {"battle_tie_to": "attacker"},
    {"stall_rounds": 1}, {"start_spaces": 1}, {"first_player": "1"},
]  # fmt: skip


def dense() -> dict:
    """A map on which most shields are placed at first, so that a game is short and has foundings and battles."""
    shields = {2: (29, 24), 3: (21, 16), 4: (16, 12), 5: (13, 10)}
    made = a_map(players={f"{seats}": {"shields": all_, "initial": some} for seats, (all_, some) in shields.items()})
    made["classes"]["large"]["initialCap"] = 7
    made["classes"]["small"]["initialCap"] = 3
    return made


@pytest.mark.parametrize(
    ("seats", "options"),
    [
        (2, {"map": dense()}),
        (3, {"preset": "red-only", "map": dense()}),
        (4, {"map": dense()}),
        (5, {"preset": "red-only"}),
    ],
)
def test_the_game_keeps_what_every_game_promises(seats, options):
    """FO4.5, FO11; every number of seats with every option, and more games, are in ``tests/proof/foederati.py``"""
    conformance.check(game(seats=seats, **options), games=1, seed=b"foederati")


@pytest.mark.parametrize("flags", FLAGS)
def test_each_flag_alone_is_played_to_the_end_and_back_from_its_record(flags):
    """FO4.5"""
    for seats in (2, 4):
        rules = game(seats=seats, map=dense(), **flags)
        state = rules.new_state(b"flag")
        again = type(rules)(rules.options_given()).new_state(b"flag")
        for seat, action in played(state, b"flag"):
            assert again.objection(seat, action) is None
            again.apply(seat, again.game.action(rules.text(action)))
        assert again.position() == state.position()
        assert rules.state_at(state.position()).position() == state.position()


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
@pytest.mark.parametrize("preset", ["seed", "red-only"])
def test_whole_games_end_at_every_number_of_seats(seats, preset):
    """FO8.2"""
    triggers = set()
    for number in range(2):
        state = game(seats=seats, preset=preset).new_state(bytes([number]))
        for _ in played(state, bytes([number])):
            pass
        triggers |= set(state.position()["triggers"])
    assert triggers <= {1, 2, 3, 4}
    assert triggers


def test_a_game_of_first_choices_ends():
    """FO8.2: what a stand-in plays"""
    for seats in (2, 3, 4, 5):
        state = game(seats=seats).new_state(b"first")
        for _ in range(2_000):
            movers = state.movers()
            if not movers:
                break
            state.apply(movers[0], state.choices(movers[0])[0].action)
        assert not state.movers()
