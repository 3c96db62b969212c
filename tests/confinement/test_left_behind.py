"""What a run leaves when it is killed, the machine stops, or the disk is full: later runs and reviews settle it."""

from __future__ import annotations

import json
import os
import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any

from intentls.core.hashing import content_hash
from intentls.store.confinement import run_directory
from intentls.store.confinement.held_changes import HeldRun
from intentls.store.confinement.run_directory import RunDirectory
from intentls.store.fs.file_lock import lock_until, try_lock
from intentls.store.layout import Layout
from tests.confinement.conftest import Tree
from tests.support.faulty_disk import fill, small_disk
from tests.support.patience import PATIENCE_S, eventually
from tests.support.workspaces import write_files


def _note(tree: Tree) -> Path:
    (directory,) = tree.runs_left
    return directory / "run.json"


def _held(tree: Tree) -> dict[str, dict[str, Any]]:
    runs = json.loads(tree.run("--review", "--json").stdout)["runs"]
    return {change["path"]: change for run in runs for change in run["changes"]}


def test_what_a_killed_run_landed_is_its_own_work_and_goes_on(tree: Tree) -> None:
    """Its second change of a file is not taken for a person's, and what it removed since is removed."""
    first = "echo 'a = 2' > src/a.py; echo n > src/n.py"
    line = "echo 'a = 3' > src/a.py; rm src/n.py"
    tree.kill_after(line, first, landed=lambda: tree.read("src/a.py") == "a = 2\n" and tree.read("src/n.py"))
    told = tree.run("--review")
    assert "An earlier run ended early" in told.stderr
    assert "2 files landed" in told.stderr
    assert (tree.read("src/a.py"), tree.read("src/n.py")) == ("a = 3\n", None)
    assert "Nothing is held" in told.stderr


def test_after_the_machine_stopped_nothing_is_overwritten_by_what_may_be_torn(tree: Tree) -> None:
    """What a run had not landed is held: its last writes may not have reached the disk."""
    tree.kill_after("echo 'a = 2' > src/a.py; rm src/b.py; echo x >> docs/d.md")
    note = _note(tree)
    note.write_text(json.dumps({**json.loads(note.read_text()), "boot": "another"}))
    torn = note.parent / "upper/src/a.py"
    assert torn.read_text() == "a = 2\n"
    torn.write_bytes(b"")
    held = _held(tree)
    assert (tree.read("src/a.py"), tree.read("src/b.py"), tree.read("docs/d.md")) == ("a = 1\n", "b = 1\n", "d\n")
    assert {path: change["code"] for path, change in held.items()} == {
        "src/a.py": "STALE_CONTEXT",
        "src/b.py": "STALE_CONTEXT",
        "docs/d.md": "SCOPE_VIOLATION",
    }
    assert held["docs/d.md"]["after"] == content_hash(b"d\nx\n")
    assert tree.runs_left == []


def test_after_the_machine_stopped_what_had_landed_stays_although_the_layer_lost_it(tree: Tree) -> None:
    with tree.start("echo n > src/n.py; echo ready; sleep 600") as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
        eventually(lambda: tree.read("src/n.py"))
        process.kill()
        process.wait(PATIENCE_S)
        assert process.stdout.read() == ""
    note = _note(tree)
    note.write_text(json.dumps({**json.loads(note.read_text()), "boot": "another"}))
    (note.parent / "upper/src/n.py").unlink()
    assert _held(tree) == {}
    assert tree.read("src/n.py") == "n\n"


def test_what_can_not_be_settled_stops_no_later_run_and_stays_where_it_is(tree: Tree) -> None:
    tree.kill_after("echo 'a = 2' > src/a.py; git add src; git commit -qm In")
    upper = _note(tree).parent / "upper"
    for file in (upper / ".git/objects").glob("??/*"):
        file.chmod(0o600)
        file.write_bytes(b"damaged")
    done = tree.staged("echo n > src/n.py")
    assert done.returncode == 0
    assert tree.read("src/n.py") == "n\n"
    assert "not all could be settled" in done.stderr
    assert str(upper.parent) in done.stderr
    assert tree.read("src/a.py") == "a = 2\n"
    assert (upper / "src/a.py").exists()


