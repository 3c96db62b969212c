"""A declaration file's text as its user sees it: the open document, else the disk."""

from __future__ import annotations

import logging

from intentls.core.errors import InvalidPath, StoreError
from intentls.engine.workspace.workspace import Workspace

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
