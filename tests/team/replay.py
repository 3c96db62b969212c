"""Real histories as pull requests of six people with a clone each; the figures of docs/internals/accuracy.md.

    REPOS=PATH:PATH python -m tests.team.replay

Two pull requests at a time grow from main and land one after the other, by merge, squash, rebase and cherry-pick in
turn. Each commit is made in one way: an agent's hook, MCP or shell, or an editor's save; two of the six have no
intentls, so a maintainer attests their branches. Every third branch is finished by a second person.

The truth is git's own: a line that one replayed commit adds, by `git diff`, is of whoever made that commit. Asked is
only for lines that stand once in the end, that no other commit adds, and that were nowhere at the beginning.
"""

from __future__ import annotations

import itertools
import json
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from contextlib import ExitStack
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

from accuracy import page
from tests.support.workspaces import GIT_ENV, git
from tests.team.clones import HANDS, Author, Changes, Clone, Hosts, hosts

PEOPLE, COLLEAGUES = ("Ada", "Ben", "Cem", "Dan"), ("Eve", "Fay")
WAYS = ("merge", "squash", "rebase", "cherry-pick")
_TELLING = re.compile(r"[^\W_]")


class Step(NamedTuple):
    """One replayed commit: what its files hold afterwards, and what git says that it adds and takes away."""

    changes: Changes
    added: list[str]
    lines: int  # added and deleted


class PullRequest(NamedTuple):
    """Its commits, and the tip of them in the planning clone."""

    steps: list[Step]
    tip: str


@dataclass
class Figures:
    """What came out. `lines` are those that were asked for; of `before`, `claimed` were given to somebody."""

    commits: int = 0
    skipped: int = 0  # a conflict in the code, or nothing to do
    pulls: int = 0
    landed: dict[str, int] = field(default_factory=dict)
    conflicts: int = 0  # in files of ours
    code_conflicts: int = 0
    false_alarms: int = 0  # branches on record that `check --base` finds errors in
    attested: int = 0  # branches without intentls
    green: int = 0  # of these, those that one attestation makes green
    lines: int = 0
    right: int = 0
    nobody: int = 0
    wrong: int = 0
    git_wrong: int = 0
    before: int = 0
    claimed: int = 0
    records: int = 0
    ledger_bytes: int = 0
    changed_lines: int = 0


