"""The bot ``llm`` at a real arena, against an endpoint on loopback: how it plays, and how it ends when that fails."""

from __future__ import annotations

import asyncio
import json
import re
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import pytest

from agents.endpoint import KEY, Endpoint, Said, Script, completion, endpoint, failure, last, offered
from agents.table import match_over_grpc
from rivalry_agents import llm_endpoint
from rivalry_agents.llm import LlmBot
from rivalry_bots import catalog as bots
from rivalry_client import connect
from rivalry_client.ending import Ending
from rivalry_client.local import LocalBot
from rivalry_engine import catalog, playout
from rivalry_engine.counting import counted
from rivalry_engine.error import RivalryError
from rivalry_server.commands import serve
from rivalry_server.outcome import Result


@pytest.fixture(autouse=True)
def _environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("OPENAI_BASE_URL", "OPENAI_MODEL", "HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    monkeypatch.setattr(llm_endpoint, "BACKOFF_S", 0.01)


class Played:
    """A match of Kuhn poker of ``llm`` against ``first``, and all that it told."""

    def __init__(self, server: Endpoint, result: Result, ending: Ending, told: str) -> None:
        self.server = server
        self.result = result
        self.ending = ending
        self.told = told
        self.seat = result.seats[0]
        self.record = result.record()

    @property
    def end(self) -> str:
        return str(self.seat.end)

    def notes(self) -> list[str]:
        return [line["note"] for line in map(json.loads, self.record[1:-1]) if "note" in line]


def seated(spec: str, *, game: str = "kuhn", prompt_s: float | None = 60.0) -> tuple[Result, Ending]:
    """Plays a match over gRPC; how it ended, and how the bot's session did."""
    endings: list[Ending] = []

    async def own(address: str, token: str) -> None:
        async with connect(address, token=token) as arena:
            endings.append(await arena.play(LlmBot, settings=bots.parsed(spec).settings))

    result = asyncio.run(match_over_grpc(game, own, "first", prompt_s=prompt_s))
    return result, endings[0]


@pytest.fixture
def played(capfd: pytest.CaptureFixture[str]) -> Iterator[Any]:
    """A function that plays; afterwards nothing that was told holds the key."""
    said: list[str] = []

    def play(script: Script, settings: str = "", *, game: str = "kuhn", prompt_s: float | None = 60.0) -> Played:
        with endpoint(script) as server:
            spec = f"llm?model=tester&base_url={server.url}{settings}"
            result, ending = seated(spec, game=game, prompt_s=prompt_s)
            told = capfd.readouterr().err
            said.extend((told, ending.text, repr(result), *result.record()))
            return Played(server, result, ending, told)

    yield play
    assert said
    assert not any(KEY in text for text in said)


def first_choice(number: int, asked: dict[str, Any]) -> Said:
    return completion("ANSWER: 0")


def two_answers(number: int, asked: dict[str, Any]) -> Said:
    return completion("ANSWER: 0") if number < 3 else failure(404)


def body(**keys: object) -> Said:
    """A reply of status 200 with just these keys."""
    return Said(json.dumps(keys).encode())


def test_it_plays_a_whole_match_by_number_with_tokens_and_time_in_its_notes_and_in_a_summary(played: Any) -> None:
    done = played(lambda number, asked: completion(f"Let me see.\n\nANSWER: {offered(asked) - 1}"), game="ethnos")

    assert done.end == "normal"
    assert done.ending.kind == "done"
    assert done.seat.illegal == 0
    assert done.seat.decisions == len(done.server.asked) == len(done.notes()) > 20
    assert re.match(r"tester: 100 tokens in, 7 out, \d+\.\d", done.notes()[0])
    calls = len(done.server.asked)
    assert (
        f"rivalry: llm tester, seat 0: {calls} decisions, {calls} calls, {100 * calls} tokens in, {7 * calls} out, "
        in (done.told)
    )
    assert done.told.count("decisions, ") == 1
    assert set(done.server.keys) == {f"Bearer {KEY}"}


def test_what_it_asks_is_the_whole_situation_in_two_messages(played: Any) -> None:
    done = played(two_answers, "&temperature=0.5&max_tokens=99", game="ethnos")

    asked = done.server.asked[1]
    assert asked["path"] == "/v1/chat/completions"
    assert (asked["model"], asked["temperature"], asked["max_tokens"]) == ("tester", 0.5, 99)
    assert [message["role"] for message in asked["messages"]] == ["system", "user"]
    system, user = (message["content"] for message in asked["messages"])
    assert "You play Ethnos (ethnos) on seat 0 of 2" in system
    assert "# What stays the same for the whole match\n" in system
    assert "ANSWER: N with 0 2" in system
    assert "# What happened since your last decision\n" in user
    assert "# What you see\n" in user
    assert "# Your choices (" in user
    assert "[0] " in user


def test_an_unclear_reply_is_asked_again_with_the_reason_and_costs_no_try_at_the_arena(played: Any) -> None:
    done = played(lambda number, asked: completion("0 or 1, hard to say" if number == 1 else "**Answer: 1**"))

    assert done.end == "normal"
    assert done.seat.illegal == 0
    again = done.server.asked[1]["messages"]
    assert [message["role"] for message in again] == ["system", "user", "assistant", "user"]
    assert "what stands behind the number 0 is unclear" in last(done.server.asked[1])
    assert "1 re-ask, 0 failed calls" in done.told


def test_an_illegal_action_is_asked_again_with_the_arenas_reason(played: Any) -> None:
    script = [failure(404), completion("ANSWER: 0"), completion("ANSWER: mark Rhea")]
    done = played(lambda number, asked: script.pop(), game="ethnos")

    assert done.end == "crash"
    assert (done.seat.illegal, done.seat.decisions) == (1, 1)
    told = last(done.server.asked[1])
    assert told.startswith("That was not taken: ")
    assert "mark" in told or "marker" in told


def test_endless_illegal_actions_end_the_seat_at_the_arenas_third_no(played: Any) -> None:
    done = played(lambda number, asked: completion("ANSWER: mark Rhea"), "&reasks=9", game="ethnos")

    assert done.end == "illegal"
    assert done.seat.decisions == 0
    assert len(done.server.asked) == 3


@pytest.mark.parametrize(
    ("reply", "why"),
    [
        ("no idea", "the last ends 'no idea': 'no idea' is neither the number of a choice nor an action"),
        ("ANSWER: 7", "there is no choice 7; the numbers are 0 to 1"),
        ("ANSWER: 0\nor\nANSWER: 1", "the reply has 2 different answers"),
        ("", "the reply is empty"),
        ("ANSWER: 0 with 1", "choice 0 has no parts"),
        (None, "the reply is empty"),
    ],
)
def test_a_model_that_never_answers_is_a_crash_after_so_many_replies(played: Any, reply: object, why: str) -> None:
    done = played(lambda number, asked: completion(reply), "&reasks=1")

    assert done.end == "crash"
    assert done.seat.decisions == 0
    assert len(done.server.asked) == 2
    assert done.seat.text.startswith("NoAnswerError: no legal answer to prompt 1 in 2 replies; ")
    assert why in done.seat.text
    assert done.ending.status == 1
    assert "Traceback" not in done.told
    assert "0 decisions, 2 calls, 200 tokens in, 14 out" in done.told


NASTY = f"I cannot\x1b[2J\n gamble with {KEY[:9]}\n{KEY[9:]}{' at all' * 99}"
TOLD = "I cannot [2J gamble with [key] at all"
TOOL = {"function": {"name": "answer", "arguments": '{"number":\n0}'}}


@pytest.mark.parametrize(
    "refusal",
    [
        completion(None, refusal=NASTY),
        completion("", refusal=NASTY, finish="content_filter"),
        completion([{"type": "refusal", "refusal": NASTY}]),
    ],
    ids=["whole", "filtered", "piece"],
)
def test_a_refusal_is_told_with_its_words_and_paid_for_once(played: Any, refusal: Said) -> None:
    done = played(lambda number, asked: refusal, "&reasks=5")

    assert done.end == "crash"
    assert len(done.server.asked) == 1
    assert done.seat.text.startswith(f"NoAnswerError: the model refuses to answer prompt 1: {TOLD}")
    assert len(done.seat.text) < 300 and done.seat.text.isprintable()
    assert "1 call, 100 tokens in, 7 out" in done.told


@pytest.mark.parametrize("calls", [{"tool_calls": [TOOL, TOOL]}, {"function_call": TOOL["function"]}])
def test_a_call_of_a_tool_is_told_and_asked_again_once(played: Any, calls: dict[str, Any]) -> None:
    done = played(lambda number, asked: completion(None, **calls, finish="tool_calls"), "&reasks=5")

    assert done.end == "crash"
    assert len(done.server.asked) == 2
    again = done.server.asked[1]["messages"]
    assert again[2]["content"] == "(no text)"
    assert 'the reply only calls a tool, and there are none: answer({"number": 0})' in again[3]["content"]
    assert done.seat.text.startswith("NoAnswerError: the model calls a tool for prompt 1 again, and was told that")
    assert done.seat.text.count('answer({"number": 0})') == len(calls.get("tool_calls", [1]))


def test_a_model_that_calls_a_tool_and_then_answers_plays_on(played: Any) -> None:
    def script(number: int, asked: dict[str, Any]) -> Said:
        return completion(None, tool_calls=[TOOL]) if number % 2 else completion("ANSWER: 1", tool_calls=[TOOL])

    done = played(script)

    assert done.end == "normal"
    assert len(done.server.asked) == 2 * done.seat.decisions


def test_a_reply_that_was_cut_is_no_answer(played: Any) -> None:
    done = played(lambda number, asked: completion("ANSWER: 1", finish="length"), "&reasks=0")

    assert done.end == "crash"
    assert "the end of the reply is missing: it was cut, being too long" in done.seat.text


@pytest.mark.parametrize(
    ("said", "calls", "text"),
    [
        (failure(401, f"Incorrect API key provided: {KEY}"), 1,
         "status 401 (Incorrect API key provided: [key]); look at the key in OPENAI_API_KEY"),
        (failure(404, "no such model"), 1, "status 404 (no such model)"),
        (failure(500, "boom"), 2, "status 500 (boom), after 2 calls"),
        (failure(429, "slow down", Retry_After="0"), 2, "status 429 (slow down), after 2 calls"),
        (failure(429, "slow down", Retry_After="3600"), 1,
         "status 429 (slow down); to try again in 3600 s is too late, with 5"),
        (Said(b'{"choices": [{'), 2, "the reply is no JSON, after 2 calls"),
        (Said(b"[" * 100_000), 2, "the reply is no JSON, after 2 calls"),
        (Said(b'{"choices": []}'), 2, "the reply is no chat completion: it has no choices[0].message, after 2 calls"),
        (Said(b'{"choices": [7]}'), 2, "it has no choices[0].message, after 2 calls"),
        (body(error={"message": NASTY, "code": 529}), 2, f"an error in a reply of status 200 ({TOLD}"),
        (body(error={"message": "busy"}), 2, "an error in a reply of status 200 (busy), after 2 calls"),
        (body(error="busy", choices=[{"message": {"content": "ANSWER: 0"}}]), 2, "status 200 (busy), after 2 calls"),
        (body(choices=[{"error": {"message": "busy", "code": "502"}, "message": {"content": ""}}]), 2,
         "an error in a reply of status 200 (busy), after 2 calls"),
        (body(error={"message": "no such model", "code": 404}), 1, "status 200 (no such model)"),
        (body(error={"message": f"not {KEY}", "code": "401"}), 1, "(not [key]); look at the key in OPENAI_API_KEY"),
        (body(object="error", message="busy"), 2, "it has no choices[0].message (busy), after 2 calls"),
        (failure(500, NASTY), 2, f"status 500 ({TOLD}"),
        (Said(None), 2, "after 2 calls"),
        (Said(b"{}", 302, {"location": "http://127.0.0.1:1/"}), 1, "status 302"),
        (Said(b" " * (5 << 20)), 1, "a reply of more than 4194304 bytes"),
    ],
    ids=["key", "model", "500", "429", "429-long", "json", "deep", "empty", "odd", "error", "error-no-code",
         "error-beside", "error-choice", "error-final", "error-key", "error-object", "nasty", "hang-up", "redirect",
         "large"],
)  # fmt: skip
def test_a_failing_endpoint_is_a_crash_of_its_own(played: Any, said: Said, calls: int, text: str) -> None:
    done = played(lambda number, asked: said, "&retries=1")

    assert done.end == "crash"
    assert done.seat.decisions == 0
    assert len(done.server.asked) == calls
    assert done.seat.text.startswith(f"EndpointError: {done.server.url}: ")
    assert text in done.seat.text
    assert done.ending.kind == "crash"
    assert "Traceback" not in done.told
    assert done.seat.text.isprintable() and len(done.seat.text) < 300
    assert f"0 decisions, {counted(calls, 'call')}, 0 tokens in, 0 out" in done.told
    assert counted(calls, "failed call") in done.told


def test_a_failure_that_passes_is_no_end(played: Any) -> None:
    script = [failure(503), failure(429, Retry_After="0.05"), Said(b"")]
    done = played(lambda number, asked: script.pop() if script else completion("0"), "&retries=3")

    assert done.end == "normal"
    assert "3 failed calls" in done.told


@pytest.mark.parametrize(
    ("headers", "wait_s"),
    [
        ({}, None),
        ({"retry-after": "2.5"}, 2.5),
        ({"retry-after": "-1"}, 0.0),
        ({"retry-after": "soon"}, None),
        ({"retry-after": "nan"}, None),
        ({"retry-after": "inf"}, None),
        ({"retry-after": "Mon, 30 Nov 2026 10:00:05 GMT", "date": "Mon, 30 Nov 2026 10:00:00 GMT"}, 5.0),
        ({"retry-after": "Mon, 30 Nov 2026 10:00:05 GMT"}, None),
    ],
)
def test_a_wait_is_told_in_seconds_or_by_a_date(headers: dict[str, str], wait_s: float | None) -> None:
    assert llm_endpoint._wait_asked(headers) == wait_s


def test_no_endpoint_at_all_is_a_crash(played: Any) -> None:
    done = played(first_choice, "&base_url=http://127.0.0.1:9/v1&retries=0")

    assert done.end == "crash"
    assert "EndpointError: http://127.0.0.1:9/v1: no connection: " in done.seat.text


@pytest.mark.parametrize("slow", [{"wait_s": 60.0}, {"drip_s": 1.0}])
def test_an_endpoint_slower_than_the_clock_is_a_crash_before_the_time_is_up(
    played: Any, slow: dict[str, float]
) -> None:
    whole = completion("ANSWER: 0").body
    done = played(lambda number, asked: Said(whole, **slow), prompt_s=3.0)

    assert done.end == "crash"
    told = r"OutOfTimeError: the endpoint gave no reply within the \d\.\d s that the clock left"
    assert re.search(told, done.seat.text)


def test_a_call_longer_than_its_timeout_is_a_failure_of_the_endpoint(played: Any) -> None:
    done = played(lambda number, asked: Said(b"", wait_s=60.0), "&timeout=1&retries=0")

    assert done.end == "crash"
    assert "no reply within 1 s" in done.seat.text


def test_with_notes_the_model_reads_its_own_at_the_next_decision(played: Any) -> None:
    script = [failure(404), completion("**NOTE:** plan 1\nANSWER: 0")]
    done = played(lambda number, asked: script.pop(), "&notes=true", game="ethnos")

    assert "# Your note\nplan 1\n" in last(done.server.asked[1])


def test_in_the_arenas_process_it_plays_the_same(capfd: pytest.CaptureFixture[str]) -> None:
    with endpoint(lambda number, asked: completion(f"ANSWER: {offered(asked) - 1}")) as server:
        llm = bots.local(f"llm?model=tester&base_url={server.url}", "kuhn")
        done = playout.play(catalog.game("kuhn"), [llm, llm], seed=b"x")

        assert isinstance(llm, LocalBot)
        assert len(server.asked) == len(done.moves)


def test_beside_bots_on_streams_it_plays_in_the_arenas_process_too() -> None:
    """There the thread has a loop already; and a rejection has its reason too."""

    async def own(address: str, token: str) -> None:
        async with connect(address, token=token) as arena:
            await arena.play(bots.bot_class("first"))

    script = [failure(404), completion("ANSWER: 0"), completion("ANSWER: mark Rhea")]
    with endpoint(lambda number, asked: script.pop()) as server:
        spec = f"llm?model=tester&base_url={server.url}"
        result = asyncio.run(match_over_grpc("ethnos", own, spec))

        assert last(server.asked[1]).startswith("That was not taken: the question is turn: expected 'take")
        seat = result.seats[1]
        assert (str(seat.end), seat.decisions, seat.illegal) == ("crash", 1, 1)
        assert seat.text == f"EndpointError: {server.url}: status 404"


@pytest.mark.parametrize(
    ("settings", "told"),
    [
        ("", "bot llm knows no model: give one as llm?model=NAME, or in OPENAI_MODEL"),
        ("model=m&base_url=localhost:8000", "setting base_url: expected a URL such as https://api.openai.com/v1"),
        ("model=m&base_url=http://localhost:/v1", "setting base_url: expected a URL such as https://api.openai.com/v1"),
        (
            "model=m&base_url=http://localhost:0/v1",
            "setting base_url: expected a URL such as https://api.openai.com/v1",
        ),
        (
            "model=m&base_url=http://localhost:x/v1",
            "setting base_url: expected a URL such as https://api.openai.com/v1",
        ),
        ("model=m&base_url=http://me:s3cret@host/v1", "expected a URL without a user, a query and a fragment"),
        ("model=m&temperature=5", "setting temperature: 5 is not allowed; expected 0 to 2, or null"),
        ("model=m&reasks=-1", "setting reasks: -1 is not allowed; expected 0 to 20"),
        ("model=m&key_env=sk-s3cret", "setting key_env: expected the name of an environment variable"),
        ("model=m&key_env=BROKEN_KEY", "BROKEN_KEY: what it holds is no key"),
    ],
)
def test_settings_that_cannot_be_used_are_refused_without_a_word_of_secrets(
    settings: str, told: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BROKEN_KEY", "s3cret\nkey")

    with pytest.raises(RivalryError) as refused:
        LlmBot.settings_from(bots.parsed(f"llm?{settings}").settings if settings else {})

    assert told in str(refused.value)
    assert "s3cret" not in str(refused.value)


@pytest.mark.parametrize("name", ["llm", "llm?model=m&base_url=http://elsewhere/v1", "stdio?command=id"])
def test_no_arena_seats_a_bot_that_spends_or_starts_programs_because_it_is_named(name: str) -> None:
    with pytest.raises(bots.UnknownBotError) as refused:
        serve._built_in(name, "kuhn")

    assert str(refused.value).startswith(
        f"there is no built-in bot {name.partition('?')[0]!r}; those that do play kuhn"
    )
    assert not {"llm", "stdio"} & set(bots.names_for("kuhn"))


def test_without_its_package_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "httpx2", None)

    with pytest.raises(RivalryError, match=r"llm needs the package httpx2, which is not installed: .*pip install -e"):
        LlmBot.settings_from({"model": "m"})


def test_other_bots_do_not_import_what_it_needs() -> None:
    code = "import sys, rivalry_bots.catalog as c; c.names_for(''); sys.exit('httpx2' in sys.modules)"

    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_model_address_and_key_come_from_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    with endpoint(first_choice) as server:
        monkeypatch.setenv("OPENAI_BASE_URL", f"{server.url}/")
        monkeypatch.setenv("OPENAI_MODEL", "of-the-environment")
        monkeypatch.setenv("OTHER_KEY", "sk-other-key")
        result, _ = seated("llm?key_env=OTHER_KEY")

        assert str(result.seats[0].end) == "normal"
        assert server.keys[0] == "Bearer sk-other-key"
        assert server.asked[0]["model"] == "of-the-environment"
