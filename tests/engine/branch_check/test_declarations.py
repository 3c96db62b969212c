"""What the files of a branch declare: scopes, and the status that counts where a line was written by hand."""

from __future__ import annotations

import pytest

from intentls.engine.intents import intents_edit
from tests.support.random_branches import INTENTS_FILE, Branch
from tests.support.workspaces import git

DENY = "mode: enforce\nhitl: ask\nempty_scope: deny\n"


def codes(branch: Branch) -> list[str]:
    return sorted(finding.code.value for finding in branch.judge().findings)


def on_main(branch: Branch, path: str, content: str) -> None:
    """Declared before the branch begins."""
    git(branch.root, "switch", "--quiet", "main")
    branch.declare(path, content)
    git(branch.root, "switch", "--quiet", "-C", "work")


def test_a_scope_that_stays_is_not_wider_where_an_empty_scope_denies(branch: Branch) -> None:
    on_main(branch, ".orchestration/policy.yaml", DENY)
    branch.declare(INTENTS_FILE, branch.read(INTENTS_FILE) + "# A comment.\n")
    assert codes(branch) == []


@pytest.mark.parametrize(("policy", "expected"), [(DENY, ["SCOPE_WIDENED"]), ("mode: enforce\nhitl: ask\n", [])])
def test_a_scope_in_the_place_of_none_is_wider_where_an_empty_scope_denies(
    branch: Branch, policy: str, expected: list[str]
) -> None:
    """Else no scope is the whole workspace already."""
    on_main(branch, ".orchestration/policy.yaml", policy)
    bare = branch.read(INTENTS_FILE).replace('    owned_scope: ["docs/**"]\n', "")
    on_main(branch, INTENTS_FILE, bare)
    branch.declare(INTENTS_FILE, bare.replace("name: Explain\n", 'name: Explain\n    owned_scope: ["docs/**"]\n'))
    assert codes(branch) == expected


def reopen(branch: Branch) -> None:
    """By hand: INT-003 is closed at the base, and open for a while on the branch."""
    text = branch.read(INTENTS_FILE)
    branch.declare(INTENTS_FILE, text.replace("status: COMPLETED", "status: IN_PROGRESS"))
    branch.done(branch.agent("INT-003").write("prototype/more.py", "more = 1\n"))
    branch.commit()
    branch.declare(INTENTS_FILE, text)


def test_work_under_an_intent_that_was_opened_by_hand_for_a_while_is_work_under_a_closed_one(branch: Branch) -> None:
    """The version in which it is open is of nobody's record."""
    reopen(branch)
    assert codes(branch) == ["INTENT_CLOSED"]


def test_work_under_an_intent_that_was_opened_on_record_for_a_while_is_work_under_an_open_one(branch: Branch) -> None:
    intents_edit.change_status(branch.agent().engine, "INT-003", "IN_PROGRESS", "ada")
    branch.done(branch.agent("INT-003").write("prototype/more.py", "more = 1\n"))
    branch.commit()
    intents_edit.change_status(branch.agent().engine, "INT-003", "COMPLETED", "ada")
    branch.commit()
    assert codes(branch) == []
