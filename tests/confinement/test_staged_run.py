"""A staged run: in scope it lands with a record, out of scope it is held, and nothing is lost on the way."""

from __future__ import annotations

import json
import os
import signal
import subprocess
from pathlib import Path

import pytest

from tests.confinement.conftest import Tree
from tests.support.patience import eventually, read_soon
from tests.support.workspaces import git, intents_yaml, write_files


def _paths(record: dict[str, object]) -> set[str]:
    files = record["files"]
    assert isinstance(files, list)
    return {file["path"] for file in files}


def test_what_a_command_changes_in_scope_lands_with_a_record_that_names_the_command(tree: Tree) -> None:
    done = tree.staged(
        "echo 'a = 2' > src/a.py; rm src/b.py; mkdir src/new; echo n > src/new/n.sh; chmod +x src/new/n.sh"
    )
    assert done.returncode == 0
    assert tree.read("src/a.py") == "a = 2\n"
    assert tree.read("src/b.py") is None
    assert (tree.root / "src/new/n.sh").stat().st_mode & 0o111
    (record,) = [record for record in tree.records if record["success"]]
    assert _paths(record) == {"src/a.py", "src/b.py", "src/new/n.sh"}
    assert record["intent_id"] == "INT-001"
    assert record["scope_validation"] == "PASS"
    assert record["reason"].startswith("sh -c ")
    assert "3 files landed." in done.stderr
    assert list((tree.root / ".orchestration/.state/leases").glob("*.json")) == []  # nobody has to wait for the run
    assert tree.runs_left == []


def test_what_is_out_of_scope_is_held_and_on_record_with_its_path(tree: Tree) -> None:
    done = tree.staged("echo x >> docs/d.md; echo n > new.txt; echo 'a = 2' > src/a.py")
    assert done.returncode == 0
    assert tree.read("docs/d.md") == "d\n"
    assert tree.read("new.txt") is None
    assert tree.read("src/a.py") == "a = 2\n"
    refused = [record for record in tree.records if not record["success"]]
    assert [(_paths(record), record["code"]) for record in refused] == [({"docs/d.md", "new.txt"}, "SCOPE_VIOLATION")]
    assert "Held: docs/d.md" in done.stderr
    review = tree.run("--review")
    assert review.returncode == 1
    assert "+x" in review.stdout
    assert "new.txt" in review.stdout
    (held,) = json.loads(tree.run("--review", "--json").stdout)["runs"]
    assert [change["path"] for change in held["changes"]] == ["docs/d.md", "new.txt"]
    assert tree.staged("true", "--json").returncode == 2


def test_a_folder_that_was_removed_and_made_again_holds_only_what_is_in_it_now(tree: Tree) -> None:
    write_files(tree.root, {"src/old/x.py": "x\n", "src/old/y.py": "y\n"})
    tree.staged("rm -rf src/old; mkdir src/old; echo z > src/old/z.py")
    assert sorted(path.name for path in (tree.root / "src/old").iterdir()) == ["z.py"]


def test_a_file_that_a_person_changes_meanwhile_is_held_and_not_overwritten(tree: Tree) -> None:
    line = "echo ready; read go; echo 'a = 2' > src/a.py"
    with tree.start(line) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
        write_files(tree.root, {"src/a.py": "a = 'mine'\n"})
        _, told = process.communicate("go\n")
    assert tree.read("src/a.py") == "a = 'mine'\n"
    assert "Held: src/a.py (STALE_CONTEXT)" in told


def test_what_is_quiet_lands_while_the_command_still_runs(tree: Tree) -> None:
    with tree.start("echo 'a = 2' > src/a.py; read go") as process:
        eventually(lambda: tree.read("src/a.py") == "a = 2\n")
        assert process.poll() is None
        process.communicate("go\n")


def test_a_run_behaves_as_its_command_does(tree: Tree) -> None:
    """Exit codes, standard input, signals, a program that is not there."""
    assert tree.staged("exit 7").returncode == 7
    assert tree.staged("kill -TERM $$").returncode == 128 + signal.SIGTERM
    assert tree.run("--intent", "INT-001", "--", "cat", stdin="in\n").stdout == "in\n"
    missing = tree.run("--intent", "INT-001", "--", "no-such-program")
    assert missing.returncode == 127
    assert "no-such-program: command not found" in missing.stderr


