"""Playing in process, answering prompts, and judging answers at the border."""

import pytest

from engine.sealed import Sealed
from rivalry_engine import catalog, playout
from rivalry_engine.chance import Stream
from rivalry_engine.error import IllegalActionError, OptionError, PositionError, RivalryError, UnknownGameError
from rivalry_engine.game import Choice, Objection
from rivalry_engine.kuhn import Kuhn
from rivalry_engine.naming import among
from rivalry_engine.outcome import placed
from rivalry_engine.prompt import Answer, StatePrompt, judged


def test_the_same_seed_and_choosers_play_the_same_game():
    games = [playout.play(Kuhn(), [playout.uniform] * 2, seed).moves for seed in (b"a", b"a", b"b", b"c", b"d")]

    assert games[0] == games[1]
    assert len(set(games)) > 1


def test_simultaneous_movers_are_asked_before_any_answer_is_applied():
    seen = []

    def chooser(prompt):
        seen.append((prompt.seat, prompt.observation.facts["in"], prompt.number))
        return prompt.seat

    played = playout.play(Sealed({"seats": 3}), [chooser] * 3, b"")

    assert seen == [(0, [], 1), (1, [], 1), (2, [], 1), (0, [], 2), (1, [], 2), (2, [], 2)]
    assert played.state.scores() == (0, 0, 2)


def test_answers_may_be_numbers_notation_or_answers():
    assert playout.play(Kuhn(), [lambda p: 1, lambda p: "bet"], b"").moves == ((0, 2), (1, 2))
    assert playout.play(Kuhn(), [lambda p: p.answer(0), playout.first], b"").moves == ((0, 1), (1, 1))


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        (2, r"seat 0, prompt 1: there is no choice 2; the prompt has 0 to 1 \(no_choice\)"),
        (-1, r"no choice -1"),
        ("raise", r"'raise' is no action of Kuhn poker; expected pass or bet \(notation\)"),
        (Answer(), r"names no choice, no action and no notation \(empty\)"),
        (Answer(action=5), r"5 is neither pass \(1\) nor bet \(2\) \(unknown\)"),
        (Answer(text="bet", parts=()), r"parts go with the number of a choice"),
    ],
)
def test_an_illegal_answer_ends_a_playout_with_its_reason(answer, message):
    with pytest.raises(IllegalActionError, match=message):
        playout.play(Kuhn(), [lambda p: answer, playout.first], b"")


@pytest.mark.parametrize("answer", [None, 1.0, True, b"bet", [0]])
def test_what_is_no_answer_at_all_is_refused(answer):
    with pytest.raises(RivalryError, match=r"a bot answered .*; expected the number of a choice"):
        playout.play(Kuhn(), [lambda p: answer, playout.first], b"")


def test_the_number_of_choosers_is_the_number_of_seats():
    with pytest.raises(IllegalActionError, match="kuhn has 2 seats; choosers were given for 1"):
        playout.play(Kuhn(), [playout.first], b"")


class Holes(Kuhn):
    """Kuhn poker whose second choice has three parts, of which one or two are taken."""

    def fill(self, choice, chosen):
        return 100 + sum(1 << index for index in chosen)


class OneHole:
    """A state with a choice that has a hole."""

    game = Holes()


CHOICES = (Choice(1), Choice(101, (7, 8, 9), 1, 2, 1))


@pytest.mark.parametrize(
    ("parts", "code"),
    [
        ((), "part_count"),
        ((0, 1, 2), "part_count"),
        ((1, 0), "part_order"),
        ((1, 1), "part_order"),
        ((3,), "part_order"),
        ((-1,), "part_order"),
    ],
)
def test_parts_are_judged_as_a_set_of_an_allowed_size(parts, code):
    objection = judged(OneHole(), 0, CHOICES, Answer(index=1, parts=parts))

    assert isinstance(objection, Objection)
    assert objection.code == code


