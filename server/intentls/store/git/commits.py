"""Questions to git about commits: which one a name means, what one changed, which versions a file had.

Where git has no answer (it fails, is not installed, takes too long) `ask_git` gives None; each function says whether
that is an empty answer or a ConfigurationError.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from pathlib import Path

from msgspec import Struct

from intentls.core.errors import ConfigurationError
from intentls.core.mutation.classes import Change
from intentls.core.patterns.protected_paths import LEDGER_FILE
from intentls.late_pattern import late_pattern
from intentls.store.git.command import ask_git
from intentls.store.layout import TRACE_FOLDER

AS_COMMITTED = "--no-replace-objects"
"""What counts is what was committed, not what this clone shows in its place."""

_TIMEOUT_S = 120.0
_SEARCH_TIMEOUT_S = 60.0
_MAX_PATHS = 200  # in one question: a command line has an end
_MAX_COMMITS = 200  # that `file_versions` goes back
_MAX_VERSION_BYTES = 8 * 1024 * 1024  # of all versions of a file together
_PLAIN_DIFF = ("--no-ext-diff", "--no-textconv")
_RAW = late_pattern(
    rb":[0-7]{6} ([0-7]{6}) [0-9a-f]+ ([0-9a-f]+) (?:R[0-9]*\0([^\0]+)|C[0-9]*\0[^\0]+|[A-Z])\0([^\0]+)\0"
)
_FILES = (b"100644", b"100755")
_LOG_FORMAT = "--format=%H%x1f%an%x1f%cI%x1f%s%x00"
_KINDS = {"A": Change.ADD, "D": Change.DELETE, "M": Change.MODIFY, "R": Change.RENAME, "T": Change.MODIFY}


class ChangedFile(Struct, frozen=True):
    """One file of a commit. `before`/`after` None: it did not exist there. `old_path` only of a rename."""

    path: str
    change: Change
    before: bytes | None
    after: bytes | None
    old_path: str | None = None


class Version(Struct, frozen=True):
    """What a file held, and its name then, relative to the directory that was asked about."""

    path: str
    content: bytes


class CommitEntry(Struct, frozen=True):
    """A commit. `timestamp` is its committer's, RFC 3339; `subject` is one line."""

    commit: str
    author: str
    timestamp: str
    subject: str


def work_tree(directory: Path) -> Path:
    """The top of the work tree that `directory` lies in. Raises ConfigurationError outside git."""
    top = _path_told(directory, "--show-toplevel")
    if top is None:
        raise ConfigurationError(
            f"{directory} is in no git work tree (or git is not installed, or refuses to read it), and only git knows "
            "what a branch changed."
        )
    return top


def repository(directory: Path) -> Path:
    """The same where there is one; else the repository without a work tree that `directory` is, or lies in.

    Raises ConfigurationError outside git.
    """
    found = _path_told(directory, "--show-toplevel") or _path_told(directory, "--absolute-git-dir")
    if found is None:
        raise ConfigurationError(
            f"{directory} is in no git repository (or git is not installed, or refuses to read it). "
            "Name one that has the commit."
        )
    return found


def _path_told(directory: Path, option: str) -> Path | None:
    output = _ask(directory, "rev-parse", option)
    return Path(os.fsdecode(output).removesuffix("\n")).resolve() if output else None


def commit_id(top: Path, name: str) -> str:
    """The commit that a branch, a tag or an id names. Raises ConfigurationError."""
    output = None if name.startswith("-") else _ask(top, "rev-parse", "--verify", "--quiet", f"{name}^{{commit}}")
    if output is None:
        hint = f" `git fetch origin {name.removeprefix('origin/')}` may bring it." if not name.startswith("-") else ""
        raise ConfigurationError(f"git knows no commit {name!r} here.{hint}")
    return output.decode("ascii").strip()


def resolve_any(top: Path, names: Iterable[str]) -> str | None:
    """The commit of the first of some names that there is."""
    outputs = (_ask(top, "rev-parse", "--verify", "--quiet", f"{name}^{{commit}}") for name in names)
    return next((output.decode("ascii").strip() for output in outputs if output), None)


def begun_by(top: Path, name: str) -> list[str]:
    """The commits that first had a file of this path, at the top or below; none where git can't tell."""
    log = ("log", "--diff-filter=A", "--no-renames", "--format=%H", "--reverse")
    output = _ask(top, *log, "--", f":(top,glob)**/{name}")
    return (output or b"").decode("ascii").split()[:1]


