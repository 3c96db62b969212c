"""Nothing that a repository's own configuration names is run: by no face, with every trick that git knows."""

from __future__ import annotations

import json
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from intentls.store.git.commits import is_on_another_branch
from intentls.store.git.head import Git
from intentls.store.git.repository import known_objects, repository_at
from intentls.store.git.status import GitFiles, read_blobs, read_index, read_status, read_tracked
from intentls.store.git.tree_snapshot import of_disk
from intentls.store.worktree.known_versions import KnownVersions
from tests.support.patience import PATIENCE_S
from tests.support.session import session
from tests.support.workspaces import WEATHER_INTENTS, git, make_git_repo, make_workspace, write_files

OTHER_SEGMENT = ".orchestration/trace/0123456789ab-00000001-01234567.jsonl"


class Trap:
    """A repository in which every command that git could be made to run leaves a mark of its name."""

    def __init__(self, folder: Path) -> None:
        self.root = make_workspace(
            folder / "w", files={"src/api/a.py": "a\n", ".gitattributes": "* filter=evil diff=evil\n"}
        )
        self.marks = folder / "marks"
        self.marks.mkdir()
        with session(self.root) as server:  # a ledger that git knows, in another branch too
            server.do("selectActiveIntent", intent_id="INT-001")
            server.do("writeToFile", path="src/api/b.py", content="b\n")
        make_git_repo(self.root)
        git(self.root, "checkout", "--quiet", "-b", "other")
        write_files(self.root, {OTHER_SEGMENT: '{"id":"on the other branch"}\n'})
        git(self.root, "add", OTHER_SEGMENT)
        git(self.root, "commit", "--quiet", "--message", "More records")
        self._sign_the_head()
        git(self.root, "checkout", "--quiet", "main")
        settings = {
            **{f"filter.evil.{kind}": self._mark(kind, "cat") for kind in ("clean", "smudge")},
            **{"diff.evil.textconv": self._mark("textconv", "cat"), "diff.external": self._mark("diff.external")},
            **{"diff.evil.command": self._mark("diff.command"), "core.fsmonitor": self._mark("fsmonitor")},
            **{"gpg.program": self._mark("gpg"), "log.showSignature": "true", "core.pager": self._mark("pager")},
            **{
                "core.sshCommand": self._mark("ssh"),
                "remote.origin.url": "ssh://localhost/x",
                "core.editor": self._mark("editor"),
            },
            **{"remote.origin.promisor": "true", "remote.origin.partialCloneFilter": "blob:none"},
            **{"remote.origin.uploadpack": self._mark("uploadpack"), "core.hooksPath": str(folder / "hooks")},
            **{
                "core.repositoryFormatVersion": "1",
                "extensions.partialClone": "origin",
                "core.askPass": self._mark("askpass"),
            },
        }
        for name, value in settings.items():
            git(self.root, "config", name, value)
        write_files(folder, {"hooks/post-index-change": f"#!/bin/sh\n{self._mark('hook')}\n"})
        (folder / "hooks/post-index-change").chmod(0o755)

    def _mark(self, name: str, then: str = "true") -> str:
        script = self.marks.parent / f"evil-{name}"
        script.write_text(f'#!/bin/sh\n: > {shlex.quote(str(self.marks / name))}\n{then} "$@"\n')
        script.chmod(0o755)
        return str(script)

    def _sign_the_head(self) -> None:
        """A commit with a signature: what git would have somebody's program check."""
        signature = "gpgsig -----BEGIN PGP SIGNATURE-----\n \n x\n -----END PGP SIGNATURE-----"
        body = git(self.root, "cat-file", "commit", "HEAD").replace("\n\n", f"\n{signature}\n\n", 1)
        command = ["git", "hash-object", "-t", "commit", "-w", "--stdin"]
        done = subprocess.run(command, cwd=self.root, input=body + "\n", capture_output=True, text=True, check=True)
        git(self.root, "update-ref", "HEAD", done.stdout.strip())

    def touch(self) -> None:
        """Let every tracked file look changed, so that git has to look into it."""
        for name in ("src/api/a.py", "src/api/b.py", ".gitattributes"):
            data = (self.root / name).read_bytes()
            (self.root / name).unlink()
            (self.root / name).write_bytes(data)

    @property
    def sprung(self) -> set[str]:
        return {path.name for path in self.marks.iterdir()}


@pytest.fixture
def trap(tmp_path: Path) -> Trap:
    return Trap(tmp_path)


def _quietly(root: Path, *arguments: str) -> None:
    subprocess.run(
        ["git", *arguments], cwd=root, stdin=subprocess.DEVNULL, capture_output=True, check=False, timeout=PATIENCE_S
    )


def test_the_trap_is_a_trap(trap: Trap) -> None:
    """Git left to itself runs what the repository names: the other tests here show something."""
    trap.touch()
    _quietly(trap.root, "status")
    _quietly(trap.root, "log", "--all", "-Sother branch")
    _quietly(trap.root, "cat-file", "-p", "1" * 40)
    _quietly(trap.root, "cat-file", "--filters", "HEAD:src/api/a.py")
    assert trap.sprung >= {"clean", "smudge", "textconv", "fsmonitor", "gpg", "ssh", "hook"}


