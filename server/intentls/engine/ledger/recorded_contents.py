"""What a file held before and after a record: the ledger has the hashes, git, the disk and snapshots have the bytes."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from intentls.core.errors import InvalidPath
from intentls.core.hashing import content_hash
from intentls.core.ledger.record_json import FileJson, files_of, text_of
from intentls.core.text.encoding import TextFormat
from intentls.core.text.lines import is_binary
from intentls.engine.workspace.workspace import Workspace
from intentls.store.git.commits import file_versions

_MAX_BYTES = 1 << 20  # of a text that is shown to a person


class Unknown(Struct, frozen=True):
    """A content that is not to be had any more, or is no text."""


UNKNOWN = Unknown()


class RecordedContents(Struct, frozen=True):
    """The texts before and after a change; None where there was no file."""

    before: str | Unknown | None
    after: str | Unknown | None


def recorded_contents(workspace: Workspace, record_id: str, path: str) -> RecordedContents:
    """The texts of root-relative `path` before and after the record of this id. Raises LedgerUnavailable."""
    for record in workspace.ledger.newest_first(record_id.encode("utf-8", "surrogatepass")):
        if record.get("id") != record_id:
            continue
        for file in files_of(record):
            if text_of(file, "path") == path and record.get("success") is True:
                return _of_entry(workspace, path, file)
    return RecordedContents(UNKNOWN, UNKNOWN)


def _of_entry(workspace: Workspace, path: str, file: FileJson) -> RecordedContents:
    hashes = [text_of(file, "pre_hash"), text_of(file, "post_hash")]
    missing = {hash_ for hash_ in hashes if hash_ is not None}
    texts: dict[str, str | Unknown | None] = {}
    for content in _candidates(workspace, path, text_of(file, "old_path")):
        if not missing:
            break
        hash_ = content_hash(content)
        if hash_ in missing:
            missing.discard(hash_)
            texts[hash_] = _text(content)
    before, after = (None if hash_ is None else texts.get(hash_, UNKNOWN) for hash_ in hashes)
    return RecordedContents(before, after)


def _candidates(workspace: Workspace, path: str, old_path: str | None) -> Iterator[bytes]:
    try:
        content = workspace.tree.read(path)
    except InvalidPath:
        content = None
    if content is not None:
        yield content
    for version in file_versions(workspace.root, path):
        yield version.content
    for version in file_versions(workspace.root, old_path) if old_path is not None else ():
        yield version.content


def _text(content: bytes) -> str | Unknown:
    if is_binary(content) or len(content) > _MAX_BYTES:
        return UNKNOWN
    return TextFormat.of(content).decode(content)
