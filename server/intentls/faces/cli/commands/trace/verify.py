"""`intentls trace verify`."""

from __future__ import annotations

from pathlib import Path

import click

from intentls.engine.ledger import queries
from intentls.engine.wire.answers import VerificationAnswer
from intentls.faces.cli import output
from intentls.faces.cli.open_workspace import open_root
from intentls.faces.cli.options import json_option, root_option
from intentls.faces.cli.progress import Progress
from intentls.store.ledger.ledger import SignatureSummary


@click.command()
@click.option("--base", metavar="REF", help="Judge signatures by the allowed_signers of REF.  [default: HEAD]")
@root_option
@json_option
def command(base: str | None, root: Path | None, as_json: bool) -> int:
    """Check every line of the ledger against its chain; exits 1 if any was edited, removed, moved, doubled or torn.

    The ledger is read line by line, however large it is; its archives first. Signatures are verified where there are
    any, by .orchestration/allowed_signers of HEAD or of --base REF; without such a list each key stands for itself.

    \b
    Example:
      intentls trace verify
      intentls trace verify --json
    """
    engine = open_root(root).engine
    with Progress("Verifying the ledger") as progress:
        roots = queries.verify(engine, progress, base)
    if as_json:
        output.print_json(VerificationAnswer.of(roots))
    elif roots.ok:
        output.print_line(("sound", output.GOOD), f"  {output.count(roots.records, 'record')}")
    else:
        output.print_table([(problem.place, (problem.kind, output.BAD), problem.message) for problem in roots.problems])
        output.print_line(f"{output.count(len(roots.problems), 'problem')} in {output.count(roots.records, 'record')}")
    for summary in () if as_json else roots.signatures:
        _tell_signatures(summary)
    return 0 if roots.ok else 1


def _tell_signatures(summary: SignatureSummary) -> None:
    if summary.note:
        output.print_error(summary.note)
        return
    by = ", ".join(f"{name} ({count:,})" for name, count in summary.signers)
    line = f"signed  {summary.signed:,} of {output.count(summary.segments, 'segment')}"
    output.print_line(f"{line}, by {by}" if by else line)
