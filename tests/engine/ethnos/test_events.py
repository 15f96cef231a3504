"""What everybody is told, and what only its owner sees."""

import pytest

from engine.ethnos.table import FIVE, asked, at, do, ending, offered, played
from rivalry_engine.chance import Stream
from rivalry_engine.ethnos import Ethnos
from rivalry_engine.event import seen
from rivalry_engine.game import PUBLIC

RED, BLUE = 6, 4


def told(state, *texts, audience: int = PUBLIC) -> list[tuple]:
    """The events of some moves as one audience sees them: kind and facts, cards by their names."""
    names = {number: name for name, number in state.setup().json()["cards"].items()}
    state.log = []
    do(state, *texts)
    return [_plain(seen(event, audience), names) for event in state.log]


def _plain(event, names) -> tuple:
    facts = dict(event.facts)
    for key in ("card", "leader"):
        if key in facts:
            facts[key] = names[facts[key]]
    for key in ("cards", "row", "hand"):
        if key in facts:
            facts[key] = tuple(sorted(names[card] for card in facts[key]))
    return (event.kind, facts)


def test_a_card_taken_face_up_is_told_to_all():
    """E4.7"""
    for audience in (PUBLIC, 0, 1):
        state = at(face_up=["red elf", "blue orc"])
        assert told(state, "take red elf", audience=audience) == [("taken", {"seat": 0, "card": "red elf"})]


def test_a_card_drawn_is_told_to_its_owner_alone():
    """E4.7"""
    for audience, more in ((PUBLIC, {}), (0, {"card": "red elf"}), (1, {}), (2, {})):
        state = at(deck=["red elf", "dragon", "dragon", "dragon"])
        assert told(state, "draw", audience=audience) == [("drawn", {"seat": 0, **more})]


def test_dragons_are_told_to_all():
    """E4.3"""
    state = at(movers=[1], deck=["dragon", "dragon", "red elf", "dragon"])

    assert told(state, "draw") == [
        ("dragon", {"seat": 1, "number": 1}),
        ("dragon", {"seat": 1, "number": 2}),
        ("drawn", {"seat": 1}),
    ]


def test_a_forced_pass_is_told():
    """E4.6"""
    assert told(at(players=[{"hand": ["skeleton"] * 10}]), "pass") == [("passed", {"seat": 0})]


def test_a_band_its_marker_and_the_discard_are_told():
    """E5.3"""
    state = at(players=[{"hand": ["red orc", "skeleton", "blue elf", "blue elf"]}])

    assert told(state, "band red orc: skeleton", "mark Rhea", "horde") == [
        ("band", {"seat": 0, "leader": "red orc", "cards": ("red orc", "skeleton")}),
        ("marked", {"seat": 0, "kingdom": RED}),
        ("horde", {"seat": 0, "kingdom": RED}),
        ("discarded", {"seat": 0, "cards": ("blue elf", "blue elf")}),
    ]


def test_what_is_declined_is_told_with_its_question():
    """E5.6"""
    orc = at(players=[{"hand": ["red orc"]}])
    assert told(orc, "band red orc", "mark none", "no horde")[1:] == [
        ("declined", {"seat": 0, "kind": "marker"}),
        ("declined", {"seat": 0, "kind": "horde"}),
    ]
    troll = at(players=[{"hand": ["red troll"]}])
    assert told(troll, "band red troll", "mark none", "token none")[2:] == [("declined", {"seat": 0, "kind": "token"})]
    tribes = ("merfolk", "centaurs", "wizards", "elves", "orcs")
    merfolk = at(tribes=tribes, players=[{"hand": ["red merfolk"], "merfolk": 2}])
    assert told(merfolk.clone(), "band red merfolk", "mark none", "stay")[2:] == [
        ("declined", {"seat": 0, "kind": "advance"})
    ]
    assert told(merfolk, "band red merfolk", "mark none", "advance", "mark none")[2:] == [
        ("advanced", {"seat": 0, "space": 3}),
        ("declined", {"seat": 0, "kind": "bonus"}),
    ]
    centaur = at(tribes=tribes, players=[{"hand": ["red centaur", "blue elf"]}])
    assert told(centaur, "band red centaur", "mark Rhea", "stop")[2:] == [
        ("declined", {"seat": 0, "kind": "further"}),
        ("discarded", {"seat": 0, "cards": ("blue elf",)}),
    ]
    wizard = at(tribes=tribes, players=[{"hand": ["red wizard", "blue elf"]}])
    assert told(wizard, "band red wizard", "mark none", "draw none")[2:] == [
        ("discarded", {"seat": 0, "cards": ("blue elf",)}),
        ("declined", {"seat": 0, "kind": "draw"}),
    ]