def test_a_signal_to_the_run_reaches_its_command(tree: Tree) -> None:
    with tree.start("trap 'echo got; exit 5' TERM; echo ready; read x") as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
        process.send_signal(signal.SIGTERM)
        assert process.stdout.read() == "got\n"
        assert process.wait() == 5


def test_commits_in_scope_move_the_branch_and_others_are_kept_beside_it(tree: Tree) -> None:
    done = tree.staged(
        "echo 'a = 2' > src/a.py; git commit -qam In; git switch -qc wide; echo x > docs/d.md; git commit -qam Out"
    )
    assert git(tree.root, "log", "-1", "--format=%s", "main") == "In"
    assert git(tree.root, "status", "--porcelain", "src") == ""
    assert git(tree.root, "branch", "--list", "wide") == ""
    (kept,) = git(tree.root, "for-each-ref", "--format=%(refname)", "refs/intentls/run/*/heads/wide").splitlines()
    assert git(tree.root, "show", f"{kept}:docs/d.md") == "x"
    assert "Branch main has the command's commits." in done.stderr
    assert "Branch wide stays as it is: its commits change docs/d.md" in done.stderr


@pytest.mark.usefixtures("intentls_on_path")
def test_a_commit_inside_passes_the_hooks_of_git_and_is_judged_when_it_lands(tree: Tree) -> None:
    subprocess.run([*tree.command()[:-1], "init", "--git-hooks"], cwd=tree.root, env=tree.environment, check=True)
    git(tree.root, "add", "--all")
    git(tree.root, "commit", "--quiet", "--no-verify", "--message", "Set up")
    done = tree.staged("echo 'a = 2' > src/a.py; git commit -qam In")
    assert done.returncode == 0, done.stderr
    assert git(tree.root, "log", "-1", "--format=%s") == "In"
    faked = subprocess.run(
        ["git", "commit", "--quiet", "--allow-empty", "--message", "x"],
        cwd=tree.root,
        env={**tree.environment, "INTENTLS_RUN": "1"},
        capture_output=True,
        check=False,
    )
    assert faked.returncode == 0
    write_files(tree.root, {"src/a.py": "a = 3\n"})
    faked = subprocess.run(
        ["git", "commit", "--quiet", "--all", "--message", "x"],
        cwd=tree.root,
        env={**tree.environment, "INTENTLS_RUN": "1"},
        capture_output=True,
        check=False,
    )
    assert faked.returncode == 1


def test_hooks_and_settings_of_git_never_come_back_and_are_on_record(tree: Tree) -> None:
    tree.staged("printf '#!/bin/sh\\n' > .git/hooks/post-commit; git config core.fsmonitor src/evil")
    assert tree.read(".git/hooks/post-commit") is None
    assert "fsmonitor" not in (tree.read(".git/config") or "")
    paths = {path for record in tree.records if record["code"] == "PROTECTED_PATH" for path in _paths(record)}
    assert paths == {".git/hooks/post-commit", ".git/config"}


def test_what_git_ignores_does_not_land_unless_its_folder_is_writable(tree: Tree) -> None:
    done = tree.staged("mkdir build; echo o > build/o")
    assert "What git ignores did not land (build)" in done.stderr
    assert not (tree.root / "build").exists()
    tree.staged("echo o > build/o", "--writable", "build")
    assert tree.read("build/o") == "o\n"
    refused = tree.staged("echo o > docs/o", "--writable", "docs")
    assert refused.returncode == 2
    assert "which git does not ignore" in refused.stderr


@pytest.mark.parametrize(
    "intents", [intents_yaml({"INT-001": ["src/**"]}, "COMPLETED"), intents_yaml({"INT-9": ["a"]})]
)
def test_nothing_runs_under_an_intent_that_is_closed_or_not_declared(tree: Tree, intents: str) -> None:
    write_files(tree.root, {".orchestration/active_intents.yaml": intents})
    done = tree.staged("echo ran")
    assert done.returncode == 1
    assert done.stdout == ""
    assert "INT-001" in done.stderr