def merge_base(top: Path, base: str, head: str) -> str:
    """Where two commits part. Raises ConfigurationError, with advice for a shallow clone."""
    output = _ask(top, "merge-base", base, head)
    if output is not None:
        return output.decode("ascii").strip()
    if (_ask(top, "rev-parse", "--is-shallow-repository") or b"").strip() == b"true":
        raise ConfigurationError(
            f"This clone is shallow: where {base[:12]} and {head[:12]} part is not in it. Fetch more history: "
            "`git fetch --unshallow`, or `fetch-depth: 0` in the checkout step."
        )
    raise ConfigurationError(f"{base[:12]} and {head[:12]} have no commit in common. Choose another base.")


def first_commits(top: Path, commit: str) -> list[str]:
    """The commits that a history begins with; first that of the main line.

    Raises ConfigurationError in a shallow clone.
    """
    shallow = git_path(top, "shallow")
    if shallow is None or shallow.exists():
        raise ConfigurationError(
            "This clone is shallow, and a signature names the repository's first commit. Fetch it: "
            "`git fetch --unshallow`, or `fetch-depth: 0` in the checkout step."
        )
    commits = _without_parents(top, commit)
    if len(commits) > 1:
        commits = list(dict.fromkeys([*_without_parents(top, "--first-parent", commit), *commits]))
    if not commits:
        raise ConfigurationError(f"git can't tell with which commit the history of {commit[:12]} begins.")
    return commits


def _without_parents(top: Path, *choice: str) -> list[str]:
    return (_ask(top, "rev-list", "--max-parents=0", *choice) or b"").decode("ascii").split()


def regular_files_at(top: Path, commit: str, paths: Sequence[str]) -> dict[str, bytes]:
    """What a commit has at these paths, as far as they are regular files in it."""
    listed = (_ask(top, "ls-tree", "-z", "--full-tree", commit, "--", *paths) or b"").split(b"\0")[:-1]
    entries = ((os.fsdecode(path), meta.split()) for meta, _, path in (line.partition(b"\t") for line in listed))
    oids = {path: meta[2].decode("ascii") for path, meta in entries if meta[0] in _FILES}
    contents = read_objects(top, oids.values())
    return {path: contents[oid] for path, oid in oids.items() if oid in contents}


def commits_between(top: Path, base: str | None, head: str) -> list[CommitEntry]:
    """The commits from `base` (excluded; None: from the first) to `head`, oldest first. Raises ConfigurationError."""
    log = ("log", "--reverse", "--topo-order", "--no-mailmap", _LOG_FORMAT)
    output = _ask(top, *log, head if base is None else f"{base}..{head}", "--")
    if output is None:
        raise ConfigurationError(f"git can't list the commits up to {head[:12]}.")
    entries = (entry.strip(b"\n") for entry in output.split(b"\0"))
    return [CommitEntry(*entry.decode("utf-8", "replace").split("\x1f", 3)) for entry in entries if entry]


def last_commit_before(top: Path, head: str, moment: datetime) -> str:
    """The newest commit of `head`'s own line (first parents) before `moment`. Raises ConfigurationError."""
    before = f"--before={int(moment.timestamp())}"
    output = _ask(top, "rev-list", "--first-parent", "--max-count=1", before, commit_id(top, head), "--")
    if not output:
        raise ConfigurationError(
            f"No commit of {head} is older than {moment.isoformat()}. Name a later time, or a commit or tag."
        )
    return output.decode("ascii").strip()


def changed_versions(top: Path, base: str, head: str, paths: Iterable[str]) -> dict[str, list[str]]:
    """By path, the objects of the versions that the commits from `base` (excluded) to `head` made, oldest first."""
    return _versions(top, paths, ("--reverse", "--topo-order", "-m", f"{base}..{head}"))


def earlier_versions(top: Path, base: str, paths: Iterable[str], limit: int) -> dict[str, list[str]]:
    """By path, the objects of the newest versions up to `base`, newest first; from at most `limit` commits."""
    return _versions(top, paths, (f"--max-count={limit}", base))


def changed_paths(top: Path, commit: str) -> tuple[str, ...]:
    """The paths that a commit changed; of a merge, those in which it differs from each of its parents."""
    output = _ask(top, "diff-tree", "-r", "-c", "--root", "-z", "--no-commit-id", "--name-only", "--no-renames", commit)
    return tuple(os.fsdecode(path) for path in (output or b"").split(b"\0") if path)


