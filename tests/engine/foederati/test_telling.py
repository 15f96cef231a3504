"""Events in words, and who sees what."""

from engine.foederati.table import at, do, game, played, told
from rivalry_engine.event import seen
from rivalry_engine.game import PUBLIC


def words(state, *texts, audience=PUBLIC):
    return [state.game.event_text(seen(event, audience)) for event in told(state, *texts)]


def test_a_turn_in_words():
    """FO6, FO8.1"""
    hands = {0: {"hand": ["country Frisia", "sea", "row A"]}, 1: {"hand": []}}
    state = at("D5 D6 E4 H4 C4", "H5 J1", founded="UA", seats=hands, draw_pile=["row B", "row C"] * 2)

    assert words(state, "expand country Frisia: E5") == [
        "seat 0 expands to E5 with country Frisia",
        "seat 0 founds Frisia for 3 points, and stands on 3",
    ]
    assert words(state, "attack H5") == ["seat 0 attacks H5 of seat 1: 1 against 1"]
    assert words(state, "yield") == ["seat 0 yields", "seat 0 fails to take H5 of seat 1 and loses 1 shield"]
    assert words(state, "migrate E5 E6") == ["seat 0 migrates from E5 to E6"]
    assert words(state, "sail C4 C3") == ["seat 0 sails from C4 to C3"]


def test_cards_are_told_to_their_owner_alone():
    """FO10.48"""
    state = at("A2", "J1", seats={0: {"hand": ["sea"]}}, draw_pile=["row B", "row C"])
    other = state.clone()

    assert words(state, "exchange sea", audience=0) == ["seat 0 puts down sea", "seat 0 draws row B"]
    assert words(other, "exchange sea", audience=1) == ["seat 0 puts down sea", "seat 0 draws 1 card"]


def test_a_battle_in_words():
    """FO7"""
    state = at("G5 H4", "H5 I5", founded="U", seats={0: {"hand": ["row H", "column 5"]}, 1: {"hand": []}})

    assert words(state, "attack H5: row H", "yield") == [
        "seat 0 attacks H5 of seat 1 with row H: 4 against 2", "seat 1 yields", "seat 0 takes H5 of seat 1",
    ]  # fmt: skip
    assert words(state, "attack I5") == ["seat 0 attacks I5 of seat 1: 1 against 1"]
    assert words(state, "reinforce column 5") == ["seat 0 plays column 5: 3 against 1"]


def test_the_end_in_words():
    """FO8.2, FO9"""
    state = at("A1 A5 B5", "A8", passed=[0], movers=[1], seats={0: {"position": 4}})

    assert words(state, "pass") == [
        "seat 1 passes",
        "all have passed: the game ends with this round",
        "clans pay nobody; the leaders stand on 4 1",
        "fleets pay seat 0 5, seat 1 2; the leaders stand on 9 3",
        "the game ends: seat 0 has 9, seat 1 has 3",
    ]


def test_the_beginning_in_words():
    """FO5"""
    state = game(seats=2, first_player="1").new_state(b"words")

    first, second = words(state, "place A1", audience=0)
    assert first.startswith("the game begins: seat 1 starts, the leaders stand on 1 0; the hand is ")
    assert second == "seat 1 places a shield on A1"


def test_every_event_of_whole_games_has_words_for_every_audience():
    kinds = set()
    for seats, seed in ((2, b"a"), (3, b"b"), (5, b"c")):
        state = game(seats=seats, stall_rounds=2).new_state(seed)
        state.log = []
        for _ in played(state, seed):
            pass
        for event in state.log:
            kinds.add(event.kind)
            for audience in (PUBLIC, *range(seats)):
                assert state.game.event_text(seen(event, audience))
    assert kinds >= {
        "begun", "placed", "round_begun", "expanded", "attacked", "migrated", "sailed", "exchanged", "drew", "founded",
        "turn_ended", "end_triggered", "scored", "first_chosen", "game_ended", "yielded", "battle_lost", "battle_won",
        "reinforced", "reshuffled",
    }  # fmt: skip


def test_what_an_event_repeats_is_told_by_the_game():
    state = do(at("A2", "J1"), "pass")

    assert {"passed", "expanded", "placed"} <= state.game.echoes
    assert "founded" not in state.game.echoes
