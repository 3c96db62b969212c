"""What a shell command did to a real working tree is found, recorded and, if policy says so, put back."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from intentls.engine.tools.shell_changes import ShellChanges
from tests.support.agent_shell import API, Shell, make_shell, refused
from tests.support.workspaces import git, make_workspace, write_files


@pytest.fixture
def shell(tmp_path: Path) -> Shell:
    return make_shell(tmp_path)


def test_adds_edits_and_deletes_are_recorded_with_their_lines(shell: Shell) -> None:
    """In scope PASS, out of scope FAIL; ranges are the lines that changed."""
    found = shell.run(f"echo 'x = 1' >> {API}; echo new > src/api/b.py; rm docs/design.md; echo a > top.txt")
    assert shell.files == {
        API: ("modify", "PASS", True),
        "src/api/b.py": ("add", "PASS", True),
        "docs/design.md": ("delete", "FAIL", True),
        "top.txt": ("add", "FAIL", True),
    }
    assert refused(found) == {"docs/design.md", "top.txt"} and found.recorded == 4
    file = next(f for r in shell.new for f in r["files"] if f["path"] == API)
    assert [(r["start_line"], r["end_line"]) for r in file["conversations"][0]["ranges"]] == [(3, 3)]


def test_a_rename_is_one_change(shell: Shell) -> None:
    """Whether git was told of it or not."""
    shell.run(f"git mv {API} src/api/sun.py")
    (file,) = shell.new[-1]["files"]
    assert (file["path"], file["old_path"], file["change"]) == ("src/api/sun.py", API, "rename")


def test_nothing_changed_nothing_recorded(shell: Shell) -> None:
    """Not by reading, touching, staging, committing or writing what git ignores."""
    write_files(shell.root, {API: "dirty = 1\n", "src/api/untracked.py": "u = 1\n"})
    command = f"cat {API}; touch docs/design.md; git add -A; git commit -qm x; mkdir -p build; echo o > build/out"
    assert shell.run(command) == ShellChanges() and shell.new == []


def test_what_was_dirty_before_is_not_the_commands(shell: Shell) -> None:
    """Only the difference to what it found is: of files dirty or untracked before, too."""
    write_files(shell.root, {API: "a = 1\nb = 2\n", "docs/design.md": "mine\n", "src/api/u.py": "u = 1\n"})
    found = shell.run(f"echo 'c = 3' >> {API}; rm src/api/u.py")
    assert shell.files == {API: ("modify", "PASS", True), "src/api/u.py": ("delete", "PASS", True)}
    file = next(f for r in shell.new for f in r["files"] if f["path"] == API)
    assert [(r["start_line"], r["end_line"]) for r in file["conversations"][0]["ranges"]] == [(3, 3)]
    assert not found.refusals


def test_an_executable_bit_and_a_link_are_changes(shell: Shell) -> None:
    """Modes and links count as content does."""
    found = shell.run("chmod +x docs/design.md; ln -s /etc/hosts src/api/link; mkdir sub")
    assert refused(found) == {"docs/design.md"}
    assert shell.files["src/api/link"] == ("add", "PASS", True)


def test_our_own_files_are_left_out_and_the_declared_ones_are_not(shell: Shell) -> None:
    """The ledger and the state are the engine's; the intents and the policy are protected."""
    found = shell.run("echo 'mode: advise' > .orchestration/policy.yaml; echo x > .orchestration/.state/x")
    assert refused(found) == {".orchestration/policy.yaml"}
    assert {refusal.code for refusal in found.refusals} == {"PROTECTED_PATH"}


def test_revert_puts_back_exactly_what_the_command_changed(tmp_path: Path) -> None:
    """Edits, deletions and additions out of scope; in scope all stays; what was dirty before stays dirty."""
    shell = make_shell(tmp_path, "shell: revert\n")
    write_files(shell.root, {"docs/design.md": b"mine\r\n", "docs/kept.md": "untracked\n"})
    (shell.root / "prototype/main.py").chmod(0o755)
    commands = "echo x >> docs/design.md; rm docs/kept.md; rm prototype/main.py; echo n > docs/new.md"
    found = shell.run(f"{commands}; echo 'x = 1' >> {API}; echo 'shell: record' > .orchestration/policy.yaml")
    assert (shell.root / "docs/design.md").read_bytes() == b"mine\r\n"
    assert (shell.root / "docs/kept.md").read_text() == "untracked\n"
    assert os.access(shell.root / "prototype/main.py", os.X_OK)
    assert not (shell.root / "docs/new.md").exists()
    assert (shell.root / API).read_text().endswith("x = 1\n")
    assert {"docs/design.md", "docs/kept.md", "prototype/main.py", "docs/new.md"} <= set(found.reverted)
    assert shell.files["docs/design.md"] == ("modify", "FAIL", False)
    assert shell.files[API] == ("modify", "PASS", True)


def test_a_command_cannot_switch_its_own_judge_off(tmp_path: Path) -> None:
    """The policy that counts is the one from before the command."""
    shell = make_shell(tmp_path, "shell: revert\n")
    shell.run("echo 'mode: advise' > .orchestration/policy.yaml; echo x >> docs/design.md")
    assert (shell.root / ".orchestration/policy.yaml").read_text() == "shell: revert\n"
    assert (shell.root / "docs/design.md").read_text() == "# Design\n"


def test_a_command_cannot_widen_its_own_scope(shell: Shell) -> None:
    """The scope that counts is the one from before the command, too."""
    found = shell.run("sed -i 's|src/api/[*][*]|**|' .orchestration/active_intents.yaml; echo x >> docs/design.md")
    assert refused(found) == {".orchestration/active_intents.yaml", "docs/design.md"}


def test_what_another_session_wrote_meanwhile_is_not_the_commands(shell: Shell) -> None:
    """It is on record already; commands that overlap are not counted twice either."""
    shell.before("t1")
    shell.before("t2")
    write_files(shell.root, {API: "both = 1\n"})
    assert shell.after("t1").recorded == 1
    assert shell.after("t2") == ShellChanges()


def test_without_a_view_from_before_it_is_said(shell: Shell) -> None:
    """A command that was not announced leaves no claim."""
    assert shell.after("never") == ShellChanges(no_baseline=True)


def test_outside_git_a_walk_takes_its_place(tmp_path: Path) -> None:
    """The same answers, and the same putting back, without git."""
    shell = make_shell(tmp_path, "shell: revert\n", in_git=False)
    found = shell.run(f"echo 'x = 1' >> {API}; echo y >> docs/design.md; echo n > new.txt; rm prototype/main.py")
    assert shell.files[API] == ("modify", "PASS", True)
    assert set(found.reverted) == {"docs/design.md", "new.txt", "prototype/main.py"}
    assert (shell.root / "docs/design.md").read_text() == "# Design\n"


def test_before_the_first_commit_and_below_the_top(tmp_path: Path) -> None:
    """An unborn branch, and a root that is a folder of a repository."""
    top = tmp_path / "top"
    top.mkdir()
    git(top, "init", "--quiet")
    shell = Shell(make_workspace(top / "inner dir"))
    found = shell.run(f"echo y >> docs/design.md; echo z >> {API}; echo out > ../outside.txt")
    assert refused(found) == {"docs/design.md"}
    assert shell.files[API] == ("modify", "PASS", True)


def test_a_lost_state_folder_loses_no_history(shell: Shell) -> None:
    """`.state/` may be deleted at any time: then the change is not known, and that is said."""
    shell.before()
    drop = shell.root / ".orchestration" / ".state"
    shutil.rmtree(drop)
    assert shell.after().no_baseline
