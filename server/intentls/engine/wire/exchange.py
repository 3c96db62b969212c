"""The answers of `trace export` and `trace import`, as JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from intentls.engine.wire.results import ok

if TYPE_CHECKING:  # as in `results`
    from intentls.engine.export.export import ExportResult
    from intentls.engine.ledger.import_records import ImportResult


def exported(done: ExportResult, form: str, output: str) -> dict[str, Any]:
    """`trace export`: what was written where; `left_out` are records that the format has no place for."""
    return ok(format=form, output=output, records=done.records, left_out=done.left_out)


def imported(outcome: ImportResult, *, dry_run: bool) -> dict[str, Any]:
    """`trace import`: how many records were (or would be) taken in, and which lines were not."""
    return ok(
        dry_run=dry_run,
        imported=outcome.records,
        duplicates=outcome.duplicates,
        bad=outcome.bad,
        problems=[{"line": problem.line, "message": problem.message} for problem in outcome.problems],
    )
