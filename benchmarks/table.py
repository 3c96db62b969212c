"""Every row, in the order of the table."""

from __future__ import annotations

from benchmarks import intents, ledger, lsp, matching, owners, recheck, shell_reconcile, together, workspace
from benchmarks.rows import Row

ROWS: tuple[Row, ...] = (
    *matching.ROWS,
    *owners.ROWS,
    *intents.ROWS,
    *recheck.ROWS,
    *ledger.ROWS,
    *together.ROWS,
    *lsp.ROWS,
    *shell_reconcile.ROWS,
    *workspace.ROWS,
)
