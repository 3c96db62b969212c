"""`intentls attest`: what came about without the engine, under a person's name."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from intentls.engine.actions.authority import AGENT_SESSION
from intentls.engine.blame.blame import blame_content
from intentls.faces.cli import main
from intentls.store.ledger.jsonl_import import problems
from tests.support.random_branches import Branch
from tests.support.workspaces import git

POLICY = ".orchestration/policy.yaml"
REASON = "a colleague without intentls"


@pytest.fixture
def branch(branch: Branch, monkeypatch: pytest.MonkeyPatch) -> Branch:
    """A branch of Ada's."""
    git(branch.root, "config", "user.name", "Ada")
    monkeypatch.chdir(branch.root)
    return branch


def commit_as(branch: Branch, author: str, message: str = "Plain git") -> None:
    git(branch.root, "add", "--all")
    git(branch.root, "commit", "--quiet", "--message", message, f"--author={author} <{author.lower()}@example.org>")


def attest(*arguments: str) -> int:
    return main._code(["attest", "--reason", REASON, *arguments])


def codes(branch: Branch, base: str = "main") -> list[str]:
    return [finding.code.value for finding in branch.judge(base).findings]


def authors(branch: Branch, path: str) -> list[tuple[str | None, str | None]]:
    """By line: the name (or the kind) of who wrote it, and who attested it."""
    workspace = branch.agent().engine.workspace(branch.root)
    lines: list[tuple[str | None, str | None]] = []
    for part in blame_content(workspace, path, (branch.root / path).read_bytes()):
        contributor: dict[str, Any] = (part.conversation or {}).get("contributor", {})
        who = (contributor.get("name") or contributor.get("type"), contributor.get("attested_by"))
        lines += [who] * (part.end_line - part.start_line + 1)
    return lines


INTENTS = ".orchestration/active_intents.yaml"


def test_a_scope_that_was_widened_by_hand_is_a_warning_once_a_person_attested_it(branch: Branch) -> None:
    """It names who vouched for it, and what is done in the wider scope passes."""
    branch.declare(INTENTS, branch.read(INTENTS).replace('- "src/**"', '- "src/**"\n      - "cellar/**"'))
    branch.declare(INTENTS, branch.read(INTENTS).replace("status: COMPLETED", "status: IN_PROGRESS"))
    branch.done(branch.agent().write("cellar/wine.py", "red = 1\n"))
    branch.commit()
    assert set(codes(branch)) == {"SCOPE_WIDENED", "INTENT_REOPENED"}
    assert branch.judge().errors == 2
    assert attest("--base", "main") == 0
    branch.commit()
    report = branch.judge()
    assert {finding.code.value for finding in report.findings} == {"SCOPE_WIDENED", "INTENT_REOPENED"}
    assert report.errors == 0
    assert all(f"Attested by Ada: {REASON}" in finding.message for finding in report.findings)
    branch.declare(INTENTS, branch.read(INTENTS).replace('- "cellar/**"', '- "cellar/**"\n      - "attic/**"'))
    assert [finding.message[:40] for finding in branch.judge().findings if finding.level == "error"] == [
        "The scope of INT-001 now has attic/**, a"
    ]


def test_an_attestation_of_another_step_vouches_for_no_wider_scope(branch: Branch) -> None:
    """A person who attests the comment that was added later says nothing about the scope."""
    branch.declare(INTENTS, branch.read(INTENTS).replace('- "src/**"', '- "src/**"\n      - "cellar/**"'))
    git(branch.root, "branch", "widened")
    branch.put("src/x.py", "x = 1\n")
    branch.put(INTENTS, branch.read(INTENTS) + "# More.\n")
    branch.commit()
    before = len(branch.records())
    assert attest("--base", "widened", INTENTS) == 0
    assert [record["tool_name"] for record in branch.records()[before:]] == ["attest"]
    branch.commit()
    assert ("SCOPE_WIDENED", "error") in [(finding.code, finding.level) for finding in branch.judge().findings]


