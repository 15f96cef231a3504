"""Chat agents at the table, as hosts see them: the SDK's own client plays, errs, dawdles and goes away."""

from __future__ import annotations

import asyncio
import re
import time
from pathlib import Path

import pytest

pytest.importorskip("mcp.server.mcpserver", reason="needs the extra mcp")

from mcp.client.client import Client
from mcp.shared.exceptions import MCPError

from agents.mcp_house import Agent, House, in_house
from rivalry_agents.mcp_server import tools
from rivalry_agents.mcp_server.arena import Arena as Calls
from rivalry_agents.mcp_server.desk import Desk
from rivalry_server.arena import Arena
from rivalry_server.commands.serve import _built_in
from rivalry_server.settings import Settings
from rivalry_server.token_file import TokenFile
from rivalry_server.tokens import Kind, Token

LIMIT_S = 50.0
"""For what comes in a moment; so long a call may wait at most."""

BAD: list[tuple[str, dict[str, object], str]] = [
    ("read_rules", {"game": "chess"}, "there is no game 'chess'; installed are"),
    ("read_rules", {}, "game is missing; expected a text"),
    ("new_match", {"game": "chess"}, "there is no game 'chess'"),
    ("new_match", {"game": "kuhn", "opponents": ["nobody"]}, "there is no built-in bot 'nobody'"),
    ("new_match", {"game": "kuhn", "opponents": ["first", "first"]}, "kuhn is played with 2 seats; 3 were asked for"),
    ("new_match", {"game": "ethnos", "opponents": ["first"] * 3, "options": {"seats": 3}}, "opponents: 3 were named"),
    ("new_match", {"game": "kuhn", "your_seat": 2}, "your_seat is 2; kuhn with 2 seats has 0 to 1"),
    ("new_match", {"game": "kuhn", "options": {"colour": 1}}, "colour"),
    ("new_match", {"game": "kuhn", "options": {"seats": "two"}}, "'two' were asked for"),
    ("new_match", {"game": "kuhn", "seed": "0xz"}, "0xz"),
    ("new_match", {"game": "kuhn", "seconds_per_prompt": 0}, "seconds_per_prompt is 0; expected 0.001 to 86400"),
    ("new_match", {"game": "kuhn", "seconds_per_prompt": 1e9}, "expected 0.001 to 86400"),
    ("new_match", {"game": "kuhn", "name": "a\nb"}, "expected 1 to 64 printable characters"),
    ("new_match", {"game": "kuhn", "wait_seconds": 51}, "51; expected a number from 0 to 50"),
    ("join_match", {"token": "wrong"}, "the arena gives no seat"),
    ("join_match", {"token": "ü"}, "one word of ASCII"),
    ("join_match", {"game": "chess"}, "there is no game 'chess'"),
    ("look", {"seat": "0"}, "there is no seat '0' here: give the key"),
    ("history", {"seat": "0"}, "there is no seat '0' here"),
    ("resign", {"seat": "0"}, "there is no seat '0' here"),
    ("answer", {"seat": "0", "number": 0}, "there is no seat '0' here"),
    ("answer", {"seat": "0"}, "neither of number and notation given"),
    ("answer", {"seat": "0", "number": 0, "notation": "pass"}, "both of number and notation given"),
    ("answer", {"seat": "0", "notation": "pass", "parts": [0]}, "parts go with the number of a choice"),
    ("answer", {"seat": "0", "number": -1}, "-1: expected the number of a choice"),
    ("answer", {"seat": "0", "number": 10**12}, "1000000000000: expected the number of a choice"),
    ("answer", {"seat": "0", "number": "one"}, 'number is "one"; expected a whole number'),
    ("answer", {"seat": "0", "number": True}, "number is true; expected a whole number"),
    ("answer", {"seat": "0", "number": 1.5}, "number is 1.5; expected a whole number"),
    ("answer", {"seat": "0", "number": 0, "prompt": False}, "prompt is false; expected a whole number"),
    ("answer", {"seat": "0", "number": 0, "parts": [0, True]}, "parts is [0, true]; expected a list of whole numbers"),
    ("answer", {"seat": "0", "number": 0, "part": [0], "x": 1}, "there is no argument 'part', 'x'; expected none but "
        "seat, number, parts, notation, prompt, note, wait_seconds"),
    ("new_match", {"game": "kuhn", "option": {"seats": 2}}, "there is no argument 'option'; expected none but game, "),
    ("new_match", {"game": "kuhn", "your_seat": False}, "your_seat is false; expected a whole number"),
    ("new_match", {"game": "kuhn", "seconds_per_prompt": True}, "seconds_per_prompt is true; expected a number"),
    ("new_match", {"game": "kuhn", "options": {"seats": True}}, "True were asked for"),
    ("new_match", {"game": "kuhn", "options": []}, "options is []; expected an object"),
    ("new_match", {"game": "kuhn", "opponents": "x" * 500}, "…; expected a list of texts"),
    ("list_games", {"a\nb\x1b": 1}, "there is no argument 'a\\nb\\x1b'; expected none at all"),
    ("look", {"seat": "0", "wait_seconds": -1}, "wait_seconds is -1; expected a number from 0 to 50"),
    ("look", {"seat": "0", "wait_seconds": True}, "wait_seconds is true; expected a number from 0 to 50"),
    ("look", {"seat": 3}, "seat is 3; expected a text"),
    ("answer", {"seat": "0", "number": 0, "note": "x" * 5_000}, "note has 5000 characters"),
]  # fmt: skip


