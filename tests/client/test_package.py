"""What the client may not know."""

from __future__ import annotations

from pathlib import Path

import rivalry_client
from rivalry_engine import catalog


def test_the_client_names_no_game() -> None:
    for source in Path(rivalry_client.__file__).parent.glob("*.py"):
        text = source.read_text(encoding="utf-8").lower()
        assert not [game for game in catalog.names() if game in text], source.name
