"""Traps of gRPC, asyncio and Protobuf that are kept out of the sources: rules over all that is shipped."""

from __future__ import annotations

import ast
import importlib.metadata
import re
import tomllib
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path

import pytest

from rivalry.arena.v1 import session_pb2

ROOT = Path(__file__).resolve().parent.parent.parent
FOLDERS = ("engine", "server", "clients/python", "proto/python/rivalry_wire")
FILES = sorted(path for folder in FOLDERS for path in (ROOT / folder).rglob("*.py"))
FORKS = {"os.fork", "os.forkpty", "pty.fork", "pty.spawn"}
POOLS = {"multiprocessing", "concurrent.futures.ProcessPoolExecutor", "concurrent.futures.process"}
SYNCS = {"os.fsync", "os.fdatasync", "os.sync"}
LOOPS = {"uvloop.install", "uvloop.EventLoopPolicy", "asyncio.set_event_loop_policy"}
STOPPING_ALL = {"CancelledError", "BaseException"}


@cache
def shipped() -> dict[str, ast.Module]:
    """All sources, read once."""
    return {str(path.relative_to(ROOT)): ast.parse(path.read_text(encoding="utf-8")) for path in FILES}


@cache
def nodes(tree: ast.AST) -> list[ast.AST]:
    """All that is in a tree."""
    return list(ast.walk(tree))


def found_in(check: Callable[[ast.AST], Iterator[int]], text: str | None = None) -> list[str]:
    """``file:line`` of each place in the sources, or in ``text``, that ``check`` finds fault with."""
    trees = shipped() if text is None else {"x": ast.parse(text)}
    return [f"{name}:{line}" for name, tree in trees.items() for line in check(tree)]


def name_of(node: ast.AST, imported: dict[str, str] | None = None) -> str:
    """``a.b.c`` of a name or an attribute, by the names that it was imported under; empty for anything else."""
    if isinstance(node, ast.Name):
        return (imported or {}).get(node.id, node.id)
    if isinstance(node, ast.Attribute) and (before := name_of(node.value, imported)):
        return f"{before}.{node.attr}"
    return ""


