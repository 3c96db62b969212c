"""Encodings, byte order marks and line ends: what an edit must leave as it was."""

from __future__ import annotations

import codecs

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from intentls.core.errors import InvalidArgument
from intentls.core.text.encoding import TextFormat, newline_of, replace_content, replace_text

TEXTS = st.text(st.sampled_from("ab \n\r\té€𝄞\u2028\ufeff\0"), max_size=20)
ENCODED = st.sampled_from(["utf-8", "utf-8-sig", "utf-16", "utf-16-be"]).flatmap(
    lambda encoding: TEXTS.map(lambda text: text.encode(encoding))
)
FILES = (
    ENCODED
    | st.binary(max_size=30)
    | st.sampled_from([codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE]).flatmap(
        lambda bom: st.binary(max_size=8).map(lambda rest: bom + rest)
    )
)


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (b"", TextFormat("utf-8", b"", None)),
        (b"a\nb\n", TextFormat("utf-8", b"", "\n")),
        ("é\r\n".encode(), TextFormat("utf-8", b"", "\r\n")),
        ("é\r".encode("utf-8-sig"), TextFormat("utf-8", codecs.BOM_UTF8, "\r")),
        ("a\r\nb\n".encode("utf-16"), TextFormat("utf-16-le", codecs.BOM_UTF16_LE, None)),
        (codecs.BOM_UTF16_BE + "a\n".encode("utf-16-be"), TextFormat("utf-16-be", codecs.BOM_UTF16_BE, "\n")),
        ("é\n".encode("latin-1"), TextFormat("latin-1", b"", "\n")),
        (codecs.BOM_UTF8 + b"\xe9", TextFormat("latin-1", b"", None)),
        (codecs.BOM_UTF16_LE + b"a", TextFormat("latin-1", b"", None)),
        ("a".encode("utf-32"), TextFormat("latin-1", b"", None)),
    ],
)
def test_the_form_of_a_file_is_read_from_its_bytes(data: bytes, expected: TextFormat) -> None:
    """UTF-8 and UTF-16 are known by mark and content; what is neither is Latin-1, which fits any bytes."""
    assert TextFormat.of(data) == expected


@given(FILES)
def test_decoding_and_encoding_again_gives_the_same_bytes(data: bytes) -> None:
    """No byte of any file is lost on the way to text and back."""
    form = TextFormat.of(data)
    assert form.encode(form.decode(data)) == data


def test_mixed_line_ends_have_no_one_newline() -> None:
    """A CRLF is one line end, not two; several kinds are none."""
    assert newline_of("a\r\nb\r\n") == "\r\n"
    assert newline_of("a\rb\r") == "\r"
    assert newline_of("a\r\nb\n") is None
    assert newline_of("a\n\rb") is None
    assert newline_of("a") is None


@given(st.none() | FILES, TEXTS)
def test_what_is_written_is_read_back_as_the_same_text(before: bytes | None, text: str) -> None:
    """After a write a reader sees the new text, but for the file's own line ends and byte order mark."""
    data = replace_content(before, text)
    seen = TextFormat.of(data).decode(data).removeprefix("\ufeff")
    expected = text.removeprefix("\ufeff")
    assert seen in (expected, expected.removeprefix("\ufeff"), expected.replace("\n", "\r\n"))


@pytest.mark.parametrize(
    ("before", "text", "after"),
    [
        (None, "é\n", "é\n".encode()),
        (b"", "a\r\n", b"a\r\n"),
        (b"a\r\nb\r\n", "x\ny\n", b"x\r\ny\r\n"),
        (b"a\r\nb\r\n", "x\r\ny\n", b"x\r\ny\n"),
        (b"a\r\nb\n", "x\ny\n", b"x\ny\n"),
        (b"a\nb\n", "x\r\n", b"x\r\n"),
        ("é".encode("latin-1"), "ü", "ü".encode("latin-1")),
        ("é".encode("latin-1"), "€", "€".encode()),
        ("é".encode("latin-1"), "Ã©", "Ã©".encode()),
        ("a".encode("utf-16"), "é\n", "é\n".encode("utf-16")),
        ("a".encode("utf-16"), "\0", b"\0"),
        ("a".encode("utf-8-sig"), "b", "b".encode("utf-8-sig")),
        ("a".encode("utf-8-sig"), "\ufeffb", "b".encode("utf-8-sig")),
    ],
)
def test_new_content_keeps_encoding_mark_and_line_ends(before: bytes | None, text: str, after: bytes) -> None:
    """A rewritten file stays what it was, or turns UTF-8 if its encoding can't hold the text."""
    assert replace_content(before, text) == after


