"""A model and a program play a game whose rules are not installed where they are: the arena's texts are enough."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from agents.endpoint import completion, endpoint, last
from client.scripted import KuhnTable, ScriptedArena, played
from e2e.program import SOON_S
from rivalry.arena.v1 import session_pb2
from rivalry_agents.llm import LlmBot
from rivalry_agents.stdio import StdioBot

NOBODYS = "type.googleapis.com/nobody.auction.v1."


async def auction(arena: ScriptedArena) -> session_pb2.Answer:
    """A session with one prompt of a game that nobody knows here; what was answered."""
    table = KuhnTable()
    hello = await arena.welcome()
    assert {"legal_text", "view_text"} <= set(hello.features)
    started = table.started()
    started.match_started.game = "auction"
    started.match_started.setup.type_url = f"{NOBODYS}Setup"
    prompt = table.prompt(
        texts=["bid 3", "pass"], part_texts=["gold", "silver"], view="You have 10 coins.", event_count=1
    )
    asked = prompt.prompt
    del asked.parts[:]
    asked.parts.extend([2, 0])
    asked.least.extend([1, 0])
    asked.most.extend([2, 0])
    asked.usual.extend([1, 0])
    for payload in (asked.observation, asked.choices, asked.events):
        payload.type_url, payload.value = f"{NOBODYS}Any", b"?"
    await arena.frame(started, prompt)
    answer: session_pb2.Answer = await arena.hear("answer")
    await arena.frame(table.ended())
    await arena.end()
    return answer


def test_a_model_is_told_what_the_arena_says_and_answers_in_its_words(monkeypatch: pytest.MonkeyPatch) -> None:
    answers: list[session_pb2.Answer] = []

    async def script(arena: ScriptedArena) -> None:
        answers.append(await auction(arena))

    with endpoint(lambda number, asked: completion("ANSWER: 0 with 1")) as server:
        monkeypatch.setenv("no_proxy", "127.0.0.1")
        settings = LlmBot.settings_from({"model": "m", "base_url": server.url})
        ending = played(LlmBot, script, settings=settings)

        assert ending.kind == "done"
        assert (answers[0].index, list(answers[0].parts.indices)) == (0, [1])
        assert "You play auction (auction) on seat 0 of 2" in server.asked[0]["messages"][0]["content"]
        assert "# What you see\nYou have 10 coins." in last(server.asked[0])
        assert "[0] bid 3  | parts: 0=gold, 1=silver; takes 1 to 2; the number alone takes the first 1" in (
            last(server.asked[0])
        )


def test_a_program_gets_the_arenas_texts_and_null_for_what_cannot_be_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("rivalry_agents.stdio_program.LEAVE_S", SOON_S)  # what it does at the end, it does
    answers: list[session_pb2.Answer] = []

    async def script(arena: ScriptedArena) -> None:
        answers.append(await auction(arena))

    program = tmp_path / "program.sh"
    program.write_text(
        f'read -r m; read -r p; echo \'{{"index":1}}\'; read -r e; printf \'%s\\n\' "$m" "$p" >{tmp_path}/x'
    )
    ending = played(StdioBot, script, settings=StdioBot.settings_from({"command": f"sh {program}"}))

    match, prompt = (json.loads(line) for line in (tmp_path / "x").read_text().splitlines())
    assert ending.kind == "done"
    assert answers[0].index == 1
    assert (match["game"], match["setup"], match["primer"]) == ("auction", None, "")
    assert prompt["choices"] == [
        {"text": "bid 3", "parts": ["gold", "silver"], "least": 1, "most": 2, "usual": 1},
        {"text": "pass"},
    ]
    assert (prompt["view"], prompt["observation"], prompt["events"]) == ("You have 10 coins.", None, None)
