"""Python in more or fewer words, and what only looks like that."""

from __future__ import annotations

import pytest

from intentls.core.mutation.classes import MutationClass
from tests.core.mutation.repository import judged

SAME = [
    # Collections.
    ("x = dict([(a, b) for a, b in c if a])", "x = {a: b for a, b in c if a}"),
    ("x = dict((a, getattr(b, a)) for a in c())", "x = {a: getattr(b, a) for a in c()}"),
    ("x = set([a for a in b])", "x = {a for a in b}"),
    ("x = tuple((*a, b))", "x = (*a, b)"),
    ("x = list([a, b])", "x = [a, b]"),
    ("x = dict({a: b})", "x = {a: b}"),
    ("x = set({a, b})", "x = {a, b}"),
    ("x = list(sorted(a))", "x = sorted(a)"),
    ('import re\nx = re.compile("a").sub("b", c)', 'import re\nx = re.sub("a", "b", c)'),
    ("x = set(a.c for a in b for d in a if d)", "x = {a.c for a in b for d in a if d}"),
    ("x = list(len(a) for a in b)", "x = [len(a) for a in b]"),
    ("x = dict(a=1, b=f())", "x = {'a': 1, 'b': f()}"),
    ("for a in [1, b]: f()", "for a in (1, b): f()"),
    ("x = [a for a in [b]]", "x = [a for a in (b,)]"),
    ("x = a not in [b, c]", "x = a not in (b, c)"),
    # Statements.
    ("def f(): raise ValueError()", "def f(): raise ValueError"),
    ("def f(): raise KeyError() from a", "def f(): raise KeyError from a"),
    ("with a as b:\n with c:\n  f()", "with a as b, c:\n f()"),
    ("async def f():\n async with a:\n  async with b:\n   g()", "async def f():\n async with a, b:\n  g()"),
    ("def f(a):\n if a: return None\n g()", "def f(a):\n if a: return\n g()"),
    ("import a\n'''B.'''\na()", "import a\na()"),
    ("def f():\n ...", "def f(): pass"),
    ("import pytest\n@pytest.fixture()\ndef a(): return 1", "import pytest\n@pytest.fixture\ndef a(): return 1"),
    ("import pytest\n@pytest.mark.b()\ndef a(): return 1", "import pytest\n@pytest.mark.b\ndef a(): return 1"),
    # Operators.
    ("x = 0 < a <= b", "x = 0 < a and a <= b"),
    ("x = (a and b) and c", "x = a and (b and c)"),
    ("def f(a):\n if a in b: return True\n return False", "def f(a): return a in b"),
    ("def f(a):\n if a is None or not b: return False\n return True", "def f(a): return not (a is None or not b)"),
    # `super`
    (
        "class A(B):\n @property\n def f(self): return super(A, self).f",
        "class A(B):\n @property\n def f(self): return super().f",
    ),
    (
        "def g():\n class A(B):\n  def f(self): return super(A, self).f()\n return A",
        "def g():\n class A(B):\n  def f(self): return super().f()\n return A",
    ),
    (
        "class A(B):\n @classmethod\n def f(cls): return super(A, cls).f()",
        "class A(B):\n @classmethod\n def f(cls): return super().f()",
    ),
    # Names that are given a value only to be used at once.
    (
        "def f(a):\n if a:\n  p = g()\n  b(p)\n else:\n  p = h()\n  b(p)",
        "def f(a):\n if a:\n  p = g()\n  b(p)\n else:\n  q = h()\n  b(q)",
    ),
    ("# -*- coding: utf-8 -*-\nx = dict()\n", "x = {}"),
]
OTHER = [
    ("x = list((a, b))", "x = (a, b)"),
    ("x = tuple([a, b])", "x = [a, b]"),
    ("x = tuple(b for b in a)", "x = [b for b in a]"),
    ("x = list(sorted(a))", "x = list(a)"),
    ("list = f\nx = list([a])", "list = f\nx = [a]"),
    ('import regex as re\nx = re.compile("a").match(b)', 'import regex as re\nx = re.match("a", b)'),
    ("x = dict([(a, f(a)) for a in c])", "x = {a: f(a) for a in c}"),
    ("x = list(next(a) for b in c)", "x = [next(a) for b in c]"),
    ("len = b\nx = set(len(a) for a in c)", "len = b\nx = {len(a) for a in c}"),
    ("dict = a\nx = dict(b=1)", "dict = a\nx = {'b': 1}"),
    ("x = dict(a, b=1)", "x = {'b': 1}"),
    ("x = dict(**a)", "x = {}"),
    ("x = dict([a for a in b])", "x = {a: a for a in b}"),
    ("x = dict((*a, b) for a in c)", "x = {a: b for a in c}"),
    ("x = list([a for a in b])", "x = [b for a in b]"),
    ("x = list(a)", "x = [a]"),
    ("x = list(a, b)", "x = [a, b]"),
    ("x = set(a)", "x = {a}"),
    ("x = set()", "x = {}"),
    ("x = a in [b, c]", "x = a in {b, c}"),
    ("x = [b, c]", "x = (b, c)"),
    ("x = a == [b, c]", "x = a == (b, c)"),
    ("x = {a async for a in b}", "x = {a for a in b}"),
    ("def f(): raise A()", "def f(): raise A"),
    ("ValueError = A\ndef f(): raise ValueError()", "ValueError = A\ndef f(): raise ValueError"),
    ("def f(): raise ValueError(a)", "def f(): raise ValueError"),
    ("def f(): raise UnicodeDecodeError()", "def f(): raise UnicodeDecodeError"),
    ("with a:\n with b:\n  f()\n g()", "with a, b:\n f()\n g()"),
    ("async def f():\n async with a:\n  with b:\n   g()", "async def f():\n async with a, b:\n  g()"),
    ("with a, b: f()", "with b, a: f()"),
    ("class A:\n x = 1\n 'B.'", "class A:\n x = 1"),
    ("import a\nf'{a()}'\nx = 1", "import a\nx = 1"),
    ("@fixture()\ndef a(): return 1", "@fixture\ndef a(): return 1"),
    ("@pytest.fixture()\ndef a(): return 1", "@pytest.fixture\ndef a(): return 1"),
    (
        "import pytest\npytest = b\n@pytest.fixture()\ndef a(): return 1",
        "import pytest\npytest = b\n@pytest.fixture\ndef a(): return 1",
    ),
    ("import pytest\n@pytest.b()\ndef a(): return 1", "import pytest\n@pytest.b\ndef a(): return 1"),
    ("import pytest\n@pytest.fixture(a)\ndef a(): return 1", "import pytest\n@pytest.fixture\ndef a(): return 1"),
    ("x = 0 < a() <= b", "x = 0 < a() and a() <= b"),
    ("x = 0 < a.b <= c", "x = 0 < a.b and a.b <= c"),
    ("x = a and b or c", "x = a and (b or c)"),
    ("def f(a):\n if a == b: return True\n return False", "def f(a): return a == b"),
    ("def f(a):\n if a: return True\n return False", "def f(a): return a"),
    ("def f(a):\n if a < b < c: return True\n return False", "def f(a): return a < b < c"),
    (
        "class A(B):\n @c\n def f(self): return super(A, self).f()",
        "class A(B):\n @c\n def f(self): return super().f()",
    ),
    (
        "class A(B):\n def f(self): return super(A, self).f()\nA = g(A)",
        "class A(B):\n def f(self): return super().f()\nA = g(A)",
    ),
    (
        "@c\nclass A(B):\n def f(self): return super(A, self).f()",
        "@c\nclass A(B):\n def f(self): return super().f()",
    ),
    (
        "class C:\n class A(B):\n  def f(self): return super(A, self).f()",
        "class C:\n class A(B):\n  def f(self): return super().f()",
    ),
    (
        "def f(a):\n if a:\n  p = g()\n  b(p)\n else:\n  p = h()\n  b(p)\n c(p)",
        "def f(a):\n if a:\n  p = g()\n  b(p)\n else:\n  q = h()\n  b(q)\n c(p)",
    ),
    (
        "def f(a):\n p = g()\n b(p)\n p = h()\n b(a, p, p)\n c(p)",
        "def f(a):\n b(g())\n p = h()\n b(a, p, p)\n c(p)\n",
    ),
]


@pytest.mark.parametrize(("before", "after"), SAME)
def test_python_in_other_words_is_a_refactor(before: str, after: str) -> None:
    for old, new in ((before, after), (after, before)):
        verdict = judged({"a.py": (f"{old}\n", f"{new}\n")})["a.py"]
        assert verdict.mutation_class is MutationClass.AST_REFACTOR, verdict.reasons


@pytest.mark.parametrize(("before", "after"), OTHER)
def test_python_that_says_something_else_stays_behaviour(before: str, after: str) -> None:
    for old, new in ((before, after), (after, before)):
        verdict = judged({"a.py": (f"{old}\n", f"{new}\n")})["a.py"]
        assert verdict.mutation_class is MutationClass.INTENT_EVOLUTION, verdict.reasons
