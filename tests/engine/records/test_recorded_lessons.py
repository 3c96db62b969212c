"""Lessons travel in the ledger: each is a record, and the local AGENT.md of every clone follows the records."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from intentls.engine.branch_check.check import check_branch
from intentls.engine.branch_check.comparison import ComparisonRequest
from intentls.engine.intents.context import context_text
from intentls.engine.intents.lessons import all_lessons, record_lesson
from intentls.engine.ledger.search import search
from intentls.engine.records.rebuild_maps import rebuild_maps
from intentls.engine.setup.init import initialise
from intentls.engine.workspace.workspace import Workspace
from tests.support.agent_edits import Agent
from tests.support.workspaces import commit_all, git, intents_yaml, make_git_repo, make_workspace

SCHEMA = json.loads((Path(__file__).parents[2] / "data" / "agent-trace-0.1.0.schema.json").read_text("utf-8"))
UNIT = "The unit of wind speed is m/s"
HAND = "# House rules\n\nBe kind.\n"


def teach(root: Path, problems: str, path: str = "src/a.py") -> int:
    """How many problems were recorded."""
    return record_lesson(Agent(root).select("A").engine, "agent-1", str(root / path), problems).recorded


def workspace(root: Path) -> Workspace:
    return Agent(root).engine.workspace(root)


def records(root: Path) -> list[dict[str, Any]]:
    return [record for record in workspace(root).ledger.oldest_first() if record["tool_name"] == "record_lesson"]


def agent_md(root: Path) -> Path:
    return root / ".orchestration" / "AGENT.md"


def texts(root: Path) -> list[str]:
    """The lessons as the verb and the resource give them."""
    return [lesson.text for lesson in all_lessons(Agent(root).engine)]


def findings(root: Path, base: str) -> list[str]:
    """The paths at which the check of the branch finds something."""
    return [finding.path for finding in check_branch(root, ComparisonRequest(base)).findings]


def share(root: Path, message: str) -> None:
    commit_all(root, message)
    git(root, "pull", "--quiet", "--no-rebase", "--no-edit", "origin", "main")
    git(root, "push", "--quiet", "origin", "HEAD:main")


@pytest.fixture
def root(tmp_path: Path) -> Path:
    made = make_git_repo(make_workspace(tmp_path / "ada", intents_yaml({"A": ["src/**"]}), {"src/a.py": "a = 0\n"}))
    initialise(made)
    commit_all(made, "Begin")
    return made


@pytest.fixture
def clones(root: Path, tmp_path: Path) -> tuple[Path, Path]:
    """Ada's and Ben's clones of a bare repository."""
    git(tmp_path, "clone", "--quiet", "--bare", str(root), "bare.git")
    git(root, "branch", "--quiet", "-M", "main")
    git(root, "remote", "add", "origin", str(tmp_path / "bare.git"))
    git(root, "push", "--quiet", "origin", "main")
    ben = tmp_path / "ben"
    git(tmp_path, "clone", "--quiet", "--branch", "main", str(tmp_path / "bare.git"), str(ben))
    for name, value in (("user.name", "Ben"), ("user.email", "ben@example.org")):
        git(ben, "config", name, value)
    return root, ben


def test_a_lesson_is_a_record_that_changes_no_file(root: Path) -> None:
    """It is valid Agent Trace, names file, problems and intent, and is no work of the intent."""
    assert teach(root, f"{UNIT}\nToo long") == 2
    assert teach(root, f"{UNIT}\nToo long") == 0
    (record,) = records(root)
    Draft202012Validator(SCHEMA).validate(record)
    date = record["timestamp"][:10]
    assert record["lesson"] == {"file": "src/a.py", "date": date, "problems": [UNIT, "Too long"], "intent": "A"}
    assert (record["intent_id"], record["files"]) == ("A", [])
    assert rebuild_maps(workspace(root)).records == 0


def test_a_colleague_gets_the_lesson_after_a_pull(clones: tuple[Path, Path]) -> None:
    """Selecting brings it into the local AGENT.md; readers have it even before, and write nothing."""
    ada, ben = clones
    teach(ada, UNIT)
    share(ada, "A lesson")
    assert git(ada, "ls-files", "--", ".orchestration/AGENT.md") == ""
    agent_md(ben).write_text(HAND)
    git(ben, "pull", "--quiet", "origin", "main")
    assert texts(ben) == [UNIT]
    assert UNIT in str(context_text(Agent(ben).engine, "A"))
    assert [hit.kind for hit in search(Agent(ben).engine, "wind speed", 9)] == ["lesson"]
    assert agent_md(ben).read_text() == HAND
    Agent(ben).select("A")
    assert agent_md(ben).read_text() == HAND + "\n" + agent_md(ada).read_text()
    assert teach(ben, UNIT) == 0
    assert texts(ben) == [UNIT]


def test_an_edit_after_a_pull_brings_the_lessons(clones: tuple[Path, Path]) -> None:
    """A session that selected before needs no second selection."""
    ada, ben = clones
    agent = Agent(ben).select("A")
    teach(ada, UNIT)
    share(ada, "A lesson")
    git(ben, "pull", "--quiet", "origin", "main")
    agent.write("src/b.py", "b = 1\n")
    assert agent_md(ben).read_text() == agent_md(ada).read_text()


def test_two_who_learn_at_once_get_no_conflict(clones: tuple[Path, Path]) -> None:
    """Each problem of a file stands once in both files, and both make the same file from the records."""
    ada, ben = clones
    teach(ada, f"{UNIT}\nToo long")
    teach(ben, "Too long\nToo short")
    share(ada, "Ada's")
    share(ben, "Ben's")
    git(ada, "pull", "--quiet", "origin", "main")
    for root in clones:
        Agent(root).select("A")
        text = agent_md(root).read_text()
        assert [text.count(problem) for problem in (UNIT, "Too long", "Too short")] == [1, 1, 1]
        agent_md(root).unlink()
        rebuild_maps(workspace(root))
    assert agent_md(ada).read_bytes() == agent_md(ben).read_bytes()
    assert texts(ada) == [f"{UNIT}\nToo long", "Too short"]


def test_a_lost_file_loses_no_lesson(root: Path) -> None:
    """Readers have the lessons all the same, and the next selection makes the file again."""
    teach(root, UNIT)
    before = agent_md(root).read_bytes()
    agent_md(root).unlink()
    assert texts(root) == [UNIT]
    Agent(root).select("A")
    assert agent_md(root).read_bytes() == before


def test_a_deleted_block_is_learned(clones: tuple[Path, Path]) -> None:
    """It does not come back with the next pull, may be learned again, and `map --rebuild` brings it back."""
    ada, ben = clones
    teach(ada, UNIT)
    agent_md(ada).write_text(HAND)
    teach(ben, "Too short")
    share(ben, "Ben's")
    share(ada, "Ada's")
    Agent(ada).select("A")
    assert texts(ada) == ["Too short"]
    assert teach(ada, UNIT) == 1
    agent_md(ada).write_text(HAND)
    rebuild_maps(workspace(ada))
    assert sorted(texts(ada)) == [UNIT, "Too short"]
    assert agent_md(ada).read_text().startswith(HAND)


def test_lessons_from_before_stay_as_they_are(clones: tuple[Path, Path]) -> None:
    """They have no record: they are kept, not learned twice, and nothing doubles them."""
    ada, _ = clones
    old = "## Lesson Learned (2020-01-01)\n\n**File:** src/a.py\n**Problems:**\nToo long\n\n"
    agent_md(ada).write_text(old)
    initialise(ada)
    assert teach(ada, "Too long") == 0
    teach(ada, UNIT)
    rebuild_maps(workspace(ada))
    assert agent_md(ada).read_text().startswith(old)
    assert texts(ada) == ["Too long", UNIT]


def test_lessons_that_git_kept_reach_colleagues_when_init_moves_over(clones: tuple[Path, Path]) -> None:
    """Git takes their AGENT.md away then; the lessons are on record, with their dates, and come back once."""
    ada, ben = clones
    old = "## Lesson Learned (2020-01-01)\n\n**File:** src/a.py\n**Problems:**\nToo long\n\n"
    agent_md(ada).write_text(old)
    git(ada, "add", "--force", ".orchestration/AGENT.md")
    share(ada, "As it was")
    git(ben, "pull", "--quiet", "origin", "main")
    assert agent_md(ben).read_text() == old
    for _ in range(2):
        initialise(ada)
        assert agent_md(ada).read_text() == old
    assert len(records(ada)) == 1
    share(ada, "Move over")
    git(ben, "pull", "--quiet", "origin", "main")
    assert not agent_md(ben).exists()
    for root in clones:
        Agent(root).select("A")
        assert agent_md(root).read_text() == old
    assert texts(ben) == ["Too long"]


def test_a_record_covers_a_lesson_in_a_file_that_git_keeps(root: Path) -> None:
    """Of an AGENT.md in git, a block is covered by the record of its lesson; a forged one is not."""
    (root / ".orchestration" / "policy.yaml").write_text("commit_derived: true\n")
    initialise(root)
    base = commit_all(root, "Keep what is derived")
    Agent(root).select("A").write("src/a.py", "a = 1\n")
    teach(root, UNIT)
    commit_all(root, "Work and a lesson")
    assert "AGENT.md" in git(root, "show", "--stat", "HEAD")
    assert not findings(root, base)
    agent_md(root).write_text(agent_md(root).read_text().replace("m/s", "km/h"))
    Agent(root).select("A").write("src/a.py", "a = 2\n")
    commit_all(root, "More work")
    assert findings(root, base) == [".orchestration/AGENT.md"]
