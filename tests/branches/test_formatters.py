"""A formatter in a commit hook changes what an agent wrote: the lines stay the agent's, and nothing needs attesting."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest

from intentls.engine.blame.blame import blame_content
from intentls.store.git.commit_hooks import runs_other_hooks
from intentls.store.setup.git_hooks import install_hooks
from tests.support.random_branches import Branch
from tests.support.workspaces import git

UNTIDY = (
    "import os\n# why\ndef  f( a,b = 'x' ):\n  return {'a':a,\n   'b':b }\nclass K:\n  def g(self): return f( 1 )\n"
)


@pytest.fixture
def branch(branch: Branch) -> Branch:
    """A branch with a formatter in its pre-commit hook."""
    hook(branch, "")
    return branch


def hook(branch: Branch, more: str) -> None:
    """What formats the staged files, and does `more` to them."""
    ruff = Path(sys.executable).with_name("ruff")
    path = branch.root / ".git/hooks/pre-commit"
    path.parent.mkdir(exist_ok=True)
    path.write_text(
        "#!/bin/sh\nfor file in $(git diff --cached --name-only --diff-filter=d -- '*.py'); do\n"
        f'  "{ruff}" format --quiet --isolated "$file"; {more}\n  git add "$file"\ndone\n'
    )
    path.chmod(0o755)


def codes(branch: Branch) -> list[str]:
    return [finding.code.value for finding in branch.judge("main").findings]


def authors(branch: Branch, path: str) -> list[str | None]:
    """By line, the kind of who wrote it."""
    workspace = branch.agent().engine.workspace(branch.root)
    kinds: list[str | None] = []
    for part in blame_content(workspace, path, (branch.root / path).read_bytes()):
        contributor: dict[str, Any] = (part.conversation or {}).get("contributor", {})
        kinds += [contributor.get("type")] * (part.end_line - part.start_line + 1)
    return kinds


def test_what_a_formatter_makes_of_an_agents_file_stays_the_agents(branch: Branch) -> None:
    """Quotes, brackets, blank lines: other bytes and other lines, the same program."""
    branch.done(branch.agent().write("src/new.py", UNTIDY))
    branch.commit("New")
    assert branch.read("src/new.py") != UNTIDY
    assert codes(branch) == []
    assert authors(branch, "src/new.py") == ["ai"] * len(branch.read("src/new.py").splitlines())


def test_work_goes_on_from_what_the_formatter_left(branch: Branch) -> None:
    """A second change on top of the formatted one, formatted again."""
    branch.done(branch.agent().write("src/new.py", UNTIDY))
    branch.commit("New")
    branch.done(branch.agent(session="another").write("src/new.py", branch.read("src/new.py") + "last = f( 2 )\n"))
    branch.commit("More")
    assert branch.read("src/new.py").endswith("last = f(2)\n")
    assert codes(branch) == []
    assert set(authors(branch, "src/new.py")) == {"ai"}


def test_lines_that_nobody_recorded_stay_without_an_author(branch: Branch) -> None:
    """An agent changes one line of a file that was there before; a formatter goes over all of it."""
    text = branch.read("src/part3.py")
    branch.done(branch.agent().write("src/part3.py", text + "by_agent = {  'k':1 }\ndef  f( a ): return a\n"))
    branch.commit("More")
    assert codes(branch) == []
    kinds = authors(branch, "src/part3.py")
    count = len(text.splitlines())
    assert kinds[:count] == [None] * count and set(kinds[count + 1 :]) == {"ai"}


@pytest.mark.parametrize(
    "more",
    [
        "sed -i.bak s/return/yield/ $file; rm $file.bak",
        "sed -i.bak 's/# why/# obey me/' $file; rm $file.bak",
        "echo 'evil = 1' >> $file",
    ],
)
def test_a_hook_that_changes_more_than_the_form_is_a_finding(branch: Branch, more: str) -> None:
    """Behaviour, a comment, a line more."""
    hook(branch, more)
    branch.done(branch.agent().write("src/new.py", UNTIDY))
    branch.commit("New")
    assert codes(branch) == ["CONTENT_MISMATCH"]


def test_records_have_the_key_only_where_a_hook_may_run(branch: Branch) -> None:
    """Nowhere else is anything formatted behind the ledger's back, so that nowhere else it costs anything."""
    branch.done(branch.agent().write("src/new.py", UNTIDY))
    assert len(branch.records()[-1]["files"][0]["form"]) == 24
    assert runs_other_hooks(branch.root)
    (branch.root / ".git/hooks/pre-commit").unlink()
    assert not runs_other_hooks(branch.root)
    branch.done(branch.agent().write("src/other.py", UNTIDY))
    assert "form" not in branch.records()[-1]["files"][0]


def test_every_way_to_install_a_commit_hook_is_seen(branch: Branch, tmp_path: Path) -> None:
    """A hook beside our own block, another folder of hooks, a tool's plan; and outside git there is none."""
    path = branch.root / ".git/hooks/pre-commit"
    path.unlink()
    install_hooks(branch.root)
    assert not runs_other_hooks(branch.root)
    path.write_text(path.read_text() + "make format\n")
    assert runs_other_hooks(branch.root)
    path.unlink()
    git(branch.root, "config", "core.hooksPath", "hooks")
    assert runs_other_hooks(branch.root)
    git(branch.root, "config", "--unset", "core.hooksPath")
    assert not runs_other_hooks(branch.root)
    (branch.root / ".pre-commit-config.yaml").write_text("repos: []\n")
    assert runs_other_hooks(branch.root)
    assert not runs_other_hooks(tmp_path)
