"""Brace expansion as npm's brace-expansion does it, and never more of it than a person could mean."""

from __future__ import annotations

import pytest

from intentls.core.errors import InvalidGlob
from intentls.core.patterns.braces import MAX_ALTERNATIVES, expand


@pytest.mark.parametrize(
    ("pattern", "alternatives"),
    [
        ("a", ["a"]),
        ("a{b,c}d", ["abd", "acd"]),
        ("{a,b}{c,d}", ["ac", "ad", "bc", "bd"]),
        ("a{b,c{d,e}}f", ["abf", "acdf", "acef"]),
        ("a{b,}", ["ab", "a"]),
        ("{a,a,b}", ["a", "b"]),
        ("{{a,b}}", ["{a}", "{b}"]),
        # sequences
        ("{1..3}", ["1", "2", "3"]),
        ("{3..1}", ["3", "2", "1"]),
        ("{1..7..3}", ["1", "4", "7"]),
        ("{7..1..-3}", ["7", "4", "1"]),
        ("{1..2..0}", ["1", "2"]),
        ("{-1..1}", ["-1", "0", "1"]),
        ("{01..10..4}", ["01", "05", "09"]),
        ("{-01..1}", ["-01", "000", "001"]),
        ("{a..e..2}", ["a", "c", "e"]),
        ("{[..]}", ["{[..]}"]),
        ("{Y..c}", ["Y", "Z", "[", "", "]", "^", "_", "`", "a", "b", "c"]),
        ("{a..1}", ["{a..1}"]),
        # no group
        ("{a}", ["{a}"]),
        ("{}", ["{}"]),
        ("{},a}b", ["{},a}b"]),
        ("a{},b}c", ["a}c", "abc"]),
        ("{a", ["{a"]),
        ("a}", ["a}"]),
        ("{a,b\n}", ["{a,b\n}"]),
        ("x${a,b}", ["x${a,b}"]),
        ("${a,b}{c,d}", ["${a,b}c", "${a,b}d"]),
        ("{${a,b}}", ["{${a,b}}"]),
        ("{a}{b,c}", ["{a}b", "{a}c"]),
        ("{a}{1..2}", ["{a}{1..2}"]),
        ("{a{b,c}", ["{ab", "{ac"]),
        ("{{a,b}", ["{a", "{b"]),
        # empty alternatives
        ("{,a}", ["a"]),
        ("x{,a}", ["x", "xa"]),
        ("{a,{,b}}", ["a", "b"]),
        ("x{a,{,b}}", ["xa", "x", "xb"]),
        ("{[..]}{,a}", ["{[..]}", "{[..]}a"]),
        ("{Z..a}{,b}", ["Z", "Zb", "[", "[b", "", "b", "]", "]b", "^", "^b", "_", "_b", "`", "`b", "a", "ab"]),
        # one layer of backslashes is taken off, but only beside braces
        (r"{a,b}\\*", [r"a\*", r"b\*"]),
        (r"a\\*", [r"a\\*"]),
        (r"{a\,b,c}", ["a,b", "c"]),
        (r"\{a,b}", ["{a,b}"]),
        (r"{x,y}\{a,b\}\.", ["x{a,b}.", "y{a,b}."]),
    ],
)
def test_braces_expand_as_in_minimatch(pattern: str, alternatives: list[str]) -> None:
    assert list(expand(pattern)) == alternatives


def test_exactly_a_thousand_alternatives_are_allowed_and_one_more_is_not() -> None:
    assert len(expand(f"{{1..{MAX_ALTERNATIVES}}}")) == MAX_ALTERNATIVES
    with pytest.raises(InvalidGlob, match="more than 1,000 alternatives"):
        expand(f"{{1..{MAX_ALTERNATIVES + 1}}}")


@pytest.mark.parametrize(
    "bomb",
    [
        "{a,b}" * 24,
        "{a,b}" * 800,
        "{" + "," * 4_000 + "}",
        "{1..99999999}",
        "{1..40}{1..40}",
        "{x,{1..600},{1..600}}",
        "{1..1000}" + "{1..1}" * 500,
        "{" * 60 + "a,b" + "}" * 60,
        "{" * 2_000 + "a,b" + "}" * 2_000,
        "{a," * 1_000 + "b" + "}" * 1_000,
        "{a}" * 1_300 + "{a,b}",
        "${a}" * 1_000,
        "{a,b" * 10 + "{1..1}" * 600,
        "{1..9}{1..99}" + "x" * 4_000,
        "{0" + "0" * 300 + "..999}",
        "{1..99999999999999999999}",
        "{9007199254740992..9007199254740993}",
    ],
    ids=lambda bomb: bomb[:24],
)
def test_a_brace_bomb_is_refused_before_it_grows(bomb: str) -> None:
    with pytest.raises(InvalidGlob, match="its braces"):
        expand(bomb)
