"""What git brings into the working tree in an agent's shell keeps its authors; what git does not explain is charged."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from intentls.engine.tools.shell_changes import ShellChanges
from tests.support.agent_shell import API, Shell, make_shell, refused
from tests.support.workspaces import commit_all, git, write_files

DESIGN = "docs/design.md"
MAIN = "prototype/main.py"
LINES = "".join(f"line {number}\n" for number in range(1, 21))


class Team(Shell):
    """An agent's shell in a clone; a colleague works in another one and pushes."""

    def __init__(self, root: Path, colleague: Path) -> None:
        super().__init__(root)
        self.colleague = colleague

    def push(self, files: dict[str, str], *, delete: str = "") -> None:
        """The colleague commits these files to main and pushes."""
        git(self.colleague, "pull", "--quiet")
        write_files(self.colleague, files)
        if delete:
            git(self.colleague, "rm", "--quiet", delete)
        commit_all(self.colleague, "Colleague")
        git(self.colleague, "push", "--quiet", "origin", "main")

    def branch(self, name: str, files: dict[str, str]) -> None:
        """A local branch with one more commit; main stays checked out."""
        git(self.root, "switch", "--quiet", "--create", name)
        write_files(self.root, files)
        commit_all(self.root, name)
        git(self.root, "switch", "--quiet", "main")


@pytest.fixture
def team(tmp_path: Path) -> Team:
    shell = make_shell(tmp_path, "shell: revert\n")
    write_files(shell.root, {DESIGN: LINES})
    commit_all(shell.root, "Lines")
    git(tmp_path, "clone", "--quiet", "--bare", str(shell.root), "hub.git")
    git(tmp_path, "clone", "--quiet", str(tmp_path / "hub.git"), "colleague")
    git(shell.root, "remote", "add", "origin", str(tmp_path / "hub.git"))
    git(shell.root, "fetch", "--quiet")
    git(shell.root, "branch", "--quiet", "--set-upstream-to=origin/main")
    return Team(shell.root, tmp_path / "colleague")


def is_innocent(shell: Shell, found: ShellChanges) -> bool:
    """Whether nothing was charged, undone or recorded."""
    return found == ShellChanges() and shell.new == []


MERGE = "git merge -q --no-edit work"


@pytest.mark.parametrize(
    "command",
    [
        "git switch -q work",
        MERGE,
        "git merge -q --no-ff --no-edit work",
        "git merge -q --squash work && git commit -qm squashed",
        "git rebase -q work",
        "git reset -q --hard work",
        "git checkout -q work -- docs",
        "git restore -s work -SW docs prototype",
        "git cherry-pick work",
        "git switch -q work; git switch -q main",
        f"{MERGE} && git revert --no-edit HEAD",
        f"{MERGE}; git reset -q --hard HEAD~1",
        "git worktree add -q ../other work",
    ],
)
def test_what_git_brings_from_a_branch_keeps_its_authors(team: Team, command: str) -> None:
    """Files outside the scope that come, change and go by git's own operations."""
    team.branch("work", {DESIGN: LINES + "more\n", MAIN: "print('work')\n", "docs/new.md": "new\n"})
    assert is_innocent(team, team.run(command))


@pytest.mark.parametrize("command", ["git revert --no-edit HEAD", "git revert --no-edit HEAD~1", "git revert -n HEAD"])
def test_a_revert_takes_away_and_brings_back(team: Team, command: str) -> None:
    """A commit of the branch itself added a file, deleted one and changed one: its undoing is git's."""
    for number in (1, 2):
        write_files(team.root, {f"docs/new{number}.md": f"new {number}\n", f"docs/old{number}.md": f"old {number}\n"})
    commit_all(team.root, "Before")
    git(team.root, "rm", "--quiet", "docs/new1.md", "docs/new2.md")
    commit_all(team.root, "Without the new ones")
    for number in (1, 2):
        write_files(team.root, {f"docs/new{number}.md": f"newer {number}\n"})
        git(team.root, "rm", "--quiet", f"docs/old{number}.md")
        commit_all(team.root, f"Change {number}")
    assert is_innocent(team, team.run(command))


