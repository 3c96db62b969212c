"""Every row, in the order of the table."""

from __future__ import annotations

from benchmarks import (
    blame,
    configuration,
    confined_builds,
    coordination,
    hook_cold,
    intents,
    ledger,
    long_day,
    lsp,
    matching,
    owners,
    recheck,
    segments,
    shell_reconcile,
    small_edits,
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
    *blame.ROWS,
    *segments.ROWS,
    *together.ROWS,
    *coordination.ROWS,
    *lsp.ROWS,
    *shell_reconcile.ROWS,
    *confined_builds.ROWS,
    *workspace.ROWS,
    *small_edits.ROWS,
    *long_day.ROWS,
)
