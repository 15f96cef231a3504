"""The schema as a whole: what imports what, what is documented, and what the last release could read."""

import subprocess
import sys
from pathlib import Path

import pytest
from google.protobuf import descriptor_pb2
from grpc_tools import protoc

from rivalry.arena.v1 import errors_pb2, match_pb2, outcome_pb2, play_pb2, session_pb2, time_pb2

PROTO = Path(__file__).resolve().parents[2] / "proto"
BUF = Path(sys.executable).parent / "buf"
ARENA = [errors_pb2, match_pb2, outcome_pb2, play_pb2, session_pb2, time_pb2]


def files(tmp_path):
    """Every file of the schema with its comments."""
    target = tmp_path / "schema.binpb"
    sources = sorted(str(path.relative_to(PROTO)) for path in PROTO.glob("rivalry/**/*.proto"))
    include = Path(protoc.__file__).parent / "_proto"
    arguments = ["protoc", f"-I{PROTO}", f"-I{include}", "--include_source_info", f"--descriptor_set_out={target}"]
    assert protoc.main([*arguments, *sources]) == 0
    return descriptor_pb2.FileDescriptorSet.FromString(target.read_bytes()).file


def imports(file):
    """The names of all files that ``file`` imports, directly or not."""
    found = {file.name}
    for imported in file.dependencies:
        found |= imports(imported)
    return found


@pytest.mark.parametrize("module", ARENA, ids=lambda module: module.DESCRIPTOR.name)
def test_no_message_of_the_arena_imports_a_game(module):
    names = imports(module.DESCRIPTOR)

    assert not [name for name in names if "/games/" in name]
    assert {name.rsplit("/", 1)[0] for name in names} <= {"rivalry/arena/v1", "google/protobuf"}


def test_a_game_imports_neither_the_arena_nor_another_game(tmp_path):
    for file in files(tmp_path):
        if file.name.startswith("rivalry/games/"):
            assert not list(file.dependency)


def test_every_message_and_field_of_ethnos_says_what_it_is(tmp_path):
    (file,) = [file for file in files(tmp_path) if file.name.endswith("ethnos.proto")]
    said = {tuple(place.path) for place in file.source_code_info.location if place.leading_comments.strip()}

    silent = [
        f"{message.name}.{field.name}" if path[2:] else message.name
        for number, message in enumerate(file.message_type)
        for place, field in enumerate([None, *message.field])
        for path in [(4, number, 2, place - 1) if place else (4, number)]
        if path not in said and not (field is not None and message.name == "Event")
    ]

    assert silent == []


def test_every_enum_begins_with_what_is_not_said(tmp_path):
    for file in files(tmp_path):
        for enum in file.enum_type:
            assert enum.value[0].number == 0
            assert enum.value[0].name.endswith("_UNSPECIFIED")


@pytest.mark.parametrize("message", [session_pb2.Ruling(), session_pb2.Refused(), session_pb2.SessionEnded()])
def test_a_reason_that_is_not_known_is_read_as_its_number(message):
    field = message.DESCRIPTOR.fields_by_name["reason"]
    data = bytes([field.number << 3]) + b"\xe7\x07"

    assert type(message).FromString(data).reason == 999


@pytest.mark.skipif(not BUF.exists(), reason="buf is not installed; make venv installs it")
@pytest.mark.parametrize("arguments", [("lint",), ("breaking", "--against", "baseline.binpb")], ids=lambda a: a[0])
def test_buf_has_no_complaint(arguments):
    ran = subprocess.run([BUF, *arguments], cwd=PROTO, capture_output=True, text=True, check=False)

    assert ran.returncode == 0, ran.stdout + ran.stderr


def test_the_baseline_holds_every_package_of_ours():
    baseline = descriptor_pb2.FileDescriptorSet.FromString((PROTO / "baseline.binpb").read_bytes())

    assert {file.package for file in baseline.file} >= {
        "rivalry.arena.v1",
        "rivalry.games.ethnos.v1",
        "rivalry.games.generic.v1",
        "rivalry.games.kuhn.v1",
    }
