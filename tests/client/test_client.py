"""The client over gRPC, from asynchronous code."""

from __future__ import annotations

import asyncio
import sys
import tempfile
import threading
import time
from pathlib import Path

import grpc.aio
import pytest

from client.arena import one_kuhn_prompt, scripted_arena
from client.scripted import PATIENCE_S, KuhnTable, ScriptedArena, played
from rivalry.arena.v1 import session_pb2
from rivalry_client import Bot, connect
from rivalry_client.client import Seating
from rivalry_client.host import Host
from rivalry_client.link import QueueLink
from rivalry_client.prompt import Prompt
from rivalry_client.report import Report
from rivalry_client.target import TargetError, checked
from rivalry_client.thinking import InThread, OnLoop


class Quick(Bot):
    """Answers at once."""

    quick = True

    def choose(self, prompt: Prompt) -> object:
        return 0


class Blocking(Bot):
    """Blocks its thread for a while."""

    def choose(self, prompt: Prompt) -> object:
        time.sleep(0.3)
        return 0


class Awaiting(Bot):
    """Waits without blocking."""

    async def choose(self, prompt: Prompt) -> object:
        await asyncio.sleep(0.01)
        return 0


class Listening(asyncio.Event):
    """Set with the address once a host listens."""

    address = ""

    def at(self, address: str) -> None:
        self.address = address
        self.set()


def test_every_kind_of_bot_plays_a_session() -> None:
    async def main() -> None:
        async with scripted_arena(one_kuhn_prompt) as address, connect(address) as arena:
            for bot in (Quick, Awaiting, Blocking):
                ending = await arena.play(bot)
                assert (ending.kind, ending.matches) == ("done", 1)

    asyncio.run(main())


def test_pings_are_answered_while_a_plain_choose_blocks() -> None:
    heard: list[str] = []

    async def script(arena: ScriptedArena) -> None:
        table = KuhnTable()
        await arena.welcome()
        await arena.frame(table.started(), table.prompt(), session_pb2.FromArena(ping=session_pb2.Ping(nonce=3)))
        heard.extend([type(await arena.hear()).__name__, type(await arena.hear()).__name__])
        await arena.end()

    async def main() -> None:
        async with scripted_arena(script) as address, connect(address) as arena:
            await arena.play(Blocking)

    asyncio.run(main())

    assert heard == ["Pong", "Answer"]


def test_a_plain_choose_gets_one_prompt_at_a_time_and_a_quick_one_as_many_as_its_matches() -> None:
    def hello(bot: type[Bot]) -> session_pb2.Hello:
        hellos: list[session_pb2.Hello] = []

        async def script(arena: ScriptedArena) -> None:
            hellos.append(await arena.welcome())
            await arena.end()

        async def main() -> None:
            async with scripted_arena(script) as address, connect(address) as arena:
                await arena.play(bot, matches=5)

        asyncio.run(main())
        return hellos[0]

    assert (hello(Blocking).matches, hello(Blocking).prompts) == (5, 1)
    assert (hello(Quick).matches, hello(Quick).prompts) == (5, 5)


def test_hooks_that_may_block_never_run_on_the_loop() -> None:
    threads: list[str] = []

    class Watching(Bot):
        def choose(self, prompt: Prompt) -> object:
            threads.append(threading.current_thread().name)
            return 0

    async def main() -> None:
        async with scripted_arena(one_kuhn_prompt) as address, connect(address) as arena:
            await arena.play(Watching)

    asyncio.run(main())

    assert threads == ["rivalry Watching"]


def test_a_token_travels_as_metadata() -> None:
    async def main() -> None:
        async with scripted_arena(one_kuhn_prompt, token="secret") as address:
            async with connect(address, token="secret") as arena:
                assert (await arena.play(Quick)).kind == "done"
            async with connect(address, token="wrong") as arena:
                ending = await arena.play(Quick)
                assert (ending.kind, ending.text, ending.status) == ("refused", "token: unknown token", 2)

    asyncio.run(main())


def test_nobody_there_is_unreachable() -> None:
    async def main() -> None:
        async with connect("127.0.0.1:1") as arena:
            ending = await arena.play(Quick)
        assert (ending.kind, ending.status) == ("unreachable", 2)

    asyncio.run(main())


def test_a_server_that_is_no_arena_is_told_as_such() -> None:
    async def main() -> None:
        server = grpc.aio.server()
        port = server.add_insecure_port("127.0.0.1:0")
        await server.start()
        async with connect(f"127.0.0.1:{port}") as arena:
            ending = await arena.play(Quick)
        await server.stop(0)
        assert (ending.kind, ending.text) == ("unreachable", "what answers there is no arena")

    asyncio.run(main())


def test_a_broken_stream_is_a_lost_session() -> None:
    async def script(arena: ScriptedArena) -> None:
        await arena.welcome()
        raise ConnectionError("pulled")

    async def main() -> None:
        async with scripted_arena(script) as address, connect(address) as arena:
            ending = await arena.play(Quick)
        assert (ending.kind, ending.status) == ("lost", 1)

    asyncio.run(main())


def test_a_session_goes_on_where_it_is_sent() -> None:
    async def main() -> None:
        async with scripted_arena(one_kuhn_prompt) as second:

            async def script(arena: ScriptedArena) -> None:
                await arena.welcome()
                await arena.say(redirect=session_pb2.Redirect(target=second))

            async with scripted_arena(script) as first, connect(first) as arena:
                ending = await arena.play(Quick)
                assert (ending.kind, ending.matches, arena.address) == ("done", 1, second)

    asyncio.run(main())


