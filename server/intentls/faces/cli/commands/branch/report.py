"""`intentls report`."""

from __future__ import annotations

import sys
from contextlib import nullcontext
from datetime import datetime
from pathlib import Path

import click

from intentls.core.errors import InvalidArgument
from intentls.core.report.content import Report
from intentls.engine.branch_check.comparison import ComparisonRequest
from intentls.engine.report.branch_facts import report_branch
from intentls.engine.report.intent_facts import report_intent
from intentls.engine.wire.report.document import as_document
from intentls.engine.wire.report.html import as_html
from intentls.engine.wire.report.markdown import as_markdown, as_summary
from intentls.faces.cli import output
from intentls.faces.cli.completion import complete_intent
from intentls.faces.cli.engine_warnings import show_warnings
from intentls.faces.cli.open_workspace import open_root
from intentls.faces.cli.options import json_option, root_option
from intentls.faces.cli.plain.json_output import encoded
from intentls.faces.cli.progress import Progress
from intentls.faces.cli.root_option import current_folder, governing_root
from intentls.faces.cli.time_option import TIME_FORMS, moment
from intentls.store.fs.replacement_file import replacing
from intentls.store.git.commits import last_commit_before, work_tree

_FORMS = {"html": as_html, "markdown": as_markdown, "summary": as_summary}


@click.command()
@click.option("--base", metavar="REF", help="What a branch did since it parted from REF.")
@click.option("--since", metavar="TIME|REF", help=f"What was done since a time or a commit: {TIME_FORMS}, or v1.2.")
@click.option("--intent", metavar="ID", shell_complete=complete_intent, help="The whole life of an intent.")
@click.option("--head", metavar="REF", help="The branch's end; with --base or --since.  [default: HEAD]")
@click.option(
    "--format",
    "form",
    type=click.Choice([*_FORMS]),
    help="One page, a pull request's comment, or a job's summary.  [default: html; on a terminal markdown]",
)
@click.option(
    "-o",
    "--output",
    "target",
    metavar="FILE",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Where to; it is replaced only by a whole report.  [default: stdout]",
)
@root_option
@json_option
def command(
    base: str | None,
    since: str | None,
    intent: str | None,
    head: str | None,
    form: str | None,
    target: Path | None,
    root: Path | None,
    as_json: bool,
) -> int:
    """Say for a reviewer what was done, by whom, and what was refused or let pass.

    Of a branch: the verdict of `check`, how many of the changed lines are explained and by which intent, attempts out
    of scope, exceptions and attestations with their reasons, loosened rules, and whose the lines of each file are. It
    comes from the ledger and git alone: the same commits make the same report, byte for byte.

    Exits 0 also where the verdict has errors: `check` is what fails a job.

    \b
    Example:
      intentls report --base origin/main -o report.html
      intentls report --intent INT-001 --format markdown
      intentls report --since 14d -o sprint.html
    """
    if sum(choice is not None for choice in (base, since, intent)) != 1:
        raise click.UsageError("Say what to report: a branch with --base REF, --since TIME, or --intent ID.")
    if as_json and form is not None:
        raise click.UsageError(f"Give either --json or --format {form}.")
    if intent is not None:
        if head is not None:
            raise click.UsageError("--head goes with --base and --since.")
        report = _of_intent(intent, root)
    else:
        report = _of_branch(base, since, head or "HEAD", root)
    if as_json:
        _write(encoded(as_document(report)) + b"\n", target)
        return 0
    if form is None:
        form = "markdown" if target is None and sys.stdout.isatty() else "html"
    _write(_FORMS[form](report).encode("utf-8", "backslashreplace"), target)
    return 0


def _of_intent(intent_id: str, root: Path | None) -> Report:
    workspace = open_root(root).workspace
    with Progress("Reading the ledger") as progress:
        return report_intent(workspace, intent_id, progress)


def _of_branch(base: str | None, since: str | None, head: str, root: Path | None) -> Report:
    show_warnings()
    only = None if root is None else governing_root(root)
    start = current_folder() if only is None else only
    if since is None:
        return report_branch(start, ComparisonRequest(base, head, only=only), "branch", str(base))
    instant = _instant(since)
    commit = since if instant is None else last_commit_before(work_tree(start), head, instant)
    return report_branch(start, ComparisonRequest(commit, head, only=only), "since", since)


def _instant(text: str) -> datetime | None:
    """The time that a text names; None for what is none, and may be a commit."""
    try:
        return moment("--since", text)
    except InvalidArgument:
        return None


def _write(data: bytes, target: Path | None) -> None:
    with nullcontext(sys.stdout.buffer) if target is None else replacing(target) as out:
        out.write(data)
        out.flush()
    if target is not None:
        output.print_error(f"The report is in {target}.")
