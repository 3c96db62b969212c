"""What the findings of a branch say: the place, the records, and what the gate had said before."""

from __future__ import annotations

from intentls.core.branch.findings import BranchFinding
from tests.support.random_branches import INTENTS_FILE, Branch
from tests.support.workspaces import commit_all, git

PART = "src/part0.py"
LEDGER = ".orchestration/agent_trace.jsonl"


def judged(branch: Branch, base: str = "main") -> list[BranchFinding]:
    branch.commit()
    return list(branch.judge(base).findings)


def test_a_record_of_the_base_does_not_explain_that_its_change_is_made_once_more(branch: Branch) -> None:
    """The history took it back since: who makes it again needs a record of that."""
    git(branch.root, "switch", "--quiet", "main")
    agents = branch.read(PART)
    git(branch.root, "checkout", "--quiet", "HEAD~1", "--", PART)
    assert branch.read(PART) != agents
    commit_all(branch.root, "Take it back")
    git(branch.root, "switch", "--quiet", "--create", "again")
    branch.put(PART, agents)
    (finding,) = judged(branch)
    assert finding.path == PART


def test_what_the_gate_had_refused_is_said_with_its_five_newest_refusals(branch: Branch) -> None:
    agent = branch.agent()
    for number in range(7):
        agent.write("docs/beyond.md", f"{number}\n")
    refusals = [record["id"] for record in branch.records() if record["success"] is False]
    branch.put("docs/beyond.md", "6\n")
    (finding,) = judged(branch)
    assert len(refusals) == 7
    assert finding.record_ids == tuple(refusals[-5:])
    assert (
        "Added, and no record of this branch tells of it. The gate had refused it (SCOPE_VIOLATION)." in finding.message
    )


def test_a_change_that_nobody_refused_is_not_said_to_be_refused(branch: Branch) -> None:
    """Refusals of other files are of others."""
    branch.agent().write("docs/beyond.md", "x\n")
    branch.put(PART, "by_hand = 1\n")
    (finding,) = judged(branch)
    assert finding.message == "Changed, and no record of this branch tells of it."
    assert finding.record_ids == ()
    assert finding.lines == ((1, 1),)


def test_a_deletion_and_a_mode_are_named_as_such(branch: Branch) -> None:
    (branch.root / PART).unlink()
    (branch.root / "src/part1.py").chmod(0o755)
    deleted, mode = judged(branch)
    assert deleted.message.startswith("Deleted, and no record")
    assert mode.message.startswith("Its mode changed from 100644 to 100755, and no record")


def test_after_the_agents_record_a_change_by_hand_is_of_its_own_lines(branch: Branch) -> None:
    """The last record of the file is named, for it left something else."""
    branch.agent().write("src/new.py", "one = 1\ntwo = 2\nthree = 3\n")
    branch.put("src/new.py", "one = 1\ntwo = 'by hand'\nthree = 3\n")
    (finding,) = judged(branch)
    last = branch.records()[-1]
    assert f"the last record of it (write_to_file, {last['timestamp']}) left other content than this" in finding.message
    assert finding.lines == ((2, 2),)
    assert finding.record_ids == (last["id"],)


def test_a_violation_names_its_record_its_lines_and_whose_scope_the_file_is_in(branch: Branch) -> None:
    branch.forge("docs/guide.md", "# Guide\nforged\n", intent_id="INT-001")
    findings = [finding for finding in judged(branch) if finding.code.value == "SCOPE_VIOLATION"]
    (finding,) = findings
    assert finding.intent_id == "INT-001"
    assert finding.record_ids == (branch.records()[-1]["id"],)
    assert finding.message[0].isupper() and " It is in the scope of " in finding.message


def test_a_record_of_the_ledger_that_was_altered_is_named_with_its_place(branch: Branch) -> None:
    """In each file of the ledger that has it."""
    altered = branch.records()[1]["id"]
    branch.ledger_line_altered()
    rewritten = [finding for finding in judged(branch) if finding.code.value == "LEDGER_REWRITTEN"]
    assert rewritten
    for finding in rewritten:
        ((start, end),) = finding.lines
        assert start == end
        assert altered in branch.read(finding.path).splitlines()[start - 1]
        assert "has other content now" in finding.message
        assert finding.record_ids == (altered,)


def test_a_record_of_the_ledger_that_is_gone_is_named_without_a_place(branch: Branch) -> None:
    gone = branch.records()[1]["id"]
    branch.ledger_line_gone()
    rewritten = [finding for finding in judged(branch) if finding.code.value == "LEDGER_REWRITTEN"]
    assert {(finding.lines, finding.record_ids) for finding in rewritten} == {((), (gone,))}
    assert all("is gone" in finding.message for finding in rewritten)


def test_a_constraint_of_one_intent_is_checked_beside_intents_without_any(branch: Branch) -> None:
    branch.agent("INT-002").write("docs/guide.md", "# Guide\n")
    branch.agent().write("src/new.py", "import os\nsecret = 1\n")
    text = branch.read(INTENTS_FILE)
    scope = 'owned_scope:\n      - "src/**"'
    assert scope in text
    branch.declare(INTENTS_FILE, text.replace(scope, f"constraints: [{{forbid_pattern: secret}}]\n    {scope}"))
    (finding,) = [finding for finding in judged(branch) if finding.code.value == "CONSTRAINT_VIOLATION"]
    assert (finding.path, finding.intent_id, finding.lines) == ("src/new.py", "INT-001", ((2, 2),))
    assert "Against a constraint of INT-001 (forbid_pattern: secret)" in finding.message
