"""`intentls check --base`, `--staged`, `--worktree`: the words of the command line for them, and what people read."""

from __future__ import annotations

import os
from collections.abc import Iterable
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING

from intentls.core.branch.findings import BranchCode, BranchFinding, FindingLevel
from intentls.core.errors import StoreError
from intentls.engine.branch_check.check import check_branch
from intentls.engine.branch_check.comparison import ComparisonRequest
from intentls.engine.wire import branch_report as wire
from intentls.faces.cli import output
from intentls.faces.cli.engine_warnings import show_warnings
from intentls.faces.cli.plain.json_output import encoded
from intentls.faces.cli.root_option import current_folder, governing_root
from intentls.late_module import LateModule
from intentls.store.confinement.inside import is_inside_run
from intentls.store.fs.path_resolution import because
from intentls.store.git.commits import work_tree
from intentls.store.git.stage_ledger import stage_ledger

if TYPE_CHECKING:
    import click

    from intentls.core.report.content import Report
    from intentls.engine.branch_check import settle
    from intentls.engine.branch_check.check import BranchReport
    from intentls.engine.ledger import sign
    from intentls.engine.report import branch_facts
    from intentls.engine.wire import branch_sarif
    from intentls.engine.wire.report import html, markdown
    from intentls.store.fs import replacement_file
else:
    click = LateModule("click")  # git's hook asks without options
    settle = LateModule("intentls.engine.branch_check.settle")
    sign = LateModule("intentls.engine.ledger.sign")
    branch_facts = LateModule("intentls.engine.report.branch_facts")
    html = LateModule("intentls.engine.wire.report.html")
    markdown = LateModule("intentls.engine.wire.report.markdown")
    replacement_file = LateModule("intentls.store.fs.replacement_file")
    branch_sarif = LateModule("intentls.engine.wire.branch_sarif")

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


def _stage(request: ComparisonRequest) -> None:
    """Settle the classes of what is staged; put the ledger's new files into the index that is judged, signed if asked.

    Raises UsageError, ConfigurationError.
    """
    if not request.staged:
        raise click.UsageError("--stage-ledger goes with --staged.")
    start = current_folder() if request.only is None else request.only
    settle.settle_staged(start, request.index)  # first, so that the commit has the record of it
    top = work_tree(start)
    stage_ledger(top, request.index)
    for sentence in sign.sign_staged(top, request.index):
        output.print_error(sentence)


def _is_judged_later(request: ComparisonRequest) -> bool:
    """Whether this is a commit inside a staged run, of which the records are made when it lands."""
    return request.staged and is_inside_run(work_tree(current_folder() if request.only is None else request.only))


def judge(request: ComparisonRequest, form: str, folder: Path | None = None, *, stages: bool = False) -> int:
    """Judge it and tell in one of the formats; the exit code. `folder` is where a report is written, too.

    `stages`: first settle what is staged, and stage the ledger with it. Raises UsageError where there is no branch to
    report on, or nothing staged is judged.
    """
    if stages:
        if _is_judged_later(request):
            return 0
        _stage(request)
    show_warnings()
    facts = None
    if folder is not None:
        if request.base is None or request.staged or request.disk:
            raise click.UsageError("--report goes with --base, and not with --staged or --worktree.")
        facts = branch_facts.BranchFacts()
    start = current_folder() if request.only is None else request.only
    report = check_branch(start, request, None if facts is None else facts.look)
    for note in report.notes:
        output.print_error(note)
    if form == "json":
        output.print_json(wire.as_json(report))
    elif form == "sarif":
        output.print_json(branch_sarif.as_sarif(report))
    elif form == "github":
        for line in wire.as_annotations(report):
            click.echo(line.encode("utf-8", "backslashreplace"))
        output.print_error(_sum(report))
    elif not report.roots:
        output.print_error("Nothing governs this repository, so there is nothing to judge it by.")
    else:
        _tell(report)
    if folder is not None and facts is not None:
        _write_report(folder, report, facts.report(report, "branch", str(request.base)))
    return 1 if report.errors else 0


def _write_report(folder: Path, checked: BranchReport, report: Report) -> None:
    """What a forge takes: the page, a comment, a job's summary, and the findings. Raises StoreError."""
    texts = {
        "report.html": html.as_html(report),
        "comment.md": markdown.as_markdown(report),
        "summary.md": markdown.as_summary(report),
    }
    contents = {name: text.encode("utf-8", "backslashreplace") for name, text in texts.items()}
    contents["check.sarif"] = encoded(branch_sarif.as_sarif(checked)) + b"\n"
    try:
        folder.mkdir(exist_ok=True)
        for name, data in contents.items():
            with replacement_file.replacing(folder / name) as out:
                out.write(data)
    except OSError as error:
        raise StoreError(f"The report can't be written into {folder}: {because(error)}.") from error


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
