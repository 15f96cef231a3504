"""The checks of a map's JSON: each value comes back in its type, or OptionError names its path (FO4.5)."""

from __future__ import annotations

from typing import Any, Final

from rivalry_engine.error import OptionError
from rivalry_engine.foederati.values import Checks
from rivalry_engine.prompt import shown

CHECKS: Final = Checks("option map:", OptionError)
refused = CHECKS.refused
any_object = CHECKS.any_object
an_object = CHECKS.an_object
a_list = CHECKS.a_list
a_text = CHECKS.a_text
a_flag = CHECKS.a_flag
whole = CHECKS.whole


def points(value: Any, path: str) -> tuple[int, ...]:
    """Points by place, each from 0 to 1000, not rising."""
    row = tuple([whole(each, f"{path}[{place}]") for place, each in enumerate(a_list(value, path))])
    if not row or list(row) != sorted(row, reverse=True):
        raise refused(path, shown(value), "points by place, the first place's first, not rising")
    return row