@cache
def imports(tree: ast.AST) -> dict[str, str]:
    """What each imported name stands for."""
    names: dict[str, str] = {}
    for node in nodes(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                first = alias.name.partition(".")[0]
                names[alias.asname or first] = alias.name if alias.asname else first
        elif isinstance(node, ast.ImportFrom) and node.module:
            names.update({alias.asname or alias.name: f"{node.module}.{alias.name}" for alias in node.names})
    return names


@cache
def calls(tree: ast.AST) -> list[tuple[ast.Call, str]]:
    """Each call with the full name of what is called."""
    imported = imports(tree)
    return [(node, name_of(node.func, imported)) for node in nodes(tree) if isinstance(node, ast.Call)]


def forks(tree: ast.AST) -> Iterator[int]:
    """Lines that fork this process, or have Python run in a child between fork and exec."""
    for node, name in calls(tree):
        if name in FORKS or any(keyword.arg in ("preexec_fn", "process_group") for keyword in node.keywords):
            yield node.lineno
    for node in nodes(tree):
        modules = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
        if isinstance(node, ast.ImportFrom):
            modules = [node.module or "", *(f"{node.module}.{alias.name}" for alias in node.names)]
        if isinstance(node, ast.Import | ast.ImportFrom) and any(
            module == pool or module.startswith(f"{pool}.") for module in modules for pool in POOLS
        ):
            yield node.lineno


def test_nothing_forks_a_process_that_has_threads_of_grpc() -> None:
    assert found_in(forks) == []
    assert found_in(forks, "import os\nos.fork()") == ["x:2"]
    assert found_in(forks, "from subprocess import Popen as P\nP([], preexec_fn=print)") == ["x:2"]
    assert found_in(forks, "from concurrent.futures import ProcessPoolExecutor") == ["x:1"]
    assert found_in(forks, "import multiprocessing.pool") == ["x:1"]


def spawns(tree: ast.AST) -> Iterator[int]:
    """Lines that start a program which Ctrl-C in the terminal would reach as well."""
    for node, name in calls(tree):
        started = any(keyword.arg == "start_new_session" for keyword in node.keywords)
        if name == "subprocess.Popen" and not started:
            yield node.lineno
        if name in ("os.system", "os.popen", "os.posix_spawn", "asyncio.create_subprocess_shell"):
            yield node.lineno


def test_every_program_that_is_started_has_a_session_of_its_own() -> None:
    assert found_in(spawns) == []
    assert found_in(spawns, "import subprocess\nsubprocess.Popen([])") == ["x:2"]


def hands_files_to_a_loop(tree: ast.AST) -> Iterator[int]:
    """uvloop closes a pipe's number, and its file closes it again (uvloop issue 763)."""
    for call, name in calls(tree):
        if name.endswith((".connect_read_pipe", ".connect_write_pipe")):
            yield call.lineno


def test_no_file_is_given_to_a_loop_that_would_close_its_number_twice() -> None:
    assert found_in(hands_files_to_a_loop, "async def f(loop): await loop.connect_read_pipe(a, b)") == ["x:1"]
    assert found_in(hands_files_to_a_loop) == []


def installs(tree: ast.AST) -> Iterator[int]:
    """Lines that choose the loop of every program that imports them."""
    for node, name in calls(tree):
        if name in LOOPS:
            yield node.lineno


def test_uvloop_is_chosen_for_a_run_and_never_installed() -> None:
    assert found_in(installs) == []
    assert found_in(installs, "import uvloop\nuvloop.install()") == ["x:2"]


def swallows(tree: ast.AST) -> Iterator[int]:
    """Lines that catch a cancellation and go on."""
    for node in nodes(tree):
        if isinstance(node, ast.ExceptHandler):
            kinds = node.type.elts if isinstance(node.type, ast.Tuple) else [node.type or ast.Name("BaseException")]
            names = {name_of(kind).rpartition(".")[2] for kind in kinds}
            if names & STOPPING_ALL and not any(isinstance(inside, ast.Raise) for inside in ast.walk(node)):
                yield node.lineno
    for call, name in calls(tree):
        if name.endswith("suppress") and {name_of(kind).rpartition(".")[2] for kind in call.args} & STOPPING_ALL:
            yield call.lineno


KEEPS_A_FAILURE = {
    "server/rivalry_server/seat.py": "a hook of a bot in the process may raise anything; it is not awaited",
    "server/rivalry_server/match.py": "a game's match ends by what it raises; `fault` raises the rest again",
    "server/rivalry_server/session_seat.py": "the same of what a game and its codec raise where a bot is asked",
    "server/rivalry_server/heavy_match.py": "the same after a step that a worker took",
    "server/rivalry_server/amiss.py": "a game that has failed is asked once more, and may raise anything again",
    "server/rivalry_server/given.py": "a void match has a record, whatever its game raises instead of a notation",
    "server/rivalry_server/words.py": "the words of an exception, asked for outside any task",
    "server/rivalry_server/heavy.py": "a worker thread outlives whatever a game raises, and hands it to the loop",
    "clients/python/rivalry_agents/llm.py": "a thread hands what it raised to the one that waits for it",
    "clients/python/rivalry_client/process.py": "the thread of the stream hands what it raised to the main thread",
}
"""Files that catch everything for a reason of their own: none of these places awaits."""


def test_no_cancellation_is_swallowed() -> None:
    elsewhere = [place for place in found_in(swallows) if place.partition(":")[0] not in KEEPS_A_FAILURE]

    assert elsewhere == []
    assert found_in(swallows, "try:\n a()\nexcept BaseException:\n pass") == ["x:3"]
    assert found_in(swallows, "try:\n a()\nexcept (A, asyncio.CancelledError):\n pass") == ["x:3"]
    assert found_in(swallows, "try:\n a()\nexcept:\n pass") == ["x:3"]
    assert found_in(swallows, "with contextlib.suppress(CancelledError): a()") == ["x:1"]


@pytest.mark.parametrize("file", KEEPS_A_FAILURE)
def test_what_catches_everything_awaits_nothing(file: str) -> None:
    tree = shipped()[file]
    lines = set(swallows(tree))
    tries = [
        node
        for node in nodes(tree)
        if isinstance(node, ast.Try) and lines & {handler.lineno for handler in node.handlers}
    ]

    assert tries
    assert not [each.lineno for each in tries if any(isinstance(node, ast.Await) for node in ast.walk(each))]


def asks_in_a_callback(tree: ast.AST) -> Iterator[int]:
    """Lines that have a gRPC call or context call them when it is done."""
    for node in nodes(tree):
        if isinstance(node, ast.Attribute) and node.attr == "add_done_callback":
            owner = name_of(node.value).rpartition(".")[2].lstrip("_")
            if owner in ("call", "context", "rpc", "stream"):
                yield node.lineno


def test_nothing_relies_on_what_a_call_says_in_its_done_callback() -> None:
    assert found_in(asks_in_a_callback) == []
    assert found_in(asks_in_a_callback, "self._call.add_done_callback(f)") == ["x:1"]


def waits_for_the_disk(tree: ast.AST) -> Iterator[int]:
    """Lines of coroutines that wait for a disk, a program or the clock with the whole loop."""
    imported = imports(tree)
    for work in nodes(tree):
        if isinstance(work, ast.AsyncFunctionDef):
            for node in ast.walk(work):
                name = name_of(node.func, imported) if isinstance(node, ast.Call) else ""
                if name in SYNCS | {"time.sleep", "subprocess.run", "sqlite3.connect", "open", "input"}:
                    yield node.lineno


def test_no_coroutine_waits_with_the_whole_loop() -> None:
    assert found_in(waits_for_the_disk) == []
    assert found_in(waits_for_the_disk, "import time\nasync def f():\n time.sleep(1)") == ["x:3"]


def syncs(tree: ast.AST) -> Iterator[str]:
    """The functions that wait until a disk has what was written."""
    if not any(name in SYNCS for _, name in calls(tree)):
        return
    imported = imports(tree)
    for work in nodes(tree):
        if isinstance(work, ast.FunctionDef | ast.AsyncFunctionDef) and any(
            name_of(node.func, imported) in SYNCS for node in ast.walk(work) if isinstance(node, ast.Call)
        ):
            yield work.name


def test_the_disk_is_waited_for_only_in_places_that_are_known() -> None:
    found = {file: sorted(syncs(tree)) for file, tree in shipped().items()}

    assert {file: names for file, names in found.items() if names} == {
        # In a thread of its own; and once, when the journal is opened.
        "server/rivalry_server/journal/store.py": ["_sync_folder", "synced"],
        # By the command that makes and revokes tokens; the arena reads the file.
        "server/rivalry_server/token_file.py": ["_written"],
        # By a bot, once for each stream that it opens.
        "clients/python/rivalry_client/resume_file.py": ["keep"],
        # In a thread beside the loop; and between rounds, when nothing is played.
        "server/rivalry_tournament/keeper.py": ["_write_record"],
        "server/rivalry_tournament/log.py": ["_take_in", "append", "sync_folder"],
        # By the command, before anything is played.
        "server/rivalry_tournament/settling.py": ["settle"],
    }


def hashes_messages(tree: ast.AST) -> Iterator[int]:
    """Lines that hash what a message was serialised to, or a text that such bytes were put into."""
    imported = imports(tree)
    for node, name in calls(tree):
        if name.startswith(("hashlib.", "hmac.digest", "hmac.new", "zlib.crc32")) and "compare" not in name:
            inside = [each for argument in node.args for each in ast.walk(argument)]
            if any(isinstance(each, ast.Attribute) and each.attr.startswith("Serialize") for each in inside):
                yield node.lineno
    reads = any(module.endswith("_pb2") or "codec" in module.lower() for module in imported.values())
    digests = any(name.startswith("hashlib.") for name in imported.values()) or "hashlib" in imported.values()
    if reads and digests:
        yield 0


def test_no_digest_is_over_bytes_of_protobuf() -> None:
    # creation.py hashes the text of a request id, and compares requests field by field.
    found = [
        place for place in found_in(hashes_messages) if not place.startswith("server/rivalry_server/creation.py:0")
    ]

    assert found == []
    assert found_in(hashes_messages, "import hashlib\nhashlib.sha256(m.SerializeToString())") == ["x:2"]
    one, other = session_pb2.Ack(match=1, events=2), session_pb2.Ack(match=1, events=2)
    other.MergeFromString(b"\xfa\x7c\x01x")
    assert one.SerializeToString() != other.SerializeToString(), "an equal message may have other bytes"


def floors() -> dict[str, str]:
    """The requirements of the package, of its build and of its development, each with what it asks for."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    listed = [*project["project"]["dependencies"], *project["build-system"]["requires"]]
    listed += project["project"]["optional-dependencies"]["dev"]
    found: dict[str, str] = {}
    for each in listed:
        read = re.match(r"([\w-]+)\s*([=><~!]+)\s*([\w.]+)", each)
        if read is not None:
            name, relation, version = read.groups()
            assert found.setdefault(name, relation + version) == relation + version, f"{name} is asked for twice"
    return found


def test_the_generator_is_pinned_and_the_floors_are_those_that_its_code_asks_for() -> None:
    asked = floors()
    generator = asked["grpcio-tools"]

    assert generator.startswith("==")
    for runtime in ("grpcio", "grpcio-health-checking", "grpcio-reflection"):
        assert asked[runtime] == generator.replace("==", ">=")
    assert asked["protobuf"] == f">={generated_for()}"


def generated_for() -> str:
    """The version of Protobuf that the generated modules ask for, the same in all of them."""
    versions = set()
    for path in (ROOT / "proto" / "python" / "rivalry").rglob("*_pb2.py"):
        text = path.read_text(encoding="utf-8")
        read = re.search(
            r"ValidateProtobufRuntimeVersion\(\s*_runtime_version\.Domain\.PUBLIC,\s*(\d+),\s*(\d+),", text
        )
        patch = re.search(r"Domain\.PUBLIC,\s*\d+,\s*\d+,\s*(\d+),", text)
        assert read is not None and patch is not None, path
        versions.add(f"{read[1]}.{read[2]}.{patch[1]}")
    assert len(versions) == 1, versions
    return versions.pop()


def test_the_installed_runtimes_are_no_older_than_the_floors() -> None:
    asked = floors()

    def numbers(version: str) -> list[int]:
        return [int(part) for part in version.split(".")[:3]]

    for name in ("grpcio", "protobuf", "grpcio-tools"):
        assert numbers(importlib.metadata.version(name)) >= numbers(asked[name].lstrip("=>")), name


def test_the_generator_of_the_build_wants_no_newer_protobuf_than_the_floor() -> None:
    wanted = [each for each in importlib.metadata.requires("grpcio-tools") or () if each.startswith("protobuf")]
    least = re.search(r">=\s*([\d.]+)", wanted[0])

    assert least is not None
    assert [int(part) for part in least[1].split(".")[:2]] <= [int(part) for part in generated_for().split(".")[:2]]
