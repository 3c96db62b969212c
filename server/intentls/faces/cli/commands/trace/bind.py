"""`intentls trace bind`."""

from __future__ import annotations

from pathlib import Path

import click

from intentls.core.errors import IntentlsError
from intentls.engine.branch_check.commit_binding import bind
from intentls.engine.branch_check.settle import settle_commit
from intentls.engine.wire import branch_report as wire
from intentls.faces.cli import output
from intentls.faces.cli.engine_warnings import show_warnings
from intentls.faces.cli.options import json_option, root_option
from intentls.faces.cli.root_option import current_folder, governing_root

_SESSION = "intentls trace bind"


@click.command()
@click.option("--commit", default="HEAD", show_default=True, metavar="REF", help="The commit.")
@click.option("--quiet", is_flag=True, help="Print nothing, and always end with 0: for git's post-commit hook.")
@root_option
@json_option
def command(commit: str, quiet: bool, root: Path | None, as_json: bool) -> int:
    """Record in the ledger which records a commit took in, and settle their classes by the commit as a whole.

    Without --root it does so in every root of the repository.

    One record a commit, however often it is called; the next commit takes that record in. While a rebase or a series of
    cherry-picks is under way nothing is written, so that git is not disturbed.

    \b
    Example:
      intentls trace bind
      intentls trace bind --commit HEAD~1 --json
    """
    show_warnings()
    try:
        only = None if root is None else governing_root(root)
        start = only or current_folder()
        settlements = settle_commit(start, commit, only=only)
        bindings = bind(start, commit, _SESSION, only=only)
    except (IntentlsError, OSError):
        if quiet:
            return 0  # git has made the commit already
        raise
    if quiet:
        return 0
    if as_json:
        output.print_json(wire.as_bound(bindings, settlements))
        return 0
    for bound in bindings:
        new = "bound" if bound.record_id is not None else "known" if bound.records else "none"
        taken = output.count(len(bound.records), "record")
        output.print_line(
            (new, output.GOOD if bound.record_id else output.DIM),
            f"  {bound.revision[:12]}  {taken} taken in, {len(bound.waiting)} not yet",
        )
    for settlement in settlements:
        output.print_line(("settled", output.GOOD), f"  {output.count(len(settlement.superseded), 'record')}")
        for one in settlement.superseded:
            output.print_line(f"  {one.record_id}  ", (one.mutation_class, output.STRONG))
    if not bindings:
        output.print_error("This commit took in no record, or git is in the middle of a rebase.")
    return 0
