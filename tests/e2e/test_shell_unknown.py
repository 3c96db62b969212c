"""What is not known around a shell command is never undone nor charged, and nothing that is undone is lost."""

from __future__ import annotations

import os
import subprocess
import time
from pathlib import Path

import pytest

from intentls.engine.edits import saves
from intentls.engine.records.record_writer import ToolReport
from intentls.engine.tools import tool_reports
from intentls.faces.hook.response import shell_changes_text
from intentls.store.worktree import capture
from tests.support.agent_shell import API, Shell, make_shell, refused
from tests.support.workspaces import commit_all, git, write_files

REVERT = "shell: revert\n"
DESIGN = "docs/design.md"


def contents(root: Path) -> dict[str, bytes]:
    """Every file that a person would miss."""
    files = (file for file in root.rglob("*") if file.is_file() and not {".git", ".gone", ".state"} & set(file.parts))
    return {file.relative_to(root).as_posix(): file.read_bytes() for file in files if file.suffix != ".jsonl"}


def reverting(tmp_path: Path) -> Shell:
    """A repository with a clean tree but for an ignored `.env`, under `shell: revert`."""
    shell = make_shell(tmp_path, REVERT)
    write_files(shell.root, {".gitignore": ".env\n", ".env": "KEY=1\n"})
    commit_all(shell.root, "All is clean")
    return shell


@pytest.mark.parametrize(
    "command",
    [
        "echo '[core' >> .git/config",
        "mv .git .gone",
        "rm -rf .git; git init -q .",
        "rm -rf .git; git init -q .; git add -A; git -c user.name=x -c user.email=x@example.invalid commit -qm x",
        "echo 'ref: refs/heads/none' > .git/HEAD; rm .git/refs/heads/main; rm -rf .git/objects; mkdir .git/objects",
    ],
)
def test_where_git_fails_after_the_command_nothing_is_undone_and_it_is_said(tmp_path: Path, command: str) -> None:
    """A typo in git's configuration, a repository that is gone or another one."""
    shell = reverting(tmp_path)
    before = contents(shell.root)
    found = shell.run(command)
    assert contents(shell.root) == before
    assert shell.new == [] and found.git_failed and not found.refusals
    assert "git can't tell" in shell_changes_text(found)


def test_a_damaged_index_hides_nothing(tmp_path: Path) -> None:
    """The comparison has an index of its own, from before the command."""
    shell = reverting(tmp_path)
    found = shell.run(f"echo x >> {DESIGN}; printf x > .git/index")
    assert refused(found) == {DESIGN} and not found.git_failed


def test_a_damaged_index_hides_no_content(tmp_path: Path) -> None:
    """What the file held before is known as ever: it is put back, and the record names the command's lines alone."""
    shell = reverting(tmp_path)
    before = (shell.root / DESIGN).read_bytes()
    found = shell.run(f"echo x >> {DESIGN}; echo y = 2 >> {API}; printf x > .git/index")
    assert found.reverted == (DESIGN,) and (shell.root / DESIGN).read_bytes() == before
    (file,) = (file for record in shell.new if record["success"] for file in record["files"])
    assert file["path"] == API and file["pre_hash"] is not None
    assert [(one["start_line"], one["end_line"]) for one in file["conversations"][0]["ranges"]] == [(3, 3)]


@pytest.mark.parametrize(
    ("hide", "heal"), [("mv .git .gone", "mv .gone .git"), ("mv .git/HEAD .git/H", "mv .git/H .git/HEAD")]
)
def test_what_a_persons_git_did_is_not_undone_where_git_could_not_be_asked_before(
    tmp_path: Path, hide: str, heal: str
) -> None:
    """The command was announced while git was away: what git brought since can't be told from what it wrote."""
    shell = reverting(tmp_path)
    write_files(shell.root, {DESIGN: "# Design\nof a person\n"})
    commit_all(shell.root, "A person's")
    shell.before("earlier")
    shell.after("earlier")
    subprocess.run(["sh", "-ec", hide], cwd=shell.root, check=True)
    shell.before()
    subprocess.run(["sh", "-ec", heal], cwd=shell.root, check=True)
    git(shell.root, "revert", "--no-edit", "HEAD")
    assert not shell.after().reverted
    assert (shell.root / DESIGN).read_text() == "# Design\n"
    assert all(not part["ranges"] for one in shell.new for file in one["files"] for part in file["conversations"])


