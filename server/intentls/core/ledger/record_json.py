"""The shape of a record in the ledger, and how to read one that anybody may have written.

Another tool, a merge or an attacker may have written a line, so any key may be missing or have another type, whatever
the types here say. Read keys with the functions below, or check what you got: odd shapes are passed over.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, TypedDict, cast

UNTRACKED = "UNTRACKED"
"""The `intent_id` of a record under no intent."""


class RangeJson(TypedDict, total=False):
    """Lines from 1, both ends included; `content_hash` is that of their bytes, line ends included."""

    start_line: int
    end_line: int
    content_hash: str
    symbol: dict[str, Any]  # by intentls before 0.2: the innermost definition around the lines
    definitions: list[dict[str, Any]]  # by intentls before 0.2: those that lie in the lines


class ConversationJson(TypedDict, total=False):
    """What one session wrote in a file."""

    url: str
    contributor: dict[str, Any]  # `type`: human, ai, mixed or unknown; others where known, see `core.ledger.record`
    ranges: list[RangeJson]
    related: list[dict[str, str]]
    symbols: list[str]  # the qualified names of the definitions around and in the ranges, each once


class OriginJson(TypedDict, total=False):
    """See `core.ledger.origin.Origin`."""

    start_line: int
    end_line: int
    old_start_line: int
    old_end_line: int
    path: str
    old_line_hashes: str


class DefinitionOriginJson(TypedDict, total=False):
    """See `core.ledger.definition_origin.DefinitionOrigin`."""

    symbol: str
    line: int
    old_symbol: str  # absent where the definition kept its name
    old_line: int
    old_start_line: int
    old_end_line: int


class FileJson(TypedDict, total=False):
    """What happened to one file. Paths are root-relative POSIX; a hash is None where there is no file."""

    path: str
    relative_path: str
    old_path: str  # of a rename
    change: str
    pre_hash: str | None
    post_hash: str | None
    conversations: list[ConversationJson]
    hunks: list[int]  # see `core.ledger.packed_lines`
    origins: list[OriginJson]
    definition_origins: list[DefinitionOriginJson]
    line_hashes: str | list[str | None]  # of the lines of all ranges, see `core.ledger.packed_lines`
    removed_line_hashes: str  # of the old lines of all hunks, in order
    form: str  # one for all ways to format the new content, see `core.mutation.canonical_form`
    too_large: bool  # only True: its class or its definitions were not looked for
    contributor: dict[str, Any]
    lease: dict[str, int | str]  # fence, since, used; see `core.branch.fences`


class LessonJson(TypedDict, total=False):
    """What went wrong in a file, see `core.ledger.lesson_record`."""

    file: str
    date: str  # YYYY-MM-DD
    problems: list[str]
    intent: str  # absent outside every intent


class RecordJson(TypedDict, total=False):
    """One line of the ledger. `core.ledger.record.Record` says what the keys mean; `chain` is added by the ledger."""

    version: str
    id: str
    timestamp: str
    vcs: dict[str, str | None]
    tool: dict[str, str]
    intent_id: str
    session_id: str
    tool_name: str
    mutation_class: str
    mutation_class_source: str
    mutation_class_inferred: str
    scope_validation: str
    success: bool
    error: str
    error_type: str
    code: str
    override: dict[str, Any]
    overrides: list[dict[str, Any]]
    reason: str
    attestation: dict[str, Any]  # `by`, `reason`, `author`, `commit`: see `core.ledger.record.Attestation`
    acceptance: dict[str, Any]  # of `accept_intent`: `by`, and `criteria` with the `result` of each
    lesson: LessonJson  # of `record_lesson`
    coordination: str  # only "away": the leases of other machines were not known
    supersedes: list[
        dict[str, Any]
    ]  # of `settle_classes`, see `core.ledger.settlement`: `id`, `mutation_class`, `reasons`
    change_set: dict[str, Any]  # of `settle_classes`: `digest`, `files`, `too_large`
    files: list[FileJson]
    imported: bool  # another program wrote it, and `trace import` took it in
    metadata: dict[str, Any]
    chain: dict[str, Any]  # `writer`, `seq`, `prev`: see `core.ledger.hash_chain.ChainLink`


Record = dict[str, Any]
"""Any JSON object of a record."""


def objects(value: Any) -> list[Record]:
    """The JSON objects in a list; none if it is no list."""
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []


def files_of(record: Mapping[str, Any]) -> list[FileJson]:
    """A record's file entries."""
    return cast("list[FileJson]", objects(record.get("files")))


def is_imported(record: Mapping[str, Any]) -> bool:
    """Whether another program wrote the record and `trace import` took it in: it is evidence of nothing else."""
    return record.get("imported") is True


ATTEST = "attest"
"""The tool's name in a record by which a person vouches for changes that came about without the engine."""


def attestation_of(record: Mapping[str, Any]) -> Mapping[str, Any] | None:
    """What an attestation says of itself; None if the record is none."""
    attestation = record.get("attestation")
    return attestation if record.get("tool_name") == ATTEST and isinstance(attestation, dict) else None


def approvers_of(record: Mapping[str, Any]) -> tuple[str, ...]:
    """Whom a record names as having let something pass: in overrides, and in an attestation. Each once."""
    overrides = record.get("overrides")
    words: list[Mapping[str, Any]] = [*objects(overrides if isinstance(overrides, list) else [record.get("override")])]
    words.append(attestation_of(record) or {})
    return tuple(dict.fromkeys(by for word in words if (by := text_of(word, "by"))))


def is_evidence_of_content(record: Mapping[str, Any]) -> bool:
    """Whether the record tells who wrote what, as the engine saw it: no other program's, and no person's word later."""
    return not is_imported(record) and record.get("tool_name") != ATTEST


_NO_WORK = frozenset(
    {
        *("new_intent", "set_status", "expand_scope", "accept_intent", "select_active_intent", "record_lesson"),
        "settle_classes",
    }
)


def is_work(record: Mapping[str, Any]) -> bool:
    """Whether this is of a change that succeeded, and none of what is declared or learned."""
    return record.get("success") is True and record.get("tool_name") not in _NO_WORK


def text_of(entry: Mapping[str, Any], key: str) -> str | None:
    """The text under a key; None if there is none, or something that is no text."""
    value = entry.get(key)
    return value if isinstance(value, str) else None


def line_number(entry: Mapping[str, Any], key: str) -> int:
    """The number under a key; 0, which is no line, if there is none."""
    value = entry.get(key)
    return value if isinstance(value, int) else 0


def mentioned_lines(file: FileJson, width: int) -> set[str]:
    """The hashes, of so many characters each, of all lines that an entry names: written, removed, moved, formatted.

    Example: `{"line_hashes": "3iq63oMs", "removed_line_hashes": "47DEQpj83iq63oMs"}` names `3iq63oMs` and `47DEQpj8`.
    """
    return {text[start : start + width] for text in _line_hashes(file) for start in range(0, len(text), width)}


def mentions_line(file: FileJson, hash_: str) -> bool:
    """Whether an entry names a line by this hash: the same as to look for it among `mentioned_lines`, but quicker."""
    width = len(hash_)
    return any(
        hash_ in text and any(text.startswith(hash_, start) for start in range(0, len(text), width))
        for text in _line_hashes(file)
    )


def _line_hashes(file: FileJson) -> Iterator[str]:
    written: Any = file.get("line_hashes")
    origins = (origin.get("old_line_hashes") for origin in objects(file.get("origins")))
    texts = (*(written if isinstance(written, list) else (written,)), file.get("removed_line_hashes"), *origins)
    return (text for text in texts if isinstance(text, str))
