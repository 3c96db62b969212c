"""The comparison around a command is not silenced by what it judges; and it reaches every root around the command."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
from pathlib import Path

import pytest

from intentls.core.hashing import content_hash
from intentls.engine.actions.effects import drive
from intentls.engine.intents.checkout import select
from intentls.engine.workspace.engine import Engine
from intentls.engine.workspace.host import Headless
from tests.support.agent_process import INTENTLS, AgentProcess
from tests.support.agent_shell import API, make_shell, refused
from tests.support.hook_process import claude, hook_here, records
from tests.support.workspaces import WEATHER_INTENTS, commit_all, git, intents_yaml, make_git_repo, write_files

DESIGN = "docs/design.md"
REVERT = "shell: revert\n"
LEDGER = ".orchestration/agent_trace.jsonl"


def changed(root: Path) -> list[tuple[str, str]]:
    """What is on record: path and verdict."""
    return [(f["path"], r["scope_validation"]) for r in records(root) for f in r["files"]]


@pytest.mark.parametrize(
    "hide",
    [
        "mkdir -p docs/.orchestration; echo 'active_intents: []' > docs/.orchestration/active_intents.yaml",
        "mkdir -p docs/.orchestration/intents; echo 'id: X' > docs/.orchestration/intents/X.yaml",
        "ln -s ../src docs/.orchestration",
        "git init -q docs",
        "git init -q docs; git -C docs add -A; git -C docs commit -qm mine",
        "git add -A; git update-index --assume-unchanged docs/design.md",
        "git config core.fileMode false; git config core.ignoreStat true",
        "git config status.showUntrackedFiles no",
        "git config core.excludesFile /dev/null",
        "git rm -q --cached docs/design.md",
        "rm .git/index",
        "git config core.worktree /tmp",
        "git config core.bare true",
    ],
)
@pytest.mark.parametrize("in_git", [True, False])
def test_nothing_that_a_command_makes_takes_files_out_of_the_comparison(
    tmp_path: Path, hide: str, in_git: bool
) -> None:
    """False roots, repositories inside, flags and settings: both files are charged all the same."""
    if not in_git and hide.startswith(("git", "rm .git")) and "init" not in hide:
        pytest.skip("there is no repository to change")
    shell = make_shell(tmp_path, in_git=in_git)
    found = shell.run(f"echo agent > {DESIGN}; echo agent > docs/new.md; {hide}; echo more >> docs/new.md")
    assert {DESIGN, "docs/new.md"} <= refused(found)


def test_a_folder_of_our_name_that_is_no_roots_hides_nothing(tmp_path: Path) -> None:
    """Code in `src/.orchestration/` is code."""
    shell = make_shell(tmp_path)
    found = shell.run("mkdir -p docs/.orchestration/.state; echo x > docs/.orchestration/.state/evil.py")
    assert refused(found) == {"docs/.orchestration/.state/evil.py"}


def test_a_root_inside_that_was_there_before_has_its_own_affairs(tmp_path: Path) -> None:
    """Also if the command takes its declarations away."""
    shell = make_shell(tmp_path)
    write_files(shell.root, {"docs/.orchestration/active_intents.yaml": WEATHER_INTENTS})
    commit_all(shell.root, "A root inside")
    found = shell.run(f"echo x >> {DESIGN}; rm docs/.orchestration/active_intents.yaml")
    assert DESIGN not in refused(found)


def test_the_index_cannot_be_forged(tmp_path: Path) -> None:
    """An index that calls the changed file clean, by its size and times."""
    shell = make_shell(tmp_path, REVERT)
    shell.before()
    old = git(shell.root, "rev-parse", f"HEAD:{DESIGN}")
    write_files(shell.root, {DESIGN: "# DESIGN\n"})
    os.utime(shell.root / DESIGN, (1e9, 1e9))  # git looks again into what is as new as the index
    new = git(shell.root, "hash-object", "-w", DESIGN)
    git(shell.root, "add", DESIGN)
    index = shell.root / ".git/index"
    data = index.read_bytes().replace(bytes.fromhex(new), bytes.fromhex(old))[:-20]
    index.write_bytes(data + hashlib.sha1(data).digest())
    assert git(shell.root, "status", "--porcelain", "--", DESIGN) == ""
    assert refused(shell.after()) == {DESIGN}


def forged(path: str, content: bytes, line: bytes) -> bytes:
    """A ledger line that says another session wrote `content`."""
    record = json.loads(line)
    record["session_id"], record["timestamp"] = "s9", "2099-01-01T00:00:00.000Z"
    record["files"][0] |= {"path": path, "post_hash": content_hash(content)}
    return json.dumps(record).encode() + b"\n"


def test_ledger_lines_that_the_command_wrote_explain_nothing_and_are_told(tmp_path: Path) -> None:
    """Not even with the chain of the newest line."""
    shell = make_shell(tmp_path, REVERT)
    shell.run(f"echo 'x = 1' >> {API}")
    shell.before()
    ledger = shell.root / LEDGER
    line = ledger.read_bytes().splitlines()[-1]
    write_files(shell.root, {DESIGN: "forged\n"})
    ledger.write_bytes(ledger.read_bytes() + forged(DESIGN, b"forged\n", line))
    found = shell.after()
    assert found.reverted == (DESIGN,) and DESIGN in (found.ledger_damage or "")


def test_a_ledger_that_was_cut_is_told(tmp_path: Path) -> None:
    """The changes are judged as ever."""
    shell = make_shell(tmp_path)
    shell.run(f"echo 'x = 1' >> {API}")
    shell.run(f"echo 'y = 1' >> {API}")
    found = shell.run(f"sed -i '$d' {LEDGER} .orchestration/trace/*.jsonl; echo x >> {DESIGN}")
    assert refused(found) == {DESIGN} and "damaged" in (found.ledger_damage or "")


def test_a_branch_that_has_another_ledger_is_no_damage(tmp_path: Path) -> None:
    """The records stand on the other branch."""
    shell = make_shell(tmp_path)
    git(shell.root, "branch", "other")
    shell.run(f"echo 'x = 1' >> {API}")
    git(shell.root, "add", "--force", LEDGER)
    commit_all(shell.root, "The ledger as git carries it")
    assert git(shell.root, "ls-files", LEDGER) == LEDGER
    found = shell.run("git switch -q other")
    assert found.ledger_damage is None and not found.refusals


def test_an_ordinary_command_says_nothing_of_the_ledger(tmp_path: Path) -> None:
    """Also beside another session that records."""
    shell = make_shell(tmp_path)
    shell.before("t1")
    shell.before("t2")
    write_files(shell.root, {API: "x = 1\n"})
    assert shell.after("t1").ledger_damage is None
    assert shell.after("t2").ledger_damage is None


def test_a_fifo_and_a_huge_file_do_not_stop_the_comparison(tmp_path: Path) -> None:
    """A FIFO in a file's place is a deletion; of a huge file it is known that it changed."""
    shell = make_shell(tmp_path)
    write_files(shell.root, {"docs/huge.bin": b"\0" * 5_000_000})
    commit_all(shell.root, "Huge")
    found = shell.run(f"rm {DESIGN}; mkfifo {DESIGN} docs/pipe; printf x >> docs/huge.bin; mkfifo docs/.gitattributes")
    assert {DESIGN, "docs/huge.bin"} <= refused(found) | set(found.unknown)


