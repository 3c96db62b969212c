"""Branches of real repositories, made through the real engine: work on record, and violations of every kind."""

from __future__ import annotations

import json
import os
import random
import shutil
import uuid
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from intentls.core.gate.refusal import Refusal
from intentls.core.hashing import content_hash
from intentls.engine.branch_check.check import BranchReport, check_branch
from intentls.engine.branch_check.comparison import ComparisonRequest
from intentls.engine.intents import intents_edit
from intentls.engine.tools import shell_changes, shell_comparison
from tests.support.agent_edits import Agent
from tests.support.workspaces import commit_all, git, make_git_repo, make_workspace

LEDGER = ".orchestration/agent_trace.jsonl"
TRACE = ".orchestration/trace"
INTENTS_FILE = ".orchestration/active_intents.yaml"
INTENTS = """\
# Kept by hand.
active_intents:
  - id: INT-001
    name: Build
    status: IN_PROGRESS
    owned_scope:
      - "src/**"
      - "!src/generated/**"
  - id: INT-002
    name: Explain
    status: PLANNED
    owned_scope: ["docs/**"]
  - id: INT-003
    name: Prototype
    status: COMPLETED
    owned_scope: ["prototype/**"]
  - id: INT-004
    name: Out of use
    status: PENDING
    owned_scope: ["legacy/**", "src/**"]
"""
ATTRIBUTES = f"{LEDGER} merge=union -text\n.orchestration/intent_map.md merge=union\n"
FILES: dict[str, str | bytes] = {
    ".gitattributes": ATTRIBUTES,
    ".orchestration/.gitignore": ".state/\nspatial_map.json\n",
    **{f"src/part{n}.py": "".join(f"part{n}_line{line} = {line}\n" for line in range(30)) for n in range(4)},
    "docs/guide.md": "# Guide\n\nText.\n",
    "prototype/main.py": "print('hello')\n",
    "legacy/old.py": "OLD = 1\n",
    "notes/todo.txt": "nothing\n",
    "src/generated/schema.py": "SCHEMA = {}\n",
}


def make_origin(folder: Path) -> Path:
    """A repository with a governed root, some history on record, and everything committed on `main`."""
    root = make_workspace(
        folder, INTENTS, FILES, policy="mode: enforce\nhitl: ask\n", ignore="intent: INT-004\n*.secret\n"
    )
    make_git_repo(root)
    agent = Agent(root, "founder").select("INT-001")
    for number in range(3):
        agent.edit(f"src/part{number}.py", f"part{number}_line2 = 2\n", f"part{number}_line2 = 'two'\n")
    commit_all(root, "On record")
    return root


