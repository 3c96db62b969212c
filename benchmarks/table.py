"""Every row, in the order of the table."""

from __future__ import annotations

from benchmarks import matching, shell_reconcile, workspace
from benchmarks.rows import Row

ROWS: tuple[Row, ...] = (
    *matching.ROWS,
    *shell_reconcile.ROWS,
    *workspace.ROWS,
)