HIDING = {
    "the repository's own list": "echo 'docs/new.md' >> .git/info/exclude",
    "a folder in that list": "echo 'docs/' >> .git/info/exclude",
    "the file of the root": "echo 'new.md' >> .gitignore",
    "a file beside it": "echo '*' > docs/.gitignore",
    "a list of another name": "echo 'docs/new.md' > .git/mine; git config core.excludesFile .git/mine",
    "a list of the user": 'mkdir -p "$XDG_CONFIG_HOME/git"; echo new.md > "$XDG_CONFIG_HOME/git/ignore"',
    "a setting of the user": "echo new.md > .git/mine; git config --global core.excludesFile .git/mine",
}


@pytest.mark.parametrize("hide", HIDING.values(), ids=HIDING)
@pytest.mark.parametrize("early", [True, False], ids=["hidden first", "hidden last"])
def test_a_command_that_lets_git_ignore_what_it_writes_is_charged_with_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, hide: str, early: bool
) -> None:
    """What git ignored before the command counts."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(tmp_path / "gitconfig"))
    shell = make_shell(tmp_path, REVERT)
    write = f"mkdir -p docs/deep; echo agent > docs/new.md; echo agent > docs/deep/new.md; echo agent >> {DESIGN}"
    found = shell.run(f"{hide}; {write}" if early else f"{write}; {hide}")
    assert {DESIGN, "docs/new.md", "docs/deep/new.md"} - refused(found) <= (
        {"docs/deep/new.md"} if "docs/new.md" in hide else set()
    )
    assert not (shell.root / "docs/new.md").exists()


def test_the_environment_of_a_command_hides_nothing(tmp_path: Path) -> None:
    """Git's own variables are not asked for."""
    shell = make_shell(tmp_path)
    given = "GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=core.excludesFile GIT_CONFIG_VALUE_0=.git/mine"
    found = shell.run(f"echo new.md > .git/mine; export {given}; echo x > docs/new.md; git status --porcelain")
    assert "docs/new.md" in refused(found)