def added_lines(top: Path, commit: str, path: str) -> list[bytes]:
    """The lines of a file, without their ends, that a commit has and none of its parents has."""
    parents = (_ask(top, "rev-list", "--parents", "--max-count=1", commit) or b"").decode("ascii").split()[1:]
    earlier = {line for parent in parents for line in _lines(top, parent, path)}
    return [line for line in _lines(top, commit, path) if line not in earlier]


def changed_files(top: Path, commit: str, base_commit: str | None = None) -> tuple[ChangedFile, ...]:
    """The files that `commit` changed against its first parent, or another commit, renames found, in git's order.

    A root commit adds all. Raises ConfigurationError if git can't tell.
    """
    lineage = ask_git(top, "rev-list", "--parents", "--max-count=1", commit, timeout_s=_TIMEOUT_S)
    if lineage is None:
        raise ConfigurationError(f"git can't tell what {commit[:12]} changed. Is the whole history here?")
    parents = lineage.decode("ascii").split()[1:2]
    return _changed(top, commit, parents or ["--root"] if base_commit is None else [base_commit])


def changed_between(top: Path, base: str, tree: str) -> tuple[ChangedFile, ...]:
    """The same between two commits or trees. Raises ConfigurationError if git can't tell."""
    return _changed(top, tree, [base])


def is_merge(top: Path, commit: str) -> bool:
    """Whether a commit has several parents."""
    return len((_ask(top, "rev-list", "--parents", "--max-count=1", commit) or b"").split()) > 2


def commits_since(top: Path, revision: str | None, limit: int) -> list[str]:
    """The newest commits up to HEAD that `revision` (None: the time before the first) does not have, oldest first."""
    known = () if revision is None else (f"^{revision}",)
    output = _ask(top, "rev-list", "--no-merges", f"--max-count={limit}", "HEAD", *known)
    return (output or b"").decode("ascii").split()[::-1]


def _changed(top: Path, commit: str, base: list[str]) -> tuple[ChangedFile, ...]:
    diff = ("diff-tree", "-r", "-z", "--no-commit-id", "--find-renames", "--no-abbrev", "--ignore-submodules=all")
    output = ask_git(top, *diff, *_PLAIN_DIFF, *base, commit, timeout_s=_TIMEOUT_S)
    if output is None:
        raise ConfigurationError(f"git can't tell what {commit[:12]} changed. Is the whole history here?")
    rows: list[tuple[str, str, str, list[str]]] = []
    items = iter(output.split(b"\0")[:-1])
    for item in items:
        _, _, old, new, status = item.decode("ascii").split(" ")
        names = [os.fsdecode(next(items)) for _ in range(2 if status[0] == "R" else 1)]
        rows.append((old, new, status[0], names))
    contents = read_objects(top, (oid for old, new, _, _ in rows for oid in (old, new) if oid.strip("0")))
    return tuple(
        ChangedFile(
            names[-1], _KINDS[status], contents.get(old), contents.get(new), names[0] if status == "R" else None
        )
        for old, new, status, names in rows
    )


def file_versions(root: Path, path: str) -> list[Version]:
    """The contents that root-relative `path` had in the commits up to HEAD, followed through renames, newest first.

    [] outside git, and where git can't tell. What a copy was made of is another file.
    """
    names: dict[str, str] = {}
    for oid, name in _followed(root, path):
        names.setdefault(oid, name)
    versions: list[Version] = []
    left = _MAX_VERSION_BYTES
    for oid, content in read_objects(root, names).items():
        if len(content) <= left:
            left -= len(content)
            versions.append(Version(names[oid], content))
    return versions


def former_names(root: Path, path: str) -> list[str]:
    """The other names that root-relative `path` had in the commits up to HEAD, the newest first; [] outside git."""
    names = dict.fromkeys(name for _, name in _followed(root, path))
    return [name for name in names if name != path]


