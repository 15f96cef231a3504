"""How a match ended, as the journal keeps it: facts as JSON and all entries of its page.

The record is made from them when it is asked for.  To write its text for each match as it ends would cost the arena
more than all the rest of the journal.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from rivalry_engine.error import RivalryError
from rivalry_server.journal.entries import Begun, Entry, Lost, Rejected, decoded
from rivalry_server.journal.entries import entry as entry_bytes
from rivalry_server.journal.opening import KeptOpening
from rivalry_server.outcome import End, Result, SeatResult
from rivalry_server.record import Move, lines_of, package_version
from rivalry_server.seat_clock import Spent
from rivalry_wire.bytewise import varint


def payload(result: Result, entries: Sequence[bytes]) -> bytes:
    """A result with all entries of its match: the length of the facts, facts, entries."""
    facts = {
        "seats": [asdict(seat) for seat in result.seats],
        "void": result.void,
        "text": result.text,
        "text_told": result.text_told,
        "decisions": result.decisions,
        "duration_s": result.duration_s,
        "game_digest": result.game_digest,
        "owed": result.owed,
        "package": package_version(),
    }
    return _written(facts, entries)


def spoiled(opened: KeptOpening, entries: Sequence[Entry], text: str) -> bytes:
    """The same for a match that the arena cannot go on with."""
    seats = []
    for seat, who in enumerate(opened.facts["seats"]):
        lost = [entry for entry in entries if isinstance(entry, Lost) and entry.seat == seat]
        moves = [entry for entry in entries if isinstance(entry, Move) and entry.seat == seat]
        names = [entry.sitters[seat] for entry in entries if isinstance(entry, Begun)] or [("", "")]
        result = SeatResult(
            seat=seat,
            bot=who.get("bot") or who.get("built_in") or who.get("registered") or "",
            name=names[0][0],
            version=names[0][1],
            score=None,
            rank=None,
            end=lost[0].end if lost else End.ARENA_FAULT,
            text=lost[0].text if lost else text,
            stood_in=any(move.by is not None for move in moves),
            decisions=sum(move.by is None for move in moves),
            illegal=sum(isinstance(entry, Rejected) and entry.seat == seat for entry in entries),
        )
        seats.append(asdict(result))
    facts = {
        "seats": seats,
        "void": True,
        "text": text,
        "text_told": text,
        "decisions": sum(isinstance(entry, Move) for entry in entries),
        "duration_s": 0.0,
        "game_digest": "",
        "owed": True,
        "package": package_version(),
    }
    return _written(facts, [entry_bytes(0, index, entry) for index, entry in enumerate(entries)])


def _written(facts: dict[str, Any], entries: Sequence[bytes]) -> bytes:
    said = json.dumps(facts, separators=(",", ":"), ensure_ascii=False).encode("utf-8", "surrogatepass")
    return b"".join((varint(len(said)), said, *entries))


@dataclass(frozen=True, slots=True)
class KeptEnding:
    """A match that has ended."""

    row: int
    opening: KeptOpening
    facts: dict[str, Any]
    entries: tuple[Entry, ...]

    @property
    def seats(self) -> tuple[SeatResult, ...]:
        """How it ended for each seat."""
        return tuple(
            SeatResult(**{**facts, "end": End(facts["end"]), "spent": Spent(*facts["spent"])})
            for facts in self.facts["seats"]
        )

    @property
    def owed(self) -> bool:
        """True if the arena spoiled it, so that it is to be run again."""
        return bool(self.facts["owed"])

    @property
    def spoiled(self) -> bool:
        """True if the arena failed, so that there is no result that counts."""
        return any(seat["end"] == End.ARENA_FAULT for seat in self.facts["seats"])

    def result(self) -> Result:
        """The result, whose record is made when it is asked for; raises RivalryError where the game is not here."""
        spec = self.opening.spec()
        facts = self.facts
        seats = self.seats
        moves = [entry for entry in self.entries if isinstance(entry, Move)]
        void = facts["text"] if facts["void"] else None
        fell = self._fell(seats, len(moves))
        return Result(
            match_id=spec.match_id,
            game=spec.game,
            seed=spec.seed,
            seats=seats,
            void=facts["void"],
            text=facts["text"],
            text_told=facts["text_told"],
            decisions=facts["decisions"],
            duration_s=facts["duration_s"],
            game_digest=facts["game_digest"],
            record=lambda: lines_of(spec, moves, seats, fell=fell, void=void, package=facts["package"]),
            attempt=spec.attempt,
            earlier=spec.earlier,
            owed=facts["owed"],
        )

    def _fell(self, seats: Sequence[SeatResult], moves: int) -> list[int | None]:
        """After how many actions each seat ended other than normally."""
        fell: list[int | None] = [None if seat.end is End.NORMAL else moves for seat in seats]
        acted = 0
        for entry in self.entries:
            if isinstance(entry, Move):
                acted += 1
            elif isinstance(entry, Lost):
                fell[entry.seat] = acted
        return fell


def read(row: int, opening: KeptOpening, data: bytes) -> KeptEnding:
    """The ending in a row's payload; raises RivalryError where it is none."""
    size = at = shift = 0
    try:
        while True:
            byte = data[at]
            at += 1
            size |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                break
        facts = json.loads(data[at : at + size].decode("utf-8", "surrogatepass"))
        return KeptEnding(row, opening, facts, tuple(what for _, _, what in decoded(data[at + size :])))
    except (IndexError, ValueError, TypeError, KeyError) as error:
        raise RivalryError(f"this is no end of a match: {error}") from error