class Replay:
    """One history. `folder` is empty."""

    def __init__(self, repository: Path, folder: Path, hosts: Hosts, commits: int) -> None:
        self.rng = random.Random(commits)
        self.figures = Figures()
        self._truth: dict[str, list[Author]] = {}  # by a line's text: who added it
        self._folder = folder
        git(folder, "clone", "--quiet", "--shared", str(repository), "plan")
        self._plan = folder / "plan"
        listed = git(self._plan, "rev-list", "--first-parent", "--reverse", f"--max-count={commits + 1}", "HEAD")
        first, *self._commits = listed.split()
        self._make_origin(first)
        self.forge = Clone(folder, "Forge", hosts)
        self.clones = {name: Clone(folder, name, hosts) for name in (*PEOPLE, *COLLEAGUES)}
        texts = self.forge.git("grep", "-I", "-h", "-e", "", "HEAD").splitlines()
        self._at_first = {text.strip() for text in texts}

    def _make_origin(self, first: str) -> None:
        git(self._plan, "checkout", "--quiet", "--detach", first)
        git(self._plan, "checkout", "--quiet", "--orphan", "beginning")
        intentls = [sys.executable, "-m", "intentls", "init", "--root", "."]
        subprocess.run(intentls, cwd=self._plan, check=True, capture_output=True)
        (self._plan / ".orchestration/policy.yaml").write_text("hitl: deny\nlinters: []\n")
        git(self._plan, "add", "--all")
        git(self._plan, "commit", "--quiet", "--message", "The beginning")
        git(self._folder, "init", "--quiet", "--bare", "--initial-branch=main", "origin.git")
        git(self._plan, "remote", "add", "team", "../origin.git")
        git(self._plan, "push", "--quiet", "team", "HEAD:main")

    def close(self) -> None:
        """End every process."""
        for clone in (self.forge, *self.clones.values()):
            clone.close()

    def run(self) -> Figures:
        """All of it."""
        openers = itertools.cycle((*PEOPLE, COLLEAGUES[0], *reversed(PEOPLE), COLLEAGUES[1]))
        while self._commits:
            git(self._plan, "fetch", "--quiet", "team")
            one = self._planned(self._take())
            other = self._planned(self._take())
            beside = self._is_clean_beside(one, other)
            opened = [self._open(next(openers), one)]
            if beside:
                opened.append(self._open(next(openers), other))
            for branch in opened:
                self._land(branch)
            if not beside:  # it needs what the first one did
                git(self._plan, "fetch", "--quiet", "team")
                self._land(self._open(next(openers), self._planned(self._taken)))
        self._judge()
        return self.figures

    # -- what is replayed

    def _take(self) -> list[str]:
        count = self.rng.randint(1, 4)
        self._taken, self._commits = self._commits[:count], self._commits[count:]
        return self._taken

    def _planned(self, commits: list[str]) -> PullRequest:
        """The commits, on main as it is, by git alone; what does not fit is left out."""
        git(self._plan, "checkout", "--quiet", "--detach", "--force", "team/main")
        steps = []
        for commit in commits:
            before = git(self._plan, "rev-parse", "HEAD")
            parents = git(self._plan, "rev-list", "--parents", "--max-count=1", commit).split()[1:]
            mainline = ("--mainline", "1") if len(parents) > 1 else ()
            command = ["git", "cherry-pick", "--allow-empty", *mainline, commit]
            done = subprocess.run(command, cwd=self._plan, env={**os.environ, **GIT_ENV}, capture_output=True)
            if done.returncode != 0:
                git(self._plan, "reset", "--quiet", "--hard", before)
                continue
            changes = self._changes(before)
            if changes:
                steps.append(Step(changes, *self._added(before)))
        return PullRequest(steps, git(self._plan, "rev-parse", "HEAD"))

    def _changes(self, before: str) -> dict[str, bytes | None]:
        listed = git(self._plan, "diff", "--no-renames", "--name-status", "-z", before, "HEAD").split("\0")[:-1]
        changes: dict[str, bytes | None] = {}
        for status, path in zip(listed[::2], listed[1::2], strict=True):
            changes[path] = None if status == "D" else (self._plan / path).read_bytes()
        return changes

    def _added(self, before: str) -> tuple[list[str], int]:
        diff = git(self._plan, "diff", "--no-renames", "--no-ext-diff", "--unified=0", before, "HEAD").split("\n")
        body = [line for line in diff if not line.startswith(("+++ ", "--- "))]
        added = [line[1:].strip() for line in body if line.startswith("+")]
        return added, len(added) + sum(line.startswith("-") for line in body)

    def _is_clean_beside(self, one: PullRequest, other: PullRequest) -> bool:
        """Whether git merges the code of both, and all of the second fits on main without the first."""
        if not other.steps or len(other.steps) < len(self._taken):
            return False
        git(self._plan, "checkout", "--quiet", "--detach", "--force", one.tip)
        command = ["git", "merge", "--quiet", "--no-edit", other.tip]
        done = subprocess.run(command, cwd=self._plan, env={**os.environ, **GIT_ENV}, capture_output=True)
        git(self._plan, "reset", "--quiet", "--hard")
        return done.returncode == 0

    # -- a pull request

    def _open(self, opener: str, pull: PullRequest) -> tuple[str, str]:
        """Work on a branch and push it; its name and who opened it."""
        clone, branch = self.clones[opener], f"pull-{self.figures.pulls}"
        self.figures.pulls += 1
        clone.git("fetch", "--quiet")
        clone.git("switch", "--quiet", "--no-track", "--create", branch, "origin/main")
        intent = clone.declare(branch, "**") if opener in PEOPLE else None
        for number, step in enumerate(pull.steps):
            is_last = number == len(pull.steps) - 1
            if intent is not None and is_last and number and self.figures.pulls % 3 == 0:
                clone.git("push", "--quiet", "origin", branch)
                clone = self.clones[PEOPLE[(PEOPLE.index(opener) + 1) % len(PEOPLE)]]
                clone.git("fetch", "--quiet")
                clone.git("switch", "--quiet", "--no-track", "--create", branch, f"origin/{branch}")
                clone.select(intent)
            self._replay(clone, step, intent is not None)
        clone.git("push", "--quiet", "origin", branch)
        self._make_green(clone, branch, intent)
        return branch, opener

    def _replay(self, clone: Clone, step: Step, is_on_record: bool) -> None:
        hand = self.rng.choice(HANDS) if is_on_record else "plain"
        if not all(content is None or _is_text(content) for content in step.changes.values()):
            hand = "shell" if is_on_record else hand
        author = clone.change(hand, step.changes)
        clone.commit(f"{hand}: {len(step.changes)} files")
        self.figures.commits += 1
        self.figures.changed_lines += step.lines
        for text in step.added:
            self._truth.setdefault(text, []).append(author)

    def _make_green(self, clone: Clone, branch: str, intent: str | None) -> None:
        if intent is not None:
            clone.git("fetch", "--quiet")
            report = clone.ask("check", "--base", "origin/main", codes=(0, 1))
            if report["errors"]:
                self.figures.false_alarms += 1
                print(f"{branch} of {clone.person}: {json.dumps(report['findings'][:3])}", file=sys.stderr)
            return
        maintainer = self.clones[PEOPLE[self.figures.pulls % len(PEOPLE)]]
        maintainer.git("fetch", "--quiet")
        maintainer.git("switch", "--quiet", "--no-track", "--create", branch, f"origin/{branch}")
        self.figures.attested += 1
        maintainer.intentls("attest", "--base", "origin/main", "--reason", f"{clone.person} has no intentls")
        maintainer.commit("Attest")
        report = maintainer.ask("check", "--base", "origin/main", codes=(0, 1))
        self.figures.green += not report["errors"]
        if report["errors"]:
            print(f"{branch} of {clone.person}: {json.dumps(report['findings'][:3])}", file=sys.stderr)
        maintainer.git("push", "--quiet", "origin", branch)

    def _land(self, opened: tuple[str, str]) -> None:
        (branch, opener), forge = opened, self.forge
        way = WAYS[sum(self.figures.landed.values()) % len(WAYS)]
        forge.git("fetch", "--quiet")
        taken = f"origin/{branch}"
        forge.git("checkout", "--quiet", "--detach", taken if way == "rebase" else "origin/main")
        if way == "merge":
            forge.try_git("merge", "--quiet", "--no-ff", "--no-edit", taken)
        elif way == "squash":
            forge.try_git("merge", "--quiet", "--squash", taken)
        elif way == "rebase":
            forge.try_git("rebase", "--quiet", "origin/main")
        else:
            commits = forge.git("rev-list", "--reverse", f"origin/main..{taken}").split()
            forge.try_git("cherry-pick", "--allow-empty", *commits)
        unmerged = forge.git("diff", "--name-only", "--diff-filter=U").splitlines()
        if unmerged:
            ours = any(path.startswith(".orchestration/") for path in unmerged)
            self.figures.conflicts += ours
            self.figures.code_conflicts += not ours
            raise AssertionError(f"{way} of {branch}: a conflict in {unmerged}")
        if way == "squash":
            who = f"--author={opener} <{opener.lower()}@example.invalid>"
            forge.git("commit", "--quiet", "--allow-empty", who, "--message", branch)
        forge.git("push", "--quiet", "origin", "HEAD:main")
        self.figures.landed[way] = self.figures.landed.get(way, 0) + 1

    # -- the end

    def _judge(self) -> None:
        forge, figures = self.forge, self.figures
        forge.git("fetch", "--quiet")
        forge.git("checkout", "--quiet", "--detach", "origin/main")
        forge.intentls("trace", "verify")
        records = forge.records()
        assert len(records) == len(set(records)), "a record is there twice"
        figures.records = len(records)
        figures.ledger_bytes = sum(file.stat().st_size for file in (forge.root / ".orchestration/trace").iterdir())
        files = {path: _texts(forge.read(path)) for path in forge.git("ls-files", "-z").split("\0") if path}
        files = {path: texts for path, texts in files.items() if not path.startswith(".orchestration/")}
        count = Counter(text for texts in files.values() for text in texts)
        for path, texts in files.items():
            if any(text in self._truth for text in texts):
                self._judge_file(path, texts, count)

    def _judge_file(self, path: str, texts: list[str], count: Counter[str]) -> None:
        ours, gits, figures = self.forge.blame(path), self._git_blame(path), self.figures
        for number, text in enumerate(texts, start=1):
            if count[text] != 1 or len(_TELLING.findall(text)) < 4:
                continue
            authors = self._truth.get(text, [])
            if not authors:
                figures.before += 1
                figures.claimed += ours.get(number) is not None
            elif len(authors) == 1 and text not in self._at_first:
                (author,), said = authors, ours.get(number)
                figures.lines += 1
                figures.right += said == author
                figures.nobody += said is None
                figures.wrong += said not in (None, author)
                figures.git_wrong += gits.get(number) != author.person
                if said != author:
                    print(f"{path}:{number}: {text!r} is {author}, not {said}", file=sys.stderr)

    def _git_blame(self, path: str) -> dict[int, str]:
        named: dict[int, str] = {}
        number = 0
        for line in self.forge.git("blame", "-w", "-M", "-C", "--line-porcelain", "--", path).split("\n"):
            if head := re.match(r"[0-9a-f]{40} \d+ (\d+)", line):
                number = int(head[1])
            elif line.startswith("author "):
                named[number] = line.removeprefix("author ")
        return named


