"""The Makefile: its list, and that STRICT fails where a tool is missing."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
TARGETS = ["venv", "play", "test", "lint", "check", "proof", "bench", "serve", "proto", "golden", "clean"]


def made(*arguments, path=os.environ["PATH"], folder=ROOT):
    if shutil.which("make") is None:
        pytest.skip("make not found: sudo apt install make")
    kept = {key: value for key, value in os.environ.items() if not key.startswith(("MAKE", "MFLAGS", "STRICT"))}
    return subprocess.run(
        ["make", *arguments], cwd=folder, env={**kept, "PATH": path}, capture_output=True, text=True, check=False
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


@pytest.fixture
def node(tmp_path):
    """A clone with the TypeScript bot's folder, and a path on which npm and tsc only write down that they ran."""
    (tmp_path / "Makefile").write_text((ROOT / "Makefile").read_text(encoding="utf-8"), encoding="utf-8")
    for folder in ("proto/rivalry", "clients/typescript/src", "clients/typescript/dist", "programs"):
        (tmp_path / folder).mkdir(parents=True)
    for file in ("package-lock.json", "tsconfig.json", "src/bot.ts"):
        path = tmp_path / "clients" / "typescript" / file
        path.touch()
        os.utime(path, (1_000_000_000, 1_000_000_000))
    npm = tmp_path / "programs" / "npm"
    npm.write_text(
        """#!/bin/sh
echo npm >> ../../ran
rm -rf node_modules
mkdir -p node_modules/.bin
printf '#!/bin/sh\\necho tsc >> ../../ran\\n' > node_modules/.bin/tsc
chmod +x node_modules/.bin/tsc
touch node_modules/.package-lock.json
""",
        encoding="utf-8",
    )
    npm.chmod(0o755)
    path = f"{npm.parent}{os.pathsep}{os.environ['PATH']}"

    def ran(by_hand=False):
        (tmp_path / "ran").write_text("", encoding="utf-8")
        if by_hand:
            subprocess.run([npm, "ci"], cwd=tmp_path / "clients" / "typescript", check=True)
        else:
            done = made("node", path=path, folder=tmp_path)
            assert done.returncode == 0, done.stderr
        return (tmp_path / "ran").read_text(encoding="utf-8").split()

    return ran


def test_the_node_bot_is_installed_and_built_once(node):
    assert node() == ["npm", "tsc"]
    assert node() == []


def test_an_npm_ci_by_hand_costs_nothing_later(node):
    node()
    node(by_hand=True)

    assert node() == []


def test_an_npm_ci_by_hand_before_the_first_make_is_taken(node):
    node(by_hand=True)

    assert node() == ["tsc"]
