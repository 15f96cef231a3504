"""The vectors say what the observations say, and nothing that a seat may not know."""

import numpy as np
import pytest

from engine.sealed import Sealed
from environments.playing import at_random, begun
from rivalry_engine.chance import Stream
from rivalry_engine.error import RivalryError
from rivalry_engine.ethnos import Ethnos
from rivalry_engine.ethnos.cards import ALLIES
from rivalry_engine.foederati.question import BATTLE
from rivalry_engine.foederati.squares import NAMES
from rivalry_engine.kuhn import Kuhn
from rivalry_environments.encoder import Plain, encoder
from rivalry_environments.ethnos_words import FACE, FACES

GAMES = [("kuhn", {}), ("ethnos", {"seats": 2}), ("ethnos", {"seats": 4}), ("foederati", {"seats": 3})]

SECOND = {"seats": 3, "edition": "second", "clans": ["monkey", "raccoon", "koi", "fox", "bear"]}


@pytest.mark.parametrize(("name", "options"), [*GAMES, ("ethnos", SECOND)])
def test_slices_follow_one_another_and_bound_their_entries(name, options):
    play = begun(name, **options)
    layout = play.encoder.layout
    end = 0
    for row in layout:
        assert row.start == end
        assert layout[row.name] == slice(row.start, row.start + row.size)
        assert row.least < row.most
        assert row.meaning
        end += row.size
    assert end == layout.size
    assert row.name == "said"
    for number, _ in enumerate(at_random(play)):
        if number % 9:
            continue
        for seat in range(play.game.seats):
            vector = play.vector(seat)
            assert (vector >= layout.least()).all()
            assert (vector <= layout.most()).all()


@pytest.mark.parametrize(("name", "options"), [*GAMES, ("ethnos", SECOND)])
def test_a_vector_follows_from_what_its_seat_may_know(name, options):
    play = begun(name, **options)
    rng = Stream(play.seed, "imagine")
    other = encoder(play.game)
    for number, _ in enumerate(at_random(play)):
        if number % 7 or play.said:
            continue
        imagined = play.game.imagine(play.seat, play.state.observe(play.seat), rng)
        vector = np.zeros(other.layout.size, np.float32)
        other.write(imagined.observe(play.seat), imagined.setup(), vector)
        assert np.array_equal(vector, play.vector(play.seat))


def test_ethnos_can_be_read_back_from_its_vector():
    play = begun("ethnos", seats=3)
    layout = play.encoder.layout
    names = {FACE[card]: play.game.part_text(card) for card in ALLIES}

    def cards(vector, name):
        counts = vector[layout[name]]
        return sorted(names[at] for at in range(FACES) for _ in range(int(counts[at])))

    for number, _ in enumerate(at_random(play)):
        if number % 11:
            continue
        for seat in range(3):
            vector, seen = play.vector(seat), play.state.observe(seat).json()
            assert cards(vector, "hand") == sorted(seen["hand"])
            assert cards(vector, "row") == sorted(seen["board"]["row"])
            assert vector[layout["age"]] == seen["board"]["age"]
            assert np.flatnonzero(vector[layout["asked"]]) == (seen["question"]["seat"] - seat) % 3
            for distance in range(3):
                part = seen["seats"][(seat + distance) % 3]
                bands = part["bands"]
                assert vector[layout[f"p{distance}.glory"]] == part["glory"]
                assert vector[layout[f"p{distance}.supply"]] == part["supply"]
                assert vector[layout[f"p{distance}.markers"]].tolist() == list(part["markers"].values())
                assert cards(vector, f"p{distance}.known") == sorted(part["known"])
                assert cards(vector, f"p{distance}.leaders") == sorted(band["leader"] for band in bands)
                assert cards(vector, f"p{distance}.played") == sorted(card for band in bands for card in band["cards"])
                sizes = [len(band["cards"]) for band in bands]
                assert vector[layout[f"p{distance}.bands"]].tolist() == [sizes.count(size) for size in range(1, 11)]


def test_coins_and_all_who_are_asked_at_once_stand_in_the_vector():
    play = begun("ethnos", seed=b"0", **SECOND)
    layout, several, most = play.encoder.layout, 0, 0
    for number, _ in enumerate(at_random(play)):
        seen = play.state.observe(play.seat)
        asked = [
            (int(distance) + play.seat) % 3 for distance in np.flatnonzero(play.vector(play.seat)[layout["asked"]])
        ]
        assert sorted(asked) == list(seen.movers)
        several += len(asked) > 1
        if number % 5:
            continue
        coins, board = play.vector(1)[layout["coins"]].reshape(6, 3), seen.json()["board"]
        for region, (_, values) in zip(coins, board["coins"].items(), strict=True):
            assert region.tolist() == [values.count(value) for value in (1, 2, 3)]
        assert play.vector(1)[layout["coins_left"]] == len(board["coins_in_supply"])
        most = max(most, coins.sum())
    assert several
    assert most > 3


