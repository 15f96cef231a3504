"""The messages of one match to its bots, with what is the same for several encoded once.

A prompt is put together from bytes: its payloads come serialised from the game's codec, and a message object around
them would cost more than all the rest.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from functools import cached_property, lru_cache, wraps
from typing import TYPE_CHECKING, Concatenate, Final, ParamSpec, TypeVar

from google.protobuf.any_pb2 import Any as AnyMessage

from rivalry.arena.v1 import session_pb2
from rivalry_engine.event import Seen
from rivalry_engine.game import PUBLIC, Choice, Game, Observation
from rivalry_engine.viewing import MOST
from rivalry_server import frames
from rivalry_server.blame import tamed
from rivalry_server.given import BrokenGameError
from rivalry_wire.bytewise import delimited, varint
from rivalry_wire.codec import Codec, codec
from rivalry_wire.shapes import shapes

if TYPE_CHECKING:
    from rivalry_server.clock import TimeControl
    from rivalry_server.match import Match
    from rivalry_server.match_spec import MatchSpec
    from rivalry_server.outcome import Result
    from rivalry_server.player import Player
    from rivalry_server.seat_clock import Charge, SeatClock

P = ParamSpec("P")
T = TypeVar("T")

LEGAL_MOST: Final = 2_048
KEPT_EVENTS: Final = 16_384
KEPT_BYTES: Final = 256
"""How many events are kept serialised for matches of the same options, and how long they may be."""
WORDY: Final = frozenset(("legal_text", "legal_full", "view_text"))
"""The features of bots whose prompts are told in words, too."""
EVENTS_BYTES: Final = 1 << 18
"""Events that are longer are told in several messages."""


def options_json(game: Game) -> str:
    """Every option of ``game`` with its value, as the wire holds them."""
    return json.dumps(dict(game.options), sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def offer(spec: MatchSpec, number: int, seat: int) -> bytes:
    """A SeatOffer."""
    game = spec.game
    return frames.piece(
        frames.SEAT_OFFER,
        session_pb2.SeatOffer(
            offer=number,
            match_id=spec.match_id,
            game=game.name,
            rules_version=game.rules_version,
            options_json=options_json(game),
            seat=seat,
            seats=game.seats,
            time_control=spec.time_control.message(),
            policies=spec.policies.message(),
            attempt=spec.attempt,
        ).SerializeToString(),
    )


def _bounded(telling: Callable[Concatenate[Wire, P], T]) -> Callable[Concatenate[Wire, P], T]:
    """Has what the game raises in ``telling`` end its match and no more, and so what it tells at too great length."""

    @wraps(telling)
    def bounded(wire: Wire, /, *given: P.args, **named: P.kwargs) -> T:
        try:
            return telling(wire, *given, **named)
        except frames.FrameSizeError as error:
            raise BrokenGameError(f"it tells too much at once: {error}") from error
        except Exception:
            raise
        except BaseException as error:
            raise tamed(wire.match, error) from error

    return bounded


class Wire:
    """How one match is told to those who follow it by messages."""

    def __init__(self, match: Match) -> None:
        self.match = match
        self.codec = codec(match.game)
        self._observation_url = delimited(1, self.codec.url("Observation").encode()) + b"\x12"
        self._choices_url = delimited(1, self.codec.url("Choices").encode()) + b"\x12"
        self._events_url = delimited(1, self.codec.url("Events").encode()) + b"\x12"
        self._events = _kept_events(type(self.codec), options_json(match.game))
        self._observation_size = len(self._observation_url)
        self._choices_size = len(self._choices_url)
        self._events_size = len(self._events_url)
        self._text = lru_cache(maxsize=4_096)(match.game.text)

    def event(self, seen: Seen) -> bytes:
        """Events that holds this one; most were told in the same words before."""
        try:
            key = (seen.kind, *seen.facts.items())
            data = self._events.get(key)
        except TypeError:  # a game of others may hold what cannot be a key
            return self.codec.event(seen)
        if data is None:
            data = self.codec.event(seen)
            if len(data) <= KEPT_BYTES:
                if len(self._events) >= KEPT_EVENTS:
                    self._events.clear()
                self._events[key] = data
        return data

    @cached_property
    @_bounded
    def setup(self) -> AnyMessage:
        """The game's setup."""
        return AnyMessage(type_url=self.codec.url("Setup"), value=self.codec.setup(self.match.state.setup()))

    @cached_property
    def _outcome(self) -> bytes:
        assert self.match.result is not None
        return self.match.result.message().SerializeToString()

    @_bounded
    def public_observation(self) -> AnyMessage:
        """What everybody may know now."""
        observation = self.match.state.observe(PUBLIC)
        return AnyMessage(type_url=self.codec.url("Observation"), value=self.codec.observation(observation))

    @_bounded
    def events(self, audience: int, after: int) -> list[tuple[int, int, bytes]]:
        """The events numbered above ``after``: number of the first, how many, Events; several where they are long.

        Nothing where there are none.
        """
        log = self.match.log
        total = len(log)
        if after >= total:
            return []
        data = log.encoded(audience, after)
        if len(data) <= EVENTS_BYTES:
            return [(after + 1, total - after, data)]
        chunks = []
        while after < total:
            until = total
            while len(data := log.encoded(audience, after, until)) > EVENTS_BYTES and until > after + 1:
                until = (after + until + 1) // 2
            chunks.append((after + 1, until - after, data))
            after = until
        return chunks

    def events_any(self, data: bytes) -> AnyMessage:
        """Events as a payload."""
        return AnyMessage(type_url=self.codec.url("Events"), value=data)

    @_bounded
    def started(self, player: Player, handle: int, offer: int, *, resumed: bool = False, replaces: int = 0) -> bytes:
        """A MatchStarted; ``resumed`` where the match had begun before, ``replaces`` the handle it had then."""
        match = self.match
        spec = match.spec
        return frames.piece(
            frames.MATCH_STARTED,
            session_pb2.MatchStarted(
                match=handle,
                offer=offer,
                match_id=spec.match_id,
                game=match.game.name,
                rules_version=match.game.rules_version,
                options_json=options_json(match.game),
                seat=player.seat,
                players=[
                    session_pb2.Player(seat=other.seat, name=other.sitter.name, version=other.sitter.version)
                    for other in match.players
                ],
                time_control=spec.time_control.message(),
                policies=spec.policies.message(),
                setup=self.setup,
                luck=player.luck,
                resumed=resumed,
                replaces=replaces,
                attempt=spec.attempt,
            ).SerializeToString(),
        )

    @_bounded
    def prompt(
        self,
        player: Player,
        head: bytes,
        *,
        budget_us: int | None,
        events_after: int,
        last: bytes,
        features: frozenset[str],
    ) -> list[bytes]:
        """A Prompt for ``player``, as the last of the pieces; before it Events where they are too long for one message.

        ``head`` and ``last`` are fields 1 and 15, serialised; ``budget_us`` is what is left of the time, None for no
        limit.
        """
        match = self.match
        state = match.state
        seat = player.seat
        coder = self.codec
        seen = state.observe(seat)
        observation = coder.observation(seen)
        choices = coder.choices(player.choices)
        size, many = varint(len(observation)), varint(len(choices))
        parts = [
            head,
            b"\x10",
            varint(player.number),
            _kind(state.question(seat)),
            b"\x22",
            varint(self._observation_size + len(size) + len(observation)),
            self._observation_url,
            size,
            observation,
            b"\x2a",
            varint(self._choices_size + len(many) + len(choices)),
            self._choices_url,
            many,
            choices,
            shapes(player.choices),
            _budget(budget_us),
            b"\x58",
            varint(player.tries),
        ]
        pieces: list[bytes] = []
        chunks = self.events(seat, events_after)
        if chunks:
            first, count, data = chunks.pop()
            for chunk in chunks:
                pieces.append(self.live_events(head, *chunk))
            # As `_payload` does, among the other parts: nearly every prompt has events.
            size = varint(len(data))
            parts += (
                b"\x60",
                varint(first),
                b"\x68",
                varint(count),
                b"\x72",
                varint(self._events_size + len(size) + len(data)),
                self._events_url,
                size,
                data,
            )
        parts += (last, match.clocks_told)
        if not WORDY.isdisjoint(features):
            parts.append(self._wordy(seen, player.choices, features))
        pieces.append(frames.piece(frames.PROMPT, b"".join(parts)))
        return pieces

    @_bounded
    def live_events(self, head: bytes, first: int, count: int, data: bytes) -> bytes:
        """An Events; ``head`` is its field 1."""
        body = b"".join(
            (head, b"\x10", varint(first), b"\x18", varint(count), _payload(b"\x22", self._events_url, data))
        )
        return frames.piece(frames.EVENTS, body)

    @_bounded
    def ended(self, player: Player, handle: int, result: Result, *, events_after: int, last: bytes) -> list[bytes]:
        """A MatchEnded, as the last of the pieces."""
        chunks = self.events(player.seat, events_after)
        head = b"\x08" + varint(handle)
        pieces = [self.live_events(head, *chunk) for chunk in chunks[:-1]]
        message = session_pb2.MatchEnded(match=handle, match_id=result.match_id)
        outcome = delimited(3, self._outcome)
        if chunks:
            first, count, data = chunks[-1]
            message.first_event = first
            message.event_count = count
            message.events.CopyFrom(self.events_any(data))
        # `last` is field 15 of Prompt; the same message is field 7 here.
        measured = b"\x3a" + last[1:] if last else b""
        pieces.append(frames.piece(frames.MATCH_ENDED, message.SerializeToString() + outcome + measured))
        return pieces

    def _wordy(self, seen: Observation, choices: Sequence[Choice], features: frozenset[str]) -> bytes:
        match = self.match
        words = session_pb2.Prompt()
        if "legal_text" in features:
            words.texts.extend(self._text(choice.action) for choice in choices)
            words.part_texts.extend(match.game.part_text(part) for choice in choices for part in choice.parts)
        if "legal_full" in features:
            legal = match.state.legal_actions(seen.seat)
            words.legal.extend(self._text(action) for action in legal[:LEGAL_MOST])
            words.legal_cut = len(legal) > LEGAL_MOST
        if "view_text" in features:
            words.view = _cut(match.game.view(seen))
        return words.SerializeToString()