def test_a_killed_run_takes_its_command_along_and_the_next_one_settles_what_it_left(tree: Tree) -> None:
    line = "echo 'a = 2' > src/a.py; echo x > docs/d.md; echo $$ > src/pid; sync; echo ready; sleep 600"
    with tree.start(line) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
        process.kill()
        assert process.stdout.read() == ""  # the command's end closed it
    assert len(tree.runs_left) == 1
    tree.staged("true")
    assert tree.read("src/a.py") == "a = 2\n"
    assert tree.read("docs/d.md") == "d\n"
    assert tree.runs_left == []
    assert "docs/d.md" in tree.run("--review").stdout


def test_a_hook_inside_refuses_with_words_what_the_run_would_hold(tree: Tree) -> None:
    event = {
        "session_id": "s1",
        "cwd": str(tree.root),
        "hook_event_name": "PreToolUse",
        "tool_name": "Write",
        "tool_input": {"file_path": str(tree.root / "docs/d.md"), "content": "x"},
    }
    hook = f"{tree.command()[0]} -m intentls hook claude-code"
    done = tree.run("--intent", "INT-001", "--", "sh", "-c", hook, stdin=json.dumps(event))
    assert "INT-001 is not authorized to edit [docs/d.md]" in done.stdout + done.stderr
    event["tool_input"] = {"file_path": str(tree.root / "src/a.py"), "content": "x"}
    done = tree.run("--intent", "INT-001", "--", "sh", "-c", hook, stdin=json.dumps(event))
    assert "not authorized" not in done.stdout + done.stderr


