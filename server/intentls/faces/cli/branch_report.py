"""`intentls check --base`, `--staged`, `--worktree`: the words of the command line for them, and what people read."""

from __future__ import annotations

import os
from collections.abc import Iterable
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING

import click

from intentls.core.branch.findings import BranchCode, BranchFinding, FindingLevel
from intentls.engine.branch_check.check import check_branch
from intentls.engine.branch_check.comparison import ComparisonRequest
from intentls.engine.wire import branch_report as wire
from intentls.faces.cli import output
from intentls.faces.cli.engine_warnings import show_warnings
from intentls.faces.cli.root_option import current_folder, governing_root
from intentls.store.git.commits import work_tree
from intentls.store.git.stage_ledger import stage_ledger

if TYPE_CHECKING:
    from intentls.engine.branch_check.check import BranchReport

_MOST_LINES = 8  # stretches of lines that are named; a file that is wrong throughout is not read line by line


def wanted(
    base: str | None, head: str | None, *, staged: bool, worktree: bool, root: Path | None, warn: Iterable[str]
) -> ComparisonRequest:
    """What the options ask for. Raises UsageError, and ConfigurationError if `root` is none."""
    if staged and worktree:
        raise click.UsageError("Give either --staged or --worktree.")
    if head is not None and (staged or worktree):
        raise click.UsageError("--head names a commit: leave it out with --staged and --worktree.")
    try:
        lenient = frozenset(BranchCode(code.upper().replace("-", "_")) for code in warn)
    except ValueError as error:
        raise click.UsageError(f"--warn: {error}; known are {', '.join(BranchCode)}.") from error
    index = os.environ.get("GIT_INDEX_FILE") if staged else None
    return ComparisonRequest(
        base,
        head or "HEAD",
        staged,
        worktree,
        None if root is None else governing_root(root),
        None if index is None else Path(current_folder(), index),
        lenient,
    )


def stage(request: ComparisonRequest) -> None:
    """Put the ledger's new files into the index that is judged. Raises UsageError, ConfigurationError."""
    if not request.staged:
        raise click.UsageError("--stage-ledger goes with --staged.")
    stage_ledger(work_tree(current_folder() if request.only is None else request.only), request.index)


def judge(request: ComparisonRequest, form: str) -> int:
    """Judge it and tell in one of the formats; the exit code."""
    show_warnings()
    report = check_branch(current_folder() if request.only is None else request.only, request)
    for note in report.notes:
        output.print_error(note)
    if form == "json":
        output.print_json(wire.as_json(report))
    elif form == "sarif":
        output.print_json(wire.as_sarif(report))
    elif form == "github":
        for line in wire.as_annotations(report):
            click.echo(line.encode("utf-8", "backslashreplace"))
        output.print_error(_sum(report))
    elif not report.roots:
        output.print_error("Nothing governs this repository, so there is nothing to judge it by.")
    else:
        _tell(report)
    return 1 if report.errors else 0


def _tell(report: BranchReport) -> None:
    for path, findings in groupby(report.findings, key=lambda finding: finding.path):
        output.print_line((path, output.STRONG))
        for finding in findings:
            style = output.BAD if finding.level is FindingLevel.ERROR else output.WARN
            output.print_line("  ", (finding.level, style), "  ", (finding.code, output.STRONG), _lines(finding))
            output.print_line(f"    {finding.message}")
            if finding.record_ids:
                output.print_line((f"    {_records(finding)}", output.DIM))
    for path, sentence in _attested(report):
        output.print_line((path, output.STRONG), "  ", ("attested", output.GOOD))
        output.print_line(f"    {sentence}")
    output.print_line((_sum(report), output.BAD if report.errors else output.GOOD))


def _attested(report: BranchReport) -> tuple[tuple[str, str], ...]:
    """Each path with what people vouched for; of a merge one change leads from both of its sides."""
    return tuple(dict.fromkeys((change.path, wire.attested_sentence(change)) for change in report.attestations))


def _lines(finding: BranchFinding) -> str:
    shown_ids = [f"{start}" if start == end else f"{start}-{end}" for start, end in finding.lines[:_MOST_LINES]]
    if len(finding.lines) > _MOST_LINES:
        shown_ids.append("...")
    if not shown_ids:
        return ""
    return f"  line {shown_ids[0]}" if shown_ids == [str(finding.lines[0][1])] else f"  lines {', '.join(shown_ids)}"


def _records(finding: BranchFinding) -> str:
    shown_ids = [record_id[:8] for record_id in finding.record_ids[:5]]
    more = "" if len(finding.record_ids) <= 5 else ", ..."
    return f"{'record' if len(shown_ids) == 1 else 'records'} {', '.join(shown_ids)}{more}"


def _sum(report: BranchReport) -> str:
    since = "the first commit" if report.base is None else report.base[:12]
    judged = f"{output.count(report.files, 'changed file')} since {since}"
    if report.attestations:
        judged += f", {output.count(len(_attested(report)), 'attested change')}"
    if not report.findings:
        return f"Clean: {judged}."
    totals = [output.count(report.errors, "error")] if report.errors else []
    totals += [output.count(report.warnings, "warning")] if report.warnings else []
    return f"{' and '.join(totals)} in {judged}."
