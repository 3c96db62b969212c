"""The changed files of git's working tree, reviewed one after another, whether an editor has them open or not."""

from __future__ import annotations

import os
import stat
import time
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from intentls.core.diagnostic import Diagnostic
from intentls.core.errors import StoreError
from intentls.core.patterns.protected_paths import is_protected
from intentls.core.text.encoding import TextFormat
from intentls.core.text.lines import is_binary
from intentls.engine.editor.diagnostics import review
from intentls.engine.workspace.engine import Engine
from intentls.engine.workspace.host import OpenDocument
from intentls.engine.workspace.workspace import Workspace
from intentls.store.git.status import read_status

MOST_FILES = 5_000
"""Files of one root that are reviewed: with more, something that git should ignore is not ignored."""

_DECLARED = frozenset({"active_intents.yaml", "policy.yaml", ".intentignore"})
_QUICK_S = 0.25  # git answers fast enough to be asked every time
_REST = 10  # else it may work a tenth of the time
_MOST_BYTES = 4 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class FileDiagnostics:
    """A file and what is to be said of it; `text` is what the findings' places refer to. `path` is root-relative."""

    workspace: Workspace
    path: str
    text: str
    findings: tuple[Diagnostic, ...]
    document: OpenDocument | None


@dataclass(slots=True)
class _CachedDiagnostics:
    paths: tuple[Path, ...]
    until: float


class ChangedFiles:
    """Knows which files of each root are not as in git's HEAD, and asks git again when that may have changed."""

    def __init__(self) -> None:
        self._known: dict[Path, _CachedDiagnostics] = {}

    def forget(self) -> None:
        """Files may have changed: what git said before does not count."""
        self._known = {}

    def of(self, workspace: Workspace) -> tuple[Path, ...]:
        """The regular files, new or modified, in the working tree of this root; () outside git."""
        now = time.monotonic()
        known = self._known.get(workspace.root)
        if known is None or known.until <= now:
            paths = tuple(islice(_changed(workspace.root), MOST_FILES))
            took = time.monotonic() - now
            rest = 0.0 if took < _QUICK_S else took * _REST
            known = self._known[workspace.root] = _CachedDiagnostics(paths, now + took + rest)
        return known.paths


def look_at(engine: Engine, path: Path, session_id: str) -> FileDiagnostics | None:
    """A file as it is now, with its findings. None where no root governs it, or it is no file any more."""
    governed = engine.governing(path)
    if governed is None:
        return None
    workspace, relative = governed
    try:
        document = workspace.host.open_document(path)
        text = _text(path) if document is None else document.text
        return FileDiagnostics(workspace, relative, text, review(workspace, relative, text, session_id), document)
    except (OSError, StoreError):
        return None


def _changed(root: Path) -> Iterator[Path]:
    status = read_status(root)
    for path in sorted(() if status is None else status.entries):
        if _is_reviewed(path) and _is_file(root / path):
            yield root / path


def _is_reviewed(path: str) -> bool:
    """Of `.orchestration/` just what people write."""
    return not is_protected(path) or path.rpartition("/")[2] in _DECLARED


def _is_file(path: Path) -> bool:
    try:
        return stat.S_ISREG(os.lstat(path).st_mode)
    except OSError:
        return False


def _text(path: Path) -> str:
    """What an editor would show; of what is no text, or too long, nothing: a place in it would mean nothing."""
    if path.stat().st_size > _MOST_BYTES:
        return ""
    data = path.read_bytes()
    return "" if is_binary(data) else TextFormat.of(data).decode(data)
