"""A package of somebody else's that cannot be imported."""

from __future__ import annotations

import sys
from importlib.metadata import EntryPoint

SOURCES = {
    "def choose(:\n": "line 1: SyntaxError: ",
    "x = 1\nraise ValueError('of\\n its own')\n": "line 2: ValueError: of its own",
    "def f():\n    return 1 / 0\nf()\n": "line 2: ZeroDivisionError: division by zero",
    "import sys\nsys.exit(3)\n": "line 2: SystemExit: 3",
    "": "has no 'Thing'",
}


def entry(kind, source, folder, monkeypatch):
    """An entry point ``broken`` of the group of ``kind`` beside those that are installed."""
    (folder / "broken_thing.py").write_text(source, encoding="utf-8")
    monkeypatch.chdir(folder)
    monkeypatch.syspath_prepend(str(folder))
    monkeypatch.delitem(sys.modules, "broken_thing", raising=False)
    made = EntryPoint("broken", "broken_thing:Thing", kind.GROUP)
    installed = kind._entries()
    monkeypatch.setattr(kind, "_entries", lambda: {"broken": made, **installed})