def test_a_run_that_another_process_begins_meanwhile_is_not_taken_for_a_left_one(tree: Tree, monkeypatch: Any) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tree.home / "state"))
    layout = Layout(tree.root)
    layout.state.mkdir(parents=True, exist_ok=True)
    run = HeldRun("r1", "run-r1", "INT-001", "true", "2026-01-01T00:00:00.000Z")
    directory = RunDirectory.create(layout, run, None, None, None)
    assert list(RunDirectory.left_behind(layout)) == []
    directory.release()
    (left,) = RunDirectory.left_behind(layout)
    assert left.note == directory.note
    left.remove()
    assert list(RunDirectory.left_behind(layout)) == []
    assert not directory.path.exists()


def test_a_killed_run_is_settled_as_soon_as_its_last_process_has_ended(tree: Tree, monkeypatch: Any) -> None:
    """Its command is killed after it, and holds the lock until then."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tree.home / "state"))
    tree.kill_after("echo 'a = 2' > src/a.py")
    ((path, _),) = [(left.path, left.release()) for left in RunDirectory.left_behind(Layout(tree.root))]
    command = os.open(path / "lock", os.O_RDWR)
    assert try_lock(command)
    waited = []

    def end_the_command(descriptor: int, until: float) -> bool:
        if os.path.samestat(os.fstat(descriptor), (path / "lock").stat()):
            waited.append(os.close(command))
        return lock_until(descriptor, until)

    monkeypatch.setattr(run_directory, "lock_until", end_the_command)
    (left,) = RunDirectory.left_behind(Layout(tree.root))
    assert waited == [None]
    left.release()


def test_a_note_of_another_version_keeps_the_work(tree: Tree, monkeypatch: Any) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tree.home / "state"))
    tree.kill_after("echo 'a = 2' > src/a.py")
    note = _note(tree)
    note.write_text("{}")
    assert list(RunDirectory.left_behind(Layout(tree.root))) == []
    assert (note.parent / "upper/src/a.py").read_text() == "a = 2\n"


def test_where_a_disk_is_full_before_the_start_nothing_is_started(tree: Tree, tmp_path: Path) -> None:
    with small_disk(tmp_path / "small", "64k") as small:
        fill(small)
        state = {**tree.environment, "XDG_STATE_HOME": str(small)}
        done = tree.run("--intent", "INT-001", "--", "touch", "src/ran", environment=state)
    assert done.returncode == 2
    assert "The command was not started" in done.stderr
    assert os.strerror(28) in done.stderr
    assert not (tree.root / "src/ran").exists()


def test_a_tree_whose_disk_is_full_gets_the_changes_when_there_is_room(tree: Tree, tmp_path: Path) -> None:
    """The command goes on; what it changed is kept, and said to be."""
    with small_disk(tmp_path / "small", "4m") as small:
        root = small / "tree"
        shutil.copytree(tree.root, root, symlinks=True)
        on_small = replace(tree, root=root)
        assert on_small.staged("true").returncode == 0
        write_files(root, {"src/a.py": "a = 1\n"})
        with on_small.start("echo ready; read go; seq 100000 > src/a.py; echo x >> docs/d.md") as process:
            assert process.stdout is not None
            assert process.stdout.readline() == "ready\n"
            filler = fill(small)
            _, told = process.communicate("go\n")
        assert process.returncode == 2
        assert "did not all land" in told
        assert "this is a bug" not in told
        assert on_small.read("src/a.py") == "a = 1\n"
        filler.unlink()
        assert set(_held(on_small)) == {"docs/d.md"}
        assert len((on_small.read("src/a.py") or "").splitlines()) == 100000
        assert on_small.read("docs/d.md") == "d\n"
        assert on_small.runs_left == []


def test_more_changes_than_the_policy_allows_are_kept_and_land_once_it_allows_them(tree: Tree) -> None:
    policy = ".orchestration/policy.yaml"
    write_files(tree.root, {policy: "run: {max_changes: 10}\n"})
    done = tree.staged("for n in $(seq 20); do echo $n > src/$n; done")
    assert done.returncode == 2
    assert "more than 10 files" in done.stderr
    assert "raise `run: max_changes`" in done.stderr
    assert tree.read("src/20") is None
    earlier = tree.run("--review").stderr
    assert "not all could be settled: The command changed more than 10 files" in earlier
    assert "Traceback" not in earlier
    write_files(tree.root, {policy: "run: {max_changes: 1000}\n"})
    assert "20 files landed" in tree.run("--review").stderr
    assert tree.read("src/20") == "20\n"
    assert tree.runs_left == []