def test_what_git_ignored_before_a_command_is_not_compared(tmp_path: Path) -> None:
    """Also where the command changes other rules, and where what it makes was not there."""
    shell = make_shell(tmp_path)
    write_files(shell.root, {"src/.gitignore": "*.o\n!keep.o\n/gen/\n"})
    (shell.root / ".git/info/exclude").write_text("notes/\n")
    commit_all(shell.root, "Rules")
    found = shell.run(
        "echo other >> .git/info/exclude; mkdir -p build/x notes src/gen src/api/gen; echo x > build/x/a;"
        "echo x > notes/n; echo x > src/api/a.o; echo x > src/gen/g"
    )
    assert not found.refusals and not shell.files


def test_an_ignore_file_that_git_itself_ignores_counts_as_it_was(tmp_path: Path) -> None:
    """Its content before the command is kept."""
    shell = make_shell(tmp_path)
    write_files(shell.root, {"docs/.gitignore": ".gitignore\n*.log\n"})
    found = shell.run("echo '*' >> docs/.gitignore; echo x > docs/a.log; echo x > docs/new.md")
    assert refused(found) == {"docs/new.md"}


def test_an_ignore_file_of_a_folder_above_the_root_counts_as_it_was(tmp_path: Path) -> None:
    """The root is a package of a repository."""
    top = monorepo(tmp_path)
    write_files(top, {".gitignore": "*.log\n", "packages/.gitignore": "*.tmp\n"})
    commit_all(top, "Rules")
    a = top / "packages/a"
    chosen(a)
    bash(a, "echo new.md >> ../.gitignore; echo x > docs/new.md; echo x > docs/a.log; echo x > docs/a.tmp")
    assert changed(a) == [("docs/new.md", "FAIL")]


def test_rules_that_git_brought_count_at_once(tmp_path: Path) -> None:
    """A merge brings `.gitignore`, and the same command builds."""
    shell = make_shell(tmp_path)
    git(shell.root, "switch", "-qc", "other")
    write_files(shell.root, {".gitignore": "build/\ndist/\n"})
    commit_all(shell.root, "Ignore dist")
    git(shell.root, "switch", "-q", "main")
    found = shell.run("git merge -q other; mkdir dist; echo x > dist/x; echo x > docs/x.md; echo '*.md' >> .gitignore")
    assert refused(found) == {".gitignore", "docs/x.md"}


@pytest.mark.parametrize("mark", ["CACHEDIR.TAG", "pyvenv.cfg"])
def test_a_cache_that_ignores_itself_is_not_compared_and_a_folder_of_code_is(tmp_path: Path, mark: str) -> None:
    """Test runners, linters and environments make such folders; no language loads code from a name with a dot."""
    shell = make_shell(tmp_path)
    tag = "Signature: 8a477f597d28d172789f06886806bc55"
    made = "".join(
        f"mkdir -p {folder}/v; echo '*' > {folder}/.gitignore; echo '{tag}' > {folder}/{mark}; echo x > {folder}/v/x;"
        for folder in (".cache", "docs/cache")
    )
    assert refused(shell.run(made)) == {f"docs/cache/{name}" for name in (".gitignore", mark, "v/x")}


def test_a_work_tree_that_git_makes_in_a_folder_that_is_ignored_from_then_on_is_no_change(tmp_path: Path) -> None:
    """It is a root of its own."""
    shell = make_shell(tmp_path)
    found = shell.run("echo trees/ >> .git/info/exclude; git worktree add -q trees/one -b one; echo x > trees/y")
    assert refused(found) == {"trees/y"}


# --- roots around the command -----------------------------------------------------------------------------

TOP_INTENTS = intents_yaml({"INT-009": ["top/**"]})


def monorepo(tmp_path: Path, *, root_at_top: bool = False) -> Path:
    """Two packages that are roots; the session works on one of them."""
    top = tmp_path / "mono"
    for package, scope in (("a", "src/**"), ("b", "lib/**")):
        write_files(
            top / "packages" / package,
            {
                ".orchestration/active_intents.yaml": intents_yaml({"INT-001": [scope]}),
                "src/i.ts": "let i = 1\n",
                "docs/d.md": "d\n",
            },
        )
    write_files(top, {"readme.md": "top\n"})
    if root_at_top:
        write_files(top, {".orchestration/active_intents.yaml": TOP_INTENTS})
    return make_git_repo(top)


def bash(cwd: Path, command: str, *, run_in: Path | None = None) -> str:
    """A Bash call of Claude Code: announced, run and reported; what the agent is told."""
    pre, post = (claude(cwd, event, "Bash", {"command": command}) for event in ("PreToolUse", "PostToolUse"))
    asked = hook_here("claude-code", json.dumps(pre).encode())
    assert asked.code == 0 and not asked.out, asked
    subprocess.run(["sh", "-ec", command], cwd=run_in or cwd, check=True)
    answer = hook_here("claude-code", json.dumps(post).encode())
    assert answer.code == 0, answer.err
    return answer.out


