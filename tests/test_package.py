"""The package as a user would have it: the wheel, and the wheel made from the sdist, each in an empty environment.

Everything is built from a copy of what git tracks, so that neither a file that was not added nor the generated messages
of this clone help.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tarfile
import venv
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
WHEELHOUSE = Path(sys.prefix) / "wheelhouse"


def ran(*command, cwd):
    done = subprocess.run(
        [str(part) for part in command], cwd=cwd, capture_output=True, text=True, timeout=180, check=False
    )
    assert done.returncode == 0, f"{command}\n{done.stdout}\n{done.stderr}"
    return done.stdout


def built(kind, source, into):
    """Builds the ``kind`` (sdist or wheel) of ``source`` with what this environment has, and returns the file."""
    hook = f"import sys, hatchling.build as b; print(b.build_{kind}(sys.argv[1]))"
    return into / ran(sys.executable, "-c", hook, into, cwd=source).splitlines()[-1]


@pytest.fixture(scope="module")
def source(tmp_path_factory):
    folder = tmp_path_factory.mktemp("source")
    if shutil.which("git") is None or not (ROOT / ".git").exists():
        pytest.skip("the files of the package are what git tracks: sudo apt install git, and run this in a clone")
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=True).stdout.decode()
    for name in filter(None, listed.split("\0")):
        if (ROOT / name).is_file():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, folder / name)
    return folder


@pytest.fixture(scope="module")
def sdist(source, tmp_path_factory):
    return built("sdist", source, tmp_path_factory.mktemp("sdist"))


@pytest.fixture(scope="module", params=["clone", "sdist"])
def wheel(request, source, tmp_path_factory):
    """The wheel made from the clone, then the one made from the sdist."""
    if request.param == "sdist":
        folder = tmp_path_factory.mktemp("unpacked")
        with tarfile.open(request.getfixturevalue("sdist")) as archive:
            archive.extractall(folder, filter="data")
        (source,) = folder.iterdir()
    return built("wheel", source, tmp_path_factory.mktemp("wheel"))


@pytest.fixture(scope="module")
def programs(wheel, tmp_path_factory):
    """The programs of an empty environment with the wheel and what it asks for.

    Without a network where ``make venv`` kept the wheels of what it asks for.
    """
    folder = tmp_path_factory.mktemp("environment")
    venv.create(folder, with_pip=False, symlinks=os.name != "nt")
    kept = ["--no-index", "--find-links", WHEELHOUSE] if WHEELHOUSE.is_dir() else []
    pip = [sys.executable, "-m", "pip", "--python", folder, "--disable-pip-version-check", "install", "--quiet"]
    ran(*pip, "--no-compile", *kept, wheel, cwd=folder)
    return folder / ("Scripts" if os.name == "nt" else "bin")


def test_the_wheel_holds_the_packages_and_the_generated_messages_and_nothing_else(wheel):
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
    tops = {name.partition("/")[0] for name in names}

    assert tops - {name for name in tops if name.endswith(".dist-info")} == {
        "rivalry",
        "rivalry_agents",
        "rivalry_bots",
        "rivalry_client",
        "rivalry_engine",
        "rivalry_environments",
        "rivalry_evaluation",
        "rivalry_ladder",
        "rivalry_openspiel",
        "rivalry_report",
        "rivalry_server",
        "rivalry_tournament",
        "rivalry_wire",
    }
    assert "rivalry/arena/v1/play_pb2_grpc.py" in names
    assert len(names) == len(set(names))
    assert any(name.endswith("/licenses/LICENSE") for name in names)


def test_the_sdist_holds_the_schema_the_tests_and_no_environment(sdist):
    with tarfile.open(sdist) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}

    assert {"proto/rivalry/arena/v1/play.proto", "proto/generate.py", "Makefile", "tests/test_package.py"} <= names
    assert not any("node_modules" in name or name.startswith(".venv") for name in names)


def test_the_wheel_plays_kuhn_from_an_empty_environment(programs, tmp_path):
    seats = ["--bot", "random", "--bot", "inproc:first"]
    said = ran(
        programs / "rivalry", "match", "--game", "kuhn", *seats, "--seed", "x", "--record", "game.jsonl", "--json",
        cwd=tmp_path,
    )  # fmt: skip

    match = json.loads(said)
    assert [seat["end"] for seat in match["seats"]] == ["normal", "normal"]
    assert "true" in ran(programs / "rivalry", "verify", "game.jsonl", cwd=tmp_path)


def test_away_from_a_clone_bench_says_where_it_works(programs, tmp_path):
    done = subprocess.run([programs / "rivalry", "bench"], cwd=tmp_path, capture_output=True, text=True, check=False)

    assert done.returncode == 2
    assert "clone" in done.stderr
