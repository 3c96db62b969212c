"""Do the records explain how a file's content became another? By hashes alone, so that a yes is proof.

Every record is a change from one content to the next. If a path of changes leads from the old content to the new one,
the change is explained:

    base `A`, head `C`, records 1: A -> B, 2: B -> C, 3: C -> D        the path is 1, 2

A merge or a rebase makes contents that no record left. A three-way merge takes out again what came from elsewhere, and
what is left must be the end of a path:

    record 1     `1 2 3 4 5`    -> `one 2 3 4 5`      on a branch; then it is rebased onto a new base:
    base         `1 2 3 4 five`                       explained, with no changes
    head         `one 2 3 4 five`                     no record left it
    merge3(base, head, `1 2 3 4 5`) = `one 2 3 4 5`   head without what the base has and record 1 did not find

Record 1 leads from `1 2 3 4 5` to just that, so the path to the head is record 1.

A branch that merged main has contents of merges in the middle of its work. What it made is judged from the content of
main that it merged, and the result counts as one change when all of it is merged elsewhere; see `_side_path`.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from typing import Literal, NamedTuple

from msgspec import Struct, field
from msgspec.structs import replace

from intentls.core.hashing import PREFIX, content_hash, hash_of
from intentls.core.text.lines import is_binary, merge3
from intentls.late_pattern import late_pattern

Hash = str | None
"""Of a content; None where there is no file."""

_LFS_POINTER = late_pattern(
    rb"version https://git-lfs\.github\.com/spec/v1\noid sha256:([0-9a-f]{64})\nsize (0|[1-9][0-9]*)\n"
)
_MAX_LFS_POINTER = 1024  # bytes
_MAX_MERGES = 2_000  # that are tried to find a line of work of its own


LedgerName = Literal["base", "branch"]
"""The ledger that the base has, or what the branch added to it."""


class FileAttributes(Struct, frozen=True):
    """What git's attributes say of a file: is it kept as an LFS pointer, and what becomes of its line ends?

    `converts_line_ends`: git itself keeps LF for CRLF. `keeps_line_ends`: nothing may touch them (`-text`).
    """

    is_lfs: bool = False
    converts_line_ends: bool = False
    keeps_line_ends: bool = False


NO_ATTRIBUTES = FileAttributes()


class RecordRef(NamedTuple):
    """A record, by its number among those of a ledger."""

    ledger: LedgerName
    number: int


class FileContent(NamedTuple):
    """A content of the file `path`, which may be a former name of the file in question."""

    path: str
    hash: Hash


class ContentChange(Struct, frozen=True):
    """`record` made `after` of `before`. `has_violations`: the record breaks a rule of the branch check."""

    before: FileContent
    after: FileContent
    record: RecordRef
    has_violations: bool = False


ChangePath = tuple[ContentChange, ...]


class FileEvidence(Struct, frozen=True):
    """What is known of the file `path`.

    `base` is what it was (None: there was no such file), and it may also have begun as one of `sources`, the contents
    of other files that were renamed to it. `earlier` are its contents from before `base`: a change that was made of
    one of them may have been carried to the base by a rebase. `origins` are contents from before it, too, of whose
    changes the base may have a part; `targets` are contents of which a part may be in question: what is on the disk.
    """

    path: str
    base: bytes | None
    changes: Sequence[ContentChange]
    earlier: Sequence[bytes] = ()
    sources: frozenset[FileContent] = frozenset()
    attributes: FileAttributes = NO_ATTRIBUTES
    origins: Sequence[bytes] = ()
    targets: Sequence[bytes] = ()

    def are_same(self, one: bytes | None, other: bytes | None) -> bool:
        """Whether the two are one content, by themselves or by an attribute that makes them so."""
        if one == other:
            return True
        attributes = self.attributes
        return (attributes.is_lfs or attributes.converts_line_ends) and not self.possible(one).isdisjoint(
            self.possible(other)
        )

    def exactly(self, content: bytes | None) -> FileContent:
        """`content` as git keeps it."""
        return FileContent(self.path, hash_of(content))

    def possible(self, content: bytes | None) -> frozenset[FileContent]:
        """What `content` may be in the records."""
        return frozenset(FileContent(self.path, hash_) for hash_ in possible_hashes(content, self.attributes))


def possible_hashes(content: bytes | None, attributes: FileAttributes = NO_ATTRIBUTES) -> frozenset[Hash]:
    """The hashes that a file may have in a working tree when git keeps `content` for it.

    Line ends may be written in another way there, unless an attribute says no: a clone may have `core.autocrlf`. Where
    the attribute `filter=lfs` says so, git keeps an LFS pointer in place of the file; only an empty file has size 0.
    """
    if content is None:
        return frozenset((None,))
    hashes = {content_hash(content)}
    pointer = _LFS_POINTER.fullmatch(content) if attributes.is_lfs and len(content) < _MAX_LFS_POINTER else None
    if pointer is not None:
        target = PREFIX + pointer[1].decode("ascii")
        if (pointer[2] == b"0") == (target == content_hash(b"")):
            hashes.add(target)
    if b"\n" in content and not is_binary(content) and not attributes.keeps_line_ends:
        plain = content.replace(b"\r\n", b"\n")
        hashes |= {content_hash(plain), content_hash(plain.replace(b"\n", b"\r\n"))}
    return frozenset(hashes)


def find_path(
    changes: Iterable[ContentChange], start: frozenset[FileContent], goal: frozenset[FileContent]
) -> ChangePath | None:
    """The changes that lead from one of `start` to one of `goal`, with as few violations as possible.

    This is a 0-1 breadth-first search: a change without violations costs nothing, so what it reaches is looked at
    before all that waits, and what a violation reaches after it. A content may be reached again at a lower cost.
    """
    changes_from: dict[FileContent, list[ContentChange]] = {}
    for change in changes:
        if change.before != change.after:
            changes_from.setdefault(change.before, []).append(change)
    queue: deque[tuple[FileContent, int]] = deque((content, 0) for content in start)
    best: dict[FileContent, tuple[int, ContentChange | None]] = dict.fromkeys(start, (0, None))
    while queue:
        content, cost = queue.popleft()
        if content in goal:
            path: list[ContentChange] = []
            last = best[content][1]
            while last is not None:
                path.append(last)
                last = best[last.before][1]
            return tuple(reversed(path))
        if cost > best[content][0]:
            continue  # it was reached at a lower cost meanwhile
        for change in changes_from.get(content, ()):
            new_cost = cost + change.has_violations
            if change.after not in best or new_cost < best[change.after][0]:
                best[change.after] = (new_cost, change)
                (queue.append if change.has_violations else queue.appendleft)((change.after, new_cost))
    return None


def uncovered_steps(evidence: FileEvidence, contents: Sequence[bytes | None]) -> list[tuple[int, FileContent]]:
    """Which of `contents` nothing explains, by number, each with the content that it was made of.

    `contents` are as for `explain`. What a step was made of is what the last record left that leads on from the content
    before it, so that the step holds no more than what no record tells:

        base `A`, contents `C`, `D`, `E`; records 1: A -> B, 2: D -> E
        0: `C` was made of `B`, which record 1 left
        1: `D` was made of `C`; `E` is explained by record 2
    """
    explained: list[tuple[bytes | None, ChangePath]] = [(evidence.base, ())]
    changes, last, work = list(evidence.changes), evidence.base, _MergeWork(contents)
    steps: list[tuple[int, FileContent]] = []
    for number, content in enumerate(contents):
        if all(content != other for other, _ in explained):
            grown = replace(evidence, changes=changes)
            path = next(_paths(grown, content, explained), None) or _side_path(grown, content, explained, work)
            if path is None:
                before = _last_reached(evidence, last)
                changes.append(ContentChange(before, evidence.exactly(content), RecordRef("branch", -1)))
                steps.append((number, before))
            explained.append((content, path or ()))
        last = content
    return steps


def _last_reached(evidence: FileEvidence, content: bytes | None) -> FileContent:
    """The content of the file that the last record left of all that lead on from `content`, or else that itself."""
    reached = set(evidence.possible(content)) | evidence.sources
    is_growing = True
    while is_growing:
        more = {change.after for change in evidence.changes if change.before in reached} - reached
        reached |= more
        is_growing = bool(more)
    ends = (
        change.after
        for change in reversed(evidence.changes)
        if change.before in reached and change.after != change.before
    )
    return next((end for end in ends if end.path == evidence.path), evidence.exactly(content))


_Explained = Sequence[tuple[bytes | None, ChangePath]]


def explain(evidence: FileEvidence, contents: Sequence[bytes | None]) -> ChangePath | None:
    """The changes behind the last of `contents`; None if it is not explained.

    `contents` are what commits since the base made of the file, oldest first; the one in question is the last. The
    others count as far as they are explained themselves.
    """
    return _explain(evidence, contents, _MergeWork(contents))


class _MergeWork(Struct):
    """What all steps of one search share: the versions of the file, the merges still to be tried, and answers.

    `known` has, by a content and a version that came about from it, the changes between them.
    """

    versions: Sequence[bytes | None]
    merges: int = _MAX_MERGES
    known: dict[tuple[bytes, bytes], ChangePath | None] = field(default_factory=dict)


def _explain(evidence: FileEvidence, contents: Sequence[bytes | None], work: _MergeWork) -> ChangePath | None:
    explained: list[tuple[bytes | None, ChangePath]] = [(evidence.base, ())]
    for content in contents:
        if all(content != other for other, _ in explained):
            path = min(_paths(evidence, content, explained), key=_violation_count, default=None)
            if path is None:
                path = _side_path(evidence, content, explained, work)
            if path is not None:
                explained.append((content, path))
    return next((path for content, path in explained if content == contents[-1]), None)


def _paths(evidence: FileEvidence, content: bytes | None, explained: _Explained) -> Iterator[ChangePath]:
    """A path from each explained content, directly or by what a merge brought in."""
    goal = evidence.possible(content)
    for number, (start, before) in enumerate(explained):
        path = find_path(
            evidence.changes, evidence.possible(start) | (frozenset() if number else evidence.sources), goal
        )
        if path == () and not evidence.are_same(start, content):  # only line ends differ, and they count
            path = find_path(
                evidence.changes, frozenset({evidence.exactly(start)}), frozenset({evidence.exactly(content)})
            )
        if path is not None:
            yield before + path
    if content is not None:
        yield from _merged_paths(evidence, content, explained)
        yield from _partial_paths(evidence, content, explained)


def _merged_paths(evidence: FileEvidence, content: bytes, explained: _Explained) -> Iterator[ChangePath]:
    """The paths to what `content` is without all that an explained content has and an origin of changes has not."""
    texts = [(text, before) for text, before in explained if text is not None]
    starts = {change.before for change in evidence.changes}
    origins = dict.fromkeys([*evidence.earlier, *(text for text, _ in texts)])
    fitting = [origin for origin in origins if evidence.possible(origin) & starts]
    for text, before in texts:
        for origin in fitting:
            recorded = None if text == origin else merge3(text, content, origin)
            if recorded is None:
                continue
            path = find_path(evidence.changes, evidence.possible(origin), evidence.possible(recorded))
            if path:
                yield before + path


def _side_path(
    evidence: FileEvidence, content: bytes | None, explained: _Explained, work: _MergeWork
) -> ChangePath | None:
    """The path to `content` by a merge of an explained content and a version from a line of work of its own.

    The version is judged from an earlier content of the base, where that line of work parted or what it merged last:

        earlier `1 2 3`, base `1 2 three`; records 1: `1 2 3` -> `one 2 3`, 2: `0 1 2 3` -> `0 1 two 3`
        versions `one 2 3`, `0 1 2 3`, ...
    """
    if content is None:
        return None
    for text, before in explained:
        for number, origin in enumerate(evidence.earlier):
            if text is None or text == origin or not work.merges:
                continue
            work.merges -= 1
            side = merge3(text, content, origin)
            if side is None or side == content or side not in work.versions:
                continue
            if (origin, side) not in work.known:
                work.known[origin, side] = None  # while it is looked for
                parted = replace(evidence, base=origin, earlier=evidence.earlier[number + 1 :], sources=frozenset())
                upto = work.versions[: work.versions.index(side) + 1]
                work.known[origin, side] = _explain(parted, upto, work)
            path = work.known[origin, side]
            if path:
                return before + path
    return None


def _partial_paths(evidence: FileEvidence, content: bytes, explained: _Explained) -> Iterator[ChangePath]:
    """The paths to a content of which `content` is a part: some of the changes are committed, others are not yet.

    origin `1 2 3`, record: -> `one 2 three`; committed `one 2 3`, then `one 2 three`
    `one 2 3` is a part of the step, if the target `one 2 three` is on the disk
    `one 2 three` is all of it, and has all of `one 2 3`, so nothing was taken back on the way
    """
    texts = [(text, before) for text, before in explained if text is not None]
    starts = {change.before for change in evidence.changes}
    origins = dict.fromkeys([*evidence.origins, *evidence.earlier, *(text for text, _ in texts)])
    for origin in (origin for origin in origins if evidence.possible(origin) & starts):
        for target in dict.fromkeys([content, *evidence.targets]):
            if not _is_part(origin, content, target):
                continue
            path = find_path(evidence.changes, evidence.possible(origin), evidence.possible(target))
            for text, before in texts if path else ():
                if _is_part(origin, text, content):
                    yield before + (path or ())


def _is_part(origin: bytes, part: bytes, whole: bytes) -> bool:
    """Whether `part` is `origin` with some of the changes that make it `whole`, be it none or all.

    That is so if no line of `part` is changed both ways: `whole` keeps all that tells `part` from `origin`.
    """
    return part in (origin, whole) or merge3(part, origin, whole) is not None


def _violation_count(path: ChangePath) -> int:
    return sum(change.has_violations for change in path)
