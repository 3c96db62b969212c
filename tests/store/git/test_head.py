"""What git says about a root, compared with git itself."""

from __future__ import annotations

import logging
import os
import random
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from intentls.store.fs import primitives
from intentls.store.git import head
from intentls.store.git.head import NULL_ID, Git, Revision
from tests.support.workspaces import commit_all, git, make_git_repo


@pytest.fixture
def repo(tmp_path: Path) -> Path:
    """A repository with one commit."""
    return make_git_repo(tmp_path.resolve() / "repo", {"a.txt": "1", "sub/deep/b.txt": "2"})


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[list[str]]:
    """Every command that was started to ask git."""
    commands: list[list[str]] = []
    start = subprocess.Popen

    def note(command: list[str], **options: object) -> object:
        if "--verify" in command:
            commands.append(command)
        return start(command, **options)  # type: ignore[call-overload]

    monkeypatch.setattr(subprocess, "Popen", note)
    return commands


def revision(folder: Path) -> Revision:
    """What git itself answers."""
    return Revision(git(folder, "rev-parse", "HEAD"))


def test_the_null_id_has_the_length_of_an_id() -> None:
    """It stands for the revision before the first commit."""
    assert NULL_ID == "0" * 40


def test_outside_git_there_is_no_revision(tmp_path: Path) -> None:
    """No repository at or above: None, and a later `git init` is noticed."""
    seen = Git(tmp_path.resolve())
    assert seen.head() is None
    assert seen.head() is None
    make_git_repo(tmp_path)
    assert seen.head() == Revision(None)


def test_before_the_first_commit_there_is_no_id(tmp_path: Path, asked: list[list[str]]) -> None:
    """An unborn branch is known as such, and so is the first commit on it."""
    repo = make_git_repo(tmp_path / "repo")
    seen = Git(repo)
    assert seen.head() == Revision(None)
    (repo / "a").write_text("1")
    commit_all(repo, "first")
    assert seen.head() == revision(repo)
    assert asked == []


def test_every_kind_of_checkout_agrees_with_git(repo: Path, asked: list[list[str]]) -> None:
    """Branches, odd names, detached heads, tags, packed refs and symbolic refs: read without starting git."""
    seen = Git(repo)
    steps: list[Callable[[], object]] = [
        lambda: git(repo, "switch", "-qc", "feature/ünï-1.x"),
        lambda: commit_all(repo, "on the branch"),
        lambda: git(repo, "pack-refs", "--all"),
        lambda: git(repo, "switch", "-q", "--discard-changes", "--detach", "main"),
        lambda: git(repo, "switch", "-q", "--discard-changes", "feature/ünï-1.x"),
        lambda: git(repo, "tag", "-m", "annotated", "v1"),
        lambda: git(repo, "pack-refs", "--all", "--no-prune"),
        lambda: commit_all(repo, "newer than packed"),
        lambda: git(repo, "symbolic-ref", "refs/heads/alias", "refs/heads/main"),
        lambda: git(repo, "symbolic-ref", "HEAD", "refs/heads/alias"),
        lambda: git(repo, "symbolic-ref", "HEAD", "refs/heads/main"),
        lambda: git(repo, "reset", "-q", "--hard", "v1"),
    ]
    for number, step in enumerate(steps):
        (repo / "a.txt").write_text(str(number + 10))
        step()
        assert seen.head() == revision(repo), number
        assert seen.head() == revision(repo), number
    assert asked == []


def test_a_root_below_the_top_level_has_the_same_revision(repo: Path) -> None:
    """The workspace may be a folder of a larger repository, even one that does not exist yet."""
    assert Git(repo / "sub/deep").head() == revision(repo)
    assert Git(repo / "sub/not/yet").head() == revision(repo)


def test_a_branch_whose_folder_was_left_behind_is_unborn_or_packed(repo: Path) -> None:
    """An empty folder `refs/heads/x` is no ref `x`."""
    git(repo, "branch", "x/y")
    git(repo, "pack-refs", "--all")
    git(repo, "branch", "-qD", "x/y")
    (repo / ".git/refs/heads/x").mkdir(exist_ok=True)
    git(repo, "symbolic-ref", "HEAD", "refs/heads/x")
    assert Git(repo).head() == Revision(None)


