"""Definitions that are found again, measured: `python accuracy/definitions.py`, a part of `make accuracy`.

Real sources are rewritten in ways of which the truth is known, since each line keeps its origin: formatters run over
them, names are changed everywhere, definitions move within and between files, statements come and go, definitions are
deleted. Then the history of each definition (`intentls blame --symbol`) has to lead to what it was before, and so has
`git blame -w -M -C -C`, by the majority of its lines. Sources and formatters are those of `accuracy/formatters.py`.
"""

from __future__ import annotations

import json
import os
import random
import re
import shutil
import subprocess
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

if __package__ in (None, ""):
    sys.path.insert(0, str(Path(__file__).parent.parent))

from accuracy import formatters
from accuracy.commit_corpus import history, read_projects
from accuracy.definition_histories import Told, told
from accuracy.rewriting import LocatedDefinition, Rewriter, Rewritten, definitions
from intentls.core.definitions.definition import Definition

HERE = Path(__file__).parent
RESULTS = HERE / "results" / "definitions.json"
PAGE = HERE.parent / "docs" / "internals" / "definitions.md"
WORK = HERE / ".cache" / "definitions"
SEED = 20_261_122
LANGUAGES = {".py": "Python", ".js": "JavaScript", ".ts": "TypeScript", ".tsx": "TSX", ".java": "Java"} | {
    ".rs": "Rust",
    ".go": "Go",
    ".c": "C",
    ".cpp": "C++",
}
_OF_PROJECTS = {".go": "go", ".c": "c"}
_FILES, _STRANGERS = 40, 15  # of one language
_LARGEST = 60_000  # bytes of a file


@dataclass
class Score:
    """How many definitions there were to find, and what became of them. `deleted`: those that are really gone.

    `new`: those that are said to be new.
    """

    total: int = 0
    right: int = 0
    wrong: int = 0
    new: int = 0
    deleted: int = 0
    attached: int = 0

    def add(self, other: Score) -> None:
        """Another language's."""
        for name in ("total", "right", "wrong", "new", "deleted", "attached"):
            setattr(self, name, getattr(self, name) + getattr(other, name))

    def row(self) -> dict[str, object]:
        """For the results."""
        result: dict[str, object] = {"definitions": self.total}
        if self.total:
            shares = {"found": self.right, "wrong": self.wrong, "called_new": self.new}
            result |= {name: round(count / self.total, 4) for name, count in shares.items()}
        if self.deleted:
            result |= {"deleted": self.deleted, "deleted_attached": round(self.attached / self.deleted, 4)}
        return result


def score(done: Rewritten, found: Told, only: set[int] | None = None) -> Score:
    """Compare with the truth; of `only` some, if given."""
    result = Score()
    for place, truth in done.truth.items():
        if only is not None and place not in only:
            continue
        answer = found.places.get(place)
        if truth is None:
            result.deleted += 1
            result.attached += answer is not None
        else:
            result.total += 1
            result.right += answer == truth
            result.wrong += answer is not None and answer != truth
            result.new += truth in found.new
    return result


def blamed(before: dict[str, bytes], done: Rewritten, work: Path) -> Told:
    """What `git blame -w -M -C -C` says by the majority of a definition's lines."""
    folder = work / "blame"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    _git(folder, "init", "-q")
    for contents, message in ((before, "old"), (done.contents, "new")):
        for path, data in contents.items():
            (folder / path).write_bytes(data)
        _git(folder, "add", "-A")
        _git(folder, "-c", "user.name=a", "-c", "user.email=a@b", "commit", "--allow-empty", "-q", "-m", message)
    first = _git(folder, "rev-parse", "HEAD~1").strip()
    held = {path: _innermost(found) for path, found in _numbered(done.old).items()}
    result: dict[int, int] = {}
    best: dict[int, int] = {}
    for path, found in _numbered(done.new).items():
        votes: dict[int, Counter[int]] = defaultdict(Counter)
        own = _innermost(found)
        for line, (commit, source, number) in enumerate(_origins(folder, path), 1):
            if line in own and commit == first and number in held.get(source, {}):
                votes[own[line]][held[source][number]] += 1
        for place, counted in votes.items():
            old, count = counted.most_common(1)[0]
            if count > best.get(old, 0):
                result[old], best[old] = place, count
    return Told(result)


def _numbered(found: Sequence[LocatedDefinition]) -> dict[str, list[tuple[int, Definition]]]:
    result: dict[str, list[tuple[int, Definition]]] = defaultdict(list)
    for place, one in enumerate(found):
        result[one.path].append((place, one.definition))
    return result


