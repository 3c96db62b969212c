"""Is every changed file explained by records, and what is to be said against those records?"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from intentls.core.branch.change_path import ContentChange, FileEvidence, Hash, Trail, explain, spellings
from intentls.core.branch.findings import BranchCode, BranchFinding, BranchRules
from intentls.core.ledger.line_range import changed_ranges
from intentls.core.text.lines import is_binary
from intentls.engine.blame.record_history import last_changes
from intentls.engine.branch_check.branch_ledgers import BranchLedgers, Entry, Record
from intentls.engine.branch_check.comparison import ChangedPath, Comparison
from intentls.store.git.commits import read_objects
from intentls.store.git.tree_snapshot import LINK, SUBMODULE

# What makes only regular files: whoever put a link in the place of one did it in another way.
_REGULAR = frozenset({"write_to_file", "edit_file", "edit", "search_replace", "insert_code_block", "apply_diff"})
_REGULAR_TOOLS = _REGULAR | {"apply_patch", "did_save"}

Lines = tuple[tuple[int, int], ...]
Contents = tuple[bytes | None, bytes | None]


@dataclass(frozen=True, slots=True)
class Coverage:
    """Judges the changes below one root; `prefix` is what the repository's paths begin with there."""

    comparison: Comparison
    prefix: str
    book: BranchLedgers
    law: BranchRules

    def findings(self, changes: Sequence[ChangedPath]) -> Iterator[BranchFinding]:
        """What is wrong with each of `changes`, which are not the tool's own files."""
        modules = [each for each in changes if SUBMODULE in _modes(each)]
        yield from (_submodule(each) for each in modules)
        files = [each for each in changes if each not in modules]
        open_cases: list[tuple[ChangedPath, Contents, Trail | None]] = []
        for change, contents in self._read(files):
            found = self._explained(change, contents, (), ())
            if found is None or any(step.is_faulty for step in found):
                open_cases.append((change, contents, found))
        yield from self._look_closer(open_cases)

    def _look_closer(self, cases: Sequence[tuple[ChangedPath, Contents, Trail | None]]) -> Iterator[BranchFinding]:
        """What only git's history can tell is asked for the few files for which it matters."""
        known = [case[0].path for case in cases if self._entries(case[0].path)]
        versions, earlier = self.comparison.versions(known), self.comparison.earlier(known)
        for change, contents, found in cases:
            if change.path in known:
                among = [oid for oid in versions.get(change.path, ()) if change.new is None or oid != change.new.oid]
                objects = read_objects(self.comparison.top, [*among, *earlier.get(change.path, ())])
                between = [objects[oid] for oid in among if oid in objects]
                origins = [objects[oid] for oid in earlier.get(change.path, ()) if oid in objects]
                found = self._explained(change, contents, between, origins)  # noqa: PLW2901
            yield from self._judged(change, contents, found)

    def _read(self, changes: Sequence[ChangedPath]) -> Iterator[tuple[ChangedPath, Contents]]:
        paths = [change.path for change in changes]
        after = dict(self.comparison.head.read_all(paths))
        before = dict(self.comparison.base.read_all(paths))
        for change in changes:
            old, new = before.get(change.path), after.get(change.path)
            if old != new or _is_remodeled(change):
                yield change, (old, new)

    def _entries(self, path: str) -> list[Entry]:
        return self.book.entries(path.removeprefix(self.prefix))

    def _explained(
        self, change: ChangedPath, contents: Contents, between: Sequence[bytes], origins: Sequence[bytes]
    ) -> Trail | None:
        path = change.path.removeprefix(self.prefix)
        old, new = contents
        steps, sources = self._steps(path, is_link=change.new is not None and change.new.mode == LINK)
        if old == new:
            return _remodeled(new, steps)
        known = FileEvidence(old, tuple(steps), tuple(origins), sources)
        return explain(known, (*between, new)) or self._leftover(path, old, new, steps, sources)

    def _leftover(
        self, path: str, old: bytes | None, new: bytes | None, steps: list[ContentChange], sources: frozenset[Hash]
    ) -> Trail | None:
        """With records that the base has already, of changes that were not committed with them.

        What stands before the last one that led to the base's content had its turn.
        """
        older = self.book.older(path)
        ends = spellings(old)
        used = max((at for at, (_, file) in enumerate(older) if file.get("post_hash") in ends), default=-1)
        late = [self._step(path, -1 - number, file) for number, file in older[used + 1 :] if _is_own(file, path)]
        return explain(FileEvidence(old, (*steps, *late), (), sources), (new,)) if late else None

    def _steps(self, path: str, *, is_link: bool = False) -> tuple[list[ContentChange], frozenset[Hash]]:
        """The steps of a file, and of those that were renamed to it; and the hashes that those began with."""
        steps: list[ContentChange] = []
        sources: set[Hash] = set()
        waiting, done = [path], set[str]()
        while waiting:
            name = waiting.pop()
            done.add(name)
            for number, file in self._entries(self.prefix + name):
                if is_link and self.book.record(number).get("tool_name") in _REGULAR_TOOLS:
                    continue
                if _is_own(file, name):
                    steps.append(self._step(path, number, file, name))
                    if (old := _old_path(file)) is not None and old not in done:
                        waiting.append(old)
                else:
                    steps.append(self._gone(path, number, file, name))
        for name in done - {path}:
            sources |= {_node(path, name, each) for each in spellings(self.comparison.base.read(self.prefix + name))}
        return steps, frozenset(sources)

    def _step(self, path: str, number: int, file: Record, name: str | None = None) -> ContentChange:
        name = path if name is None else name
        old = _old_path(file)
        before = _node(path, name if old is None else old, file.get("pre_hash"))
        return ContentChange(before, _node(path, name, file.get("post_hash")), number, bool(self._faults(number, name)))

    def _gone(self, path: str, number: int, file: Record, name: str) -> ContentChange:
        """A rename, as seen from where the file was."""
        before = _node(path, name, file.get("pre_hash"))
        return ContentChange(before, _node(path, name, None), number, bool(self._faults(number, name)))

    def _faults(self, number: int, path: str) -> tuple[tuple[BranchCode, str], ...]:
        return self.law.faults(self._record(number), path)

    def _record(self, number: int) -> Record:
        return self.book.record(number) if number >= 0 else self.book.record(-1 - number, is_older=True)

    def _judged(self, change: ChangedPath, contents: Contents, found: Trail | None) -> Iterator[BranchFinding]:
        path = change.path.removeprefix(self.prefix)
        if found is None:
            yield self._unexplained(change, contents)
            return
        against: dict[tuple[BranchCode, str, str], list[int]] = {}
        for step in found:
            record, name = self._record(step.record), _name(path, step.after)
            for code, message in self._faults(step.record, name) if step.is_faulty else ():
                against.setdefault((code, message, str(record.get("intent_id"))), []).append(step.record)
        for (code, message, intent_id), numbers in against.items():
            yield BranchFinding(
                code,
                change.path,
                f"{message[0].upper()}{message[1:]}.{self._advice(code, path)}",
                self._lines_by(path, contents, numbers),
                None if code is BranchCode.INTENT_REQUIRED else intent_id,
                tuple(str(self._record(number).get("id")) for number in dict.fromkeys(numbers)),
            )

    def _advice(self, code: BranchCode, path: str) -> str:
        if code is not BranchCode.SCOPE_VIOLATION:
            return ""
        intents = self.law.head.intents.values()
        owners = [intent.id for intent in intents if intent.is_open and intent.scope.contains(path)]
        return f" It is in the scope of {', '.join(owners[:5])}." if owners else ""

    def _unexplained(self, change: ChangedPath, contents: Contents) -> BranchFinding:
        path = change.path.removeprefix(self.prefix)
        entries = self._entries(change.path)
        refused = [r for r in self.book.records if r.get("success") is False and path in _paths(r)]
        ids = tuple(str(self._record(number).get("id")) for number, _ in entries)
        lines = self._lines_without(path, contents)
        what = _what(change, contents)
        if not entries:
            tail = f" The gate had refused it ({refused[-1].get('code')})." if refused else ""
            ids = tuple(str(record.get("id")) for record in refused)
            message = f"{what}, and no record of this branch tells of it.{tail}"
            return BranchFinding(BranchCode.UNCOVERED_CHANGE, change.path, message, lines, record_ids=ids[-5:])
        message = f"{what}, but {_last(self._record(entries[-1][0]))} left other content than this."
        if contents[0] == contents[1]:
            message = f"{what}, and no record tells of that."
        elif entries[-1][1].get("post_hash") in spellings(contents[1]):
            message = f"{what}, but what its records began with is not what the base has: something is missing between."
        return BranchFinding(BranchCode.CONTENT_MISMATCH, change.path, message, lines, record_ids=ids[-5:])

    def _lines_without(self, path: str, contents: Contents) -> Lines:
        """The changed lines that no record has."""
        owners = self._owners(path, contents)
        return _ranges(number for number in _changed_lines(contents) if not owners or owners[number - 1] is None)

    def _lines_by(self, path: str, contents: Contents, numbers: Sequence[int]) -> Lines:
        """The changed lines that these records wrote."""
        owners = self._owners(path, contents)
        return _ranges(number for number in _changed_lines(contents) if owners and owners[number - 1] in numbers)

    def _owners(self, path: str, contents: Contents) -> list[int | None]:
        """By line of the new content, the number of the record that wrote it."""
        if contents[1] is None or is_binary(contents[1]):
            return []
        entries = [(number, file) for number, file in self._entries(self.prefix + path) if _is_own(file, path)]
        changes = last_changes([file for _, file in entries], contents[1])
        return [None if change is None else entries[change][0] for change in changes]


