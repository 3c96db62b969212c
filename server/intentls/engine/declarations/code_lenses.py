"""What stands above each intent in the files that declare them: select it, its changes, its files."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from msgspec import Struct

from intentls.core.diagnostic import Span
from intentls.core.errors import LedgerUnavailable
from intentls.core.patterns.protected_paths import INTENTS_FILE, is_single_intent_file
from intentls.engine.declarations.glob_matches import ComparisonBudget, files_of_scope, root_files
from intentls.engine.declarations.outline import intents_of, outline
from intentls.engine.workspace.workspace import Workspace
from intentls.store.ledger.change_counts import ChangeCounts

MAX_INTENTS: Final = 500
"""Intents that get lenses; the others have none."""

_COMPARISONS: Final = 300_000


class Lens(Struct, frozen=True):
    """`selects` is the intent that a click selects; None: nothing happens."""

    span: Span
    title: str
    selects: str | None = None


def lenses(workspace: Workspace, text: str, session_id: str, path: str = INTENTS_FILE) -> list[Lens]:
    """The lenses of a file of intents with this text, for the session of this editor."""
    return list(_lenses(workspace, text, session_id, path))


def _lenses(workspace: Workspace, text: str, session_id: str, path: str) -> Iterator[Lens]:
    active = workspace.sessions.load(session_id).intent_id
    ignore = workspace.configuration().ignore
    declared = intents_of(text, path).intents
    changes, files, budget = _changes(workspace), root_files(workspace), ComparisonBudget(_COMPARISONS)
    for entry in outline(text, is_single=is_single_intent_file(path)).entries[:MAX_INTENTS]:
        span, intent = entry.id_span, declared.get(entry.id)
        if entry.id == active:
            yield Lens(span, "Selected")
        elif intent is not None and intent.is_open and not ignore.excludes_intent(entry.id):
            yield Lens(span, "Select", entry.id)
        if changes is not None:
            yield Lens(span, _number(changes.get(entry.id, 0), "change"))
        if intent is None or budget.is_spent:
            continue
        count = sum(1 for _ in files_of_scope(files, intent.scope, budget))
        if files.complete and not budget.is_spent:
            yield Lens(span, _number(count, "file"))


def _changes(workspace: Workspace) -> Mapping[str, int] | None:
    """The changes of each intent; None where the ledger can't be read."""
    try:
        return workspace.part("counts", lambda: ChangeCounts(workspace.layout, workspace.ledger)).counts()
    except LedgerUnavailable:
        return None


def _number(count: int, what: str) -> str:
    return f"1 {what}" if count == 1 else f"{count:,} {what}s"
