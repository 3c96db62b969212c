"""`intentls classify`, and what a guarded edit is told when it is not what it was declared to be."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import msgspec
import pytest

from intentls.core.errors import ConfigurationError
from intentls.core.gate.refusal import Refusal
from intentls.core.mutation.classes import MutationClass
from intentls.core.mutation.file_versions import FileVersions
from intentls.core.mutation.names.repository_text import RepositoryText
from intentls.engine.actions.request import EditResult
from intentls.engine.branch_check import classify_commit
from intentls.engine.wire.answers import EditAnswer
from intentls.engine.wire.refusals import refused
from tests.faces.cli.conftest import Cli
from tests.support.agent_edits import Agent
from tests.support.workspaces import commit_all, git, make_git_repo, make_workspace

INTENTS = 'active_intents:\n  - {id: INT-001, status: IN_PROGRESS, owned_scope: ["src/**"]}\n'


def test_two_files_are_compared_and_the_answer_says_why(tmp_path: Path, cli: Cli) -> None:
    (tmp_path / "old.txt").write_text("def parse(x):\n    return x\n\nparse(1)\n")
    (tmp_path / "new.txt").write_text("def parse_city(x):\n    return x\n\nparse_city(1)\n")
    cli.cd(tmp_path)
    found = cli("classify", "old.txt", "new.txt", "--path", "src/a.py", "--json").json
    (file,) = found["files"]
    assert (found["status"], found["mutation_class"]) == ("ok", "AST_REFACTOR")
    assert file == {"path": "src/a.py", "mutation_class": "AST_REFACTOR", "reasons": ["rename parse->parse_city"]}
    told = cli("classify", "old.txt", "/dev/null", "--path", "src/a.py")
    assert told.lines == ["FILE_DELETION", "  src/a.py  FILE_DELETION", "         the file is gone"]
    for wrong in (("a", "b", "c"), ("HEAD", "--path", "a"), ("nowhere", "new.txt"), ()):
        assert cli("classify", *wrong).code == 2


def test_any_commit_of_any_repository_is_judged_against_its_first_parent(tmp_path: Path, cli: Cli) -> None:
    top = make_git_repo(tmp_path / "r", {"a.py": "x = 1\n", "m.py": "def f(): return 1\n", "u.py": "import m\nm.f()\n"})
    (top / "b.bin").write_bytes(b"\0\1")
    commit_all(top, "binary")
    git(top, "checkout", "-q", "-b", "side")
    (top / "c.py").write_text("y = 1\n")
    commit_all(top, "side")
    git(top, "checkout", "-q", "-")
    (top / "a.py").write_text("x = 1  # why\n")
    commit_all(top, "comment")
    git(top, "merge", "-q", "--no-edit", "side")
    (top / "m.py").write_text("def g(): return 1\n")
    (top / "u.py").write_text("import m\nm.g()\n")
    commit_all(top, "rename across files")
    git(top, "mv", "c.py", "d.py")
    (top / "b.bin").write_bytes(b"\0\2")
    commit_all(top, "move")

    def classes(commit: str) -> dict[str, str]:
        answer = cli("classify", commit, "--repo", top, "--json").json
        return {"": answer["mutation_class"]} | {file["path"]: file["mutation_class"] for file in answer["files"]}

    assert classes("HEAD") == {"": "INTENT_EVOLUTION", "b.bin": "INTENT_EVOLUTION", "d.py": "AST_REFACTOR"}
    assert classes("HEAD~1") == {"": "AST_REFACTOR", "m.py": "AST_REFACTOR", "u.py": "AST_REFACTOR"}
    assert classes("HEAD~2") == {"": "FILE_CREATION", "c.py": "FILE_CREATION"}
    assert classes("HEAD~3") == {"": "DOCUMENTATION", "a.py": "DOCUMENTATION"}
    assert set(classes("HEAD~5").values()) == {"FILE_CREATION"}
    assert cli("classify", "no-such", "--repo", top).code == 2
    told = cli("classify", "HEAD", "--repo", tmp_path)
    assert (told.code, told.err.count("is in no git repository")) == (2, 1)


def test_a_bare_repository_is_as_good_as_a_clone(cli: Cli, tmp_path: Path) -> None:
    """So is what git keeps a repository in."""
    top = make_git_repo(tmp_path / "r", {"m.py": "def f(): return 1\n", "u.py": "import m\nm.f()\n"})
    (top / "m.py").write_text("def g(): return 1\n")
    (top / "u.py").write_text("import m\nm.g()\n")
    commit_all(top, "rename across files")
    git(tmp_path, "clone", "-q", "--bare", "r", "r.git")
    said = cli("classify", "HEAD", "--repo", top, "--json").json
    assert said["mutation_class"] == "AST_REFACTOR"
    for repository in (tmp_path / "r.git", top / ".git"):
        assert cli("classify", "HEAD", "--repo", repository, "--json").json == said
        assert cli("classify", "HEAD~1..HEAD", "--repo", repository, "--json").json == said


def test_a_file_that_nobody_can_judge_may_do_anything_and_the_others_are_judged(
    tmp_path: Path, cli: Cli, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """An error of our own, which the log tells."""
    top = make_git_repo(tmp_path / "r", {"a.py": "x = 1\n", "b.py": "y = 1\n"})
    (top / "a.py").write_text("x = 1  # why\n")
    (top / "b.py").write_text("y = 1  # why\n")
    commit_all(top, "comments")
    judge = classify_commit.classify_change

    def fails_at_b(edits: Sequence[FileVersions], nodes: int, others: RepositoryText | None = None) -> object:
        return 1 / 0 if edits[-1].path == "b.py" else judge(edits, nodes, others=others)

    monkeypatch.setattr(classify_commit, "classify_change", fails_at_b)
    first, second = cli("classify", "HEAD", "--repo", top, "--json").json["files"]
    assert (first["path"], first["mutation_class"]) == ("a.py", "DOCUMENTATION")
    assert (second["mutation_class"], second["reasons"], second["coarse"]) == (
        "INTENT_EVOLUTION",
        ["it could not be judged; see the log"],
        True,
    )
    assert "b.py could not be classed" in caplog.text


def test_a_repository_that_cannot_be_read_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, cli: Cli) -> None:
    def gone(*_: object, **__: object) -> object:
        raise ConfigurationError("git does not answer")

    top = make_git_repo(tmp_path / "r", {"a.py": "x = 1\n"})
    monkeypatch.setattr(classify_commit, "classify_change", gone)
    told = cli("classify", "HEAD", "--repo", top)
    assert (told.code, "git does not answer" in told.err) == (2, True)


def test_a_name_that_the_whole_repository_renames_is_a_refactor_and_one_use_that_is_left_is_behaviour(
    tmp_path: Path, cli: Cli
) -> None:
    files = {
        "p/a.py": "class A:\n    def find_all(self):\n        return 1\n",
        "b.py": "x.find_all()\n",
        "c.py": "y = 1\n",
    }
    top = make_git_repo(tmp_path / "r", files)
    start = git(top, "rev-parse", "HEAD").strip()
    for path in ("p/a.py", "b.py"):
        (top / path).write_text(files[path].replace("find_all", "find_each"))
    commit_all(top, "rename")
    (top / "c.py").write_text("y = 1  # why\n")
    commit_all(top, "comment")
    (top / "c.py").write_text("z.find_all()\n")
    commit_all(top, "use the old name")

    def classes(commit: str) -> list[str]:
        cli.cd(top / "p")
        return [file["mutation_class"] for file in cli("classify", commit, "--json").json["files"]]

    assert classes("HEAD~2") == ["AST_REFACTOR", "AST_REFACTOR"]
    assert classes(f"{start}..HEAD~1") == ["AST_REFACTOR", "DOCUMENTATION", "AST_REFACTOR"]
    assert classes(f"{start}..") == ["INTENT_EVOLUTION"] * 3
    (top / "d.py").write_text("getattr(x, 'find_all')\n")
    commit_all(top, "find it by a text")
    git(top, "mv", "d.py", "e.py")
    (top / "p/a.py").write_text(files["p/a.py"])
    (top / "b.py").write_text(files["b.py"])
    commit_all(top, "rename it back")
    assert classes("HEAD") == ["INTENT_EVOLUTION", "AST_REFACTOR", "INTENT_EVOLUTION"]
    assert cli("classify", "HEAD..nowhere").code == 2


def test_a_contradicted_declaration_is_told_recorded_and_refused_as_policy_says(tmp_path: Path, cli: Cli) -> None:
    root = make_workspace(tmp_path / "w", INTENTS, {"src/a.py": "x = 1\n"})
    agent = Agent(root).select("INT-001", MutationClass.DOCUMENTATION)
    honest = agent.edit("src/a.py", "x = 1", "x = 1  # why")
    assert isinstance(honest, EditResult) and honest.inferred is None
    assert "mutation_class_inferred" not in msgspec.to_builtins(EditAnswer.of(honest))

    lied = agent.edit("src/a.py", "x = 1", "x = 2")
    assert isinstance(lied, EditResult) and lied.warnings == ()
    answer = msgspec.to_builtins(EditAnswer.of(lied))
    assert (answer["mutation_class"], answer["mutation_class_inferred"]) == ("DOCUMENTATION", "INTENT_EVOLUTION")
    assert answer["mutation_class_reasons"] == ["src/a.py: line 1 may do something else than before"]
    record = (root / ".orchestration/agent_trace.jsonl").read_text().splitlines()[-1]
    assert '"mutation_class_inferred":"INTENT_EVOLUTION"' in record

    policy = root / ".orchestration/policy.yaml"
    policy.write_text("mutation_check: warn\n")
    warned = agent.edit("src/a.py", "x = 2", "x = 3")
    assert isinstance(warned, EditResult) and "declared DOCUMENTATION" in warned.warnings[0]

    policy.write_text("mutation_check: block\n")
    blocked = agent.edit("src/a.py", "x = 3", "x = 4")
    assert isinstance(blocked, Refusal)
    answer = refused(blocked)
    assert (answer["error_type"], answer["code"]) == ("HOOK_BLOCKED", "MUTATION_CLASS_CONTRADICTED")
    assert answer["action_hint"] == "declare_another_class"
    assert (root / "src/a.py").read_text() == "x = 3  # why\n"


def test_without_a_declaration_the_trees_say_what_it_was(tmp_path: Path) -> None:
    root = make_workspace(tmp_path / "w", INTENTS, {"src/a.py": "def f():\n    a = 1\n    return a\n"})
    agent = Agent(root).select("INT-001")
    done = agent.write("src/a.py", "def f():\n    b = 1\n    return b\n")
    assert isinstance(done, EditResult) and done.mutation_class is MutationClass.AST_REFACTOR
