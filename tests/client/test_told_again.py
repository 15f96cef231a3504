"""What a bot says in the moments of a resume: it leaves once its prompt was told again, and no sooner."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

import pytest

from client.resuming import FromArena, again, done
from client.scripted import KuhnTable, ScriptedArena
from client.streams import TOKEN, Script, played, resumed, welcome
from rivalry.arena.v1 import errors_pb2, play_pb2, session_pb2
from rivalry_client import Bot, Resign
from rivalry_client.bot import Answer, GivenUpError
from rivalry_client.prompt import Prompt, WirePrompt
from rivalry_client.streams import Dialled
from rivalry_client.wire import Wire

MOMENTS = ("away", "dialled", "resumed", "welcomed", "started")
"""Before the client dials; in the turn in which it says resume; before the welcome; after it; after MatchStarted."""


class Gate:
    """Where the thoughts of a bot end: as soon as the moment comes that a test is about."""

    def __init__(self, moment: str) -> None:
        self.thoughts: list[int] = []
        self._moment = moment
        self._open = asyncio.Event()

    def passes(self, moment: str) -> None:
        """That moment has come."""
        if moment == self._moment:
            self._open.set()

    async def thought(self, prompt: Prompt) -> None:
        """Returns at the moment."""
        self.thoughts.append(prompt.number)
        await self._open.wait()


class AtGate(Bot):
    """Answers 1 when the gate opens."""

    gate: Gate

    async def choose(self, prompt: Prompt) -> object:
        await self.gate.thought(prompt)
        return 1


class GivesUp(AtGate):
    """Resigns then."""

    async def choose(self, prompt: Prompt) -> object:
        await self.gate.thought(prompt)
        raise Resign("hopeless")


class Odd(AtGate):
    """Answers under another number, and well."""

    def reply(self, prompt: Prompt, answer: Answer, wire: Wire) -> None:
        wire.answer(prompt, answer, number=77)
        wire.answer(prompt, answer)


class Sayer(AtGate):
    """Says its answer as a message that it made itself."""

    def reply(self, prompt: Prompt, answer: Answer, wire: Wire) -> None:
        assert isinstance(prompt, WirePrompt)
        wire.say(session_pb2.FromBot(answer=session_pb2.Answer(match=prompt.handle, number=prompt.number, index=1)))


async def said(arena: ScriptedArena) -> list[session_pb2.FromBot]:
    """All that the bot says until it says nothing for a moment, pings and events' acknowledgements left out."""
    found: list[session_pb2.FromBot] = []
    while True:
        try:
            frame = await asyncio.wait_for(arena.link.read(), 0.01)
        except TimeoutError:
            return found
        assert frame is not None
        messages = play_pb2.PlayRequest.FromString(frame).messages
        found += [message for message in messages if message.WhichOneof("message") not in ("ping", "ack")]


async def begun(arena: ScriptedArena, *tables: KuhnTable) -> None:
    """A stream that is lost while the bot thinks about the first prompt of each match."""
    await welcome(arena)
    for table in tables:
        await arena.frame(table.started(), table.prompt())
    assert await said(arena) == []


@pytest.fixture
def gates(monkeypatch: pytest.MonkeyPatch) -> Callable[[str], Gate]:
    """Gates that see when the client dials."""

    def made(moment: str) -> Gate:
        gate = Gate(moment)
        dial = Dialled.next

        async def dialled(streams: Dialled, session: str) -> object:
            gate.passes("away")
            link = await dial(streams, session)
            gate.passes("dialled")
            return link

        monkeypatch.setattr(Dialled, "next", dialled)
        return gate

    return made


def resume(gate: Gate, *tables: KuhnTable) -> Script:
    """A stream that is resumed and lost before a prompt is told again."""

    async def script(arena: ScriptedArena) -> None:
        await told_up_to_start(arena, gate, *tables)

    return script


async def told_up_to_start(arena: ScriptedArena, gate: Gate, *tables: KuhnTable) -> None:
    """Resumes and tells the matches again, and no prompt; whatever the bot thinks meanwhile, it says nothing."""
    await arena.hear("resume")
    gate.passes("resumed")
    assert await said(arena) == []
    await arena.say(welcome=session_pb2.Welcome(protocol=1, resume_token=TOKEN, resumed=True))
    gate.passes("welcomed")
    assert await said(arena) == []
    await arena.frame(*(again(table) for table in tables))
    gate.passes("started")
    assert await said(arena) == []


