"""Which of the declaration files a path is."""

from __future__ import annotations

from enum import Enum, auto

from intentls.core.patterns.protected_paths import INTENTS_FILE, LEDGER_FILE, POLICY_FILE
from intentls.store.layout import IGNORE_NAME, ORCHESTRATION


class FileKind(Enum):
    """The files that this package knows its way in."""

    INTENTS = auto()
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
SCHEMAS = {FileKind.INTENTS: "active_intents", FileKind.POLICY: "policy"}


def kind_of(path: str) -> FileKind | None:
    """The kind of a root-relative path; None for every other file."""
    return PATHS.get(path)
