"""Every row, in the order of the table."""

from __future__ import annotations

from benchmarks.rows import Row

ROWS: tuple[Row, ...] = ()
