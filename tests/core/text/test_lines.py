"""Lines: their ends, what changed, whose label they carry."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from intentls.core.text.lines import (
    Hunk,
    carry,
    diff,
    is_binary,
    split_lines,
    utf16_codec,
)

PIECES = ["a", "b", "x = 1", "\n", "\r\n", "\r", "\f", "\v", "\x1c", "\x85", "\u2028", "\u2029", "é", "𝄞"]
TEXTS = st.lists(st.sampled_from(PIECES), max_size=20).map("".join)
FILES = st.one_of(
    st.none(),
    st.binary(max_size=40),
    st.sampled_from(["utf-8", "utf-8-sig", "utf-16", "utf-16-be"]).flatmap(
        lambda encoding: TEXTS.map(lambda text: text.encode(encoding))
    ),
)


def test_only_newlines_and_carriage_returns_end_a_line() -> None:
    """A form feed, a vertical tab, NEL or U+2028 does not end a line; the last one may have no end."""
    text = "a\fb\vc\x1cd\x85\u2028e\u2029\nf\r\ng\rh".encode()
    assert split_lines(text) == ["a\fb\vc\x1cd\x85\u2028e\u2029\n".encode(), b"f\r\n", b"g\r", b"h"]


def test_an_empty_file_has_no_lines_and_empty_lines_count() -> None:
    """Nothing is no line; a line end alone is one."""
    assert split_lines(b"") == []
    assert split_lines(b"\n\r\n\r\r") == [b"\n", b"\r\n", b"\r", b"\r"]


@pytest.mark.parametrize("codec", ["utf-16-le", "utf-16-be"])
def test_utf_16_lines_are_those_of_its_text(codec: str) -> None:
    """In UTF-16 a line end is two bytes; a character such as U+0A0D, made of the same bytes, is none."""
    lines = ["\ufeffa\r\n", "\u0a0d\u0d0a\n", "b\r", "c"]
    data = "".join(lines).encode(codec)
    assert split_lines(data) == [line.encode(codec) for line in lines]
    assert not is_binary(data)


@given(st.binary(max_size=60) | FILES.map(lambda data: data or b""))
def test_the_lines_joined_are_the_file(data: bytes) -> None:
    """No byte is lost or moved, whatever the file holds."""
    assert b"".join(split_lines(data)) == data


def test_broken_utf_16_is_split_at_its_bytes() -> None:
    """A byte order mark with half a character behind it does no harm."""
    assert split_lines(b"\xff\xfea\n\x00") == [b"\xff\xfea\n", b"\x00"]


def test_a_nul_makes_a_file_binary_unless_it_is_utf_16() -> None:
    """Git's rule, with UTF-16 as text; a byte order mark of UTF-32 does not make UTF-16."""
    assert is_binary(b"a\0b")
    assert is_binary("a".encode("utf-32"))
    assert is_binary("a\n".encode("utf-16-le"))
    assert not is_binary("a\n".encode("utf-16"))
    assert not is_binary(b"")
    assert not is_binary(b"a" * 8000 + b"\0")
    assert utf16_codec(b"\xff\xfe\0\0") is None


def test_hunks_count_lines_like_a_diff_without_context() -> None:
    """Lines count from 1; where a side has no lines, its start is the line before."""
    assert diff(b"a\nb\nc\n", b"a\nB\nc\n") == (Hunk(2, 1, 2, 1),)
    assert diff(b"a\nc\n", b"a\nb\nc\n") == (Hunk(1, 0, 2, 1),)
    assert diff(b"a\nb\nc\n", b"a\nc\n") == (Hunk(2, 1, 1, 0),)
    assert diff(None, b"a\nb") == (Hunk(0, 0, 1, 2),)
    assert diff(b"a\nb", None) == (Hunk(1, 2, 0, 0),)


def test_equal_files_and_missing_ones_do_not_differ() -> None:
    """No change, no hunk: not between equal files, not between an empty one and none."""
    assert diff(b"a\n", b"a\n") == diff(None, None) == diff(None, b"") == diff(b"", b"") == ()


def test_a_line_end_is_part_of_its_line() -> None:
    """A final newline that is added, or a CRLF that becomes LF, changes the line."""
    assert diff(b"a\nb", b"a\nb\n") == (Hunk(2, 1, 2, 1),)
    assert diff(b"a\r\nb\n", b"a\nb\n") == (Hunk(1, 1, 1, 1),)


@given(FILES, FILES)
def test_old_lines_hunks_and_new_lines_rebuild_the_new_file(before: bytes | None, after: bytes | None) -> None:
    """The hunks are exact: outside of them old and new lines are the same bytes at the shifted place."""
    old, new = split_lines(before or b""), split_lines(after or b"")
    built: list[bytes] = []
    done = 0
    for hunk in diff(before, after):
        start = hunk.old_start - 1 if hunk.old_lines else hunk.old_start
        built += old[done:start]
        assert len(built) == (hunk.new_start - 1 if hunk.new_lines else hunk.new_start)
        built += new[len(built) : len(built) + hunk.new_lines]
        done = start + hunk.old_lines
    built += old[done:]
    assert b"".join(built) == (after or b"")


def test_untouched_lines_keep_their_label() -> None:
    """A label stays with its line when lines are added above, changed and removed."""
    before, after = b"a\nb\nc\nd\n", b"new\na\nB\nd\n"
    assert carry("wxyz", diff(before, after), "!") == ["!", "w", "!", "z"]
    assert carry(["w"], (), "!") == ["w"]


def test_hunks_that_reach_past_the_labels_are_refused() -> None:
    """Labels of another content than the hunks' are an error, not a guess."""
    with pytest.raises(ValueError, match=r"line 3.* 1 lines"):
        carry(["x"], (Hunk(2, 2, 2, 0),), "!")


@given(st.integers(0, 2**32))
def test_labels_follow_their_lines_through_any_edits(seed: int) -> None:
    """As in a model that moves each line with its label: random insertions and deletions, unique lines."""
    rnd = random.Random(seed)
    model = [(b"line %d\n" % number, 0) for number in range(rnd.randrange(12))]
    labels = [0] * len(model)
    for step in range(1, 5):
        before = b"".join(line for line, _ in model)
        for _ in range(rnd.randrange(4)):
            at = rnd.randint(0, len(model))
            fresh = [(b"new %d\n" % rnd.getrandbits(60), step) for _ in range(rnd.randrange(3))]
            model[at : at + rnd.randrange(3)] = fresh
        after = b"".join(line for line, _ in model)
        labels = carry(labels, diff(before, after), step)
        assert labels == [label for _, label in model]


def test_the_diff_of_contents_that_are_too_large_to_be_kept_is_the_same() -> None:
    long = b"a" * (4 * 1024 * 1024)
    assert diff(long, long + b"\nb") == diff(b"a", b"a\nb") == (Hunk(1, 1, 1, 2),)
