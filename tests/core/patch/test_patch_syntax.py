"""Reading a patch: names, headers, counts, and all that is refused."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from intentls.core.errors import InvalidPatch
from intentls.core.mutation.classes import Change
from intentls.core.patch.unified_diff import parse_patch

HEAD = "--- a/f\n+++ b/f\n"
HUNK = "@@ -1 +1 @@\n-a\n+b\n"
GIT = "diff --git a/f b/f\n"
EPOCH = "1970-01-01 00:00:00.000000000 +0000"
MAIL = f"From 0123456 Mon Sep 17 00:00:00 2001\nSubject: x\n---\n{GIT}{HEAD}{HUNK}-- \n2.39.5\n"
COMMIT = f"commit 0123456789\n\n{GIT}{HEAD}{HUNK}"


def paths(text: str) -> list[str]:
    """The paths that a patch names, old ones first where they differ."""
    return [path for file in parse_patch(text) for path in (file.old_path, file.path) if path]


@pytest.mark.parametrize(
    ("old", "new", "path"),
    [
        ("a/x", "b/x", "x"),
        ("x", "x", "x"),
        ("a/x", "a/x", "a/x"),
        ("src/x", "src/x", "src/x"),
        ("i/x", "w/x", "x"),
        ("1/x", "2/x", "x"),
        ("b/x", "a/x", "x"),
        ("a/my file\t", "b/my file\t", "my file"),
        ("a/x\r", "b/x\r", "x"),
        ("a/x\t2026-01-01\r", "b/x\t2026-01-02\r", "x"),
        ('"a/\\303\\244\\t\\"\\\\"', '"b/\\303\\244\\t\\"\\\\"', 'ä\t"\\'),
        ("a/x\tThu Jan 01 10:00:00 2026 +0000", "b/x\t2026/01/02 10:00:00\t1.5", "x"),
        ("x\t(revision 5)", "x\t(working copy)", "x"),
        ("x\t27 Feb 2003 18:50:00 -0000\t1.1", "x", "x"),
        ('"a/ä\\a"\t\r', '"b/ä\\a"\r', "ä\a"),
        ("a//abs", "b//abs", "/abs"),
        ("a/../x", "b/../x", "../x"),
    ],
)
def test_names_of_plain_diffs_are_read(old: str, new: str, path: str) -> None:
    """With git's prefixes or none, quoted or not; what the path means is judged elsewhere."""
    assert paths(f"--- {old}\n+++ {new}\n{HUNK}") == [path]


@pytest.mark.parametrize(
    ("header", "path"),
    [
        ("a/x b/x", "x"),
        ("x x", "x"),
        ("a/my file b/my file", "my file"),
        ("a/a b/a b/a b/a", "a b/a"),
        ("i/x w/x\r", "x"),
        ('"a/\\342\\202\\254" "b/\\342\\202\\254"', "€"),
    ],
)
def test_names_of_git_headers_are_read(header: str, path: str) -> None:
    """An empty new file is named by the `diff --git` line alone, spaces and all."""
    assert paths(f"diff --git {header}\nnew file mode 100644\n") == [path]


def test_names_of_renames_may_be_quoted() -> None:
    """`rename from` and `rename to` have no prefix; names that look like one with prefix stay whole."""
    text = 'diff --git "a/\\t" b/b/x\nrename from "\\t"\nrename to b/x\n--- "a/\\t"\n+++ b/b/x\n' + HUNK
    assert paths(text) == ["\t", "b/x"]


def test_text_around_a_patch_is_skipped() -> None:
    """What `git format-patch` writes around a diff is no part of it, nor is a byte order mark."""
    mail = (
        "From 1234 Mon Sep 17 00:00:00 2001\nSubject: [PATCH] x\n\n--- not a name\n---\n f | 2 +-\n\n"
        + GIT
        + "index 1..2 100644\n"
        + HEAD
        + HUNK
        + "-- \n2.39.5\n\n"
    )
    assert paths(mail) == ["f"]
    assert paths("\ufeff" + GIT + "old mode 100644\nnew mode 100755\n\n  \n") == ["f"]