def test_parts_fill_the_hole_and_none_take_the_usual():
    assert judged(OneHole(), 0, CHOICES, Answer(index=1)) == 101
    assert judged(OneHole(), 0, CHOICES, Answer(index=1, parts=(1, 2))) == 106
    assert judged(OneHole(), 0, CHOICES, Answer(index=0, parts=())) == 1


def test_uniform_is_uniform_over_choices_then_sizes_then_parts():
    shapes, counts = [(0, 0, 0, 0), (3, 1, 2, 1)], {}
    for number in range(6000):
        answer = playout.picked(shapes, Stream(b"uniform", str(number)))
        counts[(answer.index, answer.parts)] = counts.get((answer.index, answer.parts), 0) + 1

    assert len(counts) == 7
    assert 2800 < counts.pop((0, None)) < 3200
    assert all(400 < count < 600 for count in counts.values())


def test_a_prompt_tells_its_choices_and_draws_from_its_seat_s_luck():
    state = Kuhn().new_state(b"x")

    prompt = StatePrompt(state, 0, number=3, luck=b"luck")

    assert (prompt.kind, prompt.texts(), prompt.shapes()) == ("open", ["pass", "bet"], [(0, 0, 0, 0)] * 2)
    assert prompt.stream().word() == Stream(b"luck", "prompt/3").word()
    assert prompt.answer(1, [2, 0], note="hm") == Answer(index=1, parts=(0, 2), note="hm")
    assert prompt.answer("draw", note="hm") == Answer(text="draw", note="hm")
    assert not hasattr(prompt, "state")


def test_a_seat_that_fell_ranks_below_all_that_did_not_later_before_earlier():
    assert placed((1, 2, 3, 3), (None, None, None, None)) == (1, 2, 3, 3)
    assert placed((1, 2, 3, 3), (4, None, 9, None)) == (4, 1, 3, 2)
    assert placed((1, 2, 3, 3), (4, 4, None, None)) == (3, 3, 1, 1)


def test_games_are_found_by_entry_point():
    assert {"kuhn", "ethnos"} <= set(catalog.names())
    assert catalog.game("kuhn").options == {"seats": 2}
    with pytest.raises(UnknownGameError, match=r"there is no game 'chess'; installed are .*kuhn"):
        catalog.game("chess")
    with pytest.raises(OptionError, match="kuhn has no option 'tempo'; it has seats"):
        catalog.game("kuhn", {"tempo": 1})


@pytest.mark.parametrize(
    ("game", "games", "holds"),
    [
        ("chess", ["go", "chess"], True),
        ("chess", ["many"], False),
        ("many:chess", ["many"], True),
        ("many:chess", ["many:chess"], True),
        ("many:chess", ["many:go", "chess", ""], False),
        ("many", ["many:chess"], False),
    ],
)
def test_the_name_of_a_family_stands_for_all_of_its_games(game, games, holds):
    assert among(game, games) is holds


@pytest.mark.parametrize(
    ("position", "message"),
    [
        ([], "a position is a JSON object; list was given"),
        ({}, "position key game: None; expected the name of a game"),
        ({"game": "kuhn", "options": 3}, "position key options: 3; expected a JSON object"),
        ({"game": "kuhn", "options": {"seats": 9}}, "position key options: option seats: 9 is not allowed"),
    ],
)
def test_a_position_without_a_playable_game_is_refused(position, message):
    with pytest.raises(PositionError, match=message):
        catalog.state_at(position)


def test_what_a_game_does_not_foresee_in_a_position_is_told_with_the_game(monkeypatch):
    def fails(self, position):
        return position["cards"] + 1

    monkeypatch.setattr(Kuhn, "state_at", fails)
    with pytest.raises(PositionError, match="kuhn cannot read this position: TypeError: can only concatenate"):
        catalog.state_at({"game": "kuhn", "cards": []})


class Indexed:
    """As the integers of numeric libraries are: no int, but an index."""

    def __index__(self):
        return 1


