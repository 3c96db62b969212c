"""Lines that say the same in another form."""

from __future__ import annotations

import pytest

from intentls.core.blame.line_form import SameLines, indentation_counts, same_lines


def same(old: list[bytes], new: list[bytes], *, is_indented: bool = False) -> list[SameLines]:
    return list(same_lines(old, new, is_indented=is_indented))


def test_the_example_of_the_module_is_what_it_says() -> None:
    """A line with other quotes, one that is broken in three, and one with a new word."""
    old = [b"total = f(a,'x')", b"call(first, second)", b"return total"]
    new = [b'total = f(a, "x")', b"call(", b"    first,", b"    second)", b"return total + 1"]
    assert same(old[:1], new[:1]) == [SameLines(0, 1, 0, 1)]
    assert same(old[1:2], new[1:4]) == [SameLines(0, 3, 0, 1)]
    assert same(old[2:], new[4:]) == []
    assert same([*old[:1], b"kept", *old[1:2]], [*new[:1], b"kept", *new[1:4]]) == [
        SameLines(0, 1, 0, 1),
        SameLines(1, 2, 1, 2),
        SameLines(2, 5, 2, 3),
    ]


@pytest.mark.parametrize(
    ("old", "new", "is_same"),
    [
        (b"a+b", b"a + b", True),
        (b"a + b", b"a - b", False),
        (b"return x", b"returnx", False),
        (b"f(a, b)", b"f(a)", False),
        (b"f( 'a  b' )", b'f("a  b")', True),
        (b"f('a  b')", b"f('a b')", False),
        (b"don't  stop", b"don't stop", True),
        (b"", b"   ", True),
        (b"", b"x", False),
    ],
)
def test_a_line_is_the_same_if_it_has_the_same_words_and_signs(old: bytes, new: bytes, is_same: bool) -> None:
    """White space between them is form, all else is not."""
    assert bool(same([old], [new])) is is_same


def test_indentation_is_form_only_where_it_says_nothing() -> None:
    """Of a single line, and of one that is broken."""
    assert same([b"x=1"], [b"  x = 1"]) and not same([b"x=1"], [b"  x = 1"], is_indented=True)
    assert same([b"  f(a,b)"], [b"  f(a,", b"    b)"], is_indented=True) == [SameLines(0, 2, 0, 1)]
    assert same([b"  f(a,b)"], [b"f(a,", b"    b)"], is_indented=True) == []
    assert same([b"x"], [], is_indented=True) == []


def test_the_name_of_a_file_says_whether_indentation_counts() -> None:
    """By its ending, or as a makefile."""
    assert [indentation_counts(path) for path in ("a/b.py", "a/Makefile", "a.ts", "py")] == [True, True, False, False]