def test_each_worktree_has_its_own_head(repo: Path, tmp_path: Path, asked: list[list[str]]) -> None:
    """A linked worktree's HEAD is its own, its branches are everybody's."""
    tree = tmp_path / "linked"
    git(repo, "worktree", "add", "-q", "-b", "linked", str(tree))
    seen = Git(tree)
    assert seen.head() == revision(tree)
    (tree / "c").write_text("3")
    commit_all(tree, "in the worktree")
    assert seen.head() == revision(tree) != revision(repo)
    git(repo, "pack-refs", "--all")
    assert seen.head() == revision(tree)
    git(tree, "switch", "-q", "--detach", "HEAD~1")
    assert seen.head() == revision(tree)
    assert Git(repo).head() == revision(repo)
    assert asked == []


def test_a_ref_of_the_worktree_alone_is_found_there(repo: Path, tmp_path: Path) -> None:
    """`refs/worktree/...` lies in the worktree's own folder."""
    tree = tmp_path / "linked"
    git(repo, "worktree", "add", "-q", "--detach", str(tree))
    (tree / "c").write_text("3")
    commit_all(tree, "detached")
    git(tree, "update-ref", "refs/worktree/here", "HEAD")
    git(tree, "symbolic-ref", "HEAD", "refs/worktree/here")
    assert Git(tree).head() == revision(tree) != revision(repo)


def test_a_submodule_has_the_revision_of_its_own_repository(repo: Path, tmp_path: Path) -> None:
    """Its `.git` is a file that leads, relatively, into the outer repository's folder."""
    outer = make_git_repo(tmp_path / "outer", {"x": "1"})
    git(outer, "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", str(repo), "module")
    commit_all(outer, "with a module")
    assert (outer / "module/.git").is_file()
    assert Git(outer / "module/sub").head() == revision(repo)
    assert Git(outer).head() == revision(outer) != revision(repo)


def test_long_object_ids_are_read(tmp_path: Path) -> None:
    """A SHA-256 repository has ids of 64 digits."""
    repo = tmp_path / "long"
    repo.mkdir()
    git(repo, "init", "-q", "--object-format=sha256")
    (repo / "a").write_text("1")
    commit_all(repo, "first")
    found = Git(repo).head()
    assert found == revision(repo)
    assert found is not None
    assert len(found.sha or "") == 64


def test_a_nested_folder_called_git_that_is_no_repository_is_passed_over(repo: Path) -> None:
    """An empty `.git` folder does not hide the repository above; once it is one, it counts."""
    (repo / "sub/.git").mkdir()
    seen = Git(repo / "sub")
    assert seen.head() == revision(repo)
    git(repo / "sub", "init", "-q")
    assert seen.head() == Revision(None)


