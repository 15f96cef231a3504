"""What commands print: JSON for programs, tables for people, plain where there is no terminal."""

from __future__ import annotations

import json
import os
import re
import sys
import textwrap
from collections.abc import Sequence
from typing import Any, Final, TextIO

WIDTH: Final = 120
OBEYED: Final = "\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069"
"""Characters that move a cursor, break a line or turn the direction of writing, and that JSON lets stand."""
IN_JSON: Final = re.compile(f"[{OBEYED}]")
UNSEEN: Final = re.compile(f"[\x00-\x08\x0b-\x1f{OBEYED}\ud800-\udfff]")
START: Final = re.compile(r" *(?:\d+  )?")
"""What stands before the words of a line: its margin, and the number of a move."""


LEAST_WIDTH = 8
"""A column of words may be folded to so many characters on a terminal; figures and ids are never cut."""


def visible(text: str) -> str:
    """``text`` with its line ends and tabs; what else moves a cursor stands there as an escape or a space.

    Titles, views and actions are a game's own, and names and notes a bot's.
    """
    if text.isprintable():
        return text
    from rivalry_server.words import cleaned

    return UNSEEN.sub(lambda found: cleaned(found[0]), text)


def _on_a_line(text: str) -> str:
    """The same of a text that stands in a row of a table."""
    return visible(text) if text.isprintable() else visible(" ".join(text.split()))


def _json(value: Any) -> str:
    """JSON on one line; what JSON need not escape and a terminal would obey is escaped as well."""
    return IN_JSON.sub(lambda found: f"\\u{ord(found[0]):04x}", json.dumps(value, ensure_ascii=False))


def emit(value: Any) -> None:
    """Prints one JSON value on stdout, on one line."""
    line = _json(value)
    try:
        line.encode(sys.stdout.encoding or "utf-8")
    except UnicodeEncodeError:  # such as the name of a file that is no text
        line = json.dumps(value)
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


def show(value: Any) -> None:
    """Prints one JSON value on stdout as a person writes it: what fits on a line stands on one."""
    sys.stdout.write(written(value) + "\n")
    sys.stdout.flush()


def written(value: Any, margin: str = "", used: int = 0) -> str:
    """JSON in lines of at most WIDTH where that can be; ``used`` columns of the first line are taken."""
    line = _json(value)
    if len(line) + len(margin) + used <= WIDTH or not isinstance(value, dict | list) or not value:
        return line
    inner = margin + "  "
    if isinstance(value, dict):
        keys = [(_json(key) + ": ", item) for key, item in value.items()]
        body = [inner + key + written(item, inner, len(key) + 1) for key, item in keys]
        return "{\n" + ",\n".join(body) + f"\n{margin}}}"
    return "[\n" + ",\n".join(inner + written(item, inner, 1) for item in value) + f"\n{margin}]"


def say(text: str) -> None:
    """Prints a line for a person on stdout; what it cannot show is written as an escape."""
    encoding = sys.stdout.encoding or "utf-8"
    sys.stdout.write(visible(text).encode(encoding, "backslashreplace").decode(encoding) + "\n")


def tell(text: str) -> None:
    """Prints a line of progress on stderr."""
    sys.stderr.write(visible(text) + "\n")
    sys.stderr.flush()


def on_terminal(stream: TextIO) -> bool:
    """True if a person reads ``stream`` in a terminal that can do more than print lines."""
    return stream.isatty() and os.environ.get("TERM") != "dumb"


def wrapped(text: str, stream: TextIO) -> str:
    """``text`` broken between words at the width of the terminal that ``stream`` is, else as it is.

    What goes on below a line stands two columns to the right of where its words begin.
    """
    if not on_terminal(stream):
        return text
    width = width_of(stream)
    return "\n".join(_hanging(line, width) for line in text.split("\n"))


def width_of(stream: TextIO) -> int:
    """How wide the terminal is: COLUMNS where it is set, as everywhere; 80 where nothing tells."""
    said = os.environ.get("COLUMNS", "")
    if said.isdecimal() and int(said) > 0:
        return int(said)
    try:
        return os.get_terminal_size(stream.fileno()).columns or 80
    except (OSError, ValueError):
        return 80


def _hanging(line: str, width: int) -> str:
    start = START.match(line)
    assert start is not None
    indent = " " * min(start.end() + 2, width // 4)
    return textwrap.fill(line, width, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False)


def table(columns: Sequence[str], rows: Sequence[Sequence[object]], *, numbers: Sequence[str] = ()) -> None:
    """Prints a table on stdout; the columns named in ``numbers`` are set to the right, None is shown as a dash."""
    cells = [["–" if cell is None else _on_a_line(str(cell)) for cell in row] for row in rows]
    if on_terminal(sys.stdout):
        _drawn(columns, cells, numbers)
    else:
        say(plain(columns, cells, numbers=numbers))


def plain(columns: Sequence[str], rows: Sequence[Sequence[str]], *, numbers: Sequence[str] = ()) -> str:
    """The table as padded text, two spaces between columns, no line end."""
    widths = [max(len(line[at]) for line in (columns, *rows)) for at in range(len(columns))]
    lines = []
    for line in (columns, *rows):
        padded = [
            cell.rjust(width) if column in numbers else cell.ljust(width)
            for cell, width, column in zip(line, widths, columns, strict=True)
        ]
        lines.append("  ".join(padded).rstrip())
    return "\n".join(lines)


def _drawn(columns: Sequence[str], rows: Sequence[Sequence[str]], numbers: Sequence[str]) -> None:
    from rich.box import SIMPLE_HEAD
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    console = Console()
    whole = [column in numbers or column == "match" for column in columns]
    widths = [max(len(line[at]) for line in (columns, *rows)) for at in range(len(columns))]
    if (
        sum(width if fixed else min(width, LEAST_WIDTH) for width, fixed in zip(widths, whole, strict=True))
        + 2 * len(columns)
        > console.width
    ):
        say(plain(columns, rows, numbers=numbers))  # rather past the edge than without its figures
        return
    drawn = Table(box=SIMPLE_HEAD, header_style="bold cyan", pad_edge=False)
    for column, fixed in zip(columns, whole, strict=True):
        drawn.add_column(column, justify="right" if column in numbers else "left", no_wrap=fixed, overflow="fold")
    for row in rows:
        drawn.add_row(*(Text(cell) for cell in row))
    console.print(drawn)
