"""A report about an intent's whole life: all of its records, and the lines of it that stand today."""

from __future__ import annotations

from collections.abc import Iterator
from typing import cast

from intentls.core.errors import InvalidArgument, InvalidPath
from intentls.core.ledger.record_json import RecordJson, is_imported, objects, text_of
from intentls.core.mutation.classes import Change
from intentls.core.report.compose import make_report
from intentls.core.report.content import Report
from intentls.core.report.facts import FileFacts, LineGroup, ReportFacts, ReportSubject, RootFacts
from intentls.core.report.records import is_change, paths_of
from intentls.core.text.line_hashes import supports_line_blame
from intentls.engine.blame.blame import OwnedRange, blame_content, shown
from intentls.engine.ledger.settled_classes import settled
from intentls.engine.workspace.progress import Progress, no_progress
from intentls.engine.workspace.workspace import Workspace


def report_intent(workspace: Workspace, intent_id: str, progress: Progress = no_progress) -> Report:
    """The report about an intent that is declared, or that records are under.

    `progress` is called while the ledger is read, and may raise to end it. Raises InvalidArgument for an unknown
    intent, and LedgerUnavailable.
    """
    declared = workspace.configuration().intents.intents
    own = (
        record
        for record in workspace.ledger.oldest_first(progress)
        if record.get("intent_id") == intent_id and not is_imported(record)
    )
    records = tuple(cast("RecordJson", record) for record in settled(workspace, own))
    if intent_id not in declared and not records:
        raise InvalidArgument("intent_id", f"{intent_id} is not declared, and no record is under it")
    root = RootFacts(".", {id_: intent for id_, intent in declared.items() if id_ == intent_id}, records)
    return make_report(
        ReportFacts(ReportSubject("intent", intent_id), (root,), tuple(_files(workspace, intent_id, records)))
    )


def _files(workspace: Workspace, intent_id: str, records: tuple[RecordJson, ...]) -> Iterator[FileFacts]:
    by_path: dict[str, list[RecordJson]] = {}
    for record in records:
        for path in paths_of(record) if is_change(record) else ():
            by_path.setdefault(path, []).append(record)
    for path, own in sorted(by_path.items()):
        try:
            content = workspace.contents.read(path).data
        except InvalidPath:  # a folder or a link is there now
            content = None
        groups = () if content is None else tuple(_groups(workspace, intent_id, path, content))
        change = Change.DELETE if content is None else _change(path, own)
        yield FileFacts(".", path, change, groups, tuple(own))


def _groups(workspace: Workspace, intent_id: str, path: str, content: bytes) -> Iterator[LineGroup]:
    """The lines that stand, of this intent alone, by record and conversation."""
    if not supports_line_blame(content):
        return
    groups: dict[tuple[str, int], LineGroup] = {}
    for part in shown(workspace, blame_content(workspace, path, content)):
        if part.record is None or part.record.get("intent_id") != intent_id:
            continue
        key = (str(part.record.get("id")), id(part.conversation))
        lines = part.end_line - part.start_line + 1
        known = groups.get(key)
        groups[key] = _group(part, lines if known is None else known.lines + lines)
    yield from groups.values()


def _group(part: OwnedRange, lines: int) -> LineGroup:
    (contributor,) = objects([(part.conversation or {}).get("contributor")]) or [{}]
    return LineGroup(lines, cast("RecordJson", part.record), contributor)


def _change(path: str, records: list[RecordJson]) -> Change:
    """Whether the intent made the file, or changed one that was there."""
    first = next(file for file in records[0].get("files", []) if text_of(file, "path") == path)
    return Change.ADD if first.get("pre_hash") is None else Change.MODIFY
