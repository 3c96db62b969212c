"""Files in `.orchestration/` and ignore files: who changed what people declare, and what the engine derives?

A change counts if records lead to it, if a commit made it that touches nothing but such files (a person's decision,
which reviewers see by itself), or if the engine derives it from records. Everything else is a finding.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec import Struct
from msgspec.structs import replace

from intentls.core.branch.change_path import ContentChange, FileContent, FileEvidence, RecordRef, explain
from intentls.core.branch.derived_changes import adds_lessons_only, ignores_state_only, is_map_change, is_spatial_map
from intentls.core.branch.findings import BranchCode, BranchFinding, FindingLevel
from intentls.core.derived.lesson import Lesson
from intentls.core.gate.refusal import ScopeValidation
from intentls.core.hashing import content_hash
from intentls.core.ledger.record_json import UNTRACKED, FileJson, text_of
from intentls.core.patterns.protected_paths import (
    INTENTS_FILE,
    LEDGER_FILE,
    POLICY_FILE,
    SIGNERS_FILE,
    is_protected,
    is_single_intent_file,
)
from intentls.engine.branch_check.branch_ledgers import BranchLedgers
from intentls.engine.branch_check.comparison import ChangedPath, Comparison
from intentls.engine.branch_check.late_records import late_entries
from intentls.store.git.commit_changes import CommittedChange, commit_changes
from intentls.store.git.commits import read_objects
from intentls.store.git.ledger_at_commit import is_of_ledger
from intentls.store.git.tree_snapshot import of_commit
from intentls.store.layout import IGNORE_NAME, ORCHESTRATION

_DECLARED = frozenset({INTENTS_FILE, POLICY_FILE, SIGNERS_FILE, f"{ORCHESTRATION}/{IGNORE_NAME}", IGNORE_NAME})
_MAP, _LESSONS, _SPATIAL = (f"{ORCHESTRATION}/{name}" for name in ("intent_map.md", "AGENT.md", "spatial_map.json"))
_HOME = f"{ORCHESTRATION}/"
_GITIGNORE = f"{ORCHESTRATION}/.gitignore"
_DERIVED = frozenset({_MAP, _LESSONS, _SPATIAL, _GITIGNORE})
_REGULAR = frozenset({"100644", "100755"})
_BY_A_COMMIT = RecordRef("branch", -1)


def is_kept(path: str) -> bool:
    """Whether a root-relative path is one of the files that this module judges."""
    return is_protected(path) or is_declared(path)


def is_declared(path: str) -> bool:
    """Whether a root-relative path is that of a file in which people declare something."""
    return path in _DECLARED or is_single_intent_file(path)


class KeptFiles(Struct, frozen=True):
    """Judges the changes of such files in the root at `prefix`. `names` are those of its intents, by id."""

    comparison: Comparison
    prefix: str
    ledgers: BranchLedgers
    names: dict[str, str]

    def findings(self, changes: Sequence[ChangedPath]) -> Iterator[BranchFinding]:
        """What is wrong with each of `changes`, of paths that `is_kept` knows."""
        unexplained: list[ChangedPath] = []
        for change in changes:
            path = change.path.removeprefix(self.prefix)
            if not (path in _DERIVED | {LEDGER_FILE} or is_declared(path) or is_of_ledger(path.removeprefix(_HOME))):
                message = "No guarded edit may write here, so no record can speak for it. Keep it elsewhere."
                yield BranchFinding(BranchCode.PROTECTED_PATH, change.path, message)
            elif change.new is not None and change.new.mode not in _REGULAR:
                message = "It is no regular file any more, so nothing that it says can be trusted. Make it one again."
                code = BranchCode.CONFIGURATION_INVALID if is_declared(path) else BranchCode.PROTECTED_PATH
                yield BranchFinding(code, change.path, message)
            elif path in _DERIVED or is_declared(path):
                yield from self._failures(change)
                if not self._is_derived(change):
                    unexplained.append(change)
            elif change.old is not None and change.new is not None and change.old.mode != change.new.mode:
                unexplained.append(change)
        if unexplained:
            yield from self._uncovered(unexplained)

    def _failures(self, change: ChangedPath) -> Iterator[BranchFinding]:
        """Records that say themselves that the gate did not allow what was done to a declared file."""
        for ref, _ in self.ledgers.entries(change.path.removeprefix(self.prefix)):
            record = self.ledgers.record(ref)
            if record.get("scope_validation") == ScopeValidation.FAIL:
                message = f"{record.get('tool_name')} changed it, which no intent allows. Take it back."
                ids, intent_id = (str(record.get("id")),), text_of(record, "intent_id")
                yield BranchFinding(
                    BranchCode.SCOPE_VIOLATION, change.path, message, intent_id=intent_id, record_ids=ids
                )

    def _is_derived(self, change: ChangedPath) -> bool:
        """Whether the engine may have written the change of a derived file."""
        path = change.path.removeprefix(self.prefix)
        if change.old is not None and change.new is not None and change.old.mode != change.new.mode:
            return False
        old, new = (
            (snapshot.read(change.path) or b"").decode("utf-8", "surrogateescape")
            for snapshot in (self.comparison.base, self.comparison.head)
        )
        if change.new is None:  # what is local from now on; hand-written words must not go with it
            return path in (_MAP, _SPATIAL) or (path == _LESSONS and adds_lessons_only("", old, self._is_known))
        if path == _MAP:
            return is_map_change(old, new, self.names, self._is_recorded)
        if path == _SPATIAL:
            return is_spatial_map(new, {*self.names, UNTRACKED})
        if path == _LESSONS:
            return adds_lessons_only(old, new, self.ledgers.has_lesson)
        if path == _GITIGNORE:
            return ignores_state_only(old, new)
        return False

    def _is_recorded(self, path: str) -> bool:
        return bool(self.ledgers.entries(path) or self.ledgers.older(path))

    def _is_known(self, lesson: Lesson) -> bool:
        """Whether a lesson, or else its file, is on record: older versions put no lesson on record."""
        return self.ledgers.has_lesson(lesson) or self._is_recorded(lesson.path)

    def _uncovered(self, changes: Sequence[ChangedPath]) -> Iterator[BranchFinding]:
        paths = [change.path for change in changes]
        steps = self._steps(paths)
        versions, earlier = self.comparison.versions(paths), self.comparison.earlier(paths)
        for change in changes:
            old, new = self.comparison.base.read(change.path), self.comparison.head.read(change.path)
            own = steps.get(change.path, [])
            between, before = (by_path.get(change.path, []) for by_path in (versions, earlier))
            objects = read_objects(self.comparison.top, [*between, *before])
            evidence = FileEvidence(
                change.path,
                old,
                [*self._recorded(change.path), *(step for _, step in own)],
                [objects[oid] for oid in before if oid in objects],
            )
            contents = [*(objects[oid] for oid in between if oid in objects), new]
            modes = {mode for mode, _ in own}
            has_mode = change.old is None or change.new is None or change.new.mode in {change.old.mode, *modes}
            if not has_mode or (old != new and not self._is_explained(evidence, contents)):
                yield self._finding(change, old, new)

    def _is_explained(self, evidence: FileEvidence, contents: Sequence[bytes | None]) -> bool:
        """Whether records explain the last of `contents`: of this branch, or of the base if no commit used them yet."""
        if explain(evidence, contents) is not None:
            return True
        path = evidence.path
        late = late_entries(self.comparison, self.ledgers, self.prefix, path.removeprefix(self.prefix))
        if not late:
            return False
        steps = [*evidence.changes, *(self._change(path, ref, file) for ref, file in late)]
        return explain(replace(evidence, changes=steps), contents) is not None

    def _finding(self, change: ChangedPath, old: bytes | None, new: bytes | None) -> BranchFinding:
        path = change.path.removeprefix(self.prefix)
        texts = [(content or b"").decode("utf-8", "surrogateescape") for content in (old, new)]
        level, advice = FindingLevel.ERROR, "Let a person commit it by itself, so that a reviewer sees it."
        if path == _LESSONS and change.new is not None and adds_lessons_only(texts[0], texts[1], self._is_known):
            level, advice = FindingLevel.WARNING, "It only got lessons of files that the ledger knows: read them."
        if self.comparison.joined is not None:
            advice = "If that is how a conflict was resolved, a person vouches for it with `intentls attest`."
        verb = "Added" if old is None else "Deleted" if new is None else "Changed"
        message = f"{verb}, and neither a record nor a commit of such files alone tells of it. {advice}"
        return BranchFinding(BranchCode.UNCOVERED_DECLARATION, change.path, message, level=level)

    def _steps(self, paths: Sequence[str]) -> dict[str, list[tuple[str, ContentChange]]]:
        """By path, the mode and the change that each commit made which touches only such files."""
        comparison, steps = self.comparison, dict[str, list[tuple[str, ContentChange]]]()
        commits: list[list[CommittedChange]] = []
        if comparison.head_id is not None and comparison.base_id != comparison.head_id:
            commits = commit_changes(comparison.top, comparison.base_id, comparison.head_id, paths)
        own = [commit for commit in commits if all(self._is_own(change.path) for change in commit)]
        alone = [change for commit in own for change in commit]
        objects = read_objects(comparison.top, (oid for change in alone for oid in change.oids))
        for change in alone:
            contents = (objects.get(change.old_oid), objects.get(change.new_oid))
            steps.setdefault(change.path, []).append((change.new_mode, _step(change.path, *contents)))
        pending = comparison.pending()
        if all(self._is_own(change.path) for change in pending):
            tip = of_commit(comparison.top, comparison.head_id)
            for pending_change in pending:
                path, mode = pending_change.path, "" if pending_change.new is None else pending_change.new.mode
                steps.setdefault(path, []).append((mode, _step(path, tip.read(path), comparison.head.read(path))))
        return steps

    def _is_own(self, path: str) -> bool:
        """Whether a commit may have this path and still be one of such files alone."""
        return path.startswith(self.prefix) and is_kept(path.removeprefix(self.prefix))

    def _recorded(self, path: str) -> Iterator[ContentChange]:
        for ref, file in self.ledgers.entries(path.removeprefix(self.prefix)):
            if self.prefix + str(file.get("path")) == path:
                yield self._change(path, ref, file)

    @staticmethod
    def _change(path: str, ref: RecordRef, file: FileJson) -> ContentChange:
        before, after = (FileContent(path, text_of(file, key)) for key in ("pre_hash", "post_hash"))
        return ContentChange(before, after, ref)


def _step(path: str, before: bytes | None, after: bytes | None) -> ContentChange:
    old, new = (FileContent(path, None if content is None else content_hash(content)) for content in (before, after))
    return ContentChange(old, new, _BY_A_COMMIT)
