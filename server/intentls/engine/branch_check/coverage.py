"""Do records explain every changed file, and which rules did those records break?"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from msgspec import Struct, field
from msgspec.structs import replace

from intentls.core.branch.change_path import (
    NO_ATTRIBUTES,
    ChangePath,
    ContentChange,
    FileAttributes,
    FileContent,
    FileEvidence,
    RecordRef,
    explain,
    find_path,
    possible_hashes,
)
from intentls.core.branch.findings import BranchCode, BranchFinding, BranchRules, overridden_codes
from intentls.core.ledger.line_range import changed_ranges
from intentls.core.ledger.record_json import FileJson, RecordJson, attestation_of, files_of, text_of
from intentls.core.text.lines import is_binary, split_lines
from intentls.engine.blame.record_history import Owner, last_changes, last_owners
from intentls.engine.branch_check.branch_ledgers import BranchLedgers, Entry
from intentls.engine.branch_check.comparison import ChangedPath, Comparison
from intentls.engine.branch_check.formatted_changes import formatting_changes
from intentls.store.git.attributes import attributes_of
from intentls.store.git.commit_changes import CommittedVersion, committed_versions
from intentls.store.git.commits import read_objects
from intentls.store.git.tree_snapshot import LINK, SUBMODULE

# They write only regular files, so their records can't explain a symbolic link.
_REGULAR_TOOLS = frozenset(
    {"write_to_file", "edit_file", "edit", "search_replace", "insert_code_block", "apply_diff", "apply_patch"}
    | {"did_save"}
)

Lines = tuple[tuple[int, int], ...]
Contents = tuple[bytes | None, bytes | None]
"""Of a file at the base and at the head; None: there is no such file."""


class LineAuthor(NamedTuple):
    """The record that changed a line last, what it says of the file, and the numbers of that entry and conversation."""

    record: RecordRef
    file: FileJson
    owner: Owner


class Coverage(Struct, frozen=True):
    """Judges the changes below one root; `prefix` is what the repository's paths begin with there."""

    comparison: Comparison
    prefix: str
    ledgers: BranchLedgers
    rules: BranchRules
    _attributes: dict[str, FileAttributes] = field(default_factory=dict)
    _judged: dict[str, None] = field(default_factory=dict)
    _history: dict[str, Sequence[CommittedVersion]] = field(default_factory=dict)
    _verdicts: dict[tuple[str, str, frozenset[str], bool], bool] = field(default_factory=dict)
    _formatted: dict[str, tuple[ContentChange, ...]] = field(default_factory=dict)

    def findings(self, changes: Sequence[ChangedPath]) -> Iterator[BranchFinding]:
        """What is wrong with each of `changes`, which are not the tool's own files."""
        submodules = [change for change in changes if SUBMODULE in _modes(change)]
        for change in submodules:
            message = "A submodule moved. What is in it is another repository's history, so somebody has to look at it."
            yield BranchFinding(BranchCode.SUBMODULE_CHANGED, change.path, message)
        self._judged.update(dict.fromkeys(change.path for change in changes))
        self._attributes.update(attributes_of(self.comparison.head, (change.path for change in changes)))
        cases: list[tuple[ChangedPath, Contents, ChangePath | None]] = []
        for change, contents in self._read([change for change in changes if change not in submodules]):
            path = self._explain(change, contents)
            if path is None or any(step.has_violations for step in path):
                cases.append((change, contents, path))
        # Git's history is read only for the few files that are not explained without it.
        recorded = [
            change.path
            for change, _, _ in cases
            if self._entries(change.path) or self.ledgers.older(change.path.removeprefix(self.prefix))
        ]
        versions, earlier = self.comparison.versions(recorded), self.comparison.earlier(recorded)
        for change, contents, path in cases:
            if change.path in recorded:
                between = [oid for oid in versions.get(change.path, ()) if change.new is None or oid != change.new.oid]
                before = earlier.get(change.path, [])
                objects = read_objects(self.comparison.top, [*between, *before])
                texts = [objects[oid] for oid in between if oid in objects]
                earlier_texts = [objects[oid] for oid in before if oid in objects]
                path = self._explain(change, contents, texts, earlier_texts)  # noqa: PLW2901
                if path is None and self.note_formatted(change.path, [*texts, contents[1]]):
                    path = self._explain(change, contents, texts, earlier_texts)  # noqa: PLW2901
            if path is None:
                yield self._unexplained(change, contents)
            else:
                yield from self._violations(change, contents, path)

    def _read(self, changes: Sequence[ChangedPath]) -> Iterator[tuple[ChangedPath, Contents]]:
        """The contents of each file whose content or mode really differs."""
        paths = [change.path for change in changes]
        after = dict(self.comparison.head.read_all(paths))
        before = dict(self.comparison.base.read_all(paths))
        for change in changes:
            old, new = before.get(change.path), after.get(change.path)
            modes = _modes(change)
            if old != new or (len(modes) == 2 and modes[0] != modes[1]):
                yield change, (old, new)

    def _entries(self, path: str) -> list[Entry]:
        return self.ledgers.entries(path.removeprefix(self.prefix))

    def _explain(
        self, change: ChangedPath, contents: Contents, between: Sequence[bytes] = (), earlier: Sequence[bytes] = ()
    ) -> ChangePath | None:
        """The path to the new content, by this branch's records.

        Else by records that the base has already: of changes that were not committed with them. Those up to the last
        one that led to the base's content are used up.
        """
        path = change.path.removeprefix(self.prefix)
        old, new = contents
        evidence = self.evidence(change, old, earlier)
        changes, attributes = evidence.changes, evidence.attributes
        if old == new:  # only the mode changed, so a record that ends with this content must have seen it
            contents_now = evidence.possible(new)
            unchanged = [step for step in changes if step.before == step.after and step.after in contents_now]
            return (min(unchanged, key=lambda step: step.has_violations),) if unchanged else None
        explained = explain(evidence, (*between, new))
        if explained is not None:
            return explained
        if not self.ledgers.older(path):
            return None
        passed = self._passed(change.path, old, attributes)
        late = [self._change(ref, file, path) for ref, file in self.ledgers.late(path, passed)]
        if not late:
            return None
        return explain(replace(evidence, changes=(*changes, *late), earlier=(), origins=earlier), (new,))

    def note_formatted(self, path: str, contents: Iterable[bytes | None]) -> bool:
        """Count from now on that records left some of `contents` of a path, in another format; False if there are none.

        This parses the contents, so it is asked only where nothing else explains them.
        """
        below = path.removeprefix(self.prefix)
        self._formatted[path] = tuple(formatting_changes(below, self._entries(path), contents))
        return bool(self._formatted[path])

    def evidence(self, change: ChangedPath, old: bytes | None, earlier: Sequence[bytes]) -> FileEvidence:
        """What this branch's records say of a path that was `old`; see `explain`."""
        path = change.path.removeprefix(self.prefix)
        changes, sources = self._changes(path, is_link=change.new is not None and change.new.mode == LINK)
        on_disk = self.comparison.on_disk(change.path)
        return FileEvidence(
            path,
            old,
            [*changes, *self._formatted.get(change.path, ())],
            earlier,
            targets=() if on_disk is None else (on_disk,),
            sources=sources,
            attributes=self._attributes.get(change.path, NO_ATTRIBUTES),
        )

    def _passed(self, path: str, old: bytes | None, attributes: FileAttributes) -> frozenset[str | None]:
        """All that the history up to the base ever made of a file: a record that led there has had its turn."""
        if not self._history and self.comparison.base_id is not None:  # git is asked once, for all that are judged
            self._history.update(dict.fromkeys(self._judged, ()))
            top, base = self.comparison.top, self.comparison.base_id
            self._history.update(committed_versions(top, None, base, [*self._judged]))
        versions = self._history.get(path, ())
        oids = {oid for version in versions for oid in (version.oid, *version.parents)}
        contents = read_objects(self.comparison.top, (oid for oid in oids if oid is not None))
        passed = {hash_ for content in (old, *contents.values()) for hash_ in possible_hashes(content, attributes)}
        return frozenset(passed | ({None} if any(version.oid is None for version in versions) else set()))

    def _changes(self, path: str, *, is_link: bool) -> tuple[list[ContentChange], frozenset[FileContent]]:
        """The changes of a file, and of those that were renamed to it; and the contents that those had at the base."""
        changes: list[ContentChange] = []
        names: list[str] = []
        stack = [path]
        while stack:
            name = stack.pop()
            if name in names:
                continue
            names.append(name)
            for ref, file in self._entries(self.prefix + name):
                if is_link and self.ledgers.record(ref).get("tool_name") in _REGULAR_TOOLS:
                    continue
                if file.get("path") != name and not self._stands(ref, file, frozenset()):
                    continue
                changes.append(self._change(ref, file, name))
                old_path = _old_path(file)
                if file.get("path") == name and old_path is not None:
                    stack.append(old_path)
        sources = {
            FileContent(name, hash_)
            for name in names[1:]
            for hash_ in possible_hashes(self.comparison.base.read(self.prefix + name))
        }
        return changes, frozenset(sources)

    def _stands(self, ref: RecordRef, file: FileJson, seen: frozenset[RecordRef]) -> bool:
        """Whether what a rename made is still there, or records say what became of it: else the file was lost."""
        target = str(file.get("path"))
        changes = [
            self._change(other, entry, target)
            for other, entry in self._entries(self.prefix + target)
            if entry.get("path") == target or (other not in seen and self._stands(other, entry, seen | {ref}))
        ]
        start = frozenset({FileContent(target, text_of(file, "post_hash"))})
        attributes = self._attributes.get(self.prefix + target, NO_ATTRIBUTES)
        hashes = possible_hashes(self.comparison.head.read(self.prefix + target), attributes)
        return find_path(changes, start, frozenset(FileContent(target, hash_) for hash_ in hashes)) is not None

    def _change(self, ref: RecordRef, file: FileJson, name: str) -> ContentChange:
        """What a file's entry did to the file `name`; a rename that has it as the old path took it away."""
        is_gone, old_path = file.get("path") != name, _old_path(file)
        return ContentChange(
            FileContent(name if is_gone or old_path is None else old_path, text_of(file, "pre_hash")),
            FileContent(name, None if is_gone else text_of(file, "post_hash")),
            ref,
            self._breaks_rules(self.ledgers.record(ref), name),
        )

    def _breaks_rules(self, record: RecordJson, name: str) -> bool:
        key = (str(record.get("intent_id")), name, overridden_codes(record), attestation_of(record) is not None)
        if key not in self._verdicts:
            self._verdicts[key] = bool(self.rules.violations(record, name))
        return self._verdicts[key]

    def _violations(self, change: ChangedPath, contents: Contents, path: ChangePath) -> Iterator[BranchFinding]:
        """One finding for each violation, of all records that it stands in."""
        records: dict[tuple[BranchCode, str, str], list[RecordRef]] = {}
        for step in path:
            record = self.ledgers.record(step.record)
            for code, message in self.rules.violations(record, step.after.path) if step.has_violations else ():
                records.setdefault((code, message, str(record.get("intent_id"))), []).append(step.record)
        writers = self.writers(change.path, contents[1]) if records else []
        for (code, message, intent_id), refs in records.items():
            yield BranchFinding(
                code,
                change.path,
                f"{message[0].upper()}{message[1:]}.{self._advice(code, change.path.removeprefix(self.prefix))}",
                line_stretches(number for number in changed_lines(contents) if writers and writers[number - 1] in refs),
                None if code is BranchCode.INTENT_REQUIRED else intent_id,
                tuple(str(self.ledgers.record(ref).get("id")) for ref in dict.fromkeys(refs)),
            )

    def _advice(self, code: BranchCode, path: str) -> str:
        if code is not BranchCode.SCOPE_VIOLATION:
            return ""
        intents = self.rules.head.intents.values()
        owners = [intent.id for intent in intents if intent.is_open and intent.scope.contains(path)]
        return f" It is in the scope of {', '.join(owners[:5])}." if owners else ""

    def _unexplained(self, change: ChangedPath, contents: Contents) -> BranchFinding:
        path = change.path.removeprefix(self.prefix)
        entries, writers = self._entries(change.path), self.writers(change.path, contents[1])
        lines = line_stretches(
            number for number in changed_lines(contents) if not writers or writers[number - 1] is None
        )
        verb = _verb(change, contents)
        if not entries:
            refusals = [
                record
                for record in self.ledgers.records
                if record.get("success") is False and path in {file.get("path") for file in files_of(record)}
            ]
            tail = f" The gate had refused it ({refusals[-1].get('code')})." if refusals else ""
            tail += self._denied(path)
            message = f"{verb}, and no record of this branch tells of it.{tail}"
            ids = tuple(str(record.get("id")) for record in refusals[-5:])
            return BranchFinding(BranchCode.UNCOVERED_CHANGE, change.path, message, lines, record_ids=ids)
        last, file = self.ledgers.record(entries[-1][0]), entries[-1][1]
        if contents[0] == contents[1]:
            message = f"{verb}, and no record tells of that."
        elif file.get("post_hash") in possible_hashes(contents[1]):
            message = f"{verb}, but what its records began with is not what the base has: something is missing between."
        else:
            name = f"the last record of it ({last.get('tool_name')}, {last.get('timestamp')})"
            message = f"{verb}, but {name} left other content than this.{self._denied(path)}"
        ids = tuple(str(self.ledgers.record(ref).get("id")) for ref, _ in entries[-5:])
        return BranchFinding(BranchCode.CONTENT_MISMATCH, change.path, message, lines, record_ids=ids)

    def _denied(self, path: str) -> str:
        if self.ledgers.attestations_count or not any(
            path in {file.get("path") for file in files_of(record)}
            for record in self.ledgers.records
            if attestation_of(record) is not None
        ):
            return ""
        return " It was attested, which policy `attest: deny` does not accept."

    def authors(self, path: str, content: bytes | None) -> list[LineAuthor | None]:
        """By line of a content, who changed it last: this branch's record, what it says of the file, the conversation.

        Lines that no other record has may be attested ones, where policy lets that count. [] where there are no lines.
        """
        if content is None or is_binary(content):
            return []
        below = path.removeprefix(self.prefix)
        entries = [(ref, file) for ref, file in self._entries(path) if file.get("path") == below]
        attested = [attestation_of(self.ledgers.record(ref)) is not None for ref, _ in entries]
        authors: list[LineAuthor | None] = [None] * len(split_lines(content))
        for is_attested in (False, True):
            numbers = [number for number, other in enumerate(attested) if other is is_attested]
            owners = last_owners([entries[number][1] for number in numbers], content)
            for line, owner in enumerate(owners):
                if authors[line] is None and owner is not None:
                    number = numbers[owner[0]]
                    authors[line] = LineAuthor(*entries[number], (number, owner[1]))
        return authors

    def writers(self, path: str, content: bytes | None) -> list[RecordRef | None]:
        """By line of a content, the record of this branch that changed it last; [] where there are no lines."""
        if content is None or is_binary(content):
            return []
        below = path.removeprefix(self.prefix)
        entries = [
            (ref, file)
            for ref, file in self._entries(path)
            if file.get("path") == below and attestation_of(self.ledgers.record(ref)) is None
        ]
        last = last_changes([file for _, file in entries], content)
        return [None if number is None else entries[number][0] for number in last]


