"""Codex's patch notation: every file that it names is found, and what can't be read is refused."""

from __future__ import annotations

import pytest

from intentls.core.errors import InvalidPatch
from intentls.core.patch.codex_patch import is_codex_patch, paths_in_patch


def patch(*lines: str) -> str:
    return "\n".join(["*** Begin Patch", *lines, "*** End Patch"])


def test_every_file_is_found_in_order_and_once() -> None:
    """Added, updated, moved and deleted ones, with any line ends."""
    text = patch(
        *("*** Add File: a b.py", "+x", "+", "*** Update File: c.py", "*** Move to: d.py", "@@ def f():", " x", "-y"),
        *("+z", "", "*** End of File", "*** Delete File: e.py", "*** Update File: c.py", "@@", "+q"),
    )
    wanted = ("a b.py", "c.py", "d.py", "e.py")
    assert paths_in_patch(text) == wanted == paths_in_patch("\n" + text.replace("\n", "\r\n") + "\n")
    assert is_codex_patch(text) and not is_codex_patch("--- a\n+++ b\n")


def test_a_line_that_may_be_a_header_is_judged_as_one() -> None:
    """Readers differ about blanks before a header: the file counts either way."""
    assert paths_in_patch(patch("*** Update File: a", " *** Delete File: b", "+*** Add File: no")) == ("a", "b")


@pytest.mark.parametrize(
    "text",
    [
        "",
        "*** Begin Patch\n*** End Patch",
        "*** Begin Patch\n*** Add File: a\n+x",
        "x\n" + patch("*** Delete File: a"),
        patch("*** Delete File: a", "*** Delete File: "),
        patch("+x"),
        patch("*** Delete File: a", "+x"),
        patch("*** Delete File: a", " *** Delete File: b"),
        patch("*** Add File: a", " x"),
        patch("*** Move to: b"),
        patch("*** Add File: a", "*** Move to: b"),
        patch("*** Copy File: a"),
        patch("*** Update File: a", "*** delete file: b"),
    ],
)
def test_what_the_notation_does_not_have_is_refused(text: str) -> None:
    """A line that nobody understands may name a file."""
    with pytest.raises(InvalidPatch):
        paths_in_patch(text)


def test_a_line_that_may_be_a_header_without_a_name_is_refused() -> None:
    """Where a tool might read a header, a name has to be there to be judged."""
    with pytest.raises(InvalidPatch, match="names no file"):
        paths_in_patch("*** Begin Patch\n*** Update File: a.py\n  *** Add File:  \n*** End Patch")
