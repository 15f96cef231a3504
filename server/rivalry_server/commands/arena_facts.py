"""Matches and games of a running arena, as programs read them and as people do."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final

from rivalry_engine.chance import seed_text
from rivalry_engine.error import RivalryError
from rivalry_engine.option import KINDS, Option
from rivalry_server.commands import output

if TYPE_CHECKING:
    from rivalry.arena.v1 import match_pb2, play_pb2

PHASES: Final = ("waiting", "running", "ended")
"""By number, from 1."""


def facts(match: match_pb2.Match, bots: Sequence[str] = ()) -> dict[str, Any]:
    """A match as programs read it, with the names that ``rivalry match`` gives; null is what is not known yet.

    ``bots`` are the SPECs of its seats where they are known; the names of the bots stand in their place else.
    """
    ended = match.HasField("outcome")
    outcome = match.outcome
    results = {each.seat: each for each in outcome.seats}
    seats = [
        {
            "seat": seat.seat,
            "bot": bots[seat.seat] if seat.seat < len(bots) else seat.name,
            "name": seat.name,
            "version": seat.version,
            "taken": seat.taken,
            **_result(results.get(seat.seat)),
        }
        for seat in match.seats
    ]
    return {
        "match_id": match.match_id,
        "game": match.game,
        "rules_version": match.rules_version,
        "options": _json(match.options_json),
        "phase": phase(match),
        "time": _time(match),
        "policies": _policies(match),
        "seed": seed_text(match.seed) if match.seed else None,
        "decisions": match.decisions,
        "attempt": match.attempt,
        "earlier": list(match.earlier),
        "again_as": match.again_as or None,
        "score_unit": outcome.score_unit if ended else None,
        "game_digest": outcome.game_digest or None,
        "void": outcome.void if ended else None,
        "text": outcome.text if ended else None,
        "seats": seats,
    }


def phase(match: match_pb2.Match) -> str:
    """Where a match stands, in a word."""
    return PHASES[match.phase - 1] if 1 <= match.phase <= len(PHASES) else str(match.phase)


def table(match: dict[str, Any]) -> None:
    """The outcome of a match for a person, the winner first."""
    from rivalry_server.commands import play

    seats = match["seats"]
    if all(seat["bot"] == seat["name"] for seat in seats):  # nobody knows the SPECs: versions stand with the names
        seats = [{**seat, "bot": _versioned(seat), "name": ""} for seat in seats]
    play.table({**match, "seats": seats})


def show(match: dict[str, Any]) -> None:
    """All of a match for a person."""
    said = ", ".join(f"{name} {_worded(value)}" for name, value in match["options"].items())
    output.say(f"match {match['match_id']} of {match['game']} ({said})")
    runs = f", run {match['attempt']}" if match["attempt"] > 1 else ""
    output.say(f"{match['phase']}{runs}, decisions {match['decisions']}, time {match['time']}")
    if match["seed"] is not None:
        output.say(f"seed {match['seed']}")
    if match["again_as"] is not None:
        output.say(f"the arena spoiled it; it is run again as {match['again_as']}")
    if match["phase"] == "ended":
        table(match)
        return
    rows = [(seat["seat"], _versioned(seat) or None, "taken" if seat["taken"] else "waits") for seat in match["seats"]]
    output.table(("seat", "bot", "state"), rows, numbers=("seat",))


def rows(matches: Sequence[dict[str, Any]]) -> None:
    """Many matches for a person, a row each."""
    output.table(
        ("match", "game", "phase", "decisions", "bots", "end"),
        [
            (
                match["match_id"],
                match["game"],
                match["phase"],
                match["decisions"],
                ", ".join(seat["name"] or "–" for seat in match["seats"]),
                _end(match),
            )
            for match in matches
        ],
        numbers=("decisions",),
    )


def option(declared: match_pb2.GameOption) -> Option:
    """An option of a game as the arena declares it; a kind that is not known here is written as JSON."""
    return Option(
        name=declared.name,
        kind=declared.kind if declared.kind in KINDS else "json",
        default=_json(declared.default_json),
        allowed=tuple(_json(declared.allowed_json) or ()),
        meaning=declared.meaning,
    )


def game(hosted: match_pb2.Game) -> dict[str, Any]:
    """A game as programs read it, with the names that ``rivalry games`` gives."""
    return {
        "name": hosted.name,
        "title": hosted.title,
        "rules_version": hosted.rules_version,
        "seat_counts": list(hosted.seat_counts),
        "score_unit": hosted.score_unit,
        "heavy": hosted.heavy,
        "options": [
            {
                "name": each.name,
                "kind": each.kind,
                "default": _json(each.default_json),
                "allowed": _json(each.allowed_json) or [],
                "meaning": each.meaning,
            }
            for each in hosted.options
        ],
    }


def family(hosted: match_pb2.GameFamily) -> dict[str, Any]:
    """A family as programs read it, with the names that ``rivalry games`` gives."""
    return {
        "name": hosted.name,
        "title": hosted.title,
        "games": list(hosted.games),
        "unavailable": hosted.unavailable,
    }


def described(told: play_pb2.DescribeGameResponse) -> dict[str, Any]:
    """A game with its rules in short and its glossary."""
    return game(told.game) | {"primer": told.primer, "glossary": dict(sorted(told.glossary.items()))}


def _result(result: Any) -> dict[str, Any]:
    """What came of a seat; null everywhere where nothing has yet."""
    from rivalry.arena.v1 import outcome_pb2
    from rivalry_client.words import word

    if result is None:
        keys = ("score", "rank", "end", "text", "stood_in", "decisions", "illegal", "spent", "retries")
        return dict.fromkeys(keys)
    return {
        "score": result.score if result.HasField("score") else None,
        "rank": result.rank if result.HasField("rank") else None,
        "end": word(outcome_pb2.End, result.end, "END_"),
        "text": result.text,
        "stood_in": result.stood_in,
        "decisions": result.decisions,
        "illegal": result.illegal,
        "spent": {name: getattr(result.spent, name) for name in ("bot_us", "network_us", "arena_us", "charged_us")},
        "retries": result.retries,
    }


def _time(match: match_pb2.Match) -> str | None:
    from rivalry_server.clock import TimeControl

    try:
        return TimeControl.of(match.time_control).text()
    except RivalryError:  # an arena of another version
        return None


def _policies(match: match_pb2.Match) -> dict[str, str] | None:
    from rivalry_server.policies import Policies

    try:
        return Policies.of(match.policies).texts()
    except RivalryError:
        return None


def _end(match: dict[str, Any]) -> str | None:
    """How a match ended, in a few words."""
    if match["phase"] != "ended":
        return None
    if match["void"]:
        return f"void: {match['text']}"
    return "won by " + ", ".join(f"{seat['name']} ({seat['seat']})" for seat in match["seats"] if seat["rank"] == 1)


def _versioned(seat: dict[str, Any]) -> str:
    return f"{seat['name']} {seat['version']}".strip()


def _worded(value: Any) -> str:
    if value is None or isinstance(value, bool):
        return json.dumps(value)
    return " ".join(map(str, value)) if isinstance(value, list) else str(value)


def _json(text: str) -> Any:
    """A JSON value of the arena's, None where there is none or where it cannot be read."""
    try:
        return json.loads(text) if text else None
    except (ValueError, RecursionError):
        return None
