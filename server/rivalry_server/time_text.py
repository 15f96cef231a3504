"""Times and time controls as people write them: ``500ms``, ``2s``, ``2s,bank=60s``, ``60s+1s``, ``untimed``."""

from __future__ import annotations

import re
from typing import Final

from rivalry_engine.error import RivalryError

LEAST_US: Final = 1_000
MOST_US: Final = 24 * 3_600_000_000
USUAL_FIRST_US: Final = 60_000_000
USUAL_MARGIN_US: Final = 50_000
USUAL_WATCHDOG_US: Final = 3_600_000_000
_UNITS: Final = {"m": 60_000_000, "s": 1_000_000, "ms": 1_000}
_TIME: Final = re.compile(r"([0-9]{1,9})(ms|s|m)")
EXPECTED: Final = "expected a time from 1ms to 24h as a whole number with ms, s or m, such as 500ms, 2s or 1m"
FORMS: Final = (
    f"{EXPECTED}, or 60s+1s, total=120s or untimed;"
    " after it may stand soft=1s,strikes=3 and bank=60s, first=60s, margin=50ms, watchdog=10m"
)
"""What a time control may look like, for whoever wrote another."""
KEYS: Final = {
    "soft": "soft_us",
    "strikes": "strikes",
    "bank": "bank_us",
    "increment": "increment_us",
    "first": "first_prompt_us",
    "margin": "margin_us",
    "watchdog": "watchdog_us",
}
"""What may follow the first word of a time control, in the order in which it is written, and the field it sets."""


def time_text(time_us: int) -> str:
    """A time of whole milliseconds in the largest unit that holds it whole."""
    unit = next((unit for unit in _UNITS if time_us % _UNITS[unit] == 0), None)
    if unit is None:
        raise RivalryError(f"{time_us} µs: expected whole milliseconds")
    return f"{time_us // _UNITS[unit]}{unit}" if time_us else "0ms"


def time_us(text: str, *, least_us: int = LEAST_US) -> int:
    """The microseconds of ``500ms``, ``2s`` or ``1m``; raises RivalryError unless it is ``least_us`` to 24h."""
    found = _TIME.fullmatch(text)
    if found is None:
        raise RivalryError(f"{text!r} is no time: {EXPECTED}")
    given_us = int(found[1]) * _UNITS[found[2]]
    if not least_us <= given_us <= MOST_US:
        raise RivalryError(f"{text!r} is out of bounds: {EXPECTED}")
    return given_us


def fields(text: str) -> dict[str, int | None]:
    """The fields that the text of a time control sets; raises RivalryError with what it cannot read."""
    first, *rest = text.split(",")
    try:
        read = _first_word(first)
    except RivalryError as error:
        raise RivalryError(f"{first!r}: {error}" if rest else str(error)) from error
    for word in rest:
        key, is_, value = word.partition("=")
        if not is_ or key not in KEYS:
            raise RivalryError(f"{word!r} after a time: {FORMS}")
        if KEYS[key] in read:
            raise RivalryError(f"{key} is given twice")
        read[KEYS[key]] = _count(key, value) if key == "strikes" else time_us(value, least_us=_least(key))
    return read


def _first_word(word: str) -> dict[str, int | None]:
    if word == "untimed":
        return {"prompt_us": None}
    if word.startswith("total="):
        return {"prompt_us": 0, "bank_us": time_us(word.removeprefix("total="))}
    base, plus, increment = word.partition("+")
    if plus:
        return {"prompt_us": 0, "bank_us": time_us(base), "increment_us": time_us(increment)}
    if _TIME.fullmatch(word) is None:
        raise RivalryError(FORMS)
    return {"prompt_us": time_us(word)}


def _least(key: str) -> int:
    """Nothing is a margin, and a bank may begin empty; all else is a time."""
    return 0 if key in ("margin", "bank") else LEAST_US


def _count(key: str, value: str) -> int:
    if not re.fullmatch(r"[0-9]{1,5}", value):
        raise RivalryError(f"{key}={value}: expected a whole number such as {key}=3")
    return int(value)