def test_changes_show_at_once_however_quick_they_come(repo: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A ref that changes many times within one tick of the disk's clock is never read stale."""
    exact = head.file_stamp

    def coarse(file: Path) -> primitives.Stamp | None:
        stamp = exact(file)
        tick = 10_000_000
        return stamp and (stamp[0] // tick * tick, stamp[1] // tick * tick, *stamp[2:])

    monkeypatch.setattr(head, "file_stamp", coarse)
    first = git(repo, "rev-parse", "HEAD")
    (repo / "a.txt").write_text("2")
    second = commit_all(repo, "second")
    ref = repo / ".git/refs/heads/main"
    seen = Git(repo)
    for number in range(200):
        sha = (first, second)[number % 2]
        ref.write_text(sha + "\n")
        assert seen.head() == Revision(sha)


def test_what_did_not_change_is_not_read_again(repo: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Unchanged files cost a look at their stamps, nothing else; a change is read."""
    monkeypatch.setattr(primitives, "RACY_NS", -1)
    seen = Git(repo)
    expected = seen.head()
    reads: list[Path] = []
    read = head._HeadReader.text

    def note(self: head._HeadReader, file: Path, limit: int | None = None) -> bytes | None:
        reads.append(file)
        return read(self, file, limit)

    monkeypatch.setattr(head._HeadReader, "text", note)
    (repo / ".git/index.lock").touch()  # git makes and removes such files all the time
    assert seen.head() == expected
    assert reads == []
    (repo / ".git/index.lock").unlink()
    (repo / "a.txt").write_text("2")
    commit_all(repo, "second")
    assert seen.head() == revision(repo)
    assert reads


def test_random_histories_agree_with_git(repo: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever git does, in whatever order, the answer is git's, kept or read anew."""
    chance = random.Random(7)
    trusting = Git(repo)
    for number in range(40):
        (repo / "a.txt").write_text(f"{number}")
        action = chance.randrange(6)
        if action == 0:
            git(repo, "switch", "-qc", f"b{number}")
        elif action == 1:
            git(repo, "switch", "-q", "--discard-changes", chance.choice(branches(repo)))
        elif action == 2:
            git(repo, "pack-refs", "--all")
        elif action == 3:
            git(repo, "switch", "-q", "--discard-changes", "--detach", chance.choice(branches(repo)))
        else:
            commit_all(repo, f"c{number}")
        assert trusting.head() == Git(repo).head() == revision(repo), (number, action)


def branches(repo: Path) -> list[str]:
    """The names of all branches."""
    return git(repo, "for-each-ref", "--format=%(refname:short)", "refs/heads").split()


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"junk\n",
        b"ref: HEAD\n",
        b"ref: refs/../../x\n",
        b"ref: refs/heads/\0x\n",
        b"\xff\xfe\n",
        b"0123\n",
    ],
)
def test_a_head_that_makes_no_sense_is_left_to_git(content: bytes, repo: Path, asked: list[list[str]]) -> None:
    """Git is asked; where it can't tell either, there is no revision, and nothing raises."""
    (repo / ".git/HEAD").write_bytes(content)
    assert Git(repo).head() in (None, Revision(None))
    assert len(asked) == 1


def test_an_upper_case_id_is_left_to_git(repo: Path, asked: list[list[str]]) -> None:
    """Git reads it, so it counts."""
    sha = git(repo, "rev-parse", "HEAD")
    (repo / ".git/HEAD").write_text(sha.upper() + "\n")
    assert Git(repo).head() == revision(repo) == Revision(sha)
    assert len(asked) == 1


@pytest.mark.skipif(os.name == "nt", reason="makes links and FIFOs")
def test_a_head_that_is_a_link_is_read(repo: Path, asked: list[list[str]]) -> None:
    """Old repositories have HEAD as a symbolic link; a dangling one is left to git."""
    expected = revision(repo)
    (repo / ".git/HEAD").unlink()
    (repo / ".git/HEAD").symlink_to("refs/heads/main")
    assert Git(repo).head() == expected
    assert asked == []
    (repo / ".git/HEAD").unlink()
    (repo / ".git/HEAD").symlink_to("refs/heads/none")
    assert Git(repo).head() == Revision(None)
    assert len(asked) == 1


@pytest.mark.skipif(os.name == "nt", reason="makes links and FIFOs")
@pytest.mark.parametrize("name", ["refs/heads/main", "packed-refs", "commondir"])
def test_a_fifo_among_gits_files_cannot_hang(name: str, repo: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Reading never waits for a writer. (Git itself may: it gets a moment.)"""
    monkeypatch.setattr(head, "_TIMEOUT_S", 0.2)
    if name == "packed-refs":
        (repo / ".git/refs/heads/main").unlink()
    (repo / ".git" / name).unlink(missing_ok=True)
    os.mkfifo(repo / ".git" / name)
    Git(repo).head()


@pytest.mark.skipif(os.name == "nt", reason="makes links and FIFOs")
def test_files_that_lead_in_a_circle_are_left_to_git(repo: Path, asked: list[list[str]]) -> None:
    """Neither a ref nor `.git` itself as a circle of links raises."""
    ref = repo / ".git/refs/heads/main"
    ref.unlink()
    ref.symlink_to("main")
    assert Git(repo).head() in (None, Revision(None))
    (repo / "sub/.git").symlink_to(".git")
    Git(repo / "sub").head()
    assert len(asked) == 2


@pytest.mark.parametrize("content", [b"", b"nonsense", b"gitdir: /no/such\n", b"gitdir: a\0b\n"])
def test_a_git_file_that_leads_nowhere_means_no_revision(content: bytes, repo: Path) -> None:
    """A worktree whose repository was removed is not in git, whatever lies above it."""
    (repo / "sub/.git").write_bytes(content)
    assert Git(repo / "sub").head() is None


def test_references_that_lead_in_a_circle_are_left_to_git(repo: Path, asked: list[list[str]]) -> None:
    """Symbolic refs are followed as far as git follows them."""
    (repo / ".git/refs/heads/x").write_text("ref: refs/heads/y\n")
    (repo / ".git/refs/heads/y").write_text("ref: refs/heads/x\n")
    (repo / ".git/HEAD").write_text("ref: refs/heads/x\n")
    assert Git(repo).head() in (None, Revision(None))
    assert len(asked) == 1


def test_damaged_packed_refs_are_left_to_git(repo: Path, asked: list[list[str]]) -> None:
    """A line without an id is not taken for a branch without commits."""
    git(repo, "pack-refs", "--all")
    packed = repo / ".git/packed-refs"
    packed.write_text(packed.read_text().replace(git(repo, "rev-parse", "HEAD"), "zz"))
    assert Git(repo).head() in (None, Revision(None))
    assert len(asked) == 1


def test_a_branch_whose_name_ends_like_another_is_not_mixed_up(repo: Path) -> None:
    """Packed refs are found by their whole name."""
    git(repo, "branch", "x/main")
    git(repo, "tag", "main")
    (repo / "a.txt").write_text("9")
    commit_all(repo, "main moves on")
    git(repo, "pack-refs", "--all")
    assert Git(repo).head() == Revision(git(repo, "rev-parse", "refs/heads/main"))
    git(repo, "symbolic-ref", "HEAD", "refs/heads/ain")
    assert Git(repo).head() == Revision(None)


@pytest.fixture
def fake_git(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], Path]:
    """Puts a program called git in front of the real one; its calls are lines of the returned file."""

    def install(body: str) -> Path:
        folder = tmp_path / "bin"
        folder.mkdir(exist_ok=True)
        log = tmp_path / "calls"
        log.touch()
        program = folder / "git"
        program.write_text(f"#!{sys.executable}\nimport os, sys\nopen({str(log)!r}, 'a').write('x\\n')\n{body}\n")
        program.chmod(0o755)
        monkeypatch.setenv("PATH", str(folder), prepend=os.pathsep)
        return log

    return install


def to_tables(repo: Path) -> Path:
    """Make a repository look as if it kept its refs in tables; returns the list of tables."""
    (repo / ".git/reftable").mkdir()
    (repo / ".git/HEAD").write_text("ref: refs/heads/.invalid\n")
    tables = repo / ".git/reftable/tables.list"
    tables.write_text("0x01-0x02.ref\n")
    return tables


@pytest.mark.skipif(os.name == "nt", reason="the stand-in is a script")
def test_refs_in_tables_are_asked_for_once_per_change(
    repo: Path, fake_git: Callable[[str], Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Git is started when its list of tables changed, and not before."""
    monkeypatch.setattr(primitives, "RACY_NS", -1)
    tables = to_tables(repo)
    calls = fake_git("print('a' * 40)")
    seen = Git(repo)
    assert [seen.head(), seen.head()] == [Revision("a" * 40)] * 2
    assert calls.read_text() == "x\n"
    tables.write_text("0x01-0x03.ref\n")
    fake_git("print('b' * 40)")
    assert seen.head() == Revision("b" * 40)


@pytest.mark.skipif(os.name == "nt", reason="the stand-in is a script")
def test_git_is_asked_with_a_clean_environment(
    repo: Path, fake_git: Callable[[str], Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Variables of a calling git don't lead astray, nothing is read from our input, no lock is taken."""
    to_tables(repo)
    for name in ("GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_CONFIG_COUNT"):
        monkeypatch.setenv(name, "/elsewhere")
    fake_git(
        "bad = [n for n in os.environ if n.startswith('GIT_') and os.environ[n] == '/elsewhere']\n"
        "fine = not bad and not sys.stdin.read() and os.environ['GIT_OPTIONAL_LOCKS'] == '0'\n"
        "print(('c' if fine else 'd') * 40)"
    )
    assert Git(repo).head() == Revision("c" * 40)


@pytest.mark.skipif(os.name == "nt", reason="the stand-in is a script")
@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("sys.exit(1)", Revision(None)),
        ("sys.exit(128)", None),
        ("print('not an id')", None),
        ("import time; time.sleep(60)", None),
    ],
)
def test_whatever_git_answers_nothing_raises(
    body: str,
    expected: Revision | None,
    repo: Path,
    fake_git: Callable[[str], Path],
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    """No commit yet, no repository, nonsense, no answer at all: the log says why."""
    monkeypatch.setattr(head, "_TIMEOUT_S", 1.0)
    to_tables(repo)
    fake_git(body)
    with caplog.at_level(logging.INFO):
        assert Git(repo).head() == expected
    assert bool(caplog.records) == (expected is None)


def test_a_machine_without_git_is_no_error(repo: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Simple repositories are read all the same; odd ones have no revision there."""
    expected = revision(repo)
    monkeypatch.setenv("PATH", "")
    assert Git(repo).head() == expected
    to_tables(repo)
    assert Git(repo).head() is None
