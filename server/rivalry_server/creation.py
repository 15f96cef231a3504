"""Matches that operators make: a request turned into what is to be played, once for each request id."""

from __future__ import annotations

import hmac
import secrets
from hashlib import sha256
from typing import TYPE_CHECKING, Final

from rivalry_engine import catalog
from rivalry_engine.error import RivalryError
from rivalry_server import describe, identity
from rivalry_server.clock import TimeControl
from rivalry_server.journal.opening import Request
from rivalry_server.match_spec import MatchSpec
from rivalry_server.policies import Policies
from rivalry_server.seating import Listen, Occupant

if TYPE_CHECKING:
    from rivalry.arena.v1 import match_pb2, play_pb2
    from rivalry_engine.game import Game
    from rivalry_server.arena import Arena
    from rivalry_server.attempt import Attempt

SEED_MOST: Final = 1_024
REQUEST_ID_MOST: Final = 128
WAIT_MOST_US: Final = 24 * 3_600_000_000


class RequestReusedError(RivalryError):
    """A request id that came before, with another request."""


class Creations:
    """Remembers request ids as long as their matches are remembered."""

    def __init__(self, arena: Arena) -> None:
        self._arena = arena
        self._known: dict[str, tuple[str, Request]] = {}
        """By request id: the match it made, and from what."""

    def created(self, request: play_pb2.CreateMatchRequest, game: Game | None = None) -> tuple[Attempt, list[str]]:
        """The match of a request and its seat tokens; the same request again gets the same match.

        ``game`` is the request's, where it was made before (``game_of``), maybe in a thread.
        Raises RivalryError, and RequestReusedError where the request id made a match from another request.
        """
        request_id = request.request_id
        if len(request_id) > REQUEST_ID_MOST:
            raise RivalryError(f"request_id has {len(request_id)} characters; at most {REQUEST_ID_MOST} are taken")
        known = self._made(request_id) if request_id else None
        if known is not None:
            match_id, made = known
            if differing := _differing(_without_id(made.data), _without_id(request)):
                raise RequestReusedError(
                    f"request_id {request_id!r} made match {match_id} from a request with another "
                    f"{', '.join(differing)}; give a new request_id for a new match, or repeat the first request"
                )
            before = self._arena.match(match_id)
            if before is None:
                raise RivalryError(f"request_id {request_id!r} made match {match_id}, which is not known here any more")
            return before, _tokens(request, made.salt)
        made = Request(
            sha256(request_id.encode()).digest() if request_id else b"",
            _without_id(request).SerializeToString(deterministic=True),
            secrets.token_bytes(32),
        )
        spec = self._spec(request, game or self.game_of(request))
        tokens = _tokens(request, made.salt)
        occupants = [
            Listen(token=tokens[seat], walk_in=not asked.open.token_only)
            if asked.WhichOneof("who") == "open"
            else self._occupant(asked, request.game)
            for seat, asked in enumerate(request.seats)
        ]
        attempt = self._arena.open_match(spec, occupants, request=made)
        if request_id:
            self._forget_old()
            self._known[request_id] = (spec.match_id, made)
        return attempt, tokens

    def game_of(self, request: play_pb2.CreateMatchRequest) -> Game:
        """The game of a request; raises RivalryError."""
        return describe.options_in(request.options_json, len(request.seats), catalog.rules(request.game))

    def _made(self, request_id: str) -> tuple[str, Request] | None:
        """The match that a request id made, and its request; None if there is none."""
        known = self._known.get(request_id)
        if known is None:
            kept = self._arena.requested(sha256(request_id.encode()).digest())
            known = None if kept is None else (kept.match_id, kept.request)
        return known

    def _spec(self, request: play_pb2.CreateMatchRequest, game: Game) -> MatchSpec:
        if request.HasField("seed") and not 1 <= len(request.seed) <= SEED_MOST:
            raise RivalryError(f"a seed of {len(request.seed)} bytes; expected 1 to {SEED_MOST}")
        wait_us = request.wait_us if request.HasField("wait_us") else 60_000_000
        if not 0 <= wait_us <= WAIT_MOST_US:
            raise RivalryError(f"wait_us is {wait_us}; expected 0 to {WAIT_MOST_US}")
        return MatchSpec(
            game=game,
            seed=request.seed if request.HasField("seed") else secrets.token_bytes(32),
            time_control=TimeControl.of(request.time_control) if request.HasField("time_control") else TimeControl(),
            policies=Policies.of(request.policies),
            wait_s=wait_us / 1_000_000,
        )

    def _occupant(self, seat: match_pb2.SeatSpec, game: str) -> Occupant:
        who = seat.WhichOneof("who")
        if who == "built_in":
            return self._arena.built_in(seat.built_in, game)
        if who == "registered":
            return self._arena.registered(seat.registered)
        raise RivalryError("a seat says neither open nor built_in nor registered")

    def _forget_old(self) -> None:
        attempts = self._arena.attempts
        if len(self._known) > 2 * self._arena.settings.ended_matches:
            self._known = {request_id: known for request_id, known in self._known.items() if known[0] in attempts}


def _tokens(request: play_pb2.CreateMatchRequest, salt: bytes) -> list[str]:
    """The tokens of a request's open seats; empty for the others.

    They follow from its id and the match's ``salt``, so that a request that is repeated gets them after a restart too,
    and neither a request id alone nor the journal, which has the salt and not the id, gives them away.
    """
    secret = request.request_id.encode() or secrets.token_bytes(32)
    return [
        identity.written(hmac.digest(secret, salt + seat.to_bytes(4, "big"), "sha256")[:24])
        if asked.WhichOneof("who") == "open"
        else ""
        for seat, asked in enumerate(request.seats)
    ]


def _without_id(request: play_pb2.CreateMatchRequest | bytes) -> play_pb2.CreateMatchRequest:
    """What was asked for, without the request id."""
    from rivalry.arena.v1 import play_pb2

    bare = play_pb2.CreateMatchRequest()
    if isinstance(request, bytes):
        bare.ParseFromString(request)
    else:
        bare.CopyFrom(request)
    bare.ClearField("request_id")
    return bare


def _differing(one: play_pb2.CreateMatchRequest, other: play_pb2.CreateMatchRequest) -> list[str]:
    """The names of the fields in which two requests differ."""
    if one == other:
        return []
    fields = {field.name: value for field, value in one.ListFields()}
    others = {field.name: value for field, value in other.ListFields()}
    names = [field.name for field in one.DESCRIPTOR.fields if fields.get(field.name) != others.get(field.name)]
    return names or ["field that is unknown here"]