def test_a_picked_deletion_is_gits(team: Team) -> None:
    """A commit of another branch took a file away; on this one, a cherry-pick of it does."""
    git(team.root, "switch", "--quiet", "--create", "work")
    git(team.root, "rm", "--quiet", MAIN)
    commit_all(team.root, "Without it")
    git(team.root, "switch", "--quiet", "main")
    write_files(team.root, {DESIGN: "changed\n"})
    commit_all(team.root, "Change")
    assert is_innocent(team, team.run("git cherry-pick work"))


@pytest.mark.parametrize("command", ["git rm -q {} && git commit -qm revert", "git revert --no-edit HEAD; rm {}"])
def test_a_deletion_beside_a_revert_is_the_commands(team: Team, command: str) -> None:
    """What no revert took away."""
    write_files(team.root, {DESIGN: "changed\n"})
    commit_all(team.root, "Change")
    assert refused(team.run(command.format(MAIN))) == {MAIN}


@pytest.mark.parametrize("command", ["git pull -q", "git pull -q --rebase", "git fetch -q; git merge -q origin/main"])
@pytest.mark.parametrize("ahead", [False, True])
def test_what_a_pull_brings_keeps_its_authors(team: Team, command: str, ahead: bool) -> None:
    """Changes, new files and deletions of a colleague; with commits of one's own on top or not."""
    if ahead:
        write_files(team.root, {DESIGN: LINES.replace("line 20", "my line 20")})
        commit_all(team.root, "Mine")
    team.push({DESIGN: LINES.replace("line 2\n", "their line 2\n"), "docs/new.md": "theirs\n"}, delete=MAIN)
    git(team.root, "config", "pull.rebase", "false")
    found = team.run(command)
    assert is_innocent(team, found)
    text = (team.root / DESIGN).read_text()
    assert "their line 2\n" in text and ("my line 20" in text) is ahead and not (team.root / MAIN).exists()


def test_a_clean_merge_of_one_file_is_gits_and_so_is_a_rebase(team: Team) -> None:
    """Both sides changed the file, in places that don't touch: git's result is nobody's work."""
    team.branch("work", {DESIGN: LINES.replace("line 18", "work 18")})
    write_files(team.root, {DESIGN: LINES.replace("line 3\n", "main 3\n")})
    commit_all(team.root, "Main")
    assert is_innocent(team, team.run("git merge -q --no-edit work"))
    git(team.root, "reset", "--quiet", "--hard", "HEAD~1")
    git(team.root, "switch", "--quiet", "work")
    assert is_innocent(team, team.run("git rebase -q main"))
    assert "main 3" in (team.root / DESIGN).read_text()


def test_a_resolved_conflict_is_the_commands(team: Team) -> None:
    """The lines that git could not merge are charged to who wrote them; the others not."""
    team.branch("work", {DESIGN: LINES.replace("line 10", "work 10").replace("line 20", "work 20")})
    write_files(team.root, {DESIGN: LINES.replace("line 10", "main 10")})
    commit_all(team.root, "Main")
    found = team.run(f"git merge -q work || sed -i '/^[<=>]/d; s/work 10/both 10/' {DESIGN}; git commit -qam merged")
    assert refused(found) == {DESIGN}
    assert MAIN not in team.files


def test_a_stash_comes_back_as_it_was(team: Team) -> None:
    """A person's own changes, put away before: by pop and apply, with new files, and on top of a pull."""
    write_files(team.root, {DESIGN: LINES.replace("line 19", "stashed 19"), "docs/mine.md": "mine\n"})
    git(team.root, "stash", "--quiet", "--include-untracked")
    team.push({MAIN: "print('theirs')\n", DESIGN: LINES.replace("line 2\n", "their line 2\n")})
    found = team.run("git pull -q && git stash pop -q")
    assert is_innocent(team, found)
    assert (team.root / DESIGN).read_text() == LINES.replace("line 19", "stashed 19").replace(
        "line 2\n", "their line 2\n"
    )
    assert (team.root / "docs/mine.md").exists()


def test_stashing_away_is_no_deletion(team: Team) -> None:
    """What the stash took is kept by git."""
    write_files(team.root, {DESIGN: "mine\n", "docs/mine.md": "mine\n"})
    assert is_innocent(team, team.run("git stash -q -u"))


