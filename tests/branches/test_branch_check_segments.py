"""The branch check reads the ledger as a folder of segments, and a commit may only add some."""

from __future__ import annotations

import gzip

import pytest

from intentls.faces.cli import main
from tests.support.random_branches import LEDGER, TRACE, Branch
from tests.support.workspaces import git


def new_segments(branch: Branch) -> list[str]:
    """Those that git does not have yet, by name."""
    return git(branch.root, "ls-files", "--others", "--exclude-standard", "--", f"{TRACE}/*.jsonl").splitlines()


def move_over(branch: Branch) -> None:
    """As `intentls init` does in an older repository."""
    assert main._code(["init", "--root", str(branch.root)]) == 0


def moved_over(branch: Branch) -> Branch:
    """On `main` the ledger is a folder of segments; the branch begins there."""
    git(branch.root, "switch", "--quiet", "main")
    move_over(branch)
    branch.commit("The ledger is a folder")
    git(branch.root, "switch", "--quiet", "-C", "work")
    return branch


def commit(branch: Branch, message: str = "Work") -> list[str]:
    names = new_segments(branch)
    branch.commit(message)
    return names


def codes(branch: Branch, base: str = "main") -> list[tuple[str, str]]:
    return [(finding.code.value, finding.path) for finding in branch.judge(base).findings]


def test_a_ledger_is_moved_over_without_a_finding(branch: Branch) -> None:
    """The base has the one tracked file, the head segments; then the file again, beside them."""
    branch.writes()
    move_over(branch)
    commit(branch)
    assert codes(branch) == []
    git(branch.root, "add", "--force", LEDGER)
    git(branch.root, "commit", "--quiet", "--message", "Both")
    assert codes(branch) == []


def test_segments_of_a_branch_explain_its_changes(branch: Branch) -> None:
    """Edits of one file in many segments, in whatever order their names are; by hand it is found."""
    moved_over(branch)
    for number in range(6):
        branch.done(branch.agent().write("src/new.py", f"value = {number}\n"))
        commit(branch)
    assert codes(branch) == []
    branch.put("src/new.py", "by_hand = 1\n")
    branch.commit()
    assert codes(branch) == [("CONTENT_MISMATCH", "src/new.py")]


def test_records_that_are_not_committed_explain_nothing(branch: Branch) -> None:
    """A file whose segment stays behind is not covered, and `--staged` says what may help."""
    moved_over(branch)
    branch.done(branch.agent().write("src/new.py", "value = 1\n"))
    (name,) = new_segments(branch)
    git(branch.root, "add", "src")
    report = branch.judge("HEAD", staged=True)
    assert [finding.code.value for finding in report.findings] == ["UNCOVERED_CHANGE"]
    assert "git add .orchestration" in report.notes[0]
    git(branch.root, "add", name)
    assert branch.judge("HEAD", staged=True).findings == ()


def test_branches_with_segments_merge_without_a_finding(branch: Branch) -> None:
    """Both sides worked; merged and rebased."""
    moved_over(branch)
    branch.done(branch.agent().write("src/ours.py", "ours = 1\n"))
    commit(branch)
    git(branch.root, "switch", "--quiet", "main")
    branch.done(branch.agent(session="colleague").write("src/theirs.py", "theirs = 1\n"))
    commit(branch)
    git(branch.root, "switch", "--quiet", "work")
    git(branch.root, "merge", "--quiet", "--no-edit", "main")
    assert codes(branch) == []


def test_a_segment_that_is_gone_is_named_until_it_is_put_back(branch: Branch) -> None:
    """As by `git revert` of a commit that brought it: the finding names `trace restore`, and is gone afterwards."""
    moved_over(branch)
    branch.writes()
    (name,) = commit(branch)
    base = git(branch.root, "rev-parse", "HEAD")
    git(branch.root, "revert", "--no-edit", "HEAD")
    findings = branch.judge(base).findings
    (gone,) = [finding for finding in findings if finding.code.value == "LEDGER_REWRITTEN"]
    assert (gone.path, "intentls trace restore" in gone.message) == (name, True)
    git(branch.root, "checkout", base, "--", name)
    branch.commit("Restored")
    assert [code for code, _ in codes(branch, base) if code.startswith("LEDGER")] == []


def test_a_segment_is_never_changed(branch: Branch) -> None:
    """Not by another line of its own writer, and not by another content."""
    moved_over(branch)
    first, *_ = sorted(path.relative_to(branch.root).as_posix() for path in (branch.root / TRACE).iterdir())
    branch.writes()
    (name,) = new_segments(branch)
    branch.put(first, branch.read(first) + branch.read(name))
    (branch.root / name).unlink()
    branch.commit()
    assert codes(branch) == [("LEDGER_REWRITTEN", first)]
    branch.put(first, branch.read(first).replace("INT-001", "INT-002"))
    branch.commit()
    assert {("LEDGER_REWRITTEN", first)} <= set(codes(branch))
    assert "LEDGER_BROKEN" in {code for code, _ in codes(branch)}


@pytest.mark.parametrize("whole", [True, False])
def test_packed_segments_are_no_finding_if_all_their_lines_are_there(branch: Branch, *, whole: bool) -> None:
    """An archive in `trace/` holds the lines of the segments that it takes the place of."""
    moved_over(branch)
    segments = sorted((branch.root / TRACE).glob("*.jsonl"))
    lines = [*dict.fromkeys(line for file in segments for line in file.read_bytes().splitlines(keepends=True))]
    (branch.root / TRACE / "0001-abcdef012345.jsonl.gz").write_bytes(gzip.compress(b"".join(lines[not whole :])))
    for file in segments:
        file.unlink()
    branch.commit("Packed")
    found = [code for code, _ in codes(branch)]
    assert found == [] if whole else "LEDGER_REWRITTEN" in found


def test_a_file_in_the_folder_that_is_no_segment_is_a_finding(branch: Branch) -> None:
    """The folder holds segments, archives and signatures alone; links are none."""
    moved_over(branch)
    branch.writes()
    (name,) = new_segments(branch)
    branch.put(f"{TRACE}/run.sh", "echo\n")
    branch.put(f"{TRACE}/deep/a.jsonl", "{}\n")
    branch.put(f"{name}.sig", "signature\n")
    (branch.root / TRACE / "link.jsonl").symlink_to("run.sh")
    branch.commit()
    protected = {path for code, path in codes(branch) if code == "PROTECTED_PATH"}
    assert protected == {f"{TRACE}/run.sh", f"{TRACE}/deep/a.jsonl", f"{TRACE}/link.jsonl"}


def test_a_folder_with_segments_alone_is_a_root(branch: Branch) -> None:
    """Its intents may be gone or one file each: it is governed all the same."""
    moved_over(branch)
    branch.put("src/by_hand.py", "x = 1\n")
    git(branch.root, "rm", "--quiet", ".orchestration/active_intents.yaml")
    branch.commit()
    assert branch.judge().roots == (".",)
    assert ("UNCOVERED_CHANGE", "src/by_hand.py") in codes(branch)
