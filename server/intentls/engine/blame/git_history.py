"""A source of blame: versions that git has and no record left. They tell which lines stayed, never who wrote them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence

from msgspec.structs import replace

from intentls.core.blame.formatted_lines import formatted_version, with_hashes
from intentls.core.blame.line_owners import Blame
from intentls.core.blame.version_graph import FileVersion, VersionId
from intentls.core.hashing import content_hash
from intentls.core.ledger.line_range import Origin
from intentls.core.ledger.record_json import text_of
from intentls.core.mutation.classes import Change
from intentls.core.mutation.form import form_key
from intentls.core.text.line_hashes import bare_lines, is_unlikely_twice, line_hash, prove_a_block
from intentls.core.text.lines import carry, is_binary
from intentls.engine.actions.mutation_class import Mutation
from intentls.engine.actions.request import PlannedEdit
from intentls.engine.blame.record_history import Histories, LedgerReader, Owner
from intentls.engine.records.file_entries import file_changes
from intentls.engine.workspace.workspace import Workspace
from intentls.store.git.commits import Version, file_versions

_MAX_BYTES = 1024 * 1024  # of one version
_MAX_TOTAL_BYTES = 8 * 1024 * 1024  # of the newest ones, which are compared one with the next: about 2 s


class GitVersions:
    """Links the content, and records that build on what no record left, to older records through git's versions."""

    def __init__(self, workspace: Workspace, ledger: LedgerReader) -> None:
        self._workspace, self._ledger = workspace, ledger
        self._is_asked = False

    def extend(self, history: Histories, blame: Blame[Owner]) -> Histories | None:
        """The history with what git has of the file and its former names; None the second time, or if none is needed.

        What changed between two of git's versions has no owner; what was only moved or formatted keeps its owner.
        """
        if self._is_asked or blame.is_exact:
            return None
        self._is_asked = True
        path = history.paths[0]
        versions = _newest(v for v in file_versions(self._workspace.root, path) if len(v.content) <= _MAX_BYTES)
        if not versions:
            return None
        history = self._ledger.read(history, dict.fromkeys(version.path for version in versions))
        return _GitLinker(history).link([*versions[::-1], Version(path, blame.text.content)])


def _newest(versions: Iterable[Version]) -> list[Version]:
    """As many versions, newest first, as are compared in one blame: what is older stays without an author."""
    newest: list[Version] = []
    left = _MAX_TOTAL_BYTES
    for version in versions:
        left -= len(version.content)
        if left < 0:
            break
        newest.append(version)
    return newest


def _proven(origins: Iterable[Origin], content: bytes) -> Iterator[Origin]:
    """What was formatted in its place, and the moved blocks that more than one line proves: no record tells of them."""
    lines = bare_lines(content)
    for origin in origins:
        block = lines[origin.start_line - 1 : origin.end_line]
        if origin.old_line_hashes is not None or prove_a_block(filter(is_unlikely_twice, block)):
            yield origin


