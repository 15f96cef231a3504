"""What commands print: JSON for programs, tables for people, plain where there is no terminal."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Sequence
from typing import Any, Final, TextIO

WIDTH: Final = 120


def emit(value: Any) -> None:
    """Prints one JSON value on stdout, on one line."""
    line = json.dumps(value, ensure_ascii=False)
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
    line = json.dumps(value, ensure_ascii=False)
    if len(line) + len(margin) + used <= WIDTH or not isinstance(value, dict | list) or not value:
        return line
    inner = margin + "  "
    if isinstance(value, dict):
        keys = [(json.dumps(key, ensure_ascii=False) + ": ", item) for key, item in value.items()]
        body = [inner + key + written(item, inner, len(key) + 1) for key, item in keys]
        return "{\n" + ",\n".join(body) + f"\n{margin}}}"
    return "[\n" + ",\n".join(inner + written(item, inner, 1) for item in value) + f"\n{margin}]"


def say(text: str) -> None:
    """Prints a line for a person on stdout; what it cannot show is written as an escape."""
    encoding = sys.stdout.encoding or "utf-8"
    sys.stdout.write(text.encode(encoding, "backslashreplace").decode(encoding) + "\n")


def tell(text: str) -> None:
    """Prints a line of progress on stderr."""
    sys.stderr.write(text + "\n")
    sys.stderr.flush()


def on_terminal(stream: TextIO) -> bool:
    """True if a person reads ``stream`` in a terminal that can do more than print lines."""
    return stream.isatty() and os.environ.get("TERM") != "dumb"


def table(columns: Sequence[str], rows: Sequence[Sequence[object]], *, numbers: Sequence[str] = ()) -> None:
    """Prints a table on stdout; the columns named in ``numbers`` are set to the right, None is shown as a dash."""
    cells = [["–" if cell is None else str(cell) for cell in row] for row in rows]
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

    drawn = Table(box=SIMPLE_HEAD, header_style="bold cyan", pad_edge=False)
    for column in columns:
        drawn.add_column(column, justify="right" if column in numbers else "left")
    for row in rows:
        drawn.add_row(*(Text(cell) for cell in row))
    Console().print(drawn)