def test_an_unborn_branch_is_no_loss(tmp_path: Path) -> None:
    """The commit from before is still there to compare with."""
    shell = reverting(tmp_path)
    before = contents(shell.root)
    found = shell.run(f"git checkout -q --orphan other; git rm -q --cached {DESIGN}")
    assert contents(shell.root) == before and shell.new == [] and not found.git_failed


def test_what_changed_while_git_fails_is_named(tmp_path: Path) -> None:
    """Dirty files are compared as ever; of the others it is said that they were written."""
    shell = reverting(tmp_path)
    write_files(shell.root, {"docs/mine.md": "mine\n"})
    found = shell.run(f"echo x >> {DESIGN}; echo x >> docs/mine.md; echo '[core' >> .git/config")
    assert (shell.root / DESIGN).read_text() == "# Design\nx\n"
    assert DESIGN in found.unknown and DESIGN in shell_changes_text(found)
    assert set(found.reverted) == {"docs/mine.md"} and (shell.root / "docs/mine.md").read_text() == "mine\n"
    assert set(shell.files) == {"docs/mine.md"}


def test_a_file_that_was_ignored_before_is_not_new(tmp_path: Path) -> None:
    """A command that changes the ignore rules reveals files that were there all the time."""
    shell = reverting(tmp_path)
    write_files(shell.root, {"secrets/a.txt": "a\n", ".gitignore": ".env\nsecrets/\n"})
    commit_all(shell.root, "More is ignored")
    found = shell.run(": > .gitignore; echo KEY=2 > .env; touch secrets/a.txt")
    assert (shell.root / ".env").read_text() == "KEY=2\n" and (shell.root / "secrets/a.txt").read_text() == "a\n"
    assert found.unknown == (".env", "secrets/a.txt") and found.reverted == (".gitignore",)
    assert set(shell.files) == {".gitignore"}


def test_a_content_that_git_lost_is_not_undone(tmp_path: Path) -> None:
    """The file was there, so it is changed and not new; what it held is gone."""
    shell = reverting(tmp_path)
    blob = git(shell.root, "rev-parse", f"HEAD:{DESIGN}")
    found = shell.run(f"rm -f .git/objects/{blob[:2]}/{blob[2:]}; echo x >> {DESIGN}")
    assert (shell.root / DESIGN).read_text() == "# Design\nx\n"
    assert refused(found) == {DESIGN} and not found.reverted
    assert shell.files[DESIGN] == ("modify", "FAIL", True)


@pytest.mark.parametrize("hide", ["", "git config --unset filter.loud.smudge; ", "rm .gitattributes; "])
def test_a_filtered_file_is_not_put_back_unfiltered(tmp_path: Path, hide: str) -> None:
    """Git's copy is not what lay on the disk."""
    shell = reverting(tmp_path)
    git(shell.root, "config", "filter.loud.clean", "tr A-Z a-z")
    git(shell.root, "config", "filter.loud.smudge", "tr a-z A-Z")
    write_files(shell.root, {".gitattributes": f"{DESIGN} filter=loud\n", DESIGN: "LOUD\n"})
    os.utime(shell.root / DESIGN, (1e9, 1e9))  # long before the index, or git would look into it
    commit_all(shell.root, "Filtered")
    assert git(shell.root, "show", f"HEAD:{DESIGN}") == "loud"
    found = shell.run(f"{hide}echo MORE >> {DESIGN}")
    assert (shell.root / DESIGN).read_text() == "LOUD\nMORE\n"
    assert DESIGN in refused(found) and DESIGN not in found.reverted


