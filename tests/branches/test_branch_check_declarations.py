"""What the branch check says of declared files, of intents that come and go, and at which lines."""

from __future__ import annotations

import hashlib
import os

import pytest

from intentls.core.branch.findings import BranchFinding
from tests.support.random_branches import INTENTS_FILE, Branch
from tests.support.workspaces import git

POLICY_FILE = ".orchestration/policy.yaml"

pytestmark = pytest.mark.skipif(os.name == "nt", reason="as the other branches")


def by_code(branch: Branch) -> dict[str, BranchFinding]:
    """The findings by code; one of each."""
    findings = branch.judge().findings
    named = {finding.code.value: finding for finding in findings}
    assert len(named) == len(findings), findings
    return named


def test_a_command_that_changes_the_policy_is_a_finding(branch: Branch) -> None:
    """A record that says FAIL explains nothing, even in a commit of declared files alone."""
    branch.run_shell(lambda: branch.put(POLICY_FILE, "mode: enforce\nhitl: deny\n"))
    branch.commit()
    finding = by_code(branch)["SCOPE_VIOLATION"]
    assert (finding.path, finding.record_ids) == (POLICY_FILE, (branch.records()[-1]["id"],))


def test_a_declared_file_among_others_is_a_finding(branch: Branch) -> None:
    """And none where a person commits it alone, staged or committed."""
    branch.put(POLICY_FILE, "mode: enforce\nhitl: deny\n")
    git(branch.root, "add", "--all")
    assert not branch.judge("HEAD", staged=True).findings
    branch.writes()
    git(branch.root, "add", "--all")
    assert [finding.code.value for finding in branch.judge("HEAD", staged=True).findings] == ["UNCOVERED_DECLARATION"]
    branch.commit()
    assert by_code(branch)["UNCOVERED_DECLARATION"].path == POLICY_FILE
    git(branch.root, "reset", "--quiet", "--soft", "HEAD~1")
    git(branch.root, "restore", "--staged", POLICY_FILE)
    git(branch.root, "commit", "--quiet", "--message", "Work")
    branch.commit("Declared")
    assert not branch.judge().findings


def test_an_intent_of_a_moment_vouches_for_nothing(branch: Branch) -> None:
    """Declared, worked under, and taken out again."""
    text = branch.read(INTENTS_FILE)
    branch.declares()
    branch.commit()
    branch.declare(INTENTS_FILE, text)
    assert by_code(branch)["INTENT_NOT_FOUND"].path == "area1/first.py"


def test_findings_of_the_intents_name_their_lines(branch: Branch) -> None:
    """The first line is 1: of the pattern, of the status, of the new intent, of what breaks the file."""
    text = branch.read(INTENTS_FILE)
    lines = text.replace('- "src/**"', '- "src/**"\n      - "cellar/**"').replace("COMPLETED", "PENDING").splitlines()
    lines += ["  - id: INT-100", "    status: PLANNED"]
    branch.declare(INTENTS_FILE, "\n".join(lines) + "\n")
    named = by_code(branch)
    expected = {
        "SCOPE_WIDENED": '      - "cellar/**"',
        "INTENT_REOPENED": "    status: PENDING",
        "INTENT_NEW": "  - id: INT-100",
    }
    assert set(named) == set(expected)
    for code, content in expected.items():
        ((start, end),) = named[code].lines
        assert start == end
        assert content in (lines[start - 1], lines[start - 1].replace("INT-003", "INT-004"))
    branch.declare(INTENTS_FILE, "# A word\nactive_intents:\n  - id: [\n")
    ((start, _),) = by_code(branch)["CONFIGURATION_INVALID"].lines
    assert start in (3, 4)


def test_what_the_base_has_and_the_head_has_not_is_deleted(branch: Branch) -> None:
    """And the other way round it is added: the two sides are not mistaken for each other."""
    (branch.root / "notes/todo.txt").unlink()
    branch.put("notes/new.txt", "new\n")
    branch.commit()
    messages = {finding.path: finding.message for finding in branch.judge().findings}
    assert messages["notes/todo.txt"].startswith("Deleted, ")
    assert messages["notes/new.txt"].startswith("Added, ")


