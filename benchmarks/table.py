"""Every row, in the order of the table."""

from __future__ import annotations

from benchmarks import intents, matching, owners, shell_reconcile, workspace
from benchmarks.rows import Row

ROWS: tuple[Row, ...] = (
    *matching.ROWS,
    *owners.ROWS,
    *intents.ROWS,
    *shell_reconcile.ROWS,
    *workspace.ROWS,
)
