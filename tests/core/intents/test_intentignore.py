"""`.intentignore` speaks gitignore, as git does, and takes intents out of use.

The wide comparison with git itself is in differential/; here stands what a reader should know by heart.
"""

from __future__ import annotations

import copy
import subprocess
import sys
from collections.abc import Callable
from functools import partial
from time import thread_time
from timeit import repeat

import pytest

from intentls.core.intents.intentignore import IgnoreRules


def ignored(text: str, *paths: str) -> list[str]:
    rules = IgnoreRules.parse([text])
    return [path for path in paths if rules.excludes_path(path)]


def work(call: Callable[[], object]) -> float:
    """The least processor time that `call` was seen to take, so that a busy machine makes no difference."""
    return min(repeat(call, number=2, repeat=8, timer=thread_time))


def test_an_intent_line_takes_that_intent_out_of_use() -> None:
    rules = IgnoreRules.parse(["# on hold\nintent: INT-003\n  intent:INT-004   # until May\n", "intent: INT-005\r\n"])
    assert rules.intents == {"INT-003", "INT-004", "INT-005"}
    assert rules.excludes_intent("INT-003")
    assert not rules.excludes_intent("INT-00")
    assert not rules.excludes_path("intent: INT-003")


@pytest.mark.parametrize("line", ["intent:", "intent: A B", "intents: A", "\\intent: A"])
def test_a_line_that_names_no_single_intent_is_a_pattern(line: str) -> None:
    assert IgnoreRules.parse([line]).intents == frozenset()


def test_without_rules_nothing_is_ignored() -> None:
    assert not IgnoreRules().excludes_path("a/b")
    assert not IgnoreRules.parse(["", "\n# only a comment\n\n"]).excludes_path("a")


def test_the_last_file_has_the_last_word() -> None:
    rules = IgnoreRules.parse(["secrets/*\n", "!secrets/public.txt\n"])
    assert rules.excludes_path("secrets/key")
    assert not rules.excludes_path("secrets/public.txt")


@pytest.mark.parametrize(
    ("text", "hits", "misses"),
    [
        ("*.log", ["a.log", "x/y/.log"], ["a.logs"]),
        ("build", ["build", "x/build", "build/a/b"], ["builds"]),
        ("build/", ["build/a", "x/build/a"], ["build"]),
        ("/build", ["build", "build/a"], ["x/build"]),
        ("a/b", ["a/b", "a/b/c"], ["x/a/b"]),
        ("src/**/", ["src/a/b"], ["src/a", "src"]),
        ("src/**", ["src/a", "src/a/b"], ["src"]),
        ("**/a", ["a", "x/a"], ["xa"]),
        ("a/**/b", ["a/b", "a/x/y/b"], ["ab"]),
        ("/**", ["a", "a/b"], []),
        ("**", ["a", "a/b"], []),
        ("**/", ["a/b"], ["a"]),
        ("a**b", ["ab", "axb", "d/ab"], ["a/b"]),
        ("foo**/bar", ["foobar", "foox/bar", "foo/x/bar"], ["xfoo/bar", "foo/barx"]),
        ("foo**/**/**/bar", ["foobar", "foo/x/bar"], ["bar"]),
        ("/foo**", ["foo", "foobar/x"], ["fo"]),
        ("foo**\\/bar", ["foo/bar", "foox/y/bar"], ["foobar"]),
        ("**\\/bar", ["x/bar"], ["bar"]),
        ("a\\/b", ["a/b"], ["x/a/b"]),
        ("*/b", ["a/b"], ["b", "x/a/b"]),
        ("x/*/*.c", ["x/y/z.c"], ["x/z.c", "x/y/w/z.c"]),
        ("?", ["a", "x/a"], ["ab", "é"]),
        ("??", ["é", "ab"], ["a"]),
        ("[a-c]", ["b"], ["d", "-"]),
        ("[!a]", ["b"], ["a"]),
        ("[^a]", ["b"], ["a"]),
        ("[]a]", ["]", "a"], ["b"]),
        ("[!]a]", ["b"], ["]", "a"]),
        ("[a-]", ["a", "-"], ["b"]),
        ("[z-a]", ["z"], ["a", "b"]),
        ("[\\]]", ["]"], ["\\"]),
        ("[a-\\c]", ["b"], ["\\"]),
        ("x[+-9]y", ["x0y"], ["x/y"]),
        ("x[a/]y", ["xay"], ["x/y"]),
        ("[[:digit:]x]", ["1", "x"], ["a", ":"]),
        ("[[:x]", ["[", ":", "x"], ["a"]),
        ("[[:digit:]-a]", ["-", "a", "1"], ["b"]),
        ("\\*", ["*"], ["a"]),
        ("\\#a", ["#a"], ["a"]),
        ("\\!a", ["!a"], ["a"]),
        ("#a", [], ["#a", "a"]),
        ("a  ", ["a"], ["a  "]),
        ("a\\ ", ["a "], ["a"]),
        ("a\\  ", ["a "], ["a", "a  "]),
        ("a\\\\ ", ["a\\"], ["a", "a\\ "]),
        ("a\t", ["a\t"], ["a"]),
        (" a", [" a"], ["a"]),
        ("a\r\nb\r\n", ["a", "b"], ["a\r"]),
        ("\ufeffa", ["a"], ["\ufeffa"]),
        ("*\n!a", ["b", "x/a"], ["a"]),
        ("*\n!*/\n!*.py", ["a", "x/a"], ["a.py", "x/a.py"]),
        ("a/*\n!a/b", ["a/c"], ["a/b", "a/b/c"]),
        ("!a\na", ["a"], []),
        # below an ignored directory nothing is taken back in
        ("a/\n!a/b", ["a/b"], []),
        ("a\n!a/b/c", ["a/b/c"], []),
        # git keeps these and never finds a match
        ("a\\", [], ["a", "a\\"]),
        ("[a", [], ["[a", "a"]),
        ("[a\\", [], ["a"]),
        ("[\\", [], ["\\"]),
        ("[[:none:]]", [], ["n", "[n]"]),
        ("[[::]]", [], [":", "[:]"]),
        ("/", [], ["a"]),
        ("//", [], ["a"]),
        ("a//b", [], ["a/b"]),
        ("!", [], ["a"]),
    ],
)
def test_a_pattern_means_what_git_takes_it_for(text: str, hits: list[str], misses: list[str]) -> None:
    assert ignored(text, *hits, *misses) == hits


