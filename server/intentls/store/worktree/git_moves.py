"""What a command's git operations brought into the working tree: git is no author of that.

Of each changed file the content that git explains is found; the command is charged with what differs from it:

    before   git made of it       now      charged
    v1       v2 (a pull)          v2       nothing
    v1       v2 (a pull)          v2+x     x
    v1       nothing              v1+x     x
    v1       v1 and v2, merged    that     nothing; lines that resolve a conflict are the command's

A content is explained where git itself says that it put it there: it is the index's now, HEAD's, or a stash's, and a
commit, an index or a stash from before the command (or one that was fetched) had it at that path.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from hashlib import sha1, sha256
from pathlib import Path

from msgspec.structs import replace

from intentls.core.text.lines import diff, merge3
from intentls.store.git.repository import LogEntry, entries_since, filtered_paths, repository_at
from intentls.store.git.status import IndexEntry, read_blobs, read_index
from intentls.store.worktree.capture import MAX_CONTENT
from intentls.store.worktree.known_versions import KnownVersions, Step, TreeVersion, is_move, made_by, top_prefix
from intentls.store.worktree.state import ABSENT, Presence, TreeChange, TreeContent, TreeState

_MAX_SOURCES = 60  # changes of a file that are tried on it
_MERGING = ("merge", "pull", "cherry-pick", "revert", "rebase", "commit (merge)", "commit (cherry-pick)", "am")
_REPLAYED = ("revert", "cherry-pick")
_UNDER_WAY = ("MERGE_HEAD", "CHERRY_PICK_HEAD", "REVERT_HEAD", "REBASE_HEAD")


def charge(
    root: Path, state: TreeState, changes: Sequence[TreeChange], *, same_index: bool = False
) -> tuple[TreeChange, ...]:
    """What is left of the changes of a command when that is taken out which git explains.

    Where git explains a part, the content that it explains takes the place of what was there before. `same_index`:
    git's index is the very same as before the command.
    """
    if not changes or not state.in_git or state.top is None:
        return tuple(changes)
    if same_index and _is_untouched(Path(state.top), state, changes):
        return tuple(changes)
    return tuple(change for change in _GitMoves(root, state, changes).charged() if change is not None)


def _is_untouched(top: Path, state: TreeState, changes: Iterable[TreeChange]) -> bool:
    """Whether git surely wrote to none of the files: HEAD and the index are as before, and there is no stash.

    A file that was dirty before may have been put back to what the index has.
    """
    dirty = any(change.path in state.files for change in changes)
    return not dirty and not state.known.stashes and entries_since(repository_at(top), state.known) == []


class _GitMoves:
    def __init__(self, root: Path, state: TreeState, changes: Sequence[TreeChange]) -> None:
        top = Path(state.top or root)
        self._root, self._state, self._changes = root, state, changes
        self._prefix = top_prefix(root, top)
        self._paths = [change.path for change in changes]
        self._versions = KnownVersions(repository_at(top), state.known)
        self._index: Mapping[str, IndexEntry] = read_index(root, self._paths) or {}
        self._versions.look_up(["HEAD", *_UNDER_WAY, "refs/stash"], ["AUTO_MERGE"])
        self._head = self._versions.commit_of("HEAD")
        new = {} if self._head is None else self._versions.new_commits(self._head)
        self._new: Mapping[str, tuple[str, ...]] = {} if new is None else new
        self._knows_head = self._head is not None and new == {}
        self._targets = list(dict.fromkeys(self._frontier()))
        self._stashes = list(state.known.stashes)
        commits = [*self._targets, *(part for stash in self._stashes for part in (stash, f"{stash}^3"))]
        if state.revision is not None:
            commits.append(state.revision)
        self._at = self._versions.at(dict.fromkeys(commits), [self._prefix + path for path in self._paths])
        self._steps: dict[str, list[Step]] | None = None
        self._elsewhere: dict[str, list[Step]] | None = None  # what HEAD did not have

    def charged(self) -> Iterable[TreeChange | None]:
        """Each change, less what git explains; None if nothing is left."""
        for change in self._changes:
            yield self._charged(change)

    def _frontier(self) -> Iterable[str]:
        """The known commits that HEAD came to, or that the command built on."""
        if self._knows_head and self._head is not None:
            yield self._head
        yield from (parent for parents in self._new.values() for parent in parents if parent not in self._new)
        places = [move.new for move in self._versions.moves or ()]
        unknown = self._versions.unknown(places)
        yield from (place for place in places if place not in unknown)

    def _charged(self, change: TreeChange) -> TreeChange | None:
        if change.after.presence is Presence.ABSENT:
            return self._charged_absence(change)
        if change.is_unknown:
            return change
        entry = self._index.get(change.path)
        now = None if entry is None else TreeVersion(entry.mode, entry.oid)
        explained = now if now is not None and self._is_explained(change.path, now) else None
        names = self._object_names(change)
        if explained is not None and change.git_mode == explained.mode and explained.oid in names:
            return None
        if any(TreeVersion(change.git_mode, oid) in self._in_stashes(change.path) for oid in names):
            return None
        current = change.before.data
        if explained is not None and explained.oid != self._index_before(change.path):
            current = self._content(change.path, explained)
        return self._from_merge(change, current)

    def _is_explained(self, path: str, now: TreeVersion) -> bool:
        """Whether git had the index's version of a file before the command, or fetched it."""
        if now.oid == self._index_before(path):
            return True
        full = self._prefix + path
        if any(self._at.get((commit, full)) == now for commit in self._targets):
            return True
        return any(now in (step.old, step.new) for step in self._steps_of(path))

    def _index_before(self, path: str) -> str | None:
        if path in self._state.staged:
            return self._state.staged[path]
        head = self._at.get((self._state.revision or "", self._prefix + path))
        return None if head is None else head.oid

    def _charged_absence(self, change: TreeChange) -> TreeChange | None:
        """A file that is gone; None where git took it away, and not to be undone where git may have.

        The latter is so of a file that was not git's before: what HEAD left, to go elsewhere or by a revert, is a
        commit made since that keeps the file's very content.
        """
        if self._is_absence_explained(change):
            return None
        full = self._prefix + change.path
        takers = [] if change.path in self._index else self._takers(full)
        if not takers:
            return change
        was_gits = (self._state.revision or "", full) in self._at
        if was_gits and all(is_move(move) and move.new not in self._untold for move in takers):
            return None
        last = takers[-1]
        is_left = made_by([last], "revert") or (is_move(last) and not was_gits)
        is_kept = self._in_log.get((last.old, full)) in self._names(change.before)
        return replace(change, may_be_gits=is_left and is_kept)

    def _takers(self, full: str) -> list[LogEntry]:
        """Where HEAD came from a commit with this file to one without it; nothing if it has the file again."""
        moves = self._versions.moves
        if not moves or moves[-1].new != self._head or (self._head, full) in self._in_log:
            return []
        return [move for move in moves if (move.old, full) in self._in_log and (move.new, full) not in self._in_log]

    @cached_property
    def _in_log(self) -> Mapping[tuple[str, str], str]:
        """The object of each file that is gone, by each commit that HEAD was at since, and the file's full path."""
        gone = [change.path for change in self._changes if change.after.presence is Presence.ABSENT]
        commits = [commit for move in self._versions.moves or () for commit in (move.old, move.new)]
        return self._versions.objects(dict.fromkeys(commits), [self._prefix + path for path in gone])

    @cached_property
    def _untold(self) -> set[str]:
        """The commits that HEAD was at of which git neither knew before nor tells in its log that it made them."""
        moves = self._versions.moves or ()
        return self._versions.unknown(move.new for move in moves) - {move.new for move in moves if not is_move(move)}

    def _is_absence_explained(self, change: TreeChange) -> bool:
        """Whether git took a file away: it was git's, the index lost it, and where HEAD came to has none."""
        path, full = change.path, self._prefix + change.path
        if path in self._index or self._head is None:
            return False
        if self._is_taken_back(change):
            return True
        if (self._state.revision or "", full) not in self._at:
            parts = [part for name in self._new_stashes() for part in (name, f"{name}^3")]
            stashed = self._versions.at(parts, [full])
            names = self._names(change.before)
            was_merged = self._index_before(path) is not None and any(
                self._index_before(path) in (step.new.oid if step.new else None,) for step in self._steps_of(path)
            )
            return was_merged or any(version.oid in names for version in stashed.values())
        if self._is_taken_elsewhere(path):
            return True
        if self._knows_head:
            return (self._head, full) not in self._at
        lost = any(
            (base, full) in self._versions.at([base], [full]) and (target, full) not in self._at
            for target in self._targets
            for base in self._bases(target)
        )
        return lost and not self._versions.at([self._head], [full])

    def _is_taken_elsewhere(self, path: str) -> bool:
        """Whether a known commit that HEAD did not have took this very file away: a merge or a pick of it does so."""
        if self._elsewhere is None:
            own = [] if self._state.revision is None else [f"^{self._state.revision}"]
            paths = [self._prefix + path for path in self._paths]
            self._elsewhere = self._versions.steps(paths, [*self._versions.tips, *own])
        steps = self._elsewhere.get(self._prefix + path, [])
        before = self._index_before(path)
        return any(step.new is None and step.old is not None and step.old.oid == before for step in steps)

    def _is_taken_back(self, change: TreeChange) -> bool:
        """Whether a revert or a cherry-pick took a file away.

        Git's log says so, and a known commit had added this content (reverted), or had taken it away (picked).
        """
        full, names = self._prefix + change.path, self._names(change.before)
        moves = [(move, made_by([move], "revert")) for move in self._versions.moves or () if made_by([move], _REPLAYED)]
        replays = [(move.old, move.new, is_revert) for move, is_revert in moves]
        under_way = self._versions.commit_of("REVERT_HEAD")
        if under_way is not None:
            replays.append((under_way, f"{under_way}^", True))
        for old, new, is_revert in replays:
            sides = self._versions.at([old, new], [full])
            if (old, full) not in sides or (new, full) in sides:
                continue
            for step in self._steps_of(change.path):
                with_it, without_it = (step.new, step.old) if is_revert else (step.old, step.new)
                if without_it is None and with_it is not None and with_it.oid in names:
                    return True
        return False

    def _new_stashes(self) -> list[str]:
        newest = self._versions.commit_of("refs/stash")
        return [newest] if newest is not None and newest not in self._stashes else []

    def _in_stashes(self, path: str) -> set[TreeVersion]:
        full = self._prefix + path
        names = {name for stash in self._stashes for name in (stash, f"{stash}^3")}
        return {version for (commit, where), version in self._at.items() if where == full and commit in names}

    def _from_merge(self, change: TreeChange, current: bytes | None) -> TreeChange | None:
        """The change from what git made of `current` and other versions, as far as it took lines over as they were."""
        after = change.after.data
        if current is None or after is None:
            return change
        if self._is_merged:
            current = self._merged(change.path, current, after)
        else:  # a cherry-pick or a squash that is not committed leaves no trace but the index
            staged = self._staged(change.path)
            if staged is not None and self._merged(change.path, current, staged) == staged:
                current = staged
        return change if current == change.before.data else self._from(change, current)

    def _merged(self, path: str, current: bytes, goal: bytes) -> bytes:
        """What git may have made of `current`, as near to `goal` as it comes."""
        for old, new in self._sources(path):
            if current == goal:
                break
            merged = merge3(old, current, new)
            if merged is not None and merged != current and _distance(merged, goal) < _distance(current, goal):
                current = merged
        return current

    def _staged(self, path: str) -> bytes | None:
        """What the index has of a file, if it is not what it had before."""
        entry = self._index.get(path)
        if entry is None or entry.oid == self._index_before(path):
            return None
        return self._content(path, TreeVersion(entry.mode, entry.oid))

    def _from(self, change: TreeChange, data: bytes) -> TreeChange | None:
        same_mode = change.mode is None or bool(change.mode & 0o100) == (change.git_mode == "100755")
        if data == change.after.data and same_mode:
            return None
        exact = change.before.exact and not filtered_paths(self._root, [change.path])
        return replace(change, before=TreeContent(Presence.PRESENT, data, exact=exact))

    @cached_property
    def _is_merged(self) -> bool:
        """Whether git put versions together: the log of HEAD says so, a merge is under way, or a stash was used."""
        moves = self._versions.moves or ()
        if any(made_by(moves, verb) for verb in _MERGING) or self._stashes:
            return True
        return bool(self._versions.commits_of(_UNDER_WAY)) or self._versions.has_tree("AUTO_MERGE")

    def _sources(self, path: str) -> Iterable[tuple[bytes, bytes]]:
        """The changes that git may have made to a file, as its content before and after, the most likely first."""
        full = self._prefix + path
        pairs: list[tuple[TreeVersion | None, TreeVersion | None]] = []
        for target in [*self._targets, *self._heads_under_way]:
            for base in self._bases(target):
                sides = self._versions.at([base, target], [full])
                pairs.append((sides.get((base, full)), sides.get((target, full))))
        for stash in self._stashes:
            sides = self._versions.at([f"{stash}^1", stash], [full])
            pairs.append((sides.get((f"{stash}^1", full)), sides.get((stash, full))))
        steps = self._steps_of(path)[:_MAX_SOURCES]
        pairs += [(step.old, step.new) for step in reversed(steps)]
        if made_by(self._versions.moves or (), "revert") or self._versions.commit_of("REVERT_HEAD") is not None:
            pairs += [(step.new, step.old) for step in steps]
        for old, new in dict.fromkeys(pairs):
            if old is not None and new is not None and old != new:
                contents = self._content(path, old), self._content(path, new)
                if contents[0] is not None and contents[1] is not None:
                    yield contents[0], contents[1]

    @cached_property
    def _heads_under_way(self) -> list[str]:
        names = ("MERGE_HEAD", "CHERRY_PICK_HEAD", "REBASE_HEAD")
        return [commit for commit in self._versions.commits_of(names) if not self._versions.unknown([commit])]

    def _bases(self, target: str) -> list[str]:
        base = None if self._state.revision is None else self._versions.merge_base(self._state.revision, target)
        return [] if base is None else [base]

    def _steps_of(self, path: str) -> list[Step]:
        if self._steps is None:
            self._steps = self._versions.steps([self._prefix + path for path in self._paths])
        return self._steps.get(self._prefix + path, [])

    def _content(self, path: str, version: TreeVersion) -> bytes | None:
        return read_blobs(self._root, {path: version.oid}, MAX_CONTENT).get(path)

    def _object_names(self, change: TreeChange) -> set[str]:
        return self._names(change.after)

    def _names(self, content: TreeContent) -> set[str]:
        """The names that git's object of this content may have: git may keep other line ends."""
        if content is ABSENT or content.data is None:
            return set()
        hasher = sha256 if len(self._state.revision or "") == 64 else sha1
        forms = {content.data, content.data.replace(b"\r\n", b"\n")}
        return {hasher(b"blob %d\0" % len(data) + data).hexdigest() for data in forms}


def _distance(one: bytes, other: bytes) -> int:
    """How many lines are to be changed to come from one to the other."""
    return sum(hunk.old_lines + hunk.new_lines for hunk in diff(one, other))