def test_a_bonus_marker_and_a_token_are_told():
    """E6.6, E6.10"""
    tribes = ("merfolk", "trolls", "wizards", "elves", "orcs")
    merfolk = at(tribes=tribes, players=[{"hand": ["red merfolk"], "merfolk": 17}])
    assert told(merfolk, "band red merfolk", "mark none", "advance", "mark Straton")[2:] == [
        ("advanced", {"seat": 0, "space": 18}),
        ("marked", {"seat": 0, "kingdom": BLUE}),
    ]
    troll = at(tribes=tribes, players=[{"hand": ["red troll"]}])
    assert told(troll, "band red troll", "mark none", "token 1")[2:] == [("token", {"seat": 0, "value": 1})]


def test_giants_are_told():
    """E6.4"""
    state = at(players=[{"hand": ["red giant", "red elf"]}])

    assert told(state, "band red giant: red elf", "mark none")[2:] == [("giant", {"seat": 0, "size": 2, "glory": 2})]


def test_kept_cards_are_told_to_their_owner_alone():
    """E4.9, E6.3"""
    for audience, more in ((PUBLIC, {}), (0, {"cards": ("blue orc",)}), (1, {})):
        state = at(players=[{"hand": ["red elf", "blue orc", "green orc"]}])
        assert told(state, "band red elf", "mark none", "keep blue orc", audience=audience)[2:] == [
            ("kept", {"seat": 0, "count": 1, **more}),
            ("discarded", {"seat": 0, "cards": ("green orc",)}),
        ]


def test_a_wizard_draw_is_told_card_by_card():
    """E6.12"""
    tribes = ("wizards", "trolls", "skeletons", "elves", "orcs")
    deck = ["blue elf", "dragon", "blue orc", "dragon", "dragon"]
    for audience in (PUBLIC, 0, 2):
        state = at(tribes=tribes, players=[{"hand": ["red wizard", "skeleton"]}], deck=deck)
        first, second = ({"card": "blue elf"}, {"card": "blue orc"}) if audience == 0 else ({}, {})
        assert told(state, "band red wizard: skeleton", "mark none", "draw all", audience=audience)[2:] == [
            ("drawn", {"seat": 0, **first}),
            ("dragon", {"seat": 0, "number": 1}),
            ("drawn", {"seat": 0, **second}),
        ]


def test_the_end_of_an_age_is_told_step_by_step():
    """E8"""
    tribes = ("merfolk", "orcs", "giants", "elves", "trolls")
    players = [
        {
            "markers": {"Rhea": 1},
            "merfolk": 1,
            "giant_token": True,
            "hand": ["blue elf"],
            "bands": [{"leader": "red giant", "cards": ["red giant", "red elf"]}],
            "orc_board": ["red"],
        },
        {"orc_board": ["blue", "red"], "markers": {"Ithys": 2}},
    ]
    tokens = {"Rhea": [2, 4], "Ithys": [0, 6]}
    state = ending(tribes=tribes, age=1, movers=[1], players=players, glory_tokens=tokens)

    events = told(state, "draw", "empty", "keep board")

    assert events[:11] == [
        ("dragon", {"seat": 1, "number": 3}),
        ("age_ended", {"age": 1, "seat": 1}),
        ("kingdom_scored", {"kingdom": 1, "glory": (0, 0, 0)}),
        *[("kingdom_scored", {"kingdom": colour, "glory": (0, 0, 0)}) for colour in (2, 3, 4, 5)],
        ("kingdom_scored", {"kingdom": 6, "glory": (2, 0, 0)}),
        ("merfolk_scored", {"glory": (1, 0, 0)}),
        ("giant_scored", {"seat": 0, "glory": 2}),
        ("bands_scored", {"glory": (1, 0, 0)}),
    ]
    assert events[11:13] == [
        ("horde_emptied", {"seat": 1, "markers": 2, "glory": 3}),
        ("declined", {"seat": 0, "kind": "empty"}),
    ]
    place = state.position()
    (begun,) = events[13:]
    facts = {"age": 2, "first": 2, "row": tuple(sorted(place["face_up"])), "deck": len(place["deck"])}
    assert begun == ("age_begun", facts)


