"""The file changes to be labelled: drawn by a written rule from the pinned releases and this repository's commits."""

from __future__ import annotations

import difflib
import hashlib
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from pathlib import PurePosixPath

from accuracy import releases
from accuracy.baseline import similarity

SEED = "intentls accuracy 1"
OWN = "intentls"
_END = "6e08bd6"  # this repository's commits up to here
_PER_STEP, _PER_REPOSITORY = 5, 11  # of code, so that no project decides the figures
_ALIKE, _ALIKE_PER_REPOSITORY = 0.8, 4
_OTHER_PER_STEP, _OWN_CHANGES = 1, 24
_MOST_LINES = 60  # removed and added together: what a person reads attentively, and near to a commit
_BUILT = frozenset(
    {
        "dist",
        "build",
        "cjs",
        "esm",
        "umd",
        "min",
        "es",
        "es5",
        "es6",
        "esm5",
        "esm2015",
        "commonjs",
        "module",
        "bundles",
    }
    | {"node_modules", "vendor", "third_party", "generated", "_generated", "proto", "debian", "legacy"}
)
LANGUAGES = {
    ".py": "python",
    ".js": "javascript",
    ".mjs": "javascript",
    ".cjs": "javascript",
    ".jsx": "javascript",
    ".ts": "typescript",
    ".tsx": "typescript",
    ".go": "go",
    ".rs": "rust",
    ".java": "java",
}
_OTHERS = {
    ".md": "prose",
    ".rst": "prose",
    ".toml": "settings",
    ".json": "settings",
    ".yml": "settings",
    ".yaml": "settings",
    ".cfg": "settings",
}
# What a package was compiled from is in it too: only that is somebody's edit.
_SOURCES = {"typescript": {"typescript"}, "java": {"java", "typescript"}}


@dataclass(frozen=True, slots=True)
class FileChange:
    """One file between two consecutive releases (or commits): `package` is `index:name`, or this project's name."""

    repository: str
    package: str
    before: str
    after: str
    path: str
    split: str

    @property
    def language(self) -> str:
        """The language by the file's name; `prose` and `settings` stand beside them."""
        suffix = PurePosixPath(self.path).suffix
        return LANGUAGES.get(suffix) or _OTHERS[suffix]

    @property
    def step(self) -> tuple[str, str, str]:
        """What the file changed together with: the package and the two versions."""
        return self.package, self.before, self.after


@dataclass(frozen=True, slots=True)
class Step:
    """Two trees, by path: every source and settings file of the two releases (or of what a commit changed)."""

    before: dict[str, bytes]
    after: dict[str, bytes]

    def changed(self) -> list[str]:
        """The paths whose content came, went or changed."""
        return sorted(
            path for path in self.before.keys() | self.after.keys() if self.before.get(path) != self.after.get(path)
        )


def is_source(path: str) -> bool:
    """Is this a file that a person writes and that has a language: not built, not minified, not a declaration file?"""
    pure = PurePosixPath(path)
    is_built = _BUILT & {part.lower() for part in pure.parts[:-1]} or ".min." in pure.name or ".d." in pure.name
    return not is_built and (pure.suffix in LANGUAGES or pure.suffix in _OTHERS)


def step_of(change: FileChange) -> Step:
    """Both trees of a file change's step, fetched where they are not held yet."""
    return own_step(change.after) if change.package == OWN else _step(*_found(change))


def _found(change: FileChange) -> tuple[releases.Package, str, str]:
    index, _, name = change.package.partition(":")
    package = next(one for one in releases.packages() if (one.index, one.name) == (index, name))
    return package, change.before, change.after


def _step(package: releases.Package, before: str, after: str) -> Step:
    held = {release.version: release for release in package.releases}
    trees = (releases.files(releases.fetch(package, held[version])) for version in (before, after))
    return Step(*({path: content for path, content in tree.items() if is_source(path)} for tree in trees))


def own_step(commit: str) -> Step:
    """What a commit of this repository changed, against its first parent."""
    names = _git("diff-tree", "--no-commit-id", "-r", "--no-renames", "--name-status", commit).decode()
    before, after = {}, {}
    for line in filter(None, names.splitlines()):
        kind, path = line.split("\t")
        if not is_source(path):
            continue
        if kind != "A":
            before[path] = _git("show", f"{commit}^:{path}")
        if kind != "D":
            after[path] = _git("show", f"{commit}:{path}")
    return Step(before, after)


def _git(*arguments: str) -> bytes:
    return subprocess.run(["git", *arguments], cwd=releases.HERE, capture_output=True, check=True).stdout


