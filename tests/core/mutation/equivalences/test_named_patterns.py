"""Patterns that are made once and have a name, and what only looks like one."""

from __future__ import annotations

import random

import pytest

from intentls.core.mutation.classes import MutationClass
from tests.core.mutation.mutants import mutants
from tests.core.mutation.repository import Repository, judged

REFACTOR, EVOLUTION = MutationClass.AST_REFACTOR, MutationClass.INTENT_EVOLUTION
PYTHON = "import re\n{}def f(x):\n    return {}, len(x) + 1\n"
SCRIPT = "import {{ h }} from 'h'\n{}export function f(x) {{ if (x > 1) {{ return {} }} }}\n"
JAVA = "import java.util.regex.Pattern;\nclass A {{ {} int f(String x) {{ return g({}) + 1; }} }}\n"
GO = 'package p\n\nimport "regexp"\n\n{}func f(x string) int {{ return g({}) + 1 }}\n'
Case = tuple[str, str, tuple[str, str], tuple[str, str]]
SAME: dict[str, Case] = {
    "of Python": ("a.py", PYTHON, ("", 're.match("a+", x)'), ('_A = re.compile("a+")\n', "_A.match(x)")),
    "of Python, with others": (
        "a.py",
        PYTHON,
        ("", 're.sub("a+", "b", x), re.search("c", x, re.I), re.split("d", x)'),
        (
            '_A = re.compile("a+")\n_B = re.compile("c", re.I)\n_C = re.compile("d")\n',
            '_A.sub("b", x), _B.search(x), _C.split(x)',
        ),
    ),
    "of JavaScript": (
        "a.js",
        SCRIPT,
        ("", "h(/a+/i.test(x), x.split(/b/), x.replace(/c/, 'd'))"),
        ("const A = /a+/i\nconst B = /b/\nconst C = /c/\n", "h(A.test(x), x.split(B), x.replace(C, 'd'))"),
    ),
    "of Java": (
        "A.java",
        JAVA,
        ("", 'x.matches("a+"), x.replaceAll("b", x), x.split("c"), x.matches("d")'),
        (
            "".join(
                f'private static final Pattern {name} = Pattern.compile("{text}"); '
                for name, text in (("K", "a+"), ("L", "b"), ("M", "c"))
            ),
            'K.matcher(x).matches(), L.matcher(x).replaceAll(x), M.split(x), Pattern.matches("d", x)',
        ),
    ),
    "of Java, with flags": (
        "A.java",
        JAVA,
        ("", 'Pattern.compile("a", Pattern.DOTALL).matcher(x).find()'),
        ('private static final Pattern K = Pattern.compile("a", Pattern.DOTALL);', "K.matcher(x).find()"),
    ),
    "of Go": (
        "a.go",
        GO,
        ("", 'regexp.MustCompile("a+").FindString(x)'),
        ('var word = regexp.MustCompile("a+")\n\n', "word.FindString(x)"),
    ),
}
OTHER: dict[str, Case] = {
    "another pattern": ("a.py", PYTHON, ("", 're.match("a+", x)'), ('_A = re.compile("a*")\n', "_A.match(x)")),
    "another method": ("a.py", PYTHON, ("", 're.match("a+", x)'), ('_A = re.compile("a+")\n', "_A.search(x)")),
    "other flags": ("a.py", PYTHON, ("", 're.match("a+", x)'), ('_A = re.compile("a+", re.I)\n', "_A.match(x)")),
    "a place in the text": (
        "a.py",
        PYTHON,
        ("", 're.match("a+", x, 1)'),
        ('_A = re.compile("a+")\n', "_A.match(x, 1)"),
    ),
    "flags of what takes them elsewhere": (
        "a.py",
        PYTHON,
        ("", 're.sub("a+", "b", x, re.I)'),
        ('_A = re.compile("a+", re.I)\n', '_A.sub("b", x)'),
    ),
    "a text that is computed": (
        "a.py",
        PYTHON,
        ("", "re.match(y(), x)"),
        ("_A = re.compile(y())\n", "_A.match(x)"),
    ),
    "another library": (
        "a.py",
        PYTHON.replace("import re", "import regex as re"),
        ("", 're.match("a+", x)'),
        ('_A = re.compile("a+")\n', "_A.match(x)"),
    ),
    "given to something": ("a.py", PYTHON, ("", 'g(re.compile("a+"))'), ('_A = re.compile("a+")\n', "g(_A)")),
    "one that goes on where it was": ("a.js", SCRIPT, ("", "/a+/g.test(x)"), ("const A = /a+/g\n", "A.test(x)")),
    "one that stays where it was": ("a.js", SCRIPT, ("", "/a+/y.test(x)"), ("const A = /a+/y\n", "A.test(x)")),
    "given to a function": ("a.js", SCRIPT, ("", "h(/a+/)"), ("const A = /a+/\n", "h(A)")),
    "one that has something of its own": ("a.js", SCRIPT, ("", "/a+/.seen"), ("const A = /a+/\n", "A.seen")),
    "flags that a text does not take": (
        "A.java",
        JAVA,
        ("", 'x.matches("a+")'),
        ('private static final Pattern K = Pattern.compile("a+", Pattern.DOTALL);', "K.matcher(x).matches()"),
    ),
    "another class": (
        "A.java",
        JAVA.replace("java.util", "org.util"),
        ("", 'x.matches("a+")'),
        ('private static final Pattern K = Pattern.compile("a+");', "K.matcher(x).matches()"),
    ),
    "one that others see": (
        "A.java",
        JAVA,
        ("", 'x.matches("a+")'),
        ('public static final Pattern K = Pattern.compile("a+");', "K.matcher(x).matches()"),
    ),
    "one of several variables": (
        "a.go",
        GO,
        ("", 'regexp.MustCompile("a+").FindString(x)'),
        ('var word, other = regexp.MustCompile("a+"), 1\n\n', "word.FindString(x)"),
    ),
    "what is made at once": (
        "a.go",
        GO,
        ("", 'regexp.MustCompile("a+").FindString(x)'),
        ('var word = regexp.MustCompilePOSIX("a+")\n\n', "word.FindString(x)"),
    ),
}


