"""A strict run: the kernel refuses what is out of scope at once; what it can't be told is judged afterwards."""

from __future__ import annotations

import pytest

from intentls.store.confinement import landlock
from tests.confinement.conftest import Tree
from tests.support.workspaces import intents_yaml, write_files

pytestmark = pytest.mark.skipif(not landlock.is_usable(), reason="this kernel has no Landlock")


def test_a_write_out_of_scope_fails_at_once_and_one_in_scope_is_on_record(tree: Tree) -> None:
    done = tree.staged("echo 'a = 2' > src/a.py; echo x > docs/d.md || exit 9", "--strict")
    assert done.returncode == 9
    assert "Permission denied" in done.stderr
    assert tree.read("docs/d.md") == "d\n"
    assert [[file["path"] for file in record["files"]] for record in tree.records] == [["src/a.py"]]


def test_nothing_that_the_command_started_outlives_it(tree: Tree) -> None:
    done = tree.staged("(setsid sh -c 'sleep 600' &) ; setsid sh -c 'sleep 600 & sleep 600' & echo $$", "--strict")
    assert done.returncode == 0  # a process that held the output open would let this wait


def test_what_the_kernel_can_not_be_told_is_said_before_and_judged_after(tree: Tree) -> None:
    write_files(tree.root, {".orchestration/active_intents.yaml": intents_yaml({"INT-001": ["src/*.py", "!src/b.py"]})})
    done = tree.staged("echo 'a = 2' > src/a.py; echo 'b = 2' > src/b.py", "--strict")
    assert "Wider than the scope: src/*.py becomes all of src" in done.stderr
    assert "Wider than the scope: !src/b.py can't be told to the kernel" in done.stderr
    codes = {record["files"][0]["path"]: record["scope_validation"] for record in tree.records}
    assert codes == {"src/a.py": "PASS", "src/b.py": "FAIL"}


def test_a_policy_that_wants_an_exact_hull_starts_nothing_else(tree: Tree) -> None:
    write_files(
        tree.root,
        {
            ".orchestration/active_intents.yaml": intents_yaml({"INT-001": ["src/*.py"]}),
            ".orchestration/policy.yaml": "run: {confine: exact, mode: strict}\n",
        },
    )
    done = tree.staged("echo ran")
    assert (done.returncode, done.stdout) == (2, "")
    assert "exactly" in done.stderr


def test_a_dry_run_says_what_a_strict_run_may_write_and_runs_nothing(tree: Tree) -> None:
    done = tree.run("--dry-run", "--strict", "--intent", "INT-001", "--", "touch", "src/ran")
    assert done.returncode == 0
    assert "strict, writable: src" in done.stdout
    assert tree.read("src/ran") is None
