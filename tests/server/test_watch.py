"""The event log: one count for all audiences, each sees its own."""

from __future__ import annotations

from rivalry_engine.event import Event, Seen
from rivalry_engine.game import PUBLIC
from rivalry_server.watch import EventLog


def log_of(*events: Event) -> tuple[EventLog, list[Seen]]:
    encoded: list[Seen] = []

    def encode(seen: Seen) -> bytes:
        encoded.append(seen)
        return f"{seen.kind}{sorted(seen.facts.items())};".encode()

    log = EventLog()
    log.encode_with(encode)
    log.events.extend(events)
    return log, encoded


def test_an_event_without_secrets_is_encoded_once_for_everybody() -> None:
    log, encoded = log_of(Event("moved", {"to": 1}), Event("moved", {"to": 2}))

    assert {log.encoded(audience, 0) for audience in (PUBLIC, 0, 1, 2)} == {b"moved[('to', 1)];moved[('to', 2)];"}
    assert len(encoded) == 2


def test_each_audience_sees_its_own_secrets_alone() -> None:
    log, encoded = log_of(Event("drew", {"seat": 1}, {1: {"card": 7}}), Event("passed", {}))

    assert log.encoded(1, 0) == b"drew[('card', 7), ('seat', 1)];passed[];"
    assert log.encoded(0, 0) == log.encoded(PUBLIC, 0) == log.encoded(2, 0) == b"drew[('seat', 1)];passed[];"
    assert len(encoded) == 3
    assert [seen.facts for seen in log.seen(PUBLIC, 0)] == [{"seat": 1}, {}]


def test_a_range_is_from_after_one_event_up_to_another() -> None:
    log, _ = log_of(*[Event(f"e{number}", {}) for number in range(1, 6)])

    assert log.encoded(0, 2) == b"e3[];e4[];e5[];"
    assert log.encoded(0, 1, 3) == b"e2[];e3[];"
    assert log.encoded(0, 5) == b""
    log.events.append(Event("e6", {}))
    assert log.encoded(0, 5) == b"e6[];"


def test_what_every_reader_has_is_forgotten_and_numbers_go_on() -> None:
    log, _ = log_of()
    quick, slow = log.reader(), log.reader()
    log.events.extend(Event(f"e{number}", {}, {0: {"own": number}}) for number in range(1, 101))
    log.encoded(0, 0)
    quick.have, slow.have = 100, 60
    log.forget()

    assert (len(log), len(log.events)) == (100, 40)
    assert log.encoded(1, 98) == b"e99[];e100[];"
    assert log.encoded(0, 60, 61) == b"e61[('own', 61)];"
    assert [seen.kind for seen in log.seen(PUBLIC, 99)] == ["e100"]
    log.close(slow)
    log.events.extend(Event("more", {}) for _ in range(64))
    quick.have = len(log)
    log.forget()
    assert (len(log), len(log.events)) == (164, 0)
