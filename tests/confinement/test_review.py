"""What is held waits for a person, who lands it once, lands it with a wider scope, or drops it."""

from __future__ import annotations

import os
import pty
import subprocess
import sys

import pytest

from tests.confinement.conftest import Tree
from tests.support.patience import PATIENCE_S, read_soon
from tests.support.session import ledger_of


def _review(tree: Tree, *letters: str) -> tuple[int, str]:
    """`intentls run --review` on a terminal, with an answer for each question; its exit code and what it showed."""
    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        tree.command("--review"), cwd=tree.root, env=tree.environment, stdin=theirs, stdout=theirs, stderr=theirs
    )
    os.close(theirs)
    told = ""
    answers = list(letters)
    while True:
        try:
            chunk = read_soon(ours)
        except OSError:  # the last process that had the terminal open is gone
            break
        if not chunk:
            break
        told += chunk.decode()
        while answers and told.count("keep it held: ") > len(letters) - len(answers):
            os.write(ours, f"{answers.pop(0)}\n".encode())
    os.close(ours)
    return process.wait(PATIENCE_S), told


@pytest.mark.parametrize(("letter", "content"), [("l", "d\nx\n"), ("w", "d\nx\n"), ("d", "d\n"), ("", "d\n")])
def test_a_person_decides_on_what_is_held(tree: Tree, letter: str, content: str) -> None:
    tree.staged("echo x >> docs/d.md")
    code, told = _review(tree, letter)
    assert "+x" in told
    assert tree.read("docs/d.md") == content
    assert code == (1 if letter == "" else 0)
    if letter in ("l", "w"):
        record = next(record for record in ledger_of(tree.root) if record["success"] and record.get("override"))
        assert record["override"]["by"]
        assert [file["path"] for file in record["files"]] == ["docs/d.md"]
    if letter == "w":
        assert "docs/d.md" in (tree.read(".orchestration/active_intents.yaml") or "")


def test_what_never_lands_is_only_offered_to_be_dropped(tree: Tree) -> None:
    """Each file with a sentence of its own, however many were refused together."""
    tree.staged("rm .git/hooks/pre-push.sample .git/hooks/pre-commit.sample; ln -s a.py src/link; echo x > docs/new.md")
    code, told = _review(tree, "l", "w", "d", "d")
    assert code == 1
    assert told.count("is protected: it never lands") == 2
    assert told.count("Choose another path") == 0
    assert (told.count("l to land it"), told.count("d to drop it")) == (1, 4)
    assert "symbolic link" in told


def test_the_status_says_how_much_is_held(tree: Tree) -> None:
    """Else who was not asked would not learn of it."""
    tree.staged("echo x >> docs/d.md; echo y > docs/e.md")
    command = [sys.executable, "-m", "intentls", "status"]
    told = subprocess.run(command, cwd=tree.root, env=tree.environment, capture_output=True, text=True, check=True)
    assert "2 changes of confined commands; see `intentls run --review`" in told.stdout
    _review(tree, "d", "d")
    told = subprocess.run(command, cwd=tree.root, env=tree.environment, capture_output=True, text=True, check=True)
    assert "confined" not in told.stdout


def test_what_is_held_lands_over_a_newer_file_only_by_a_persons_word(tree: Tree) -> None:
    with tree.start("echo ready; read go; echo 'a = 2' > src/a.py") as process:
        assert process.stdout is not None
        process.stdout.readline()
        (tree.root / "src/a.py").write_text("a = 'mine'\n")
        process.communicate("go\n")
    code, told = _review(tree, "l")
    assert "-a = 'mine'" in told
    assert code == 0
    assert tree.read("src/a.py") == "a = 2\n"


def test_an_agent_lands_nothing_that_is_held(tree: Tree) -> None:
    tree.staged("echo x >> docs/d.md")
    done = tree.run("--review", stdin="l\n", environment={**tree.environment, "CLAUDE_CODE_SESSION_ID": "s1"})
    assert done.returncode == 1
    assert tree.read("docs/d.md") == "d\n"
