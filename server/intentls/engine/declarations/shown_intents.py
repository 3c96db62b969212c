"""The files of intents as the editor shows them: what is open there counts, and else the disk."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from intentls.core.hashing import content_hash
from intentls.core.patterns.protected_paths import is_intents_file, is_single_intent_file
from intentls.engine.declarations.file_kinds import text_of
from intentls.engine.declarations.outline import OutlineEntry, intents_of, outline
from intentls.engine.workspace.workspace import Workspace
from intentls.store.config.declared_intents import DeclaredIntents, join
from intentls.store.config.declared_paths import declared_paths
from intentls.store.config.intents_folder import across


class ShownFile(Struct, frozen=True):
    """A file of intents: its root-relative path, its text, and the intents that it declares."""

    path: str
    text: str
    entries: tuple[OutlineEntry, ...]


def shown_files(workspace: Workspace) -> Iterator[ShownFile]:
    """The files of intents of a root, the list first."""
    for path in declared_paths(workspace.layout):
        text = text_of(workspace, path) if is_intents_file(path) else None
        if text is not None:
            yield ShownFile(path, text, outline(text, is_single=is_single_intent_file(path)).entries)


def shown_intents(workspace: Workspace, path: str, text: str) -> DeclaredIntents:
    """All intents of a root, if its file of intents at root-relative `path` had this text."""
    declared = workspace.configuration().intents
    saved = declared.files.get(path)
    is_saved = saved is not None and saved.content_hash == content_hash(text.encode("utf-8", "surrogatepass"))
    files = {**declared.files, path: saved if saved is not None and is_saved else intents_of(text, path)}
    return join(files, across(files))
