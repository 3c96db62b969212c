"""Changes that are proven to be formatting alone, by the keys that records have for all ways to format a content.

    record    A -> B, with the key of B      by an agent
    commit    C                              a formatter in a commit hook made it of B, which git never had

C has the key of B, so `B -> C` is a step that says nothing new: it counts as the record's own.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from intentls.core.branch.change_path import ContentChange, FileContent
from intentls.core.hashing import hash_of
from intentls.core.ledger.record_json import text_of
from intentls.core.mutation.form import form_key
from intentls.engine.branch_check.branch_ledgers import Entry


def formatting_changes(
    path: str, entries: Iterable[Entry], contents: Iterable[bytes | None]
) -> Iterator[ContentChange]:
    """The steps from what the records `entries` of root-relative `path` left to `contents` that say the same."""
    keyed = [(ref, file) for ref, file in entries if file.get("form") and file.get("path") == path]
    for content in dict.fromkeys(contents) if keyed else ():
        key, after = form_key(path, content), FileContent(path, hash_of(content))
        for ref, file in keyed if key is not None else ():
            before = FileContent(path, text_of(file, "post_hash"))
            if file.get("form") == key and before != after:
                yield ContentChange(before, after, ref)