async def _play_on(agent: Agent) -> set[str]:
    """Plays to the end, by number, by parts and by notation in turn; returns the ways that occurred."""
    ways = set()
    while not agent.over:
        number = next(iter(agent.parts), 0)
        if agent.asked % 3 == 1:
            ways.add("notation")
            await agent.call("answer", notation=agent.choices[number])
        elif agent.asked % 3 == 2 and agent.parts:
            ways.add("parts")
            least, most = agent.parts[number]
            await agent.call("answer", number=number, parts=list(range(max(least, most - 1))), prompt=agent.asked)
        else:
            ways.add("number")
            await agent.call("answer", number=number)
        assert not agent.failed and "REJECTED" not in agent.said, agent.said
    return ways


@pytest.mark.parametrize(("game", "ways"), [("kuhn", {"notation"}), ("ethnos", {"notation", "number", "parts"})])
def test_a_chat_agent_plays_a_whole_match_against_built_in_bots(game: str, ways: set[str]) -> None:
    async def test(house: House) -> None:
        async with house.agent() as agent:
            await agent.call("new_match", game=game, opponents=["first"], seed="whole", name="Ada")
            assert await _play_on(agent) == ways

            result = await house.arena.attempts[agent.match_id].finished
            assert [str(seat.end) for seat in result.seats] == ["normal"] * len(result.seats)
            assert (result.seats[0].name, result.seats[0].illegal) == ("Ada", 0)
            told = re.search(r"^rank (\d+): seat 0 Ada \(you\), score (-?\d+)$", agent.said, re.M)
            assert told is not None and (int(told[1]), int(told[2])) == (result.seats[0].rank, result.seats[0].score)
            assert all(seat.name in agent.said for seat in result.seats)
            await agent.call("history")
            assert agent.over and re.search(r"^1\. ", agent.said, re.M)
        await house.sessions(0)

    in_house(test)


def test_an_answer_with_parts_takes_just_those() -> None:
    async def test(house: House) -> None:
        async with house.agent() as agent:
            await agent.call("new_match", game="ethnos", opponents=["first"], options={"seats": 2}, seed="parts")
            while not agent.parts:
                await agent.call("answer", number=0, note="collecting")
            number, asked = next(iter(agent.parts)), agent.asked
            assert agent.parts[number][0] == 0
            alone = agent.choices[number].partition(":")[0]

            await agent.call("answer", number=number, parts=[])

            moves = house.arena.attempts[agent.match_id].match
            assert moves is not None
            mine = [moves.spec.game.text(move.action) for move in moves.moves if move.seat == 0]
            assert mine[asked - 1] == alone

    in_house(test)