def _is_text(content: bytes) -> bool:
    try:
        return "\r" not in content.decode()
    except UnicodeDecodeError:
        return False


def _texts(content: bytes | None) -> list[str]:
    """The lines as git counts them, without white space around; none of a binary file."""
    if content is None or b"\0" in content:
        return []
    return [line.strip() for line in content.decode("utf-8", "replace").removesuffix("\n").split("\n")]


def replay(repository: Path, commits: int) -> dict[str, Any]:
    """The figures of one history."""
    with ExitStack() as stack:
        folder = Path(tempfile.mkdtemp())
        stack.callback(shutil.rmtree, folder, ignore_errors=True)
        replayed = Replay(repository, folder, stack.enter_context(hosts()), commits)
        stack.callback(replayed.close)
        return asdict(replayed.run())


def main() -> None:
    """Replay the histories that the variable REPOS names, and write the page's table."""
    os.environ.update(GIT_ENV)
    results: dict[str, Any] = {}
    for path in filter(None, os.environ.get("REPOS", "").split(os.pathsep)):
        repository = Path(path).resolve()
        name = (repository.parent if repository.name in ("repo", ".git") else repository).name.rpartition("+")[2]
        results[name] = replay(repository, int(os.environ.get("COMMITS", "50")))
        print(name, json.dumps(results[name]), flush=True)
    if not results:
        sys.exit("name git repositories with a history: REPOS=PATH:PATH make team")
    (page.RESULTS / "team.json").write_text(json.dumps({"histories": results}, indent=1) + "\n", "utf-8")
    page.main()


if __name__ == "__main__":
    main()