def _innermost(found: Iterable[tuple[int, Definition]]) -> dict[int, int]:
    """The definition that each line is in; outer ones come first."""
    return {line: place for place, one in found for line in range(one.start_line, one.end_line + 1)}


def _origins(folder: Path, path: str) -> Iterator[tuple[str, str, int]]:
    commit, number = "", 0
    for line in _git(folder, "blame", "-w", "-M", "-C", "-C", "--line-porcelain", "--", path).split("\n"):
        if match := re.match(r"([0-9a-f]{40}) (\d+) \d+", line):
            commit, number = match[1], int(match[2])
        elif line.startswith("filename "):
            yield commit, line[len("filename ") :], number


def _git(folder: Path, *arguments: str) -> str:
    return _git_bytes(folder, *arguments).decode("utf-8", "replace")


def _git_bytes(folder: Path, *arguments: str) -> bytes:
    command = ("git", "-c", "core.autocrlf=false", "-c", "gc.auto=0", *arguments)
    return subprocess.run(command, cwd=folder, capture_output=True, check=True).stdout


def reformatted(before: dict[str, bytes], run: formatters.Run, work: Path) -> dict[str, bytes]:
    """The files as the formatter leaves them."""
    folder = work / "format"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    for name, data in before.items():
        (folder / name).write_bytes(data)
    names = sorted(before)
    commands = [(*run.command[:-1], *names)] if run.command[-1] == "*" else [run.command]
    if "rustfmt" in run.command[0]:  # one that it can't read stops it
        commands = [(*run.command[:-1], name) for name in names]
    for command in commands:
        subprocess.run(command, cwd=folder, capture_output=True, check=False)
    return {name: (folder / name).read_bytes() for name in names}


def sources() -> dict[str, tuple[dict[str, bytes], dict[str, bytes]]]:
    """By suffix, files with definitions: those that are rewritten, and others that are strangers to them."""
    found: dict[str, tuple[dict[str, bytes], dict[str, bytes]]] = {}
    every = {
        suffix: [(path.name, path.read_bytes) for path in sorted(paths)]
        for suffix, paths in formatters._sources().items()
    }
    for suffix in LANGUAGES:
        readers = _of_projects(suffix) if suffix in _OF_PROJECTS else every.get(suffix, [])
        random.Random(SEED).shuffle(readers)
        taken: dict[str, bytes] = {}
        for named, read in readers:
            data = read()
            name = f"{len(taken):03}_{named}"
            if len(data) <= _LARGEST and b"\r" not in data and definitions(name, data):
                taken[name] = data
            if len(taken) == _FILES + _STRANGERS:
                break
        items = list(taken.items())
        found[suffix] = dict(items[:_FILES]), dict(items[_FILES:])
    return found


def _of_projects(suffix: str) -> list[tuple[str, Callable[[], bytes]]]:
    """The files of projects with labelled commits, of those that may be read: the formatters' packages have none."""
    result: list[tuple[str, Callable[[], bytes]]] = []
    for project in read_projects():
        if project.language == _OF_PROJECTS[suffix] and project.labels[0].split == "dev":
            top, commit = history(project), project.commits[0]
            for path in _git(top, "ls-tree", "-r", "--name-only", commit).splitlines():
                if path.endswith(suffix):
                    name = f"{commit}:{path}"
                    result.append((path.rpartition("/")[2], lambda top=top, name=name: _git_bytes(top, "show", name)))
    return result


def rewrites(
    before: dict[str, bytes], strangers: dict[str, bytes], runs: Sequence[formatters.Run], work: Path
) -> Iterator[tuple[str, dict[str, bytes], Rewritten]]:
    """Every rewrite of one language's files: what it is called, the files before, and what it made of them."""
    for run in runs:
        start = before
        if run.spoil is not None:
            start = {
                p: run.spoil(d.decode("utf-8", "surrogateescape")).encode("utf-8", "surrogateescape")
                for p, d in before.items()
            }
        yield (
            "reformatted",
            start,
            Rewriter(start, SEED).result(lambda contents, run=run: reformatted(contents, run, work)),
        )
    moved = Rewriter(before, SEED)
    moved.move(0.25)
    yield "moved", before, moved.result()
    renamed = Rewriter(before, SEED)
    renamed.rename(0.15)
    yield "renamed", before, renamed.result()
    edited = Rewriter(before, SEED)
    edited.edit(0.15)
    yield "edited", before, edited.result()
    every = Rewriter(before, SEED)
    every.move(0.15)
    every.edit(0.1)
    every.rename(0.1)
    yield (
        "moved, edited, renamed, reformatted",
        before,
        every.result((lambda contents: reformatted(contents, runs[0], work)) if runs else None),
    )
    deleted = Rewriter(before, SEED)
    deleted.delete(0.1, strangers)
    deleted.move(0.08)
    deleted.edit(0.08)
    deleted.rename(0.08)
    yield "deleted and replaced, others rewritten", before, deleted.result()