def test_a_directory_is_asked_about_as_one() -> None:
    rules = IgnoreRules.parse(["build/\n*.d\n!keep.d/\n"])
    assert rules.excludes_path("build/")
    assert not rules.excludes_path("build")
    assert not rules.excludes_path("keep.d/")
    assert rules.excludes_path("keep.d")


@pytest.mark.parametrize("path", ["\udcff", "\ud83d", "a\nb", "\0", "", "/", "//a", "a/" * 2_000, "😀/\udcff"])
def test_a_hostile_path_gets_an_answer(path: str) -> None:
    assert not IgnoreRules.parse(["secret*\n**/x/**/y\n[[:alpha:]]z\n"]).excludes_path(path)


def test_bytes_of_a_file_name_that_are_no_utf8_are_single_characters() -> None:
    assert ignored("?.txt", "\udcff.txt", "é.txt") == ["\udcff.txt"]


def test_an_engine_that_a_machine_happens_to_have_is_not_used(monkeypatch: pytest.MonkeyPatch) -> None:
    """pathspec prefers RE2 where that is installed, which knows no atomic groups."""
    monkeypatch.setattr("pathspec._backends.agg._BEST_BACKEND", "re2")
    assert ignored("*.log", "a.log", "a") == ["a.log"]


def test_a_backslash_is_a_character_of_a_name_on_every_system(monkeypatch: pytest.MonkeyPatch) -> None:
    """On Windows pathspec takes it for a slash, unless it is given no separators."""
    monkeypatch.setattr("pathspec.util.NORMALIZE_PATH_SEPS", ["\\"])
    assert ignored("a/b", "a/b", "a\\b") == ["a/b"]


def test_only_a_pattern_loads_pathspec() -> None:
    """A hook starts anew for every tool call, mostly where there is no ignore file, or one that names intents."""
    program = """
import sys
from intentls.core.intents.intentignore import IgnoreRules
for text in ("", "# on hold\\n\\nintent: INT-003\\n", "a\\n"):
    print(IgnoreRules.parse([text]).excludes_path("a"), "pathspec" in sys.modules)
"""
    answer = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout
    assert answer.splitlines() == ["False False", "False False", "True True"]


def test_rules_are_a_value() -> None:
    rules = IgnoreRules.parse(["a\n"])
    assert rules.excludes_path("a")
    assert rules == IgnoreRules.parse(["a"]) == copy.deepcopy(rules)
    assert rules != IgnoreRules.parse(["b"])


@pytest.mark.parametrize(
    ("head", "piece", "tail"),
    [
        ("", "[", ""),
        ("[", "[:", "]"),
        ("[", "a-", "]"),
        ("a", " ", "b"),
        ("", "\\\\", " "),
        ("foo", "**/", "x"),
        ("foo", "**", "x"),
        ("", "*a", "b"),
    ],
)
def test_eight_times_the_line_is_at_most_about_eight_times_the_work_to_read(head: str, piece: str, tail: str) -> None:
    lines = [head + piece * times + tail for times in (500, 4_000)]
    few, many = (work(partial(ignored, line, "x")) for line in lines)
    assert many < few * 8 * 4


@pytest.mark.parametrize(("line", "piece"), [("**/a/" * 12 + "x", "aa/"), ("*a" * 16 + "b", "a"), ("/*a**" * 8, "a")])
def test_eight_times_the_name_is_at_most_about_eight_times_the_work(line: str, piece: str) -> None:
    rules = IgnoreRules.parse([line])
    short, long = ("d/" + piece.replace("/", "_") * times for times in (100, 800))
    assert not rules.excludes_path(long)
    few, many = (work(partial(rules.excludes_path, path)) for path in (short, long))
    assert many < few * 8 * 4
