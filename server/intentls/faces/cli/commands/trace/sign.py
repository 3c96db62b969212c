"""`intentls sign`."""

from __future__ import annotations

from pathlib import Path

import click

from intentls.engine.ledger.sign import SignRequest, sign_segments
from intentls.engine.wire import reports
from intentls.faces.cli import output
from intentls.faces.cli.open_workspace import open_root
from intentls.faces.cli.options import json_option, root_option
from intentls.faces.cli.root_option import current_folder
from intentls.store.git_segments.signing_key import key_at


@click.command()
@click.option("--key", metavar="FILE", type=click.Path(path_type=Path), help="The SSH key, instead of git's.")
@click.option("--base", metavar="REF", help="Sign only the segments that came since REF.")
@click.option("--countersign", is_flag=True, help="Sign those too that others have signed.")
@root_option
@json_option
def command(key: Path | None, base: str | None, countersign: bool, root: Path | None, as_json: bool) -> int:
    """Sign the ledger's segments that git has, each by a file beside it, with the SSH key that git signs with.

    Without options it signs those that nobody has signed. A key in an SSH agent and a security key work as they do for
    `git commit -S`; a commit takes the new files in. An agent can't sign: a person does, in a terminal.

    \b
    Example:
      intentls sign
      intentls sign --base origin/main --countersign --key ~/.ssh/ci
    """
    file = None if key is None else key_at(current_folder() / key.expanduser())
    result = sign_segments(open_root(root).workspace, SignRequest(file, base, countersign))
    if as_json:
        output.print_json(reports.signed(result))
        return 0
    output.print_table([(("signed", output.GOOD), one.segment, one.name) for one in result.written])
    if result.written:
        output.print_error(f"Signed by {result.fingerprint}. Commit .orchestration/trace for it to count.")
    elif result.signed:
        output.print_error(f"Nothing to sign: {output.count(result.signed, 'segment')} signed already.")
    else:
        output.print_error("Nothing to sign: git has no segment of the ledger here. Commit .orchestration/trace first.")
    return 0
