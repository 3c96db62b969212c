"""git's own hooks: commits are judged before they are made, and bound to their records afterwards."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

from intentls.core.errors import ConfigurationError, LedgerUnavailable
from intentls.engine.branch_check.commit_binding import bind
from intentls.faces.cli import main
from intentls.store.setup.git_hooks import install_hooks, remove_hooks
from tests.support.random_branches import Branch
from tests.support.workspaces import git, make_git_repo

PROJECT = Path(__file__).parents[2]
pytestmark = [
    pytest.mark.skipif(os.name == "nt", reason="the hooks are shell scripts"),
    pytest.mark.usefixtures("intentls_on_path"),
]


def try_commit(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["git", "commit", "--quiet", "--message", "Try", *arguments], cwd=folder, capture_output=True, text=True
    )


def bindings(branch: Branch) -> list[dict[str, Any]]:
    return [record for record in branch.records() if record["tool_name"] == "git_commit"]


def test_a_commit_is_refused_or_takes_the_ledger_in(branch: Branch) -> None:
    """By hand: refused, with the finding. On record: made, with its records, and the tree is clean."""
    install_hooks(branch.root)
    branch.put("src/by_hand.py", "x = 1\n")
    git(branch.root, "add", "--all")
    refused = try_commit(branch.root)
    assert refused.returncode == 1
    assert "UNCOVERED_CHANGE" in refused.stdout + refused.stderr
    git(branch.root, "rm", "--quiet", "--force", "src/by_hand.py")
    branch.done(branch.agent().edit("src/part3.py", "part3_line1 = 1\n", "part3_line1 = 'one'\n"))
    made = try_commit(branch.root, "--all")  # git has an index of its own for that
    assert made.returncode == 0, made.stdout + made.stderr
    assert git(branch.root, "status", "--porcelain") == ""
    assert branch.judge().findings == ()
    branch.put("src/part3.py", "x = 'by hand'\n")
    assert try_commit(branch.root, "--all").returncode == 1


def test_a_commit_of_nothing_but_bindings_leaves_a_clean_tree(branch: Branch) -> None:
    """Otherwise no tree with these hooks could ever be clean."""
    branch.writes()
    branch.commit()
    (bound,) = bind(branch.root, "HEAD", "test")
    assert bound.record_id is not None
    assert ".orchestration/trace/" in git(branch.root, "status", "--porcelain")
    branch.commit("The ledger")
    (again,) = bind(branch.root, "HEAD", "test")
    assert (again.records, again.record_id) == ((), None)
    assert git(branch.root, "status", "--porcelain") == ""
    assert branch.judge().findings == ()


def test_a_binding_names_what_is_taken_in_and_what_waits(branch: Branch) -> None:
    """A file that stays behind: its record is in the ledger, and the commit does not have it."""
    branch.done(branch.agent().write("src/here.py", "x = 1\n"))
    branch.done(branch.agent("INT-002").write("docs/later.md", "Later\n"))
    here, later = (record["id"] for record in branch.records()[-2:])
    git(branch.root, "add", "src", ".orchestration")
    git(branch.root, "commit", "--quiet", "--message", "One of two")
    (bound,) = bind(branch.root, "HEAD", "test")
    assert (bound.records, bound.waiting) == ((here,), (later,))


def test_amending_binds_again_and_a_second_call_does_not(branch: Branch) -> None:
    """One record a commit id."""
    branch.writes()
    branch.commit()
    for _ in range(2):
        bind(branch.root, "HEAD", "test")
    assert len(bindings(branch)) == 1
    git(branch.root, "commit", "--quiet", "--amend", "--all", "--message", "Amended")
    bind(branch.root, "HEAD", "test")
    assert main._code(["trace", "bind", "--root", str(branch.root / "src")]) == 2
    assert main._code(["trace", "bind", "--root", str(branch.root), "--json"]) == 0
    assert [each["vcs"]["revision"] for each in bindings(branch)][1:] == [git(branch.root, "rev-parse", "HEAD")]
    assert bindings(branch)[0]["metadata"] == bindings(branch)[1]["metadata"]


def test_a_binding_waits_for_a_ledger_that_can_not_be_written(branch: Branch) -> None:
    """It is said, and not entered a second time; once the ledger can be written it is there once."""
    branch.writes()
    branch.commit()
    ledger = branch.root / ".orchestration" / "agent_trace.jsonl"
    content = ledger.read_bytes()
    ledger.unlink()
    ledger.mkdir()
    with pytest.raises(LedgerUnavailable, match="is not bound yet"):
        bind(branch.root, "HEAD", "test")
    ledger.rmdir()
    ledger.write_bytes(content)
    (known,) = bind(branch.root, "HEAD", "test")
    assert known.record_id is None
    branch.agent()  # the next action of any process
    assert len(bindings(branch)) == 1


def test_a_rebase_is_not_disturbed(branch: Branch) -> None:
    """While git makes commits one after the other, the work tree stays as git left it; afterwards they can be bound."""
    for name in ("one", "two"):
        branch.done(branch.agent().write(f"src/{name}.py", "x = 1\n"))
        branch.commit(name)
    git(branch.root, "switch", "--quiet", "main")
    branch.done(branch.agent(session="colleague").write("src/three.py", "x = 1\n"))
    branch.commit("three")
    git(branch.root, "switch", "--quiet", "work")
    install_hooks(branch.root)
    git(branch.root, "rebase", "--quiet", "main")
    assert git(branch.root, "status", "--porcelain") == ""
    assert branch.judge().findings == ()
    (bound,) = bind(branch.root, "HEAD", "test")
    (taken,) = (r["id"] for r in branch.records() if [file["path"] for file in r["files"]] == ["src/two.py"])
    (binding,) = bindings(branch)
    assert (binding["id"], binding["vcs"]["revision"]) == (bound.record_id, git(branch.root, "rev-parse", "HEAD"))
    assert binding["metadata"] == {"binding": {"records": [taken], "waiting": []}}
    assert (binding["intent_id"], binding["files"]) == ("INT-001", [])


def test_what_binds_never_fails_a_commit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Not in a repository that nothing governs, and not outside git."""
    monkeypatch.chdir(make_git_repo(tmp_path / "plain", {"a.txt": "a\n"}))
    assert main._code(["trace", "bind"]) == 0
    monkeypatch.chdir(tmp_path)
    assert main._code(["trace", "bind", "--quiet"]) == 0
    assert main._code(["trace", "bind"]) == 2


