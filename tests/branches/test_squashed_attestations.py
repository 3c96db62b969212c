"""What a person attested in a file of intents stays attested when a squash leaves no commit with that content."""

from __future__ import annotations

import pytest

from intentls.faces.cli import main
from tests.support.random_branches import Branch
from tests.support.workspaces import git

INTENTS = ".orchestration/active_intents.yaml"
REASON = "agreed with the team"


@pytest.fixture
def branch(branch: Branch, monkeypatch: pytest.MonkeyPatch) -> Branch:
    """A branch of Ada's."""
    git(branch.root, "config", "user.name", "Ada")
    monkeypatch.chdir(branch.root)
    return branch


def attest(base: str, *paths: str) -> None:
    assert main._code(["attest", "--reason", REASON, "--base", base, *paths]) == 0


def attest_with_code(branch: Branch, intents: str) -> None:
    """The file of intents changes by hand in one commit with code, so that it needs somebody who attests it."""
    branch.put(INTENTS, intents)
    branch.put("src/by_hand.py", "x = 1\n")
    branch.commit()
    before = len(branch.records())
    attest("widened", INTENTS)
    assert [record["tool_name"] for record in branch.records()[before:]] == ["attest"]


def squash(branch: Branch) -> None:
    """One commit, after the file of intents was changed once more by a command: no commit has what was attested."""
    branch.commit()
    assert main._code(["expand", "INT-001", "--glob", "cabin/**", "--reason", "a room more"]) == 0
    branch.commit()
    git(branch.root, "reset", "--quiet", "--soft", git(branch.root, "merge-base", "main", "HEAD"))
    branch.commit("Squashed")


def levels(branch: Branch) -> list[tuple[str, str]]:
    return [(finding.code.value, finding.level.value) for finding in branch.judge().findings]


def test_an_attested_scope_and_status_survive_a_squash(branch: Branch) -> None:
    """As warnings that name who vouched for them, and what was done in the wider scope passes."""
    branch.declare(INTENTS, branch.read(INTENTS).replace('- "src/**"', '- "src/**"\n      - "cellar/**"'))
    branch.declare(INTENTS, branch.read(INTENTS).replace("status: COMPLETED", "status: IN_PROGRESS"))
    branch.done(branch.agent().write("cellar/wine.py", "red = 1\n"))
    branch.commit()
    attest("main")
    squash(branch)
    assert levels(branch) == [("SCOPE_WIDENED", "warning"), ("INTENT_REOPENED", "warning")]
    assert all(f"Attested by Ada: {REASON}" in finding.message for finding in branch.judge().findings)


def test_a_squash_launders_no_line_that_nobody_attested(branch: Branch) -> None:
    """A scope by hand, then another line of the file by hand and attested: the scope is still nobody's."""
    branch.declare(INTENTS, branch.read(INTENTS).replace('- "src/**"', '- "src/**"\n      - "cellar/**"'))
    git(branch.root, "branch", "widened")
    attest_with_code(branch, branch.read(INTENTS) + "# More.\n")
    squash(branch)
    assert ("SCOPE_WIDENED", "error") in levels(branch)


def test_a_line_with_several_globs_is_vouched_for_by_no_later_change_of_it(branch: Branch) -> None:
    """Of a scope in one line, a squash can't tell which glob came in with the attested step."""
    narrow = 'owned_scope: ["docs/**"]\n'
    assert narrow in branch.read(INTENTS)
    wide = narrow.replace("]", ', "cellar/**"]')
    branch.declare(INTENTS, branch.read(INTENTS).replace(narrow, wide))
    git(branch.root, "branch", "widened")
    attest_with_code(branch, branch.read(INTENTS).replace(wide, wide.replace("\n", "  # rooms\n")))
    squash(branch)
    assert ("SCOPE_WIDENED", "error") in levels(branch)


def test_what_a_squash_can_not_tell_is_attested_once_more(branch: Branch) -> None:
    """An exclusion that is gone has no line that could say who took it out."""
    branch.declare(INTENTS, branch.read(INTENTS).replace('      - "!src/generated/**"\n', ""))
    attest("main")
    branch.commit()
    assert levels(branch) == [("SCOPE_WIDENED", "warning")]
    squash(branch)
    assert ("SCOPE_WIDENED", "error") in levels(branch)
    attest("main")
    branch.commit()
    assert levels(branch) == [("SCOPE_WIDENED", "warning")]
