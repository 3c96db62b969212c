"""Patches against git itself: what it writes is read and applied to the byte; what it refuses, we refuse."""

from __future__ import annotations

import os
import random
import shutil
import subprocess
from pathlib import Path

import pytest

from intentls.core.errors import HunkMismatch, InvalidPatch
from intentls.core.mutation.classes import Change
from intentls.core.patch.unified_diff import parse_patch

Tree = dict[str, tuple[bytes, int]]  # path -> content, permission bits

NAMES = [
    "plain",
    "with space",
    "a b/c",
    "b/b",
    "ä/€",
    'quote"d',
    "back\\slash",
    "tab\there",
    "new\nline",
    "-",
    "end ",
]
UTF8 = [
    b"a\n",
    b"b\n",
    b"\n",
    b"crlf\r\n",
    b"lone\rcr\n",
    b"\fform\n",
    "é \u2028\x85\n".encode(),
    b"-- x\n",
    b"+ y\n",
]
LATIN1 = [b"a\n", b"b\n", b"\n", b"caf\xe9\n", b"\xfc\r\n"]


def git(folder: Path, *arguments: str, stdin: bytes | None = None) -> subprocess.CompletedProcess[bytes]:
    """Run git in `folder`; the caller looks at the return code."""
    return subprocess.run(["git", *arguments], cwd=folder, input=stdin, capture_output=True, check=False)


def write_tree(repo: Path, tree: Tree) -> str:
    """Make the folder hold exactly `tree` and store it in git; the id of the stored tree."""
    git(repo, "rm", "-rfq", "--ignore-unmatch", ".")
    for name, (content, mode) in tree.items():
        path = repo / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
        path.chmod(mode)
    git(repo, "add", "-A")
    return git(repo, "write-tree").stdout.decode().strip()


def patched(tree: Tree, patch: str) -> Tree:
    """`tree` after `patch`, by our reading of it."""
    after = dict(tree)
    for file in parse_patch(patch):
        before, mode = after.pop(file.old_path or file.path, (None, 0o644))
        content = file.apply(before)
        assert (content is None) is (file.change is Change.DELETE)
        if content is not None:
            after[file.path] = (content, file.new_mode or mode)
    return after


def random_content(rnd: random.Random, lines: list[bytes]) -> bytes:
    """Some of `lines`, with repetitions and now and then an unfinished last one."""
    content = b"".join(rnd.choice([*lines, b"%d\n" % rnd.randrange(99)]) for _ in range(rnd.randrange(25)))
    return content + rnd.choice([b"", b"", b"unfinished"])


def random_edit(rnd: random.Random, content: bytes, lines: list[bytes]) -> bytes:
    """`content` with a few lines added, changed and removed."""
    edited = content.split(b"\n")
    for _ in range(rnd.randrange(1, 4)):
        at = rnd.randint(0, len(edited))
        fresh = [rnd.choice(lines)[:-1] for _ in range(rnd.randrange(4))]
        edited[at : at + rnd.randrange(3)] = fresh
    return b"\n".join(edited)


def random_change(rnd: random.Random, before: Tree, lines: dict[str, list[bytes]]) -> Tree:
    """`before` with some files edited, deleted, renamed, added or made executable."""
    after = dict(before)
    for name in before:
        content, mode = after[name]
        what = rnd.choice(["edit", "edit", "delete", "rename", "mode", "keep"])
        if what == "edit":
            after[name] = (random_edit(rnd, content, lines[name]), mode)
        elif what == "mode":
            after[name] = (content, 0o755 if mode == 0o644 else 0o644)
        elif what in ("delete", "rename"):
            del after[name]
        if what == "rename":
            after[f"moved {name}"] = (rnd.choice([content, random_edit(rnd, content, lines[name])]), mode)
    if rnd.random() < 0.5:
        after["added"] = (random_content(rnd, UTF8), rnd.choice([0o644, 0o755]))
    return after


@pytest.fixture
def repo(tmp_path: Path) -> Path:
    """An empty git repository."""
    git(tmp_path, "init", "-q")
    return tmp_path


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize(
    "options",
    [
        ["-M"],
        ["-U0", "-M30%"],
        ["-U1", "--no-prefix", "-M"],
        ["--no-renames", "--src-prefix=i/", "--dst-prefix=w/"],
    ],
    ids=" ".join,
)
def test_what_git_diff_writes_turns_the_old_tree_into_the_new(repo: Path, seed: int, options: list[str]) -> None:
    """Random trees and edits, odd names and bytes: each file comes out as git has it, byte for byte."""
    rnd = random.Random(f"{seed} {options}")
    quote = rnd.choice(["true", "false"])
    for _ in range(5):
        lines = {name: rnd.choice([UTF8, LATIN1]) for name in NAMES}
        before: Tree = {
            name: (random_content(rnd, lines[name]), rnd.choice([0o644, 0o755]))
            for name in rnd.sample(NAMES, rnd.randrange(1, 8))
        }
        after = random_change(rnd, before, lines)
        old, new = write_tree(repo, before), write_tree(repo, after)
        diff = git(repo, "-c", f"core.quotePath={quote}", "diff", "--no-color", *options, old, new).stdout
        text = diff.decode("utf-8", "surrogateescape")
        if text:
            assert patched(before, text) == after
            assert patched(before, text.removesuffix("\n")) == after
        else:
            assert before == after