def _texts(case: Case) -> list[str]:
    _, around, *pairs = case
    return [around.format(*pair) for pair in pairs]


@pytest.mark.parametrize("name", SAME)
def test_a_pattern_with_a_name_is_what_it_is_without(name: str) -> None:
    path, texts = SAME[name][0], _texts(SAME[name])
    for pair in (texts, texts[::-1]):
        verdict = judged({path: (pair[0], pair[1])}, {})[path]
        assert verdict.mutation_class is REFACTOR, verdict.reasons
        assert "constants with a name of their own" in verdict.reasons


@pytest.mark.parametrize("name", OTHER)
def test_what_may_find_something_else_stays_behaviour(name: str) -> None:
    path, texts = OTHER[name][0], _texts(OTHER[name])
    for pair in (texts, texts[::-1]):
        assert judged({path: (pair[0], pair[1])}, {})[path].mutation_class is EVOLUTION


@pytest.mark.no_cover  # it looks for a wrong answer, in ways that other tests take
@pytest.mark.parametrize("name", SAME)
def test_no_behaviour_mutant_passes_beside_a_named_pattern(name: str) -> None:
    path, (before, after) = SAME[name][0], _texts(SAME[name])
    made = 0
    for mutant in mutants(after, random.Random(name), 30, path.rpartition(".")[2]):
        made += 1
        assert judged({path: (before, mutant.after)}, {})[path].mutation_class is EVOLUTION, mutant.after
    assert made > 3


def test_a_pattern_that_another_file_may_ask_for_keeps_its_name() -> None:
    before, after = _texts(SAME["of Python"])
    others = {"b.py": "from a import _A\n"}
    assert judged({"a.py": (before, after)}, others)["a.py"].mutation_class is EVOLUTION
    silent = Repository({}, can_search=False)
    assert judged({"a.py": (before, after)}, silent)["a.py"].mutation_class is EVOLUTION
