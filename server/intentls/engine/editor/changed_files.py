"""The changed files of git's working tree, reviewed one after another, whether an editor has them open or not."""

from __future__ import annotations

import os
import re
import stat
import time
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

from msgspec import Struct

from intentls.core.diagnostic import Diagnostic
from intentls.core.errors import StoreError
from intentls.core.patterns.protected_paths import INTENTS_FOLDER, is_protected
from intentls.core.text.encoding import TextFormat
from intentls.core.text.lines import is_binary
from intentls.engine.editor.diagnostics import review
from intentls.engine.workspace.engine import Engine
from intentls.engine.workspace.host import OpenDocument
from intentls.engine.workspace.workspace import Workspace
from intentls.store.git.status import read_status

MAX_FILES = 5_000
"""Files of one root that are reviewed: with more, something that git should ignore is not ignored."""

_DECLARED = frozenset({"active_intents.yaml", "policy.yaml", ".intentignore"})
_IN_FOLDER = re.compile(rf"(?:^|/){re.escape(INTENTS_FOLDER)}/[^/.][^/]*\.yaml$")
_QUICK_S = 0.25  # git answers fast enough to be asked every time
_REST = 10  # else it may work a tenth of the time
_MAX_BYTES = 4 * 1024 * 1024


class FileDiagnostics(Struct, frozen=True):
    """A file with its diagnostics, whose spans refer to `text`. `path` is root-relative."""

    workspace: Workspace
    path: str
    text: str
    diagnostics: tuple[Diagnostic, ...]
    document: OpenDocument | None


class _CachedStatus(Struct):
    """The changed files of a root; git is asked again after `until` (monotonic seconds)."""

    paths: tuple[Path, ...]
    until: float


class ChangedFiles:
    """The files of each root that differ from git's HEAD; git is asked again when they may have changed."""

    def __init__(self) -> None:
        self._cache: dict[Path, _CachedStatus] = {}

    def forget(self) -> None:
        """Files may have changed: ask git again."""
        self._cache = {}

    def of(self, workspace: Workspace) -> tuple[Path, ...]:
        """The regular files, new or modified, in the working tree of this root; () outside git."""
        now = time.monotonic()
        cached = self._cache.get(workspace.root)
        if cached is None or cached.until <= now:
            paths = tuple(islice(_changed(workspace.root), MAX_FILES))
            took = time.monotonic() - now
            rest = 0.0 if took < _QUICK_S else took * _REST
            cached = self._cache[workspace.root] = _CachedStatus(paths, now + took + rest)
        return cached.paths


def file_diagnostics(engine: Engine, path: Path, session_id: str) -> FileDiagnostics | None:
    """A file as it is now, with its diagnostics. None where no root governs it, or it is no file any more."""
    governing = engine.governing(path)
    if governing is None:
        return None
    workspace, relative = governing
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
    """Whether a file is reviewed: of `.orchestration/` only those that people write."""
    return not is_protected(path) or path.rpartition("/")[2] in _DECLARED or _IN_FOLDER.search(path) is not None


def _is_file(path: Path) -> bool:
    try:
        return stat.S_ISREG(os.lstat(path).st_mode)
    except OSError:
        return False


def _text(path: Path) -> str:
    """What an editor would show; of what is no text, or too long, nothing: a place in it would mean nothing."""
    if path.stat().st_size > _MAX_BYTES:
        return ""
    data = path.read_bytes()
    return "" if is_binary(data) else TextFormat.of(data).decode(data)
