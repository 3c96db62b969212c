"""How verbs begin that stay in the background and answer others at a socket, until nobody asks any more."""

from __future__ import annotations

import functools
import socket
from collections.abc import Callable
from typing import Any

import click


def background_verb(idle: str, without: str) -> Callable[[Callable[..., int]], Callable[..., int]]:
    """`--idle MINUTES`, of which `idle` is the help: parameter `idle_s`, in seconds.

    Where the system has no Unix sockets the verb does not run, and `without` says what that means.
    """

    def decorate(run: Callable[..., int]) -> Callable[..., int]:
        @click.option(
            "--idle",
            type=click.FloatRange(min=0, min_open=True),
            default=30.0,
            show_default=True,
            metavar="MINUTES",
            help=idle,
        )
        @functools.wraps(run)
        def begin(*arguments: Any, idle: float, **named: Any) -> int:
            if not hasattr(socket, "AF_UNIX"):
                raise click.UsageError(f"this system has no Unix sockets; {without}")
            return run(*arguments, idle_s=idle * 60, **named)

        return begin

    return decorate
