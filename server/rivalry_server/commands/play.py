"""Plays one planned match: without a loop when all bots are in this process, else through an arena."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rivalry_server import stop
from rivalry_server.aside import set_aside
from rivalry_server.commands import output
from rivalry_server.commands.plan import Plan
from rivalry_server.commands.together import spectator
from rivalry_server.match_spec import MatchSpec
from rivalry_server.seat import InProcess
from rivalry_server.spectator import Spectator

if TYPE_CHECKING:
    from rivalry_server.outcome import Result
    from rivalry_server.seating import Invitation


def played(plan: Plan, spec: MatchSpec, *, views: Sequence[Spectator], address: str) -> Result:
    """The result of the match; ``address`` is where the arena listens.  Raises RivalryError when it cannot begin."""
    follows = spectator(views)
    inside = [occupant for occupant in plan.occupants if isinstance(occupant, InProcess)]
    if len(inside) == len(plan.occupants):
        from rivalry_server import local

        with set_aside():
            return local.play(spec, inside, spectator=follows)
    with set_aside():
        return _over_the_wire(plan, spec, follows, address)


def _over_the_wire(plan: Plan, spec: MatchSpec, follows: Spectator | None, address: str) -> Result:
    with stop.held():  # an import that is broken off leaves tracebacks of others
        from rivalry_server.arena import Arena
        from rivalry_server.commands.loop import run

    async def match() -> Result:
        async with Arena() as arena:
            await arena.start(address)
            return await arena.run_match(spec, plan.occupants, spectator=follows, invite=_invite)

    return run(match)


def _invite(invitation: Invitation) -> None:
    """Says how to take a seat that waits for whoever dials in."""
    token = f"RIVALRY_TOKEN={invitation.token} " if invitation.token else ""
    output.tell(
        f"seat {invitation.seat} waits for a bot: {token}python my_bot.py --address {invitation.address}"
        f" (or rivalry bot NAME --address {invitation.address})"
    )


def facts(result: Result, record: Path | None) -> dict[str, Any]:
    """A match as programs read it."""
    options = {name: list(value) if isinstance(value, tuple) else value for name, value in result.game.options.items()}
    return {
        "match_id": result.match_id,
        "game": result.game.name,
        "options": options,
        "seed": "0x" + result.seed.hex(),
        "decisions": result.decisions,
        "score_unit": result.game.score_unit,
        "duration_s": round(result.duration_s, 6),
        "record": None if record is None else str(record),
        "game_digest": result.game_digest or None,
        "void": result.void,
        "attempt": result.attempt,
        "earlier": list(result.earlier),
        "text": result.text,
        "seats": [seat.json() for seat in result.seats],
    }


def table(match: dict[str, Any]) -> None:
    """The outcome for a person, the winner first."""
    rows = [
        (seat["rank"], seat["seat"], who(seat), _points(seat["score"], match), _end(seat)) for seat in match["seats"]
    ]
    rows.sort(key=lambda row: (row[0] or 0, row[1]))
    output.table(("rank", "seat", "bot", "score", "end"), rows, numbers=("rank", "seat", "score"))
    if match["void"]:
        output.say(f"void: {match['text']}")


def who(seat: dict[str, Any]) -> str:
    """The seat's specification, with the name and version of the bot that played where it does not say them."""
    spec, name = str(seat["bot"]), str(seat["name"])
    said = spec.partition("?")[0]
    if not name or name == said or (said.startswith("inproc:") and name == said.rpartition(":")[2]):
        return spec
    return f"{spec} ({name} {seat['version']}".rstrip() + ")"


def _points(score: int | None, match: dict[str, Any]) -> str | None:
    """A score in points, whatever unit the game keeps it in."""
    unit = match["score_unit"]
    return None if score is None else str(score) if unit == 1 else f"{score / unit:g}"


def _end(seat: dict[str, Any]) -> str:
    return f"{seat['end']}: {seat['text']}" if seat["text"] else str(seat["end"])