@dataclass
class Branch:
    """One clone of the origin, on a branch of its own, and what was planted in it."""

    root: Path
    rng: random.Random
    planted: list[tuple[str, str]] = field(default_factory=list)
    spoiled: set[str] = field(default_factory=set)
    declared: set[str] = field(default_factory=set)
    _made: int = 0
    session: str = "agent-1"

    @classmethod
    def of(cls, origin: Path, folder: Path, seed: int) -> Branch:
        shutil.copytree(origin, folder, symlinks=True, ignore=shutil.ignore_patterns(".state"))
        git(folder, "switch", "--quiet", "--create", "work")
        return cls(folder.resolve(), random.Random(seed))

    @classmethod
    def of_copy(cls, root: Path, folder: Path) -> Branch:
        """A copy of a clone as it is, with what its state remembers."""
        shutil.copytree(root, folder, symlinks=True)
        return cls(folder.resolve(), random.Random(1))

    # -- tools

    def agent(self, intent: str = "INT-001", session: str = "") -> Agent:
        return Agent(self.root, session or self.session).select(intent)

    def run_shell(self, action: Callable[[], object], session: str = "agent-1", intent: str = "INT-001") -> None:
        """What an agent's shell command does, seen by its hook."""
        workspace = self.agent(intent, session).engine.workspace(self.root)
        call = shell_changes.ShellCall(session, "execute_command", uuid.uuid4().hex)
        shell_changes.remember(workspace, call)
        action()
        shell_comparison.reconcile(workspace, call)

    def commit(self, message: str = "Work") -> str:
        if not git(self.root, "status", "--porcelain"):
            return git(self.root, "rev-parse", "HEAD")
        return commit_all(self.root, message)

    def read(self, path: str) -> str:
        return (self.root / path).read_bytes().decode()

    def put(self, path: str, content: str | bytes) -> None:
        """By hand, past every gate."""
        file = self.root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content if isinstance(content, bytes) else content.encode())

    def declare(self, path: str, content: str) -> None:
        """By a person: a declared file, in a commit of its own. After squashing, the commit is no longer its own."""
        self.commit()
        self.put(path, content)
        self.commit("Declared")
        self.declared.add(path)

    def fresh(self, folder: str = "src", suffix: str = ".py") -> str:
        self._made += 1
        return f"{folder}/new{self._made}{suffix}"

    def pick(self) -> str:
        """A file under `src` that nobody tampered with."""
        found = sorted(
            path.relative_to(self.root).as_posix()
            for path in (self.root / "src").rglob("*.py")
            if not path.is_symlink() and "generated" not in path.parts
        )
        return self.rng.choice([path for path in found if path not in self.spoiled])

    def records(self) -> list[dict[str, Any]]:
        return [json.loads(line) for line in self.read(LEDGER).splitlines()]

    def forge(self, path: str, content: str, **keys: object) -> None:
        """Change a file, with a record in the right chain that says something that the gate would not let it say."""
        before, after = self.read(path) if (self.root / path).exists() else None, content
        self.put(path, content)
        file = {
            "path": path,
            "relative_path": path,
            "change": "modify",
            "pre_hash": None if before is None else content_hash(before.encode()),
            "post_hash": content_hash(after.encode()),
            "conversations": [],
        }
        record = {**self.records()[0], "id": str(uuid.uuid4()), "files": [file], **keys}
        self.agent().engine.workspace(self.root).ledger.append(record, durable=False)

    def done(self, outcome: object) -> None:
        assert not isinstance(outcome, Refusal), outcome

    def judge(self, base: str = "main", **wanted: Any) -> BranchReport:
        return check_branch(self.root, ComparisonRequest(base, **wanted))

    # -- work that leaves its trace

    def writes(self) -> None:
        self.done(self.agent().write(self.fresh(), f"value = {self.rng.random()}\n" * self.rng.randint(1, 5)))

    def edits(self) -> None:
        path = self.pick()
        agent = self.agent()
        lines = agent.read(path).splitlines(keepends=True)
        at = self.rng.randrange(len(lines))
        lines[at] = f"edited = {self.rng.random()}\n"
        self.done(agent.write(path, "".join(lines)))

    def deletes(self) -> None:
        path = self.fresh()
        self.done(self.agent().write(path, "gone = soon\n"))
        if self.rng.random() < 0.5:
            self.commit()
        self.done(self.agent().delete(path))

    def renames(self) -> None:
        path = self.fresh()
        self.done(self.agent().write(path, f"moves = {self.rng.random()}\n"))
        if self.rng.random() < 0.5:
            self.commit()
        self.done(self.agent().rename(path, self.fresh("src/deep")))

    def documents(self) -> None:
        self.done(self.agent("INT-002", "writer").write(self.fresh("docs", ".md"), f"# {self.rng.random()}\n"))

    def shells(self) -> None:
        path = self.pick()
        text = f"{self.read(path)}by_shell = {self.rng.random()}\n"
        self.run_shell(lambda: self.put(path, text))

    def shells_binary(self) -> None:
        path = self.fresh("src", ".bin")
        self.run_shell(lambda: self.put(path, bytes(self.rng.randrange(256) for _ in range(64)) + b"\0"))

    def shells_mode(self) -> None:
        path = self.fresh()
        self.done(self.agent().write(path, "runs = True\n"))
        self.commit()
        self.run_shell(lambda: (self.root / path).chmod(0o755))

    def shells_link(self) -> None:
        path = self.fresh("src", ".link")
        self.run_shell(lambda: os.symlink("part0.py", self.root / path))

    def expands(self) -> None:
        path = self.fresh("tools")
        agent = self.agent()
        intents_edit.expand_scope(agent.engine, "INT-001", path, None, "agent-1", "the build needs it")
        self.done(agent.write(path, "tool = 1\n"))

    def declares(self) -> None:
        """A new intent is somebody's decision, and work under it begins."""
        self._made += 1
        intent, folder = f"INT-1{self._made:02}", f"area{self._made}"
        item = f'  - id: {intent}\n    name: More\n    status: IN_PROGRESS\n    owned_scope: ["{folder}/**"]\n'
        self.declare(INTENTS_FILE, self.read(INTENTS_FILE) + item)
        self.plant("INTENT_NEW", INTENTS_FILE)
        self.done(self.agent(intent, "third").write(f"{folder}/first.py", "first = 1\n"))

    def completes(self) -> None:
        """The last act of a branch: its intent is done."""
        intents_edit.change_status(self.agent("INT-002").engine, "INT-002", "DONE", "agent-1")
        intents_edit.change_status(self.agent("INT-001").engine, "INT-002", "PLANNED", "agent-1")

    # -- what happens to branches

    def main_goes_on(self) -> None:
        """Somebody else's work, on record, lands on `main`; in files that this branch changes, too."""
        self.commit()
        git(self.root, "switch", "--quiet", "main")
        agent = self.agent(session="colleague")
        for number in range(4):
            path = f"src/part{number}.py"
            lines = self.read(path).splitlines(keepends=True)
            at = self.rng.randrange(len(lines))
            lines.insert(at, f"main{number} = {self.rng.random()}\n")
            self.done(agent.write(path, "".join(lines)))
        self.commit("Main goes on")
        git(self.root, "switch", "--quiet", "work")

    def joins(self, how: str) -> bool:
        """Merge `main` into the branch, or put the branch on top of it; False where that leaves a conflict."""
        self.commit()
        command = ("rebase", "--quiet", "main") if how == "rebase" else ("merge", "--quiet", "--no-edit", "main")
        try:
            git(self.root, *command)
        except AssertionError:
            git(self.root, *("rebase", "--abort") if how == "rebase" else ("merge", "--abort"))
            return False
        return True

    def squashes(self) -> None:
        self.commit()
        git(self.root, "reset", "--quiet", "--soft", git(self.root, "merge-base", "main", "HEAD"))
        self.commit("Squashed")
        for path in self.declared:
            if git(self.root, "diff", "--name-only", "main...HEAD", "--", path):
                self.plant("UNCOVERED_DECLARATION", path)

    # -- violations: each says which finding it must lead to

    def plant(self, code: str, path: str) -> None:
        self.planted.append((code, path))
        self.spoiled.add(path)

    def hand_edit(self) -> None:
        path = "src/part3.py"
        self.put(path, self.read(path) + "by = 'hand'\n")
        self.plant("UNCOVERED_CHANGE" if not self._has_records(path) else "CONTENT_MISMATCH", path)

    def hand_edit_after_record(self) -> None:
        path = self.fresh()
        self.done(self.agent().write(path, "one = 1\ntwo = 2\n"))
        self.put(path, "one = 1\ntwo = 3\n")
        self.plant("CONTENT_MISMATCH", path)

    def hand_edit_before_record(self) -> None:
        path = self.fresh()
        self.put(path, "smuggled = 1\n")
        self.done(self.agent().edit(path, "smuggled = 1\n", "smuggled = 1\nrecorded = 2\n"))
        self.plant("CONTENT_MISMATCH", path)

    def hand_edit_then_rename(self) -> None:
        path, new = self.fresh(), self.fresh("src/deep")
        self.done(self.agent().write(path, "one = 1\n"))
        self.put(path, "one = 'smuggled'\n")
        self.done(self.agent(session="unaware").rename(path, new))
        self.plant("CONTENT_MISMATCH", new)

    def hand_add(self) -> None:
        path = self.fresh()
        self.put(path, "added = 'by hand'\n")
        self.plant("UNCOVERED_CHANGE", path)

    def hand_delete(self) -> None:
        (self.root / "notes/todo.txt").unlink()
        self.plant("UNCOVERED_CHANGE", "notes/todo.txt")

    def hand_move(self) -> None:
        git(self.root, "mv", "docs/guide.md", "docs/moved.md")
        self.plant("UNCOVERED_CHANGE", "docs/guide.md")
        self.plant("UNCOVERED_CHANGE", "docs/moved.md")

    def hand_mode(self) -> None:
        (self.root / "prototype/main.py").chmod(0o755)
        self.plant("UNCOVERED_CHANGE", "prototype/main.py")

    def hand_binary(self) -> None:
        path = self.fresh("src", ".bin")
        self.put(path, b"\0\1\2\3")
        self.plant("UNCOVERED_CHANGE", path)

    def hand_link(self) -> None:
        path = self.fresh("src", ".link")
        os.symlink("/etc/passwd", self.root / path)
        self.plant("UNCOVERED_CHANGE", path)

    def link_in_disguise(self) -> None:
        """A record of a regular file whose text is a path, and then a link to that path."""
        path = self.fresh()
        self.done(self.agent().write(path, "/etc/passwd"))
        (self.root / path).unlink()
        os.symlink("/etc/passwd", self.root / path)
        self.plant("CONTENT_MISMATCH", path)

    def submodule(self) -> None:
        self.commit()
        head = git(self.root, "rev-parse", "HEAD")
        git(self.root, "update-index", "--add", "--cacheinfo", f"160000,{head},vendor/lib")
        git(self.root, "commit", "--quiet", "--message", "A submodule")
        (self.root / "vendor/lib").mkdir(parents=True)
        self.plant("SUBMODULE_CHANGED", "vendor/lib")

    def out_of_scope(self) -> None:
        path = self.fresh("elsewhere")
        self.run_shell(lambda: self.put(path, "x = 1\n"))
        self.plant("SCOPE_VIOLATION", path)

    def excluded_from_scope(self) -> None:
        self.run_shell(lambda: self.put("src/generated/schema.py", "SCHEMA = {1: 2}\n"))
        self.plant("SCOPE_VIOLATION", "src/generated/schema.py")

    def smuggled_through_scope(self) -> None:
        """Widen by hand, work, and narrow again: the ends of the branch look alike."""
        path, text = self.fresh("cellar"), self.read(INTENTS_FILE)
        self.declare(INTENTS_FILE, text.replace('- "src/**"', '- "src/**"\n      - "cellar/**"'))
        self.done(self.agent().write(path, "x = 1\n"))
        self.commit("Widened for a moment")
        self.declare(INTENTS_FILE, text)
        self.plant("SCOPE_VIOLATION", path)

    def closed_intent(self) -> None:
        self.forge("prototype/main.py", "print('again')\n", intent_id="INT-003")
        self.plant("INTENT_CLOSED", "prototype/main.py")

    def unknown_intent(self) -> None:
        path = self.fresh()
        self.forge(path, "x = 1\n", intent_id="INT-999")
        self.plant("INTENT_NOT_FOUND", path)

    def ignored_intent(self) -> None:
        self.forge("legacy/old.py", "OLD = 2\n", intent_id="INT-004")
        self.plant("INTENT_IGNORED", "legacy/old.py")

    def no_intent(self) -> None:
        path = self.fresh()
        self.forge(path, "x = 1\n", intent_id="UNTRACKED", tool_name="did_save", scope_validation="EXEMPT")
        self.plant("INTENT_REQUIRED", path)

    def ignored_path(self) -> None:
        path = self.fresh("src", ".secret")
        self.forge(path, "x = 1\n", intent_id="INT-001")
        self.plant("INTENTIGNORE_PATH_BLOCKED", path)

    def refused_and_done(self) -> None:
        path = self.fresh("elsewhere")
        assert isinstance(self.agent().write(path, "x = 1\n"), Refusal)
        self.put(path, "x = 1\n")
        self.plant("UNCOVERED_CHANGE", path)

    def protected(self) -> None:
        self.put(".orchestration/run.sh", "echo\n")
        self.plant("PROTECTED_PATH", ".orchestration/run.sh")

    def _rewrite(self, change: Callable[[str], str]) -> None:
        """Change the second record of the base, in every file of the ledger that has it."""
        line = self.read(LEDGER).splitlines(keepends=True)[1]
        for file in [LEDGER, *(f"{TRACE}/{file.name}" for file in (self.root / TRACE).glob("*.jsonl"))]:
            self.put(file, self.read(file).replace(line, change(line)))

    def ledger_line_gone(self) -> None:
        self._rewrite(lambda _line: "")
        self.plant("LEDGER_REWRITTEN", LEDGER)
        self.plant("LEDGER_BROKEN", LEDGER)

    def ledger_line_altered(self) -> None:
        self._rewrite(lambda line: line.replace("INT-001", "INT-002"))
        self.plant("LEDGER_REWRITTEN", LEDGER)
        self.plant("LEDGER_BROKEN", LEDGER)

    def ledger_line_forged(self) -> None:
        """A segment that no writer wrote."""
        self.put(f"{TRACE}/{uuid.uuid4().hex}.jsonl", json.dumps({**self.records()[0], "chain": None}) + "\n")
        self.plant("LEDGER_BROKEN", LEDGER)

    def scope_by_hand(self) -> None:
        self.declare(INTENTS_FILE, self.read(INTENTS_FILE).replace('- "src/**"', '- "src/**"\n      - "cellar/**"'))
        self.plant("SCOPE_WIDENED", INTENTS_FILE)

    def scope_without_reason(self) -> None:
        intents_edit.expand_scope(self.agent().engine, "INT-002", None, "cellar/**", "agent-1", "")
        self.plant("SCOPE_WIDENED", INTENTS_FILE)

    def exclusion_gone(self) -> None:
        self.declare(INTENTS_FILE, self.read(INTENTS_FILE).replace('      - "!src/generated/**"\n', ""))
        self.plant("SCOPE_WIDENED", INTENTS_FILE)

    def reopened(self) -> None:
        self.declare(INTENTS_FILE, self.read(INTENTS_FILE).replace("status: COMPLETED", "status: IN_PROGRESS"))
        self.plant("INTENT_REOPENED", INTENTS_FILE)

    def intent_gone(self) -> None:
        self.declare(INTENTS_FILE, self.read(INTENTS_FILE).replace("  - id: INT-003", "  - id: INT-0033"))
        self.plant("INTENT_NEW", INTENTS_FILE)
        self.plant("INTENT_REMOVED", INTENTS_FILE)

    def policy_loosened(self) -> None:
        self.declare(".orchestration/policy.yaml", "mode: advise\nhitl: ask\n")
        self.plant("POLICY_LOOSENED", ".orchestration/policy.yaml")

    def ignore_loosened(self) -> None:
        self.declare(".intentignore", "intent: INT-004\n")
        self.plant("IGNORE_LOOSENED", ".intentignore")

    def root_inside(self) -> None:
        self.put("src/own/.orchestration/active_intents.yaml", INTENTS)
        self.plant("ROOT_CHANGED", "src/own/.orchestration/active_intents.yaml")
        self.plant("INTENT_NEW", "src/own/.orchestration/active_intents.yaml")

    def put_back(self) -> None:
        """An old content that had its turn, put back by hand."""
        old = "".join(f"part0_line{line} = {line}\n" for line in range(30))
        self.put("src/part0.py", old)
        self.plant("UNCOVERED_CHANGE" if not self._has_records("src/part0.py") else "CONTENT_MISMATCH", "src/part0.py")

    def evil_merge(self) -> None:
        """A merge that brings in more than the two sides have."""
        self.commit()
        git(self.root, "switch", "--quiet", "main")
        self.done(self.agent(session="colleague").write("src/by_colleague.py", "x = 1\n"))
        self.commit("Main goes on")
        git(self.root, "switch", "--quiet", "work")
        git(self.root, "merge", "--quiet", "--no-commit", "--no-ff", "main")
        self.put("src/part3.py", self.read("src/part3.py") + "evil = True\n")
        self.commit("Merged")
        self.plant("UNCOVERED_CHANGE" if not self._has_records("src/part3.py") else "CONTENT_MISMATCH", "src/part3.py")

    def _has_records(self, path: str) -> bool:
        segments = git(self.root, "ls-tree", "-r", "--name-only", "main", f"{TRACE}/").splitlines()
        lines = [line for segment in segments for line in git(self.root, "show", f"main:{segment}").splitlines()]
        known = {json.loads(line)["id"] for line in lines}
        return any(
            file["path"] == path for record in self.records() if record["id"] not in known for file in record["files"]
        )


