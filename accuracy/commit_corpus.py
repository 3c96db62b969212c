"""The labelled commits: commit_labels/<language>/<owner>+<name>.tsv, and their repositories, fetched once.

A file begins with lines after `#`: the repository, its part (`split`), the newest commit that took part in the drawing,
and of each stratum how many commits and file changes there were. Then a table, a file change in each line: commit,
path, draw (the stratum, see commit_draw.py), label, needs (`set`: the label shows only beside the commit's other
files), the rule of LABELLING.md that applies, and why.
"""

from __future__ import annotations

import csv
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from accuracy.releases import CACHE

LABELS = Path(__file__).parent / "commit_labels"
SECOND_PASS = LABELS / "second_pass.tsv"
HISTORIES = CACHE / "histories"
_HOST = "https://github.com"
_FETCH_S = 900.0


class UnreachableError(Exception):
    """A repository can't be fetched: no network, or its host does not answer."""


@dataclass(frozen=True, slots=True)
class CommitLabel:
    """What a file change is, by hand. `weight`: how many of its project's file changes it stands for."""

    repository: str
    split: str
    commit: str
    path: str
    draw: str
    mutation_class: str
    needs_set: bool
    rule: str
    why: str
    weight: float

    @property
    def key(self) -> tuple[str, str, str]:
        """Repository, commit and path: there is one label for them."""
        return self.repository, self.commit, self.path


@dataclass(frozen=True, slots=True)
class Project:
    """One public repository and its labels, in the order of the drawing."""

    repository: str
    language: str
    labels: tuple[CommitLabel, ...]

    @property
    def commits(self) -> tuple[str, ...]:
        """The commits that have a label, each once, in the order of the drawing."""
        return tuple(dict.fromkeys(label.commit for label in self.labels))


def read_projects(folder: Path = LABELS) -> tuple[Project, ...]:
    """Every project, by language and name."""
    return tuple(_project(path) for path in sorted(folder.glob("*/*.tsv")))


def _project(path: Path) -> Project:
    lines = path.read_text("utf-8").splitlines()
    head = [line.removeprefix("# ").split("\t") for line in lines if line.startswith("# ")]
    facts = {cells[0]: cells[1] for cells in head if cells[0] != "population"}
    populations = {cells[1]: int(cells[3].split()[0]) for cells in head if cells[0] == "population"}
    rows = list(csv.DictReader(lines[len(head) :], delimiter="\t", quoting=csv.QUOTE_NONE))
    drawn = {name: sum(row["draw"] == name for row in rows) for name in populations}
    # Every project counts the same, whatever its size: its weights sum to the number of its labels.
    scale = len(rows) / sum(populations.values())
    labels = tuple(
        CommitLabel(
            facts["repository"],
            facts["split"],
            row["commit"],
            row["path"],
            row["draw"],
            row["label"],
            row["needs"] == "set",
            row["rule"],
            row["why"],
            scale * populations[row["draw"]] / drawn[row["draw"]],
        )
        for row in rows
    )
    return Project(facts["repository"], path.parent.name, labels)


def read_second_pass(path: Path = SECOND_PASS) -> dict[tuple[str, str, str], str]:
    """Labels that were given a second time, without a look at the first ones."""
    rows = csv.DictReader(path.read_text("utf-8").splitlines(), delimiter="\t", quoting=csv.QUOTE_NONE)
    return {(row["repository"], row["commit"], row["path"]): row["label"] for row in rows}


def history(project: Project, folder: Path = HISTORIES, host: str = _HOST) -> Path:
    """A repository that has the project's labelled commits and their parents. Raises UnreachableError."""
    top = folder / project.repository.replace("/", "+")
    top.mkdir(parents=True, exist_ok=True)
    _git(top, "init", "--quiet")
    missing = [commit for commit in project.commits if not _is_held(top, commit)]
    if missing:
        options = ("--quiet", "--no-tags", "--depth=2", "--no-write-fetch-head")
        try:
            _git(top, "fetch", *options, f"{host}/{project.repository}", *missing)
        except (subprocess.CalledProcessError, subprocess.TimeoutExpired) as error:
            raise UnreachableError(project.repository) from error
    return top


def _is_held(top: Path, commit: str) -> bool:
    parent = ["git", "-C", str(top), "cat-file", "-e", f"{commit}^^{{tree}}"]
    return subprocess.run(parent, capture_output=True, check=False).returncode == 0


def _git(top: Path, *arguments: str) -> None:
    command: Sequence[str] = ["git", "-C", str(top), *arguments]
    subprocess.run(command, check=True, capture_output=True, timeout=_FETCH_S)
