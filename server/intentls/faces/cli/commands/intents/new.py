"""`intentls new`."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from intentls.core.errors import InvalidGlob
from intentls.core.gate.refusal import Refusal
from intentls.engine.intents.intent_source import IntentSource, from_path, from_text
from intentls.engine.intents.new_intent import NewIntent, NewIntentRequest, new_intent
from intentls.engine.wire import reports
from intentls.engine.wire.refusals import refused
from intentls.faces.cli import output
from intentls.faces.cli.open_workspace import open_root
from intentls.faces.cli.options import json_option, root_option, session_option

_SESSION = "intentls new"
_MAX_STDIN = 4 * 1024 * 1024  # bytes


class NewCommand(click.Command):
    """Takes each word after --scope as a glob where no NAME is needed, so that none is taken for the name."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """As click does, once each glob has an option of its own."""
        if not any(word.startswith(("--branch", "--from")) for word in args):
            return super().parse_args(ctx, args)
        spread: list[str] = []
        in_scope = False
        for word in args:
            if word.startswith("-"):
                in_scope = word.partition("=")[0] == "--scope"
            elif in_scope and spread[-1] != "--scope":
                spread.append("--scope")
            spread.append(word)
        return super().parse_args(ctx, spread)


@click.command(cls=NewCommand)
@click.argument("name", required=False)
@click.argument("more_globs", nargs=-1, metavar="")
@click.option("--branch", "on_branch", is_flag=True, help="The intent of the branch that is checked out.")
@click.option(
    "--from",
    "source",
    metavar="FILE|-",
    help="Read a text: an issue on stdin (-), spec-kit's tasks.md, or the folder of an OpenSpec change.",
)
@click.option("--scope", "globs", multiple=True, metavar="GLOB...", help="What it may change (default: proposed).")
@session_option("Who declares it, for the ledger.")
@root_option
@json_option
def command(
    name: str | None,
    more_globs: tuple[str, ...],
    on_branch: bool,
    source: str | None,
    globs: tuple[str, ...],
    session: str | None,
    root: Path | None,
    as_json: bool,
) -> int:
    """Declare an intent in a file of its own, .orchestration/intents/ID.yaml, with the next free id.

    NAME says what is to be done. Without it the heading of the text (--from) or the branch (--branch) does. The scope
    is what --scope says, else the files that the text names, else those that the branch changed; read it before you
    commit the file. Check boxes of the text become acceptance criteria. The text is read once, and only as text.

    \b
    Example:
      intentls new "Weather alerts" --scope "src/alerts/**" "tests/alerts/**"
      intentls new --branch
      gh issue view 42 --json title,body,url | intentls new --from -
      intentls new --from specs/001-alerts/tasks.md
    """
    if more_globs and not globs:
        raise click.UsageError(f"{more_globs[0]} is one word too many: put the name in quotes.")
    workspace = open_root(root).workspace
    try:
        read = None if source is None else _read(workspace.root, source)
        request = NewIntentRequest(session or _SESSION, name, (*globs, *more_globs), on_branch, read)
        outcome = new_intent(workspace, request)
    except InvalidGlob as error:
        raise click.UsageError(f"--scope: {error}") from error
    if as_json:
        output.print_json(refused(outcome) if isinstance(outcome, Refusal) else reports.declared(outcome))
    elif isinstance(outcome, Refusal):
        output.print_error(outcome.error)
    else:
        _tell(outcome)
    return 1 if isinstance(outcome, Refusal) else 0


def _read(root: Path, source: str) -> IntentSource:
    if source == "-":
        return from_text(sys.stdin.buffer.read(_MAX_STDIN))
    return from_path(root, Path(source))


def _tell(new: NewIntent) -> None:
    output.print_line((new.intent.id, output.STRONG), f"  {output.safe(new.intent.name)}")
    output.print_line(f"  {new.path}")
    for pattern in new.intent.scope.patterns:
        output.print_line(f"  scope      {output.safe(pattern)}")
    for criterion in new.intent.acceptance_criteria:
        output.print_line(f"  criterion  {output.safe(str(criterion))}")
    if not new.intent.scope.patterns:
        output.print_error(f"It has no scope, so it may change the whole workspace: write owned_scope into {new.path}.")
