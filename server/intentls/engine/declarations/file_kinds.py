"""Which of the declaration files a path is."""

from __future__ import annotations

from enum import Enum, auto

from intentls.core.patterns.protected_paths import INTENTS_FILE, LEDGER_FILE, POLICY_FILE
from intentls.store.layout import IGNORE_NAME, ORCHESTRATION


class Kind(Enum):
    """The files that this package knows its way in."""

    INTENTS = auto()
    POLICY = auto()
    IGNORE = auto()
    MAP = auto()
    LESSONS = auto()
    LEDGER = auto()


PATHS = {
    INTENTS_FILE: Kind.INTENTS,
    POLICY_FILE: Kind.POLICY,
    f"{ORCHESTRATION}/{IGNORE_NAME}": Kind.IGNORE,
    IGNORE_NAME: Kind.IGNORE,
    f"{ORCHESTRATION}/intent_map.md": Kind.MAP,
    f"{ORCHESTRATION}/AGENT.md": Kind.LESSONS,
    LEDGER_FILE: Kind.LEDGER,
}
NAMES = frozenset(path.rpartition("/")[2] for path in PATHS)
SCHEMAS = {Kind.INTENTS: "active_intents", Kind.POLICY: "policy"}


def kind_of(path: str) -> Kind | None:
    """The kind of a root-relative path; None for every other file."""
    return PATHS.get(path)
