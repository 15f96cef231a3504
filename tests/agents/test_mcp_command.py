"""``rivalry mcp`` as a chat host starts it: a process of its own, over stdin and stdout or over HTTP."""

from __future__ import annotations

import asyncio
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

pytest.importorskip("mcp.server.mcpserver", reason="needs the extra mcp")

from mcp.client import stdio
from mcp.client.client import Client
from mcp.client.stdio import StdioServerParameters, stdio_client

from agents.mcp_house import Agent
from e2e.program import RIVALRY, environment
from rivalry_server import program
from rivalry_server.arena import Arena
from rivalry_server.commands.serve import _built_in
from rivalry_server.settings import Settings
from rivalry_server.token_file import TokenFile
from rivalry_server.tokens import Kind, Token

LIMIT_S = 60.0
"""For a program that is to end at once."""


@contextmanager
def _served(*arguments: str, folder: Path) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """The server over HTTP, its private files in ``folder``, and its address."""
    with subprocess.Popen(
        [RIVALRY, "mcp", "--http", "127.0.0.1:0", *arguments],
        env={**environment(), "TMPDIR": str(folder)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        try:
            assert process.stderr is not None
            told = process.stderr.readline()
            found = re.search(r"MCP at (http://127\.0\.0\.1:\d+/mcp); Ctrl-C ends it", told)
            assert found is not None, told + process.stderr.read()
            yield process, found[1]
        finally:
            process.kill()


def test_a_host_plays_a_whole_match_over_stdio(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stdio, "PROCESS_TERMINATION_TIMEOUT", LIMIT_S)  # else the SDK ends a server that is slow to go

    async def main() -> None:
        with (tmp_path / "stderr").open("w") as errors:
            parameters = StdioServerParameters(
                command=str(RIVALRY),
                args=["mcp", "--name", "Ada"],
                env={**environment(), "TMPDIR": str(tmp_path)},
            )
            async with asyncio.timeout(2 * LIMIT_S), Client(stdio_client(parameters, errlog=errors)) as client:
                agent = Agent(client)
                await agent.call("new_match", game="kuhn", opponents=["random"], seed="stdio")
                while not agent.over:
                    await agent.call("answer", number=0)
                    assert agent.asked or agent.over, agent.said
                assert "Ada (you), score" in agent.said
                await agent.call("new_match", game="kuhn")  # and one that is left open when the host goes

    asyncio.run(main())

    assert [path.name for path in tmp_path.iterdir()] == ["stderr"]
    assert (tmp_path / "stderr").read_text() == ""


def test_stdout_holds_the_protocol_alone_and_a_signal_ends_it_at_once(tmp_path: Path) -> None:
    with subprocess.Popen(
        [RIVALRY, "mcp", "--log", "debug"],
        env={**environment(), "TMPDIR": str(tmp_path)},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdin is not None and process.stdout is not None and process.stderr is not None
        hello = '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18",'
        hello += '"capabilities":{},"clientInfo":{"name":"test","version":"0"}}}\n'
        process.stdin.write(hello)
        process.stdin.flush()
        assert process.stdout.readline().startswith('{"jsonrpc":"2.0","id":1,"result":')
        process.send_signal(signal.SIGTERM)

        assert process.wait(LIMIT_S) == 143
        assert process.stdout.read() == ""
        assert process.stderr.read().endswith("rivalry: stopped by SIGTERM and left all seats\n")
    assert not list(tmp_path.iterdir())


def test_ctrl_c_to_a_server_over_http_leaves_its_seats_and_nothing_behind(tmp_path: Path) -> None:
    async def main() -> None:
        tokens = TokenFile(tmp_path)
        token, operator = Token.made(Kind.OPERATOR, "me", now=time.time())
        tokens.changed(lambda _: {token.token_id: token})
        asking = Settings(ask_for_tokens=True)
        async with Arena(asking, tokens=tokens, built_in=_built_in) as arena, asyncio.timeout(2 * LIMIT_S):
            at = ("--address", await arena.start("127.0.0.1:0"))
            with _served(*at, "--token", operator, folder=tmp_path) as (process, address):
                async with Client(address) as client:
                    agent = Agent(client)
                    await agent.call("new_match", game="kuhn", opponents=["first"], name="Ada")
                    assert agent.asked == 1
                process.send_signal(signal.SIGINT)
                assert await asyncio.to_thread(process.wait, LIMIT_S) == 130
                assert process.stdout is not None and process.stdout.read() == ""
            result = await arena.attempts[agent.match_id].finished
            assert [(seat.name, str(seat.end)) for seat in result.seats] == [("Ada", "disconnect"), ("first", "normal")]
            assert not arena.lobby.sessions

    asyncio.run(main())

    assert not [path for path in tmp_path.iterdir() if path.name.startswith("rivalry-")]


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (["--http", "7800"], "--http 7800: expected HOST:PORT, for example --http 127.0.0.1:7800"),
        (
            ["--http", "0.0.0.0:0"],
            "can be reached from other machines: give --http-token-file FILE, or RIVALRY_MCP_TOKEN",
        ),
        (["--allow-host", "x"], "go with --http HOST:PORT"),
        (["--idle", "5s"], "--idle 5s: expected at least 60s"),
        (["--address", "nowhere"], "expected host:port"),
    ],
)
def test_options_that_cannot_be_are_told_in_one_line(
    arguments: list[str], expected: str, capsys: pytest.CaptureFixture[str]
) -> None:
    status = program.run(["mcp", *arguments])

    said = capsys.readouterr()
    assert (status, said.out) == (2, "")
    assert expected in said.err and said.err.count("\n") == 1


def test_without_the_sdk_it_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "mcp.server.mcpserver", None)

    assert program.run(["mcp"]) == 2

    assert "needs the package mcp, version 2.3 or newer" in capsys.readouterr().err