def test_what_git_format_patch_writes_is_read(repo: Path) -> None:
    """A mail with message, statistics and signature is a patch, too."""
    write_tree(repo, {"f": (b"a\n", 0o644)})
    git(repo, "commit", "-qm", "one")
    write_tree(repo, {"f": (b"b\n", 0o644), "empty": (b"", 0o644)})
    git(repo, "commit", "-qm", "two\n\n- a list\n--- and a line")
    mail = git(repo, "format-patch", "--stdout", "-1").stdout.decode()
    assert patched({"f": (b"a\n", 0o644)}, mail) == {"f": (b"b\n", 0o644), "empty": (b"", 0o644)}


def test_binary_files_and_links_are_refused(repo: Path) -> None:
    """Binary patches, `Binary files differ` and symbolic links hold no text that a hunk could change."""
    empty = write_tree(repo, {})
    binary = write_tree(repo, {"f": (b"a\0b" * 20, 0o644)})
    (repo / "link").symlink_to("f")
    git(repo, "add", "-A")
    linked = git(repo, "write-tree").stdout.decode().strip()
    for options, reason in (
        (["--binary", empty, binary], "binary"),
        ([empty, binary], "binary"),
        ([binary, linked], "link"),
    ):
        with pytest.raises(InvalidPatch, match=reason):
            parse_patch(git(repo, "diff", *options).stdout.decode())


EPOCHS = [
    "1970-01-01 00:00:00.000000000 +0000",
    "1970-01-01 05:30:00.000000000 +0530",
    "1969-12-31 16:00:00 -0800",
    "1970-01-01 14:00:00 +14:00",
]
TIMES = [
    "1970-01-01 00:00:01.000000000 +0000",
    "1970-01-01 00:00:00.500000000 +0000",
    "1970-01-01 00:00:00.000000000 +0100",
    "1969-12-31 19:00:00 -0800",
    "1971-01-01 00:00:00 +0000",
    "2026-02-18 10:00:00.123456789 +0100",
]


@pytest.mark.parametrize("absent", ["old", "new"])
@pytest.mark.parametrize("time", EPOCHS + TIMES)
def test_a_plain_diffs_time_of_an_absent_file_means_what_it_means_to_git(
    tmp_path: Path, time: str, absent: str
) -> None:
    """The epoch in any zone says "no such file", every other time is only a time."""
    stamps = {"old": TIMES[-1], "new": TIMES[-1], absent: time}
    hunk = "@@ -0,0 +1 @@\n+x\n" if absent == "old" else "@@ -1 +0,0 @@\n-x\n"
    patch = f"--- a/f\t{stamps['old']}\n+++ b/f\t{stamps['new']}\n{hunk}"
    before = {"old": None if time in EPOCHS else b"", "new": b"x\n"}[absent]
    if before is not None:
        (tmp_path / "f").write_bytes(before)
    assert git(tmp_path, "apply", "-", stdin=patch.encode()).returncode == 0
    now = (tmp_path / "f").read_bytes() if (tmp_path / "f").exists() else None
    (file,) = parse_patch(patch)
    assert file.apply(before) == now
    assert (now is None) is (absent == "new" and time in EPOCHS)


