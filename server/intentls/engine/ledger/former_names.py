"""Which names a file had before: its history is theirs, too."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from intentls.core.errors import InvalidPath
from intentls.core.hashing import hash_of
from intentls.core.ledger.record_json import files_of, text_of
from intentls.engine.workspace.workspace import Workspace
from intentls.store.git.commits import former_names
from intentls.store.ledger_search.query import RecordQuery

_MAX_NAMES = 8
_MAX_RECORDS = 200  # of one name that are looked at for a rename


class FormerName(Struct, frozen=True):
    """A name that a file had up to a moment (RFC 3339), "" where the moment is not known."""

    path: str
    until: str = ""


def names_before(workspace: Workspace, path: str) -> list[FormerName]:
    """The former names of root-relative `path`, the newest first. Raises LedgerUnavailable.

    Records say so; where none does, a file of the same content that is gone since (`mv`), or git.

    Example: `a.py` is renamed to `b.py` in the editor, then `mv b.py c.py`. Of `c.py` they are `b.py` and `a.py`.
    """
    names: list[FormerName] = []
    known = {path}
    current = path
    while len(names) < _MAX_NAMES:
        former = next((name for name in _former(workspace, current, is_first=current == path)), None)
        if former is None or former.path in known:
            break
        names.append(former)
        known.add(former.path)
        current = former.path
    return names


def _former(workspace: Workspace, path: str, *, is_first: bool) -> Iterator[FormerName]:
    has_records = False
    for count, record in enumerate(workspace.ledger.search(RecordQuery(path=path))):
        if count == _MAX_RECORDS:
            break
        for file in files_of(record) if record.get("success") is True else ():
            if text_of(file, "path") == path:
                has_records = True
                old = text_of(file, "old_path")
                if old is not None:
                    yield FormerName(old, str(record.get("timestamp") or ""))
    if has_records or not is_first:
        return
    yield from _same_content(workspace, path)
    yield from map(FormerName, former_names(workspace.root, path))


def _same_content(workspace: Workspace, path: str) -> Iterator[FormerName]:
    """Names under which this very content was recorded, of files that are there no more."""
    try:
        hash_ = hash_of(workspace.tree.read(path))
    except InvalidPath:
        return
    if hash_ is None:
        return
    for count, record in enumerate(workspace.ledger.newest_first(hash_.encode("ascii"))):
        if count == _MAX_RECORDS:
            return
        for file in files_of(record) if record.get("success") is True else ():
            other = text_of(file, "path")
            if text_of(file, "post_hash") == hash_ and other not in (None, path) and _is_gone(workspace, str(other)):
                yield FormerName(str(other))


def _is_gone(workspace: Workspace, path: str) -> bool:
    try:
        return workspace.tree.read(path) is None
    except InvalidPath:
        return False
