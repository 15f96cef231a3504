"""What to type where a package of an extra is missing.  rivalry is installed from its clone: no registry has it."""

from __future__ import annotations


def install(extra: str) -> str:
    """How to install ``extra`` of ``pyproject.toml``, in words."""
    return f"in the clone of rivalry: .venv/bin/pip install -e '.[{extra}]' (make venv installs all extras)"
