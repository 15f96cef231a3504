"""Settings as the file from which `rivalry tournament run` makes the same again."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from rivalry_tournament import names, times
from rivalry_tournament.reading import KEYS, ONLY
from rivalry_tournament.settings import Kind, Settings

TABLES = ("entrants", "options", "policies")


def settings_text(settings: Settings) -> str:
    """TOML that reads as the same settings; keys that mean nothing to their kind are left out."""
    values: dict[str, Any] = settings.json()
    values["seed"] = names.seed(settings.seed)
    values["time"], values["load"] = times.written(settings.time, settings.load)
    values["entrants"] = {entrant.name: entrant.spec for entrant in settings.entrants}
    lines = [f"{key} = {_value(values[key])}" for key in KEYS if key not in TABLES and _written(key, settings, values)]
    for key in TABLES:
        lines += ["", f"[{key}]"]
        lines += [f"{_value(name)} = {_value(item)}" for name, item in values[key].items() if item is not None]
    return "\n".join(lines) + "\n"


def _written(key: str, settings: Settings, values: Mapping[str, Any]) -> bool:
    if key == "name":
        return bool(settings.name)
    if key == "load":
        return bool(values["load"])
    if key == "seats":
        return "seats" not in settings.options
    if key == "splits":
        return settings.bots != settings.seats and settings.kind is not Kind.EVALUATION
    return settings.kind in ONLY.get(key, tuple(Kind))


def _value(value: Any) -> str:
    """A value of JSON as one of TOML; nulls within tables are left out, as an option that is left to chance is."""
    if isinstance(value, Mapping):
        held = ", ".join(f"{_value(key)} = {_value(item)}" for key, item in value.items() if item is not None)
        return f"{{ {held} }}"
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(_value, value))}]"
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
