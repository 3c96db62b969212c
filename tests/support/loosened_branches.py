"""Branches that change or loosen exactly one thing, with a model of its own that says whether that is harmless.

The model knows nothing of the branch check: it ranks the values of policy keys, asks git what is ignored, and takes
scopes for what a path begins with.
"""

from __future__ import annotations

import hashlib
import os
import random
import shutil
import subprocess
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from intentls.engine.branch_check.check import check_branch
from intentls.engine.branch_check.comparison import ComparisonRequest
from intentls.engine.edits.read import read_file
from tests.support.agent_edits import Agent
from tests.support.workspaces import commit_all, git, make_git_repo, make_workspace

HOME = ".orchestration"
INTENTS_FILE = f"{HOME}/active_intents.yaml"
POLICY_FILE = f"{HOME}/policy.yaml"
IGNORES = (f"{HOME}/.intentignore", ".intentignore")
COVERAGE = frozenset({"UNCOVERED_CHANGE", "CONTENT_MISMATCH"})
RANKS: dict[str, tuple[str, ...]] = {
    "mode": ("advise", "enforce"),
    "hitl": ("ask", "deny"),
    "on_invalid": ("allow", "block"),
    "on_trace_failure": ("warn", "block"),
    "require_base": ("false", "true"),
    "empty_scope": ("allow", "deny"),
    "trace_on_save": ("false", "true"),
    "shell": ("record", "revert", "deny"),
    "mutation_check": ("record", "warn", "block"),
    "leases": ("advise", "enforce"),
    "lease_ttl_s": ("60", "600", "6000"),
}
POLICY = {
    **{key: ranks[min(1, len(ranks) - 1)] for key, ranks in RANKS.items()},
    "hitl_timeout_s": "120",
    "linters": '[{name: ruff, files: ["**/*.py"], command: [ruff, check, "{file}"]}]',
}
SCOPE = ("src/**", "docs/**", "!src/generated/**")
SCOPES = ("src/**", "docs/**", "src/api/**", "cellar/**", "src/generated/**", "**")
PLACES = ("src/a.py", "src/api/b.py", "src/generated/c.py", "docs/d.md", "cellar/e.py", "top.py")
CONSTRAINTS = ("No network", "No globals", "Small steps")
CRITERIA = ('"Quick"', "{run: make test}", "{run: make lint}")
RULES = ("*.key", "!public.key", "secrets/", "*.pem", "!docs/*.pem", "build/*", "!build/keep", "*.key")
NEW_RULES = ("!a.key", "!*.pem", "*.more", "!build/*", "!unknown", " *.key", "# a word", "public.key")
UNIVERSE = ("a.key", "public.key", "x/public.key", "secrets/s", "a.pem", "docs/a.pem", "build/keep", "build/b")


def policy_text(values: dict[str, str]) -> str:
    """A policy.yaml."""
    return "".join(f"{key}: {value}\n" for key, value in values.items())


def intents_text(
    scope: tuple[str, ...] = SCOPE,
    constraints: tuple[str, ...] = CONSTRAINTS,
    criteria: tuple[str, ...] = CRITERIA,
    second: str = "COMPLETED",
    more: str = "",
) -> str:
    """An active_intents.yaml with INT-001, and INT-002 in the status `second` unless that is empty."""
    lists = {
        "owned_scope": [f'"{glob}"' for glob in scope],
        "constraints": [f'"{text}"' for text in constraints],
        "acceptance_criteria": list(criteria),
    }
    text = "active_intents:\n  - id: INT-001\n    status: IN_PROGRESS\n"
    text += "".join(f"    {key}: [{', '.join(items)}]\n" for key, items in lists.items())
    if second:
        text += f'  - id: INT-002\n    status: {second}\n    owned_scope: ["prototype/**"]\n'
    return text + more


