"""CSV as RFC 4180 has it, in UTF-8 with a header: the table of `rows`."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable
from typing import IO, Any

from intentls.engine.export.rows import COLUMNS, rows


def write(records: Iterable[dict[str, Any]], out: IO[bytes]) -> int:
    """Write a header and the rows; nothing is left out. A flag is `true` or `false`; what is not known, is empty."""
    text = io.TextIOWrapper(out, encoding="utf-8", errors="backslashreplace", newline="", write_through=True)
    table = csv.writer(text)
    table.writerow(COLUMNS)
    for record in records:
        table.writerows([_cell(value) for value in row] for row in rows(record))
    text.detach()
    return 0


def _cell(value: str | int | bool | None) -> str | int:
    if isinstance(value, bool):
        return "true" if value else "false"
    return "" if value is None else value