def test_nothing_is_run_where_nothing_can_be_confined(tree: Tree) -> None:
    """Without namespaces and Landlock it exits with 2 and says what is missing."""
    code = (
        "import sys; from intentls.store.confinement import kernel_calls, landlock\n"
        "def no(*_): raise PermissionError(1, 'not permitted', 'unshare')\n"
        "kernel_calls.unshare = no; landlock.abi = lambda: 0\n"
        "from intentls.faces.cli.main import run; run(sys.argv[1:])"
    )
    done = subprocess.run(
        [tree.command()[0], "-c", code, "run", "--intent", "INT-001", "--", "touch", "src/ran"],
        cwd=tree.root,
        env=tree.environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 2
    assert "Landlock" in done.stderr
    assert not (tree.root / "src/ran").exists()
    assert tree.runs_left == []


def test_the_caches_of_build_tools_are_the_real_ones_and_the_home_is_not(tree: Tree) -> None:
    cache = tree.home / ".npm"
    cache.mkdir()
    tree.staged("echo x > ~/.npm/kept; echo x > ~/.bashrc; echo x > /tmp/gone; mkdir -p ~/.claude")
    assert (cache / "kept").exists()
    assert not (tree.home / ".bashrc").exists()
    assert not Path("/tmp/gone").exists()
    assert str(cache) in tree.run("--dry-run", "--intent", "INT-001", "--", "true").stdout


def test_an_agents_settings_stay_as_they_are_and_new_ones_are_put_aside(tree: Tree) -> None:
    """Its sessions are the real ones; what names programs to run is not the command's to write."""
    for name in (".claude", ".codex"):
        (tree.home / name).mkdir()
    (tree.home / ".claude/settings.json").write_text("{}")
    line = "echo x > ~/.claude/settings.json; echo s > ~/.claude/session; echo x > ~/.codex/config.toml"
    done = tree.staged(line)
    assert (tree.home / ".claude/settings.json").read_text() == "{}"
    assert (tree.home / ".claude/session").exists()
    assert not (tree.home / ".codex/config.toml").exists()
    assert "The command made settings of an agent, which are put aside" in done.stderr


def test_an_agent_can_make_its_own_folders_at_its_first_start(tree: Tree) -> None:
    program = tree.home / "codex"
    program.write_text("#!/bin/sh\necho s > ~/.codex/session\n")
    program.chmod(0o755)
    tree.run("--intent", "INT-001", "--dry-run", "--", str(program))
    assert not (tree.home / ".codex").exists()
    assert tree.run("--intent", "INT-001", "--", str(program)).returncode == 0
    assert (tree.home / ".codex/session").exists()
    assert not (tree.home / ".gemini").exists()


def test_a_command_that_changes_nothing_leaves_no_record_and_no_session(tree: Tree) -> None:
    done = tree.staged("cat src/a.py")
    assert (done.returncode, done.stdout) == (0, "a = 1\n")
    assert tree.records == []
    assert tree.runs_left == []
    assert done.stderr.count("\n") == 1


def test_only_session_state_comes_back_of_what_holds_settings_too(tree: Tree) -> None:
    """An agent counts its starts in the file that also names the servers it would start."""
    file = tree.home / ".claude.json"
    project = {"allowedTools": [], "lastSessionId": "s1"}
    file.write_text(json.dumps({"numStartups": 1, "theme": "dark", "projects": {"/p": project}}))
    file.chmod(0o600)
    changed = {"allowedTools": ["Bash"], "hasTrustDialogAccepted": True, "lastSessionId": "s2"}
    copy = {"numStartups": 2, "mcpServers": {"x": {"command": "evil"}}, "projects": {"/p": changed, "/q": changed}}
    done = tree.run("--intent", "INT-001", "--", "sh", "-c", "cat > ~/.claude.json", stdin=json.dumps(copy))
    assert done.returncode == 0, done.stderr
    expected = {"numStartups": 2, "theme": "dark", "projects": {"/p": {**project, "lastSessionId": "s2"}}}
    assert json.loads(file.read_text()) == expected
    assert file.stat().st_mode & 0o777 == 0o600
    tree.staged("echo '{' > ~/.claude.json")
    assert json.loads(file.read_text()) == expected


def test_every_attempt_out_of_scope_is_on_record_by_its_path(tree: Tree) -> None:
    tree.staged(
        "for n in 1 2 3 4 5; do echo x > docs/$n.md; done; mv docs/d.md docs/moved.md; ln -s /etc/passwd docs/link"
    )
    paths = {path for record in tree.records if not record["success"] for path in _paths(record)}
    assert paths == {f"docs/{n}.md" for n in range(1, 6)} | {"docs/d.md", "docs/moved.md", "docs/link"}


def test_a_link_is_held_wherever_it_leads_and_the_review_shows_where(tree: Tree) -> None:
    tree.staged("ln -s a.py src/inside; ln -s \"$(printf '/etc\\033[2J')\" src/outside")
    assert not (tree.root / "src/inside").is_symlink()
    told = tree.run("--review").stdout
    assert "src/inside is a symbolic link to 'a.py'" in told
    assert "src/outside is a symbolic link to '/etc\\x1b[2J'" in told


def test_the_command_inside_sees_its_own_changes_and_commits(tree: Tree) -> None:
    done = tree.staged("echo x > docs/d.md; cat docs/d.md; git commit -qam Out; git log --format=%s")
    assert done.stdout == "x\nOut\nStart\n"


def test_the_terminal_of_a_run_is_the_users(tree: Tree) -> None:
    """Its size is the terminal's, and Ctrl-C ends the command alone: what it changed lands."""
    import pty

    pid, terminal = pty.fork()
    if pid == 0:
        os.chdir(tree.root)
        line = "echo 'a = 2' > src/a.py; stty size; exec sleep 600"
        os.execve(tree.command()[0], tree.command("--intent", "INT-001", "--", "sh", "-c", line), tree.environment)
    import fcntl
    import struct
    import termios

    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 31, 97, 0, 0))
    told = b""
    while b"31 97" not in told and b"0 0" not in told:
        told += read_soon(terminal)
    os.write(terminal, b"\x03")
    while b"landed" not in told:
        told += read_soon(terminal)
    _, status = os.waitpid(pid, 0)
    os.close(terminal)
    assert b"31 97" in told
    assert os.waitstatus_to_exitcode(status) == 128 + signal.SIGINT
    assert tree.read("src/a.py") == "a = 2\n"
