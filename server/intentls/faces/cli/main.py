"""`intentls`: one command per verb, each loaded only when it is called; one place that maps errors to exit codes.

0  fine
1  findings, or a refusal
2  wrong usage, or a configuration that can't be used
3  a bug in intentls (a log is written)
"""

from __future__ import annotations

import importlib
import sys
import tempfile
import traceback
from typing import Any

import click

import intentls
from intentls.core.errors import IntentlsError

FINE, FINDINGS, USAGE, BUG = 0, 1, 2, 3

_VERBS = {
    "serve": "Serve the language server on stdin and stdout.",
    "demo": "Play a whole session on a copy of a real repository.",
}


class _Lazy(click.Group):
    """A group whose commands are modules of `commands/`, imported when they are needed."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Every verb, in the order of the documentation."""
        return list(_VERBS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The verb's command, if there is one of that name."""
        if cmd_name not in _VERBS:
            return None
        module = importlib.import_module(f"intentls.faces.cli.commands.{cmd_name}")
        command: click.Command = module.command
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the verbs without importing any."""
        with formatter.section("Commands"):
            formatter.write_dl(list(_VERBS.items()))


@click.command(cls=_Lazy, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(intentls.__version__, prog_name="intentls")
def cli() -> None:
    """Make every edit accountable to an intent.

    A workspace declares its intents in .orchestration/active_intents.yaml. Whoever edits checks out one
    intent and may then change files inside its scope; every change and every refusal goes into a ledger.
    """


def run(arguments: list[str] | None = None) -> None:
    """The console script. Never shows a traceback: a bug is one sentence and a log file."""
    sys.exit(_code(arguments))


def _code(arguments: list[str] | None) -> int:
    try:
        result: Any = cli.main(args=arguments, prog_name="intentls", standalone_mode=False)
    except click.exceptions.Abort:
        return USAGE
    except click.ClickException as error:
        error.show()
        return USAGE
    except IntentlsError as error:
        click.echo(f"intentls: {error}", err=True)
        return USAGE
    except BrokenPipeError:
        return FINE
    except Exception:  # noqa: BLE001  the boundary: whatever went wrong, a user gets one sentence
        click.echo(f"intentls: this is a bug in intentls; the details are in {_log()}", err=True)
        return BUG
    return result if isinstance(result, int) else FINE


def _log() -> str:
    with tempfile.NamedTemporaryFile(
        "w", prefix="intentls-bug-", suffix=".log", delete=False, encoding="utf-8"
    ) as file:
        file.write(f"intentls {intentls.__version__}, Python {sys.version}\n{' '.join(sys.argv)}\n\n")
        traceback.print_exc(file=file)
    return file.name


if __name__ == "__main__":
    run()
