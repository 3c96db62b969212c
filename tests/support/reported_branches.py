"""Branches with all that a report tells of, and the same numbers counted by other means: ledger lines and git alone."""

from __future__ import annotations

import hashlib
import json
import random
import subprocess
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from intentls.core.gate.refusal import Refusal
from intentls.engine.actions.effects import Answer, Effect, Reply, drive
from intentls.engine.actions.plans import WriteFile
from intentls.engine.actions.request import EditRequest
from intentls.engine.branch_check.attest import AttestRequest, attest
from intentls.engine.edits.perform import perform
from intentls.engine.intents.checkout import select
from intentls.engine.workspace.engine import Engine
from intentls.engine.workspace.host import Headless
from tests.support.random_branches import TRACE, Branch

Json = dict[str, Any]


def approved_write(branch: Branch, path: str = "notes/let_pass.txt", by: str = "Ben") -> None:
    """A write outside the scope that a person lets pass."""
    engine = Engine(Headless("lsp", (branch.root,), can_ask=True))
    drive(select(engine, "asking", "INT-001", None, None))

    def answer(_: Effect) -> Reply | bool:
        return Reply(Answer.APPROVE, by)

    branch.done(drive(perform(engine, EditRequest(WriteFile(path, "let = 'pass'\n"), "asking")), answer))


def refused_write(branch: Branch, path: str = "elsewhere/new.py") -> None:
    """A write outside the scope that nobody lets pass."""
    assert isinstance(branch.agent().write(path, "x = 1\n"), Refusal)


def attested_edit(branch: Branch, path: str = "src/part3.py", reason: str = "Ben works without") -> None:
    """Lines by hand, for which a person vouches."""
    branch.put(path, branch.read(path) + "by_hand = 1\nvouched_for = 2\n")
    branch.commit("By hand")
    branch.done(attest(branch.root, AttestRequest("person", reason, (branch.root / path,), base="main")))


def edit_after_record(branch: Branch) -> None:
    """A line that is changed by hand after its record."""
    path = branch.fresh()
    branch.done(branch.agent().write(path, "one = 1\ntwo = 2\n"))
    branch.commit()
    branch.put(path, "one = 1\ntwo = 3\n")


def busy_branch(branch: Branch, seed: int) -> None:
    """Work and trouble of every kind, in an order of chance; each step in a commit of its own."""
    rng = random.Random(seed)
    steps: list[Callable[[Branch], object]] = [
        *(Branch.writes, Branch.edits, Branch.edits, Branch.edits, Branch.deletes, Branch.documents, Branch.shells),
        *(Branch.shells_binary, Branch.expands, Branch.out_of_scope, Branch.scope_by_hand),
        *(refused_write, refused_write, approved_write, attested_edit),
    ]
    rng.shuffle(steps)
    for step in [*steps, edit_after_record, Branch.hand_add]:
        step(branch)
        branch.commit()


def git_bytes(root: Path, *arguments: str) -> bytes:
    return subprocess.run(["git", "-C", root, *arguments], check=True, capture_output=True).stdout


def new_lines(root: Path, base: str) -> list[Json]:
    """The ledger's lines that the head has and the base has not, by time."""

    def lines(commit: str) -> set[bytes]:
        names = git_bytes(root, "ls-tree", "-r", "--name-only", commit, f"{TRACE}/").decode().splitlines()
        return {line for name in names for line in git_bytes(root, "show", f"{commit}:{name}").splitlines()}

    records = [json.loads(line) for line in lines("HEAD") - lines(base)]
    return sorted(records, key=lambda record: record["timestamp"])


def kept(old: Sequence[bytes], new: Sequence[bytes]) -> dict[int, int]:
    """A longest common subsequence, by the schoolbook: places in `new`, and where they are in `old`."""
    lengths = [[0] * (len(new) + 1) for _ in range(len(old) + 1)]
    for i in range(len(old) - 1, -1, -1):
        for j in range(len(new) - 1, -1, -1):
            same = old[i] == new[j]
            lengths[i][j] = lengths[i + 1][j + 1] + 1 if same else max(lengths[i + 1][j], lengths[i][j + 1])
    pairs, i, j = {}, 0, 0
    while i < len(old) and j < len(new):
        if old[i] == new[j]:
            pairs[j] = i
            i, j = i + 1, j + 1
        elif lengths[i + 1][j] >= lengths[i][j + 1]:
            i += 1
        else:
            j += 1
    return pairs


def counted_lines(root: Path, base: str) -> Counter[str]:
    """The changed lines of a branch whose every step is a commit, by what tells of them.

    Each commit's new lines belong to the record that left that content; lines that stay keep theirs. Lines are unique
    in their files, so there is one way only to say which stayed.
    """
    records = {
        (file["path"], file["post_hash"]): record
        for record in new_lines(root, base)
        if record["success"]
        for file in record["files"]
    }
    counts: Counter[str] = Counter()
    for path in changed_files(root, base):
        owners: list[str | None] = []
        lines: list[bytes] = []
        first, *later = versions(root, base, path)
        lines, owners = first.splitlines(), [None] * len(first.splitlines())
        for content in later:
            new = content.splitlines()
            record = records.get((path, "sha256:" + hashlib.sha256(content).hexdigest()))
            pairs = kept(lines, new)
            owners = [owners[pairs[place]] if place in pairs else _owner(record) for place in range(len(new))]
            lines = new
        stays = kept(first.splitlines(), lines)
        counts.update(owners[place] or "unexplained" for place in range(len(lines)) if place not in stays)
    return counts


def changed_files(root: Path, base: str) -> list[str]:
    """The files that differ, without those of intentls."""
    names = git_bytes(root, "diff", "--name-only", "--no-renames", f"{base}...HEAD").decode().splitlines()
    return [name for name in names if not name.startswith(".orchestration/")]


def versions(root: Path, base: str, path: str) -> list[bytes]:
    """What a file held at the base and after each commit since; nothing where it was not there, or is binary."""
    commits = git_bytes(root, "rev-list", "--reverse", f"{base}..HEAD").decode().split()
    contents = []
    for commit in [base, *commits]:
        shown = subprocess.run(["git", "-C", root, "show", f"{commit}:{path}"], capture_output=True)
        content = shown.stdout if shown.returncode == 0 else b""
        contents.append(b"" if b"\0" in content else content)
    return contents


def _owner(record: Json | None) -> str | None:
    if record is None:
        return None
    return "attested" if record["tool_name"] == "attest" else str(record["intent_id"])
