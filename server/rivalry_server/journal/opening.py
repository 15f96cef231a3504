"""What makes a match again after a restart: its specification and who is to sit where, as a line of JSON."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from rivalry.arena.v1 import outcome_pb2, time_pb2
from rivalry_engine import catalog
from rivalry_engine.error import RivalryError
from rivalry_server.clock import TimeControl
from rivalry_server.policies import Policies
from rivalry_server.seat import InProcess
from rivalry_server.seating import Command, Dial, Listen, Occupant, Reserved

if TYPE_CHECKING:
    from rivalry_server.match_spec import MatchSpec


@dataclass(frozen=True, slots=True)
class Request:
    """The request that made a match.

    ``key`` is the SHA-256 of its request id (empty: none was given), ``data`` the request without that id, ``salt``
    what the tokens of its open seats were derived with.
    """

    key: bytes = b""
    data: bytes = b""
    salt: bytes = b""


@dataclass(frozen=True, slots=True)
class Opening:
    """A match as it is opened."""

    spec: MatchSpec
    occupants: tuple[Occupant, ...]
    request: Request = Request()

    @property
    def keepable(self) -> bool:
        """True if every seat can be filled again after a restart: no function or program without a name sits on one."""
        return all(_facts(occupant) is not None for occupant in self.occupants)

    def text(self) -> str:
        """The opening as JSON."""
        spec = self.spec
        facts = {
            "match_id": spec.match_id,
            "game": spec.game.name,
            "rules_version": spec.game.rules_version,
            "options": dict(spec.game.options),
            "seed": spec.seed.hex(),
            "time": spec.time_control.message().SerializeToString().hex(),
            "policies": spec.policies.message().SerializeToString().hex(),
            "wait_s": spec.wait_s,
            "position": spec.position,
            "attempt": spec.attempt,
            "earlier": list(spec.earlier),
            "seats": [_facts(occupant) for occupant in self.occupants],
            "request": [self.request.key.hex(), self.request.data.hex(), self.request.salt.hex()],
        }
        return json.dumps(facts, separators=(",", ":"), sort_keys=True, ensure_ascii=False)


@dataclass(frozen=True, slots=True)
class KeptOpening:
    """An opening that was read; ``spec`` and ``occupants`` make it again where that is possible."""

    facts: dict[str, Any]

    @property
    def match_id(self) -> str:
        """The match's id."""
        return str(self.facts["match_id"])

    @property
    def request(self) -> Request:
        """The request that made it."""
        key, data, salt = self.facts["request"]
        return Request(bytes.fromhex(key), bytes.fromhex(data), bytes.fromhex(salt))

    def spec(self) -> MatchSpec:
        """What was to be played; raises RivalryError where this package cannot play it."""
        from rivalry_server.match_spec import MatchSpec

        facts = self.facts
        game = catalog.game(facts["game"], facts["options"])
        if game.rules_version != facts["rules_version"]:
            raise RivalryError(
                f"the match began under rules version {facts['rules_version']} of {game.name}; "
                f"this package has version {game.rules_version}"
            )
        return MatchSpec(
            game=game,
            seed=bytes.fromhex(facts["seed"]),
            match_id=facts["match_id"],
            time_control=TimeControl.of(time_pb2.TimeControl.FromString(bytes.fromhex(facts["time"]))),
            policies=Policies.of(outcome_pb2.Policies.FromString(bytes.fromhex(facts["policies"]))),
            wait_s=facts["wait_s"],
            position=facts["position"],
            attempt=facts["attempt"],
            earlier=tuple(facts["earlier"]),
        )

    def occupants(
        self, *, built_in: Callable[[str, str], InProcess], registered: Callable[[str], Command | Dial]
    ) -> tuple[Occupant, ...]:
        """Who is to sit there; raises RivalryError where a bot is not to be had any more."""
        game = str(self.facts["game"])
        return tuple(_occupant(seat, game, built_in, registered) for seat in self.facts["seats"])


def read(text: str) -> KeptOpening:
    """The opening in ``text``; raises RivalryError where it is none."""
    try:
        facts = json.loads(text)
        opening = KeptOpening(facts)
        if opening.request and isinstance(facts["seats"], list) and isinstance(facts["game"], str):
            return opening
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise RivalryError(f"this is no match of a journal: {type(error).__name__}: {error}") from error
    raise RivalryError("this is no match of a journal")


def _facts(occupant: Occupant) -> dict[str, str] | None:
    """What finds the occupant again; None where nothing does."""
    if isinstance(occupant, Listen):
        facts = {"open": occupant.fingerprint.hex(), "bot": occupant.bot}
        if occupant.reserved is not None:
            facts |= {"token": occupant.reserved.token_id, "version": occupant.reserved.version}
        return facts if occupant.walk_in else {**facts, "to": "token"}
    if isinstance(occupant, InProcess):
        return {"built_in": occupant.bot} if occupant.bot else None
    return {"registered": occupant.registered} if occupant.registered else None


def _occupant(
    facts: dict[str, str],
    game: str,
    built_in: Callable[[str, str], InProcess],
    registered: Callable[[str], Command | Dial],
) -> Occupant:
    if "built_in" in facts:
        return built_in(facts["built_in"], game)
    if "registered" in facts:
        return registered(facts["registered"])
    return Listen(
        facts["bot"],
        fingerprint=bytes.fromhex(facts["open"]),
        walk_in=facts.get("to") != "token",
        reserved=Reserved(facts["token"], facts["version"]) if "token" in facts else None,
    )


def with_tokens(occupants: Sequence[Occupant], token: Callable[[int], str]) -> tuple[Occupant, ...]:
    """``occupants`` with a token for each open seat that has none."""
    return tuple(
        replace(occupant, token=token(seat))
        if isinstance(occupant, Listen) and not (occupant.token or occupant.fingerprint)
        else occupant
        for seat, occupant in enumerate(occupants)
    )