def lottery(*what: str) -> str:
    """A ticket in the drawing: the lower it is, the earlier. It depends on the names alone."""
    return hashlib.sha256("\0".join((SEED, *what)).encode()).hexdigest()


def fits(before: bytes | None, after: bytes | None, versions: tuple[str, str]) -> bool:
    """May a file's change be drawn: in both trees, text, up to 60 lines, and more than a version number?"""
    if before is None or after is None or b"\0" in before + after:
        return False
    try:
        old, new = before.decode().splitlines(), after.decode().splitlines()
    except UnicodeDecodeError:
        return False
    lines = [line for line in difflib.unified_diff(old, new, n=0, lineterm="") if line[:3] not in ("---", "+++")]
    lines = [line for line in lines if line[0] in "+-"]
    plain = tuple(re.sub(r"-\w+$", "", version) for version in versions)
    return 0 < len(lines) <= _MOST_LINES and any(not any(version in line for version in plain) for line in lines)


def draw() -> Iterator[FileChange]:
    """All file changes of the sample, in a fixed order."""
    for package in releases.packages():
        yield from _drawn_of(package)
    yield from _drawn_of_commits()


def _drawn_of_commits() -> list[FileChange]:
    found = []
    for commit in _git("rev-list", "--no-merges", "--reverse", _END).decode().split()[1:]:
        step, parent = own_step(commit), f"{commit}^"
        found += [
            FileChange(OWN, OWN, parent, commit, path, "dev")
            for path in step.changed()
            if fits(step.before.get(path), step.after.get(path), (parent, commit))
        ]
    return sorted(found, key=lambda change: lottery(change.after, change.path))[:_OWN_CHANGES]


def _drawn_of(package: releases.Package) -> Iterator[FileChange]:
    name = f"{package.index}:{package.name}"
    taken: Counter[str] = Counter()
    for before, after in package.pairs():
        step = _step(package, before.version, after.version)
        versions = (before.version, after.version)
        changes = [
            FileChange(package.repository, name, *versions, path, package.split)
            for path in step.changed()
            if fits(step.before.get(path), step.after.get(path), versions)
        ]
        changes.sort(key=lambda change: lottery(change.repository, change.after, change.path))
        wanted = _SOURCES.get(package.language, set(LANGUAGES.values()))
        code = [change for change in changes if change.language in wanted]
        others = [change for change in changes if change.language in ("prose", "settings")]
        room = _PER_REPOSITORY - taken["code"]
        yield from code[: min(_PER_STEP, room)]
        taken["code"] += len(code[: min(_PER_STEP, room)])
        if not taken["others"]:
            yield from others[:_OTHER_PER_STEP]
            taken["others"] += len(others[:_OTHER_PER_STEP])


def draw_alike(taken: Collection[FileChange]) -> Iterator[FileChange]:
    """A second draw, for more refactors: of what the first left, changes whose lines before and after are much alike.

    Alike by their tokens (see `baseline`), which knows nothing of what intentls would say.
    """
    known = {(*change.step, change.path) for change in taken}
    for package in releases.packages():
        found = [
            change
            for before, after in package.pairs()
            for change in _alike(package, before.version, after.version)
            if (*change.step, change.path) not in known
        ]
        yield from sorted(found, key=lambda change: lottery(change.after, change.path))[:_ALIKE_PER_REPOSITORY]


def _alike(package: releases.Package, before: str, after: str) -> Iterator[FileChange]:
    step = _step(package, before, after)
    wanted = _SOURCES.get(package.language, set(LANGUAGES.values()))
    for path in step.changed():
        if not fits(step.before.get(path), step.after.get(path), (before, after)):
            continue
        name = f"{package.index}:{package.name}"
        change = FileChange(package.repository, name, before, after, path, package.split)
        if change.language in wanted:
            likeness = similarity(change.language, step.before[path].decode(), step.after[path].decode())
            if _ALIKE <= likeness < 1:
                yield change


def show(change: FileChange, context: int = 3) -> str:
    """The change as a unified diff, to be read by who labels it."""
    step = step_of(change)
    before, after = (tree[change.path].decode().splitlines() for tree in (step.before, step.after))
    return "\n".join(difflib.unified_diff(before, after, n=context, lineterm=""))


def main() -> None:
    """Print the sample: one line each, for whoever labels (`-v` with the diffs)."""
    first = list(draw())
    for number, change in enumerate((*first, *draw_alike(first))):
        print(f"#{number}", change.package, change.before, change.after, change.path, change.split)
        if "-v" in sys.argv:
            print(show(change))


if __name__ == "__main__":
    main()
