"""The bytes themselves: those that were kept are those a fresh codec writes, and they mean what the schema says."""

from hypothesis import given, settings

from rivalry.games.ethnos.v1 import ethnos_pb2 as pb
from rivalry_engine.ethnos.data import COLOURS, TROLL_TOKENS
from rivalry_engine.event import Seen
from rivalry_wire.codec import codec
from wire.walk import SEEDS, audiences, decisions, ethnos


@settings(max_examples=3, deadline=None)
@given(SEEDS)
def test_kept_bytes_are_a_fresh_codecs_bytes_at_every_decision(seed):
    game = ethnos(4)
    wire = codec(game)
    for number, (state, mover) in enumerate(decisions(game, seed)):
        for audience in audiences(game) if number % 5 == 0 else (mover,):
            observation = state.observe(audience)
            assert wire.observation(observation) == codec(game).observation(observation)
        assert wire.choices(state.choices(mover)) == codec(game).choices(list(state.choices(mover)))


def test_the_bytes_of_a_clone_are_those_of_its_state():
    game = ethnos(3)
    wire = codec(game)
    for number, (state, mover) in enumerate(decisions(game, b"clone")):
        if number % 20 == 0:
            twin = state.clone()
            assert wire.observation(twin.observe(mover)) == wire.observation(state.observe(mover))


def test_two_matches_do_not_share_what_is_kept():
    game = ethnos(3)
    wire, other = codec(game), codec(game)
    for (state, mover), (second, seat) in zip(decisions(game, b"one"), decisions(game, b"two"), strict=False):
        assert wire.observation(state.observe(mover)) == codec(game).observation(state.observe(mover))
        assert other.observation(second.observe(seat)) == codec(game).observation(second.observe(seat))


def test_an_observation_says_what_the_engine_says():
    game = ethnos(4)
    wire = codec(game)
    for number, (state, mover) in enumerate(decisions(game, b"fields")):
        if number % 10:
            continue
        observation = state.observe(mover)
        message = pb.Observation.FromString(wire.observation(observation))
        board = message.board

        assert list(message.movers) == [observation.asked]
        assert pb.Question.Name(message.question) == f"QUESTION_{state.question(mover).upper()}"
        assert [message.seat, *message.hand] == [mover, *map(int, observation.hand)]
        assert [board.age, board.first, board.deck, board.safe] == [
            observation.board.age,
            observation.board.first,
            observation.board.deck,
            observation.board.safe,
        ]
        assert board.dragons == observation.board.dragons
        assert list(board.row) == [int(card) for card in observation.board.row]
        assert (board.giant if board.HasField("giant") else -1) == observation.board.giant
        assert (board.drawer if board.HasField("drawer") else -1) == observation.board.drawer
        for player, view in zip(message.players, observation.seats, strict=True):
            assert (player.hand, player.glory, player.supply) == (view.hand_size, view.glory, view.supply)
            assert (list(player.markers), player.merfolk) == ([*view.markers.values()], view.merfolk)
            assert list(player.known) == [int(card) for card in view.known]
            assert list(player.horde) == [colour for colour in COLOURS if view.horde_mask >> colour & 1]
            assert list(player.trolls) == [value for value in TROLL_TOKENS if view.troll_mask >> value & 1]
            assert [(band.leader, list(band.cards)) for band in player.bands] == [
                (int(band.leader), [int(card) for card in band.cards]) for band in view.bands
            ]


def test_two_events_that_share_their_facts_are_two_events():
    facts = {"seat": 1}
    wire = codec(ethnos())

    told = wire.event(Seen("passed", facts)) + wire.event(Seen("drawn", facts))

    assert [event.kind for event in wire.read_events(told)] == ["passed", "drawn"]


def test_much_glory_is_written():
    game = ethnos(2)
    state = game.state_at({"game": "ethnos", "options": {"seats": 2}, "seats": [{"glory": 300}, {"glory": 70_000}]})
    wire = codec(game)

    read = wire.read_observation(wire.observation(state.observe(0)), state.setup())

    assert [player.glory for player in read.seats] == [300, 70_000]


def test_choices_say_verb_value_and_cards():
    game = ethnos(3, tribes=["elves", "orcs", "trolls", "skeletons", "giants"])
    state = game.state_at(
        {
            "game": "ethnos",
            "options": game.options_given(),
            "movers": [0],
            "face_up": ["blue orc"],
            "seats": [{"hand": ["red elf", "blue elf", "skeleton"]}, {"hand": []}, {"hand": []}],
        }
    )
    red, blue, orc, skeleton = 3 * 8 + 6, 3 * 8 + 4, 8 * 8 + 4, 14 * 8

    message = pb.Choices.FromString(codec(game).choices(state.choices(0)))

    texts = [game.text(choice.action) for choice in state.choices(0)]
    assert texts[:2] == ["take blue orc", "draw"]
    assert list(message.codes[:2]) == [pb.VERB_TAKE | orc << 4, pb.VERB_DRAW]
    band = texts.index("band red elf: blue elf, skeleton")
    assert message.codes[band] == pb.VERB_BAND | red << 4
    start = sum(message.parts[:band])
    assert list(message.cards[start : start + message.parts[band]]) == [blue, skeleton]
    assert (message.most[band], message.usual[band]) == (2, 2)
    assert not message.least


def test_a_setup_holds_the_table_of_its_cards():
    game = ethnos(4, tribes=["elves", "orcs", "halflings", "skeletons", "giants", "merfolk"])
    setup = pb.Setup.FromString(codec(game).setup(game.new_state(b"").setup()))

    assert {tribe.name: (tribe.type, len(tribe.cards), tribe.copies) for tribe in setup.tribes} == {
        "elves": (3, 6, 2),
        "giants": (4, 6, 2),
        "halflings": (5, 6, 4),
        "merfolk": (6, 6, 2),
        "orcs": (8, 6, 2),
        "skeletons": (14, 1, 12),
    }
    assert [kingdom.name for kingdom in setup.kingdoms] == ["Ithys", "Althea", "Pelagon", "Straton", "Duris", "Rhea"]
    assert all(len(kingdom.tokens) == 3 and sorted(kingdom.tokens) == kingdom.tokens for kingdom in setup.kingdoms)
    assert (setup.supply, list(setup.merfolk_board.symbols), setup.dragons_to_end) == (24, [3, 7, 12, 18], 3)


def test_a_setup_without_merfolk_has_no_board_of_theirs():
    game = ethnos(2, tribes=["elves", "orcs", "halflings", "skeletons", "giants"])
    setup = pb.Setup.FromString(codec(game).setup(game.new_state(b"").setup()))

    assert not setup.HasField("merfolk_board")
    assert (setup.supply, setup.ages, list(setup.giant_glory)) == (25, 2, [2, 5])
