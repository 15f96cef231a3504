"""The protocol's README tells every reason, end, limit and feature, and none that is not there."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from rivalry.arena.v1 import errors_pb2, outcome_pb2
from rivalry.arena.v1.session_pb2 import Limits
from rivalry_server.greeting import LISTED
from rivalry_server.settings import FRAME_BYTES, FRAME_MESSAGES, RECEIVED_BYTES, REJECTED, TRIES, Settings
from rivalry_server.untold import KEPT

CLONE = Path(__file__).resolve().parents[2]
README = (CLONE / "proto" / "README.md").read_text(encoding="utf-8")
ENUMS = [*errors_pb2.DESCRIPTOR.enum_types_by_name.values(), *outcome_pb2.DESCRIPTOR.enum_types_by_name.values()]


def section(title):
    """The text under the heading that begins with ``title``."""
    found = re.search(rf"^#+ {re.escape(title)}\b.*?$(.*?)(?=^#|\Z)", README, re.MULTILINE | re.DOTALL)
    assert found, f"no heading {title}"
    return found[1]


def rows(text):
    """The cells of each row of the tables in ``text``, heads and rules left out."""
    lines = [line for line in text.splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines[2:]]


@pytest.mark.parametrize("enum", ENUMS, ids=lambda enum: enum.name)
def test_every_value_has_its_row(enum):
    prefix = re.sub(r"(?<!^)(?=[A-Z])", "_", enum.name).upper() + "_"
    expected = [value.name.removeprefix(prefix) for value in enum.values if value.number]

    told = rows(section(enum.name))

    assert [cells[0].strip("`") for cells in told] == expected
    assert all(len(cells) == 3 and all(cells) for cells in told)
    assert re.search(r"\bsees?\b", section(enum.name)), f"who sees a {enum.name}?"


def test_every_limit_is_told():
    told = set(re.findall(r"`Limits\.(\w+)`", section("Frames and limits")))

    assert told == {field.name for field in Limits.DESCRIPTOR.fields}


def test_the_limits_are_those_of_the_arena():
    most = Settings()

    told = [cells[0] for cells in rows(section("Frames and limits"))]

    assert told == [
        f"messages in a frame: {FRAME_MESSAGES}",
        f"bytes in a frame: {FRAME_BYTES >> 20} MiB",
        f"bytes in a frame that is read at all: {FRAME_BYTES >> 20} MiB and {RECEIVED_BYTES - FRAME_BYTES >> 10} KiB",
        "characters of `name`, `version` and `library` in `Hello`: 64, all of them printable",
        f"games, and features, in `Hello`: {LISTED:,}",
        f"matches that a `Resume` tells of: twice `Limits.matches`, and {KEPT}",
        f"resumes of a session: {most.resumes_burst} at once, then one a second",
        f"open matches: 1, unless `Hello.matches` asks for more, and never more than {most.matches_per_session:,}",
        f"open prompts: 1, unless `Hello.prompts` asks for more, and never more than {most.prompts_per_session:,}",
        f"bytes of an answer's note: {most.note_bytes:,}",
        f"rejected answers: {TRIES} to one prompt, {REJECTED} in a match",
        f"messages that no prompt asked for: {most.unasked_burst} at once, then {most.unasked_per_s:g} a second",
        f"a stream without a hello: {most.hello_s:g} s",
        f"an offer of an open seat without a reply: {most.offer_s:g} s",
        f"a frame that the bot does not read: {most.write_s:g} s",
    ]
    assert most.resumes_per_s == 1


def test_readme_and_schema_tell_how_many_rejected_answers_end_a_seat():
    said = f"{TRIES} to one prompt, or {REJECTED} in the match"

    assert said in section("End: how a seat's part in a match ended")
    assert said in (CLONE / "proto" / "rivalry" / "arena" / "v1" / "outcome.proto").read_text(encoding="utf-8")


PLUGIN = f"""#!{sys.executable}
import sys
from pathlib import Path
from google.protobuf.compiler.plugin_pb2 import CodeGeneratorRequest, CodeGeneratorResponse
request = CodeGeneratorRequest.FromString(sys.stdin.buffer.read())
told = dict(option.split("=") for option in request.parameter.split(","))
text = "".join(f"{{name}} {{told['M' + name]}}\\n" for name in request.file_to_generate)
file = CodeGeneratorResponse.File(name=Path(sys.argv[0]).name, content=text)
made = CodeGeneratorResponse(file=[file], supported_features=CodeGeneratorResponse.FEATURE_PROTO3_OPTIONAL)
sys.stdout.buffer.write(made.SerializeToString())
"""
"""Writes down what package it is told for each file, and fails where it is told none, as Go's plugins do."""


def test_the_block_for_go_tells_both_plugins_a_package_for_every_file(tmp_path):
    (body,) = [body for body in re.findall(r"```sh\n(.*?)```", README, re.DOTALL) if "go mod init" in body]
    programs = tmp_path / "bin"
    programs.mkdir()
    plugins = ["protoc-gen-go", "protoc-gen-go-grpc"]
    for name, text in (("go", "#!/bin/sh\n"), *((plugin, PLUGIN) for plugin in plugins)):
        (programs / name).write_text(text, encoding="utf-8")
        (programs / name).chmod(0o755)
    path = os.pathsep.join([str(programs), str(Path(sys.executable).parent), os.environ["PATH"]])

    subprocess.run(
        ["bash", "-euo", "pipefail", "-c", body],
        cwd=tmp_path,
        env={**os.environ, "PATH": path, "CLONE": str(CLONE)},
        check=True,
    )

    proto = CLONE / "proto"
    files = [path.relative_to(proto) for path in proto.glob("rivalry/**/*.proto")]
    for plugin in plugins:
        told = (tmp_path / plugin).read_text(encoding="utf-8").splitlines()
        assert sorted(told) == sorted(f"{file} example.com/bot/{file.parent}" for file in files)


def test_the_features_are_those_that_hello_names():
    told = [cells[0].strip("`") for cells in rows(section("Features"))]

    assert told == ["legal_text", "legal_full", "view_text", "live_events", "resume"]


def test_the_five_versions_are_told():
    assert [cells[0].split(",")[0] for cells in rows(section("Five version numbers"))] == [
        "package",
        "protocol",
        "rules",
        "record format",
        "journal format",
    ]