def test_stashing_a_new_file_away_that_is_staged_is_no_deletion(team: Team) -> None:
    """The stash's own commit has it, and not the one of untracked files."""
    write_files(team.root, {"docs/mine.md": "mine\n"})
    assert is_innocent(team, team.run("git add docs && git stash -q"))


@pytest.mark.parametrize("command", ["git switch -q work", "git reset -q --hard work", "git switch -q -c new work"])
def test_what_a_branch_does_not_have_is_no_deletion_of_a_command_that_commits_on_it(team: Team, command: str) -> None:
    """The command goes to a branch without a file, and builds on that."""
    team.branch("work", {DESIGN: LINES + "more\n"})
    write_files(team.root, {"docs/on_main.md": "main\n"})
    commit_all(team.root, "On main")
    found = team.run(f"{command}; echo 'x = 1' >> {API}; git commit -qam more")
    assert found.refusals == () and team.files.keys() == {API}


@pytest.mark.parametrize(
    "takes_away",
    ["git revert --no-edit HEAD", "git reset -q --hard HEAD~1", "git switch -q -c side HEAD~1", "git switch -q work"],
)
def test_a_new_file_that_git_takes_away_with_a_commit_since_is_charged_and_not_undone(
    team: Team, takes_away: str
) -> None:
    """Whose the commit is can't be told; git keeps the file in it, and its work stays."""
    team.branch("work", {MAIN: "print('work')\n"})
    write_files(team.root, {"docs/new.md": "new\n"})
    found = team.run(f"git add -A; git commit -qm new; {takes_away}")
    assert refused(found) == {"docs/new.md"} and found.reverted == ()
    assert team.files == {"docs/new.md": ("delete", "FAIL", True)} and not (team.root / "docs/new.md").exists()


@pytest.mark.parametrize(
    "launder",
    [
        f"git switch -q -c side; git rm -q {DESIGN}; git commit -qm x; git switch -q main; git merge -q side",
        f"git rm -q {DESIGN}; git commit -qm x; git switch -q -c side; git switch -q main",
        f"c=$(git rm -q {DESIGN} && git commit-tree -p HEAD -m x $(git write-tree)); git reset -q --hard $c",
        f"git worktree add -q -b other ../o; cd ../o; git rm -q {DESIGN}; git commit -qm x; cd -; git merge -q other",
    ],
)
def test_a_deletion_that_the_command_commits_is_put_back(team: Team, launder: str) -> None:
    """Wherever HEAD goes then."""
    found = team.run(launder)
    assert refused(found) == {DESIGN} and found.reverted == (DESIGN,)


def test_a_discarded_change_is_gits(team: Team) -> None:
    """What `checkout` and `restore` put back was git's before."""
    write_files(team.root, {DESIGN: "dirty\n"})
    assert is_innocent(team, team.run(f"git checkout -q -- {DESIGN}"))
    write_files(team.root, {DESIGN: "dirty\n"})
    assert is_innocent(team, team.run("git reset -q --hard"))


def test_what_the_command_writes_on_top_of_a_pull_is_its_own_alone(team: Team) -> None:
    """Out of scope it is put back to what was pulled, not to what was there before."""
    pulled = LINES.replace("line 2\n", "their line 2\n")
    team.push({DESIGN: pulled, API: "def today():\n    return 'rain'\n"})
    found = team.run(f"git pull -q; echo agent >> {DESIGN}; echo 'x = 1' >> {API}")
    assert found.reverted == (DESIGN,) and (team.root / DESIGN).read_text() == pulled
    file = next(file for record in team.new for file in record["files"] if file["path"] == API)
    assert [(r["start_line"], r["end_line"]) for r in file["conversations"][0]["ranges"]] == [(3, 3)]


