"""E9: what Kingdoms, the Merfolk board, Bands and Orc boards pay when an Age ends."""

import pytest

from engine.ethnos.table import COLOURS, KINGDOMS, SIX, asked, at, do, ending, glory, markers, offered, seat_of

MERFOLK = ("merfolk", "elves", "orcs", "skeletons", "trolls")
MERFOLK_SIX = (*MERFOLK, "giants")
THREE = [2, 6, 10]
TWO = [4, 6]


def paid(age: int, counts: tuple[int, ...], tokens: list[int], kingdom: str = "Rhea", trolls=()) -> list[int]:
    """What one Kingdom pays the seats, by their markers in it."""
    players = [{"markers": {kingdom: count}} for count in counts]
    for player, held in zip(players, trolls, strict=False):
        player["troll_tokens"] = held
    return glory(do(ending(len(counts), age=age, players=players, glory_tokens={kingdom: tokens}), "draw"))


@pytest.mark.parametrize(
    ("age", "counts", "pays"),
    [
        (1, (3, 2, 1, 0), [2, 0, 0, 0]),
        (2, (3, 2, 1, 0), [6, 2, 0, 0]),
        (3, (3, 2, 1, 0), [10, 6, 2, 0]),
        (3, (1, 2, 3, 4), [0, 2, 6, 10]),
        (3, (0, 0, 7, 0), [0, 0, 10, 0]),
        (3, (0, 1, 0, 2), [0, 6, 0, 10]),
        (2, (0, 1, 0, 0), [0, 6, 0, 0]),
        (1, (0, 0, 0, 1), [0, 0, 0, 2]),
        (3, (0, 0, 0, 0), [0, 0, 0, 0]),
    ],
)
def test_a_kingdom_pays_by_age_and_place(age, counts, pays):
    """E9.1, E9.11"""
    assert paid(age, counts, THREE) == pays


@pytest.mark.parametrize("kingdom", KINGDOMS)
def test_every_kingdom_pays_its_own_tokens(kingdom):
    """E9.1"""
    tokens = {name: [2, 4, 6 if name == kingdom else 10] for name in KINGDOMS if name in (kingdom, "Ithys", "Rhea")}
    state = ending(4, players=[{"markers": {kingdom: 1}}], glory_tokens={kingdom: tokens[kingdom]})

    assert glory(do(state, "draw")) == [6, 0, 0, 0]


def test_several_kingdoms_add_up():
    """E9.1, E9.8: what a seat had before stays."""
    players = [
        {"markers": {"Ithys": 2, "Rhea": 1}, "glory": 5},
        {"markers": {"Ithys": 1, "Rhea": 3}, "glory": 1},
        {"markers": {"Duris": 1}},
    ]
    state = ending(players=players, glory_tokens={"Ithys": [0, 8], "Rhea": [2, 10], "Duris": [4, 6]})

    assert glory(do(state, "draw")) == [5 + 8 + 2, 1 + 0 + 10, 6]


@pytest.mark.parametrize(
    ("age", "counts", "tokens", "pays"),
    [
        (2, (2, 2, 2), [4, 6], [3, 3, 3]),
        (2, (3, 3, 1), [2, 4], [3, 3, 0]),
        (2, (3, 2, 2), [2, 4], [4, 1, 1]),
        (1, (2, 2, 1), [4, 6], [2, 2, 0]),
        (1, (2, 2, 2), [4, 6], [1, 1, 1]),
        (3, (5, 5, 2, 1), THREE, [8, 8, 2, 0]),
        (3, (5, 3, 3, 1), THREE, [10, 4, 4, 0]),
        (3, (5, 4, 2, 2), THREE, [10, 6, 1, 1]),
        (3, (3, 3, 3, 1), THREE, [6, 6, 6, 0]),
        (3, (2, 2, 2, 2), THREE, [4, 4, 4, 4]),
        (3, (5, 1, 1, 1), THREE, [10, 2, 2, 2]),
        (3, (4, 4, 1, 1), THREE, [8, 8, 1, 1]),
        (3, (0, 1, 1, 0), THREE, [0, 8, 8, 0]),
        (2, (1, 1, 1, 3), THREE, [0, 0, 0, 6]),
        (2, (1, 1, 3, 0), THREE, [1, 1, 6, 0]),
        (3, (1, 1, 1, 1, 1), [2, 4, 10], [3, 3, 3, 3, 3]),
        (3, (4, 1, 1, 1, 1, 1), [2, 8, 10], [10, 2, 2, 2, 2, 2]),
    ],
)
def test_the_tied_share_the_awards_of_the_places_they_fill(age, counts, tokens, pays):
    """E9.2, worked example 3"""
    assert paid(age, counts, tokens) == pays


