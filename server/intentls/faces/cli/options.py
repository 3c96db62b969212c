"""The options that several verbs share, so that they are called and explained alike."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click

from intentls.faces.cli.completion import complete_session

F = TypeVar("F", bound=Callable[..., Any])

SESSION_VARIABLE = "INTENTLS_SESSION"


def root_option(command: F) -> F:
    """`--root DIR`: parameter `root`, None to look from the current folder upwards."""
    return click.option(
        "--root",
        type=click.Path(exists=True, file_okay=False, path_type=Path),
        metavar="DIR",
        help="The workspace's root (default: found from the current folder upwards).",
    )(command)


def json_option(command: F) -> F:
    """`--json`: parameter `as_json`."""
    return click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")(command)


def session_option(text: str) -> Callable[[F], F]:
    """`--session ID`, or the environment: parameter `session`; `text` says what it is for."""
    return click.option(
        "--session",
        metavar="ID",
        envvar=SESSION_VARIABLE,
        show_envvar=True,
        shell_complete=complete_session,
        help=text,
    )
