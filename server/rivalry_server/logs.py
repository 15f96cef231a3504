"""The log: events named noun_verbed with facts as keys, on stderr; console on a terminal, JSON lines otherwise.

structlog is imported when the first line is written: a match that has nothing to report does not pay for it.
"""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Final, TextIO

from rivalry_server.outcome import shortened

if TYPE_CHECKING:
    from rivalry_server.outcome import Result

LEVELS: Final = {"debug": 10, "info": 20, "warning": 30, "error": 40, "none": 99}
_CONTROLS: Final = dict.fromkeys((*range(9), *range(11, 32), *range(127, 160)))


class _Target:
    """Where lines go and which."""

    threshold = LEVELS["warning"]
    stream: TextIO | None = None
    logger: Any = None


def configure(level: str, *, stream: TextIO | None = None) -> None:
    """Writes events of ``level`` (a key of LEVELS) and above to ``stream``, else stderr."""
    _Target.threshold = LEVELS[level]
    _Target.stream = stream
    _Target.logger = None


def prepare() -> None:
    """Imports what the first line would, for a process that goes on for long."""
    _Target.logger = _made()


class Log:
    """Writes events with the facts that were bound to it."""

    __slots__ = ("_facts",)

    def __init__(self, **facts: object) -> None:
        self._facts = facts

    def bind(self, **facts: object) -> Log:
        """A log that adds ``facts`` to each event."""
        return Log(**{**self._facts, **facts})

    def debug(self, event: str, **facts: object) -> None:
        """Prompts and the like."""
        if _Target.threshold <= 10:
            _write("debug", event, {**self._facts, **facts})

    def info(self, event: str, **facts: object) -> None:
        """Life cycle."""
        if _Target.threshold <= 20:
            _write("info", event, {**self._facts, **facts})

    def warning(self, event: str, **facts: object) -> None:
        """The peer misbehaved."""
        if _Target.threshold <= 30:
            _write("warning", event, {**self._facts, **facts})

    def error(self, event: str, **facts: object) -> None:
        """We did."""
        if _Target.threshold <= 40:
            _write("error", event, {**self._facts, **facts})


log: Final = Log()


def match_ended(result: Result, **facts: object) -> None:
    """The one canonical line of a match, with everything a person would ask."""
    log.info(
        "match_ended",
        match=result.match_id,
        game=result.game.name,
        options=result.game.options_given(),
        decisions=result.decisions,
        duration_s=round(result.duration_s, 3),
        void=result.void,
        text=result.text,
        game_digest=result.game_digest,
        seats=[seat.json() for seat in result.seats],
        **facts,
    )


def _write(level: str, event: str, facts: dict[str, object]) -> None:
    if _Target.logger is None:
        _Target.logger = _made()
    # stderr may be closed, and what is to be done goes on without it.
    with contextlib.suppress(OSError):
        getattr(_Target.logger, level)(event, **{name: _told(fact) for name, fact in facts.items()})


def _told(fact: object) -> object:
    """A fact as it is written: a peer's words neither make the log long nor reach a terminal's controls."""
    return shortened(fact).translate(_CONTROLS) if isinstance(fact, str) else fact


@contextlib.contextmanager
def _hidden(name: str) -> Iterator[None]:
    """Whoever tries to import a module here that nobody has imported yet finds that it is not installed."""
    hidden = name not in sys.modules
    if hidden:
        sys.modules[name] = None  # type: ignore[assignment]
    try:
        yield
    finally:
        if hidden:
            del sys.modules[name]


def _made() -> Any:
    # For tracebacks in colour, which are not written here, structlog imports rich where there is one: 6 MB of memory.
    with _hidden("rich"):
        import structlog

    stream = _Target.stream or sys.stderr
    shown: list[Any] = [
        structlog.processors.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
    ]
    if stream.isatty():
        shown.append(structlog.dev.ConsoleRenderer(exception_formatter=structlog.dev.plain_traceback))
    else:
        shown += [structlog.processors.format_exc_info, structlog.processors.JSONRenderer(default=str)]
    return structlog.wrap_logger(structlog.PrintLogger(stream), processors=shown)
