"""What a newer arena might say: values, fields and kinds that nobody knows here disturb no session."""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar

import pytest
from google.protobuf.descriptor import Descriptor, FieldDescriptor
from google.protobuf.message import Message

from client.scripted import KuhnTable, ScriptedArena
from client.streams import played
from rivalry.arena.v1 import errors_pb2, outcome_pb2, session_pb2, time_pb2
from rivalry_client import Bot, Match, Outcome
from rivalry_client.prompt import Prompt

FromArena = session_pb2.FromArena
KINDS = [field.name for field in FromArena.DESCRIPTOR.oneofs_by_name["message"].fields]
UNKNOWN = 999
UNKNOWN_FIELD = b"\xfa\x7c\x05never"
UNKNOWN_KIND = FromArena.FromString(b"\xfa\x3e\x02hi")
ENDS = ("refused", "redirect", "session_ended")
"""Kinds after which there is nothing more to be heard."""


def newer(message: Message, *, touched: set[str] | None = None) -> None:
    """Sets every enum in ``message`` and in what it holds to 999, and gives each message a field that nobody knows.

    ``touched`` collects the names of messages and enum fields.
    """
    touched = set() if touched is None else touched
    touched.add(message.DESCRIPTOR.full_name)
    message.MergeFromString(UNKNOWN_FIELD)
    for field in message.DESCRIPTOR.fields:
        if field.type == FieldDescriptor.TYPE_ENUM:
            assert not field.is_repeated
            setattr(message, field.name, UNKNOWN)
            touched.add(field.full_name)
        elif field.message_type is None or field.message_type.full_name == "google.protobuf.Any":
            continue
        elif field.is_repeated:
            for each in getattr(message, field.name):
                newer(each, touched=touched)
        elif message.HasField(field.name):
            newer(getattr(message, field.name), touched=touched)


def reachable(descriptor: Descriptor, found: set[str]) -> set[str]:
    """The names of all messages and enum fields that a message of this kind may hold, games' payloads aside."""
    if descriptor.full_name not in found and descriptor.full_name != "google.protobuf.Any":
        found.add(descriptor.full_name)
        for field in descriptor.fields:
            if field.type == FieldDescriptor.TYPE_ENUM:
                found.add(field.full_name)
            elif field.message_type is not None:
                reachable(field.message_type, found)
    return found


def of_kind(kind: str) -> Callable[[FromArena], FromArena]:
    """Makes messages of one kind newer and leaves the others as they are."""

    def changed(message: FromArena) -> FromArena:
        if message.WhichOneof("message") == kind:
            newer(message)
            assert message.SerializeToString().count(UNKNOWN_FIELD) > 1
        return message

    return changed


class Playing(Bot):
    """Looks at all it is told; its first answer is not legal."""

    quick = True
    diary: ClassVar[list[str]]

    def start(self, match: Match) -> None:
        self.diary.append(f"{match.game_name} {match.seats} {match.options} {match.time_control.prompt_s}")
        assert match.setup is not None

    def choose(self, prompt: Prompt) -> object:
        self.diary.append(f"{prompt.texts()} {prompt.shapes()} {prompt.budget_s} {prompt.last} {list(prompt.events)}")
        return 0 if prompt.tries_left < 3 else 99

    def ended(self, match: Match, outcome: Outcome) -> None:
        self.diary.append(f"{[(seat.rank, seat.score) for seat in outcome.seats]} {list(match.last_events)}")


def session(changed: Callable[[FromArena], FromArena]) -> tuple[str, list[str]]:
    """A session in which every kind of message comes, each of them changed: how it ended, and what the bot saw."""
    table = KuhnTable()
    control = time_pb2.TimeControl(prompt_us=2_000_000)
    policies = outcome_pb2.Policies(on_crash=outcome_pb2.POLICY_VOID)
    last = time_pb2.Measured(number=1, elapsed_us=1_000_000)

    async def script(arena: ScriptedArena) -> None:
        async def say(*messages: FromArena) -> None:
            await arena.frame(*[changed(message) for message in messages])

        await arena.hear("hello")
        await say(FromArena(welcome=session_pb2.Welcome(protocol=1, limits=session_pb2.Limits(frame_messages=9))))
        await say(FromArena(drain=session_pb2.Drain(remaining_us=1_000_000)))
        await say(FromArena(ping=session_pb2.Ping(nonce=7)), FromArena(pong=session_pb2.Pong(nonce=7)))
        assert (await arena.hear("pong")).nonce == 7
        await say(
            FromArena(seat_offer=session_pb2.SeatOffer(offer=5, game="kuhn", time_control=control, policies=policies))
        )
        assert (await arena.hear("seat_reply")).accepted
        started = table.started()
        started.match_started.time_control.CopyFrom(control)
        started.match_started.policies.CopyFrom(policies)
        await say(started, table.prompt(budget_us=2_000_000, last=last))
        assert (await arena.hear("answer")).index == 99
        rejected = errors_pb2.RULING_KIND_REJECTED
        await say(FromArena(ruling=session_pb2.Ruling(match=1, number=1, kind=rejected, tries_left=2)))
        again = table.prompt(number=2, budget_us=1_000_000, last=last)
        again.prompt.tries_left = 2
        await say(FromArena(events=session_pb2.Events(match=1, first_event=1, event_count=1)), again)
        while (await arena.hear()).DESCRIPTOR.name != "Ack":
            pass
        assert (await arena.hear("answer")).index == 0
        ended = table.ended(last=last)
        ended.match_ended.outcome.seats[0].spent.bot_us = 1
        await say(ended)
        await say(FromArena(session_ended=session_pb2.SessionEnded(reason=errors_pb2.SESSION_END_REASON_DONE)))

    class Noting(Playing):
        diary: ClassVar[list[str]] = []

    return played(Noting, script)[0].kind, Noting.diary


