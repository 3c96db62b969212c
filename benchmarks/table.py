"""Every row, in the order of the table."""

from __future__ import annotations

from benchmarks import (
    configuration,
    hook_cold,
    intents,
    ledger,
    lsp,
    matching,
    owners,
    recheck,
    segments,
    shell_reconcile,
    together,
    workspace,
)
from benchmarks.rows import Row

ROWS: tuple[Row, ...] = (
    *matching.ROWS,
    *owners.ROWS,
    *intents.ROWS,
    *recheck.ROWS,
    *configuration.ROWS,
    *hook_cold.ROWS,
    *ledger.ROWS,
    *segments.ROWS,
    *together.ROWS,
    *lsp.ROWS,
    *shell_reconcile.ROWS,
    *workspace.ROWS,
)