_ONLY = {"moved": "moved only", "renamed": "renamed only"}


@dataclass
class Measured:
    """One language: a score for each rewrite and each of the two that were asked, and what our answers cost."""

    scores: dict[str, dict[str, Score]]
    seconds: float
    definitions: int


def measure(
    suffix: str, before: dict[str, bytes], strangers: dict[str, bytes], runs: Sequence[formatters.Run]
) -> Measured:
    """Rewrite one language's files in every way."""
    work = WORK / suffix.strip(".")
    result = Measured({}, 0.0, 0)
    for name, start, done in rewrites(before, strangers, runs, work):
        started = time.process_time()
        found = told(start, done)
        result.seconds += time.process_time() - started
        result.definitions += len(done.new)
        by_git = blamed(start, done, work)
        rows = {name: None} | ({_ONLY[name]: done.special} if name in _ONLY else {})
        for row, only in rows.items():
            for who, answer in (("ours", found), ("git", by_git)):
                result.scores.setdefault(row, {}).setdefault(who, Score()).add(score(done, answer, only))
        sys.stdout.write(f"{LANGUAGES[suffix]:12} {name:40} {score(done, found).row()}\n")
        sys.stdout.flush()
    return result


def main() -> None:
    """Print a line for each language and rewrite, and write the results and the page's table."""
    runs = list(formatters._runs(formatters._tools()))
    every = sources()
    with ProcessPoolExecutor(os.cpu_count()) as pool:
        waiting = {
            suffix: pool.submit(measure, suffix, *files, [run for run in runs if run.suffix == suffix])
            for suffix, files in every.items()
        }
        done = {LANGUAGES[suffix]: future.result() for suffix, future in waiting.items()}
    totals: dict[str, dict[str, Score]] = defaultdict(lambda: defaultdict(Score))
    for measured in done.values():
        for name, by in measured.scores.items():
            for who, scored in by.items():
                totals[name][who].add(scored)
    cost = sum(m.seconds for m in done.values()) / max(1, sum(m.definitions for m in done.values()))
    result = {
        "rewrites": {name: {who: scored.row() for who, scored in by.items()} for name, by in totals.items()},
        "languages": {
            language: {name: by["ours"].row() for name, by in measured.scores.items()}
            for language, measured in done.items()
        },
        "files": {LANGUAGES[suffix]: len(before) for suffix, (before, _) in every.items()},
        "milliseconds_a_definition": round(1e3 * cost, 1),
    }
    RESULTS.parent.mkdir(exist_ok=True)
    RESULTS.write_text(json.dumps(result, indent=2) + "\n", "utf-8")
    write_table(result)


def write_table(result: dict[str, Any]) -> None:
    """The page's table, between its markers."""
    lines = [
        "| what happened | definitions | found | wrong | called new | `git blame`: found | wrong |",
        "| --- | --- | --- | --- | --- | --- | --- |",
    ]
    for name, row in result["rewrites"].items():
        ours, git = row["ours"], row["git"]
        cells = [f"{ours['found']:.3f}", f"{ours['wrong']:.4f}", f"{ours['called_new']:.4f}"]
        cells += [f"{git['found']:.3f}", f"{git['wrong']:.4f}"]
        lines.append(f"| {name} | {ours['definitions']:,} | {' | '.join(cells)} |")
    for name, row in result["rewrites"].items():
        if name.startswith("deleted"):
            ours, git = row["ours"], row["git"]
            cells = [f"{ours['deleted']:,}", "-", f"{ours['deleted_attached']:.4f} attached", "-", "-"]
            lines.append(f"| of these really deleted | {' | '.join(cells)} | {git['deleted_attached']:.4f} attached |")
    table = "\n".join(lines)
    text = PAGE.read_text("utf-8")
    PAGE.write_text(
        re.sub(r"(<!-- measured -->\n).*?(?=<!-- end -->)", rf"\g<1>\n{table}\n\n", text, flags=re.S), "utf-8"
    )


if __name__ == "__main__":
    main()