def chosen(root: Path, intent: str = "INT-001") -> None:
    """The session works under an intent of this root."""
    drive(select(Engine(Headless("cli", (root,))), "s1", intent, None, None))


def test_a_command_at_the_top_is_judged_by_each_root_below(tmp_path: Path) -> None:
    """There is no root at the top itself."""
    top = monorepo(tmp_path)
    a, b = top / "packages/a", top / "packages/b"
    chosen(a)
    chosen(b)
    said = bash(top, "sed -i s/1/2/ packages/*/src/i.ts; echo x >> readme.md")
    assert changed(a) == [("src/i.ts", "PASS")] and changed(b) == [("src/i.ts", "FAIL")]
    assert "src/i.ts" in said


def test_a_command_at_the_top_needs_an_intent_somewhere(tmp_path: Path) -> None:
    """The gate of the shell itself holds below, too."""
    top = monorepo(tmp_path)
    pre = claude(top, "PreToolUse", "Bash", {"command": "make"})
    pre["permission_mode"] = "dontAsk"
    said = hook_here("claude-code", json.dumps(pre).encode()).json
    assert said["hookSpecificOutput"]["permissionDecision"] == "deny"


def test_a_root_below_that_allows_no_shell_is_heard(tmp_path: Path) -> None:
    """`shell: deny` of any root that the command reaches."""
    top = monorepo(tmp_path)
    chosen(top / "packages/a")
    write_files(top / "packages/b", {".orchestration/policy.yaml": "shell: deny\n"})
    pre = claude(top, "PreToolUse", "Bash", {"command": "make"})
    said = hook_here("claude-code", json.dumps(pre).encode()).json
    assert said["hookSpecificOutput"]["permissionDecision"] == "deny"


def test_a_command_in_a_package_is_judged_by_the_root_above(tmp_path: Path) -> None:
    """Where the session has selected no intent."""
    top = monorepo(tmp_path, root_at_top=True)
    chosen(top / "packages/a")
    said = bash(top / "packages/a", "echo x >> ../../readme.md; echo 'let j' >> src/i.ts")
    assert "You must cite a valid active Intent ID" in said
    assert changed(top / "packages/a") == [("src/i.ts", "PASS")]
    assert changed(top) == [("readme.md", "EXEMPT")]


def test_a_command_that_writes_into_a_linked_work_tree_is_on_record_there(tmp_path: Path) -> None:
    """And one that makes a work tree is not charged with what git puts into it."""
    shell = make_shell(tmp_path)
    git(shell.root, "worktree", "add", "--quiet", "../other", "-b", "other")
    bash(shell.root, "echo x >> ../other/docs/design.md; git worktree add -q wt -b third")
    assert [path for path, _ in changed(tmp_path / "other")] == [DESIGN]
    assert changed(shell.root) == []


def test_where_nothing_governs_nothing_is_written(tmp_path: Path) -> None:
    """No root above, below or beside."""
    top = make_git_repo(tmp_path / "free", {"a.txt": "a\n", "src/b.txt": "b\n"})
    assert bash(top, "echo x >> a.txt") == ""
    assert sorted(os.listdir(top)) == [".git", "a.txt", "src"]


def test_an_agents_command_that_clears_the_intent_is_judged_by_it_all_the_same(workspace: Path) -> None:
    with AgentProcess(workspace) as agent:
        agent.hook("SessionStart", model="lab/m")
        assert agent.run(f"{INTENTLS} select INT-001 --session agent-1").code == 0
        ran = agent.shell(
            f"{INTENTLS} select --clear --session agent-1; echo x > docs/out.md; echo 'Y = 2' > src/api/y.py"
        )
        assert ran.code == 0
    assert changed(workspace) == [("src/api/y.py", "PASS"), ("docs/out.md", "FAIL")]


def test_an_edit_is_on_record_under_the_intent_that_it_was_admitted_under(workspace: Path) -> None:
    """Also if the agent has cleared its intent before it reports the edit."""
    with AgentProcess(workspace) as agent:
        agent.hook("SessionStart", model="lab/m")
        assert agent.run(f"{INTENTLS} select INT-001 --session agent-1").code == 0
        tool = {"tool_name": "Write", "tool_input": {"file_path": str(workspace / API), "content": "Y = 2\n"}}
        assert agent.hook("PreToolUse", tool_use_id="w", **tool).code == 0
        (workspace / API).write_text("Y = 2\n")
        assert agent.run(f"{INTENTLS} select --clear --session agent-1").code == 0
        agent.hook("PostToolUse", tool_use_id="w", tool_response={}, **tool)
    (record,) = records(workspace)
    assert (record["intent_id"], record["scope_validation"]) == ("INT-001", "PASS")