# --- for others to call


def test_pre_commit_calls_what_there_is(branch: Branch, monkeypatch: pytest.MonkeyPatch) -> None:
    """The entry of .pre-commit-hooks.yaml is a call of the command line that works."""
    (entry,) = yaml.safe_load((PROJECT / ".pre-commit-hooks.yaml").read_text())
    assert (entry["id"], entry["pass_filenames"]) == ("intentls-check", False)
    program, *arguments = entry["entry"].split()
    monkeypatch.chdir(branch.root)
    assert (program, main._code(arguments)) == ("intentls", 0)


# --- installing


def hook(root: Path, name: str = "pre-commit") -> Path:
    return root / ".git" / "hooks" / name


def test_hooks_come_and_go_without_a_trace(branch: Branch) -> None:
    """Twice is once; and what was ours alone is gone afterwards."""
    assert [step.outcome for step in install_hooks(branch.root)] == ["created"] * 3
    assert [step.outcome for step in install_hooks(branch.root)] == ["kept"] * 3
    hook(branch.root).chmod(0o644)
    install_hooks(branch.root)
    assert os.access(hook(branch.root), os.X_OK)
    assert [step.outcome for step in remove_hooks(branch.root)] == ["removed"] * 3
    assert not hook(branch.root).exists()
    assert [step.outcome for step in remove_hooks(branch.root)] == ["kept"] * 3


@pytest.mark.parametrize(
    "text", ["#!/usr/bin/env bash\necho mine\nexit 0\n", "echo mine\n", "#!/bin/sh\n\necho \xe9\n"]
)
def test_a_hook_that_is_there_stays_as_it_is(branch: Branch, text: str) -> None:
    """Ours goes before it, since it may end with `exit`; an older form is replaced; taken out, not a byte is left."""
    path = hook(branch.root)
    path.write_bytes(text.encode("latin-1"))
    path.chmod(0o755)
    install_hooks(branch.root)
    with_ours = path.read_bytes()
    assert b"mine" in with_ours or b"\xe9" in with_ours
    path.write_bytes(with_ours.replace(b"check --staged", b"check --old-option"))
    install_hooks(branch.root)
    assert path.read_bytes() == with_ours
    remove_hooks(branch.root)
    assert path.read_bytes() == text.encode("latin-1")


def test_a_hook_in_another_language_is_called_by_ours(branch: Branch) -> None:
    """It runs, with what it decides; taken out, it is in its place again."""
    path = hook(branch.root)
    text = f"#!{sys.executable}\nimport sys\nsys.exit('no commits on Sundays')\n"
    path.write_text(text)
    path.chmod(0o755)
    install_hooks(branch.root)
    branch.writes()
    git(branch.root, "add", "--all")
    assert "no commits on Sundays" in try_commit(branch.root).stderr
    remove_hooks(branch.root)
    assert path.read_text() == text
    assert not path.with_name("pre-commit.before-intentls").exists()


def test_hooks_go_where_git_looks_for_them(branch: Branch, tmp_path: Path) -> None:
    """`core.hooksPath` inside the repository is used; one that other repositories may share is not touched."""
    git(branch.root, "config", "core.hooksPath", ".githooks")
    names = ["pre-commit", "post-commit", "post-merge"]
    assert [step.path for step in install_hooks(branch.root)] == [f".githooks/{name}" for name in names]
    remove_hooks(branch.root)
    git(branch.root, "config", "core.hooksPath", str(tmp_path / "shared"))
    with pytest.raises(ConfigurationError, match="others may use the same hooks"):
        install_hooks(branch.root)
    assert not (tmp_path / "shared").exists()
    git(branch.root, "config", "--unset", "core.hooksPath")
    git(branch.root, "worktree", "add", "--quiet", "-b", "side", "../side")
    install_hooks((tmp_path / "side").resolve())
    assert hook(branch.root).is_file()


def test_init_puts_the_hooks_in_and_takes_them_out(branch: Branch, monkeypatch: pytest.MonkeyPatch) -> None:
    """`intentls init --git-hooks`, and `--remove`."""
    monkeypatch.chdir(branch.root)
    assert main._code(["init", "--git-hooks"]) == 0
    assert "intentls check --staged" in hook(branch.root).read_text()
    assert main._code(["init", "--git-hooks", "--remove"]) == 0
    assert not hook(branch.root).exists()
    assert main._code(["init", "--remove"]) == 2


def test_nothing_is_written_through_a_linked_hook(tmp_path: Path) -> None:
    """It may lead to a file of another program; neither hook is touched then."""
    root = make_git_repo(tmp_path / "repo", {"hook.sh": "#!/bin/sh\n"})
    hooks = root / ".git/hooks"
    hooks.mkdir(exist_ok=True)
    (hooks / "post-commit").symlink_to(root / "hook.sh")
    for change in (install_hooks, remove_hooks):
        with pytest.raises(ConfigurationError, match="symbolic link"):
            change(root)
    assert (root / "hook.sh").read_text() == "#!/bin/sh\n"
    assert not (hooks / "pre-commit").exists()
