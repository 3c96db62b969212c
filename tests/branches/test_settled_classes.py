"""The class of one edit is provisional: a commit, or the end of its intent, settles it by the change set as a whole."""

from __future__ import annotations

import csv
import io
import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

from intentls.core.ledger.settlement import SETTLE
from intentls.core.mutation.classes import MutationClass
from intentls.engine.blame.blame import blame_at
from intentls.engine.blame.definition_blame import blame_definition
from intentls.engine.branch_check import settle
from intentls.engine.branch_check.check import check_branch
from intentls.engine.branch_check.comparison import ComparisonRequest
from intentls.engine.branch_check.settle import settle_closed, settle_commit, settle_intent, settle_staged
from intentls.engine.edits.read import read_file
from intentls.engine.intents.intents_edit import change_status
from intentls.engine.ledger import queries
from intentls.engine.ledger.settled_classes import SettledClasses, settled
from intentls.engine.report.branch_facts import report_branch
from intentls.engine.report.intent_facts import report_intent
from intentls.engine.workspace.workspace import Workspace
from intentls.faces.cli import main
from intentls.store.setup.git_hooks import install_hooks
from tests.support.agent_edits import Agent
from tests.support.workspaces import commit_all, git, intents_yaml, make_git_repo, make_workspace

FIND = "def find(city):\n    return city.upper()\n"
USE = "from src.cities import find\n\n\ndef show(city):\n    return find(city)\n"
LATER = "def last():\n    return 1\n"


class Project:
    """A root in git with a definition in one file and its use in another."""

    def __init__(self, root: Path) -> None:
        files = {"src/__init__.py": "", "src/cities.py": FIND, "src/show.py": USE, "src/later.py": LATER}
        self.root = make_workspace(root, intents_yaml({"A": ["src/**"], "B": ["src/**"]}), files)
        (self.root / ".orchestration/.gitignore").write_text(
            ".state/\nagent_trace.jsonl\nintent_map.md\nspatial_map.json\n"
        )
        make_git_repo(self.root)
        self.agent = Agent(self.root).select("A")

    @property
    def workspace(self) -> Workspace:
        return Agent(self.root, "reader").engine.workspace(self.root)

    def changes(self, path: str, old: str, new: str, agent: Agent | None = None) -> None:
        agent = agent or self.agent
        read_file(agent.engine, agent.session_id, path)
        agent.write(path, (self.root / path).read_text().replace(old, new))

    def renames(self) -> None:
        """All uses of a public name, in two edits."""
        self.changes("src/cities.py", "find", "look_up")
        self.changes("src/show.py", "find", "look_up")

    def records(self) -> list[dict[str, Any]]:
        lines = (self.root / ".orchestration/agent_trace.jsonl").read_text().splitlines()
        return [json.loads(line) for line in lines]

    def settlements(self) -> list[dict[str, Any]]:
        return [record for record in self.records() if record["tool_name"] == SETTLE]

    def classes(self) -> dict[str, str]:
        """By path, the settled class of the newest record of it."""
        return {
            file["path"]: record["mutation_class"]
            for record in settled(self.workspace, self.records())
            for file in record["files"]
        }


@pytest.fixture
def project(tmp_path: Path) -> Project:
    return Project(tmp_path / "w")


def test_a_rename_in_two_edits_is_a_refactor_once_it_is_committed(project: Project) -> None:
    """One record supersedes both, and neither is rewritten."""
    project.renames()
    before = project.records()
    assert [record["mutation_class"] for record in before] == ["INTENT_EVOLUTION"] * 2
    commit = commit_all(project.root, "Rename")
    (settlement,) = settle_commit(project.root, "HEAD")
    (record,) = project.settlements()
    assert project.records()[:2] == before
    assert record["id"] == settlement.record_id
    assert record["supersedes"] == [
        {"id": one, "mutation_class": "AST_REFACTOR", "reasons": [f"{path}: rename find->look_up"]}
        for one, path in sorted(zip([r["id"] for r in before], ["src/cities.py", "src/show.py"], strict=True))
    ]
    assert (record["mutation_class"], record["files"], record["intent_id"]) == ("AST_REFACTOR", [], "A")
    assert record["vcs"]["revision"] == commit
    assert record["change_set"]["files"] == 2
    assert project.classes() == {"src/cities.py": "AST_REFACTOR", "src/show.py": "AST_REFACTOR"}
    assert project.workspace.ledger.verify().ok


