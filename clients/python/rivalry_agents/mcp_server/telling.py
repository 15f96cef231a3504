"""What a chat agent reads: rules, seats, prompts and outcomes as plain text."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence

from rivalry.arena.v1 import match_pb2, play_pb2
from rivalry_agents.mcp_server.chair import Chair
from rivalry_client.match import Match, Outcome, SeatOutcome
from rivalry_client.prompt import Prompt
from rivalry_engine.error import RivalryError

FAMILY_SHOWN = 200
"""Of a family of games so many names are listed."""


def games(listed: play_pb2.ListGamesResponse) -> str:
    """The games, a line each."""
    lines = [f"{game.name}: {game.title}, {_counts(game.seat_counts)} seats" for game in listed.games]
    for family in listed.families:
        if family.unavailable:
            lines.append(f"{family.name}: {family.title}; not here: {family.unavailable}")
            continue
        names = list(family.games)
        more = f" and {len(names) - FAMILY_SHOWN} more" if len(names) > FAMILY_SHOWN else ""
        lines.append(f"{family.name}: {family.title}: {', '.join(names[:FAMILY_SHOWN])}{more}")
    return "\n".join(("Games (read_rules tells how each is played):", *lines))


def rules(described: play_pb2.DescribeGameResponse, bots: Sequence[str]) -> str:
    """The rules in short, the words, the options, and how to answer."""
    game = described.game
    parts = [f"{game.title} ({game.name}), {_counts(game.seat_counts)} seats"]
    if described.primer:
        parts.append(described.primer.strip())
    if described.glossary:
        words = [f"- {word}: {meaning}" for word, meaning in sorted(described.glossary.items())]
        parts.append("\n".join(("Words and notation:", *words)))
    parts.append("\n".join(("Options of new_match:", *map(_option, game.options))))
    parts.append(f"Built-in opponents: {', '.join(bots)}; or open, for whoever joins.")
    parts.append(HOW_TO_ANSWER)
    return "\n\n".join(parts)


HOW_TO_ANSWER = (
    "How to answer: each prompt lists numbered choices. The number of a choice alone is always legal. Where a choice "
    "has parts, its number takes the usual ones; name others by their indices in `parts`. Or write the action in "
    "notation, as the choices and the rules spell it. An answer that the rules forbid is rejected with the reason, and "
    "the third rejection of one prompt ends your part in the match, as does time that runs out; then the first choice "
    "is played for you."
)


def seat(chair: Chair, *, whole: bool = True) -> str:
    """The seat as it is now: who plays, what happened since the last look, and the question or the outcome.

    What the agent has seen just now, and what a rejection does not change, is left out unless ``whole``.
    """
    match = chair.match
    if match is None:
        return _without_match(chair)
    parts = [_heading(chair, match)]
    if news := _news(chair):
        parts.append(news)
    if chair.outcome is not None:
        parts.append(outcome(match, chair.outcome))
    elif chair.prompt is not None:
        parts.append(prompt(chair, chair.prompt, whole=whole or chair.prompt.ruling is None))
    else:
        parts.append(_waiting(chair))
    return "\n\n".join(parts)


def prompt(chair: Chair, asked: Prompt, *, whole: bool) -> str:
    """The open question with all that the seat may answer, and if ``whole`` all that it sees."""
    parts = [f"Prompt {asked.number} ({asked.kind}). {_time(chair.left_s)}"]
    if asked.ruling is not None:
        tries = f"{asked.tries_left} more" if asked.tries_left > 1 else "1 more, and the next rejection ends your part"
        reason = asked.ruling.code or asked.ruling.reason
        parts.insert(0, f"REJECTED ({reason}): {asked.ruling.text}\nTries left: {tries}. The clock runs on.")
    if whole:
        parts.append(_seen(asked))
    parts.append("\n".join(("Choices:", *_choices(asked))))
    return "\n\n".join(parts)


def outcome(match: Match, result: Outcome) -> str:
    """How a match ended, the winner first."""
    if result.void:
        return f"The match is over and void: {result.text}"
    seats = sorted(result.seats, key=lambda each: (each.rank or 0, each.seat))
    lines = [_result(each, result.score_unit, mine=each.seat == match.seat) for each in seats]
    return "\n".join(("The match is over:", *lines))


def history(chair: Chair) -> str:
    """All that happened, as this seat saw it."""
    if chair.match is None:
        return _without_match(chair)
    first = chair.forgotten + 1
    lines = [f"{number}. {text}" for number, text in enumerate(chair.history, first)]
    if chair.forgotten:
        lines.insert(0, f"(the first {chair.forgotten} are not kept)")
    parts = [_heading(chair, chair.match), "\n".join(lines) or "Nothing has happened yet."]
    if chair.outcome is not None:
        parts.append(outcome(chair.match, chair.outcome))
    return "\n\n".join(parts)


def _without_match(chair: Chair) -> str:
    if chair.ending is not None:
        why = chair.ending.text or chair.ending.kind
        return f"seat: {chair.key}\n\nThe match did not begin: the session is over ({why})."
    return f"seat: {chair.key}\n\nThe match has not begun: others are awaited. Call look to wait on."


def _heading(chair: Chair, match: Match) -> str:
    players = ", ".join(
        f"seat {player.seat} {'you' if player.seat == match.seat else player.name}" for player in match.players
    )
    limit = "no limit" if match.prompt_s is None else f"{match.prompt_s:g} s"
    return f"seat: {chair.key}\nMatch {match.id} of {match.game_name}: {players}; time for a prompt: {limit}"


def _news(chair: Chair) -> str:
    lost, fresh = chair.fresh()
    if not fresh:
        return ""
    more = [f"- ({lost} more are not kept)"] if lost else []
    return "\n".join(("Since you last looked:", *more, *(f"- {text}" for text in fresh)))


def _waiting(chair: Chair) -> str:
    if chair.late:
        return (
            f"TOO LATE: {chair.late}. Your part in the match is over, and the first choice is played for you. "
            "Call look to wait for the outcome."
        )
    if chair.ending is not None:
        return f"The session is over: {chair.ending.text or chair.ending.kind}."
    if chair.given_up is not None:
        return "You gave up; the match goes on without you. Call look to wait for the outcome."
    return "Nothing is asked of you now: others are thinking. Call look to wait on."


def _time(left_s: float | None) -> str:
    if left_s is None:
        return "No time limit."
    if left_s <= 0:
        return "TIME IS UP: the arena has ended your part in the match, or does so now. Call look for the outcome."
    return f"Time left: {left_s:.0f} s; it runs while you think." if left_s >= 10 else f"Time left: {left_s:.1f} s."


def _seen(asked: Prompt) -> str:
    try:
        return asked.view().rstrip()
    except RivalryError as error:
        return f"(what the seat sees cannot be shown: {error})"


def _choices(asked: Prompt) -> list[str]:
    lines = []
    texts = asked.texts()
    for number, (count, least, most, usual) in enumerate(asked.shapes()):
        lines.append(f"{number}: {texts[number]}")
        if count:
            parts = ", ".join(f"[{at}] {text}" for at, text in enumerate(asked.part_texts(number)))
            range_ = f"{least}" if least == most else f"{least} to {most}"
            lines.append(f"   takes {range_} of the parts {parts}; the number alone takes the first {usual}")
    return lines


def _result(each: SeatOutcome, unit: int, *, mine: bool) -> str:
    score = "no score" if each.score is None else f"score {each.score / unit:g}"
    end = "" if each.end == "normal" else f"; ended by {each.end}" + (f": {each.text}" if each.text else "")
    return f"rank {each.rank}: seat {each.seat} {each.name}{' (you)' if mine else ''}, {score}{end}"


def _option(option: match_pb2.GameOption) -> str:
    allowed = json.loads(option.allowed_json) if option.allowed_json else None
    values = f"; one of {', '.join(json.dumps(value) for value in allowed)}" if isinstance(allowed, list) else ""
    return f"- {option.name} ({option.kind}, usually {option.default_json}{values}): {option.meaning}"


def _counts(counts: Sequence[int]) -> str:
    least, most = min(counts), max(counts)
    return str(least) if least == most else f"{least} to {most}"


def tokens(open_seats: Mapping[int, str]) -> str:
    """How others take the seats that are open."""
    lines = [f"- seat {at}: join_match with token {token}" for at, token in open_seats.items()]
    return "\n".join(("These seats are open to others:", *lines))
