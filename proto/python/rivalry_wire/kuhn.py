"""Kuhn poker on the wire."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Final, TypeVar

from rivalry.games.kuhn.v1 import kuhn_pb2 as pb
from rivalry_engine.event import Seen
from rivalry_engine.game import PUBLIC, Action, Choice, Observation, View
from rivalry_engine.kuhn import BET, CARDS, PASS, WORDS, KuhnObservation, KuhnSetup
from rivalry_wire.codec import Codec
from rivalry_wire.reading import UnreadableError, audience_read, parsed

V = TypeVar("V", bound=View)

NAMES: Final = {PASS: "MOVE_PASS", BET: "MOVE_BET"}


class KuhnCodec(Codec):
    """The messages of ``rivalry.games.kuhn.v1``."""

    package = "rivalry.games.kuhn.v1"
    file = pb.DESCRIPTOR

    def setup(self, setup: View) -> bytes:
        return pb.Setup(ante=_as(KuhnSetup, setup).ante).SerializeToString()

    def observation(self, observation: Observation) -> bytes:
        seen = _as(KuhnObservation, observation)
        seat = None if seen.seat == PUBLIC else seen.seat
        moves = [NAMES[move] for move in seen.moves]
        return pb.Observation(card=seen.card, moves=moves, shown=seen.shown, seat=seat).SerializeToString()

    def choices(self, choices: Sequence[Choice]) -> bytes:
        return pb.Choices(moves=[NAMES[choice.action] for choice in choices]).SerializeToString()

    def event(self, seen: Seen) -> bytes:
        message: dict[str, Any] = {
            "dealt": pb.Dealt,
            "moved": pb.Moved,
            "showdown": pb.Showdown,
            "payment": pb.Payment,
        }
        return pb.Events(events=[pb.Event(**{seen.kind: message[seen.kind](**seen.facts)})]).SerializeToString()

    def action(self, action: Action) -> bytes:
        return pb.Action(move=NAMES[action]).SerializeToString()

    def read_setup(self, data: bytes) -> KuhnSetup:
        return KuhnSetup(parsed(pb.Setup, data).ante)

    def read_observation(self, data: bytes, setup: View) -> KuhnObservation:
        message = parsed(pb.Observation, data)
        seat = audience_read(message, self.game.seats)
        if seat != PUBLIC and not message.card:
            raise UnreadableError(f"the observation of seat {seat} has no card; expected {CARDS}")
        card = message.card if seat == PUBLIC and not message.card else _card(message.card)
        shown = tuple(_card(number) for number in message.shown)
        if len(shown) not in (0, 2):
            raise UnreadableError(f"{len(shown)} cards shown in Kuhn poker; expected none or both")
        return KuhnObservation(seat, card, _moves(message.moves), shown)

    def read_choices(self, data: bytes, observation: Observation) -> tuple[Choice, ...]:
        return tuple(Choice(move) for move in _moves(parsed(pb.Choices, data).moves))

    def read_events(self, data: bytes) -> tuple[Seen, ...]:
        read = [_seen(event) for event in parsed(pb.Events, data).events]
        return tuple(seen for seen in read if seen is not None)

    def read_action(self, data: bytes) -> Action:
        return _moves([parsed(pb.Action, data).move])[0]


def _as(kind: type[V], view: View) -> V:
    if not isinstance(view, kind):
        raise TypeError(f"{view!r} was given to the codec of Kuhn poker; expected a {kind.__name__}")
    return view


def _seen(event: pb.Event) -> Seen | None:
    """The event, or None when its kind or a value of it is not known here."""
    kind = event.WhichOneof("what")
    if kind == "dealt":
        card = event.dealt.card
        return Seen(kind, {"card": card} if card else {}) if card in (0, *CARDS) else None
    if kind == "moved":
        return Seen(kind, {"seat": event.moved.seat, "move": event.moved.move}) if event.moved.move in WORDS else None
    if kind == "showdown":
        return Seen(kind, {"cards": tuple(event.showdown.cards)})
    if kind == "payment":
        return Seen(kind, {"winner": event.payment.winner, "chips": event.payment.chips})
    return None


def _moves(moves: Iterable[int]) -> tuple[int, ...]:
    read = tuple(moves)
    for move in read:
        if move not in WORDS:
            raise UnreadableError(f"{move} is no move of Kuhn poker; expected 1 (pass) or 2 (bet)")
    return read


def _card(number: int) -> int:
    if number not in CARDS:
        raise UnreadableError(f"{number} is no card of Kuhn poker; expected 1 (jack), 2 (queen) or 3 (king)")
    return number
