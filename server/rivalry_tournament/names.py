"""Names of entrants and tournaments: others' input, of which errors show no more than a line bears."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from rivalry_engine.chance import seed_text
from rivalry_report import names

ENTRANT_MOST: Final = 64
TOURNAMENT_MOST: Final = 80
SHOWN_MOST: Final = 80
LISTED: Final = 12
"""So many characters a name may have, and so many columns and names are shown of what may be anything."""


def will_do(name: str, most: int) -> bool:
    """True of 1 to ``most`` printable characters without blanks around them; controls and directions are not."""
    return 1 <= len(name) <= most and name == name.strip() and name.isprintable()


SPEC_HAS: Final = "printable characters, tabs and line ends"


def spec_will_do(spec: str) -> bool:
    """True of a SPEC without control characters, which no command line can hold and no terminal should see."""
    return all(character.isprintable() or character in "\t\n" for character in spec)


def expected(most: int) -> str:
    """What a name is, in words."""
    return f"1 to {most} printable characters, and no blanks around them"


def shown(text: str) -> str:
    """The text for an error: what cannot be seen is escaped, and what is long is cut."""
    return names.clipped(names.shown(text[: 4 * SHOWN_MOST]), SHOWN_MOST)


def seed(seed: bytes) -> str:
    """A seed as somebody would write it: its text where it is one that is short and seen whole, else 0x and hex."""
    try:
        text = seed.decode()
    except UnicodeDecodeError:
        return seed_text(seed)
    return text if will_do(text, ENTRANT_MOST) and not text.startswith("0x") else seed_text(seed)


def listed(texts: Sequence[str]) -> str:
    """Some of the texts, as a list."""
    return ", ".join(map(shown, texts[:LISTED])) + (" …" if len(texts) > LISTED else "")