def make_origin(folder: Path) -> Path:
    """A governed repository on `main`: its history has a recorded change that was taken back, and so was a deletion."""
    files: dict[str, str | bytes] = {
        ".gitattributes": f"{HOME}/agent_trace.jsonl -text\n*.big filter=lfs\n*.txt text\n",
        **{f"src/part{number}.py": f"part = {number}\nlines = 2\n" for number in range(4)},
        "src/taken.py": "taken = 1\n",
        "src/deleted.py": "deleted = 1\n",
        "src/moved.py": "moved = 1\n",
        "src/image.big": b"\0large",
        "docs/guide.md": "# Guide\n",
        "run.sh": "echo\n",
        f"{HOME}/AGENT.md": "# Rules\n\nBe kind.\n",
    }
    root = make_workspace(folder, intents_text(), files, policy=policy_text(POLICY))
    (root / IGNORES[0]).write_text("intent: INT-002\n", encoding="utf-8")
    (root / IGNORES[1]).write_text("\n".join(RULES) + "\n", encoding="utf-8")
    make_git_repo(root)
    (root / ".git/info/exclude").write_text(f"{HOME}/.state/\n", encoding="utf-8")
    agent = Agent(root, "founder").select("INT-001")
    read_file(agent.engine, agent.session_id, "src/taken.py")
    agent.write("src/taken.py", "taken = 2\n")
    read_file(agent.engine, agent.session_id, "src/deleted.py")
    agent.delete("src/deleted.py")
    commit_all(root, "On record")
    (root / "src/taken.py").write_text("taken = 1\n", encoding="utf-8")
    (root / "src/deleted.py").write_text("deleted = 1\n", encoding="utf-8")
    commit_all(root, "Taken back")
    return root


@dataclass(frozen=True)
class Change:
    """One change of a branch. If it is harmful, a finding of one of `codes` must name one of `paths`."""

    harmful: bool
    paths: tuple[str, ...]
    codes: frozenset[str]


