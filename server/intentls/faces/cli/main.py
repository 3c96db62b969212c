"""`intentls`: one command per verb, each loaded only when it is called; one place that maps errors to exit codes.

0  fine
1  findings, or a refusal
2  wrong usage, or a configuration that can't be used
3  a bug in intentls (a log is written)
"""

from __future__ import annotations

import sys
import traceback
from typing import Any

import click

import intentls
from intentls.core.errors import IntentlsError
from intentls.faces.cli.lazy_group import LazyGroup
from intentls.faces.cli.plain.json_output import stop_writing, write_any_name

FINE, FINDINGS, USAGE, BUG = 0, 1, 2, 3

_VERBS = {
    "serve": "Serve the language server on stdin and stdout.",
    "init": "Set up this folder: create what is missing.",
    "demo": "Play a whole session on a copy of a real repository.",
    "status": "Show what governs this folder, which sessions work on what, and the ledger's state.",
    "list": "List the intents.",
    "new": "Declare an intent, from a name, a branch, or an issue's text.",
    "select": "Select an intent for a session, or clear it.",
    "check": "Say whether files may be changed, without changing anything.",
    "confirm": "Accept what an agent's command changed in declared files.",
    "questions": "List what agents ask a person, and answer.",
    "accept": "Check an intent's acceptance criteria, and complete it.",
    "close": "Close an intent, and say which of its criteria are open.",
    "set-status": "Give an intent another status.",
    "expand": "Add a file or a glob to an intent's scope.",
    "attest": "Vouch for changes that came about without intentls.",
    "report": "Say for a reviewer what a branch or an intent did, as a page, a comment or a summary.",
    "sign": "Sign the ledger's segments with the SSH key that git signs with.",
    "trace": "Read and verify the ledger, export it, import other tools' records.",
    "search": "Find records, lessons, decisions and closed intents by words.",
    "blame": "Show which intent, and who, wrote each line of a file.",
    "classify": "Say what kind of change a commit is, or the step from one file to another.",
    "run": "Run a command so that the kernel keeps it in an intent's scope.",
    "map": "Show which files belong to which intent.",
    "lessons": "Show the lessons about each file, or add one.",
    "hook": "Answer a coding agent's hook: may this tool run, and what did it change?",
    "coordination": "Share leases and live sessions with other machines, in PostgreSQL.",
    "daemon": "Answer hooks from a process that stays, so that agents wait less.",
    "mcp": "Serve coding agents over MCP, on stdin and stdout.",
    "doctor": "Look for the usual mistakes, and say how to fix them.",
}
# The folder that a verb's module is in, where it has one of its own.
_FOLDERS = {
    "intents": ("list", "new", "select", "accept", "close", "set-status", "expand", "run"),
    "branch": ("check", "attest", "report"),
    "trace": ("sign",),
}
_MODULES = {verb: f"{folder}.{verb.replace('-', '_')}" for folder, verbs in _FOLDERS.items() for verb in verbs}


class _Main(LazyGroup):
    """The verbs. A reader that had enough (`| head`) is no mistake."""

    def invoke(self, ctx: click.Context) -> Any:
        """Run the verb; its exit code."""
        try:
            return super().invoke(ctx)
        except BrokenPipeError:
            stop_writing()
            return FINE


@click.command(
    cls=_Main,
    package="intentls.faces.cli.commands",
    verbs=_VERBS,
    modules=_MODULES,
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog="Exit codes: 0 fine, 1 findings or a refusal, 2 wrong usage or configuration, 3 a bug in intentls.",
)
@click.version_option(intentls.__version__, prog_name="intentls")
def cli() -> None:
    """Make every edit accountable to an intent.

    A workspace declares its intents in .orchestration/, as a list or one to a file. An agent or a person selects
    one intent and may then change files inside its scope; every change and every refusal goes into a ledger.
    """


def run(arguments: list[str] | None = None) -> None:
    """The console script. Never shows a traceback: a bug is one sentence and a log file."""
    write_any_name()
    sys.exit(_code(arguments))


def _code(arguments: list[str] | None) -> int:
    try:
        result: Any = cli.main(args=arguments, prog_name="intentls", standalone_mode=False)
    except Exception as error:  # noqa: BLE001  the boundary: whatever went wrong, a user gets one sentence
        return code_of(error)
    return result if isinstance(result, int) else FINE


def code_of(error: Exception) -> int:
    """Say what went wrong, on stderr; the process's exit code. To be called where `error` was caught."""
    match error:
        case click.exceptions.Abort():
            return USAGE
        case click.exceptions.NoArgsIsHelpError():
            error.show()
        case click.ClickException():
            click.echo(f"intentls: {_sentence(error)}", err=True)
        case IntentlsError():
            click.echo(f"intentls: {error}", err=True)
        case _:
            click.echo(f"intentls: this is a bug in intentls; the details are in {_log()}", err=True)
            return BUG
    return USAGE


def _sentence(error: click.ClickException) -> str:
    """What is wrong with the usage, and where the right one is explained, on one line."""
    message = " ".join(error.format_message().split())
    context = error.ctx if isinstance(error, click.UsageError) else None
    return message if context is None else f"{message} See `{context.command_path} --help`."


def _log() -> str:
    import tempfile  # slow to import, and a bug is rare

    with tempfile.NamedTemporaryFile(
        "w", prefix="intentls-bug-", suffix=".log", delete=False, encoding="utf-8", errors="backslashreplace"
    ) as file:
        file.write(f"intentls {intentls.__version__}, Python {sys.version}\n{' '.join(sys.argv)}\n\n")
        traceback.print_exc(file=file)
    return file.name


if __name__ == "__main__":
    run()
