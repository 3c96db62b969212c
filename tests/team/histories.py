"""Generated weeks of a team on a bare repository, and what must hold of any two of its branches.

Every line has a number that no other line ever gets, so its author is known apart from the program. Each branch edits
a section of its own in shared files, and files of its own: git never finds a conflict in the code.
"""

from __future__ import annotations

import itertools
import json
import random
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from tests.support.workspaces import git, make_git_repo, write_files
from tests.team.clones import HANDS, Author, Changes, Clone, Hosts

PEOPLE, COLLEAGUE = ("Ada", "Ben", "Cem"), "Dan"  # Dan has no intentls
SHARED = tuple(f"src/shared{number}.py" for number in range(3))
SECTIONS = 12
_NUMBER = re.compile(r"value_(\d+)")
_DECLARED = ("active_intents.yaml", "policy.yaml", ".gitignore", "intents/", "trace/")
_WAYS = ("merge", "squash", "rebase", "cherry-pick")


class Wrong(AssertionError):
    """Something that must hold of a team's branches does not."""


def make_template(folder: Path) -> Path:
    """`origin.git` with a first commit: shared files, and `intentls init`."""
    root = folder / "first"
    sections = "".join(f"# begin {number}\n# end {number}\n" + "# ------\n" * 6 for number in range(SECTIONS))
    write_files(root, {**dict.fromkeys(SHARED, sections), ".gitignore": "*.pyc\n"})
    subprocess.run([sys.executable, "-m", "intentls", "init", "--root", "."], cwd=root, check=True, capture_output=True)
    write_files(root, {".orchestration/policy.yaml": "hitl: deny\nlinters: []\n"})
    make_git_repo(root)
    git(folder, "clone", "--quiet", "--bare", "first", "origin.git")
    shutil.rmtree(root)
    return folder


@dataclass
class Branch:
    """`slot` is its section of the shared files; `intent` is None for work without intentls."""

    name: str
    slot: int
    intent: str | None
    is_landed: bool = False


@dataclass
class Person:
    """Somebody's clone and branches; `branch` is checked out."""

    clone: Clone
    branches: list[Branch] = field(default_factory=list)
    branch: Branch | None = None