def test_a_colleagues_commits_are_attested_by_one_command(branch: Branch) -> None:
    """New, changed, deleted, renamed and binary files, a mode, a declared file: one command, and the check is clean."""
    branch.put("src/part3.py", branch.read("src/part3.py") + "by_ben = 1\n")
    branch.put("src/ben.py", "one = 1\n")
    commit_as(branch, "Ben")
    branch.put("src/ben.py", "one = 1\ntwo = 2\n")
    branch.put("src/ben.bin", b"\0\1\2")
    (branch.root / "notes/todo.txt").unlink()
    git(branch.root, "mv", "docs/guide.md", "docs/moved.md")
    (branch.root / "prototype/main.py").chmod(0o755)
    branch.put(".orchestration/policy.yaml", "mode: enforce\nhitl: ask\n# Ben\n")
    commit_as(branch, "Cem")
    assert set(codes(branch)) == {"UNCOVERED_CHANGE", "UNCOVERED_DECLARATION"}
    before = branch.read(".orchestration/agent_trace.jsonl")
    assert attest("--base", "main", "--dry-run") == 0
    assert branch.read(".orchestration/agent_trace.jsonl") == before
    assert attest("--base", "main") == 0
    branch.commit("The ledger")
    report = branch.judge()
    assert report.findings == ()
    assert {(change.path, change.author, change.by, change.reason) for change in report.attestations} >= {
        ("src/ben.py", "Ben", "Ada", REASON),
        ("src/ben.py", "Cem", "Ada", REASON),
        ("notes/todo.txt", "Cem", "Ada", REASON),
    }
    assert authors(branch, "src/ben.py") == [("Ben", "Ada"), ("Cem", "Ada")]
    assert authors(branch, "src/part3.py")[-2:] == [(None, None), ("Ben", "Ada")]


def test_every_attestation_is_a_valid_record(branch: Branch) -> None:
    """By the schema of Agent Trace, with what is attested beside it."""
    branch.put("src/ben.py", "one = 1\n")
    commit_as(branch, "Ben")
    assert attest("src/ben.py") == 0
    record = branch.records()[-1]
    assert problems(record) == ""
    assert (record["tool_name"], record["intent_id"], record["success"]) == ("attest", "UNTRACKED", True)
    commit = git(branch.root, "rev-parse", "HEAD")
    assert record["attestation"] == {"by": "Ada", "reason": REASON, "author": "Ben", "commit": commit}


@pytest.mark.parametrize(
    ("policy", "author", "by"),
    [("name", "dependabot[bot]", "Ada"), ("email", "dependabot[bot]@example.org", "ada@example.org")],
)
def test_an_attestation_names_people_as_the_policy_says(branch: Branch, policy: str, author: str, by: str) -> None:
    """A bot is no person, whichever way it is named."""
    git(branch.root, "config", "user.email", "ada@example.org")
    branch.put(POLICY, f"identity: {policy}\n")
    branch.put("src/ben.py", "one = 1\n")
    commit_as(branch, "dependabot[bot]")
    assert attest("src/ben.py") == 0
    record = branch.records()[-1]
    assert (record["attestation"]["author"], record["attestation"]["by"]) == (author, by)
    contributor = record["files"][0]["conversations"][0]["contributor"]
    assert contributor == {"type": "unknown", "entity_type": "UNKNOWN", "name": author, "attested_by": by}


def test_an_attestation_names_nobody_where_the_policy_says_so(branch: Branch) -> None:
    """Neither who attests nor who made the commits; the commit's id stays."""
    branch.put(POLICY, "identity: none\n")
    branch.put("src/ben.py", "one = 1\n")
    commit_as(branch, "Ben")
    assert attest("src/ben.py") == 0
    record = branch.records()[-1]
    assert (record["attestation"]["author"], record["attestation"]["by"]) == ("user", "user")
    contributor = record["files"][0]["conversations"][0]["contributor"]
    assert contributor == {"type": "human", "entity_type": "HUMAN", "attested_by": "user"}
    assert "Ben" not in branch.read(".orchestration/agent_trace.jsonl")


def test_agents_lines_stay_the_agents(branch: Branch) -> None:
    """An agent writes on record, a formatter in a commit hook changes one line: that line alone is attested."""
    branch.done(branch.agent().write("src/new.py", "one = 1\ntwo=2\nthree = 3\n"))
    branch.put("src/new.py", "one = 1\ntwo = 2\nthree = 3\n")
    commit_as(branch, "Ada", "Formatted by a hook")
    assert codes(branch) == ["CONTENT_MISMATCH"]
    assert attest("--base", "main") == 0
    branch.commit("The ledger")
    assert codes(branch) == []
    assert authors(branch, "src/new.py") == [("ai", None), ("Ada", "Ada"), ("ai", None)]


def test_an_attestation_does_not_launder_what_the_gate_forbids(branch: Branch) -> None:
    """An agent's change out of scope stays a finding after somebody attested what came later."""
    branch.run_shell(lambda: branch.put("elsewhere/x.py", "x = 1\n"))
    branch.put("elsewhere/x.py", "x = 1\ny = 2\n")
    commit_as(branch, "Ben")
    assert codes(branch) == ["CONTENT_MISMATCH"]
    assert attest("--base", "main") == 0
    branch.commit("The ledger")
    assert codes(branch) == ["SCOPE_VIOLATION"]


