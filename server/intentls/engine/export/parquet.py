"""Parquet: the table of `rows`, typed and compressed. The library is an extra."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import IO, Any

from intentls.core.errors import ConfigurationError
from intentls.engine.export.rows import COLUMNS, Row, rows
from intentls.store.clock import parse_timestamp

_GROUP = 50_000  # rows that are held and written at once
_TIME = "timestamp"


def write(records: Iterable[dict[str, Any]], out: IO[bytes]) -> int:
    """Write the rows; nothing is left out. A time that can't be read is null. Raises ConfigurationError."""
    try:
        import pyarrow.parquet  # an optional library
    except ImportError as error:
        raise ConfigurationError("writing Parquet needs pyarrow: pip install 'intentls[parquet]'") from error
    kinds = {str: pyarrow.string(), int: pyarrow.int64(), bool: pyarrow.bool_()}
    moment = pyarrow.timestamp("ms", "UTC")
    schema = pyarrow.schema([(name, moment if name == _TIME else kinds[kind]) for name, (kind, *_) in COLUMNS.items()])
    table = (row for record in records for row in rows(record))
    with pyarrow.parquet.ParquetWriter(out, schema, compression="zstd") as writer:
        while group := list(islice(table, _GROUP)):
            writer.write_table(_table(pyarrow, schema, group))
    return 0


def _table(arrow: Any, schema: Any, group: Sequence[Row]) -> Any:
    columns = dict(zip(COLUMNS, map(list, zip(*group, strict=True)), strict=True))
    columns[_TIME] = list(_moments(columns[_TIME]))
    for name, (kind, *_) in COLUMNS.items():
        if kind is str and name != _TIME:
            columns[name] = [None if value is None else _text(value) for value in columns[name]]
    return arrow.table(columns, schema=schema)


def _moments(texts: Iterable[Any]) -> Iterator[Any]:
    for text in texts:
        try:
            yield parse_timestamp(str(text))
        except ValueError:
            yield None


def _text(value: Any) -> str:
    """A half surrogate, which UTF-8 can't hold, as its escape."""
    return str(value).encode("utf-8", "backslashreplace").decode("utf-8")
