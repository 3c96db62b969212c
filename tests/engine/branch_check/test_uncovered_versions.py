"""Which versions of a file no record explains, and which of their lines are new."""

from __future__ import annotations

from intentls.engine.branch_check.comparison import ComparisonRequest, compare
from intentls.engine.branch_check.root_check import open_root_check
from intentls.engine.branch_check.uncovered_versions import UncoveredVersion
from tests.support.random_branches import Branch
from tests.support.workspaces import git

PATH = "src/part3.py"


def uncovered(branch: Branch, path: str = PATH, *, disk: bool = False) -> list[UncoveredVersion]:
    comparison = compare(branch.root, ComparisonRequest("main", disk=disk))
    changes = [change for change in comparison.changed() if change.path == path]
    with open_root_check(comparison, "") as check:
        return check.uncovered(changes, "Ada")[path]


def lines_changed(branch: Branch, *numbers: int, text: str = "by_hand") -> str:
    """The file with these lines (from 1) of a person's."""
    lines = branch.read(PATH).splitlines(keepends=True)
    for number in numbers:
        lines[number - 1] = f"{text}{number} = 1\n"
    return "".join(lines)


def test_each_commit_is_a_version_with_the_lines_that_it_changed(branch: Branch) -> None:
    """The lines of the commit alone, each of them, and who made it."""
    branch.put(PATH, lines_changed(branch, 2, 3, 4))
    first = branch.commit()
    branch.put(PATH, lines_changed(branch, 10))
    second = branch.commit()
    versions = uncovered(branch)
    assert [(one.commit, one.lines, one.author) for one in versions] == [
        (first, (2, 3, 4), "Ada Test"),
        (second, (10,), "Ada Test"),
    ]
    assert versions[1].before == (versions[0].after,)


def test_what_is_not_committed_is_a_version_of_whoever_asks(branch: Branch) -> None:
    branch.put(PATH, lines_changed(branch, 2, 3))
    (version,) = uncovered(branch, disk=True)
    assert (version.commit, version.author, version.lines) == ("", "Ada", (2, 3))


def test_a_new_file_is_new_in_all_its_lines(branch: Branch) -> None:
    branch.put("src/new.py", "one = 1\ntwo = 2\n")
    branch.commit()
    (version,) = uncovered(branch, "src/new.py")
    assert (version.before, version.lines) == ((None,), (1, 2))


def test_of_a_merge_the_lines_are_new_that_neither_side_has(branch: Branch) -> None:
    """And each side counts as what was there before."""
    git(branch.root, "branch", "side")
    branch.put(PATH, lines_changed(branch, 2, text="ours"))
    branch.commit()
    git(branch.root, "switch", "--quiet", "side")
    branch.put(PATH, lines_changed(branch, 9, text="theirs"))
    branch.commit()
    git(branch.root, "switch", "--quiet", "work")
    git(branch.root, "merge", "--quiet", "--no-commit", "--no-ff", "side")
    branch.put(PATH, lines_changed(branch, 20, 21, text="merged"))
    merge = branch.commit()
    version = next(one for one in uncovered(branch) if one.commit == merge)
    assert version.lines == (20, 21)
    assert len(version.before) >= 2


def test_lines_that_an_agent_recorded_are_not_among_them(branch: Branch) -> None:
    branch.done(branch.agent().edit(PATH, "part3_line1 = 1\n", "agents = 1\n"))
    branch.put(PATH, lines_changed(branch, 20))
    branch.commit()
    (version,) = uncovered(branch)
    assert version.lines == (20,)