def _followed(root: Path, path: str) -> Iterator[tuple[str, str]]:
    """The object and the path of each version, newest first."""
    output = ask_git(
        root,
        *(AS_COMMITTED, "-c", "log.diffMerges=separate", "log", "-m", "--follow", f"--max-count={_MAX_COMMITS}"),
        *("--format=", "--raw", "--no-abbrev", "-z", "--find-renames", *_PLAIN_DIFF),
        *("--relative", "--", f":(literal){path}"),
        timeout_s=_TIMEOUT_S,
    )
    # With --follow git goes on to the file that a copy was made of as well.
    names = {os.fsencode(path)}
    for mode, oid, old_name, name in _RAW.findall(output or b""):
        if name in names:
            names |= {old_name} - {b""}
            if mode in _FILES:
                yield oid.decode("ascii"), os.fsdecode(name)


def is_on_another_branch(root: Path, record_id: str) -> bool:
    """Whether a record of this id was committed to the ledger somewhere that HEAD does not include.

    A branch that is not checked out, or a stash. False outside git, and where git can't tell.
    """
    # `-m`: a stash is a merge, and of merges git shows no changes unless it is asked to.
    search = ("log", "--all", "-m", "--not", "HEAD", *_PLAIN_DIFF, "--format=%H", "-1", f"-S{record_id}")
    output = ask_git(root, *search, "--", LEDGER_FILE, TRACE_FOLDER, timeout_s=_SEARCH_TIMEOUT_S)
    return bool((output or b"").strip())


def git_path(top: Path, name: str) -> Path | None:
    """Where the repository keeps something: `hooks`, `rebase-merge`. None outside git."""
    output = _ask(top, "rev-parse", "--git-path", name)
    return None if output is None else top / os.fsdecode(output).removesuffix("\n")


def git_paths(top: Path, names: Sequence[str]) -> list[Path]:
    """As `git_path`, of several, by one process; none outside git."""
    output = _ask(top, "rev-parse", *(word for name in names for word in ("--git-path", name)))
    lines = os.fsdecode(output or b"").split("\n")[:-1]
    if len(lines) == len(names):
        return [top / line for line in lines]
    return [path for name in names if (path := git_path(top, name)) is not None]  # one has a line end in it


def read_objects(top: Path, oids: Iterable[str]) -> Mapping[str, bytes]:
    """The contents of objects, as git keeps them. One that is missing is left out."""
    unique = list(dict.fromkeys(oids))
    if not unique:
        return {}
    output = _ask(top, "cat-file", "--batch", stdin="".join(f"{oid}\n" for oid in unique).encode("ascii"))
    return dict(batch_contents(unique, output or b""))


def batch_contents(names: Iterable[str], output: bytes) -> Iterator[tuple[str, bytes]]:
    """The contents in what `git cat-file --batch` wrote, each with the name of what was asked for in its place.

    Each begins with a line: `OBJECT TYPE SIZE`, or `OBJECT missing`, which has no content and is left out.
    """
    start = 0
    for name in names:
        end = output.find(b"\n", start)
        if end < 0:
            return
        parts = output[start:end].split(b" ")
        start = end + 1
        if len(parts) == 3 and parts[2].isdigit():
            size = int(parts[2])
            yield name, output[start : start + size]
            start += size + 1


def _versions(top: Path, paths: Iterable[str], choice: Iterable[str]) -> dict[str, list[str]]:
    versions: dict[str, list[str]] = {}
    pathspecs = [f":(top,literal){path}" for path in paths]
    for start in range(0, len(pathspecs), _MAX_PATHS):
        output = _ask(
            top,
            *("-c", "log.diffMerges=separate", "log"),
            *("--format=", "--raw", "--no-abbrev", "--no-renames", "-z", *_PLAIN_DIFF),
            *choice,
            "--",
            *pathspecs[start : start + _MAX_PATHS],
        )
        for oid, path in _raw_entries(output or b""):
            if oid not in versions.setdefault(path, []):
                versions[path].append(oid)
    return versions


def _raw_entries(output: bytes) -> Iterator[tuple[str, str]]:
    """The object and the path of each regular file in the output of `git log --raw -z`."""
    for mode, oid, _, path in _RAW.findall(output):
        if mode in _FILES:
            yield oid.decode("ascii"), os.fsdecode(path)


def _lines(top: Path, commit: str, path: str) -> list[bytes]:
    return (_ask(top, "cat-file", "blob", f"{commit}:{path}") or b"").split(b"\n")


def _ask(top: Path, *arguments: str, stdin: bytes = b"") -> bytes | None:
    return ask_git(top, AS_COMMITTED, *arguments, stdin=stdin, timeout_s=_TIMEOUT_S)