def test_a_lone_surrogate_is_refused() -> None:
    """No file can hold half a character: the message says which argument and where."""
    with pytest.raises(InvalidArgument, match=r"content: .*lone surrogate at character 1"):
        replace_content(b"a", "a\ud800")
    with pytest.raises(InvalidArgument, match=r"new_string: .*lone surrogate at character 0"):
        replace_text(b"a", "a", "\udc80", False)


@pytest.mark.parametrize(
    ("before", "old", "new", "after"),
    [
        (b"a b c", "b", "B", b"a B c"),
        (b"a\fb\r\nc\n", "b", "\u2028", "a\f\u2028\r\nc\n".encode()),
        (b"a\r\nb\r\n", "a\nb", "x\ny\nz", b"x\r\ny\r\nz\r\n"),
        (b"a\r\nb\r\n", "b", "x\ny", b"a\r\nx\r\ny\r\n"),
        (b"a\r\nb\r\n", "a\r\nb", "x\ny", b"x\ny\r\n"),
        (b"a\r\nb\r\n", "a\nb", "x\r\ny", b"x\r\ny\r\n"),
        (b"a\r\nb\r\n", "a\n", "", b"b\r\n"),
        (b"a\nb\r\n", "a\n", "x\n", b"x\nb\r\n"),
        ("é a".encode("latin-1"), "a", "ü", "é ü".encode("latin-1")),
        ("é a".encode("latin-1"), "é ", "", b"a"),
        ("é a\n".encode("utf-16"), "é", "€", "€ a\n".encode("utf-16")),
        ("é".encode("utf-8-sig"), "é", "a", "a".encode("utf-8-sig")),
        (b"a", "a", "\ufeffb", "\ufeffb".encode()),
    ],
)
def test_a_quoted_text_is_replaced_in_the_files_own_form(before: bytes, old: str, new: str, after: bytes) -> None:
    """Encoding, mark and line ends stay; in a CRLF file a quotation with LF is understood."""
    assert replace_text(before, old, new, False) == after


def test_all_occurrences_are_replaced_when_asked() -> None:
    """With replace_all each occurrence is replaced, from left to right."""
    assert replace_text(b"aaa b aa", "aa", "x", True) == b"xa b x"
    assert replace_text(b"a\r\na\r\n", "a\n", "b\n", True) == b"b\r\nb\r\n"


@pytest.mark.parametrize(
    ("before", "old", "reason"),
    [
        (b"abc", "", "is empty"),
        (b"abc", "x", "does not occur"),
        (b"a\r\nb\n", "a\nb", "does not occur"),
        (b"abcabc", "bc", "occurs 2 times"),
        (b"aaa", "aa", "occurs 2 times"),
        (b"a" * 99, "a", "occurs 99 times"),
        (b"a" * 100, "a", "occurs more than 99 times"),
    ],
)
def test_a_quotation_must_name_one_place(before: bytes, old: str, reason: str) -> None:
    """An empty, absent or ambiguous old_string is refused, and the message says which of these it is."""
    with pytest.raises(InvalidArgument, match=f"old_string: {reason}"):
        replace_text(before, old, "y", False)


def test_an_absent_quotation_is_refused_with_replace_all_too() -> None:
    """replace_all does not turn a misquotation into a silent success."""
    with pytest.raises(InvalidArgument, match="does not occur"):
        replace_text(b"abc", "x", "y", True)


@pytest.mark.parametrize("new", ["€", "Ã©"])
def test_a_character_that_the_encoding_lacks_is_refused(new: str) -> None:
    """A small edit never re-encodes the bytes around it, nor writes what would be read as other text."""
    with pytest.raises(InvalidArgument, match=r"new_string: .*encoding \(latin-1\)"):
        replace_text("é".encode("latin-1"), "é", new, False)


@given(FILES, st.data())
def test_bytes_outside_the_replaced_place_stay(before: bytes, data: st.DataObject) -> None:
    """Prefix and suffix of the file come out as they went in."""
    form = TextFormat.of(before)
    text = form.decode(before)
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, len(text)))
    assume(text[start - 1 : start + 1] != "\r\n")  # half a line end is read as a whole one
    try:
        after = replace_text(before, text[start:end], "NEW", False)
    except InvalidArgument:
        return
    assert after == form.encode(text[:start] + "NEW" + text[end:])