def _modes(change: ChangedPath) -> tuple[str, ...]:
    return tuple(entry.mode for entry in (change.old, change.new) if entry is not None)


def _old_path(file: FileJson) -> str | None:
    """The former name, if the entry is of a rename."""
    old_path = text_of(file, "old_path")
    return old_path if old_path != file.get("path") else None


def _verb(change: ChangedPath, contents: Contents) -> str:
    if change.old is None:
        return "Added"
    if change.new is None:
        return "Deleted"
    if contents[0] == contents[1]:
        return f"Its mode changed from {change.old.mode} to {change.new.mode}"
    return "Changed"


def changed_lines(contents: Contents) -> list[int]:
    """The numbers of the lines of the new content that are new or changed; [] where one of them is binary."""
    before, after = contents
    if after is None or is_binary(after) or is_binary(before or b""):
        return []
    return [number for part in changed_ranges(before, after) for number in range(part.start_line, part.end_line + 1)]


def line_stretches(numbers: Iterable[int]) -> Lines:
    """Numbers in order as stretches, both ends included: 1, 2, 5 is (1, 2), (5, 5)."""
    ranges: list[tuple[int, int]] = []
    for number in numbers:
        if ranges and ranges[-1][1] == number - 1:
            ranges[-1] = (ranges[-1][0], number)
        else:
            ranges.append((number, number))
    return tuple(ranges)