def test_a_use_that_was_left_behind_takes_the_class_of_a_refactor_away(project: Project) -> None:
    """A rename that its own file seems to prove, while another file still has the old name."""
    own_use = FIND + "\n\ndef twice(city):\n    return find(find(city))\n"
    project.changes("src/cities.py", FIND, own_use)
    commit_all(project.root, "Twice")
    project.changes("src/cities.py", "find", "look_up")
    assert project.records()[-1]["mutation_class"] == "AST_REFACTOR"
    commit_all(project.root, "Half of a rename")
    settle_commit(project.root, "HEAD")
    assert project.classes()["src/cities.py"] == "INTENT_EVOLUTION"


def test_blame_asks_for_settled_classes_once_however_many_records_wrote_the_lines(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of a file with 200 authors, asking for each of them took nine tenths of the answer's time."""
    for number in range(6):
        project.changes("src/later.py", LATER, f"{LATER}# {number}\n")
    asked: list[str] = []
    of = SettledClasses.of
    monkeypatch.setattr(SettledClasses, "of", lambda workspace: asked.append("settled classes") or of(workspace))
    _, ranges = blame_at(project.agent.engine, project.agent.session_id, "src/later.py", None)
    assert len({part.record["id"] for part in ranges if part.record is not None}) > 2
    assert asked == ["settled classes"]
    whole = blame_definition(project.agent.engine, project.agent.session_id, "src/later.py", "last")
    assert whole.definition.name == "last"
    assert len(asked) <= 3, "once for the lines, once for the steps"


def test_settling_twice_adds_nothing(project: Project) -> None:
    """Nor does an amended commit of the same contents, or one onto which others' work came."""
    project.renames()
    commit_all(project.root, "Rename")
    settle_commit(project.root, "HEAD")
    assert settle_commit(project.root, "HEAD") == ()
    git(project.root, "commit", "--quiet", "--amend", "--message", "Renamed")
    assert settle_commit(project.root, "HEAD") == ()
    git(project.root, "checkout", "--quiet", "-b", "side", "HEAD~1")
    (project.root / "src/other.py").write_text("other = 1\n")
    commit_all(project.root, "Other")
    git(project.root, "cherry-pick", "main")
    assert settle_commit(project.root, "HEAD") == ()
    assert len(project.settlements()) == 1


def test_a_squash_of_two_halves_settles_them_together(project: Project) -> None:
    """Each half alone was none; the newest record decides."""
    project.changes("src/cities.py", "find", "look_up")
    commit_all(project.root, "One half")
    assert settle_commit(project.root, "HEAD") == ()
    project.changes("src/show.py", "find", "look_up")
    commit_all(project.root, "The other half")
    assert settle_commit(project.root, "HEAD") == ()
    git(project.root, "reset", "--quiet", "--soft", "HEAD~2")
    git(project.root, "commit", "--quiet", "--message", "Both")
    settle_commit(project.root, "HEAD")
    assert set(project.classes().values()) == {"AST_REFACTOR"}


def test_a_merge_settles_nothing(project: Project) -> None:
    """Each side was settled where it was made."""
    project.renames()
    commit_all(project.root, "Rename")
    git(project.root, "checkout", "--quiet", "-b", "side", "HEAD~1")
    (project.root / "src/other.py").write_text("other = 1\n")
    commit_all(project.root, "Other")
    git(project.root, "merge", "--quiet", "--no-edit", "main")
    assert settle_commit(project.root, "HEAD") == ()


def test_two_clones_that_settle_the_same_commit_agree_and_it_is_told_once(project: Project, tmp_path: Path) -> None:
    """After both are merged by way of a bare repository: no conflict, and the ledger is whole."""
    project.renames()
    commit_all(project.root, "Rename")
    bare, other = tmp_path / "bare.git", tmp_path / "other"
    git(tmp_path, "clone", "--quiet", "--bare", str(project.root), str(bare))
    git(project.root, "remote", "add", "origin", str(bare))
    git(tmp_path, "clone", "--quiet", str(bare), str(other))
    for name, value in (("user.name", "Ben"), ("user.email", "ben@example.org")):
        git(other, "config", name, value)
    for root in (project.root, other):
        assert len(settle_commit(root, "HEAD")) == 1
        commit_all(root, "Settled")
    git(project.root, "push", "--quiet", "origin", "main")
    git(other, "pull", "--quiet", "--no-rebase", "--no-edit", "origin", "main")
    engine = Agent(other, "reader").engine
    workspace = engine.workspace(other)
    records = queries.query(engine, queries.Query(limit=100))
    assert [record["tool_name"] for record in records].count(SETTLE) == 1
    assert sum(record["tool_name"] == SETTLE for record in workspace.ledger.newest_first()) == 2
    shown = [record["mutation_class"] for record in records if record["files"]]
    assert shown == ["AST_REFACTOR"] * 2
    assert workspace.ledger.verify().ok
    assert settle_commit(other, "HEAD~1") == ()


def test_the_commit_hook_settles_what_is_staged_and_the_commit_has_it(project: Project, intentls_on_path: None) -> None:
    """The tree is clean after it."""
    install_hooks(project.root)
    git(project.root, "add", ".orchestration")
    project.renames()
    git(project.root, "add", "src")
    made = subprocess.run(
        ["git", "commit", "--quiet", "--message", "Rename"], cwd=project.root, capture_output=True, text=True
    )
    assert made.returncode == 0, made.stdout + made.stderr
    assert set(project.classes().values()) == {"AST_REFACTOR"}
    assert git(project.root, "status", "--porcelain") == ""
    assert check_branch(project.root, ComparisonRequest(base="HEAD~1")).errors == 0
    assert settle_commit(project.root, "HEAD") == ()


def test_a_part_that_is_staged_is_settled_for_itself(project: Project) -> None:
    """What stays behind keeps its provisional class."""
    project.renames()
    git(project.root, "add", "src/cities.py")
    assert settle_staged(project.root, None) == ()
    assert set(project.classes().values()) == {"INTENT_EVOLUTION"}


def test_a_commit_does_not_fail_because_it_cannot_be_settled(
    project: Project, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """The classes stay provisional."""
    project.renames()
    git(project.root, "add", "src")
    monkeypatch.setattr(settle, "_judged", lambda _: 1 / 0)
    assert settle_staged(project.root, None) == ()
    assert settle_staged(tmp_path, None) == ()
    assert project.settlements() == []


def test_an_intent_that_closes_settles_its_commits_and_what_is_not_committed(project: Project) -> None:
    """Nothing was settled before, as without git's hooks; while it is open nothing is."""
    project.renames()
    commit_all(project.root, "Rename")
    project.changes("src/later.py", "def last():\n    return 1", "def last():\n    return 2")
    project.changes("src/later.py", "return 2", "return 1  # the last")
    assert settle_closed(project.workspace, "A") == ()
    change_status(project.agent.engine, "A", "COMPLETED", "person")
    assert len(settle_closed(project.workspace, "A")) == 2
    assert project.classes() == {
        "src/cities.py": "AST_REFACTOR",
        "src/show.py": "AST_REFACTOR",
        "src/later.py": "DOCUMENTATION",
        ".orchestration/active_intents.yaml": "CONFIGURATION",
    }
    assert settle_intent(project.workspace, "A") == ()
    assert settle_intent(project.workspace, "B") == ()


def test_an_intent_closes_though_nobody_can_say_of_what_kind_its_changes_are(
    project: Project, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """The classes stay provisional, and the log says why."""
    project.renames()
    commit_all(project.root, "Rename")
    monkeypatch.setattr(settle.classify, "classify_change", lambda *_, **__: 1 / 0)
    change_status(project.agent.engine, "A", "COMPLETED", "person")
    assert settle_closed(project.workspace, "A") == ()
    assert settle_commit(project.root, "HEAD") == ()
    assert project.settlements() == []
    assert "a change set could not be classed" in caplog.text
    monkeypatch.undo()
    assert len(settle_closed(project.workspace, "A")) == 1


def test_an_intent_outside_git_closes_unsettled(tmp_path: Path) -> None:
    """Only git knows what the files held before."""
    root = make_workspace(tmp_path / "w", intents_yaml({"A": ["src/**"]}), {"src/a.py": FIND})
    agent = Agent(root).select("A")
    read_file(agent.engine, agent.session_id, "src/a.py")
    agent.write("src/a.py", FIND + LATER)
    assert settle_intent(agent.engine.workspace(root), "A") == ()


def test_what_exceeds_the_bounds_stays_provisional_and_the_record_says_so(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By counts of files and of nodes; and it is said once."""
    project.renames()
    commit_all(project.root, "Rename")
    monkeypatch.setattr(settle, "_MAX_FILES", 1)
    (settlement,) = settle_commit(project.root, "HEAD")
    assert settlement.superseded == ()
    (record,) = project.settlements()
    assert record["change_set"]["too_large"] == 2
    assert settle_commit(project.root, "HEAD") == ()
    monkeypatch.undo()
    monkeypatch.setattr(settle, "_MAX_NODES", 10)
    project.changes("src/cities.py", "look_up", "search")
    commit_all(project.root, "Again")
    settle_commit(project.root, "HEAD")
    assert project.settlements()[-1]["change_set"]["too_large"] == 1


def test_a_renamed_file_is_settled_with_what_follows_it(project: Project) -> None:
    """The records before the rename have the file's former name."""
    rest = "".join(f"\n\ndef number_{number}():\n    return {number}\n" for number in range(9))
    project.changes("src/cities.py", FIND, FIND + rest)
    commit_all(project.root, "More")
    project.changes("src/cities.py", "return city.upper()", "name = city.upper()\n    return name")
    project.agent.rename("src/cities.py", "src/towns.py")
    project.changes("src/show.py", "src.cities", "src.towns")
    commit_all(project.root, "Towns")
    settle_commit(project.root, "HEAD")
    assert project.classes()["src/towns.py"] == "AST_REFACTOR"
    assert project.classes()["src/show.py"] == "AST_REFACTOR"


def test_what_no_records_lead_to_stays_provisional(project: Project) -> None:
    """Part of the commit's file came about without a record."""
    project.renames()
    (project.root / "src/show.py").write_text((project.root / "src/show.py").read_text() + "\n\nshow(1)\n")
    commit_all(project.root, "Rename, and more")
    settle_commit(project.root, "HEAD")
    assert project.classes() == {"src/cities.py": "AST_REFACTOR", "src/show.py": "INTENT_EVOLUTION"}


def test_a_declared_class_stays(project: Project) -> None:
    """It is what the agent says of its own change."""
    project.agent.select("A", MutationClass.BUG_FIX)
    project.renames()
    commit_all(project.root, "Rename")
    assert settle_commit(project.root, "HEAD") == ()
    assert set(project.classes().values()) == {"BUG_FIX"}


def test_a_report_counts_the_settled_classes(project: Project) -> None:
    """That of a branch, and that of an intent."""
    project.renames()
    commit_all(project.root, "Rename")
    settle_commit(project.root, "HEAD")
    commit_all(project.root, "Settled")
    of_branch = report_branch(project.root, ComparisonRequest(base="HEAD~2"), "branch", "HEAD~2")
    of_intent = report_intent(project.workspace, "A")
    for report in (of_branch, of_intent):
        (shown,) = report.classes
        assert (shown.mutation_class, shown.changes) == ("AST_REFACTOR", 2)
        assert shown.lines > 0


@pytest.mark.parametrize("form", ["csv", "agent-trace", "otel-json"])
def test_log_blame_and_exports_show_the_settled_class(
    project: Project, form: str, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """With the provisional one beside it where there is room for it."""
    project.renames()
    commit_all(project.root, "Rename")
    monkeypatch.chdir(project.root)
    assert main._code(["trace", "bind"]) == 0
    assert "settled  2 records" in capfd.readouterr().out
    assert main._code(["trace", "bind", "--json"]) == 0
    assert json.loads(capfd.readouterr().out)["settled"] == []
    assert main._code(["trace", "log", "--json"]) == 0
    entries = json.loads(capfd.readouterr().out)["entries"]
    assert [
        (entry["mutation_class"], entry.get("mutation_class_provisional")) for entry in entries if entry["files"]
    ] == [("AST_REFACTOR", "INTENT_EVOLUTION")] * 2
    assert main._code(["trace", "log"]) == 0
    assert "settle_classes: the class of 2 records" in capfd.readouterr().out
    for arguments in (["blame", "src/cities.py"], ["blame", "src/cities.py", "--symbol", "look_up"]):
        assert main._code([*arguments, "--json"]) == 0
        assert {part["mutation_class"] for part in json.loads(capfd.readouterr().out)["ranges"]} == {
            None,
            "AST_REFACTOR",
        }
    assert main._code(["trace", "export", "--format", form]) == 0
    text = capfd.readouterr().out
    if form == "csv":
        rows = list(csv.DictReader(io.StringIO(text)))
        assert {row["mutation_class"] for row in rows if row["path"]} == {"AST_REFACTOR"}
    else:
        assert text.count("AST_REFACTOR") >= 3
