"""Scope globs mean what minimatch takes them for, and no pattern and no path makes a decision slow.

The wide comparison with minimatch itself is in differential/; here stands what a reader should know by heart.
"""

from __future__ import annotations

import copy
import pickle
import re
from functools import cache, partial
from time import thread_time
from timeit import repeat

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from intentls.core.errors import InvalidGlob
from intentls.core.patterns.glob import MAX_LENGTH, Glob


@pytest.mark.parametrize(
    ("pattern", "hits", "misses"),
    [
        ("src/a.py", ["src/a.py"], ["src/a.pyc", "src/A.py", "x/src/a.py", "src", "src/a.py/b"]),
        ("src/*", ["src/a", "src/.env"], ["src/a/b.py", "src", "a"]),
        ("src/**", ["src/a", "src/a/b/.c"], ["src", "srcs/a", "a/src/b"]),
        ("**", ["a", ".git", "a/b/c"], [""]),
        ("**/*.py", ["a.py", ".py", "a/b/c.py"], ["a.pyc", "a.py/b"]),
        ("a/**/b", ["a/b", "a/x/b", "a/x/y/b"], ["ab", "a/bb", "a/b/c"]),
        ("a/**/**/b", ["a/b", "a/x/b"], ["a"]),
        ("**/a/b/**", ["a/b/c", "x/a/b/c/d", "x/y/z/a/b/c", "a/x/a/b/c"], ["a/b", "a/x/b/c"]),
        ("**/a/*/c", ["a/b/c", "x/y/a/b/c"], ["a/c", "a/b/b/c"]),
        ("a**b", ["ab", "axb"], ["a/b"]),
        ("***", ["a"], ["a/b"]),
        ("a//b", ["a/b"], ["a"]),
        ("?.py", ["a.py", "é.py"], [".py", "ab.py", "/.py"]),
        ("a?b", ["axb"], ["a/b", "ab"]),
        ("*a*b*", ["ab", "xaxbx"], ["ba", "a/b"]),
        ("*ab*ab", ["abab", "xabxab"], ["ab", "aab", "ababx"]),
        ("[a-c].py", ["a.py", "c.py"], ["d.py", "-.py"]),
        ("[!a-c].py", ["d.py", "-.py"], ["a.py", "/.py"]),
        ("[^a]", ["b", "^"], ["a"]),
        ("[]a]", ["]", "a"], ["[]a]"]),
        ("[!]a]", ["b"], ["]", "a"]),
        ("[a-]", ["a", "-"], ["b"]),
        ("[a", ["[a"], ["a"]),
        ("[a\\]b]", ["]", "a", "b"], ["\\"]),
        ("[a-\\c]", ["b"], ["\\"]),
        ("x[+-9]y", ["x0y", "x.y"], ["x/y"]),
        ("x[!a]y", ["x-y"], ["x/y", "xay"]),
        ("[z-a]b", [], ["ab", "zb", "b"]),
        ("[z-ac]", ["c"], ["a", "z"]),
        ("[*]", ["*"], ["a"]),
        ("[\\^]x", ["^x"], ["ax"]),
        ("{a,b}/{1..2}", ["a/1", "b/2"], ["a/3", "{a,b}/1"]),
        ("a/{,b}", ["a/b"], ["a", "a/"]),
        ("{a,b/c,**/d}", ["a", "b/c", "x/d"], ["b", "c"]),
        ("{x/**,y*}/z", ["x/a/z", "x/z", "yy/z"], ["y/a/z"]),
        ("\\*.py", ["*.py"], ["a.py"]),
        ("\\!a", ["!a"], ["a"]),
        ("\\#a", ["#a"], ["a"]),
        ("a\\", ["a\\"], ["a"]),
        ("a/./b", [], ["a/b", "a/./b"]),
        ("app/(group)/page.tsx", ["app/(group)/page.tsx"], ["app/group/page.tsx"]),
        ("a|b$.^", ["a|b$.^"], ["a", "b"]),
        ("a\nb", ["a\nb"], ["a"]),
        ("*.md", ["a\n.md"], ["a.md\n"]),
        ("**/*.md", ["a\nb/c.md"], ["a\nb/c"]),
        ("a/**", ["a/\n"], ["a\n"]),
    ],
)
def test_a_glob_matches_as_minimatch_does(pattern: str, hits: list[str], misses: list[str]) -> None:
    glob = Glob(pattern)
    assert [path for path in hits if not glob.matches(path)] == []
    assert [path for path in misses if glob.matches(path)] == []