def test_a_kept_copy_of_a_filtered_file_is_put_back(tmp_path: Path) -> None:
    """A file that was dirty before the command is known byte by byte."""
    shell = reverting(tmp_path)
    git(shell.root, "config", "filter.loud.clean", "tr A-Z a-z")
    write_files(shell.root, {".gitattributes": f"{DESIGN} filter=loud\n", DESIGN: "DIRTY\n"})
    assert shell.run(f"echo MORE >> {DESIGN}").reverted == (DESIGN,)
    assert (shell.root / DESIGN).read_text() == "DIRTY\n"


def test_line_ends_of_another_configuration_are_not_put_back(tmp_path: Path) -> None:
    """A command that changes how git converts makes git's copies inexact."""
    shell = reverting(tmp_path)
    git(shell.root, "config", "core.autocrlf", "true")
    (shell.root / DESIGN).unlink()
    git(shell.root, "checkout", "--", DESIGN)
    assert (shell.root / DESIGN).read_bytes() == b"# Design\r\n"
    found = shell.run(f"git config core.autocrlf false; echo x > {DESIGN}")
    assert (shell.root / DESIGN).read_bytes() == b"x\n" and DESIGN not in found.reverted


def test_what_is_undone_is_in_the_trash_and_the_answer_says_where(tmp_path: Path) -> None:
    """Additions and edits alike, with their modes; people find the place in the ledger."""
    shell = reverting(tmp_path)
    found = shell.run(f"echo x >> {DESIGN}; echo n > docs/new.md; chmod +x docs/new.md; rm prototype/main.py")
    assert set(found.reverted) == {DESIGN, "docs/new.md", "prototype/main.py"}
    assert found.trash is not None and found.trash.startswith(".orchestration/.state/trash/")
    trash = shell.root / found.trash
    assert (trash / DESIGN).read_text() == "# Design\nx\n" and (trash / "docs/new.md").read_text() == "n\n"
    assert os.access(trash / "docs/new.md", os.X_OK) and not (trash / "prototype").exists()
    assert found.trash in shell_changes_text(found)
    assert all(found.trash in record["error"] for record in shell.new)


def test_each_command_has_a_trash_of_its_own(tmp_path: Path) -> None:
    """A host that repeats the id of a call overwrites nothing."""
    shell = reverting(tmp_path)
    first, second = (shell.run(f"echo {word} >> {DESIGN}") for word in ("one", "two"))
    assert first.trash and second.trash
    texts = [(shell.root / trash / DESIGN).read_text() for trash in (first.trash, second.trash)]
    assert texts == ["# Design\none\n", "# Design\ntwo\n"]


def test_without_a_trash_nothing_is_undone(tmp_path: Path) -> None:
    """What can't be kept is left where it is."""
    shell = reverting(tmp_path)
    write_files(shell.root, {".orchestration/.state/trash": "in the way"})
    found = shell.run(f"echo x >> {DESIGN}; echo n > docs/new.md")
    assert not found.reverted and refused(found) == {DESIGN, "docs/new.md"}
    assert (shell.root / DESIGN).read_text() == "# Design\nx\n" and (shell.root / "docs/new.md").exists()


def save(shell: Shell, path: str, text: str) -> None:
    """A person saves a file in an editor."""
    workspace = shell.engine().workspace(shell.root)
    saves.opened(workspace, path, (shell.root / path).read_text())
    write_files(shell.root, {path: text})
    assert saves.saved(workspace, path, text, "person") is not None


