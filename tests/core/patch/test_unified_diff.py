"""Applying a patch: which files it names, where its hunks fit, what bytes come out."""

from __future__ import annotations

import pytest

from intentls.core.errors import HunkMismatch, InvalidPatch
from intentls.core.mutation.classes import Change
from intentls.core.patch.unified_diff import FilePatch, parse_patch

HEAD = "--- a/f\n+++ b/f\n"
FILE = b"a\nb\nc\nd\ne\n"


def one(text: str) -> FilePatch:
    """The only file of a patch."""
    (file,) = parse_patch(text)
    return file


def applied(hunks: str, before: bytes) -> bytes | None:
    """`before` after a patch of one file that has only hunks."""
    return one(HEAD + hunks).apply(before)


def test_a_plain_diff_changes_a_file() -> None:
    """Names lose `a/` and `b/`, time stamps are ignored, the hunk replaces its lines."""
    file = one("--- a/src/x.py\t2026-01-01 10:00:00\n+++ b/src/x.py\t2026-01-02\n@@ -1,2 +1,2 @@ def f\n a\n-b\n+B\n")
    assert (file.change, file.path, file.old_path, file.new_mode) == (Change.MODIFY, "src/x.py", None, None)
    assert file.apply(FILE) == b"a\nB\nc\nd\ne\n"


def test_a_patch_of_many_files_keeps_their_order() -> None:
    """Add, delete, modify and rename, each with its own section, git's or plain."""
    files = parse_patch(
        "diff --git a/new b/new\nnew file mode 100755\nindex 0000000..e69de29\n--- /dev/null\n+++ b/new\n"
        "@@ -0,0 +1 @@\n+n\n"
        "diff --git a/gone b/gone\ndeleted file mode 100644\n--- a/gone\n+++ /dev/null\n@@ -1 +0,0 @@\n-g\n"
        "diff --git a/old name b/new name\nsimilarity index 50%\nrename from old name\nrename to new name\n"
        "--- a/old name\t\n+++ b/new name\t\n@@ -1 +1 @@\n-x\n+y\n"
        "\nIndex: f\n==========\ndiff -u a/f b/f\n" + HEAD + "@@ -1 +1 @@\n-a\n+A\n"
    )
    assert [(file.change, file.path, file.old_path, file.new_mode) for file in files] == [
        (Change.ADD, "new", None, 0o755),
        (Change.DELETE, "gone", None, None),
        (Change.RENAME, "new name", "old name", None),
        (Change.MODIFY, "f", None, None),
    ]
    new, gone, renamed, modified = files
    assert (new.apply(None), gone.apply(b"g\n"), renamed.apply(b"x\n")) == (b"n\n", None, b"y\n")
    assert modified.apply(b"a\n") == b"A\n"


@pytest.mark.parametrize(
    ("text", "expected", "before", "after"),
    [
        ("rename from f\nrename to dir/g\n", FilePatch(Change.RENAME, "dir/g", "f"), b"\xe9\0", b"\xe9\0"),
        ("old mode 100644\nnew mode 100755\n", FilePatch(Change.MODIFY, "f", new_mode=0o755), b"x", b"x"),
        ("new file mode 100644\nindex 0..e69\n", FilePatch(Change.ADD, "f", new_mode=0o644), None, b""),
        ("deleted file mode 100644\nindex e69..0\n", FilePatch(Change.DELETE, "f"), b"", None),
    ],
)
def test_git_headers_alone_are_a_change(
    text: str, expected: FilePatch, before: bytes | None, after: bytes | None
) -> None:
    """A pure rename, a new mode, an empty new file and an empty deleted one have no hunks."""
    file = one("diff --git a/f b/f\n" + text)
    assert file == expected
    assert file.apply(before) == after


def test_dev_null_makes_a_file_new_or_deleted_without_git_headers() -> None:
    """/dev/null says it, with and without a `diff --git` line, and even if git's mode lines were left out."""
    for head in ("", "diff --git a/f b/f\n"):
        added = one(head + "--- /dev/null\n+++ b/f\n@@ -0,0 +1 @@\n+x\n")
        assert (added.change, added.path) == (Change.ADD, "f")
        deleted = one(head + "--- a/f\n+++ /dev/null\n@@ -1 +0,0 @@\n-x\n")
        assert (deleted.change, deleted.path) == (Change.DELETE, "f")


