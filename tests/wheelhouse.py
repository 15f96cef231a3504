"""Keeps the wheels of what the package depends on in a folder, so that a test can install it without a network.

``python tests/wheelhouse.py FOLDER``
"""

from __future__ import annotations

import subprocess
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def filled(folder: Path) -> None:
    """Puts the wheels of the base dependencies, and of theirs, into ``folder``; those already there stay."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    command = [sys.executable, "-m", "pip", "wheel", "--quiet", "--wheel-dir", str(folder), "--find-links", str(folder)]
    subprocess.run([*command, *project["dependencies"]], check=True)


if __name__ == "__main__":
    filled(Path(sys.argv[1]))