def test_the_rules_the_games_and_the_prompt_say_what_is_needed() -> None:
    async def test(house: House) -> None:
        async with house.agent() as agent:
            listed = {tool.name: tool for tool in (await agent.client.list_tools()).tools}
            assert set(listed) == {
                "list_games", "read_rules", "new_match", "join_match", "look", "answer", "history", "resign",
            }  # fmt: skip
            assert all(tool.description and len(tool.description) < 400 for tool in listed.values())
            assert "kuhn: Kuhn poker, 2 seats" in await agent.call("list_games")
            rules = await agent.call("read_rules", game="kuhn")
            assert "- bet: " in rules and "Options of new_match:" in rules and "random" in rules
            read = await agent.client.read_resource("rivalry://rules/kuhn")
            assert read.contents[0].text == rules  # type: ignore[union-attr]
            prompt = await agent.client.get_prompt("play", {"game": "kuhn", "opponent": "greedy"})
            assert "kuhn against greedy" in prompt.messages[0].content.text  # type: ignore[union-attr]

            await agent.call("new_match", game="kuhn", seed="x")
            assert "time for a prompt: 300 s" in agent.said
            left = re.search(r"^Prompt 1 \(\w+\)\. Time left: (\d+) s; it runs while you think\.$", agent.said, re.M)
            assert left is not None and 200 < int(left[1]) <= 300
            assert agent.choices == {0: "pass", 1: "bet"}
            assert re.search("jack|queen|king", agent.said)

    in_house(test)


def test_a_rejection_tells_the_reason_and_the_third_ends_the_seat() -> None:
    async def test(house: House) -> None:
        async with house.agent() as agent:
            await agent.call("new_match", game="ethnos", opponents=["first"], options={"seats": 2}, seed="r")
            assert "Tries left" not in agent.said

            said = await agent.call("answer", number=99)
            assert said.count("REJECTED") == 1 and "there is no choice 99; the prompt has 0 to" in said
            assert "Tries left: 2 more" in said and agent.asked == 1 and agent.choices
            said = await agent.call("answer", notation="take blue moose")
            assert "REJECTED (notation): 'take blue moose'" in said and "ends your part" in said
            said = await agent.call("answer", number=0, parts=[0])

            assert agent.over and re.search(r"\(you\), score \d+; ended by illegal: prompt 1: .+\(part_count\)", said)

    in_house(test)


def test_a_clock_that_runs_out_is_told_and_ends_the_seat() -> None:
    async def test(house: House) -> None:
        async with house.agent() as agent:
            await agent.call("new_match", game="kuhn", opponents=["random"], seconds_per_prompt=0.6)
            assert "time for a prompt: 0.6 s" in agent.said
            chair = house.desk.chair(agent.key)
            assert await chair.until(lambda: chair.over, LIMIT_S)

            await agent.call("answer", number=0)

            assert "Nothing was answered" in agent.said and agent.over
            assert re.search(r"\(you\), score -?\d; ended by timeout", agent.said)

    in_house(test)


def test_an_answer_after_the_time_is_called_late_while_others_play_on() -> None:
    async def test(house: House) -> None:
        async with house.agent() as slow, house.agent() as other:
            await slow.call("new_match", game="kuhn", opponents=["open"], seconds_per_prompt=5)
            token = re.search(r"^- seat 1: join_match with token (\S+)$", slow.said, re.M)
            assert token is not None
            await other.call("join_match", token=token[1], wait_seconds=0)
            await slow.call("look")
            assert slow.asked == 1
            await other.call("look", wait_seconds=LIMIT_S)
            assert other.asked == 1  # slow's time is up, and other's has just begun

            await slow.call("answer", number=0)

            assert "TOO LATE: the time for prompt 1 was up" in slow.said
            await other.call("answer", number=0)
            await slow.call("look")
            assert slow.over and "ended by timeout" in slow.said

    in_house(test)


def test_an_agent_gives_up_when_asked_and_when_not(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tools, "ENDED_S", LIMIT_S)

    async def test(house: House) -> None:
        async with house.agent() as asked, house.agent() as waiting:
            await asked.call("new_match", game="kuhn", opponents=["first"])
            await asked.call("resign", why="dinner")
            assert asked.over and "ended by resigned: dinner" in asked.said
            assert "nothing to give up" in await asked.call("resign")

            await waiting.call("new_match", game="kuhn", opponents=["open"])
            assert "The match has not begun" in waiting.said
            await waiting.call("resign")
            assert "The match did not begin" in waiting.said
        await house.sessions(0)

    in_house(test)


def test_nobody_who_waits_takes_the_seat_of_a_match_from_its_maker() -> None:
    async def test(house: House) -> None:
        async with house.agent() as waiting, house.agent() as maker:
            await waiting.call("join_match", game="kuhn", wait_seconds=0)
            await maker.call("new_match", game="kuhn", opponents=["open"], your_seat=1)

            assert "seat 1 you" in maker.said and not maker.failed
            await waiting.call("look", wait_seconds=LIMIT_S)
            assert "seat 0 you" in waiting.said and waiting.asked == 1
            await waiting.call("resign")

            await waiting.call("join_match", game="kuhn", wait_seconds=0)
            for _ in range(3):
                await maker.call("new_match", game="kuhn", opponents=["first"])
                assert not maker.failed, maker.said

    in_house(test)


