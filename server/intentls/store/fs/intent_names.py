"""The names in the folder that has one file an intent."""

from __future__ import annotations

import os
from pathlib import Path

from intentls.core.errors import StoreError
from intentls.core.patterns.protected_paths import is_intent_name


def intent_names(folder: Path) -> list[str]:
    """The names of the files that declare an intent, sorted; none where there is no such folder, or a file instead.

    Raises OSError for a folder that can't be listed, StoreError for what is no real folder: one that a symbolic link
    leads to may be a folder that an edit is allowed to write.
    """
    if folder.is_symlink():
        raise StoreError("it is a symbolic link, which is not followed")
    try:
        with os.scandir(folder) as entries:
            return sorted(entry.name for entry in entries if is_intent_name(entry.name))
    except (FileNotFoundError, NotADirectoryError):
        return []


def may_hold_intents(folder: Path) -> bool:
    """Whether the folder has a file of an intent, or can't be looked into."""
    try:
        return bool(intent_names(folder))
    except (OSError, StoreError):
        return True