@pytest.mark.parametrize(
    ("pattern", "advice"),
    [
        ("+(a|b)", "write braces: `{a,b}`"),
        ("src/?(a).py", "write braces"),
        ("*(a)", "write braces"),
        ("**(a)", "write braces"),
        ("@(a", "write braces"),
        ("x!(a)", "write braces"),
        ("{+,x}(a)", "write braces"),
        ("[[:alpha:]]*", "write a range, such as `[a-zA-Z]`"),
        ("/src/**", "write 'src/**'"),
        ("{/etc,src}/x", "write 'etc/x'"),
        ("./src/**", "write 'src/**'"),
        ("{.,src}/x", "write 'x'"),
        ("./.github/**", "write '.github/**'"),
        (".//./a/./b", "write 'a/./b'"),
        ("#a", "write `\\#`"),
        ("!a", "write `\\!`"),
        ("..", "without `..`"),
        ("../a", "without `..`"),
        ("a/../b", "without `..`"),
        ("a/..", "without `..`"),
        ("{a,..}/b", "without `..`"),
        ("a/\\.\\./b", "without `..`"),
        ("[.][.]/b", "without `..`"),
        ("src/", "write 'src/**'"),
        (".", "write `**`"),
        ("", "write `**`"),
        ("a\0b", "take it out"),
        ("a" * (MAX_LENGTH + 1), "write several globs"),
        ("{1..1001}", "write `*`, or several globs"),
        ("{a,b}" * 24, "write `*`, or several globs"),
        ("**/a/" * 201 + "b", "write several globs"),
        ("{" + ",".join("a/" * depth + "b" for depth in range(40)) + "}" + "/*c" * 300, "repeat too much text"),
        ("*\\.js", "write `[x]` for `\\x`"),
        ("?\\.js", "write `[x]` for `\\x`"),
        ("a*\\|b", "write `|`"),
        ("[\\^a]", "`[a^]`"),
    ],
    ids=lambda text: text[:20],
)
def test_what_minimatch_would_read_otherwise_is_refused_with_advice(pattern: str, advice: str) -> None:
    with pytest.raises(InvalidGlob, match=re.escape(advice)) as caught:
        Glob(pattern)
    assert caught.value.pattern == pattern
    assert len(str(caught.value)) < 400


def test_exactly_the_longest_pattern_and_the_most_alternatives_are_accepted() -> None:
    assert Glob("a" * MAX_LENGTH).matches("a" * MAX_LENGTH)
    assert Glob("packages/module-{1..1000}/src/**/*.py").matches("packages/module-1000/src/a/b.py")


@pytest.mark.parametrize(
    ("pattern", "path", "verdict"),
    [
        # minimatch counts UTF-16 code units: an emoji is two
        ("?", "é", True),
        ("?", "😀", False),
        ("??", "😀", True),
        ("😀*", "😀.py", True),
        ("[😀]", "😀", False),
        ("*/x", "😀/x", True),
        # bytes of a file name that are no UTF-8
        ("*.py", "\udcff.py", True),
        ("?.py", "\udcff.py", True),
        ("\udcff.py", "\udcff.py", True),
        ("a?c", "a\nc", True),
    ],
)
def test_a_character_is_a_utf16_unit_and_any_file_name_is_one(pattern: str, path: str, verdict: bool) -> None:
    assert Glob(pattern).matches(path) is verdict


@pytest.mark.parametrize(
    "pattern", ["**", "*", "*/**", "**/passwd", "a/**", "a/*", "**/*", "??", "a/.*", ".*/a", "[.]?"]
)
@pytest.mark.parametrize(
    "path", ["", "/", "/etc/passwd", "..", ".", "../a", "./a", "a/..", "a/../../b", "a/./b", "a/."]
)
def test_a_path_that_is_not_normalised_matches_nothing(pattern: str, path: str) -> None:
    """What points outside the root is never taken for something inside it."""
    assert not Glob(pattern).matches(path)


@pytest.mark.parametrize("path", ["...", "a/...", "a./b", "a/.b", "..a", "a/..b/c", ".a./b"])
def test_names_that_only_look_like_dot_segments_are_names(path: str) -> None:
    assert Glob("**").matches(path)


@pytest.mark.parametrize(
    ("pattern", "prefix"),
    [
        ("src/api/**", "src/api"),
        ("src/api/a.py", "src/api"),
        ("src/*/a.py", "src"),
        ("a.py", ""),
        ("**/a", ""),
        ("src/{a,b}/**", "src"),
        ("src/{a/x,a/y}/z", "src/a"),
        ("{src/a,docs/a}", ""),
        ("\\[a]/[*]/x", "[a]/*"),
        ("😀/é/*", "😀/é"),
        ("a/./b", ""),
    ],
)
def test_the_literal_prefix_is_the_directory_every_match_lies_below(pattern: str, prefix: str) -> None:
    assert Glob(pattern).literal_prefix == prefix


@pytest.mark.parametrize(
    ("pattern", "places"),
    [
        ("src/**", [("src", True)]),
        ("src/api/*.py", [("src/api", False)]),
        ("src/**/x", [("src", False)]),
        ("src/*/**", [("src", False)]),
        ("a.md", [("a.md", True)]),
        ("docs/\\[a].md", [("docs/[a].md", True)]),
        ("{a.md,b/?}", [("a.md", True), ("b", False)]),
        ("**", [("", False)]),
        ("*.py", [("", False)]),
    ],
)
def test_the_places_of_a_glob_are_the_paths_that_its_matches_share(
    pattern: str, places: list[tuple[str, bool]]
) -> None:
    """One for each alternative, and whether everything there matches."""
    assert sorted(Glob(pattern).places) == places


