"""A house for chat agents in this process: an arena, the desk in front of it, and the SDK's own clients."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager, suppress
from typing import Any

from mcp.client.client import Client
from mcp.server.mcpserver import MCPServer

from e2e.program import SOON_S
from rivalry_agents.mcp_server import serving, tools
from rivalry_agents.mcp_server.arena import Arena as Calls
from rivalry_agents.mcp_server.desk import Desk
from rivalry_server.arena import Arena
from rivalry_server.commands.serve import _built_in


class Agent:
    """A chat agent: calls tools and reads what they say."""

    def __init__(self, client: Client) -> None:
        self.client = client
        self.said = ""
        """What the last call said."""
        self.failed = False
        self.key = ""

    async def call(self, tool: str, **arguments: Any) -> str:
        """What the tool says; ``seat`` is the agent's own where the tool takes one and none is given."""
        if tool in ("look", "answer", "history", "resign"):
            arguments.setdefault("seat", self.key)
        result = await self.client.call_tool(tool, arguments)
        self.said, self.failed = result.content[0].text, bool(result.is_error)  # type: ignore[union-attr]
        if not self.key and (found := re.search(r"^seat: (\w+)$", self.said, re.M)):
            self.key = found[1]
        return self.said

    @property
    def over(self) -> bool:
        """True once the match is."""
        return "The match is over" in self.said

    @property
    def asked(self) -> int:
        """The number of the open prompt, 0 if none is."""
        found = re.search(r"^Prompt (\d+) ", self.said, re.M)
        return int(found[1]) if found else 0

    @property
    def choices(self) -> dict[int, str]:
        """The choices on offer."""
        listed = re.findall(r"^(\d+): (.*)$", self.said.partition("Choices:")[2], re.M)
        return {int(number): text for number, text in listed}

    @property
    def parts(self) -> dict[int, tuple[int, int]]:
        """For each choice with parts how few and how many it takes."""
        found = re.findall(r"^(\d+): .*\n   takes (\d+)(?: to (\d+))? of", self.said, re.M)
        return {int(number): (int(least), int(most or least)) for number, least, most in found}

    @property
    def match_id(self) -> str:
        found = re.search(r"^Match ([0-9a-f]{32}) ", self.said, re.M)
        assert found is not None, self.said
        return found[1]


class House:
    """What a test sees of it all."""

    def __init__(self, arena: Arena, desk: Desk, server: MCPServer[Any]) -> None:
        self.arena = arena
        self.desk = desk
        self.server = server

    @asynccontextmanager
    async def agent(self) -> AsyncIterator[Agent]:
        """An agent whose host speaks with the server in this process."""
        async with Client(self.server) as client:
            yield Agent(client)

    @asynccontextmanager
    async def http(self, token: str = "") -> AsyncIterator[str]:
        """The address at which the server speaks HTTP."""
        told: asyncio.Future[str] = asyncio.get_running_loop().create_future()
        serving_ = asyncio.ensure_future(
            serving.over_http(self.server, "127.0.0.1", 0, token=token, ready=told.set_result)
        )
        try:
            yield await told
        finally:
            serving_.cancel()
            with suppress(asyncio.CancelledError):
                await serving_

    async def begun(self, agent: Agent) -> None:
        """Returns once the agent's chair knows that its match has begun."""
        chair = self.desk.chair(agent.key)
        assert await chair.until(lambda: chair.match is not None, SOON_S)

    async def sessions(self, count: int) -> None:
        """Returns once the arena has so many sessions."""
        async with asyncio.timeout(SOON_S):
            while len(self.arena.lobby.sessions) != count:  # noqa: ASYNC110 - the arena tells nobody
                await asyncio.sleep(0.01)


def in_house(test: Callable[[House], Coroutine[Any, Any, None]]) -> None:
    """Runs ``test`` with a house whose arena is its own."""

    async def main() -> None:
        async with Arena(built_in=_built_in) as arena, asyncio.timeout(150):
            calls = Calls(await arena.start("127.0.0.1:0"))
            desk = Desk(calls)
            try:
                await test(House(arena, desk, tools.server(desk, version="0")))
            finally:
                await desk.close()
                await calls.close()

    asyncio.run(main())
