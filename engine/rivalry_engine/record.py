"""Records: a match as JSON Lines, from which everything about it can be rebuilt and checked.

A head, a line an action, a last line with the outcome; each line is canonical JSON (keys sorted by code point, no
spaces, UTF-8, integers only) and carries ``chain``: the SHA-256, in hex, over the 32 bytes of the chain before (zeros
for the head) followed by the line without it.  To the byte, with test vectors: ``engine/README.md``.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from rivalry_engine import catalog
from rivalry_engine.answering import answering
from rivalry_engine.chance import seed_from_text, seed_text
from rivalry_engine.counting import counted
from rivalry_engine.error import DamagedRecordError, NotationError, OptionError, PositionError, RecordError
from rivalry_engine.game import Game, State
from rivalry_engine.outcome import ENDS, NORMAL, placed

FORMAT: Final = 1
"""The record format's own version; a reader refuses any other."""

START: Final = bytes(32)
HEAD_KEYS: Final = frozenset(
    (
        *("format", "game", "rules_version", "options", "seed", "match_id", "seats"),
        *("time", "policies", "package", "protocol"),
    )
)
ACTION_KEYS: Final = frozenset(("n", "seat", "action", "us"))
TAIL_KEYS: Final = frozenset(("outcome", "seats", "game_digest"))
OPTIONAL: Final = {
    "head": frozenset(("position", "earlier")),
    "action": frozenset(("by", "note", "network", "arena")),
    "tail": frozenset(("text",)),
}
STAND_IN: Final = "stand-in"


_quoted = json.JSONEncoder(ensure_ascii=False).encode


def canonical(value: Any) -> bytes:
    """The one way in which a JSON value is written; raises RecordError on a float or anything that is not JSON."""
    _no_floats(value)
    return _written(value)


