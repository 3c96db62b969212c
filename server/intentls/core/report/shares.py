"""Whose the changed lines are: by file, by intent, by author, by mutation class."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from msgspec import Struct

from intentls.core.ledger.record_json import UNTRACKED, RecordJson, attestation_of, text_of
from intentls.core.ledger.settlement import PROVISIONAL_KEY, all_superseded
from intentls.core.report.content import ClassReport, FileOwner, FileReport, LineKind, LineShare
from intentls.core.report.facts import FileFacts, LineGroup
from intentls.core.report.records import class_of, intent_of, is_change, is_declared_class, name_of

_NO_INTENT = (LineKind.UNTRACKED, LineKind.ATTESTED, LineKind.EARLIER, LineKind.UNEXPLAINED)


class OwnedGroup(Struct, frozen=True):
    """A group of lines, sorted: its kind, and for a record's the intent and who wrote it."""

    root: str
    kind: LineKind
    intent_id: str | None
    who: str
    author_kind: str
    lines: int
    record: RecordJson | None


def owned(file: FileFacts, *, is_unexplained: bool) -> list[OwnedGroup]:
    """The groups of a file. `is_unexplained`: lines without a record are explained by nothing else either."""
    return [_owned(file.root, group, is_unexplained) for group in file.groups]


def _owned(root: str, group: LineGroup, is_unexplained: bool) -> OwnedGroup:
    if group.record is None:
        kind = LineKind.UNEXPLAINED if is_unexplained else LineKind.EARLIER
        return OwnedGroup(root, kind, None, "", "", group.lines, None)
    attestation = attestation_of(group.record)
    if attestation is not None:
        who = text_of(attestation, "by") or "unknown"
        return OwnedGroup(root, LineKind.ATTESTED, None, who, "human", group.lines, group.record)
    who, author_kind = name_of(group.contributor), text_of(group.contributor, "type") or "unknown"
    intent_id = intent_of(group.record)
    if intent_id == UNTRACKED:
        return OwnedGroup(root, LineKind.UNTRACKED, None, who, author_kind, group.lines, group.record)
    return OwnedGroup(root, LineKind.RECORD, intent_id, who, author_kind, group.lines, group.record)


def line_shares(groups: Iterable[OwnedGroup]) -> tuple[LineShare, ...]:
    """The lines of each intent, most first; then those of no intent, by kind. Shares without lines are left out."""
    counts: Counter[tuple[LineKind, str | None, str | None]] = Counter()
    for group in groups:
        root = group.root if group.kind is LineKind.RECORD else None
        counts[group.kind, group.intent_id, root] += group.lines
    intents = sorted(
        (key for key in counts if key[0] is LineKind.RECORD), key=lambda key: (-counts[key], str(key[1]), str(key[2]))
    )
    keys = [*intents, *((kind, None, None) for kind in _NO_INTENT)]
    return tuple(
        LineShare(kind, counts[kind, id_, root], id_, root) for kind, id_, root in keys if counts[kind, id_, root]
    )


def file_report(file: FileFacts, groups: Sequence[OwnedGroup], findings: int) -> FileReport:
    """One file, its owners with most lines first."""
    counts: Counter[tuple[LineKind, str | None, str]] = Counter()
    for group in groups:
        counts[group.kind, group.intent_id, group.who] += group.lines
    keys = sorted(counts, key=lambda key: (-counts[key], key[0], str(key[1]), key[2]))
    intents = {group.intent_id for group in groups if group.intent_id is not None}
    intents |= {intent_of(record) for record in file.records if is_change(record)} - {UNTRACKED}
    return FileReport(
        file.root,
        file.path,
        file.change.value,
        file.old_path,
        counts.total(),
        tuple(FileOwner(*key, counts[key]) for key in keys),
        tuple(sorted(intents)),
        findings,
    )


def class_reports(records: Sequence[RecordJson], groups: Iterable[OwnedGroup]) -> tuple[ClassReport, ...]:
    """The mutation classes of all records of changes, most changes first, with the lines that they wrote.

    `records` are oldest first; those that settle the classes of others are among them, or have been heard already.
    """
    settled = all_superseded(records[::-1])
    changes: Counter[str] = Counter()
    by_change_set: Counter[str] = Counter()
    declared: Counter[str] = Counter()
    lines: Counter[str] = Counter()
    for record in records:
        if is_change(record):
            name = class_of(record, settled)
            changes[name] += 1
            by_change_set[name] += text_of(record, "id") in settled or PROVISIONAL_KEY in record
            declared[name] += is_declared_class(record)
    for group in groups:
        if group.record is not None and group.kind is not LineKind.ATTESTED:
            lines[class_of(group.record, settled)] += group.lines
    names = sorted(changes | lines, key=lambda name: (-changes[name], name))
    return tuple(ClassReport(name, changes[name], by_change_set[name], declared[name], lines[name]) for name in names)


def in_order(files: Iterable[FileReport]) -> tuple[FileReport, ...]:
    """In order of what to look at first: files with findings, then those with most lines, then by path."""
    return tuple(sorted(files, key=lambda file: (not file.findings, -file.lines, file.path)))


def explained_lines(shares: Iterable[LineShare]) -> int:
    """How many lines something tells of."""
    return sum(share.lines for share in shares if share.kind is not LineKind.UNEXPLAINED)


def percent(part: int, whole: int) -> int | None:
    """How many of a hundred, rounded down, so that 100 means all; None of nothing."""
    return 100 * part // whole if whole else None