def test_a_session_that_is_sent_to_no_address_is_lost() -> None:
    async def script(arena: ScriptedArena) -> None:
        await arena.welcome()
        await arena.say(redirect=session_pb2.Redirect(target="elsewhere"))

    async def main() -> None:
        async with scripted_arena(script) as address, connect(address) as arena:
            ending = await arena.play(Quick)
        told = "sent elsewhere, to 'elsewhere', which is not host:port, [v6]:port or unix:/path"
        assert (ending.kind, ending.text) == ("lost", told)

    asyncio.run(main())


@pytest.mark.parametrize(
    "text", ["foo", "foo:", ":7777", "foo:0", "foo:65536", "::1:7777", "foo:²", "a/b:7777", "unix:", ""]
)
def test_what_is_no_address_is_refused_before_anything_is_dialled(text: str) -> None:
    async def main() -> None:
        with pytest.raises(TargetError, match=r": expected host:port, \[v6\]:port or unix:/path$"):
            async with connect(text):
                pass

    asyncio.run(main())


@pytest.mark.parametrize(
    "text", ["foo:7777", "192.0.2.7:1", "[::1]:65535", "[fe80::1%eth0]:7777", "unix:/path", "unix:rel"]
)
def test_addresses_are_taken_as_they_are(text: str) -> None:
    assert checked(text) == text


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no unix sockets")
def test_a_host_leaves_a_socket_that_another_program_has_put_in_the_place_of_its_own() -> None:
    def taken_over(path: Path) -> None:
        path.rename(path.with_name("old"))
        path.write_text("another program's")

    async def main(path: Path) -> None:
        listening = Listening()
        report = Report(talkative=False)
        host = Host(Seating(Quick), f"unix:{path}", thinking=OnLoop(), report=report, bound=listening.at)
        serving = asyncio.ensure_future(host.serve())
        await listening.wait()
        taken_over(path)
        serving.cancel()
        await asyncio.gather(serving, return_exceptions=True)

    with tempfile.TemporaryDirectory(dir="/tmp") as folder:
        asyncio.run(main(Path(folder) / "bot"))

        assert (Path(folder) / "bot").exists()


def test_a_bot_that_is_dialled_plays_session_after_session() -> None:
    async def main() -> None:
        listening = Listening()
        host = Host(
            Seating(Quick),
            "127.0.0.1:0",
            thinking=OnLoop(),
            report=Report(talkative=False),
            token="knock",
            bound=listening.at,
        )
        serving = asyncio.ensure_future(host.serve())
        await listening.wait()
        async with grpc.aio.insecure_channel(listening.address) as channel:
            for _ in range(2):
                await _dial(channel, "knock")
            denied = channel.stream_stream("/rivalry.arena.v1.BotService/Play")()
            assert await denied.code() is grpc.StatusCode.UNAUTHENTICATED
        serving.cancel()
        await asyncio.gather(serving, return_exceptions=True)

    asyncio.run(main())


def test_a_second_host_on_a_used_address_is_refused() -> None:
    async def main() -> None:
        listening = Listening()
        report = Report(talkative=False)
        first = Host(Seating(Quick), "127.0.0.1:0", thinking=OnLoop(), report=report, bound=listening.at)
        serving = asyncio.ensure_future(first.serve())
        await listening.wait()
        second = Host(Seating(Quick), listening.address, thinking=OnLoop(), report=report)
        ending = await second.serve()
        assert (ending.kind, ending.status) == ("unusable", 2)
        serving.cancel()
        await asyncio.gather(serving, return_exceptions=True)

    asyncio.run(main())


def test_a_match_that_ends_while_its_prompt_waits_for_the_thread_is_not_thought_about() -> None:
    thought: list[int] = []
    ended = threading.Event()

    class Slow(Bot):
        def choose(self, prompt: Prompt) -> object:
            thought.append(prompt.number)
            ended.wait(PATIENCE_S)
            return 0

    thinking = InThread()

    def in_thread() -> InThread:
        thinking.loop = asyncio.get_running_loop()
        threading.Thread(target=thinking.serve, daemon=True).start()
        return thinking

    async def script(arena: ScriptedArena) -> None:
        one, two = KuhnTable(1), KuhnTable(2)
        await arena.welcome()
        await arena.frame(one.started(), two.started(), one.prompt(number=1), two.prompt(number=2), two.ended())
        await arena.say(ping=session_pb2.Ping(nonce=1))
        await arena.hear("pong")
        ended.set()
        assert (await arena.hear("answer")).match == 1
        await arena.end()

    played(Slow, script, thinking=in_thread)
    thinking.close()

    assert thought == [1]


async def _dial(channel: grpc.aio.Channel, token: str) -> None:
    call: grpc.aio.StreamStreamCall[bytes, bytes] = channel.stream_stream("/rivalry.arena.v1.BotService/Play")(
        metadata=(("authorization", f"Bearer {token}"),)
    )
    ours, theirs = QueueLink.pair()
    script = asyncio.ensure_future(one_kuhn_prompt(ScriptedArena(theirs)))

    async def down() -> None:
        while (frame := await ours.read()) is not None:
            await call.write(frame)

    writing = asyncio.ensure_future(down())
    try:
        while isinstance(frame := await call.read(), bytes):
            await ours.write(frame)
        await script
    finally:
        writing.cancel()
        script.cancel()
        call.cancel()
        await asyncio.gather(writing, script, return_exceptions=True)