@pytest.mark.parametrize(
    ("pattern", "named"),
    [
        (".orchestration/*.yaml", True),
        (".orchestration/**", True),
        ("{.orchestration,a}/x", True),
        ("[.]orchestration/x", True),
        (".orchestration", True),
        ("**", False),
        ("*/x", False),
        (".orch*/x", False),
        ("a/.orchestration/x", False),
    ],
)
def test_a_first_segment_is_named_only_if_spelt_out(pattern: str, named: bool) -> None:
    assert Glob(pattern).names_first_segment(".orchestration") is named


def test_a_glob_is_a_value() -> None:
    """Equal patterns are equal globs, and a used glob can be copied and pickled."""
    glob = Glob("src/**")
    assert glob.matches("src/a")
    assert glob == Glob("src/**") == copy.deepcopy(glob) == pickle.loads(pickle.dumps(glob))
    assert len({glob, Glob("src/**"), Glob("src/*")}) == 2


# An independent definition, plain and slow, of the part of the language that decides how globs backtrack.
_NAMES = st.text("ab.", min_size=1, max_size=4).filter(lambda name: name not in {".", ".."})
_PATHS = st.lists(_NAMES, min_size=1, max_size=5)
_PARTS = st.lists(st.sampled_from(["a", "b", "*", "?", "."]), min_size=1, max_size=5).map("".join)
_ROWS = st.lists(st.one_of(_PARTS, st.just("**")), min_size=1, max_size=6).filter(
    lambda row: not {".", ".."} & set(row)
)


@cache
def _name_matches(part: str, name: str) -> bool:
    if not part:
        return not name
    if part[0] == "*":
        return _name_matches(part[1:], name) or (name != "" and _name_matches(part, name[1:]))
    return name != "" and part[0] in {"?", name[0]} and _name_matches(part[1:], name[1:])


def _path_matches(row: tuple[str, ...], names: tuple[str, ...]) -> bool:
    if not row:
        return not names
    if row[0] == "**":
        if len(row) == 1:
            return bool(names)
        return _path_matches(row[1:], names) or (bool(names) and _path_matches(row, names[1:]))
    return bool(names) and _name_matches(row[0], names[0]) and _path_matches(row[1:], names[1:])


@settings(max_examples=300)
@given(_ROWS, _PATHS)
def test_taking_the_leftmost_place_loses_no_match(row: list[str], names: list[str]) -> None:
    """The expression that never goes back agrees with a definition that tries everything."""
    collapsed = [part for part, before in zip(row, [None, *row], strict=False) if (part, before) != ("**", "**")]
    assert Glob("/".join(row)).matches("/".join(names)) == _path_matches(tuple(collapsed), tuple(names))


@given(st.lists(_ROWS, min_size=1, max_size=4), _PATHS)
def test_a_glob_with_braces_is_the_union_of_its_alternatives(rows: list[list[str]], names: list[str]) -> None:
    alternatives, path = ["/".join(row) for row in rows], "/".join(names)
    together = Glob("x/{" + ",".join([*alternatives, "!"]) + "}/y")
    assert together.matches(f"x/{path}/y") == any(Glob(f"x/{one}/y").matches(f"x/{path}/y") for one in alternatives)


@given(_ROWS, _PATHS)
def test_every_match_lies_below_the_literal_prefix(row: list[str], names: list[str]) -> None:
    glob, path = Glob("/".join(row)), "/".join(names)
    if glob.matches(path) and glob.literal_prefix:
        assert path.startswith(glob.literal_prefix + "/")


@pytest.mark.parametrize(
    ("pattern", "piece"),
    [
        ("**/a/" * 12 + "x", "a/"),
        ("**/*/" * 12 + "x", "a/"),
        ("*a" * 16, "a"),
        ("*a*" * 16 + "b", "a"),
        ("*?" * 16 + "b", "a"),
        ("**/*a*/" * 8 + "x", "aaa/"),
        ("**/*a*/" * 8 + "x", "a"),
        ("**/a/b/c", "a/b/"),
        ("{a,*a,**/a}" * 4 + "b", "a/"),
        ("**/{a,*a,a*}/" * 6 + "x", "a/"),
        ("a*" * 8 + "/**/" + "a*" * 8 + "/b", "aa/"),
    ],
)
def test_eight_times_the_path_is_at_most_about_eight_times_the_work(pattern: str, piece: str) -> None:
    """No glob backtracks its way through a path: that would cost 64 times as much, or end never."""
    glob = Glob(pattern)
    short, long = piece * 100 + "yz", piece * 800 + "yz"
    assert not glob.matches(short)
    assert not glob.matches(long)
    few, many = (
        min(repeat(partial(glob.matches, path), number=5, repeat=20, timer=thread_time)) for path in (short, long)
    )
    assert many < few * 8 * 4
