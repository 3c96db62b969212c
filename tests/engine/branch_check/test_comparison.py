"""Two states and what is between them: the versions that commits made of a file."""

from __future__ import annotations

from intentls.engine.branch_check.comparison import Comparison, ComparisonRequest, compare
from tests.support.random_branches import Branch
from tests.support.workspaces import git

PATH = "src/part3.py"


def oid(branch: Branch, revision: str, path: str = PATH) -> str:
    return git(branch.root, "rev-parse", f"{revision}:{path}")


def compared(branch: Branch, **request: bool) -> Comparison:
    return compare(branch.root, ComparisonRequest("main", **request))


def test_the_versions_of_a_file_are_those_of_the_branchs_commits(branch: Branch) -> None:
    """Oldest first; a path that no commit changed has none."""
    for text in ("one = 1\n", "two = 2\n"):
        branch.put(PATH, text)
        branch.commit()
    assert compared(branch).versions([PATH, "docs/guide.md"]) == {PATH: [oid(branch, "HEAD~1"), oid(branch, "HEAD")]}


def test_where_nothing_was_committed_there_are_no_versions(branch: Branch) -> None:
    branch.put(PATH, "one = 1\n")
    assert compared(branch, disk=True).versions([PATH]) == {}


def test_the_versions_of_both_sides_of_a_merge_under_way_count(branch: Branch) -> None:
    """This side's come first."""
    git(branch.root, "branch", "side")
    branch.put(PATH, "ours = 1\n")
    branch.commit()
    git(branch.root, "switch", "--quiet", "side")
    branch.put(PATH, "theirs = 1\n")
    branch.put("docs/guide.md", "# Theirs\n")
    branch.commit()
    git(branch.root, "switch", "--quiet", "work")
    git(branch.root, "merge", "--quiet", "--no-commit", "--no-ff", "--strategy-option", "ours", "side")
    comparison = compared(branch, staged=True)
    assert comparison.joined_id == git(branch.root, "rev-parse", "side")
    assert comparison.versions([PATH, "docs/guide.md"]) == {
        PATH: [oid(branch, "HEAD"), oid(branch, "side")],
        "docs/guide.md": [oid(branch, "side", "docs/guide.md")],
    }


def test_what_the_other_side_of_a_merge_has_as_well_is_no_change(branch: Branch) -> None:
    git(branch.root, "branch", "side")
    branch.put(PATH, "ours = 1\n")
    branch.commit()
    git(branch.root, "switch", "--quiet", "side")
    branch.put("docs/guide.md", "# Theirs\n")
    branch.commit()
    git(branch.root, "switch", "--quiet", "work")
    git(branch.root, "merge", "--quiet", "--no-commit", "--no-ff", "side")
    assert [change.path for change in compared(branch, staged=True).changed()] == [PATH]
    branch.put("docs/guide.md", "# Theirs, and more\n")
    assert [change.path for change in compared(branch, disk=True).changed()] == ["docs/guide.md", PATH]


def test_a_changed_path_has_what_was_there_and_what_is(branch: Branch) -> None:
    """None where there is nothing."""
    branch.put("src/new.py", "new = 1\n")
    (branch.root / PATH).unlink()
    changes = compared(branch, disk=True).changed()
    assert [(change.path, change.old is None, change.new is None) for change in changes] == [
        ("src/new.py", True, False),
        (PATH, False, True),
    ]