KINDS = {
    AtGate: ["answer 1 1"],
    GivesUp: ["resign"],
    Odd: ["answer 1 77", "answer 1 1"],
    Sayer: ["answer 1 1"],
}
"""By bot what it says."""


def in_words(messages: list[session_pb2.FromBot]) -> list[str]:
    """Answers by match and number, the rest by kind."""
    words = []
    for message in messages:
        kind = str(message.WhichOneof("message"))
        words.append(f"answer {message.answer.match} {message.answer.number}" if kind == "answer" else kind)
    return words


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
@pytest.mark.parametrize("moment", MOMENTS)
@pytest.mark.parametrize("lost_again", [False, True])
def test_what_is_said_at_any_moment_of_a_resume_leaves_when_its_prompt_is_told_again(
    gates: Callable[[str], Gate], moment: str, kind: type[AtGate], lost_again: bool
) -> None:
    table = KuhnTable()
    gate = gates(moment)

    class Tried(kind):  # type: ignore[misc, valid-type]
        pass

    Tried.gate = gate

    async def first(arena: ScriptedArena) -> None:
        await begun(arena, table)

    async def last(arena: ScriptedArena) -> None:
        await told_up_to_start(arena, gate, table)
        await arena.frame(table.prompt())
        assert in_words(await said(arena)) == KINDS[kind]
        await arena.frame(table.prompt())  # told twice over one stream it is said once
        assert await said(arena) == []
        await done(arena, table)

    ending, _ = played(Tried, first, *([resume(gate, table)] if lost_again else []), last)

    assert (ending.kind, ending.matches, gate.thoughts) == ("done", 1, [1])


@pytest.mark.parametrize("moment", MOMENTS)
def test_each_match_of_a_session_waits_for_its_own_prompt(gates: Callable[[str], Gate], moment: str) -> None:
    one, other = KuhnTable(1), KuhnTable(2)
    gate = gates(moment)

    class Tried(AtGate):
        pass

    Tried.gate = gate

    async def first(arena: ScriptedArena) -> None:
        await begun(arena, one, other)

    async def last(arena: ScriptedArena) -> None:
        await told_up_to_start(arena, gate, one, other)
        await arena.frame(other.prompt())
        assert in_words(await said(arena)) == ["answer 2 1"]
        await arena.frame(one.prompt())
        assert in_words(await said(arena)) == ["answer 1 1"]
        await arena.frame(one.ended(), other.ended())
        await arena.end()

    ending, _ = played(Tried, first, last, matches=2, prompts=2)

    assert (ending.kind, ending.matches, gate.thoughts) == ("done", 2, [1, 1])


@pytest.mark.parametrize("moment", MOMENTS)
def test_what_is_said_of_a_prompt_that_was_closed_meanwhile_is_dropped(
    gates: Callable[[str], Gate], moment: str
) -> None:
    table = KuhnTable()
    gate = gates(moment)

    class Tried(AtGate):
        pass

    Tried.gate = gate

    async def first(arena: ScriptedArena) -> None:
        await begun(arena, table)

    async def last(arena: ScriptedArena) -> None:
        await told_up_to_start(arena, gate, table)
        await arena.frame(table.prompt(number=2))
        assert in_words(await said(arena)) == ["answer 1 2"]
        await done(arena, table)

    ending, _ = played(Tried, first, last)

    assert (ending.kind, gate.thoughts) == ("done", [1, 2])


@pytest.mark.parametrize("moment", MOMENTS[:-1])
def test_nothing_leaves_under_a_handle_that_was_replaced(gates: Callable[[str], Gate], moment: str) -> None:
    old, new = KuhnTable(1), KuhnTable(2)
    gate = gates(moment)

    class Tried(AtGate):
        pass

    Tried.gate = gate

    async def first(arena: ScriptedArena) -> None:
        await begun(arena, old)

    async def last(arena: ScriptedArena) -> None:
        await told_up_to_start(arena, gate)
        await arena.frame(again(new, replaces=1))
        assert await said(arena) == []
        await arena.frame(new.prompt())
        assert in_words(await said(arena)) == ["answer 2 1"]
        await done(arena, new)

    ending, _ = played(Tried, first, last)

    assert (ending.kind, gate.thoughts) == ("done", [1, 1])