def test_a_persons_save_during_the_command_is_never_undone_nor_charged(tmp_path: Path) -> None:
    """Neither alone, nor with what the command wrote on top of it."""
    shell = reverting(tmp_path)
    shell.before()
    save(shell, DESIGN, "# Design\nby hand\n")
    save(shell, "prototype/main.py", "print('by hand')\n")
    write_files(shell.root, {"prototype/main.py": "print('by hand')\nagent = 1\n"})
    found = shell.after()
    assert (shell.root / DESIGN).read_text() == "# Design\nby hand\n"
    assert (shell.root / "prototype/main.py").read_text() == "print('by hand')\nagent = 1\n"
    assert refused(found) == {"prototype/main.py"} and not found.reverted
    records = [record for record in shell.new if record["tool_name"] == "execute_command"]
    ((record, file),) = [(record, file) for record in records for file in record["files"]]
    saved = next(file for r in shell.new for file in r["files"] if file["path"] == "prototype/main.py")
    assert file["pre_hash"] == saved["post_hash"] and record["scope_validation"] == "FAIL"
    assert file["conversations"][0]["ranges"] == []


def test_an_edit_of_another_session_during_the_command_is_not_undone(tmp_path: Path) -> None:
    """Even where the command wrote to the file, too."""
    shell = reverting(tmp_path)
    shell.before()
    workspace = shell.engine().workspace(shell.root)
    workspace.snapshots.keep("s2", DESIGN, (shell.root / DESIGN).read_bytes())
    write_files(shell.root, {DESIGN: "# Design\nof s2\n"})
    report = ToolReport("write_to_file", {"path": str(shell.root / DESIGN)})
    assert tool_reports.after_tool(shell.engine(), "s2", report) is not None
    write_files(shell.root, {DESIGN: "# Design\nof s2\nof s1\n"})
    found = shell.after()
    assert (shell.root / DESIGN).read_text() == "# Design\nof s2\nof s1\n" and not found.reverted