def _remodeled(content: bytes | None, steps: Sequence[ContentChange]) -> Trail | None:
    """Only the mode changed, so only a record that ends with this content can have seen it."""
    marks = spellings(content)
    fitting = [step for step in steps if step.after in marks and step.before == step.after]
    return (min(fitting, key=lambda step: step.is_faulty),) if fitting else None


def _modes(change: ChangedPath) -> tuple[str, ...]:
    return tuple(entry.mode for entry in (change.old, change.new) if entry is not None)


def _is_remodeled(change: ChangedPath) -> bool:
    return change.old is not None and change.new is not None and change.old.mode != change.new.mode


def _submodule(change: ChangedPath) -> BranchFinding:
    message = "A submodule moved. What is in it is another repository's history, so somebody has to look at it."
    return BranchFinding(BranchCode.SUBMODULE_CHANGED, change.path, message)


def _node(path: str, name: str, hash_: object) -> Hash:
    """A content of the file itself by its hash; of another file with that one's name, so that they don't mix."""
    mark = hash_ if isinstance(hash_, str) else None
    return mark if name == path else f"{name}\0{mark or ''}"


def _name(path: str, node: Hash) -> str:
    return path if node is None or "\0" not in node else node.partition("\0")[0]


def _is_own(file: Record, path: str) -> bool:
    return file.get("path") == path


def _old_path(file: Record) -> str | None:
    old = file.get("old_path")
    return old if isinstance(old, str) and old != file.get("path") else None


def _paths(record: Record) -> set[object]:
    files = record.get("files")
    return {file.get("path") for file in files if isinstance(file, dict)} if isinstance(files, list) else set()


def _what(change: ChangedPath, contents: Contents) -> str:
    if change.old is None:
        return "Added"
    if change.new is None:
        return "Deleted"
    if contents[0] == contents[1]:
        return f"Its mode changed from {change.old.mode} to {change.new.mode}"
    return "Changed"


def _last(record: Record) -> str:
    return f"the last record of it ({record.get('tool_name')}, {record.get('timestamp')})"


def _changed_lines(contents: Contents) -> list[int]:
    before, after = contents
    if after is None or is_binary(after) or is_binary(before or b""):
        return []
    ranges = changed_ranges(before, after)
    return [number for each in ranges for number in range(each.start_line, each.end_line + 1)]


def _ranges(numbers: Iterable[int]) -> Lines:
    found: list[tuple[int, int]] = []
    for number in numbers:
        if found and found[-1][1] == number - 1:
            found[-1] = (found[-1][0], number)
        else:
            found.append((number, number))
    return tuple(found)
