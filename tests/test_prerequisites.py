"""What is missing on a fresh machine is named with the command that installs it."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

SCRIPT = Path(__file__).resolve().parent.parent / ".ci" / "prerequisites"
pytestmark = pytest.mark.skipif(os.name == "nt", reason="the Makefile is for systems with a POSIX shell")


@pytest.fixture
def machine(tmp_path):
    """A machine that has the programs given and no others: each is a shell script."""

    def made(**programs):
        for name, script in programs.items():
            path = tmp_path / name.replace("python3_", "python3.")
            path.write_text(f"#!/bin/sh\n{script}\n", encoding="utf-8")
            path.chmod(0o755)
        for tool in ("basename", "sh"):
            (tmp_path / tool).symlink_to(shutil.which(tool))
        return tmp_path

    return made


def asked(folder, *arguments):
    environment = {"PATH": str(folder)}
    return subprocess.run(["/bin/sh", SCRIPT, *arguments], env=environment, capture_output=True, text=True, check=False)


OLD = '[ "$1" = --version ] && echo Python 3.9.2 && exit 0; exit 1'
WITHOUT_VENV = '[ "$1" = --version ] && echo Python 3.11.2 && exit 0; case "$2" in *ensurepip*) exit 1;; esac; exit 0'


def test_a_python_with_venv_is_found(machine):
    folder = machine(python3="exit 0", git="exit 0")

    done = asked(folder, "--develop")

    assert (done.returncode, done.stdout.strip()) == (0, str(folder / "python3"))


def test_a_newer_python_beside_an_old_one_is_found(machine):
    folder = machine(python3=OLD, python3_12="exit 0")

    assert asked(folder).stdout.strip() == str(folder / "python3.12")


@pytest.mark.parametrize(
    ("programs", "arguments", "named", "command"),
    [
        ({}, [], "Python 3.11 or newer", "apt install python3 python3-venv"),
        ({"python3": OLD}, [], "Python 3.9.2 was found", "apt install python3.11 python3.11-venv"),
        ({"python3": WITHOUT_VENV}, [], "the module venv of Python 3.11.2", "apt install python3-venv"),
        ({"python3": "exit 0"}, ["--develop"], "git", "apt install git"),
    ],
)
def test_what_is_missing_is_named_with_the_command_that_installs_it(machine, programs, arguments, named, command):
    done = asked(machine(**programs), *arguments)

    assert done.returncode == 1
    assert done.stdout == ""
    assert done.stderr.count("\n") == 1
    assert named in done.stderr
    assert command in done.stderr


def test_git_is_not_needed_to_play(machine):
    assert asked(machine(python3="exit 0")).returncode == 0