@pytest.mark.skipif(not (shutil.which("diff") and shutil.which("patch")), reason="diff and patch are not installed")
@pytest.mark.parametrize("zone", ["UTC", "Asia/Kolkata", "America/New_York"])
def test_what_diff_writes_of_added_and_deleted_files_is_what_patch_and_git_make_of_it(
    tmp_path: Path, zone: str
) -> None:
    """`diff -ruN` of two directories: the new tree, file for file, with none that is empty instead of gone."""
    trees = {
        "a": {"kept": b"one\n", "gone": b"x\ny\n", "with space": b"1\n", "emptied": b"z\n", "d/deep": b"deep\n"},
        "b": {"kept": b"two\n", "new": b"n\n", "with space": b"2\n", "emptied": b"", "e/far": b"no end"},
    }
    for folder in ("a", "b", "patch", "git"):
        tree = trees.get(folder, trees["a"])
        for name, content in tree.items():
            (tmp_path / folder / name).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / folder / name).write_bytes(content)
    environment = {**os.environ, "TZ": zone}
    diff = subprocess.run(["diff", "-ruN", "a", "b"], cwd=tmp_path, env=environment, capture_output=True).stdout
    subprocess.run(["patch", "-p1", "-s"], cwd=tmp_path / "patch", input=diff, env=environment, check=True)
    assert git(tmp_path / "git", "apply", "-", stdin=diff).returncode == 0
    ours = patched({name: (content, 0o644) for name, content in trees["a"].items()}, diff.decode())
    assert {name: content for name, (content, _) in ours.items()} == trees["b"]
    for folder in ("patch", "git"):
        files = [path for path in (tmp_path / folder).rglob("*") if path.is_file()]
        assert {path.relative_to(tmp_path / folder).as_posix(): path.read_bytes() for path in files} == trees["b"]


def test_a_series_of_commits_is_refused_and_each_one_is_read(repo: Path) -> None:
    """`git log -p` and `git format-patch` write one diff for each commit; later ones build on earlier ones."""
    for content in (b"a\n", b"b\n", b"c\n"):
        write_tree(repo, {"f": (content, 0o644)})
        git(repo, "-c", "user.name=A", "-c", "user.email=a@example.org", "commit", "-qm", "x")
    for command in (["format-patch", "--stdout", "-2"], ["log", "-p", "-2"], ["show", "HEAD~1", "HEAD"]):
        with pytest.raises(InvalidPatch, match=r"another mail or commit: apply them one after the other"):
            parse_patch(git(repo, *command).stdout.decode())
        assert parse_patch(git(repo, "format-patch", "--stdout", "-1").stdout.decode())
    whole = git(repo, "diff", "HEAD~2", "HEAD").stdout.decode()
    assert patched({"f": (b"a\n", 0o644)}, whole) == {"f": (b"c\n", 0o644)}


def test_a_diff_of_two_files_outside_the_index_is_refused(tmp_path: Path) -> None:
    """It names two files, and git itself would look for another one than the person who made it."""
    (tmp_path / "old.txt").write_text("a\n")
    (tmp_path / "new.txt").write_text("b\n")
    diff = git(tmp_path, "diff", "--no-index", "old.txt", "new.txt").stdout.decode()
    with pytest.raises(InvalidPatch, match=r"'--no-index'.* write that one's name in all lines"):
        parse_patch(diff)
    assert patched({"new.txt": (b"a\n", 0o644)}, diff.replace("old.txt", "new.txt")) == {"new.txt": (b"b\n", 0o644)}


def unified(folder: Path, before: bytes, after: bytes) -> str:
    """The diff of two contents of `f`, as git writes it."""
    (folder / "old").write_bytes(before)
    (folder / "new").write_bytes(after)
    diff = git(folder, "diff", "--no-index", "--no-color", "old", "new").stdout.decode()
    return "--- a/f\n+++ b/f\n" + diff[diff.index("@@ ") :]


@pytest.mark.parametrize("seed", range(6))
def test_hunks_move_only_where_git_moves_them(tmp_path: Path, seed: int) -> None:
    """On content that has changed since: what git refuses is refused, and results are the same.

    All hunks have context around them: hunks at a file's edge may move here, while git nails them to it.
    Where git takes the nearest of several places, we refuse.
    """
    rnd = random.Random(seed)
    alphabet = [b"%d\n" % number for number in range(rnd.choice([4, 12, 1000]))]
    for _ in range(8):
        middle = b"".join(rnd.choice(alphabet) for _ in range(rnd.randrange(6, 20)))
        frame = [b"top %d\n" % number for number in range(5)], [b"end %d\n" % number for number in range(5)]
        top, end = b"".join(frame[0]), b"".join(frame[1])
        edited = random_edit(rnd, middle, alphabet).rstrip(b"\n") + b"\n"
        if edited == middle:
            continue
        patch = unified(tmp_path, top + middle + end, top + edited + end)
        now = rnd.choice([b"", b"more\n"]) + random_edit(rnd, top + middle + end, alphabet)
        (tmp_path / "f").write_bytes(now)
        accepted = git(tmp_path, "apply", "-", stdin=patch.encode()).returncode == 0
        (file,) = parse_patch(patch)
        try:
            after = file.apply(now)
        except HunkMismatch as error:
            assert not accepted or "several other places" in error.reason
        else:
            assert accepted
            assert after == (tmp_path / "f").read_bytes()