@pytest.mark.parametrize(
    ("counts", "trolls", "pays"),
    [
        ((3, 3, 0, 0), ([], [1]), [6, 10, 0, 0]),
        ((3, 3, 0, 0), ([1], [2]), [6, 10, 0, 0]),
        ((3, 3, 0, 0), ([5, 2], [6]), [10, 6, 0, 0]),
        ((3, 3, 0, 0), ([3, 4], [1, 6]), [6, 10, 0, 0]),
        ((3, 3, 3, 0), ([1, 4], [5], [2, 3]), [6, 10, 2, 0]),
        ((2, 2, 2, 2), ([], [1]), [2, 10, 2, 2]),
        ((2, 2, 2, 2), ([1], [], [2]), [6, 1, 10, 1]),
        ((4, 3, 3, 0), ([], [], [6]), [10, 2, 6, 0]),
        ((4, 3, 2, 0), ([], [], [6]), [10, 6, 2, 0]),
        ((0, 3, 3, 0), ([6], [], []), [0, 8, 8, 0]),
    ],
)
def test_trolls_break_ties(counts, trolls, pays):
    """E9.3: the sum first, then the highest single token; those without any share what is left."""
    assert paid(3, counts, THREE, trolls=trolls) == pays


@pytest.mark.parametrize(
    ("age", "counts", "pays"),
    [
        (1, (2, 1), [4, 0]),
        (1, (0, 1), [0, 4]),
        (1, (1, 1), [2, 2]),
        (1, (0, 0), [0, 0]),
        (2, (2, 1), [6, 0]),
        (2, (1, 3), [0, 6]),
        (2, (1, 0), [10, 0]),
        (2, (0, 2), [0, 10]),
        (2, (2, 2), [3, 3]),
        (2, (0, 0), [0, 0]),
    ],
)
def test_two_players(age, counts, pays):
    """E9.4"""
    assert paid(age, counts, TWO) == pays


def test_trolls_break_ties_of_two_players():
    """E9.3, E9.4"""
    assert paid(2, (2, 2), TWO, trolls=([], [1])) == [0, 6]
    assert paid(1, (2, 2), TWO, trolls=([3], [1, 2])) == [4, 0]


def test_one_contender_with_three_players_gets_the_first_award_only():
    """E9.11"""
    assert paid(2, (1, 0, 0), TWO) == [6, 0, 0]
    assert paid(1, (1, 0, 0), TWO) == [4, 0, 0]


