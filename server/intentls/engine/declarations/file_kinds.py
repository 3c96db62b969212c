"""Which of the declaration files a path is."""

from __future__ import annotations

import logging
from enum import Enum, auto

from intentls.core.errors import InvalidPath, StoreError
from intentls.core.patterns.protected_paths import (
    INTENTS_FILE,
    INTENTS_FOLDER,
    LEDGER_FILE,
    POLICY_FILE,
    is_single_intent_file,
)
from intentls.engine.workspace.workspace import Workspace
from intentls.store.layout import IGNORE_NAME, ORCHESTRATION


class FileKind(Enum):
    """The files that this package knows its way in."""

    INTENTS = auto()
    INTENT = auto()
    POLICY = auto()
    IGNORE = auto()
    MAP = auto()
    LESSONS = auto()
    LEDGER = auto()


PATHS = {
    INTENTS_FILE: FileKind.INTENTS,
    POLICY_FILE: FileKind.POLICY,
    f"{ORCHESTRATION}/{IGNORE_NAME}": FileKind.IGNORE,
    IGNORE_NAME: FileKind.IGNORE,
    f"{ORCHESTRATION}/intent_map.md": FileKind.MAP,
    f"{ORCHESTRATION}/AGENT.md": FileKind.LESSONS,
    LEDGER_FILE: FileKind.LEDGER,
}
NAMES = frozenset(path.rpartition("/")[2] for path in PATHS)
SCHEMAS = {FileKind.INTENTS: "active_intents", FileKind.INTENT: "intent", FileKind.POLICY: "policy"}
DECLARES_INTENTS = frozenset({FileKind.INTENTS, FileKind.INTENT})


def kind_of(path: str) -> FileKind | None:
    """The kind of a root-relative path; None for every other file."""
    return FileKind.INTENT if is_single_intent_file(path) else PATHS.get(path)


def may_be_declaration(uri: str) -> bool:
    """Whether a document's URI may be that of a declaration file, as its end shows."""
    folder, _, name = uri.rpartition("/")
    return name in NAMES or (name.endswith(".yaml") and folder.endswith(f"/{INTENTS_FOLDER}"))


log = logging.getLogger(__name__)

_MAX_BYTES = 8 * 1024 * 1024


def text_of(workspace: Workspace, path: str) -> str | None:
    """The text of root-relative `path`; None where there is none, or it is no text that a person would read."""
    document = workspace.host.open_document(workspace.root / path)
    if document is not None:
        return document.text
    try:
        data = workspace.tree.read(path)
    except (InvalidPath, StoreError, OSError) as error:
        log.debug("%s is not looked at: %s", path, error)
        return None
    if data is None or len(data) > _MAX_BYTES:
        return None
    return data.decode("utf-8-sig", errors="replace")