def _cut(view: str) -> str:
    """``view`` at a length that leaves room in a frame, four bytes a character; one that was cut says so at its end."""
    if len(view) <= MOST:
        return view
    told = f"\n(cut: the whole has {len(view)} characters)"
    return view[: MOST - len(told)] + told


def measured(number: int, charge: Charge) -> bytes:
    """Field 15 of Prompt: what was measured of the seat's decision ``number``, and what of it was charged."""
    _, bot_us, network_us, arena_us, charged_us, *_ = charge
    body = b"\x08" + varint(number) + b"\x10" + varint(bot_us + network_us + arena_us)
    if network_us:
        body += b"\x18" + varint(network_us)
    if arena_us:
        body += b"\x20" + varint(arena_us)
    if charged_us:
        body += b"\x28" + varint(charged_us)
    return b"\x7a" + varint(len(body)) + body


def clocks(seats: Sequence[SeatClock], control: TimeControl) -> bytes:
    """Fields 20 and 21 of Prompt: what each seat has of its bank and its strikes, where there are any."""
    told = b""
    if control.bank_us is not None:
        banks = b"".join([varint(seat.bank_us) for seat in seats])
        told = b"\xa2\x01" + varint(len(banks)) + banks
    if control.soft_us is not None:
        strikes = b"".join([varint(seat.strikes_left) for seat in seats])
        told += b"\xaa\x01" + varint(len(strikes)) + strikes
    return told


def _payload(tag: bytes, url: bytes, value: bytes) -> bytes:
    """A field that holds an Any: ``url`` is its first field and the tag of its second."""
    size = varint(len(value))
    return b"".join((tag, varint(len(url) + len(size) + len(value)), url, size, value))


@lru_cache(maxsize=64)
def _kept_events(kind: type[Codec], options: str) -> dict[tuple[object, ...], bytes]:
    """What events of one game with one set of options became; it leaves no further than the encoder."""
    return {}


@lru_cache(maxsize=1_024)
def _kind(kind: str) -> bytes:
    return delimited(3, kind.encode())


@lru_cache(maxsize=64)
def _budget(limit_us: int | None) -> bytes:
    return b"" if limit_us is None else b"\x50" + varint(limit_us)
