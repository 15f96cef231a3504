"""What a model's reply means, case by case: one answer, or the reason why it is none."""

from __future__ import annotations

from typing import Any

import pytest

from rivalry_agents.llm_reply import UnclearError, answer_in, note_in
from rivalry_engine import catalog
from rivalry_engine.error import NotationError
from rivalry_engine.prompt import Answer, Prompt


class Shop:
    """A game whose choices have parts, and whose actions are words of three letters."""

    def action(self, text: str) -> int:
        if len(text) != 3 or not text.isalpha():
            raise NotationError(f"{text!r} is no action")
        return 1


class ShopPrompt(Prompt):
    """Three choices; the last takes one to two of three parts."""

    number = 1
    game: Any = Shop()

    def shapes(self) -> list[tuple[int, int, int, int]]:
        return [(0, 0, 0, 0), (0, 0, 0, 0), (3, 1, 2, 2)]

    def text(self, index: int) -> str:
        return ["sell all", "2 pears", "buy: red, blue"][index]

    def texts(self) -> list[str]:
        return [self.text(index) for index in range(3)]


@pytest.mark.parametrize(
    ("reply", "answer"),
    [
        ("1", Answer(index=1)),
        ("ANSWER: 1", Answer(index=1)),
        ("I think of 2.\n\n**Answer:** `1`.", Answer(index=1)),
        ("ANSWER: [1]", Answer(index=1)),
        ("choice 1", Answer(index=1)),
        ("ANSWER: 1\n\nGood luck to all!", Answer(index=1)),
        ("ANSWER: 1\nSo it is.\nANSWER: **1**", Answer(index=1)),
        ("<think>ANSWER: 0, or 2?</think>\nANSWER: 1", Answer(index=1)),
        ("ANSWER: 0: sell all", Answer(index=0)),
        ("ANSWER: 0 (sell all)", Answer(index=0)),
        ("Sell  All.", Answer(index=0)),
        ("2 pears", Answer(index=1)),
        ("2", Answer(index=2)),
        ("ANSWER: 2 with 2 0", Answer(index=2, parts=(0, 2))),
        ("ANSWER: 2 with parts 1", Answer(index=2, parts=(1,))),
        ("ANSWER: 2 parts: 0, 1", Answer(index=2, parts=(0, 1))),
        ("ANSWER: mix", Answer(text="mix")),
        ("ANSWER：1", Answer(index=1)),
        ("**ANSWER：** 1", Answer(index=1)),
        ("ANSWER:\n1", Answer(index=1)),
        ("Well.\n**ANSWER:**\n\n```\n2 with 0\n```\nNOTE: so far", Answer(index=2, parts=(0,))),
        ("ANSWER:\nsell all", Answer(index=0)),
        ("ANSWER:\nANSWER: 1", Answer(index=1)),
        ("Final Answer: 1", Answer(index=1)),
        ("### **Final answer:** 2 with 0\nANSWER: 2 with 0", Answer(index=2, parts=(0,))),
        ("2 with [0, 2]", Answer(index=2, parts=(0, 2))),
        ("ANSWER: 2 with parts [ 1 ]", Answer(index=2, parts=(1,))),
        ("2 with 0 and 2", Answer(index=2, parts=(0, 2))),
        ("2 with 0, and 2", Answer(index=2, parts=(0, 2))),
        ("2 with [0 and 2]", Answer(index=2, parts=(0, 2))),
    ],
)
def test_one_clear_answer_is_taken(reply: str, answer: Answer) -> None:
    assert answer_in(ShopPrompt(), reply) == answer


@pytest.mark.parametrize(
    ("reply", "why"),
    [
        ("", "the reply is empty"),
        (" \n** \n", "the reply is empty"),
        ("ANSWER:", "nothing stands after ANSWER:"),
        ("ANSWER: 0\nANSWER: 1", "2 different answers"),
        ("1 or 2", "what stands behind the number 1 is unclear: 'or 2'"),
        ("1, 2", "what stands behind the number 1 is unclear"),
        ("ANSWER: 1: sell all", "what stands behind the number 1 is unclear"),
        ("3", "there is no choice 3; the numbers are 0 to 2"),
        ("-1", "'-1' is neither the number of a choice nor an action"),
        ("1.5", "unclear"),
        ("¹", "neither"),
        ("1" * 5_000, "unclear"),
        ("x" * 2_000, "the answer has 2000 characters"),
        ("I would sell all", "neither the number of a choice nor an action: 'I would sell all' is no action"),
        ("ANSWER: 0 with 1", "choice 0 has no parts"),
        ("ANSWER: 2 with 3", "choice 2 has no part 3; its parts are 0 to 2"),
        ("ANSWER: 2 with 1 1", "a part stands twice"),
        ("ANSWER: 2 with 0 1 2", "choice 2 takes 1 to 2 parts; 3 were named"),
        ("ANSWER: 2 with none", "choice 2 takes 1 to 2 parts; 0 were named"),
        ("ANSWER: 2 with red", "unclear"),
        ("ANSWER:\n1\n2", "nothing stands after ANSWER:, and 2 lines stand below; write the answer on its line"),
        ("ANSWER:\n1\nsince it is late", "nothing stands after ANSWER:, and 2 lines stand below"),
        ("ANSWER: 1\nFinal Answer: 0", "2 different answers"),
        ("ANSWER:\nI would sell all", "neither the number of a choice nor an action"),
        ("ANSWER:\n1 or 2", "what stands behind the number 1 is unclear"),
        ("2 with [0, 2", "unclear"),
        ("2 with 0 or 2", "unclear"),
        ("2 with 0 and", "unclear"),
        ("2 with 0-2", "unclear"),
        ("2 and 0", "what stands behind the number 2 is unclear: 'and 0'"),
        ("2 [0, 2]", "unclear"),
        ("<think>It is 1", "the reply ends before the thoughts do"),
    ],
)
def test_what_is_not_clear_is_no_answer(reply: str, why: str) -> None:
    with pytest.raises(UnclearError) as unclear:
        answer_in(ShopPrompt(), reply)

    assert why in str(unclear.value)


def test_much_room_in_a_reply_takes_no_time() -> None:
    with pytest.raises(UnclearError, match="unclear"):
        answer_in(ShopPrompt(), f"2 parts{' ' * 200_000}x")


def test_a_note_is_what_stands_behind_note_and_is_not_long() -> None:
    assert note_in("NOTE: watch seat 2\nANSWER: 1\n*Note:* and the deck") == "watch seat 2 and the deck"
    assert note_in("ANSWER: 1") == ""
    assert len(note_in(f"NOTE: {'x' * 9_000}")) == 500


def test_the_text_of_every_choice_of_a_real_game_is_its_answer() -> None:
    from rivalry_engine.prompt import StatePrompt

    state = catalog.game("ethnos", {"seats": 3}).new_state(b"reply")
    prompt = StatePrompt(state, state.movers()[0], number=1, luck=bytes(32))

    for index, text in enumerate(prompt.texts()):
        assert answer_in(prompt, f"ANSWER: {text}").index == prompt.texts().index(text)
        assert answer_in(prompt, f"ANSWER: {index}").index == index