class History:
    """A seed's week. `said` tells a failure's reader what happened."""

    def __init__(self, folder: Path, template: Path, hosts: Hosts, seed: int) -> None:
        shutil.copytree(template, folder, dirs_exist_ok=True)
        self.rng = random.Random(seed)
        self.said: list[str] = []
        self.authors: dict[int, Author | None] = {}  # None: nobody attested it, so blame may say nothing
        self.checks = 0  # lines whose author was judged
        self.people = [Person(Clone(folder, name, hosts)) for name in (*PEOPLE, COLLEAGUE)]
        self.forge = Clone(folder, "Forge", hosts)
        self._slots = iter(range(SECTIONS))

    def close(self) -> None:
        """End every process."""
        for clone in (self.forge, *(person.clone for person in self.people)):
            clone.close()

    # -- the week

    def live(self, steps: int) -> None:
        """Everybody begins a branch, then works; what is left open is committed and pushed."""
        for person in self.people:
            self._begin(person)
        for _ in range(steps):
            person = self.rng.choice(self.people)
            steps_of = _STEPS if person.clone.person != COLLEAGUE else _PLAIN_STEPS
            name = self.rng.choices(tuple(steps_of), tuple(weight for weight, _ in steps_of.values()))[0]
            self.said.append(f"{person.clone.person}: {name} on {person.branch.name if person.branch else None}")
            steps_of[name][1](self, person)
        for person in self.people:
            self._finish(person)

    def _begin(self, person: Person) -> None:
        """A new branch from main, with an intent."""
        slot = next(self._slots, None)
        if slot is None:
            return
        clone = person.clone
        branch = Branch(f"{clone.person.lower()}-{slot}", slot, None)
        clone.git("fetch", "--quiet")
        clone.git("switch", "--quiet", "--no-track", "--create", branch.name, "origin/main")
        person.branch = branch
        if clone.person != COLLEAGUE:
            branch.intent = clone.declare(f"Work of {branch.name}", "src/**")
            clone.commit("Declare")
        person.branches.append(branch)
        self._work(person)

    def _switch(self, person: Person) -> None:
        if len(person.branches) < 2:
            self._begin_clean(person)
            return
        self._commit(person)
        person.branch = self.rng.choice(person.branches)
        person.clone.git("switch", "--quiet", person.branch.name)
        if person.branch.intent is not None:
            person.clone.select(person.branch.intent)
            self._work(person)
            self._judge_derived(person)

    def _begin_clean(self, person: Person) -> None:
        self._commit(person)
        self._begin(person)

    def _work(self, person: Person) -> None:
        """A change of one to three files, by any hand."""
        assert person.branch is not None
        hand = self.rng.choice(HANDS) if person.branch.intent is not None else "plain"
        author = Author(person.clone.person, hand in ("hook", "mcp", "shell"))
        changes = self._changes(person, author if hand != "plain" else None)
        person.clone.change(hand, changes)
        self.said[-1:] = [f"{self.said[-1] if self.said else ''} ({hand} {sorted(changes)})"]

    def _changes(self, person: Person, author: Author | None) -> Changes:
        assert person.branch is not None
        slot = person.branch.slot
        own = [f"src/own{slot}_{number}.py" for number in range(3)]
        changes: dict[str, bytes | None] = {}
        for path in self.rng.sample((*SHARED, *own), self.rng.choice((1, 1, 2, 3))):
            before = person.clone.read(path)
            if before and path in own and self.rng.random() < 0.1:
                changes[path] = None
                continue
            lines = (before or b"").decode().splitlines(keepends=True)
            first, last = 0, len(lines)
            if path in SHARED:
                first, last = lines.index(f"# begin {slot}\n") + 1, lines.index(f"# end {slot}\n")
            start = self.rng.randint(first, last)
            end = min(last, start + self.rng.choice((0, 0, 1, 2)))
            lines[start:end] = [self._line(author) for _ in range(self.rng.randint(1, 4))]
            changes[path] = "".join(lines).encode()
        return changes

    def _line(self, author: Author | None) -> str:
        number = len(self.authors) + 1
        self.authors[number] = author
        return f"value_{number} = make({self.rng.randint(0, 9)})\n"

    def _commit(self, person: Person) -> None:
        if person.clone.git("status", "--porcelain"):
            person.clone.commit(f"Work {len(self.authors)}")

    def _amend(self, person: Person) -> None:
        self._commit(person)
        self._work(person)
        person.clone.git("add", "--all")
        person.clone.git("commit", "--quiet", "--amend", "--no-edit")

    def _stash(self, person: Person) -> None:
        person.clone.git("stash", "push", "--quiet", "--include-untracked")
        if person.clone.git("stash", "list"):
            person.clone.git("stash", "pop", "--quiet")
        self._work(person)

    def _by_hand_and_attest(self, person: Person) -> None:
        """A fix in vim, committed, and attested."""
        self._commit(person)
        author = Author(person.clone.person, False)
        person.clone.put(self._changes(person, author))
        person.clone.commit("By hand")
        person.clone.intentls("attest", "--base", "HEAD~1", "--reason", "a fix in another editor")
        person.clone.commit("Attest")

    def _refused(self, person: Person) -> None:
        """An agent may not write there; that is on record."""
        path = {"path": "docs/no.md", "content": "no\n"}
        answer = person.clone.mcp.do("write_to_file", **path)
        assert answer["status"] == "error", answer

    def _close_intent(self, person: Person) -> None:
        """The work is done; another intent goes on with the branch."""
        assert person.branch is not None
        assert person.branch.intent is not None
        person.clone.intentls("close", person.branch.intent, codes=(0, 1))
        person.branch.intent = person.clone.declare(f"More of {person.branch.name}", "src/**")
        self._commit(person)

    def _merge_main(self, person: Person, by_agent: bool = False) -> None:
        self._commit(person)
        person.clone.git("fetch", "--quiet")
        command = ("merge", "--quiet", "--no-edit", "origin/main")
        if by_agent:
            person.clone.git_by_agent(*command)
        else:
            person.clone.try_git(*command)
        self._no_conflict(person.clone, "merge of main")
        if person.branch is not None and person.branch.intent is not None:
            self._work(person)
            self._judge_derived(person)

    def _merge_main_by_agent(self, person: Person) -> None:
        self._merge_main(person, by_agent=True)

    def _land(self, person: Person) -> None:
        """The branch goes to main by one of the forge's ways, and the person begins another."""
        branch = person.branch
        assert branch is not None
        self._commit(person)
        self._push(person)
        way = self.rng.choice(_WAYS)
        self.said.append(f"{branch.name} lands by {way}")
        self.forge.git("fetch", "--quiet", "--prune")
        self.join("origin/main", f"origin/{branch.name}", way)
        self.forge.git("push", "--quiet", "origin", "HEAD:main", f":{branch.name}")
        person.branches.remove(branch)
        branch.is_landed = True
        self._begin(person)

    def _push(self, person: Person) -> None:
        person.clone.git("push", "--quiet", "--force", "origin", "HEAD")

    def _finish(self, person: Person) -> None:
        self._commit(person)
        for branch in person.branches:
            person.clone.git("push", "--quiet", "--force", "origin", branch.name)

    # -- any two branches

    def judge_pairs(self) -> None:
        """Each pair of branches, joined in each way: no conflict, every record once, everybody's lines their own."""
        self.forge.git("fetch", "--quiet", "--prune")
        names = self.forge.git("for-each-ref", "--format=%(refname:short)", "refs/remotes/origin").splitlines()
        branches = sorted({name for name in names if name not in ("origin", "origin/HEAD")})
        for one, other in itertools.combinations(branches, 2):
            onto, taken = self.rng.sample((one, other), 2)
            for way in _WAYS:
                self.join(onto, taken, way)

    def join(self, onto: str, taken: str, way: str) -> None:
        """`taken` comes to `onto` in the forge's clone, and all that must hold is judged."""
        forge = self.forge
        text = f"{way} of {taken} onto {onto}"
        before = set(self._records_once(onto, onto)) | set(self._records_once(taken, taken))
        if way == "rebase":
            forge.git("checkout", "--quiet", "--detach", taken)
            forge.try_git("rebase", "--quiet", onto)
        else:
            forge.git("checkout", "--quiet", "--detach", onto)
        if way == "merge":
            forge.try_git("merge", "--quiet", "--no-ff", "--no-edit", taken)
        elif way == "squash":
            forge.try_git("merge", "--quiet", "--squash", taken)
        elif way == "cherry-pick":
            commits = forge.git("rev-list", "--reverse", "--no-merges", f"{onto}..{taken}").split()
            if commits:
                forge.try_git("cherry-pick", "--allow-empty", "--keep-redundant-commits", *commits)
        self._no_conflict(forge, text)
        if way == "squash":
            forge.git("commit", "--quiet", "--allow-empty", "--message", text)
        after = set(self._records_once("HEAD", text))
        if after != before:
            raise Wrong(f"{text}: {len(before - after)} records are lost, {len(after - before)} are new")
        self._judge_tree(text)
        self._judge_check(onto, taken, way)

    def _records_once(self, commit: str, text: str) -> list[str]:
        ids = self.forge.records(commit)
        if len(ids) != len(set(ids)):
            raise Wrong(f"{text}: a record is there twice")
        return ids

    def _no_conflict(self, clone: Clone, text: str) -> None:
        unmerged = clone.git("diff", "--name-only", "--diff-filter=U").splitlines()
        if unmerged:
            raise Wrong(f"{text}: a conflict in {unmerged}")

    def _judge_tree(self, text: str) -> None:
        verified = self.forge.intentls("trace", "verify", codes=(0, 1))
        if verified.code:
            raise Wrong(f"{text}: trace verify says {verified.out}{verified.err}")
        tracked = self.forge.git("ls-files", "--", ".orchestration").splitlines()
        local = [path for path in tracked if not path.removeprefix(".orchestration/").startswith(_DECLARED)]
        if local:
            raise Wrong(f"{text}: git tracks {local}")
        paths = self.forge.git("ls-files", "--", "src").splitlines()
        for path in self.rng.sample(paths, min(2, len(paths))):
            self._judge_blame(path, text)

    def _judge_blame(self, path: str, text: str) -> None:
        blamed = self.forge.blame(path)
        content = (self.forge.read(path) or b"").decode()
        for number, line in enumerate(content.splitlines(), start=1):
            known = _NUMBER.match(line)
            author = self.authors[int(known[1])] if known else None
            self.checks += 1
            if blamed.get(number) != author:
                raise Wrong(f"{text}: {path}:{number}: {line} is {author}'s, blame says {blamed.get(number)}")

    def _judge_check(self, onto: str, taken: str, way: str) -> None:
        if COLLEAGUE.lower() in taken or COLLEAGUE.lower() in onto:
            return  # not attested
        report = self.forge.ask("check", "--base", onto, codes=(0, 1))
        lost = set() if way == "merge" else self._made_by_merges(onto, taken)
        errors = [part for part in report["findings"] if part["level"] == "error"]
        if any(part["code"] != "CONTENT_MISMATCH" or part["path"] not in lost for part in errors):
            text = f"{way} of {taken} onto {onto}"
            raise Wrong(f"{text}: check --base {onto} says {json.dumps(report['findings'], indent=1)}")

    def _made_by_merges(self, onto: str, taken: str) -> set[str]:
        """The files of which a merge in `taken` made a content that no other commit has.

        Where git keeps no merges, nobody can prove any more that work went on from such a content.
        """
        names = self.forge.git(
            "log", "--merges", "--format=", "--name-only", "--diff-filter=M", "-c", f"{onto}..{taken}"
        )
        return {name for name in names.splitlines() if name}

    def _judge_derived(self, person: Person) -> None:
        """The derived files say what `map --rebuild` says."""
        files = [person.clone.root / ".orchestration" / name for name in ("intent_map.md", "spatial_map.json")]
        before = [file.read_text() if file.exists() else "" for file in files]
        person.clone.intentls("map", "--rebuild")
        for file, content in zip(files, before, strict=True):
            if file.read_text() != content:
                raise Wrong(f"{file.name} of {person.clone.person} was\n{content}\nrebuilt\n{file.read_text()}")


Step = tuple[int, Callable[[History, Person], None]]
_PLAIN_STEPS: Mapping[str, Step] = {
    "work": (6, History._work),
    "commit": (3, History._commit),
    "switch": (1, History._switch),
}
_STEPS: Mapping[str, Step] = {
    **_PLAIN_STEPS,
    "work": (12, History._work),
    "switch": (4, History._switch),
    "amend": (2, History._amend),
    "stash": (1, History._stash),
    "by hand and attest": (2, History._by_hand_and_attest),
    "refused": (2, History._refused),
    "close an intent": (1, History._close_intent),
    "merge main": (2, History._merge_main),
    "agent merges main": (2, History._merge_main_by_agent),
    "land": (3, History._land),
}


@contextmanager
def history(folder: Path, template: Path, hosts: Hosts, seed: int) -> Iterator[History]:
    """A week that has not begun."""
    made = History(folder, template, hosts, seed)
    try:
        yield made
    finally:
        made.close()
