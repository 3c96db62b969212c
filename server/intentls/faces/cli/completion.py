"""What the shell offers for an argument. Never fails: a broken workspace has nothing to offer."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import click


def complete_intent(ctx: click.Context, parameter: click.Parameter, incomplete: str) -> list[str]:  # noqa: ARG001
    """The ids of the intents declared in the root at hand."""
    from intentls.core.errors import IntentlsError
    from intentls.store.intents import parse_intents

    try:
        layout = _layout(ctx)
        return [] if layout is None else _fitting(parse_intents(layout.intents.read_bytes()).intents, incomplete)
    except (IntentlsError, OSError):
        return []


def complete_session(ctx: click.Context, parameter: click.Parameter, incomplete: str) -> list[str]:  # noqa: ARG001
    """The ids of the sessions known in the root at hand."""
    from intentls.core.errors import IntentlsError
    from intentls.store.sessions import Sessions

    try:
        layout = _layout(ctx)
        known = [] if layout is None else [session.session_id for session in Sessions(layout.sessions).all()]
    except (IntentlsError, OSError):
        return []
    return _fitting(known, incomplete)


def _layout(ctx: click.Context):  # type: ignore[no-untyped-def]
    from intentls.store.layout import Layout
    from intentls.store.resolve import find_root, real_path

    start: Path = ctx.params.get("root") or Path.cwd()
    root = find_root(real_path(start))
    return None if root is None else Layout(root)


def _fitting(names: Iterable[str], incomplete: str) -> list[str]:
    return [name for name in names if name.startswith(incomplete)]
