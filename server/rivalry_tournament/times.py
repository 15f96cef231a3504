"""How long bots may think in a tournament, and what their first prompts have.

Programs play match after match, so they load what they need once.  Where an organiser does not say what a first prompt
has (``first=T``), a bot has a minute until the first match of its program is over, and WARM or the usual time of a
prompt in all matches after it, so that one that hangs does not take a minute a match.  All of it is settled before the
first match, and the same for everybody and in every match's record.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from rivalry_engine.error import RivalryError
from rivalry_server import time_text
from rivalry_server.clock import TimeControl
from rivalry_tournament.given import Given, SettingsError, Value

USUAL: Final = "30s"
WARM_US: Final = 10_000_000
"""What the first prompt of a match has at least where nothing else is said, in microseconds."""


def read(given: Given) -> tuple[str, str]:
    """The time control, and what a first prompt has while a bot may have to load, empty where that is no more.

    Raises SettingsError.
    """
    text = given.text("time", USUAL)
    try:
        control = TimeControl.parsed(text)
        settled = time_text.fields(text)
    except RivalryError as error:
        raise SettingsError(f"{given.at('time').place}: {error}") from error
    load_us = None
    if control.prompt_us and "first_prompt_us" not in settled:
        load_us = control.first_prompt_us
        control = replace(control, first_prompt_us=max(WARM_US, control.prompt_us))
        text = control.text()
    if "load" in given:
        load_us = _given(given, control)
    more = load_us is not None and load_us > (control.first_prompt_us or 0)
    return text, time_text.time_text(load_us) if more and load_us is not None else ""


def written(time: str, load: str) -> tuple[str, str]:
    """The time and load from which ``read`` makes these, without what goes without saying: as an organiser writes them.

    ``5s,first=10s`` with a load of ``1m`` is what ``5s`` alone is read as.
    """
    short = ",".join(word for word in time.split(",") if not word.startswith("first="))
    for more in ("", load):
        values = {"time": Value("time", short), **({"load": Value("load", more)} if more else {})}
        if read(Given(values, "")) == (time, load):
            return short, more
    return time, load


def loading(control: TimeControl, load: str) -> TimeControl | None:
    """The time control of a seat whose bot may have to load; None where it is that of the match."""
    return replace(control, first_prompt_us=time_text.time_us(load)) if load else None


def _given(given: Given, control: TimeControl) -> int:
    value = given.at("load")
    if control.prompt_us is None:
        raise SettingsError(f"{value.place}: there is no limit for a prompt; leave it out")
    text = given.text("load", None)
    try:
        return time_text.time_us(text)
    except RivalryError as error:
        raise SettingsError(f"{value.place}: {error}") from error