def test_the_session_of_these_tests_has_every_kind_of_message_but_two() -> None:
    came: set[str | None] = set()

    touched: set[str] = set()

    def noted(message: FromArena) -> FromArena:
        came.add(message.WhichOneof("message"))
        copy = FromArena()
        copy.CopyFrom(message)
        newer(copy, touched=touched)
        return message

    kind, diary = session(noted)

    assert kind == "done"
    assert len(diary) == 5
    assert came == set(KINDS) - {"refused", "redirect"}
    apart = reachable(session_pb2.Refused.DESCRIPTOR, reachable(session_pb2.Redirect.DESCRIPTOR, set()))
    assert touched == reachable(FromArena.DESCRIPTOR, set()) - apart


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind not in ENDS])
def test_unknown_values_and_fields_in_a_message_change_nothing_else(kind: str) -> None:
    _, usual = session(lambda message: message)

    ending, diary = session(of_kind(kind))

    assert ending == "done"
    # A ruling of an unknown kind asks for nothing, and the next prompt does.
    assert diary == (usual[:2] + usual[3:] if kind == "ruling" else usual)


def test_a_kind_that_nobody_knows_is_passed_over_wherever_it_stands() -> None:
    async def script(arena: ScriptedArena) -> None:
        table = KuhnTable()
        await arena.frame(UNKNOWN_KIND)
        await arena.hear("hello")
        await arena.frame(UNKNOWN_KIND, FromArena(welcome=session_pb2.Welcome(protocol=1)), UNKNOWN_KIND)
        await arena.frame(table.started(), UNKNOWN_KIND, table.prompt())
        await arena.hear("answer")
        await arena.frame(UNKNOWN_KIND, table.ended())
        await arena.end()

    class Noting(Playing):
        diary: ClassVar[list[str]] = []

    assert played(Noting, script)[0].kind == "done"
    assert len(Noting.diary) == 3


@pytest.mark.parametrize(
    ("message", "kind"),
    [
        (FromArena(refused=session_pb2.Refused()), "refused"),
        (FromArena(redirect=session_pb2.Redirect(target="127.0.0.1:9")), "redirected"),
        (FromArena(session_ended=session_pb2.SessionEnded()), "999"),
    ],
)
def test_a_last_word_for_a_reason_that_nobody_knows_is_a_last_word(message: FromArena, kind: str) -> None:
    newer(message)

    async def script(arena: ScriptedArena) -> None:
        await arena.hear("hello")
        if kind != "refused":
            await arena.say(welcome=session_pb2.Welcome(protocol=1, resume_token=b"token"))
        await arena.frame(message)

    ending, waits = played(Playing, script)

    assert (ending.kind, waits) == (kind, [])
    assert kind != "refused" or ending.text == "999: "


@pytest.mark.parametrize(("least", "most"), [(0, 0), (2, 2), (2, 9), (900, 999)])
def test_an_arena_that_speaks_only_older_or_newer_versions_refuses_and_both_ranges_are_told(
    least: int, most: int
) -> None:
    async def script(arena: ScriptedArena) -> None:
        ours = (await arena.hear("hello")).protocol
        assert (ours.least, ours.most) == (1, 1)
        await arena.say(
            refused=session_pb2.Refused(
                reason=errors_pb2.REFUSAL_REASON_VERSION,
                ours=f"protocol {least} to {most}",
                yours=f"protocol {ours.least} to {ours.most}",
                remedy="use another version",
            )
        )

    ending, waits = played(Playing, script)

    assert (ending.kind, ending.status, waits) == ("refused", 2, [])
    assert ending.text == f"version: protocol {least} to {most}; protocol 1 to 1; use another version"


def test_an_arena_that_speaks_this_version_among_others_is_spoken_with() -> None:
    async def script(arena: ScriptedArena) -> None:
        await arena.welcome()
        await arena.end()

    assert played(Playing, script)[0].kind == "done"
