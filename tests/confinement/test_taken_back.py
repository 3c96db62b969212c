"""What landed or was held while a command ran, and what the command does to it afterwards."""

from __future__ import annotations

import os
import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from intentls.store.confinement.upper_layer import LayerEntry, UpperLayer
from intentls.store.git.status import GitFiles
from tests.confinement.conftest import Tree
from tests.support.patience import eventually
from tests.support.workspaces import write_files


@contextmanager
def _in_two_steps(tree: Tree, first: str, then: str) -> Iterator[list[str]]:
    """A command that does `first`, and `then` when the block is left; what it said on stderr is in the list then."""
    told: list[str] = []
    with tree.start(f"{first}; echo ready; read go; {then}") as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
        yield told
        told.append(process.communicate("go\n")[1])
    assert process.returncode == 0


def test_what_landed_and_is_removed_or_moved_by_the_command_leaves_the_tree(tree: Tree) -> None:
    with _in_two_steps(tree, "echo x > src/x.py; mkdir src/n; echo y > src/n/y.py", "rm src/x.py; mv src/n src/m"):
        eventually(lambda: tree.read("src/x.py") and tree.read("src/n/y.py"))
    assert (tree.read("src/x.py"), tree.read("src/n/y.py"), tree.read("src/m/y.py")) == (None, None, "y\n")


def test_what_was_held_and_is_undone_by_the_command_is_held_no_more(tree: Tree) -> None:
    with _in_two_steps(tree, "echo x > docs/x; echo x >> docs/d.md", "rm docs/x; echo d > docs/d.md") as told:
        eventually(lambda: len(list((tree.root / ".orchestration/.state/held").glob("*/*.after"))) == 2)
    assert "Held" not in told[0]
    assert "Nothing is held" in tree.run("--review").stderr


def test_what_landed_stays_when_the_command_has_git_ignore_it_or_closes_its_folder(tree: Tree) -> None:
    with _in_two_steps(tree, "mkdir src/n src/c; echo y > src/n/y.py; echo z > src/c/z.py", "chmod 0 src/c"):
        eventually(lambda: tree.read("src/n/y.py") and tree.read("src/c/z.py"))
        write_files(tree.root, {".gitignore": "src/n/\n"})
    assert (tree.read("src/n/y.py"), tree.read("src/c/z.py")) == ("y\n", "z\n")


def test_a_file_that_a_person_removes_after_the_command_changed_it_is_not_brought_back(tree: Tree) -> None:
    with tree.stopped_after("echo 'a = 2' >> src/a.py") as process:
        (tree.root / "src/a.py").unlink()
        process.send_signal(signal.SIGCONT)
        _, told = process.communicate("go\n")
    assert tree.read("src/a.py") is None
    assert "Held: src/a.py (STALE_CONTEXT)" in told


def test_files_and_folders_take_each_others_place(tree: Tree) -> None:
    write_files(tree.root, {"src/f/x.py": "x\n", "src/g": "g\n"})
    assert tree.staged("rm -r src/f; echo f > src/f; rm src/g; mkdir src/g; echo y > src/g/y").returncode == 0
    assert (tree.read("src/f"), tree.read("src/g/y")) == ("f\n", "y\n")


def test_an_ignored_folder_is_one_name_however_much_is_in_it(tree: Tree, tmp_path: Path) -> None:
    """Only what may land counts against the limit; names that git takes back from a pattern are looked at."""
    ignored = "build/\nlogs/*\n!logs/kept\n*.egg-info/\n"
    tracked = {"lib/build/t": "t\n"}
    write_files(tree.root, {".gitignore": ignored, **tracked})
    subprocess.run(["git", "add", "-f", "."], cwd=tree.root, check=True)
    upper = tmp_path / "upper"
    write_files(upper, {f"build/{number}": "o" for number in range(100)})
    write_files(upper, {"a/b/build/deep/x": "o", "p.egg-info/x": "o"})
    write_files(upper, {"logs/kept": "k", "lib/build/t": "changed\n", "src/a.py": "a = 2\n"})
    changes = UpperLayer(upper, tree.root).changes(GitFiles(tree.root).ignored_folders, limit=6)
    assert {change.path for change in changes if change.entry is LayerEntry.LEFT_OUT} == {
        "a/b/build",
        "build",
        "p.egg-info",
    }
    assert {change.path for change in changes if change.entry is LayerEntry.FILE} == {
        "lib/build/t",
        "logs/kept",
        "src/a.py",
    }


@pytest.mark.skipif(os.geteuid() == 0, reason="user 0 may read everything")
def test_a_file_that_is_closed_to_its_own_user_lands_readable(tree: Tree) -> None:
    tree.staged("echo 'a = 2' > src/a.py; chmod 0 src/a.py")
    assert tree.read("src/a.py") == "a = 2\n"