CLEAN = (
    *(Branch.writes, Branch.edits, Branch.edits, Branch.deletes, Branch.renames, Branch.documents, Branch.shells),
    *(Branch.shells_binary, Branch.shells_mode, Branch.shells_link, Branch.expands, Branch.declares, Branch.completes),
)
LATE = (Branch.evil_merge, Branch.ledger_line_forged, Branch.ledger_line_altered, Branch.ledger_line_gone)
"""Violations after which no agent can go on as if nothing had happened."""

VIOLATIONS = (
    *(Branch.hand_edit, Branch.hand_edit_after_record, Branch.hand_edit_before_record, Branch.hand_edit_then_rename),
    *(Branch.hand_add, Branch.hand_delete, Branch.hand_move, Branch.hand_mode, Branch.hand_binary, Branch.hand_link),
    *(Branch.link_in_disguise, Branch.submodule, Branch.out_of_scope, Branch.excluded_from_scope),
    *(Branch.smuggled_through_scope, Branch.closed_intent, Branch.unknown_intent, Branch.ignored_intent),
    *(Branch.no_intent, Branch.ignored_path, Branch.refused_and_done, Branch.protected, Branch.scope_by_hand),
    *(Branch.scope_without_reason, Branch.exclusion_gone, Branch.reopened, Branch.intent_gone, Branch.put_back),
    *(Branch.policy_loosened, Branch.ignore_loosened, Branch.root_inside, *LATE),
)