def _written(value: Any) -> bytes:
    """The same for a value that is known to hold no float."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()


def game_digest(
    game: Game,
    seed: bytes,
    moves: Sequence[tuple[int, str]],
    scores: Sequence[int],
    position: Mapping[str, Any] | None = None,
) -> str:
    """What makes two records the same: SHA-256 in hex over the canonical JSON of game, rules version, options, seed,
    actions (each seat and notation) and scores; a match that began from a position adds it.
    """
    facts: dict[str, Any] = {
        "actions": moves,
        "game": game.name,
        "options": game.options_given(),
        "rules_version": game.rules_version,
        "scores": list(scores),
        "seed": seed_text(seed),
    }
    if position is not None:
        facts["position"] = position
    _no_floats(facts["options"])
    _no_floats(position)
    return hashlib.sha256(_written(facts)).hexdigest()


class Recorder:
    """Writes a record while its match is played; ``lines`` holds what is written so far, without line ends."""

    def __init__(
        self,
        game: Game,
        seed: bytes,
        match_id: str,
        *,
        seats: Sequence[Mapping[str, str]],
        time: str,
        policies: Mapping[str, str],
        package: str,
        protocol: int,
        position: Mapping[str, Any] | None = None,
        earlier: Sequence[str] = (),
    ) -> None:
        """``seats`` holds ``name`` and ``version`` of each bot; ``time`` and ``policies`` are in their text form.

        ``earlier`` holds the match ids of runs of this match that the arena spoiled.
        """
        self.game = game
        self.seed = seed
        self.position = position
        self.lines: list[str] = []
        self.moves: list[tuple[int, str]] = []
        self._chain = START
        head: dict[str, Any] = {
            "format": FORMAT,
            "game": game.name,
            "rules_version": game.rules_version,
            "options": game.options_given(),
            "seed": seed_text(seed),
            "match_id": match_id,
            "seats": [{"name": seat["name"], "version": seat["version"]} for seat in seats],
            "time": time,
            "policies": dict(policies),
            "package": package,
            "protocol": protocol,
        }
        if position is not None:
            head["position"] = position
        if earlier:
            head["earlier"] = list(earlier)
        self._write(head)

    def act(
        self,
        seat: int,
        text: str,
        us: int,
        *,
        by: str | None = None,
        note: str = "",
        network: int = 0,
        arena: int = 0,
    ) -> None:
        """Adds an action in its notation, with the microseconds it took, of which ``network`` and ``arena`` are not
        the bot's; ``by`` says who did it for the seat.
        """
        self.moves.append((seat, text))
        if by is None and not note:  # nearly every line: written by hand, in the canonical order of its keys
            first = f'"action":{_quoted(text)},'
            second = f'"arena":{arena},' if arena else ""
            third = (
                f'"n":{len(self.moves)},' + (f'"network":{network},' if network else "") + f'"seat":{seat},"us":{us}}}'
            )
            self._chain = hashlib.sha256(self._chain + f"{{{first}{second}{third}".encode()).digest()
            self.lines.append(f'{{{first}{second}"chain":"{self._chain.hex()}",{third}')
            return
        line: dict[str, Any] = {"n": len(self.moves), "seat": seat, "action": text, "us": us}
        if by is not None:
            line["by"] = by
        if note:
            line["note"] = note
        if network:
            line["network"] = network
        if arena:
            line["arena"] = arena
        self._write(line)

    def end(
        self,
        *,
        scores: Sequence[int] | None,
        ranks: Sequence[int] | None,
        ends: Sequence[str],
        fell: Sequence[int | None],
        retries: Sequence[int] = (),
        text: str = "",
    ) -> str:
        """Adds the last line and returns the game digest, empty for a void match (``scores`` and ``ranks`` None).

        ``fell`` says for each seat after how many actions it ended other than normally, None where it did not;
        ``retries`` how often its bot was started or awaited again, empty for never.
        """
        digest = "" if scores is None else game_digest(self.game, self.seed, self.moves, scores, self.position)
        line: dict[str, Any] = {
            "outcome": {
                "scores": None if scores is None else list(scores),
                "ranks": None if ranks is None else list(ranks),
            },
            "seats": [{"end": end, "fell": when} for end, when in zip(ends, fell, strict=True)],
            "game_digest": digest,
        }
        for seat, count in zip(line["seats"], retries, strict=False):
            if count:
                seat["retries"] = count
        if text:
            line["text"] = text
        self._write(line)
        return digest

    def text(self) -> str:
        """The whole record, each line ended."""
        return "".join(line + "\n" for line in self.lines)

    def _write(self, line: dict[str, Any]) -> None:
        self._chain, written = _chained(self._chain, line)
        self.lines.append(written)


@dataclass(frozen=True, slots=True)
class Record:
    """A record that was read: its head, its action lines and its last line, chains left out."""

    head: Mapping[str, Any]
    actions: tuple[Mapping[str, Any], ...]
    tail: Mapping[str, Any] | None
    """None where the record breaks off before its end."""
    cut: bool = False
    """True where it breaks off within a line, which is left out."""

    @property
    def seed(self) -> bytes:
        """The seed as bytes."""
        return seed_from_text(self.head["seed"])

    def game(self) -> Game:
        """The game of the head; raises RecordError when it, its options or its rules version are not played here."""
        name = self.head["game"]
        try:
            made = catalog.game(name, self.head["options"])
        except (OptionError, ValueError) as error:
            raise RecordError(f"the record's game cannot be played here: {error}") from error
        if made.rules_version != self.head["rules_version"]:
            raise RecordError(
                f"the record was played under rules version {self.head['rules_version']} of {name};"
                f" this package has version {made.rules_version}: verify it with the package it names,"
                f" {self.head['package']}"
            )
        return made

    def start(self, game: Game | None = None) -> State:
        """The state before the first action; ``game`` stands in for the installed game of the head's name.

        Raises DamagedRecordError for a position that is none, GameFailedError where the game cannot make the state.
        """
        game = game or self.game()
        position = self.head.get("position")
        with answering(game.name):
            if position is None:
                return game.new_state(self.seed)
            try:
                return game.state_at(position)
            except PositionError as error:
                raise DamagedRecordError(f"line 1: {error}") from error


def read(text: str | bytes, *, whole: bool = True) -> Record:
    """The record in ``text``; its form and chain are checked, its rules are not (``verified`` does).

    Raises RecordError when it is no record of this format, DamagedRecordError naming the first line that does not hold;
    with ``whole`` a record without a last line is damaged too, else a last line that is not whole is left out and
    ``Record.cut`` tells so.
    """
    data = text.encode() if isinstance(text, str) else text
    lines = data.split(b"\n")
    head = _json(lines[0])
    if not isinstance(head, dict) or "format" not in head:
        raise RecordError("this is no record: its first line is not a JSON object with a key format")
    if head["format"] != FORMAT:
        raise RecordError(f"the record has format {head['format']!r}; this package reads format {FORMAT}")
    rest = lines.pop()
    cut = not whole and bool(lines) and (rest != b"" or (len(lines) > 1 and _json(lines[-1]) is None))
    if cut and rest == b"":
        lines.pop()
    if rest != b"" and not cut:
        raise DamagedRecordError(f"line {len(lines) + 1}: the last line does not end; the record was cut or added to")
    chain = START
    read_lines: list[dict[str, Any]] = []
    for number, raw in enumerate(lines, start=1):
        line = _json(raw)
        if not isinstance(line, dict) or not isinstance(line.get("chain"), str):
            raise DamagedRecordError(f"line {number}: not a JSON object with a chain")
        stated = line.pop("chain")
        try:
            chain, written = _chained(chain, line)
        except RecordError as error:
            raise DamagedRecordError(f"line {number}: {error}") from error
        if stated != chain.hex() or written.encode() != raw:
            raise DamagedRecordError(f"line {number}: the chain does not hold; this line or one before it was changed")
        read_lines.append(line)
    check_keys(read_lines)
    tail = read_lines[-1] if len(read_lines) > 1 and "outcome" in read_lines[-1] else None
    if tail is None and whole:
        raise DamagedRecordError(f"line {len(read_lines)}: the record breaks off without an outcome")
    return Record(read_lines[0], tuple(read_lines[1 : -1 if tail is not None else None]), tail, cut)


def replayed(record: Record, game: Game | None = None) -> State:
    """The state after all actions, by ``game`` or the installed game of the head's name.

    Raises DamagedRecordError naming the first action that the rules forbid, GameFailedError where the game cannot say.
    """
    game = game or record.game()
    state = record.start(game)
    with answering(game.name):
        return _replayed(record, state)


def _replayed(record: Record, state: State) -> State:
    waiting: list[int] = list(state.movers())
    for line in record.actions:
        number, seat = line["n"], line["seat"]
        if not waiting:
            raise DamagedRecordError(f"action {number}: the game was over before it")
        if seat != waiting[0]:
            raise DamagedRecordError(f"action {number}: seat {seat} acted; seat {waiting[0]} was asked")
        try:
            action = state.game.action(line["action"])
        except NotationError as error:
            raise DamagedRecordError(f"action {number}: {error}") from error
        objection = state.objection(seat, action)
        if objection is not None:
            raise DamagedRecordError(f"action {number}: seat {seat} may not {line['action']}: {objection.text}")
        if state.game.text(action) != line["action"]:
            raise DamagedRecordError(
                f"action {number}: {line['action']!r} is not canonical; expected {state.game.text(action)!r}"
            )
        state.apply(seat, action)
        waiting = waiting[1:] or list(state.movers())
    return state


def verified(record: Record, game: Game | None = None) -> State:
    """Plays the record again and compares: returns the last state.

    Raises DamagedRecordError with the first difference, RecordError when its rules are not played here, GameFailedError
    where the game cannot say.
    """
    game = game or record.game()
    state = replayed(record, game)
    with answering(game.name):
        return _compared(record, state)


def _compared(record: Record, state: State) -> State:
    tail = record.tail
    if tail is None:
        raise DamagedRecordError("the record has no outcome")
    ends = [seat["end"] for seat in tail["seats"]]
    fell = [seat["fell"] for seat in tail["seats"]]
    if len(ends) != state.game.seats:
        raise DamagedRecordError(f"the outcome has {counted(len(ends), 'seat')}; the game has {state.game.seats}")
    for seat, (end, when) in enumerate(zip(ends, fell, strict=True)):
        if end not in ENDS or (end == NORMAL) != (when is None):
            raise DamagedRecordError(f"the outcome says that seat {seat} ended {end!r} after {when!r} actions")
    outcome = tail["outcome"]
    if outcome["scores"] is None:
        if outcome["ranks"] is not None or tail["game_digest"] != "":
            raise DamagedRecordError("a void match has neither scores nor ranks nor a game digest")
        return state
    if state.movers() and all(when is None for when in fell):
        raise DamagedRecordError(
            f"the record has an outcome after {counted(len(record.actions), 'action')}; the game is not over"
        )
    moves = [(line["seat"], line["action"]) for line in record.actions]
    expected = {
        "scores": list(state.scores()),
        "ranks": list(placed(state.ranks(), fell)),
        "game_digest": game_digest(state.game, record.seed, moves, state.scores(), record.head.get("position")),
    }
    stated = {**outcome, "game_digest": tail["game_digest"]}
    for key, value in expected.items():
        if stated[key] != value:
            raise DamagedRecordError(f"the record says {key} {stated[key]}; played again it is {value}")
    return state


def _chained(before: bytes, line: Mapping[str, Any]) -> tuple[bytes, str]:
    """The chain after ``line`` and the line as it is written."""
    body = canonical(line)
    chain = hashlib.sha256(before + body).digest()
    return chain, canonical({**line, "chain": chain.hex()}).decode()


def _json(raw: bytes) -> Any:
    try:
        return json.loads(raw)
    except (ValueError, RecursionError):
        return None


def _no_floats(value: Any) -> None:
    if isinstance(value, float):
        raise RecordError(f"{value!r}: a record holds integers only")
    if isinstance(value, Mapping):
        for item in value.values():
            _no_floats(item)
    elif isinstance(value, list | tuple):
        for item in value:
            _no_floats(item)


def check_keys(lines: Sequence[Mapping[str, Any]]) -> None:
    """Raises DamagedRecordError on a line whose keys are not those of the format, or whose values have other types."""
    for number, line in enumerate(lines, start=1):
        if number == 1:
            kind, required = "head", HEAD_KEYS
        elif number == len(lines) and "outcome" in line:
            kind, required = "tail", TAIL_KEYS
        else:
            kind, required = "action", ACTION_KEYS
        keys = set(line)
        if not required <= keys <= required | OPTIONAL[kind]:
            wrong = sorted(keys ^ required - (keys & OPTIONAL[kind])) or sorted(keys)
            raise DamagedRecordError(f"line {number}: keys {wrong} are missing or unknown in format {FORMAT}")
        if not _typed(kind, number, line):
            raise DamagedRecordError(f"line {number}: a value has another type than format {FORMAT} says")


def _typed(kind: str, number: int, line: Mapping[str, Any]) -> bool:
    if kind == "head":
        return (
            all(isinstance(line[key], str) for key in ("game", "seed", "match_id", "time", "package"))
            and isinstance(line["options"], dict)
            and isinstance(line["rules_version"], int)
            and isinstance(line["protocol"], int)
            and isinstance(line["seats"], list)
            and isinstance(line["policies"], dict)
            and isinstance(line.get("position", {}), dict)
            and isinstance(line.get("earlier", []), list)
        )
    if kind == "action":
        return (
            line["n"] == number - 1
            and isinstance(line["seat"], int)
            and isinstance(line["us"], int)
            and isinstance(line.get("network", 0), int)
            and isinstance(line.get("arena", 0), int)
            and isinstance(line["action"], str)
            and line.get("by", STAND_IN) == STAND_IN
            and isinstance(line.get("note", ""), str)
        )
    outcome = line["outcome"]
    return (
        isinstance(outcome, dict)
        and set(outcome) == {"scores", "ranks"}
        and isinstance(line["game_digest"], str)
        and isinstance(line.get("text", ""), str)
        and isinstance(line["seats"], list)
        and all(isinstance(seat, dict) and set(seat) - {"retries"} == {"end", "fell"} for seat in line["seats"])
    )