def test_no_question_to_git_springs_the_trap(trap: Trap) -> None:
    """Every way in which the program asks git, one after the other, and each of them still gets its answer."""
    trap.touch()
    write_files(trap.root, {"src/api/new.py": "n\n", "src/api/a.py": "changed\n"})
    files = GitFiles(trap.root)
    assert files.is_tracked("src/api/a.py") and not files.is_ignored("x") and files.attribute("x", "filter") == "evil"
    head = Git(trap.root).head()
    assert head is not None and head.sha is not None
    status = read_status(trap.root)
    assert status is not None and {"src/api/new.py", "src/api/a.py"} <= set(status.entries)
    blob = status.entries["src/api/a.py"].blob
    assert read_blobs(trap.root, {"src/api/a.py": blob or ""}, 100) == {"src/api/a.py": b"a\n"}
    assert read_index(trap.root, ["src/api/a.py"]) and read_tracked(trap.root)
    assert KnownVersions(repository_at(trap.root), known_objects(trap.root, repository_at(trap.root))).steps(
        ["src/api/a.py"]
    )
    assert is_on_another_branch(trap.root, "on the other branch")
    assert not is_on_another_branch(trap.root, "no such record")
    missing = read_blobs(trap.root, {"x": "1" * 40}, 100)
    assert missing == {}
    assert trap.sprung == set()


def test_a_filter_in_an_included_file_or_of_a_worktree_is_found(trap: Trap) -> None:
    """Wherever the repository's configuration hides a filter, it is switched off, or git is not asked at all."""
    evil = trap._mark("hidden", "cat")
    write_files(trap.root, {".git/more": f'[filter "hidden"]\n\tclean = {evil}\n\trequired = true\n'})
    git(trap.root, "config", "include.path", "more")
    git(trap.root, "config", "extensions.worktreeConfig", "true")
    git(trap.root, "config", "--worktree", "filter.tree.process", trap._mark("worktree"))
    (trap.root / ".gitattributes").write_text("a.py filter=hidden\nb.py filter=tree\n")
    # As long as before: git has to look into them.
    (trap.root / "src/api/a.py").write_text("x\n")
    (trap.root / "src/api/b.py").write_text("x\n")
    status = read_status(trap.root)
    assert status is not None and {"src/api/a.py", "src/api/b.py"} <= set(status.entries)
    git(trap.root, "config", "filter.a=b.clean", evil)
    assert read_status(trap.root) is None
    assert trap.sprung == set()


def test_a_whole_session_springs_no_trap(trap: Trap) -> None:
    """Select, write, patch, save, verify a ledger whose tail was cut: nothing the repository names is run."""
    with session(trap.root) as server:
        server.do("selectActiveIntent", intent_id="INT-001")
        for content in ("1\n", "2\n"):
            assert server.do("writeToFile", path="src/api/a.py", content=content)["status"] == "ok"
        server.open("src/api/b.py")
        server.type("src/api/b.py", "by hand\n")
        server.save("src/api/b.py", "by hand\n")
        newest = max((trap.root / ".orchestration/trace").iterdir(), key=lambda file: file.stat().st_mtime_ns)
        lines = newest.read_bytes().splitlines(keepends=True)
        newest.write_bytes(b"".join(lines[:1]))
        found = server.do("verifyTrace")
        assert [problem["kind"] for problem in found["problems"]] == ["cut"], found
        assert server.do("queryTrace")["entries"][0]["vcs"]["revision"] if len(lines) > 1 else True
    assert trap.sprung == set()


@pytest.mark.parametrize("verb", [["doctor"], ["init"], ["status"], ["trace", "verify"]])
def test_no_verb_of_the_command_line_springs_the_trap(trap: Trap, verb: list[str]) -> None:
    """The same for the command line, which asks git about ignored and tracked files too."""
    trap.touch()
    command = [sys.executable, "-m", "intentls", *verb, "--json"]
    done = subprocess.run(command, cwd=trap.root, capture_output=True, check=False, timeout=PATIENCE_S)
    assert done.returncode in (0, 1), done.stderr
    json.loads(done.stdout)
    assert trap.sprung == set()


def test_git_from_the_workspace_itself_is_not_the_users_git(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A `git` that lies in the current folder is not run, even where PATH would have it so."""
    root = make_workspace(tmp_path / "w", WEATHER_INTENTS)
    make_git_repo(root)
    (root / "git").write_text(f"#!/bin/sh\ntouch {shlex.quote(str(tmp_path / 'ran'))}\n")
    (root / "git").chmod(0o755)
    monkeypatch.chdir(root)
    monkeypatch.setenv("PATH", ".::" + str(Path(_real_git()).parent))
    assert GitFiles(root).is_tracked("docs/design.md")
    assert not (tmp_path / "ran").exists()


def _real_git() -> str:
    found = shutil.which("git")
    assert found is not None
    return found


def test_a_submodule_springs_no_trap_either(trap: Trap, tmp_path: Path) -> None:
    """Git would look into a submodule with the submodule's own filters and monitor, which no switch of ours reaches."""
    inner = make_workspace(tmp_path / "inner", files={"f.txt": "x\n", ".gitattributes": "* filter=evil\n"})
    make_git_repo(inner)
    git(trap.root, "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", str(inner), "sub")
    git(trap.root, "commit", "--quiet", "--message", "With a submodule")
    sub = trap.root / "sub"
    for name in ("filter.evil.clean", "filter.evil.process", "core.fsmonitor"):
        git(sub, "config", name, trap._mark(f"sub-{name}", "cat"))
    for file in trap.marks.iterdir():
        file.unlink()
    data = (sub / "f.txt").read_bytes()
    (sub / "f.txt").unlink()
    (sub / "f.txt").write_bytes(data)
    assert read_status(trap.root) is not None
    assert "sub" in of_disk(trap.root).entries
    assert trap.sprung == set()
    _quietly(trap.root, "diff", "--raw")
    assert {mark for mark in trap.sprung if mark.startswith("sub-")}, "git left to itself looks into it"