@pytest.mark.parametrize(
    ("hunk", "before", "after"),
    [
        ("@@ -1 +1 @@\n-a\r\n+b\r\n", b"a\r\n", b"b\r\n"),
        ("@@ -1 +1 @@\n-a\n+b\r\n", b"a\n", b"b\r\n"),
        ("@@ -1,2 +1,2 @@\n a\rb\f\v\u2028\x1c\x85c\n-d\n+e\n", "a\rb\f\v\u2028\x1c\x85c\nd\n", None),
        ("@@ -1 +1 @@\n-a\n\\ No newline at end of file\n+a\n", b"a", b"a\n"),
        ("@@ -1 +1 @@\n-a\n+a\n\\ Kein Zeilenumbruch am Dateiende.\n", b"a\n", b"a"),
        ("@@ -1,2 +1,2 @@\n-a\n+b\n c\n\\ No newline at end of file\n", b"a\nc", b"b\nc"),
        ("@@ -1 +1 @@\n-a\n\\ No newline at end of file\n+b\n\\ No newline at end of file\n", b"a", b"b"),
        ("@@ -0,0 +1 @@\n+a\n", b"", b"a\n"),
        ("@@ -1,3 +1,2 @@\n a\n-b\n\n", b"a\nb\n\n", b"a\n\n"),
        ("@@ -1 +1 @@\n-a\n+b", b"a\n", b"b\n"),
        ("@@ -1 +1 @@\r\n-a\n+b\n", b"a\n", b"b\n"),
        ("@@ -2 +2 @@\n-b\n+B\n", FILE, b"a\nB\nc\nd\ne\n"),
        ("@@ -2,0 +3 @@\n+x\n", FILE, b"a\nb\nx\nc\nd\ne\n"),
        ("@@ -5,0 +6 @@\n+x\n", FILE, b"a\nb\nc\nd\ne\nx\n"),
        ("@@ -0,0 +1 @@\n+x\n", FILE, b"x\na\nb\nc\nd\ne\n"),
        ("@@ -4,2 +4 @@\n d\n-e\n@@ -1 +1 @@\n-a\n+A\n", FILE, b"A\nb\nc\nd\n"),
    ],
)
def test_the_result_is_exact_to_the_byte(hunk: str, before: bytes | str, after: bytes | None) -> None:
    """CRLF, lone carriage returns, form feeds, U+2028, missing line ends and hunks without context."""
    old = before.encode() if isinstance(before, str) else before
    expected = old.replace(b"d\n", b"e\n") if after is None else after
    assert applied(hunk, old) == expected


def test_a_hunk_may_sit_elsewhere_if_its_lines_occur_only_there() -> None:
    """Lines that were added or removed above do not make a patch stale."""
    hunk = "@@ -2,2 +2,2 @@\n b\n-c\n+C\n"
    assert applied(hunk, b"new\nnew\n" + FILE) == b"new\nnew\na\nb\nC\nd\ne\n"
    assert applied(hunk, b"b\nc\n") == b"b\nC\n"
    tail = "@@ -1,2 +1,2 @@\n-d\n+D\n e\n\\ No newline at end of file\n"
    assert applied(tail, b"a\nd\ne") == b"a\nD\ne"


def test_the_declared_place_wins_over_a_repeated_one() -> None:
    """Where the header is right, it does not matter how often the lines occur."""
    assert applied("@@ -3 +3 @@\n-a\n+A\n", b"a\na\na\na\n") == b"a\na\nA\na\n"


@pytest.mark.parametrize(
    ("hunk", "before", "reason"),
    [
        ("@@ -2 +2 @@\n-x\n+y\n", FILE, "not at line 2 and occur nowhere in the file"),
        ("@@ -9 +9 @@\n-a\n+y\n", b"a\nb\na\n", "occur at several other places"),
        ("@@ -1,2 +1,2 @@\n a\n-b \n+B\n", FILE, "occur nowhere"),
        ("@@ -5 +5 @@\n-e\n\\ No newline at end of file\n+E\n", FILE, "occur nowhere"),
        ("@@ -1 +1 @@\n-a\n\\ No newline at end of file\n+E\n", b"ba", "occur nowhere"),
        ("@@ -1 +1 @@\n-a\n+b\n", b"a", "occur nowhere"),
        ("@@ -1 +1 @@\n-a\n+b\n", b"aa\n", "occur nowhere"),
        ("@@ -1 +1 @@\n-a\r\n+b\r\n", b"a\n", "occur nowhere"),
        ("@@ -6,0 +7 @@\n+x\n", FILE, "adds after line 6, but the file has 5 lines"),
        ("@@ -1,0 +2 @@\n+x\n", b"a", "would join two lines"),
        ("@@ -1,2 +1,2 @@\n a\n-b\n+B\n\\ No newline at end of file\n", FILE, "would join two lines"),
        ("@@ -1,2 +1 @@\n-a\n b\n@@ -2,2 +1 @@\n-b\n c\n", FILE, "line 6 of the patch overlaps"),
    ],
)
def test_a_hunk_that_does_not_fit_makes_the_file_stale(hunk: str, before: bytes, reason: str) -> None:
    """There is no fuzz: not one byte of context may differ, and the place must be clear."""
    with pytest.raises(HunkMismatch, match=rf"f: the hunk at line \d of the patch.*{reason}|{reason}"):
        applied(hunk, before)