def test_foederati_can_be_read_back_from_its_vector():
    play = begun("foederati", seats=3)
    layout, board = play.encoder.layout, play.game.board
    names = [card.name for card in board.cards]

    def cards(vector, name):
        counts = vector[layout[name]]
        return sorted(names[at] for at in range(len(names)) for _ in range(int(counts[at])))

    def on(vector, name):
        return [NAMES[square] for square in np.flatnonzero(vector[layout[name]])]

    def seats(vector, name, seat):
        return [(int(distance) + seat) % 3 for distance in np.flatnonzero(vector[layout[name]])]

    battles = 0
    for number, _ in enumerate(at_random(play)):
        if number % 11 and play.state.question(play.seat) != BATTLE:
            continue
        for seat in range(3):
            vector, seen = play.vector(seat), play.state.observe(seat).json()
            turn, battle = seen["turn"], seen["turn"]["battle"]
            assert cards(vector, "hand") == sorted(seen["hand"])
            assert cards(vector, "kept") == sorted(seen["kept"])
            assert cards(vector, "discard") == sorted(turn["discard"])
            assert vector[layout["pile"]] == turn["pile"]
            assert vector[layout["round"]] == seen["board"]["round"]
            assert on(vector, "moved") == turn["moved"]
            assert on(vector, "target") == ([battle["target"]] if battle else [])
            assert seats(vector, "active", seat) == ([] if turn["active"] is None else [turn["active"]])
            assert seats(vector, "first", seat) == [seen["board"]["first"]]
            if battle:
                battles += 1
                assert seats(vector, "defender", seat) == [battle["defender"]]
                assert vector[layout["attack"]] == battle["attack"]
                assert vector[layout["defence"]] == battle["defence"]
                by_attacker, by_defender = np.split(vector[layout["played"]], 2)
                for side, by in (("attacker", by_attacker), ("defender", by_defender)):
                    played = [one["card"] for one in battle["played"] if one["seat"] == battle[side]]
                    assert [played.count(name) for name in names] == by.tolist()
            assert np.flatnonzero(vector[layout["asked"]]) == (seen["question"]["seat"] - seat) % 3
            founded = vector[layout["founder"]].reshape(-1, 3)
            assert {board.countries[country]: (distance + seat) % 3 for country, distance in np.argwhere(founded)} == {
                country: founding["seat"] for country, founding in seen["board"]["founded"].items()
            }
            for distance in range(3):
                part = seen["seats"][(seat + distance) % 3]
                assert vector[layout[f"p{distance}.position"]] == part["position"]
                assert vector[layout[f"p{distance}.supply"]] == part["supply"]
                assert vector[layout[f"p{distance}.lost"]] == part["lost"]
                assert on(vector, f"p{distance}.shields") == part["shields"]
                assert cards(vector, f"p{distance}.put") == sorted(e for e in part["since"] if isinstance(e, str))
                assert vector[layout[f"p{distance}.drawn"]] == sum(e for e in part["since"] if isinstance(e, int))
                assert vector[layout[f"p{distance}.passed"]] == (part["seat"] in seen["board"]["passed"])
                assert vector[layout[f"p{distance}.attacked"]] == (part["seat"] in turn["attacked"])
    assert battles > 5


def test_different_hands_give_different_vectors():
    vectors = {begun("kuhn", seed=str(seed).encode()).vector(0).tobytes() for seed in range(20)}

    assert len(vectors) == 3


def test_a_game_without_an_encoder_is_played_by_numbers():
    plain = encoder(Sealed({"seats": 2}), choices=3, parts=0)

    assert isinstance(plain, Plain)
    assert plain.words.texts == ("choice 0", "choice 1", "choice 2")
    assert [row.name for row in plain.layout] == ["seat", "said"]


def test_an_encoder_refuses_the_observation_of_another_game():
    ethnos, kuhn = Ethnos({"seats": 2}).new_state(b"x"), Kuhn().new_state(b"x")
    vector = np.zeros(4000, np.float32)

    with pytest.raises(RivalryError, match="no observation of Kuhn"):
        encoder(Kuhn()).write(ethnos.observe(0), ethnos.setup(), vector)
    with pytest.raises(RivalryError, match="no observation of Ethnos"):
        encoder(Ethnos({"seats": 2})).write(kuhn.observe(0), kuhn.setup(), vector)


def test_a_slice_that_is_not_there_is_named_with_those_that_are():
    with pytest.raises(KeyError, match="no slice 'cards'; it has seat, card, moves, shown, said"):
        encoder(Kuhn()).layout["cards"]