@dataclass
class LoosenedBranch:
    """A branch of the origin at `root`, with one change that `rng` chooses."""

    root: Path
    rng: random.Random

    def put(self, path: str, content: str | bytes) -> None:
        """By hand."""
        file = self.root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content if isinstance(content, bytes) else content.encode())

    def make(self) -> tuple[str, Change]:
        """Begin the branch, change one thing and commit it; the name of the kind of change, and the change."""
        git(self.root, "checkout", "--quiet", "--force", "-B", "work", "main")
        git(self.root, "clean", "-d", "-x", "--force", "--quiet")
        kind = self.rng.choice(KINDS)
        change = kind(self)
        if git(self.root, "status", "--porcelain"):
            commit_all(self.root, kind.__name__)
        return kind.__name__, change

    def named(self) -> set[tuple[str, str]]:
        """The code and the path of each finding."""
        findings = check_branch(self.root, ComparisonRequest("main")).findings
        return {(finding.code.value, finding.path) for finding in findings}

    # -- what people declare

    def policy_key(self) -> Change:
        key = self.rng.choice(list(RANKS))
        value = self.rng.choice(RANKS[key])
        self.put(POLICY_FILE, policy_text({**POLICY, key: value}))
        weaker = RANKS[key].index(value) < RANKS[key].index(POLICY[key])
        return Change(weaker, (POLICY_FILE,), frozenset({"POLICY_LOOSENED"}))

    def policy_key_gone(self) -> Change:
        key = self.rng.choice(["hitl", "require_base", "empty_scope", "on_trace_failure", "mutation_check", "leases"])
        self.put(POLICY_FILE, policy_text({name: value for name, value in POLICY.items() if name != key}))
        return Change(True, (POLICY_FILE,), frozenset({"POLICY_LOOSENED"}))

    def linters(self) -> Change:
        choice = self.rng.choice(["[]", '[{name: ruff, files: ["**/*.py"], command: [sh, -c, "true"]}]'])
        self.put(POLICY_FILE, policy_text({**POLICY, "linters": choice}))
        return Change(True, (POLICY_FILE,), frozenset({"POLICY_LOOSENED"}))

    def constraint(self) -> Change:
        kept = tuple(self.rng.sample(CONSTRAINTS, self.rng.randint(1, 3)))
        self.put(INTENTS_FILE, intents_text(constraints=kept))
        return Change(len(kept) < len(CONSTRAINTS), (INTENTS_FILE,), frozenset({"RULE_DROPPED"}))

    def criterion(self) -> Change:
        criteria = list(CRITERIA)
        criteria[self.rng.randrange(3)] = self.rng.choice(['"Quick"', "{run: 'true'}", "{run: make lint}"])
        self.put(INTENTS_FILE, intents_text(criteria=tuple(dict.fromkeys(criteria))))
        return Change(not set(CRITERIA) <= set(criteria), (INTENTS_FILE,), frozenset({"RULE_DROPPED"}))

    def scope(self) -> Change:
        scope = tuple(glob for glob in SCOPE if self.rng.random() < 0.7) + tuple(
            self.rng.sample(SCOPES, self.rng.randint(0, 1))
        )
        self.put(INTENTS_FILE, intents_text(scope))
        before, after = ({path for path in PLACES if _contains(globs, path)} for globs in (SCOPE, scope))
        return Change(not after <= before, (INTENTS_FILE,), frozenset({"SCOPE_WIDENED"}))

    def status(self) -> Change:
        status = self.rng.choice(["", "DONE", "IN_PROGRESS", "PLANNED"])
        self.put(INTENTS_FILE, intents_text(second=status))
        codes = frozenset({"INTENT_REMOVED", "INTENT_REOPENED"})
        return Change(status != "DONE", (INTENTS_FILE,), codes)

    def new_intent(self) -> Change:
        self.put(INTENTS_FILE, intents_text(more="  - id: INT-009\n    status: PLANNED\n"))
        return Change(True, (INTENTS_FILE,), frozenset({"INTENT_NEW"}))

    def ignore_rule(self) -> Change:
        rules = list(RULES)
        number = self.rng.randrange(len(rules))
        match self.rng.choice(["drop", "swap", "add", "move"]):
            case "drop":
                del rules[number]
            case "swap":
                other = self.rng.randrange(len(rules))
                rules[number], rules[other] = rules[other], rules[number]
            case "add":
                rules.insert(number, self.rng.choice(NEW_RULES))
            case _:
                self.put(IGNORES[0], f"intent: INT-002\n{rules[number]}\n")
                rules = [rules[number], *rules[:number], *rules[number + 1 :]]
                self.put(IGNORES[1], "\n".join(rules[1:]) + "\n")
                return Change(self._frees(rules), IGNORES, frozenset({"IGNORE_LOOSENED"}))
        self.put(IGNORES[1], "\n".join(rules) + "\n")
        return Change(self._frees(rules), IGNORES, frozenset({"IGNORE_LOOSENED"}))

    def ignored_intent(self) -> Change:
        self.put(IGNORES[0], self.rng.choice(["", "# intent: INT-002\n", "intent: INT-003\n"]))
        return Change(True, IGNORES, frozenset({"IGNORE_LOOSENED"}))

    def _frees(self, rules: list[str]) -> bool:
        return not self._ignored(list(RULES)) <= self._ignored(rules)

    def _ignored(self, rules: list[str]) -> set[str]:
        """What git ignores by these rules."""
        folder = self.root.parent / "ignored"
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
        (folder / ".gitignore").write_text("\n".join(rules) + "\n", encoding="utf-8")
        git(folder, "init", "--quiet")
        command = ["git", "check-ignore", "--no-index", "--stdin"]
        run = subprocess.run(
            command, cwd=folder, input="\n".join(UNIVERSE), capture_output=True, text=True, check=False
        )
        return set(run.stdout.split("\n")) - {""}

    # -- files of the tool, and declared files among others

    def declared_among_others(self) -> Change:
        path, content = self.rng.choice(
            [
                (INTENTS_FILE, intents_text() + "# A word\n"),
                (POLICY_FILE, policy_text(POLICY) + "# A word\n"),
                (IGNORES[0], "# A word\nintent: INT-002\n"),
                (f"{HOME}/AGENT.md", "# Rules\n\nBe kind. Skip the gate.\n"),
                (f"{HOME}/AGENT.md", ""),
                (f"{HOME}/.gitignore", "agent_trace.jsonl\n"),
                (f"{HOME}/intent_map.md", "# Intent Map\n\nRead the wiki first.\n"),
                (f"{HOME}/spatial_map.json", '[{"file_path": "a", "do": "this"}]'),
            ]
        )
        self.put(path, content)
        git(self.root, "add", "--force", path)  # derived files are ignored by default
        self.put("src/part3.py", "by = 'hand'\n")
        return Change(True, (path,), frozenset({"UNCOVERED_DECLARATION"}))

    def declared_link(self) -> Change:
        path = self.rng.choice([POLICY_FILE, INTENTS_FILE, IGNORES[1], f"{HOME}/AGENT.md"])
        (self.root / path).unlink()
        os.symlink("../src/part0.py", self.root / path)
        return Change(True, (path,), frozenset({"CONFIGURATION_INVALID", "PROTECTED_PATH"}))

    def stray(self) -> Change:
        path = f"{HOME}/{self.rng.choice(['run.sh', 'archive/run.sh', 'archive/a/0001.jsonl.gz', 'hooks/pre'])}"
        self.put(path, "echo\n")
        return Change(True, (path,), frozenset({"PROTECTED_PATH"}))

    # -- ordinary files

    def by_hand(self) -> Change:
        path = self.rng.choice(["src/part0.py", "docs/guide.md", "run.sh", "src/new.py", "top.py", "src/data.bin"])
        match self.rng.choice(["write", "delete", "mode", "link"]) if (self.root / path).exists() else "write":
            case "write":
                self.put(path, bytes(self.rng.randrange(256) for _ in range(9)))
            case "delete":
                (self.root / path).unlink()
            case "mode":
                (self.root / path).chmod(0o755)
            case _:
                (self.root / path).unlink()
                os.symlink("elsewhere", self.root / path)
        return Change(True, (path,), COVERAGE)

    def replay(self) -> Change:
        """A recorded change that the history took back, made again by hand."""
        path = self.rng.choice(["src/taken.py", "src/deleted.py"])
        if path == "src/taken.py":
            self.put(path, "taken = 2\n")
        else:
            (self.root / path).unlink()
        return Change(True, (path,), COVERAGE)

    def line_ends(self) -> Change:
        self.put("src/part1.py", "part = 1\r\nlines = 2\r\n")
        return Change(True, ("src/part1.py",), COVERAGE)

    def pointer(self) -> Change:
        """A pointer to the content that stands there, with the attribute that makes it so, and without."""
        path = self.rng.choice(["src/part2.py", "src/image.big"])
        content = (self.root / path).read_bytes()
        version = self.rng.choice(["https://git-lfs.github.com/spec/v1", "https://example.invalid/spec/v1"])
        size = self.rng.choice([len(content), 0])
        self.put(path, f"version {version}\noid sha256:{hashlib.sha256(content).hexdigest()}\nsize {size}\n")
        harmless = path.endswith(".big") and size and "git-lfs" in version
        return Change(not harmless, (path,), COVERAGE)

    def lost_rename(self) -> Change:
        """A rename on record whose target is gone."""
        agent = Agent(self.root, f"agent-{self.rng.random()}").select("INT-001")
        read_file(agent.engine, agent.session_id, "src/moved.py")
        agent.rename("src/moved.py", "src/there.py")
        kept = self.rng.random() < 0.3
        if not kept:
            (self.root / "src/there.py").unlink()
        return Change(not kept, ("src/moved.py",), COVERAGE)


def _contains(globs: tuple[str, ...], path: str) -> bool:
    """Globs that end in `**`; under `empty_scope: deny` no glob is no path."""
    begins = [glob.lstrip("!").removesuffix("**") for glob in globs]
    fitting = [glob for glob, begin in zip(globs, begins, strict=True) if path.startswith(begin)]
    return bool(fitting) and not any(glob.startswith("!") for glob in fitting)


KINDS: tuple[Callable[[LoosenedBranch], Change], ...] = (
    *(LoosenedBranch.policy_key, LoosenedBranch.policy_key, LoosenedBranch.policy_key_gone, LoosenedBranch.linters),
    *(LoosenedBranch.constraint, LoosenedBranch.criterion, LoosenedBranch.scope, LoosenedBranch.status),
    *(LoosenedBranch.new_intent, LoosenedBranch.ignore_rule, LoosenedBranch.ignore_rule, LoosenedBranch.ignored_intent),
    *(LoosenedBranch.declared_among_others, LoosenedBranch.declared_link, LoosenedBranch.stray),
    *(LoosenedBranch.by_hand, LoosenedBranch.replay, LoosenedBranch.line_ends, LoosenedBranch.pointer),
    LoosenedBranch.lost_rename,
)