@pytest.mark.parametrize("told", ["prompt first", "ruling first"])
@pytest.mark.parametrize("moment", MOMENTS)
def test_a_second_try_waits_for_the_prompt_as_the_first_does(
    gates: Callable[[str], Gate], moment: str, told: str
) -> None:
    table = KuhnTable()
    gate = gates(moment)
    rejection = FromArena(
        ruling=session_pb2.Ruling(match=1, number=1, kind=errors_pb2.RULING_KIND_REJECTED, tries_left=2)
    )

    class Tried(Bot):
        async def choose(self, prompt: Prompt) -> object:
            if prompt.ruling is None:
                return 99
            await gate.thought(prompt)
            return 1

    async def first(arena: ScriptedArena) -> None:
        await welcome(arena)
        await arena.frame(table.started(), table.prompt())
        assert (await arena.hear("answer")).index == 99
        await arena.frame(rejection)
        assert await said(arena) == []

    async def last(arena: ScriptedArena) -> None:
        await told_up_to_start(arena, gate, table)
        prompt = table.prompt()
        prompt.prompt.tries_left = 2
        if told == "ruling first":
            await arena.frame(rejection)
            assert await said(arena) == []
        await arena.frame(prompt)
        assert [message.answer.index for message in await said(arena)] == [1]
        await arena.frame(rejection)
        assert await said(arena) == []
        await done(arena, table)

    ending, _ = played(Tried, first, last)

    assert (ending.kind, gate.thoughts) == ("done", [1])


def test_an_answer_that_was_ruled_stale_is_sent_again_where_its_prompt_is_told_again() -> None:
    table = KuhnTable()
    stale = session_pb2.Ruling(
        match=1, number=1, kind=errors_pb2.RULING_KIND_STALE, reason=errors_pb2.RULING_REASON_NUMBER, tries_left=3
    )

    class Tried(Bot):
        quick = True

        def choose(self, prompt: Prompt) -> object:
            return 1

    async def only(arena: ScriptedArena) -> None:
        await welcome(arena)
        await arena.frame(table.started(), table.prompt())
        assert in_words(await said(arena)) == ["answer 1 1"]
        await arena.say(ruling=stale)
        assert await said(arena) == []
        for expected in (["answer 1 1"], []):
            await arena.frame(table.prompt())
            assert in_words(await said(arena)) == expected
        await done(arena, table)

    assert played(Tried, only)[0].kind == "done"


class Crashes(AtGate):
    """Fails when the gate opens."""

    async def choose(self, prompt: Prompt) -> object:
        await self.gate.thought(prompt)
        raise LookupError("no plan")


@pytest.mark.parametrize("moment", MOMENTS)
def test_a_crash_at_any_moment_of_a_resume_is_told_after_the_welcome(gates: Callable[[str], Gate], moment: str) -> None:
    table = KuhnTable()
    gate = gates(moment)

    class Tried(Crashes):
        pass

    Tried.gate = gate

    async def first(arena: ScriptedArena) -> None:
        await begun(arena, table)

    async def last(arena: ScriptedArena) -> None:
        await arena.hear("resume")
        gate.passes("resumed")
        assert await said(arena) == []
        await arena.say(welcome=session_pb2.Welcome(protocol=1, resume_token=TOKEN, resumed=True))
        gate.passes("welcomed")
        gate.passes("started")
        (leave,) = await said(arena)
        assert (leave.leave.reason, leave.leave.text) == (session_pb2.LEAVE_REASON_CRASH, "LookupError: no plan")
        await arena.end(reason=errors_pb2.SESSION_END_REASON_LEFT)

    assert played(Tried, first, last)[0].kind == "crash"


