"""Games and matches as everybody may know them: the messages of the unary methods."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from google.protobuf.descriptor import FileDescriptor
from google.protobuf.descriptor_pb2 import FileDescriptorSet

from rivalry.arena.v1 import match_pb2, play_pb2
from rivalry_engine import catalog
from rivalry_engine.error import RivalryError
from rivalry_engine.game import Game
from rivalry_server.attempt import Attempt, Phase
from rivalry_server.logs import log
from rivalry_server.messages import options_json
from rivalry_wire.codec import codec

if TYPE_CHECKING:
    from collections.abc import Sequence

PHASES = {
    Phase.WAITING: match_pb2.MATCH_PHASE_WAITING,
    Phase.RUNNING: match_pb2.MATCH_PHASE_RUNNING,
    Phase.ENDED: match_pb2.MATCH_PHASE_ENDED,
}


def listed(names: Sequence[str]) -> play_pb2.ListGamesResponse:
    """The games and families ``names``; one that cannot be loaded is left out, and hides no other."""
    response = play_pb2.ListGamesResponse()
    for name in names:
        try:
            many = catalog.family(name)
            if many is None:
                response.games.append(game(name))
            else:
                response.families.append(family(name, many))
        except RivalryError as error:
            log.warning("game_unusable", game=name, error=str(error))
    return response


def family(name: str, many: catalog.Family) -> match_pb2.GameFamily:
    """A family with the names of its games, or why there are none here."""
    message = match_pb2.GameFamily(name=name, title=many.title)
    try:
        message.games.extend(f"{name}:{each}" for each in many.names())
    except RivalryError as error:
        message.unavailable = str(error)
    return message


def game(name: str) -> match_pb2.Game:
    """A game that is hosted here; raises UnknownGameError, and RivalryError when its package is missing."""
    rules = catalog.rules(name)
    coder = codec(rules())
    return match_pb2.Game(
        name=name,
        title=rules.title,
        rules_version=rules.rules_version,
        seat_counts=list(rules.seat_counts),
        options=[
            match_pb2.GameOption(
                name=option.name,
                kind=option.kind,
                default_json=_json(option.default),
                allowed_json=_json(list(option.allowed)) if option.allowed else "",
                meaning=option.meaning,
            )
            for option in rules.options_declared()
        ],
        score_unit=rules.score_unit,
        payloads=match_pb2.PayloadTypes(
            setup=coder.url("Setup"),
            observation=coder.url("Observation"),
            choices=coder.url("Choices"),
            events=coder.url("Events"),
            action=coder.url("Action"),
        ),
        heavy=rules.heavy,
    )


def described(name: str) -> play_pb2.DescribeGameResponse:
    """All that is told of a game; raises as ``game`` does."""
    rules = catalog.rules(name)
    return play_pb2.DescribeGameResponse(
        game=game(name), glossary=rules.glossary, schema=schema(name), primer=rules.primer
    )


def schema(name: str) -> FileDescriptorSet:
    """The file of a game's payloads with everything it imports, imports first."""
    files: dict[str, FileDescriptor] = {}

    def add(file: FileDescriptor) -> None:
        if file.name in files:
            return
        for imported in file.dependencies:
            add(imported)
        files[file.name] = file

    add(codec(catalog.game(name)).file)
    bundle = FileDescriptorSet()
    for file in files.values():
        file.CopyToProto(bundle.file.add())
    return bundle


def match(attempt: Attempt, *, with_seed: bool) -> match_pb2.Match:
    """A match; its seed only once it has ended and will not be run again."""
    spec = attempt.spec
    result = attempt.result
    running = attempt.match
    message = match_pb2.Match(
        match_id=spec.match_id,
        game=spec.game.name,
        rules_version=spec.game.rules_version,
        options_json=options_json(spec.game),
        phase=PHASES[attempt.phase],
        time_control=spec.time_control.message(),
        policies=spec.policies.message(),
        attempt=spec.attempt,
        earlier=spec.earlier,
        again_as=attempt.again_as,
        decisions=result.decisions if result is not None else len(running.moves) if running is not None else 0,
    )
    for seat in range(spec.game.seats):
        name, version = attempt.named(seat)
        message.seats.add(seat=seat, name=name, version=version, taken=not attempt.waiting_for(seat))
    if result is not None:
        message.outcome.CopyFrom(result.message())
        if with_seed:
            message.seed = spec.seed
    return message


def options_in(text: str, seats: int, kind: type[Game]) -> Game:
    """The game of ``kind`` with the options of a JSON object, for ``seats`` bots; raises RivalryError."""
    from rivalry_engine.error import OptionError

    try:
        given = json.loads(text or "{}")
    except (ValueError, RecursionError):
        raise OptionError(f"options {text[:80]!r}: expected a JSON object") from None
    if not isinstance(given, dict):
        raise OptionError(f"options {text[:80]!r}: expected a JSON object")
    if given.setdefault("seats", seats) != seats:
        raise OptionError(f"option seats: {given['seats']!r}; {seats} seats were listed")
    return kind(given)


def _json(value: object) -> str:
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False)
