"""Tables as files: rows are written in batches, so a table of any length takes the memory of one batch."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from rivalry_report.export.schema import VERSION, Column, Kind
from rivalry_server import files

if TYPE_CHECKING:
    from rivalry_report.export.rows import Row

BATCH: Final = 20_000
"""Rows that are held at once; a row group of Parquet."""


def write(path: Path, name: str, columns: Sequence[Column], rows: Iterable[Row]) -> int:
    """Writes the table ``name``, whole or not at all, as what the path's ending says; returns the number of rows."""
    part = path.with_name(path.name + ".part")
    try:
        with files.writing(path):
            count = WRITERS[path.suffix](part, name, columns, rows)
            part.replace(path)
    except BaseException:
        with suppress(OSError):
            part.unlink(missing_ok=True)
        raise
    return count


def batches(rows: Iterable[Row]) -> Iterator[list[Row]]:
    """The rows, so many at a time."""
    source = iter(rows)
    while batch := list(islice(source, BATCH)):
        yield batch


def parquet(path: Path, name: str, columns: Sequence[Column], rows: Iterable[Row]) -> int:
    """Writes Parquet; each field says in its metadata what it is, the file which table and version of it."""
    import pyarrow
    from pyarrow.parquet import ParquetWriter

    kinds = {
        Kind.TEXT: pyarrow.string(),
        Kind.INTEGER: pyarrow.int64(),
        Kind.FLAG: pyarrow.bool_(),
        Kind.TEXTS: pyarrow.list_(pyarrow.string()),
        Kind.INTEGERS: pyarrow.list_(pyarrow.int64()),
    }
    schema = pyarrow.schema(
        [
            pyarrow.field(column.name, kinds[column.kind], column.null, {"description": column.meaning})
            for column in columns
        ],
        {"rivalry.table": name, "rivalry.version": str(VERSION)},
    )
    count = 0
    with ParquetWriter(path, schema, compression="zstd") as writer:
        for batch in batches(rows):
            values = zip(*batch, strict=True)
            arrays = [pyarrow.array(each, field.type) for each, field in zip(values, schema, strict=True)]
            writer.write_batch(pyarrow.record_batch(arrays, schema=schema))
            count += len(batch)
    return count


def json_lines(path: Path, name: str, columns: Sequence[Column], rows: Iterable[Row]) -> int:
    """Writes JSON lines in UTF-8: an object a row, its keys in the order of the columns."""
    keys = [column.name for column in columns]
    count = 0
    with path.open("w", encoding="utf-8", newline="\n") as target:
        for batch in batches(rows):
            target.writelines(_line(dict(zip(keys, row, strict=True))) for row in batch)
            count += len(batch)
    return count


WRITERS: Final[Mapping[str, Callable[[Path, str, Sequence[Column], Iterable[Row]], int]]] = {
    ".parquet": parquet,
    ".jsonl": json_lines,
}
"""What writes a file, by its ending."""


def _line(value: dict[str, Any]) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")) + "\n"