def test_an_attestation_holds_for_the_content_alone(branch: Branch) -> None:
    """What is changed afterwards is a finding again, and so is the same path with another beginning."""
    branch.put("src/ben.py", "one = 1\n")
    assert attest("src/ben.py") == 0  # not committed yet
    branch.commit()
    assert codes(branch) == []
    branch.put("src/ben.py", "one = 1\nsmuggled = 2\n")
    branch.commit()
    assert codes(branch) == ["CONTENT_MISMATCH"]


def test_work_on_record_goes_on_from_an_attested_content(branch: Branch) -> None:
    """Ben by plain git, then an agent on record, then Ben again: the agent's line is the agent's."""
    branch.put("src/ben.py", "one = 1\n")
    commit_as(branch, "Ben")
    branch.done(branch.agent().edit("src/ben.py", "one = 1\n", "one = 1\nagent = 2\n"))
    branch.commit()
    branch.put("src/ben.py", "one = 1\nagent = 2\nthree = 3\n")
    commit_as(branch, "Ben")
    assert attest("--base", "main") == 0
    branch.commit("The ledger")
    assert codes(branch) == []
    assert authors(branch, "src/ben.py") == [("Ben", "Ada"), ("ai", None), ("Ben", "Ada")]


def test_a_merge_by_hand_is_attested(branch: Branch) -> None:
    """With a conflict that somebody solved; also if the branch is squashed afterwards."""
    agent = branch.agent()
    branch.done(agent.edit("src/part0.py", "part0_line5 = 5\n", "part0_line5 = 'ours'\n"))
    branch.commit("Ours")
    git(branch.root, "switch", "--quiet", "main")
    branch.done(branch.agent(session="colleague").edit("src/part0.py", "part0_line5 = 5\n", "part0_line5 = 'theirs'\n"))
    branch.commit("Theirs")
    git(branch.root, "switch", "--quiet", "work")
    with pytest.raises(AssertionError):
        git(branch.root, "merge", "--quiet", "main")
    text = git(branch.root, "show", "main:src/part0.py") + "\n"
    branch.put("src/part0.py", text.replace("'theirs'", "'both'"))
    branch.commit("Merged by hand")
    assert codes(branch) == ["CONTENT_MISMATCH"]
    assert attest("--base", "main") == 0
    branch.commit("The ledger")
    assert codes(branch) == []
    branch.squashes()
    assert codes(branch) == []


def test_a_revert_is_attested(branch: Branch) -> None:
    """`git revert` puts an old content back, for which no record of this branch speaks."""
    base = git(branch.root, "rev-parse", "HEAD")
    git(branch.root, "revert", "--no-edit", "--no-commit", "HEAD")
    git(branch.root, "checkout", "HEAD", "--", ".orchestration")
    commit_as(branch, "Ben", "Reverted")
    assert set(codes(branch, base)) == {"UNCOVERED_CHANGE"}
    assert attest("--base", base) == 0
    branch.commit("The ledger")
    assert codes(branch, base) == []


def test_line_ends_by_plain_git_are_attested(branch: Branch) -> None:
    """A change of line ends alone is a change, and may be attested as well."""
    branch.put("src/part3.py", branch.read("src/part3.py").replace("\n", "\r\n"))
    commit_as(branch, "Ben")
    assert codes(branch) == ["UNCOVERED_CHANGE"]
    assert attest("src/part3.py") == 0
    branch.commit("The ledger")
    assert codes(branch) == []


def test_expected_authors_make_warnings(branch: Branch) -> None:
    """A bot that policy names: its changes are warnings; a person's in the same file are not."""
    git(branch.root, "switch", "--quiet", "main")
    branch.declare(POLICY, 'mode: enforce\nhitl: ask\nattest_authors: ["dependabot*"]\n')
    git(branch.root, "switch", "--quiet", "-C", "work")
    branch.put("src/part3.py", "bumped = 2\n")
    commit_as(branch, "dependabot[bot]")
    report = branch.judge()
    assert ([finding.level.value for finding in report.findings], report.errors) == (["warning"], 0)
    assert "attest_authors" in report.findings[0].message
    branch.put("src/part3.py", "bumped = 2\nby_ben = 3\n")
    commit_as(branch, "Ben")
    assert branch.judge().errors == 1


def test_no_branch_names_its_own_bots(branch: Branch) -> None:
    """A pattern that the base does not have counts for nothing, and is a loosened policy."""
    branch.declare(POLICY, 'mode: enforce\nhitl: ask\nattest_authors: ["Ben"]\n')
    branch.put("src/part3.py", "by_ben = 2\n")
    commit_as(branch, "Ben")
    assert sorted(codes(branch)) == ["POLICY_LOOSENED", "UNCOVERED_CHANGE"]
    assert branch.judge().errors == 2