def test_one_whose_match_is_over_takes_no_seat_of_another_match_before_he_is_gone() -> None:
    async def test(house: House) -> None:
        async with house.agent() as first, house.agent() as second, house.agent() as waiting:
            await second.call("join_match", game="kuhn", wait_seconds=0)
            await first.call("new_match", game="kuhn", opponents=["open"])
            await waiting.call("new_match", game="kuhn", opponents=["open"], wait_seconds=0)
            await first.call("resign")
            await second.call("look")
            await second.call("resign")
            await house.sessions(1)

            await waiting.call("look", wait_seconds=0)

            assert "The match has not begun" in waiting.said
            async with house.agent() as third:
                await third.call("join_match", game="kuhn", wait_seconds=0)
                await house.begun(third)
                await third.call("look", wait_seconds=0)
                await waiting.call("look")
                assert third.match_id == waiting.match_id

    in_house(test)


def test_one_who_gives_up_out_of_turn_is_gone_at_his_next_question() -> None:
    async def test(house: House) -> None:
        async with house.agent() as first, house.agent() as second:
            await first.call("new_match", game="kuhn", opponents=["open"])
            await second.call("join_match", game="kuhn", wait_seconds=0)
            await house.begun(second)
            await second.call("look", wait_seconds=0)
            assert second.asked == 0 and "others are thinking" in second.said
            await second.call("resign", why="bored")
            assert "You gave up" in second.said
            await first.call("look")
            await first.call("answer", number=1)

            assert first.over and "ended by resigned: bored" in first.said
            assert (await second.call("look")) and second.over

    in_house(test)


def test_bad_input_is_told_in_words() -> None:
    async def test(house: House) -> None:
        async with house.agent() as agent:
            for tool, arguments, expected in BAD:
                said = await agent.call(tool, **arguments)
                assert agent.failed and expected in said, (tool, arguments, said)
                assert "Traceback" not in said and "\n" not in said and len(said) < 300
        await house.sessions(0)
        assert not house.arena.attempts

    in_house(test)


def test_arguments_that_a_tool_does_not_have_play_nothing() -> None:
    async def test(house: House) -> None:
        async with house.agent() as agent:
            assert all(
                not tool.input_schema["additionalProperties"] for tool in (await agent.client.list_tools()).tools
            )
            await agent.call("new_match", game="kuhn", opponents=["first"], seed="x")
            for arguments in ({"number": 0, "part": [0]}, {"number": True}):
                await agent.call("answer", **arguments)
                assert agent.failed

            await agent.call("look")

            assert agent.asked == 1 and "Tries left" not in agent.said

    in_house(test)


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        ({"game": "kuhn", "rival": "x"}, "prompt play: there is no argument 'rival'; expected none but game, opponent"),
        ({}, "prompt play: game is missing; expected a text"),
    ],
)
def test_arguments_of_a_prompt_are_refused_in_words_too(arguments: dict[str, str], why: str) -> None:
    async def test(house: House) -> None:
        async with house.agent() as agent:
            with pytest.raises(MCPError) as refused:
                await agent.client.get_prompt("play", arguments)
            assert refused.value.message == why

    in_house(test)


def test_an_arena_that_asks_for_tokens_takes_the_right_ones(tmp_path: Path) -> None:
    tokens = TokenFile(tmp_path)
    kept, shown = zip(*(Token.made(kind, "me", now=time.time()) for kind in (Kind.BOT, Kind.OPERATOR)), strict=True)
    tokens.changed(lambda _: {token.token_id: token for token in kept})

    async def main() -> None:
        async with Arena(Settings(ask_for_tokens=True), tokens=tokens, built_in=_built_in) as arena:
            address = await arena.start("127.0.0.1:0")

            async def said(token: str) -> str:
                calls = Calls(address, token=token)
                desk = Desk(calls)
                async with Client(tools.server(desk, version="0")) as client:
                    agent = Agent(client)
                    await agent.call("new_match", game="kuhn")
                await desk.close()
                await calls.close()
                return agent.said

            assert "asks for a token, an operator's or a bot's, and none was given to this server" in await said("")
            assert "CreateMatch is for operators, and the token shown is that of a bot" in await said(shown[0])
            assert "Prompt 1 " in await said(shown[1])

    asyncio.run(main())


