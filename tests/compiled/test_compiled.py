"""The compiled engine: a part of it is compiled here and does the same as the sources; the copy is what it says."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest

from compiled.digests import COPY, told

ROOT = Path(__file__).resolve().parents[2]
COMPILE = ROOT / "engine" / "compile.py"
DRAWS = "from rivalry_engine import chance; print(chance.__file__, chance.Stream(b'a', 'b').sample(99, 9))"


def ran(*command, path=None):
    environment = {key: value for key, value in os.environ.items() if key != "PYTHONPATH"}
    if path is not None:
        environment["PYTHONPATH"] = str(path)
    return subprocess.run(command, env=environment, capture_output=True, text=True, timeout=170, check=False)


def needs_a_compiler():
    if not any(shutil.which(name) for name in ("gcc", "clang", "cc")):
        pytest.skip("no C compiler: sudo apt install gcc")
    if not (Path(sysconfig.get_path("include")) / "Python.h").exists():
        pytest.skip("no headers of Python: sudo apt install python3-dev")


def test_a_part_is_compiled_into_a_copy_and_draws_the_same(tmp_path):
    needs_a_compiler()
    into = tmp_path / "copy"
    modules = ["rivalry_engine/error.py", "rivalry_engine/chance.py"]
    before = sorted(path for path in (ROOT / "engine").rglob("*.so"))

    made = ran(sys.executable, COMPILE, "--into", into, "--quick", "--only", *modules)
    plain, compiled = (ran(sys.executable, "-c", DRAWS, path=path) for path in (ROOT / "engine", into))

    assert made.returncode == 0, made.stderr
    assert sorted(path for path in (ROOT / "engine").rglob("*.so")) == before == []
    assert compiled.stdout.split()[0].startswith(str(into / "rivalry_engine" / "chance."))
    assert compiled.stdout.split()[0].endswith(sysconfig.get_config_var("EXT_SUFFIX"))
    assert compiled.stdout.split()[1:] == plain.stdout.split()[1:] != []


def test_a_copy_of_other_sources_is_told(tmp_path):
    (tmp_path / "SOURCES").write_text("0123456789abcdef")

    checked = ran(sys.executable, COMPILE, "--into", tmp_path, "--check")

    assert checked.returncode == 1
    assert "not compiled from these sources; run: make compile" in checked.stderr


def test_the_copy_if_there_is_one_plays_the_same_games():
    if ran(sys.executable, COMPILE, "--check").returncode != 0:
        return  # nothing to compare: `make compile` makes the copy and compares by itself
    games = 13

    assert told(games, COPY)[1:] == told(games, None)[1:]