@pytest.mark.parametrize(
    ("age", "spaces", "trolls", "pays"),
    [
        (2, (9, 9), (), [1, 1]),
        (2, (9, 4), (), [3, 0]),
        (2, (9, 0), (), [4, 0]),
        (2, (9, 9), ([1],), [3, 0]),
        (1, (9, 4), (), [1, 0]),
        (1, (0, 4), (), [0, 1]),
        (1, (4, 4), (), [0, 0]),
        (1, (4, 4), ([], [2]), [0, 1]),
        (2, (0, 0), (), [0, 0]),
        (2, (9, 9, 4), (), [2, 2, 0]),
        (2, (9, 4, 1), (), [3, 1, 0]),
        (2, (9, 4, 4), (), [3, 0, 0]),
        (2, (9, 0, 0), (), [3, 0, 0]),
        (2, (9, 9, 4), ([], [1]), [1, 3, 0]),
        (1, (9, 4, 1), (), [1, 0, 0]),
        (2, (9, 6, 6, 0), (), [2, 0, 0, 0]),
        (2, (9, 6, 5, 0), (), [2, 1, 0, 0]),
        (1, (1, 0, 0, 0), (), [1, 0, 0, 0]),
        (3, (18, 17, 16, 15), (), [4, 2, 1, 0]),
        (3, (18, 18, 16, 15), (), [3, 3, 1, 0]),
        (3, (18, 17, 17, 15), (), [4, 1, 1, 0]),
        (3, (18, 17, 16, 16), (), [4, 2, 0, 0]),
        (3, (18, 18, 18, 0), (), [2, 2, 2, 0]),
        (3, (0, 0, 1, 2, 3), (), [0, 0, 1, 2, 4]),
        (3, (1, 1, 1, 1, 1, 1), (), [1, 1, 1, 1, 1, 1]),
    ],
)
def test_the_merfolk_board_pays_like_a_kingdom(age, spaces, trolls, pays):
    """E9.5, E9.10, worked example 10"""
    players = [{"merfolk": space} for space in spaces]
    for player, held in zip(players, trolls, strict=False):
        player["troll_tokens"] = held
    state = ending(len(spaces), MERFOLK if len(spaces) < 4 else MERFOLK_SIX, age=age, players=players)

    assert glory(do(state, "draw")) == pays


@pytest.mark.parametrize(
    ("cards", "pays"), [(1, 0), (2, 1), (3, 3), (4, 6), (5, 10), (6, 15), (7, 15), (8, 15), (9, 15), (10, 15)]
)
def test_bands_pay_by_their_size(cards, pays):
    """E9.6, worked example 4"""
    tribes = ("halflings", "dwarves", "orcs", "trolls", "giants")
    faces = [*["red halfling"] * 4, "red orc", "red orc", "red troll", "red troll", "red giant", "red giant"][:cards]
    plain = ending(tribes=tribes, players=[{"bands": [{"leader": faces[0], "cards": faces}]}])
    assert glory(do(plain, "draw")) == [pays, 0, 0]

    dwarf = ["red dwarf", *faces[: cards - 1]]
    more = ending(tribes=tribes, players=[{}, {"bands": [{"leader": "red dwarf", "cards": dwarf}]}])
    assert glory(do(more, "draw")) == [0, {1: 1, 2: 3, 3: 6, 4: 10}.get(cards, 15), 0]


def test_all_bands_of_all_players_pay():
    """E9.6"""
    players = [
        {
            "bands": [
                {"leader": "red elf", "cards": ["red elf", "red orc"]},
                {"leader": "red orc", "cards": ["red orc"]},
            ]
        },
        {"bands": [{"leader": "blue elf", "cards": ["blue elf", "blue orc", "blue troll"]}]},
        {
            "bands": [
                {"leader": "grey elf", "cards": ["grey elf", "grey orc"]},
                {"leader": "green elf", "cards": ["green elf", "green orc", "green troll", "green giant"]},
            ]
        },
    ]
    for age in (1, 2):
        assert glory(do(ending(age=age, players=players), "draw")) == [1, 3, 7]


@pytest.mark.parametrize(("count", "pays"), list(enumerate((0, 1, 3, 6, 10, 15, 20))))
def test_in_the_last_age_orc_boards_are_emptied_unasked(count, pays):
    """E9.7"""
    for seats in (2, 3, 4, 5, 6):
        state = ending(seats, players=[{}, {"orc_board": list(COLOURS[:count])}])

        do(state, "draw")

        assert asked(state) is None
        assert glory(state) == [0, pays, *[0] * (seats - 2)]
        assert seat_of(state, 1)["orc_board"] == []


@pytest.mark.parametrize(("count", "pays"), list(enumerate((1, 3, 6, 10, 15, 20), start=1)))
def test_in_an_earlier_age_the_owner_decides(count, pays):
    """E9.7"""
    board = list(COLOURS[:count])
    asking = ending(age=1, players=[{"orc_board": board}])
    do(asking, "draw")
    assert asked(asking) == ("empty", 0)
    assert offered(asking) == {"empty", "keep board"}

    emptied = do(asking.clone(), "empty")
    assert glory(emptied) == [pays, 0, 0]
    assert seat_of(emptied, 0)["orc_board"] == []

    kept = do(asking, "keep board")
    assert glory(kept) == [0, 0, 0]
    assert sorted(seat_of(kept, 0)["orc_board"]) == sorted(board)


