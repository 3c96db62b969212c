"""A group of commands of which only the one that is called is imported."""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from typing import Any

import click


class LazyGroup(click.Group):
    """`verbs` maps each verb to one line of help; `package` has a module of that name with its `command`.

    `modules` names the module of each verb that is no name in Python, or a keyword, or that is in a folder.
    """

    def __init__(
        self,
        *args: Any,
        package: str,
        verbs: Mapping[str, str],
        modules: Mapping[str, str] | None = None,
        **kwargs: Any,
    ) -> None:
        super().__init__(*args, **kwargs)
        self._package = package
        self._verbs = verbs
        self._modules = modules or {}

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002  click's signature
        """Every verb, in the order of the table."""
        return list(self._verbs)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        """The verb's command, if there is one of that name."""
        if cmd_name not in self._verbs:
            return None
        module = importlib.import_module(f"{self._package}.{self._modules.get(cmd_name, cmd_name)}")
        command: click.Command = module.command
        command.name = cmd_name
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002
        """List the verbs without importing any."""
        with formatter.section("Commands"):
            formatter.write_dl(list(self._verbs.items()))