def test_outside_git_a_file_beyond_the_limit_is_not_new(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of files that were not looked at it is not known what they were."""
    shell = make_shell(tmp_path, REVERT, in_git=False)
    monkeypatch.setattr(capture, "MAX_WALKED", 3)
    shell.before()
    monkeypatch.undo()
    write_files(shell.root, {"prototype/main.py": "changed\n"})
    monkeypatch.setattr(capture, "MAX_WALKED", 3)
    found = shell.after()
    assert (shell.root / "prototype/main.py").read_text() == "changed\n"
    assert not found.reverted and "prototype/main.py" not in shell.files


def test_a_file_in_whose_place_a_folder_came_is_deleted(tmp_path: Path) -> None:
    """That is on record, and the folder stays."""
    shell = reverting(tmp_path)
    found = shell.run(f"rm {DESIGN}; mkdir {DESIGN}; echo in > {DESIGN}/inner")
    assert shell.files[DESIGN] == ("delete", "FAIL", True) and refused(found) == {DESIGN, f"{DESIGN}/inner"}


def test_what_intentignore_excludes_is_held_after_a_command(tmp_path: Path) -> None:
    """Also if the command empties the file first: the rules from before it count."""
    shell = make_shell(tmp_path, ignore="src/api/vendor/\n")
    write_files(shell.root, {"src/api/vendor/lib.py": "v = 1\n"})
    commit_all(shell.root, "With a vendor")
    found = shell.run("echo 'w = 2' >> src/api/vendor/lib.py; : > .intentignore")
    assert shell.files["src/api/vendor/lib.py"] == ("modify", "FAIL", True)
    codes = {refusal.code.value: set(refusal.paths) for refusal in found.refusals}
    assert codes["INTENTIGNORE_PATH_BLOCKED"] == {"src/api/vendor/lib.py"}


def test_under_advise_nothing_is_put_back(tmp_path: Path) -> None:
    """`mode: advise` stops nothing and undoes nothing; what happened is on record."""
    shell = make_shell(tmp_path, "mode: advise\nshell: revert\n")
    found = shell.run(f"echo x >> {DESIGN}; echo n > docs/new.md")
    assert (shell.root / DESIGN).read_text() == "# Design\nx\n" and (shell.root / "docs/new.md").exists()
    assert not found.reverted and found.trash is None
    assert shell.files[DESIGN] == ("modify", "FAIL", True)


def test_a_rename_on_record_is_not_the_commands(tmp_path: Path) -> None:
    """Neither the new name nor the disappearance of the old one."""
    shell = make_shell(tmp_path)
    shell.before("t1")
    shell.before("t2")
    (shell.root / API).rename(shell.root / "src/api/sun.py")
    assert shell.after("t1").recorded == 2
    assert shell.after("t2").recorded == 0
    assert len(shell.new) == 1


def test_one_vanished_file_explains_one_rename(tmp_path: Path) -> None:
    """Of two copies one is the renamed file, the other is new; a file of another content is no rename."""
    shell = make_shell(tmp_path)
    shell.run(f"cp {API} src/api/b.py; cp {API} src/api/c.py; rm {API}; echo other > src/api/d.py")
    files = {file["path"]: (file["change"], file.get("old_path")) for r in shell.new for file in r["files"]}
    assert files == {
        "src/api/b.py": ("rename", API),
        "src/api/c.py": ("add", None),
        "src/api/d.py": ("add", None),
    }


def test_the_executable_bit_of_a_clean_file_is_put_back(tmp_path: Path) -> None:
    """Whether the command set it, or deleted a file that had it."""
    shell = make_shell(tmp_path, REVERT)
    (shell.root / "prototype/main.py").chmod(0o755)
    commit_all(shell.root, "A program")
    found = shell.run(f"chmod +x {DESIGN}; rm prototype/main.py")
    assert set(found.reverted) == {DESIGN, "prototype/main.py"}
    assert not os.access(shell.root / DESIGN, os.X_OK) and os.access(shell.root / "prototype/main.py", os.X_OK)


@pytest.mark.parametrize(
    "hide",
    [
        f"git update-index --assume-unchanged {DESIGN}",
        f"git update-index --skip-worktree {DESIGN}",
        "mkdir ../other; git --work-tree=../other checkout -q -f HEAD .; git config core.worktree $PWD/../other",
        "git config core.trustCtime false; git config core.checkStat minimal",
        f"git replace $(git rev-parse HEAD:{DESIGN}) $(printf '# DESIGN\\n' | git hash-object -w --stdin)",
    ],
)
def test_git_is_not_silenced_by_the_command(tmp_path: Path, hide: str) -> None:
    """Flags in the index, another work tree, a time of change that is set back, another object in its place."""
    shell = make_shell(tmp_path, REVERT)
    os.utime(shell.root / DESIGN, (1e9, 1e9))
    git(shell.root, "add", "--all")
    git(shell.root, "commit", "--quiet", "--allow-empty", "--message", "Old times")
    time.sleep(1.1)  # git compares whole seconds
    command = f"{hide}; printf '# DESIGN\\n' > {DESIGN}; touch -d @1000000000 {DESIGN}"
    found = shell.run(command)
    assert DESIGN in refused(found)
    assert shell.files[DESIGN][:2] == ("modify", "FAIL")
    assert (shell.root / DESIGN).read_text() in ("# Design\n", "# DESIGN\n")


def test_what_was_hidden_from_git_before_is_compared_too(tmp_path: Path) -> None:
    """A person's own `--skip-worktree` hides nothing that a command does; a file that was gone stays gone."""
    shell = make_shell(tmp_path, REVERT)
    git(shell.root, "update-index", "--skip-worktree", DESIGN, "prototype/main.py")
    write_files(shell.root, {DESIGN: "mine\n"})
    (shell.root / "prototype/main.py").unlink()
    found = shell.run(f"echo x >> {DESIGN}")
    assert (shell.root / DESIGN).read_text() == "mine\n" and found.reverted == (DESIGN,)
    assert set(shell.files) == {DESIGN}
