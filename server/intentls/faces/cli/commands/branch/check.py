"""`intentls check`."""

from __future__ import annotations

from pathlib import Path

import click
from click.core import ParameterSource

from intentls.faces.cli.completion import complete_intent
from intentls.faces.cli.options import json_option, root_option, session_option

FORMATS = ("text", "json", "sarif", "github")


@click.command()
@click.argument("paths", nargs=-1, metavar="[PATH...]", type=click.Path())
@session_option("Judge as this session, with its intent and what it has read.")
@click.option("--intent", metavar="ID", shell_complete=complete_intent, help="Judge as any session with this intent.")
@click.option("--tool", default="write_to_file", show_default=True, metavar="NAME", help="The tool that would do it.")
@click.option("--base", metavar="REF", help="Judge instead what a branch changed since it parted from REF.")
@click.option("--head", metavar="REF", help="The branch's end; with --base.  [default: HEAD]")
@click.option(
    "--staged", is_flag=True, help="Judge instead what is staged, against HEAD or where it parted from --base."
)
@click.option(
    "--stage-ledger", is_flag=True, help="With --staged: first stage the ledger's new segments, as a hook does."
)
@click.option("--worktree", is_flag=True, help="The same with all that is in the working tree, staged or not.")
@click.option("--format", "form", type=click.Choice(FORMATS), help="The form of the answer.  [default: text]")
@click.option(
    "--report",
    "folder",
    metavar="DIR",
    type=click.Path(file_okay=False, path_type=Path),
    help="With --base: write a report, too: report.html, comment.md, summary.md and check.sarif.",
)
@click.option("--warn", multiple=True, metavar="CODE", help="Findings of this code are only warnings; may be repeated.")
@root_option
@json_option
@click.pass_context
def command(
    context: click.Context,
    paths: tuple[str, ...],
    session: str | None,
    intent: str | None,
    tool: str,
    base: str | None,
    head: str | None,
    staged: bool,
    stage_ledger: bool,
    worktree: bool,
    form: str | None,
    folder: Path | None,
    warn: tuple[str, ...],
    root: Path | None,
    as_json: bool,
) -> int:
    """Say whether each PATH may be changed, as the gate would decide. Nothing is changed or recorded.

    Without a session and an intent it names the open intents whose scope has the path. Exits 1 if any
    path is refused.

    With --base, --staged or --worktree it judges finished changes: whether the ledger has a record of every change,
    under an open intent whose scope has the file, and whether the ledger was rewritten or the rules loosened.
    Exits 1 if there are findings that are more than warnings.

    \b
    Example:
      intentls check src/api/weather.py --intent INT-001
      intentls check --base origin/main --format github --report report
      intentls check --staged
    """
    if base is not None or staged or worktree:
        if paths or intent is not None:
            raise click.UsageError("Give either PATHs to be judged as the gate would, or --base, --staged, --worktree.")

        from intentls.faces.cli import branch_report  # as long to import as the rest, for another question

        request = branch_report.wanted(base, head, staged=staged, worktree=worktree, root=root, warn=warn)
        return branch_report.judge(request, _form(form, as_json), folder, stages=stage_ledger)
    if not paths:
        raise click.UsageError("Say what to judge: PATHs, or a branch with --base REF, or --staged, or --worktree.")
    if form not in (None, "text", "json") or head is not None or folder is not None or warn or stage_ledger:
        raise click.UsageError(
            "--head, --report, --warn, --stage-ledger and this --format go with --base, --staged, --worktree."
        )
    as_json = as_json or form == "json"
    if intent is not None and session is not None:
        if context.get_parameter_source("session") is not ParameterSource.ENVIRONMENT:
            raise click.UsageError("Give either --session or --intent: a session has its own intent.")
        session = None

    # What a file may be changed by has nothing in common with what a branch has changed.
    from intentls.faces.cli import path_verdicts

    return path_verdicts.judge(paths, tool, session=session, intent=intent, root=root, as_json=as_json)


def _form(form: str | None, as_json: bool) -> str:
    if as_json and form not in (None, "json"):
        raise click.UsageError(f"Give either --json or --format {form}.")
    return "json" if as_json else form or "text"