@pytest.mark.parametrize(
    "launder",
    [
        "git add -A; git commit -qm mine",
        "git add -A; git commit -qm mine; git push -q origin HEAD:main",
        "git add -A; git commit -qm mine; git push -q origin HEAD:main; git fetch -q",
        "git switch -q -c side; git add -A; git commit -qm mine; git switch -q main; git merge -q side",
        "git add -A; git commit -qm mine; git update-ref refs/remotes/origin/x HEAD; rm .git/logs/HEAD",
        "git add -A; git stash -q; git stash pop -q",
        "git add -A; git commit -qm 'x: Fast-forward'; git push -q origin HEAD:main; git fetch -q",
        "git add -A; git commit -qm mine; git commit -q --amend -m again",
        "git add -A; git commit -qm mine; git rebase -q --force-rebase HEAD~1; git tag mine",
        "c=$(git commit-tree -p HEAD -m x $(git add -A; git write-tree)); git update-ref refs/remotes/origin/x $c;"
        " git reset -q --hard $c",
    ],
)
def test_a_commit_of_the_command_explains_nothing(team: Team, launder: str) -> None:
    """Wherever the command lets names lead to what it wrote itself."""
    found = team.run(f"echo agent >> {DESIGN}; {launder}")
    assert refused(found) == {DESIGN} and found.reverted == (DESIGN,)
    assert (team.root / DESIGN).read_text() == LINES


@pytest.mark.parametrize(
    "command", [f"git rm -q {DESIGN}", f"git rm -q {DESIGN}; git commit -qm gone", f"rm {DESIGN}", "git clean -qfd"]
)
def test_a_deletion_of_the_command_is_its_own(team: Team, command: str) -> None:
    """By git's help or not."""
    write_files(team.root, {"docs/untracked.md": "mine\n"})
    gone = "docs/untracked.md" if "clean" in command else DESIGN
    found = team.run(command)
    assert refused(found) == {gone} and found.reverted == (gone,) and (team.root / gone).exists()


def test_an_old_version_that_the_command_writes_itself_is_charged(team: Team) -> None:
    """Equal content is no proof: git says that it put nothing there."""
    old = git(team.root, "show", f"HEAD~1:{DESIGN}")
    found = team.run(f"printf '{old}\\n' > {DESIGN}")
    assert refused(found) == {DESIGN}


def test_an_executable_bit_on_top_of_a_checkout_is_charged(team: Team) -> None:
    """The mode is part of what git explains."""
    team.branch("work", {DESIGN: "work\n"})
    found = team.run(f"git switch -q work; chmod +x {DESIGN}")
    assert refused(found) == {DESIGN}


def test_links_and_line_ends_of_a_branch_are_gits(team: Team) -> None:
    """A link by its target; a text with the line ends that the configuration asks for."""
    git(team.root, "switch", "--quiet", "--create", "work")
    (team.root / "docs/link").symlink_to("design.md")
    write_files(team.root, {".gitattributes": "*.txt eol=crlf\n", "docs/a.txt": "a\nb\n"})
    commit_all(team.root, "work")
    git(team.root, "switch", "--quiet", "main")
    found = team.run("git switch -q work")
    assert is_innocent(team, found) and (team.root / "docs/a.txt").read_bytes() == b"a\r\nb\r\n"


def test_a_root_below_the_top_of_its_repository(tmp_path: Path) -> None:
    """Git's paths begin at the top, ours at the root."""
    shell = make_shell(tmp_path / "repo" / "inner", "shell: revert\n", in_git=False)
    git(tmp_path / "repo", "init", "--quiet", "--initial-branch=main")
    commit_all(tmp_path / "repo", "Start")
    git(tmp_path / "repo", "switch", "--quiet", "--create", "work")
    write_files(shell.root, {DESIGN: "work\n"})
    commit_all(tmp_path / "repo", "work")
    git(tmp_path / "repo", "switch", "--quiet", "main")
    assert is_innocent(shell, shell.run("git switch -q work"))
    assert refused(shell.run(f"git switch -q main; echo x >> {DESIGN}")) == {DESIGN}
    assert (shell.root / DESIGN).read_text() == "# Design\n"


def test_a_merge_that_is_aborted_leaves_nothing(team: Team) -> None:
    """Neither at the conflict nor after it."""
    team.branch("work", {DESIGN: LINES.replace("line 10", "work 10"), "docs/new.md": "new\n"})
    write_files(team.root, {DESIGN: LINES.replace("line 10", "main 10")})
    commit_all(team.root, "Main")
    subprocess.run(["git", "merge", "work"], cwd=team.root, check=False, capture_output=True)
    assert is_innocent(team, team.run("git merge --abort"))