@pytest.mark.parametrize("unanswered", [0, 1, 2])
def test_a_crash_that_was_told_to_a_stream_which_broke_is_told_over_the_next(unanswered: int) -> None:
    table = KuhnTable()

    class Tried(Bot):
        quick = True

        def choose(self, prompt: Prompt) -> object:
            raise LookupError("no plan")

    async def first(arena: ScriptedArena) -> None:
        await welcome(arena)
        await arena.frame(table.started(), table.prompt())

    async def broken(arena: ScriptedArena) -> None:
        await resumed(arena)

    async def last(arena: ScriptedArena) -> None:
        await resumed(arena)
        assert (await arena.hear("leave")).reason == session_pb2.LEAVE_REASON_CRASH
        await arena.end(reason=errors_pb2.SESSION_END_REASON_LEFT)

    ending, waits = played(Tried, first, *[broken] * unanswered, last)

    assert (ending.kind, len(waits)) == ("crash", unanswered + 1)
    ending, waits = played(Tried, first)
    assert ending.kind == "crash" and sum(waits) < 2.0


def test_a_ruling_that_crosses_the_end_of_its_match_is_not_told(capsys: pytest.CaptureFixture[str]) -> None:
    table = KuhnTable()

    def over(match: int) -> FromArena:
        kind, reason = errors_pb2.RULING_KIND_STALE, errors_pb2.RULING_REASON_OVER
        return FromArena(ruling=session_pb2.Ruling(match=match, number=1, kind=kind, reason=reason, text="over"))

    class Tried(Bot):
        quick = True

        def choose(self, prompt: Prompt) -> object:
            return 1

    async def only(arena: ScriptedArena) -> None:
        await welcome(arena)
        await arena.frame(table.started(), table.prompt())
        await arena.frame(table.ended(), over(1))
        await arena.end()

    async def seat_lost(arena: ScriptedArena) -> None:
        await welcome(arena)
        await arena.frame(table.started(), table.prompt(), over(1))
        await arena.end()

    played(Tried, only)
    crossed = capsys.readouterr().err
    played(Tried, seat_lost)

    assert crossed == ""
    assert capsys.readouterr().err == "rivalry: answer stale (match 1, prompt 1, over): over\n"


def test_after_a_crash_no_ruling_on_its_other_matches_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    one, other = KuhnTable(1), KuhnTable(2)

    class Tried(Bot):
        quick = True

        def choose(self, prompt: Prompt) -> object:
            if len(said_to) == 1:
                raise GivenUpError("no plan")
            said_to.append(prompt.number)
            return 1

    said_to: list[int] = []

    async def only(arena: ScriptedArena) -> None:
        await welcome(arena)
        await arena.frame(one.started(), other.started(), one.prompt(), other.prompt())
        assert in_words(await said(arena)) == ["answer 1 1", "leave"]
        kind, reason = errors_pb2.RULING_KIND_STALE, errors_pb2.RULING_REASON_OVER
        await arena.say(ruling=session_pb2.Ruling(match=1, number=1, kind=kind, reason=reason, text="over"))
        await arena.end(reason=errors_pb2.SESSION_END_REASON_LEFT)

    played(Tried, only, matches=2, prompts=2)

    assert capsys.readouterr().err == "rivalry: no plan\n"


def test_after_a_goodbye_nothing_is_answered_and_no_ruling_told(capsys: pytest.CaptureFixture[str]) -> None:
    table = KuhnTable()

    class Tried(Bot):
        async def choose(self, prompt: Prompt) -> object:
            await asyncio.sleep(0.5)
            return 1

    async def only(arena: ScriptedArena) -> None:
        await welcome(arena)
        await arena.frame(table.started(), table.prompt())
        playing = next(task for task in asyncio.all_tasks() if "Session.play" in repr(task.get_coro()))
        asyncio.get_running_loop().call_later(0.4, playing.cancel)
        assert (await arena.hear("leave")).reason == session_pb2.LEAVE_REASON_DONE
        kind, reason = errors_pb2.RULING_KIND_STALE, errors_pb2.RULING_REASON_OVER
        await arena.say(ruling=session_pb2.Ruling(match=1, number=1, kind=kind, reason=reason, text="over"))
        await asyncio.sleep(0.3)
        assert await said(arena) == []
        await arena.end(reason=errors_pb2.SESSION_END_REASON_LEFT)

    with pytest.raises(asyncio.CancelledError):
        played(Tried, only)
    assert capsys.readouterr().err == ""