def test_files_must_exist_or_be_absent_as_the_patch_says() -> None:
    """A new file must not exist, any other must; and a deleted one must hold what the patch deletes."""
    add = one("--- /dev/null\n+++ b/f\n@@ -0,0 +1 @@\n+x\n")
    with pytest.raises(HunkMismatch, match="f: exists already"):
        add.apply(b"")
    with pytest.raises(HunkMismatch, match="f: does not exist, but the patch is to modify it"):
        one(HEAD + "@@ -1 +1 @@\n-a\n+b\n").apply(None)
    with pytest.raises(HunkMismatch, match="f: does not exist, but the patch is to rename it"):
        one("diff --git a/f b/g\nrename from f\nrename to g\n").apply(None)
    with pytest.raises(HunkMismatch, match="more lines than the patch deletes"):
        one("--- a/f\n+++ /dev/null\n@@ -1 +0,0 @@\n-a\n").apply(b"a\nb\n")
    with pytest.raises(HunkMismatch, match="more lines than the patch deletes"):
        one("diff --git a/f b/f\ndeleted file mode 100644\n").apply(b"a\n")


@pytest.mark.parametrize(
    ("encoding", "newline"), [("latin-1", "\n"), ("utf-16", "\n"), ("utf-8-sig", "\n"), ("utf-16", "\r\n")]
)
def test_a_file_keeps_its_encoding(encoding: str, newline: str) -> None:
    """The patch is text: it fits a Latin-1 or UTF-16 file that reads the same, and is written that way."""
    hunk = "@@ -1,2 +1,2 @@\n é\n-b\n+ü\n"
    before = newline.join(("é", "b", "")).encode(encoding)
    assert applied(hunk, before) == newline.join(("é", "ü", "")).encode(encoding)
    assert one("diff --git a/f b/g\nrename from f\nrename to g\n").apply(before) == before


def test_plain_context_does_not_change_the_encoding() -> None:
    """A new line is written in the file's encoding, even if the lines around it are ASCII."""
    assert applied("@@ -2 +2 @@\n-b\n+ü\n", "é\nb\n".encode("latin-1")) == "é\nü\n".encode("latin-1")


def test_a_character_that_the_files_encoding_lacks_is_refused() -> None:
    """No mixture of encodings is written."""
    with pytest.raises(InvalidPatch, match=r"f: the patch adds characters .* \(latin-1\)"):
        applied("@@ -1 +1,2 @@\n é\n+€\n", "é\n".encode("latin-1"))


def test_raw_bytes_of_the_patch_match_raw_bytes_of_the_file() -> None:
    """Git writes a Latin-1 file's bytes into its diff as they are: `surrogateescape` carries them."""
    assert applied("@@ -1,2 +1,2 @@\n \udce9\n-b\n+\udcfc\n", b"\xe9\nb\n") == b"\xe9\n\xfc\n"
    assert applied("@@ -1 +1,2 @@\n a\n+\udcfc\n", b"a\n\xe9\n") == b"a\n\xfc\n\xe9\n"
    assert applied("@@ -2 +2 @@\n-é\n+ü\n", b"\xe9\n\xc3\xa9\n") == b"\xe9\n\xc3\xbc\n"
    bom = "\ufeff"
    assert applied(f"@@ -1 +1 @@\n-{bom}a\n+a\n", f"{bom}a\n".encode()) == b"a\n"


def test_a_crlf_file_takes_a_patch_with_plain_line_ends() -> None:
    """As with editFile: the lines are the same but for their ends, and the file keeps its own."""
    hunk = "@@ -1,2 +1,3 @@\n a\n-b\n+x\n+y\n"
    assert applied(hunk, b"a\r\nb\r\n") == b"a\r\nx\r\ny\r\n"
    assert applied(hunk.replace("b", "\udcfc"), b"a\r\n\xfc\r\n") == b"a\r\nx\r\ny\r\n"
    with pytest.raises(HunkMismatch):
        applied(hunk, b"a\r\nb\n")
    with pytest.raises(HunkMismatch):
        applied(hunk.replace("x", "x\r"), b"a\r\nb\r\n")