def test_an_integer_of_another_kind_is_the_number_of_a_choice():
    prompt = StatePrompt(Kuhn().new_state(b"x"), 0, number=1, luck=b"")

    assert Answer.of(Indexed()) == Answer(index=1)
    assert prompt.answer(Indexed(), [Indexed()]) == Answer(index=1, parts=(1,))


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ((None,), "expected the number of a choice or notation"),
        ((True,), "expected the number of a choice or notation"),
        ((1.5,), "expected the number of a choice or notation"),
        ((1, 2), "expected indices of parts"),
        ((1, ["a"]), "expected indices of parts"),
        (("bet", [0]), "parts go with the number of a choice"),
    ],
)
def test_an_answer_of_anything_else_is_refused_where_it_is_made(arguments, told):
    prompt = StatePrompt(Kuhn().new_state(b"x"), 0, number=1, luck=b"")

    with pytest.raises(RivalryError, match=told):
        prompt.answer(*arguments)
    with pytest.raises(RivalryError, match="expected a text as note"):
        prompt.answer(0, note=3)


class Contrary(int):
    """An integer that cannot be compared."""

    def __lt__(self, other):
        raise RuntimeError("no order")

    __le__ = __gt__ = __ge__ = __lt__


class Worded(str):
    """A text of another kind."""

    def __str__(self):
        raise RuntimeError("no words")


class Nameless:
    """What has no words."""

    def __repr__(self):
        raise RuntimeError("no words")


@pytest.mark.parametrize(
    "answer",
    [
        *(Answer(index=wrong) for wrong in ("x", 0.0, True)),
        *(Answer(index=0, parts=wrong) for wrong in (5, "0", (0.0,), ("a",), (True,), {0})),
        *(Answer(index=0, note=wrong) for wrong in (5, b"x", "\ud800")),
        *(Answer(action=wrong) for wrong in (object(), 1.0, "bet", True)),
        *(Answer(text=wrong) for wrong in (5, b"bet", "\ud800")),
        "\ud800",
        Nameless(),
    ],
)
def test_an_answer_s_fields_are_of_the_types_it_declares(answer):
    state = Kuhn().new_state(b"x")

    with pytest.raises(RivalryError, match="a bot answered"):
        Answer.of(answer)
    if isinstance(answer, Answer):
        with pytest.raises(RivalryError, match="a bot answered"):
            judged(state, 0, state.choices(0), answer)


def test_integers_and_texts_of_other_kinds_become_plain_ones():
    answers = [
        Answer.of(Contrary(1)),
        Answer.of(Answer(index=Contrary(1), parts=(Indexed(), Contrary(2)), action=Contrary(3), note=Worded("hm"))),
        Answer.of(Worded("bet")),
    ]

    assert answers == [Answer(index=1), Answer(index=1, parts=(1, 2), action=3, note="hm"), Answer(text="bet")]
    assert {type(answers[0].index), *map(type, answers[1].parts), type(answers[1].action)} == {int}
    assert type(answers[1].note) is type(answers[2].text) is str


@pytest.mark.parametrize(
    ("answer", "code"),
    [
        (Answer(index=10**5000), "no_choice"),
        (Answer(index=-(10**5000)), "no_choice"),
        (Answer(index=1, parts=(10**5000,)), "part_order"),
        (Answer(action=1 << 20_000), "action"),
        (Answer(action=-(1 << 20_000)), "action"),
    ],
)
def test_a_huge_integer_is_objected_to(answer, code):
    assert judged(OneHole(), 0, CHOICES, answer).code == code


def test_nothing_done_to_a_prompt_changes_the_state_or_another_prompt():
    game = Kuhn()
    state = game.new_state(b"x")
    prompt = StatePrompt(state, 0, number=1, luck=b"")

    assert type(prompt.choices) is tuple
    with pytest.raises(AttributeError):
        prompt.choices[0].action = 2
    with pytest.raises(TypeError):
        prompt.game.options["seats"] = 99
    with pytest.raises(TypeError):
        prompt.game.glossary["bet"] = "lose"
    with pytest.raises(AttributeError, match="seats cannot be set: the game kuhn does not change"):
        prompt.game.seats = 99
    with pytest.raises(AttributeError):
        del prompt.game.seats
    assert catalog.game("ethnos", {"seats": 3}).seats == 3
