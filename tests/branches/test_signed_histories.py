"""Random merges, rebases, squashes, reverts and archives of signed branches: no false alarm, no conflict."""

from __future__ import annotations

import os
import random
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.support.random_branches import TRACE, Branch
from tests.support.signing import SignedBranch, needs_ssh_keygen, rechained, run_cli
from tests.support.workspaces import git

LONG = os.environ.get("INTENTLS_LONG") == "1"
HISTORIES = int(os.environ.get("INTENTLS_SIGNED", "300" if LONG else "4"))

pytestmark = [needs_ssh_keygen, pytest.mark.skipif(os.name == "nt", reason="links and mode bits are POSIX's")]

_WORK = (Branch.writes, Branch.writes, Branch.edits, Branch.deletes, Branch.renames, Branch.documents, Branch.shells)
_OURS = ("SIGN", "SEGMENT", "UNSIGNED", "APPROVAL", "LEDGER")


class History:
    """One branch and `main`, and what happens to them."""

    def __init__(self, signed: SignedBranch, seed: int) -> None:
        self.signed, self.rng = signed, random.Random(seed)
        self.signed.branch.rng = self.rng
        self.said: list[str] = []
        self.root, self.branch = signed.root, signed.branch

    def step(self) -> None:
        """One thing that people do."""
        act = self.rng.choice(_STEPS)
        self.said.append(act.__name__)
        act(self)

    def works(self) -> None:
        self.branch.session = f"agent-{len(self.said)}"  # one that has read nothing yet
        for _ in range(self.rng.randint(1, 3)):
            self.rng.choice(_WORK)(self.branch)
        self.branch.commit()

    def signs(self) -> None:
        assert self.signed.sign() == 0
        self.branch.commit("Signed")

    def countersigns(self) -> None:
        assert self.signed.sign("--countersign", key=self.rng.choice((self.signed.ci, self.signed.ben))) == 0
        self.branch.commit("Countersigned")

    def main_goes_on(self) -> None:
        """Somebody's signed work lands there."""
        self.branch.main_goes_on()
        self.on_main(self.signs)

    def main_packs(self) -> None:
        self.on_main(self.packs)

    def main_countersigns(self) -> None:
        self.on_main(self.countersigns)

    def on_main(self, act: Callable[[], None]) -> None:
        git(self.root, "switch", "--quiet", "main")
        act()
        git(self.root, "switch", "--quiet", "work")

    def packs(self) -> None:
        self.signs()
        assert run_cli("trace", "archive", "--keep", str(self.rng.choice((0, 1, 4))), "--root", str(self.root)) == 0
        self.branch.commit("Packed")

    def merges(self) -> None:
        self.join("merge", "--quiet", "--no-edit", "main")

    def rebases(self) -> None:
        self.join("rebase", "--quiet", "main")

    def squashes(self) -> None:
        git(self.root, "reset", "--quiet", "--soft", git(self.root, "merge-base", "main", "HEAD"))
        self.branch.commit("Squashed")

    def picks(self) -> None:
        """The branch goes on from main with its commits picked one by one."""
        commits = git(self.root, "rev-list", "--reverse", "--no-merges", "main..work").split()
        old = git(self.root, "rev-parse", "work")
        git(self.root, "switch", "--quiet", "--detach", "main")
        try:
            for commit in commits:
                git(self.root, "cherry-pick", "--allow-empty", "--keep-redundant-commits", commit)
        except AssertionError:
            self.no_conflict_of_ours()
            git(self.root, "cherry-pick", "--abort")
            git(self.root, "switch", "--quiet", "--detach", old)
        git(self.root, "switch", "--quiet", "-C", "work")

    def reverts(self) -> None:
        """The last commit, if it is none that packed; what that takes out of the ledger is put back."""
        parents = git(self.root, "rev-list", "--parents", "--max-count=1", "HEAD").split()
        subject = git(self.root, "log", "-1", "--format=%s")
        if (
            len(parents) != 2
            or subject not in ("Work", "Signed")
            or git(self.root, "merge-base", "main", "HEAD") == parents[0]
        ):
            return
        git(self.root, "revert", "--no-edit", "HEAD")
        assert run_cli("trace", "restore", "--root", str(self.root)) == 0
        self.branch.commit("Restored")

    def join(self, *command: str) -> None:
        try:
            git(self.root, *command)
        except AssertionError:
            self.no_conflict_of_ours()
            git(self.root, command[0], "--abort")

    def no_conflict_of_ours(self) -> None:
        conflicts = git(self.root, "diff", "--name-only", "--diff-filter=U").splitlines()
        assert not [path for path in conflicts if path.startswith(".orchestration/")], conflicts

    def alarms(self) -> list[str]:
        """The findings about the ledger and its signatures."""
        return [
            f"{one.code} {one.path}: {one.message}"
            for one in self.branch.judge().findings
            if one.code.startswith(_OURS)
        ]


_STEPS = (
    *(History.works, History.works, History.works, History.signs, History.countersigns, History.main_goes_on),
    *(History.main_packs, History.main_countersigns, History.packs, History.merges, History.rebases),
    *(History.squashes, History.picks, History.reverts),
)


@pytest.mark.parametrize("seed", range(HISTORIES))
def test_signed_branches_raise_no_false_alarm_and_a_forgery_is_found(
    signed_origin: SignedBranch, tmp_path: Path, seed: int
) -> None:
    history = History(signed_origin.copied(tmp_path / "repo"), seed)
    for _ in range(8):
        history.step()
    history.works()
    history.signs()
    assert history.alarms() == [], history.said
    assert run_cli("trace", "verify", "--root", str(history.root)) == 0, history.said

    new = git(history.root, "diff", "--name-only", "--diff-filter=A", "main...HEAD", "--", f"{TRACE}/*.jsonl").split()
    victim = history.root / history.rng.choice(new)

    def change(_: int, record: dict[str, object]) -> None:
        record["session_id"] = "forged"

    victim.write_bytes(rechained(victim.read_bytes(), change))
    history.branch.commit("Forged")
    assert any(alarm.startswith("SEGMENT_REBUILT") for alarm in history.alarms()), history.said
