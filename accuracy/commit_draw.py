"""The drawing of commits to be labelled: by a written rule, from the histories of public projects.

    python -m accuracy.commit_draw HISTORY owner/name LANGUAGE [FIRST LAST]

HISTORY is a clone with the whole history; LANGUAGE is one of the six. Prints the drawn changes FIRST to LAST with
their diffs, for the person who labels them. Nothing here knows what intentls says of a change.
"""

from __future__ import annotations

import hashlib
import re
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from accuracy.corpus import LANGUAGES, is_source

SEED = "intentls commits 1"
SINCE = "2015-01-01"
STRATA = ("words", "others")
C_LANGUAGES = {".c": "c", ".h": "c"}
FAMILIES = {
    "python": {"python"},
    "typescript": {"typescript", "javascript"},
    "go": {"go"},
    "rust": {"rust"},
    "java": {"java"},
    "c": {"c"},
}
_MOST_FILES = 15  # source files of a commit
_MOST_LINES = 60  # removed and added together: what a person reads attentively
_PER_STRATUM = 21  # file changes of a project
_PER_COMMIT = 5  # so that no commit decides the figures
_DEPENDENCIES = frozenset({"deps", "vendored", "external", "extern", "modules", "__snapshots__"})
_WORDS = re.compile(
    r"\b(renam|mov(e|es|ed|ing)\b|refactor|re-?format|format|fmt|rustfmt|gofmt|prettier|black\b|isort|lint|styl(e|ing)\b"
    r"|doc(s|umentation|umented|string|strings)?\b|javadoc|comment|typo|spelling|clean|tidy|whitespace|indent|extract"
    r"|inline|simplif|reorgani[sz]e|unused|import|annotat|type hint|typing)",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Drawn:
    """One file of a commit, and how many of its lines changed. `old_path`: another than `path` in a renamed file."""

    commit: str
    path: str
    old_path: str
    stratum: str
    lines: int


@dataclass(frozen=True, slots=True)
class Population:
    """What was drawn from: commits and file changes of one stratum."""

    stratum: str
    commits: int
    files: int


def language(path: str) -> str | None:
    """The language of a source file by its name; None: it is none of the six."""
    suffix = PurePosixPath(path).suffix
    return LANGUAGES.get(suffix) or C_LANGUAGES.get(suffix)


def draw(history: Path, repository: str, family: str, end: str = "HEAD") -> tuple[list[Population], list[Drawn]]:
    """The populations and the drawn changes of a project, in the order of the drawing: one stratum, then the other."""
    commits = list(_commits(history, FAMILIES[family], end))
    populations, drawn = [], []
    for stratum in STRATA:
        own = [files for files in commits if files[0].stratum == stratum]
        populations.append(Population(stratum, len(own), sum(map(len, own))))
        own.sort(key=lambda files: _lottery(repository, files[0].commit))
        taken: list[Drawn] = []
        for files in own:
            files.sort(key=lambda file: _lottery(repository, file.commit, file.path))
            taken += files[:_PER_COMMIT]
            if len(taken) >= _PER_STRATUM:
                break
        drawn += taken[:_PER_STRATUM]
    return populations, drawn


def _lottery(*what: str) -> str:
    return hashlib.sha256("\0".join((SEED, *what)).encode()).hexdigest()


def _commits(history: Path, languages: set[str], end: str) -> Iterator[list[Drawn]]:
    """The file changes that may be drawn, commit by commit; commits without any are left out."""
    form = "--format=%x01%H%x02%s"
    options = ("--no-merges", f"--since={SINCE}", "--raw", "--numstat", "-M", "--no-abbrev", "--no-ext-diff", "-z")
    log = _git(history, "log", *options, form, end).decode("utf-8", "replace")
    for entry in log.split("\x01")[1:]:
        head, _, rest = entry.partition("\0")
        commit, _, subject = head.partition("\x02")
        stratum = "words" if _WORDS.search(subject) else "others"
        changes = list(_changes(rest.lstrip("\n").split("\0")))
        sources = [change for change in changes if _is_code(change[0], languages)]
        if 1 <= len(sources) <= _MOST_FILES:
            fit = [
                Drawn(commit, path, old, stratum, lines)
                for path, old, kind, lines in sources
                if kind in "MR" and 0 < lines <= _MOST_LINES
            ]
            if fit:
                yield fit


def _is_code(path: str, languages: set[str]) -> bool:
    parts = {part.lower() for part in PurePosixPath(path).parts[:-1]}
    is_own = PurePosixPath(path).suffix in C_LANGUAGES or is_source(path)
    return language(path) in languages and is_own and not parts & _DEPENDENCIES


def _changes(fields: Sequence[str]) -> Iterator[tuple[str, str, str, int]]:
    """Path, path before, kind and changed lines (0 for a binary file) of each file of `git log --raw --numstat -z`."""
    kinds: dict[str, str] = {}
    rest = iter(field.lstrip("\n") for field in fields)
    for field in rest:
        if field.startswith(":"):
            kind = field.rsplit(" ", 1)[1][:1]
            old = next(rest)
            kinds[next(rest) if kind in "RC" else old] = kind
        elif field.count("\t") == 2:
            added, removed, name = field.split("\t")
            old = name or next(rest)
            path = name or next(rest)
            lines = 0 if added == "-" else int(added) + int(removed)
            yield path, old, kinds[path], lines


def _git(history: Path, *arguments: str) -> bytes:
    return subprocess.run(["git", "-C", str(history), *arguments], capture_output=True, check=True).stdout


def show(history: Path, drawn: Sequence[Drawn], first: int) -> Iterator[str]:
    """The drawn changes to be read: each commit's subject and files, then the diffs, with their numbers."""
    seen = ""
    for number, change in enumerate(drawn, start=first):
        if change.commit != seen:
            seen = change.commit
            stat = _git(history, "show", "-M", "--format=%s", "--numstat", seen).decode("utf-8", "replace")
            subject, *files = filter(None, stat.splitlines())
            yield f"=== {seen[:10]} {subject[:140]}"
            yield "  " + "; ".join(" ".join(file.split("\t")) for file in files[:24]) + (" ..." if files[24:] else "")
        paths = sorted({change.path, change.old_path})
        text = _git(history, "show", "-M", "-U2", "--format=", seen, "--", *paths).decode("utf-8", "replace")
        yield f"#{number} {change.path}" + (f" (was {change.old_path})" if change.old_path != change.path else "")
        lines = [
            line for line in text.splitlines() if not line.startswith(("diff --git", "index ", "---", "+++", "simil"))
        ]
        yield from (re.sub(r"^@@ [^@]* @@", "@@", line)[:180] for line in lines)


def main(arguments: Sequence[str]) -> None:
    """Print the changes with their diffs; without numbers the populations alone."""
    history, repository, family, *limits = arguments
    populations, drawn = draw(Path(history), repository, family)
    if not limits:
        print(*populations, len(drawn), sep="\n")
        return
    first, last = map(int, limits)
    print("\n".join(show(Path(history), drawn[first - 1 : last], first)))


if __name__ == "__main__":
    main(sys.argv[1:])
