"""What the shell offers for an argument. Never fails: a broken workspace has nothing to offer."""

from __future__ import annotations

import logging
from collections.abc import Iterable
from typing import TYPE_CHECKING

import click

from intentls.core.errors import IntentlsError

if TYPE_CHECKING:
    from intentls.faces.cli.open_workspace import OpenWorkspace


def complete_intent(ctx: click.Context, parameter: click.Parameter, incomplete: str) -> list[str]:  # noqa: ARG001
    """The ids of the intents declared in the root at hand."""
    opened = _opened(ctx)
    return [] if opened is None else _fitting(opened.workspace.configuration().intents.intents, incomplete)


def complete_session(ctx: click.Context, parameter: click.Parameter, incomplete: str) -> list[str]:  # noqa: ARG001
    """The ids of the sessions known in the root at hand."""
    opened = _opened(ctx)
    try:
        sessions = [] if opened is None else opened.workspace.sessions.all()
    except IntentlsError:
        return []
    return _fitting((session.session_id for session in sessions), incomplete)


def _opened(ctx: click.Context) -> OpenWorkspace | None:
    from intentls.faces.cli.open_workspace import open_root  # the engine, for the Tab key alone

    logging.disable()  # this process only completes a line, and whatever it said would stand in the middle of that
    try:
        return open_root(ctx.params.get("root"), trust_cache=True)
    except IntentlsError:
        return None


def _fitting(names: Iterable[str], incomplete: str) -> list[str]:
    return [name for name in names if name.startswith(incomplete)]
