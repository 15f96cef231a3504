"""The calls of the arena that the seats are at; what fails is told in one line."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

import grpc
import grpc.aio

from rivalry.arena.v1 import match_pb2, play_pb2, play_pb2_grpc
from rivalry_client.client import Client, Seating
from rivalry_client.ending import Ending
from rivalry_client.grpc_link import metadata
from rivalry_client.report import Report
from rivalry_client.thinking import OnLoop
from rivalry_engine.error import RivalryError

if TYPE_CHECKING:
    from rivalry_client.tls import Tls

ANSWER_S: Final = 20.0
"""A call that is not answered so long has failed."""
_AWAY: Final = re.compile(
    r"failed to connect|errors resolving|resolution|socket|reset|broken pipe|goaway", re.IGNORECASE
)


class ArenaError(RivalryError):
    """The arena does not do what was asked, or cannot be reached."""


class Arena:
    """One arena by its address; ``token`` is what it knows the server by, and may be an operator's or a bot's."""

    def __init__(self, address: str, *, token: str = "", tls: Tls | None = None) -> None:
        self.address = address
        self._token = token
        self._tls = tls
        self._client = Client(address, token=token, tls=tls)
        self._stub = play_pb2_grpc.ArenaServiceStub(self._client.channel)  # type: ignore[no-untyped-call]

    async def games(self) -> play_pb2.ListGamesResponse:
        """The games and families of games that are hosted there."""
        listed: play_pb2.ListGamesResponse = await self._answer("ListGames", play_pb2.ListGamesRequest())
        return listed

    async def described(self, game: str) -> play_pb2.DescribeGameResponse:
        """One game with its options, words and rules in short."""
        request = play_pb2.DescribeGameRequest(game=game)
        described: play_pb2.DescribeGameResponse = await self._answer("DescribeGame", request)
        return described

    async def created(self, request: play_pb2.CreateMatchRequest) -> play_pb2.CreateMatchResponse:
        """Makes a match."""
        made: play_pb2.CreateMatchResponse = await self._answer("CreateMatch", request)
        return made

    async def cancelled(self, match_id: str, why: str) -> None:
        """Cancels a match."""
        await self._answer("CancelMatch", play_pb2.CancelMatchRequest(match_id=match_id, why=why))

    async def match(self, match_id: str) -> match_pb2.Match:
        """A match as it is now."""
        response: play_pb2.GetMatchResponse = await self._answer(
            "GetMatch", play_pb2.GetMatchRequest(match_id=match_id)
        )
        return response.match

    async def seat(self, seating: Seating, report: Report, *, token: str = "") -> Ending:
        """Runs one session over a connection of its own until it ends; ``token`` is a seat's, where there is one."""
        client = Client(self.address, token=token or self._token, tls=self._tls, report=report)
        try:
            return await client.seat(seating, OnLoop())
        finally:
            await client.close()

    async def close(self) -> None:
        """Closes the connection for calls."""
        await self._client.close()

    async def _answer(self, name: str, request: Any) -> Any:
        try:
            return await getattr(self._stub, name)(request, metadata=metadata(self._token), timeout=ANSWER_S)
        except grpc.aio.AioRpcError as error:
            raise ArenaError(self._failure(name, error)) from error

    def _failure(self, name: str, error: grpc.aio.AioRpcError) -> str:
        code, details = error.code(), " ".join((error.details() or "").split())
        if code is grpc.StatusCode.UNAVAILABLE and _AWAY.search(details):
            return f"no arena answers at {self.address}; whoever runs this server has to start it or give its address"
        if code is grpc.StatusCode.DEADLINE_EXCEEDED:
            return f"the arena did not answer {name} in {ANSWER_S:g} s; try again"
        if code is grpc.StatusCode.UNAUTHENTICATED:
            kind = (
                "an operator's token" if name in ("CreateMatch", "CancelMatch") else "a token, an operator's or a bot's"
            )
            why = "none was given to this server" if not self._token else details.partition(";")[0]
            return f"the arena asks for {kind}, and {why}; whoever runs this server gives it with --token-file"
        return details or f"{name} failed: {code.name.lower()}"