def test_review_needs_a_second_person(branch: Branch) -> None:
    """Under `attest: review`, what its author attests is a warning until somebody else attests it."""
    git(branch.root, "switch", "--quiet", "main")
    branch.declare(POLICY, "mode: enforce\nhitl: ask\nattest: review\n")
    git(branch.root, "switch", "--quiet", "-C", "work")
    branch.put("src/ada.py", "one = 1\n")
    commit_as(branch, "Ada")
    assert attest("--base", "main") == 0
    branch.commit("The ledger")
    report = branch.judge()
    assert (codes(branch), report.errors) == (["UNREVIEWED_ATTESTATION"], 0)
    assert [change.state.value for change in report.attestations] == ["unreviewed"]
    assert attest("--base", "main") == 0  # by the same person: nothing new
    assert len(branch.judge().attestations) == 1
    git(branch.root, "config", "user.name", "Ben")
    assert attest("src/ada.py", "--base", "main") == 0
    branch.commit("The ledger")
    assert codes(branch) == []
    assert {change.by for change in branch.judge().attestations} == {"Ada", "Ben"}


def test_denied_attestations_are_no_evidence(branch: Branch, capsys: pytest.CaptureFixture[str]) -> None:
    """Under `attest: deny` the verb refuses, and what was attested elsewhere does not count."""
    branch.put("src/ben.py", "one = 1\n")
    commit_as(branch, "Ben")
    assert attest("src/ben.py") == 0
    branch.commit("The ledger")
    branch.declare(POLICY, "mode: enforce\nhitl: ask\nattest: deny\n")
    (finding,) = branch.judge().findings
    assert (finding.code.value, "attest: deny" in finding.message) == ("UNCOVERED_CHANGE", True)
    assert [change.state.value for change in branch.judge().attestations] == ["denied"]
    branch.put("src/ben.py", "one = 2\n")
    assert attest("src/ben.py") == 1
    assert "attest: deny" in capsys.readouterr().err


def test_an_agent_can_not_attest(branch: Branch, monkeypatch: pytest.MonkeyPatch) -> None:
    """Not in its shell, and not under its session."""
    branch.put("src/ben.py", "one = 1\n")
    before = branch.read(".orchestration/agent_trace.jsonl")
    branch.agent(session="agent-9")
    monkeypatch.setenv(AGENT_SESSION, "agent-9")
    assert attest("src/ben.py") == 1
    assert attest("--base", "main") == 1
    assert branch.read(".orchestration/agent_trace.jsonl") == before


def test_usage_is_said(branch: Branch, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Nothing to attest, no reason, no path, a path elsewhere."""
    assert attest() == 2
    assert main._code(["attest", "src/part0.py"]) == 2
    assert main._code(["attest", "src/part0.py", "--reason", " "]) == 2
    assert attest(str(tmp_path / "elsewhere.py")) == 2
    assert attest("--base", "unknown") == 2
    capsys.readouterr()
    assert attest("src/part0.py", "--json") == 0
    answer = json.loads(capsys.readouterr().out)
    assert (answer["attested"], answer["explained"]) == ([], ["src/part0.py"])


@pytest.mark.parametrize("form", ["text", "json", "sarif", "github"])
def test_every_format_lists_attestations(branch: Branch, form: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Who vouched for what, who changed it, and why."""
    branch.put("src/ben.py", "one = 1\n")
    commit_as(branch, "Ben")
    assert attest("src/ben.py") == 0
    branch.commit("The ledger")
    capsys.readouterr()
    assert main._code(["check", "--base", "main", "--format", form]) == 0
    shown = capsys.readouterr().out
    assert all(word in shown for word in ("src/ben.py", "Ada", "Ben", REASON))
    if form == "json":
        (attestation,) = json.loads(shown)["attestations"]
        assert (attestation["state"], attestation["lines"]) == ("accepted", [{"start_line": 1, "end_line": 1}])
    if form == "sarif":
        (result,) = json.loads(shown)["runs"][0]["results"]
        assert (result["ruleId"], result["level"]) == ("ATTESTED", "note")
    if form == "github":
        assert shown.startswith("::notice file=src/ben.py,line=1,")


def test_attested_lines_stay_attested_beside_lines_that_came_later(branch: Branch) -> None:
    """An agent writes into the middle of an attested block."""
    branch.put("src/ben.py", "one = 1\ntwo = 2\nthree = 3\n")
    commit_as(branch, "Ben")
    assert attest("--base", "main") == 0
    branch.commit("The ledger")
    branch.done(branch.agent().write("src/ben.py", "one = 1\nmore = 9\nthree = 3\n"))
    branch.commit("More")
    branch.put("src/ben.py", "# begin\none = 1\nmore = 9\nthree = 3\n")  # no record left this content
    assert authors(branch, "src/ben.py") == [(None, None), ("Ben", "Ada"), ("ai", None), ("Ben", "Ada")]