@pytest.mark.parametrize(
    ("drawer", "owners", "order"),
    [
        (2, (0, 1, 2, 3), [2, 3, 0, 1]),
        (2, (0, 3), [3, 0]),
        (0, (1, 2), [1, 2]),
        (3, (0, 3), [3, 0]),
        (1, (0,), [0]),
        (1, (), []),
    ],
)
def test_orc_decisions_go_clockwise_from_the_drawer_of_the_third_dragon(drawer, owners, order):
    """E9.7, E9.9"""
    players = [{"orc_board": ["red"] if seat in owners else []} for seat in range(4)]
    state = ending(4, SIX, age=2, movers=[drawer], players=players)
    do(state, "draw")
    seen = []

    while asked(state) != ("turn", state.movers()[0]):
        kind, seat = asked(state)
        assert kind == "empty"
        seen.append(seat)
        do(state, "keep board")

    assert seen == order
    assert state.position()["age"] == 3


def test_the_first_player_is_the_one_with_least_after_the_orc_decisions():
    """E9.9, E3.3"""
    players = [{"orc_board": ["red"], "glory": 3}, {"glory": 4}, {"glory": 5}]

    kept = do(ending(age=1, players=players), "draw", "keep board")
    assert asked(kept) == ("turn", 0)

    emptied = do(ending(age=1, players=[{"orc_board": ["red", "blue"], "glory": 3}, *players[1:]]), "draw", "empty")
    assert glory(emptied) == [6, 4, 5]
    assert asked(emptied) == ("turn", 1)


def test_a_wizard_draw_may_bring_on_the_orc_decisions():
    """E9.7, E6.19: the drawer is the player of the Band."""
    tribes = ("wizards", "orcs", "elves", "trolls", "giants")
    players = [{"orc_board": ["red"]}, {"hand": ["red wizard"], "orc_board": ["blue"]}, {"orc_board": ["green"]}]
    state = ending(tribes=tribes, age=1, movers=[1], players=players)

    do(state, "band red wizard", "mark none", "draw all")
    assert asked(state) == ("empty", 1)
    do(state, "empty")
    assert asked(state) == ("empty", 2)
    do(state, "keep board", "empty")

    assert state.position()["age"] == 2
    assert glory(state) == [1, 1, 0]


def test_everything_is_paid_before_the_orc_decisions():
    """E8, E9.7: Kingdoms, the Merfolk board, the Giant token and Bands."""
    tribes = ("merfolk", "orcs", "giants", "elves", "trolls")
    players = [
        {
            "markers": {"Rhea": 1},
            "merfolk": 1,
            "giant_token": True,
            "bands": [{"leader": "red giant", "cards": ["red giant", "red elf"]}],
            "orc_board": ["red"],
        }
    ]
    state = ending(tribes=tribes, age=1, players=players, glory_tokens={"Rhea": [8, 10]})

    do(state, "draw")

    assert asked(state) == ("empty", 0)
    assert glory(state) == [8 + 1 + 2 + 1, 0, 0]
    assert markers(state) == {"Rhea": 1}


def test_hands_are_gone_while_orcs_are_asked():
    """E8, E9.7: hands are discarded first."""
    state = ending(age=1, players=[{"orc_board": ["red"], "hand": ["red elf"]}, {"hand": ["blue elf"]}])

    do(state, "draw")

    assert asked(state) == ("empty", 0)
    assert [seat_of(state, seat)["hand"] for seat in range(3)] == [[], [], []]


def test_nothing_ever_takes_glory_away():
    """E9.8"""
    state = at(4, seed="gain", glory_tokens={})
    before = glory(state)
    for _ in range(30):
        do(state, sorted(offered(state))[-1])
        after = glory(state)
        assert all(new >= old for new, old in zip(after, before, strict=True))
        before = after
