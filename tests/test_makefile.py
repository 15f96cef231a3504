"""The Makefile: its list, and that STRICT fails where a tool is missing."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
TARGETS = ["venv", "play", "test", "lint", "check", "proof", "bench", "serve", "proto", "golden", "clean"]


def made(*arguments, path=os.environ["PATH"]):
    if shutil.which("make") is None:
        pytest.skip("make not found: sudo apt install make")
    kept = {key: value for key, value in os.environ.items() if not key.startswith(("MAKE", "MFLAGS", "STRICT"))}
    return subprocess.run(
        ["make", *arguments], cwd=ROOT, env={**kept, "PATH": path}, capture_output=True, text=True, check=False
    )


def test_make_alone_lists_the_targets():
    done = made()

    listed = [line.split()[0] for line in done.stdout.splitlines()[1:]]
    assert done.returncode == 0
    assert set(TARGETS) <= set(listed)


@pytest.mark.parametrize(("strict", "status"), [("", 0), ("1", 2)])
def test_without_npm_the_node_bot_is_skipped_and_strict_fails(tmp_path, strict, status):
    for tool in ("sh", "find", "make"):
        found = shutil.which(tool)
        if found is not None:
            (tmp_path / tool).symlink_to(found)

    done = made("node", f"STRICT={strict}", path=str(tmp_path))

    assert done.returncode == status
    assert "sudo apt install nodejs npm" in done.stderr