def test_the_first_card_of_an_age_is_told_to_its_owner_alone():
    """E3.1"""
    for audience in range(3):
        state = ending(age=1)
        kind, facts = told(state, "draw", audience=audience)[-1]
        assert kind == "age_begun"
        assert facts["hand"] == tuple(state.position()["seats"][audience]["hand"])
    assert "hand" not in told(ending(age=1), "draw")[-1][1]


def test_the_end_of_the_game_is_told_with_scores_and_ranks():
    """E9.7, E10"""
    state = ending(players=[{"glory": 3}, {"orc_board": ["red"], "glory": 4}, {"glory": 5}])

    assert told(state, "draw")[-2:] == [
        ("horde_emptied", {"seat": 1, "markers": 1, "glory": 1}),
        ("game_ended", {"scores": (3, 5, 5), "ranks": (3, 1, 1)}),
    ]


def test_a_clone_tells_nothing():
    state = at(face_up=["red elf"])
    state.log = []

    do(state.clone(), "take red elf")

    assert state.log == []


def unlike_twin(state, audience: int, stream: Stream):
    """The same state with everything that ``audience`` may not know dealt anew, but with the same seed."""
    place = state.game.imagine(audience, state.observe(audience), stream).position()
    place["seed"] = state.position()["seed"]
    return state.game.state_at(place)


REVEALING = {"discarded", "dragon", "band", "age_ended"}
"""The events that show what lay hidden: after these two twins may differ."""


@pytest.mark.parametrize("seats", [2, 3, 4, 5, 6])
def test_states_that_differ_only_in_what_an_audience_may_not_know_tell_it_the_same(seats):
    """Two twins play the same actions; until something is shown, every event and every observation is the same."""
    same = shown = 0
    for number in range(12):
        game = Ethnos({"seats": seats})
        state = game.new_state(f"twins {number}".encode())
        moves = list(played(state.clone(), b"twins"))
        for seat, action in moves[: 10 * number + 20]:
            state.apply(seat, action)
        audience = number % (seats + 1) - 1
        twin = unlike_twin(state, max(audience, 0), Stream(b"twins", f"{number}"))
        for step in range(60):
            if not state.movers():
                break
            (seat,) = state.movers()
            assert asked(twin) == asked(state)
            common = sorted(offered(state) & offered(twin))
            if not common:
                break
            text = Stream(b"twins", f"{number}/{step}").choice(common)
            ours, theirs = told(state, text, audience=audience), told(twin, text, audience=audience)
            if ours != theirs:
                kinds = {kind for kind, _ in ours} | {kind for kind, _ in theirs}
                own = any(kind == "drawn" and facts["seat"] == audience for kind, facts in ours)
                assert own or kinds & REVEALING
                shown += 1
                break
            same += 1
            assert state.observe(audience) == twin.observe(audience)
            assert state.observe(PUBLIC) == twin.observe(PUBLIC)

    assert same > 30
    assert shown > 0


def test_the_public_sees_no_more_than_any_seat():
    """E4.7: every fact that the public is told, a seat is told too."""
    for seats in (2, 4):
        state = Ethnos({"seats": seats}).new_state(b"public")
        state.log = []
        for _ in played(state, b"public"):
            pass
        for event in state.log:
            for seat in range(seats):
                assert seen(event, PUBLIC).facts.items() <= seen(event, seat).facts.items()


def test_only_three_kinds_of_events_have_secrets():
    """E4.7, E4.9"""
    kinds = set()
    for number in range(4):
        state = Ethnos({"seats": 3, "tribes": ["elves", "wizards", *FIVE[1:4]]}).new_state(f"secrets {number}".encode())
        state.log = []
        for _ in played(state, b"secrets"):
            pass
        kinds |= {event.kind for event in state.log if event.secrets}

    assert kinds == {"drawn", "kept", "age_begun"}