def test_a_removed_line_may_look_like_a_header() -> None:
    """Inside a hunk the counts decide, so `--- a` can be a removed `-- a`."""
    (file,) = parse_patch(HEAD + "@@ -1,2 +1,2 @@\n--- a/g\n+++ b/g\n \n")
    assert file.apply(b"-- a/g\n\n") == b"++ b/g\n\n"


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "no unified diff"),
        ("hello\nworld\n", "no unified diff"),
        ("*** Begin Patch\n*** Update File: f\n@@\n-a\n+b\n*** End Patch\n", "no unified diff"),
        (" " + GIT + " --- a/f\n +++ b/f\n", "no unified diff"),
        (HUNK, "Line 1 of the patch belongs to no file"),
        ("+++ b/f\n" + HUNK, "Line 1 .* belongs to no file"),
        ("rename from a\nrename to b\n", "Line 1 .* belongs to no file"),
        ("new file mode 100644\n--- /dev/null\n+++ b/f\n@@ -0,0 +1 @@\n+x\n", "Line 1 .* belongs to no file"),
        ("Binary files a/f and b/f differ\n", "Line 1 .* belongs to no file"),
        (HEAD, "Line 3 .* must begin a hunk"),
        (HEAD + "hello\n", "Line 3 .* must begin a hunk"),
        (HEAD + "@@ -1 +1\n-a\n+b\n", "Line 3 .* is no hunk header"),
        (HEAD + "@@@ -1 -1 +1 @@@\n", "Line 3 .* is no hunk header"),
        (HEAD + "@@ -1234567890 +1 @@\n", "Line 3 .* is no hunk header"),
        (HEAD + "@@ -\u0661 +1 @@\n", "Line 3 .* is no hunk header"),
        (HEAD + "@@ -0 +1 @@\n-a\n+b\n", "Line 3 .* lines count from 1"),
        (HEAD + "@@ -1 +0 @@\n-a\n+b\n", "Line 3 .* lines count from 1"),
        (HEAD + "@@ -1,0 +1,0 @@\n", "Line 3 .* changes nothing"),
        (HEAD + "@@ -1,2 +1,2 @@\n a\n b\n", "Line 3 .* changes nothing"),
        (
            HEAD + "@@ -1,2 +1,2 @@\n-a\n+b\n",
            "Line 3 .* cut off: .* counts 1 old and 1 new lines more",
        ),
        (HEAD + "@@ -1 +1 @@\n-a\n", "Line 3 .* cut off: .* counts 0 old and 1 new"),
        (HEAD + "@@ -1,2 +1,2 @@\n-a\n+b\n" + GIT, "Line 6 .* is no line of a hunk .* line 3"),
        (HEAD + "@@ -1 +1 @@\n-a\n-b\n", "Line 5 .* one line more than the hunk's header at line 3"),
        (HEAD + "@@ -1 +1 @@\n-a\n c\n", "Line 5 .* one line more"),
        (HEAD + HUNK + "+c\n", "Line 6 .* belongs to no file and no hunk"),
        (HEAD + HUNK + " c\n", "Line 6 .* belongs to no file"),
        (HEAD + HUNK + "-- \n", "Line 6 .* belongs to no file"),
        (HEAD + HUNK + "hello\n", "Line 6 .* belongs to no file"),
        (HEAD + HUNK + "--- a/g\n", "Line 6 .* belongs to no file"),
        (HEAD + HUNK + "@@ -5\n", "Line 6 .* is no hunk header"),
        (HEAD + HUNK + "-- \n2.39.5\n+++ b/g\n", "Line 8 .* belongs to no file"),
        (HEAD + "@@ -1 +1 @@\n\\ No newline at end of file\n-a\n+b\n", "Line 4 .* no line of the hunk"),
        (HEAD + HUNK + "\\ No newline\n\\ No newline\n", "Line 7 .* no line of the hunk"),
        (
            HEAD + "@@ -1,2 +1 @@\n-a\n\\ No newline\n-b\n+c\n",
            "Line 6 .* follows a line that has no line end",
        ),
        (HEAD + "@@ -1,1 +1,2 @@\n a\n\\ No newline\n+c\n", "Line 6 .* follows a line that has no line end"),
        (HEAD + "@@ -1 +1 @@\n-a\n+\ud800\n", "Line 5 .* lone surrogate"),
        ("--- /dev/null\n+++ /dev/null\n" + HUNK, "Line 2 .* names /dev/null, as does"),
        ("--- a/f\n+++ b/g\n" + HUNK, "Line 1 .* name two files; a rename needs .* the same name on both lines"),
        ("--- a/f\tg\n+++ b/f\tg\n" + HUNK, r"Line 1 .* a tab in its file name; write the name in quotes with \\t"),
        ("--- a/f\tg\t2026-01-01\n+++ b/f\tg\t2026-01-01\n" + HUNK, "Line 1 .* a tab in its file name"),
        ("--- a/f\n+++ b/f\tg\n" + HUNK, "Line 2 .* a tab in its file name"),
        ('--- "a/f"\tg\n+++ b/f\n' + HUNK, "Line 1 .* a tab in its file name"),
        ("--- f 2026-01-01 10:00:00 +0000\n+++ f\n" + HUNK, "Line 1 .* no tab separates"),
        ("--- f\t1970-01-01 00:00:00\n+++ f\n" + HUNK, "Line 1 .* may say that there is no such file; write /dev/null"),
        ("--- f\n+++ f\tThu Jan  1 00:00:00 1970\n@@ -1 +0,0 @@\n-a\n", "Line 2 .* may say that there is no such"),
        ("--- f\n+++ f\t(nonexistent)\n@@ -1 +0,0 @@\n-a\n", "Line 2 .* may say that there is no such"),
        (f"--- f\t{EPOCH}\n+++ f\t{EPOCH}\n" + HUNK, "Line 1 .* is to add 'f', but its hunks say otherwise"),
        (f"--- f\n+++ f\t{EPOCH}\n" + HUNK, "Line 1 .* is to delete 'f', but its hunks say otherwise"),
        (MAIL + MAIL, "Line 12 .* begins another mail or commit: apply them one after the other, or make one diff"),
        (MAIL + MAIL.replace("/f", "/g"), "Line 12 .* begins another mail or commit"),
        (COMMIT + COMMIT.replace("/f", "/g"), "Line 9 .* begins another mail or commit"),
        ("--- old/f\n+++ new/f\n" + HUNK, "Line 1 .* name two files"),
        ("--- a/\n+++ b/\n" + HUNK, "Line 1 .* name two files"),
        ("--- /dev/null\n+++ b/\n@@ -0,0 +1 @@\n+x\n", "Line 1 .* empty file name"),
        ("--- \n+++ b/f\n" + HUNK, "Line 1 .* empty file name"),
        ('--- "a/f\n+++ b/f\n' + HUNK, "Line 1 .* quotes don't close"),
        ('--- "a/f" x\n+++ b/f\n' + HUNK, "Line 1 .* text after the quoted file name"),
        ('--- a/f\n+++ "b/\\q"\n' + HUNK, r"Line 2 .* unknown escape \\q"),
        ('--- a/f\n+++ "b/\\477"\n' + HUNK, r"Line 2 .* unknown escape \\4"),
        ('--- "a/\\377"\n+++ "b/\\377"\n' + HUNK, "Line 1 .* not UTF-8"),
        ("--- a/\udcff\n+++ b/\udcff\n" + HUNK, "Line 1 .* not UTF-8"),
        (GIT + HEAD.replace("+++", "++") + HUNK, r"Line 3 .* must be the '\+\+\+ ' line"),
        (GIT, "Line 1 .* nothing after it changes this file"),
        (GIT + "index 1..2 100644\n", "Line 1 .* nothing after it changes"),
        (GIT + HUNK, "Line 5 .* hunks must follow '---'"),
        (GIT + "new mode 100755\nstrange header\n", "Line 3 .* belongs to no file"),
        (GIT + "new mode 100755\nnew mode 100755\n", "Line 3 .* says 'new mode' a second time"),
        (GIT + "copy from f\ncopy to g\n", "Line 2 .* copies a file"),
        (GIT + "index 1..2 100644\nGIT binary patch\nliteral 1\n", "Line 3 .* binary patch"),
        (GIT + "index 1..2 100644\nBinary files a/f and b/f differ\n", "Line 3 .* binary patch"),
        (
            GIT + "new file mode 120000\n",
            "Line 2 .* mode 120000: only regular files .* Leave this file out of the patch",
        ),
        (GIT + "index 1..2 160000\n" + HEAD + HUNK, "Line 2 .* mode 160000: only regular files"),
        (GIT + "old mode 100644\nnew mode 0x\n", "Line 3 .* mode 0x: only regular files"),
        (GIT + "new file mode 100644\ndeleted file mode 100644\n", "Line 1 .* both new and deleted"),
        (GIT + "rename from f\n" + HEAD + HUNK, "Line 1 .* rename without"),
        (GIT + "rename to f\n", "Line 1 .* rename without"),
        (GIT + "new file mode 100644\nrename from f\nrename to g\n", "Line 1 .* adds or deletes"),
        (GIT + 'rename from "f" x\nrename to g\n', "Line 1 .* text after the quoted"),
        ("diff --git a/f b/g\n" + HEAD + HUNK, "Line 1 .* must name one file twice.*--no-index.*write that one's name"),
        ("diff --git f\n" + HEAD + HUNK, "Line 1 .* must name one file twice"),
        ('diff --git "a/f" b/f\n' + HEAD + HUNK, "Line 1 .* must name one file twice"),
        ('diff --git "a/f" "b/f" x\n' + HEAD + HUNK, "Line 1 .* must name one file twice"),
        (GIT + "--- a/g\n+++ b/f\n" + HUNK, "Line 2 .* does not agree"),
        (GIT + "--- a/f\n+++ b/g\n" + HUNK, "Line 3 .* does not agree"),
        (GIT + "new file mode 100644\n" + HEAD + HUNK, "Line 3 .* does not agree"),
        (GIT + "deleted file mode 100644\n" + HEAD + HUNK, "Line 4 .* does not agree"),
        (GIT + "rename from f\nrename to g\n--- a/f\n+++ /dev/null\n" + HUNK, "Line 5 .* does not agree"),
        ("--- /dev/null\n+++ b/f\n" + HUNK, "Line 1 .* is to add 'f', but its hunks say otherwise"),
        ("--- a/f\n+++ /dev/null\n" + HUNK, "Line 1 .* is to delete 'f', but"),
        ("--- a/f\n+++ /dev/null\n" + 2 * "@@ -1 +0,0 @@\n-a\n", "Line 1 .* is to delete 'f', but"),
        (2 * (HEAD + HUNK), "Line 6 .* begins 'f' again"),
        (HEAD + HUNK + "diff --git a/g b/f\nrename from g\nrename to f\n", "Line 6 .* begins 'f' again"),
        (HEAD + HUNK + "diff --git a/f b/g\nrename from f\nrename to g\n", "Line 6 .* begins 'f' again"),
    ],
)
def test_what_is_not_wholly_understood_is_refused(text: str, reason: str) -> None:
    """The message names the line and says what is wrong; nothing of a patch is skipped in silence."""
    with pytest.raises(InvalidPatch, match=reason):
        parse_patch(text)


@given(st.lists(st.sampled_from([*GIT.splitlines(), *HEAD.splitlines(), *HUNK.splitlines(), "", " a", "\\ x"])))
def test_any_order_of_a_patchs_lines_is_read_or_refused(lines: list[str]) -> None:
    """No arrangement of lines raises anything but InvalidPatch."""
    try:
        files = parse_patch("\n".join(lines))
    except InvalidPatch:
        return
    assert {file.change for file in files} == {Change.MODIFY}


@given(st.sampled_from(["", GIT, HEAD, HEAD + "@@ -1 +1 @@\n"]), st.text(max_size=60))
def test_any_text_is_read_or_refused(head: str, text: str) -> None:
    """No text raises anything but InvalidPatch."""
    try:
        parse_patch(head + text)
    except InvalidPatch:
        return