class _GitLinker:
    """Goes through git's versions, and links them to recorded ones of the same content.

    Git has three versions of a file. A record left the first one; the second one came from an edit without a record;
    a record was made of the third one, which another edit without a record had left:

        git        one ------> two ------> three
                    |                        |
        ledger   record 1                 record 2 builds on `three`, a gap

    `one` is record 1's version. `two` and `three` are inferred versions, each with the hunks from the one before. Now
    record 2 has a base: the inferred version `three`, whose unchanged lines are still record 1's.
    """

    def __init__(self, history: Histories) -> None:
        self._history, self._recorded = history, history.graph
        self._inferred_file = len(history.paths)
        self._inferred: list[FileVersion[Owner]] = []
        self._rewritten: list[bytes] = []
        self._linked: dict[VersionId, FileVersion[Owner]] = {}
        self._contents: dict[str, bytes] = {}  # of git's versions, by hash
        self._gaps: defaultdict[str, list[VersionId]] = defaultdict(list)  # by the content that they build on
        for id_, hash_ in history.graph.gaps():
            self._gaps[hash_].append(id_)

    def link(self, versions: Sequence[Version]) -> Histories:
        """The history with the inferred versions, and with what is linked to them. `versions` are oldest first."""
        self._contents = {content_hash(version.content): version.content for version in versions}
        last: tuple[VersionId, Version, str] | None = None
        for version in versions:
            hash_ = content_hash(version.content)
            id_ = self._find(hash_) or self._formatted(version, hash_)
            if id_ is None and last is not None:
                id_ = self._infer(last, version, hash_)
            if id_ is None or is_binary(version.content):
                continue
            self._fill_gaps(hash_, id_)
            last = id_, version, hash_
        if last is not None and last[0][0] != 0 and last[1] is versions[-1]:
            # The content itself is a version of another file, or an inferred one.
            end = 0, len(self._recorded.files[0])
            self._linked[end] = FileVersion(last[2], last[2], (), (), base=last[0])
        history = self._history.with_versions(self._linked).add_inferred(self._inferred)
        return replace(history, rewritten=(*history.rewritten, *self._rewritten))

    def _find(self, hash_: str) -> VersionId | None:
        ids = (self._recorded.find(file, hash_) for file in range(self._inferred_file))
        return next((id_ for id_ in ids if id_ is not None), None)

    def _formatted(self, version: Version, hash_: str) -> VersionId | None:
        """A version with the lines of a recorded one that says the same in another format, as its record proves."""
        if version.path not in self._history.paths or is_binary(version.content):
            return None
        file = self._history.paths.index(version.path)
        keys = {
            text_of(self._history.entries[number][1], "form"): (file, place)
            for place, number in enumerate(self._history.recorded[file])
        }
        base = keys.get(form_key(version.path, version.content)) if keys.keys() - {None} else None
        lines = None if base is None else self._recorded.build((base,)).get(base)
        if base is None or lines is None:
            return None
        older = with_hashes(lines, self._hashes(base))
        self._inferred.append(formatted_version(older, bare_lines(version.content), base, hash_))
        return self._inferred_file, len(self._inferred) - 1

    def _hashes(self, id_: VersionId) -> list[bytes | None]:
        """The hashes of the lines of a recorded version that are as git had them before; [] where git has no such."""
        steps: list[FileVersion[Owner]] = []
        known: VersionId | None = id_
        while known is not None and len(steps) <= len(self._recorded.files[known[0]]):
            steps.append(self._recorded.files[known[0]][known[1]])
            before = self._contents.get(steps[-1].pre_hash or "")
            if before is not None:
                hashes: list[bytes | None] = [line_hash(line) for line in bare_lines(before)]
                try:
                    for step in reversed(steps):
                        hashes = carry(hashes, step.hunks or (), None)
                except ValueError:  # a forged record: its hunks are of another content
                    return []
                return hashes
            known = self._recorded.base(known)
        return []

    def _infer(self, last: tuple[VersionId, Version, str], version: Version, hash_: str) -> VersionId:
        """A version with what changed since the last one."""
        edit = PlannedEdit(version.path, Change.MODIFY, last[1].content, version.content)
        (change,) = file_changes([(edit, ())], Mutation.of((edit,), None).formatted)
        origins = tuple(_proven(change.origins, version.content))
        if origins:
            self._rewritten.append(last[1].content)
        self._inferred.append(FileVersion(last[2], hash_, change.hunks, (), origins, base=last[0]))
        return self._inferred_file, len(self._inferred) - 1

    def _fill_gaps(self, hash_: str, id_: VersionId) -> None:
        """Let the records that found this content build on the version that has it."""
        for gap in self._gaps.pop(hash_, ()):
            # A record does not build on what came of it.
            graph = self._recorded.with_versions(self._linked).with_file(self._inferred)
            if not graph.depends_on(id_, gap):
                file, place = gap
                self._linked[gap] = replace(self._recorded.files[file][place], base=id_)
