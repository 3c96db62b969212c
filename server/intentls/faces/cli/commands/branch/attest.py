"""`intentls attest`."""

from __future__ import annotations

from pathlib import Path

import click

from intentls.core.gate.refusal import Refusal
from intentls.engine.branch_check.attest import AttestedStep, AttestRequest, AttestResult, attest
from intentls.engine.wire import branch_report as wire
from intentls.engine.wire.refusals import refused
from intentls.faces.cli import output
from intentls.faces.cli.engine_warnings import show_warnings
from intentls.faces.cli.options import json_option, root_option, session_option
from intentls.faces.cli.root_option import current_folder, governing_root
from intentls.store.fs.path_resolution import real_path

_SESSION = "intentls attest"


@click.command()
@click.argument("paths", nargs=-1, metavar="[PATH...]", type=click.Path())
@click.option("--reason", required=True, metavar="TEXT", help="How the changes came about; it stands in the ledger.")
@click.option("--base", metavar="REF", help="Attest all that no record explains in the commits since REF.")
@click.option("--dry-run", is_flag=True, help="Show what would be attested, and record nothing.")
@session_option("Who attests, for the ledger; an agent's session is refused.")
@root_option
@json_option
def command(
    paths: tuple[str, ...],
    reason: str,
    base: str | None,
    dry_run: bool,
    session: str | None,
    root: Path | None,
    as_json: bool,
) -> int:
    """Vouch, under your name, for changes that came about without intentls.

    For a formatter in a commit hook, a fix in another editor, a conflict solved by hand, a revert, a colleague without
    intentls. Each PATH is a file or a folder; with --base they may be left out, and then it is all that
    `intentls check --base REF` can't explain. It holds for the contents as they are, and blame still names the git
    author of the lines. Commit the ledger afterwards: the check reads what is committed.

    \b
    Example:
      intentls attest src/api/rain.py --reason "review fix"
      intentls attest --base origin/main --dry-run --reason "Ben works without intentls"
    """
    if not paths and base is None:
        raise click.UsageError("Say what to attest: PATHs, or all that is not explained since --base REF.")
    if not reason.strip():
        raise click.UsageError("--reason must say how the changes came about.")
    show_warnings()
    only = None if root is None else governing_root(root)
    here = current_folder()
    start = only or here
    files = tuple(real_path((here if here.is_relative_to(start) else start) / path) for path in paths)
    result = attest(start, AttestRequest(session or _SESSION, reason.strip(), files, base, only, dry_run))
    if as_json:
        output.print_json(refused(result) if isinstance(result, Refusal) else wire.as_attested(result, dry_run=dry_run))
    elif isinstance(result, Refusal):
        output.print_error(result.error)
    else:
        _tell(result, base, dry_run=dry_run)
    return 1 if isinstance(result, Refusal) else 0


def _tell(result: AttestResult, base: str | None, *, dry_run: bool) -> None:
    word = "would attest" if dry_run else "attested"
    for step in result.steps:
        output.print_line((word, output.WARN if dry_run else output.GOOD), f"  {step.path}  {_what(step)}")
    for path in result.untouched:
        output.print_line(("explained", output.DIM), f"  {path}")
    if not result.steps and base is not None:
        output.print_error(
            f"Nothing to attest: what is committed since {base} is explained. What is not committed yet you attest by "
            "its path."
        )
    elif not result.steps:
        output.print_error("Nothing to attest: what changed is explained.")
    elif not dry_run:
        places = ", ".join(f"{folder}.orchestration" for folder in result.ledgers)
        output.print_error(f"On record as attested by {result.by}. Commit {places} for it to count.")


def _what(step: AttestedStep) -> str:
    commit = f"commit {step.commit[:12]}" if step.commit else "not committed"
    lines = f", {output.count(step.lines, 'line')}" if step.lines else ""
    return f"by {step.author} ({commit}{lines})"