def test_an_answer_to_another_prompt_than_is_open_answers_nothing() -> None:
    async def test(house: House) -> None:
        async with house.agent() as agent:
            await agent.call("new_match", game="ethnos", opponents=["first"], options={"seats": 2})
            await agent.call("answer", number=0, prompt=1)
            assert agent.asked == 2

            await agent.call("answer", number=0, prompt=1)

            assert "Nothing was answered: prompt 1 is not open, and prompt 2 is." in agent.said and agent.asked == 2

    in_house(test)


def test_a_game_of_a_family_has_its_rules_and_is_played() -> None:
    async def test(house: House) -> None:
        async with house.agent() as agent:
            await agent.call("list_games")
            assert "openspiel:" in agent.said
            name = "openspiel:tic_tac_toe"
            read = await agent.client.read_resource(f"rivalry://rules/{name}")
            assert "How to answer:" in read.contents[0].text  # type: ignore[union-attr]
            await agent.call("new_match", game=name, opponents=["random"], seed="x")
            assert agent.choices
            await _play_on(agent)

    pytest.importorskip("pyspiel", reason="needs the extra openspiel")
    in_house(test)


def test_two_agents_over_http_play_at_one_table() -> None:
    async def test(house: House) -> None:
        async with house.http() as address, Client(address) as one, Client(address, mode="legacy") as two:
            ada, bob = Agent(one), Agent(two)
            await ada.call("new_match", game="kuhn", opponents=["open"], your_seat=1, name="Ada")
            await bob.call("join_match", game="kuhn", name="Bob", wait_seconds=LIMIT_S)
            assert (bob.asked, ada.key != bob.key) == (1, True)
            await house.begun(ada)
            await ada.call("look", wait_seconds=0)
            assert "others are thinking" in ada.said and "seat 0 Bob, seat 1 you" in ada.said
            waiting = asyncio.ensure_future(ada.call("look"))
            await bob.call("answer", number=1, wait_seconds=0)
            assert "seat 0: bet" in await waiting
            await ada.call("answer", notation="bet")
            await bob.call("look")

            assert ada.over and bob.over
            assert "seat 1 Ada (you)" in ada.said and "seat 1 Ada, " in bob.said
        await house.sessions(0)

    in_house(test)


def test_http_takes_neither_strange_hosts_nor_strange_pages_nor_callers_without_the_token() -> None:
    import httpx2

    async def test(house: House) -> None:
        ask = {"json": {}, "headers": {"accept": "application/json, text/event-stream"}}

        async def status(address: str, **headers: str) -> int:
            async with httpx2.AsyncClient(trust_env=False) as client:
                asked = await client.post(address, json={}, headers={**ask["headers"], **headers})
                return int(asked.status_code)

        async with house.http(token="secret") as address:
            shown = {"authorization": "Bearer secret"}
            assert await status(address) == 401
            assert await status(address, authorization="Bearer wrong") == 401
            assert await status(address, **shown, host="evil.example") == 421
            assert await status(address, **shown, origin="http://evil.example") == 403
            assert await status(address, **shown, origin="http://localhost:99") == 400

    in_house(test)


def test_a_seat_that_nobody_asks_about_is_given_up_and_leaves_nothing() -> None:
    async def test(house: House) -> None:
        async with house.agent() as agent:
            await agent.call("new_match", game="kuhn", opponents=["first"])
            assert agent.asked == 1
            house.desk.idle_s = 0.1
            await agent.call("look", wait_seconds=0)
            result = await house.arena.attempts[agent.match_id].finished
            await house.sessions(0)

            assert str(result.seats[0].end) == "disconnect"
            assert "there is no seat" in await agent.call("look") and agent.failed

    in_house(test)


def test_an_agent_that_looks_keeps_its_seat() -> None:
    async def test(house: House) -> None:
        async with house.agent() as agent:
            await agent.call("new_match", game="kuhn", opponents=["open"])
            began = asyncio.get_running_loop().time()

            await agent.call("look", wait_seconds=0.2)

            assert "The match has not begun" in agent.said
            lapse = house.desk._lapses[agent.key]
            assert lapse.when() >= began + 0.2 + house.desk.idle_s - 0.01 and not lapse.cancelled()

    in_house(test)
