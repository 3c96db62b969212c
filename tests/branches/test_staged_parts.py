"""`git add -p`: a part of the changes is staged, and judged by what records explain of it."""

from __future__ import annotations

import pytest

from tests.support.random_branches import Branch
from tests.support.workspaces import git

PATH = "src/part3.py"


def stage(branch: Branch, content: str, path: str = PATH) -> None:
    """Put a content into the index alone, as `git add -p` does."""
    whole = branch.read(path)
    branch.put(path, content)
    git(branch.root, "add", path, ".orchestration")
    branch.put(path, whole)


def codes(branch: Branch) -> list[str]:
    return [finding.code.value for finding in branch.judge("HEAD", staged=True).findings]


def edit_twice(branch: Branch, *, steps: bool) -> tuple[str, str]:
    """An agent changes lines 2 and 20, by one edit or by two; the first half of it, and all of it."""
    before = branch.read(PATH)
    half = before.replace("part3_line2 = 2\n", "part3_line2 = 'two'\n")
    whole = half.replace("part3_line20 = 20\n", "part3_line20 = 'twenty'\nmore = 1\n")
    if steps:  # the second line first, so that no record ever left the half
        branch.done(
            branch.agent().write(PATH, before.replace("part3_line20 = 20\n", "part3_line20 = 'twenty'\nmore = 1\n"))
        )
    branch.done(branch.agent().write(PATH, whole))
    return half, whole


@pytest.mark.parametrize("steps", [False, True])
def test_both_halves_of_an_edit_pass(branch: Branch, *, steps: bool) -> None:
    """First one hunk, then the other; and the branch as a whole."""
    half, whole = edit_twice(branch, steps=steps)
    stage(branch, half)
    assert codes(branch) == []
    git(branch.root, "commit", "--quiet", "--message", "First half")
    stage(branch, whole)
    assert codes(branch) == []
    git(branch.root, "commit", "--quiet", "--message", "Second half")
    assert branch.judge().findings == ()


def test_a_half_with_something_of_its_own_is_found(branch: Branch) -> None:
    """A line that the edit does not have, staged with it or instead of it."""
    half, whole = edit_twice(branch, steps=False)
    stage(branch, half + "by_hand = 1\n")
    assert codes(branch) == ["CONTENT_MISMATCH"]
    stage(branch, half.replace("'two'", "'three'"))
    assert codes(branch) == ["CONTENT_MISMATCH"]
    stage(branch, half)
    git(branch.root, "commit", "--quiet", "--message", "First half")
    stage(branch, whole.replace("'two'", "2"))  # takes the first half back, which no record does
    assert codes(branch) != []


def test_a_half_of_what_is_not_on_record_is_found(branch: Branch) -> None:
    """What is on the disk must be explained itself."""
    half, whole = edit_twice(branch, steps=False)
    branch.put(PATH, whole + "by_hand = 1\n")
    stage(branch, half)
    assert codes(branch) == ["CONTENT_MISMATCH"]


def test_a_half_out_of_scope_is_still_out_of_scope(branch: Branch) -> None:
    """A part of an edit breaks the rules that the edit breaks."""
    path = "notes/todo.txt"
    branch.run_shell(lambda: branch.put(path, "first\nnothing\nlast\n"))
    stage(branch, "first\nnothing\n", path)
    assert codes(branch) == ["SCOPE_VIOLATION"]