@pytest.mark.parametrize(("attribute", "findings"), [("", ["CONTENT_MISMATCH"]), ("*.big filter=lfs\n", [])])
def test_a_pointer_needs_its_attribute(branch: Branch, attribute: str, findings: list[str]) -> None:
    """A record of the file covers the pointer that git keeps, if git was told to keep one."""
    branch.put(".gitattributes", branch.read(".gitattributes") + attribute)
    branch.commit()
    git(branch.root, "branch", "--force", "main", "HEAD")
    branch.done(branch.agent().write("src/a.big", "large\n"))
    oid = hashlib.sha256(b"large\n").hexdigest()
    branch.put("src/a.big", f"version https://git-lfs.github.com/spec/v1\noid sha256:{oid}\nsize 6\n")
    branch.commit()
    assert [finding.code.value for finding in branch.judge().findings] == findings


def test_a_rename_needs_its_target(branch: Branch) -> None:
    """Deleted by hand after the rename, the file is lost; deleted on record, it is not; renamed on, it is followed."""
    for number, then in enumerate(("delete", "lose", "rename", "rename and lose")):
        path, new = f"src/part{number}.py", f"src/moved{number}.py"
        branch.done(branch.agent().rename(path, new))
        if then == "delete":
            branch.done(branch.agent().delete(new))
        elif then == "lose":
            (branch.root / new).unlink()
        else:
            branch.done(branch.agent().rename(new, f"src/again{number}.py"))
        if then == "rename and lose":
            (branch.root / f"src/again{number}.py").unlink()
    branch.commit()
    found = {(finding.code.value, finding.path) for finding in branch.judge().findings}
    assert found == {("CONTENT_MISMATCH", "src/part1.py"), ("CONTENT_MISMATCH", "src/part3.py")}


def test_intents_in_files_of_their_own_count_like_those_of_the_list(branch: Branch) -> None:
    """Work under one is covered; widened, reopened, dropped and removed ones are named at their own files."""
    folder = ".orchestration/intents"
    git(branch.root, "switch", "--quiet", "main")
    for name, status in (("one", "IN_PROGRESS"), ("two", "DONE"), ("three", "PLANNED")):
        text = (
            f'id: {name}\nname: {name}\nstatus: {status}\nowned_scope: ["{name}/**"]\nconstraints: ["Keep it small"]\n'
        )
        branch.put(f"{folder}/{name}.yaml", text)
    branch.commit("Intents of their own")
    git(branch.root, "switch", "--quiet", "-C", "work")
    branch.done(branch.agent("one").write("one/a.py", "a = 1\n"))
    branch.commit()
    assert branch.judge().findings == ()
    one, two = branch.read(f"{folder}/one.yaml"), branch.read(f"{folder}/two.yaml")
    branch.declare(f"{folder}/one.yaml", one.replace('"one/**"', '"one/**", "cellar/**"'))
    branch.declare(f"{folder}/two.yaml", two.replace("DONE", "PLANNED").replace('constraints: ["Keep it small"]\n', ""))
    (branch.root / folder / "three.yaml").unlink()
    branch.put(f"{folder}/four.yaml", 'id: four\nname: four\nowned_scope: ["four/**"]\n')
    branch.commit("Declared")
    assert sorted((finding.code.value, finding.path.rpartition("/")[2]) for finding in branch.judge().findings) == [
        ("INTENT_NEW", "four.yaml"),
        ("INTENT_REMOVED", "three.yaml"),
        ("INTENT_REOPENED", "two.yaml"),
        ("RULE_DROPPED", "two.yaml"),
        ("SCOPE_WIDENED", "one.yaml"),
    ]


def test_a_root_may_have_files_of_single_intents_alone(branch: Branch) -> None:
    """Without the list, which is no error then; with an error in one of them, the finding is at its file."""
    folder = ".orchestration/intents"
    git(branch.root, "switch", "--quiet", "main")
    branch.put(f"{folder}/one.yaml", 'id: INT-001\nname: Build\nstatus: IN_PROGRESS\nowned_scope: ["src/**"]\n')
    (branch.root / INTENTS_FILE).unlink()
    branch.commit("One file an intent")
    git(branch.root, "switch", "--quiet", "-C", "work")
    branch.writes()
    branch.commit()
    assert branch.judge().findings == ()
    branch.declare(f"{folder}/one.yaml", "id: [\n")
    (finding,) = [finding for finding in branch.judge().findings if finding.code.value == "CONFIGURATION_INVALID"]
    assert finding.path == f"{folder}/one.yaml"
