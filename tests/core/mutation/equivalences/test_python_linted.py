"""Python as linters write it, and what only looks like that."""

from __future__ import annotations

import pytest

from intentls.core.mutation.classes import MutationClass
from tests.core.mutation.repository import judged

SAME = [
    # Branches.
    ("if a:\n x = 1\nelse:\n x = 2", "x = 1 if a else 2"),
    ("if a:\n b.x = f()\nelse:\n b.x = g()", "b.x = f() if a else g()"),
    ("if not a: a = b\nf()", "a = a or b\nf()"),
    ("if not a: a = b or c\nf()", "a = a or b or c\nf()"),
    ("a = f()\nif a: g(a)", "if a := f(): g(a)"),
    ("a = f()\nif a is not None and b: g(a)", "if (a := f()) is not None and b: g(a)"),
    ("a = f()\nif not a: g(a)", "if not (a := f()): g(a)"),
    # Conditions.
    ("x = not (a and b or c)", "x = (not a or not b) and not c"),
    ("x = not (a or b not in c)", "x = not a and b in c"),
    ("x = True if a is b else False", "x = a is b"),
    ("x = False if a else True", "x = not a"),
    ("x = isinstance(a, b) or isinstance(a, c.d)", "x = isinstance(a, (b, c.d))"),
    ("x = isinstance(a.b, (c, d)) or isinstance(a.b, e) or f", "x = isinstance(a.b, (c, d, e)) or f"),
    ("x = a.startswith('b') or a.startswith(('c', 'd'))", "x = a.startswith(('b', 'c', 'd'))"),
    ("x = f or a.b.endswith('c') or a.b.endswith('d')", "x = f or a.b.endswith(('c', 'd'))"),
    ("if bool(a) and not not b: f()", "if a and b: f()"),
    ("x = not not a", "x = bool(a)"),
    ("x = [a for a in b if not not a.c]", "x = [a for a in b if a.c]"),
    ("def f(c):\n for a in c:\n  if not a.b or not a.d: return False\n return True",
     "def f(c): return all(a.b and a.d for a in c)"),
    ("def f(c):\n for a in c:\n  if not not a.b: return False\n return True",
     "def f(c): return all(not a.b for a in c)"),
    ("x = -1 == a and b'' != a.b and None is not c", "x = a == -1 and a.b != b'' and c is not None"),
    ("x = 'a' == b == c", "x = b == 'a' and b == c"),
    # What is thrown.
    ("try: f()\nexcept ValueError: raise\nelse: g()\nfinally: h()", "try:\n f()\n g()\nfinally: h()"),
    ("try: f()\nexcept (KeyError, OSError):\n raise\nexcept: raise\nelse: g()", "f()\ng()"),
    ("try: f()\nexcept BaseException: g()", "try: f()\nexcept: g()"),
    ("try: f()\nexcept (A,): g()", "try: f()\nexcept A: g()"),
    ("try: f()\nexcept (A,) as e: g(e)", "try: f()\nexcept A as e: g(e)"),
    ("def h():\n try: f()\n except A as e: g()", "def h():\n try: f()\n except A: g()"),
    # Members.
    ("x = getattr(a, 'b')", "x = a.b"),
    ("setattr(a.b, 'c', 1)\nf()", "a.b.c = 1\nf()"),
    ("class A(T):\n def f(self): self.assertEquals(a, 1)", "class A(T):\n def f(self): self.assertEqual(a, 1)"),
    # What is gone through.
    ("x = sorted(list(a))", "x = sorted(a)"),
    ("x = set(sorted(a))", "x = set(a)"),
    ("x = sum([a.b for a in c if a.d])", "x = sum(a.b for a in c if a.d)"),
    ("x = ', '.join([a for a in b])", "x = ', '.join(a for a in b)"),
    ("x = tuple([a, b])", "x = (a, b)"),
    ("x = list(filter(lambda a: a.b, c))", "x = [a for a in c if a.b]"),
    ("x = sorted(map(lambda a: a.b, c))", "x = sorted(a.b for a in c)"),
    # What is so anyway.
    ("for a in b:\n while a: break\n else: f()\nelse: g()", "for a in b:\n while a: break\n else: f()\ng()"),
    ("while a:\n def f():\n  for b in c: break\nelse: g()", "while a:\n def f():\n  for b in c: break\ng()"),
    ("for a in zip(b, strict=False): f()", "for a in zip(b): f()"),
    ("def f():\n global a, b, c\n b = 1\n d[0] = a", "def f():\n global b\n b = 1\n d[0] = a"),
    ("def f():\n g = lambda: 1\n return g() + g()", "def f():\n def g(): return 1\n return g() + g()"),
    ("x = os.getenv('a', None), os.environ.get('b', None)", "x = os.getenv('a'), os.environ.get('b')"),
    ("print('')\nf()", "print()\nf()"),
    ("x = open(a, 'r'), open(b, 'rt')", "x = open(a), open(b)"),
    ("x, y = 1, None\nf()", "x = 1\ny = None\nf()"),
    ("import a.b as c\nc()", "from a import b as c\nc()"),
]  # fmt: skip
OTHER = [
    ("def f():\n global json\n import json\ndef g(): return json", "def f():\n import json\ndef g(): return json"),
    ("x = bool(a) if b else c", "x = a if b else c"),
    ("x = [bool(a) for a in b if c]", "x = [a for a in b if c]"),
    ("for a in b:\n while c:\n  pass\n else: break\nelse: g()", "for a in b:\n while c:\n  pass\n else: break\ng()"),
    ("try: f()\nexcept* ValueError: raise", "f()"),
    ("try: f()\nexcept g(): raise", "f()"),
    ("x = list(filter(None, c))", "x = [a for a in c if None]"),
    ("x = list(map(lambda *a: a, c))", "x = [a for a in c]"),
    ("x = list(map(lambda: 1, c))", "x = [1 for a in c]"),
    ("x = list(map(lambda a: (a for b in a), c))", "x = [(a for b in a) for a in c]"),
    ("x = list(map(lambda a: a, *c))", "x = [a for a in c]"),
    ("x = not not a", "x = a"),
    ("x = bool(a, b)", "x = True if a else False"),
    ("def f():\n class A:\n  g = lambda: 1\n  g()", "def f():\n class A:\n  def g(): return 1\n  g()"),
    ("def f():\n g = lambda: (yield)\n g()", "def f():\n def g(): return (yield)\n g()"),
    ("def f():\n g = lambda: 1\n g()\n locals()", "def f():\n def g(): return 1\n g()\n locals()"),
    ("x = {} == a", "x = a == {}"),
    ("x = (1, 2) == a", "x = a == (1, 2)"),
    ("if a:\n x = 1\nelse:\n y = 2", "x = 1 if a else 2"),
    ("if a:\n f().x = 1\nelse:\n f().x = 2", "f().x = 1 if a else 2"),
    ("if a:\n x += 1\nelse:\n x += 2", "x = 1 if a else 2"),
    ("if a:\n x = 1\n y = 1\nelse:\n x = 2", "x = 1 if a else 2"),
    ("if a:\n x = 1\nelif b:\n x = 2", "x = 1 if a else 2"),
    ("if not a: b = c\nf()", "a = a or c\nf()"),
    ("if not a.b: a.b = c\nf()", "a.b = a.b or c\nf()"),
    ("if not a: a += b\nf()", "a = a or b\nf()"),
    ("a = f()\nif b and a: g(a)", "if b and (a := f()): g(a)"),
    ("a = f()\nif g(a): h(a)", "if a := f(): h(a)"),
    ("a = f()\nh()\nif a: g(a)", "h()\nif a := f(): g(a)"),
    ("a = f()\nwhile a: g(a)", "while a := f(): g(a)"),
    ("a = f()\nif b: g()\nelif a: g(a)", "if b: g()\nelif a := f(): g(a)"),
    ("x = not (a and b)", "x = not a and not b"),
    ("x = not (a == b)", "x = a != b"),
    ("x = True if a == b else False", "x = a == b"),
    ("x = True if a < b is c else False", "x = a < b is c"),
    ("x = True if a else True", "x = a"),
    ("x = isinstance(a, b) or isinstance(c, d)", "x = isinstance(a, (b, d))"),
    ("x = isinstance(a, b) and isinstance(a, d)", "x = isinstance(a, (b, d))"),
    ("x = isinstance(a(), b) or isinstance(a(), d)", "x = isinstance(a(), (b, d))"),
    ("x = isinstance(a, b) or isinstance(a, c())", "x = isinstance(a, (b, c()))"),
    ("isinstance = f\nx = isinstance(a, b) or isinstance(a, c)", "isinstance = f\nx = isinstance(a, (b, c))"),
    ("x = a.startswith('b') or a.startswith('c', 1)", "x = a.startswith(('b', 'c'))"),
    ("x = a.startswith(b) or a.startswith(c)", "x = a.startswith((b, c))"),
    ("x = a.startswith('b') or a.endswith('c')", "x = a.startswith(('b', 'c'))"),
    ("x = f() or g()", "x = f()"),
    ("try: f()\nexcept (A, B): g()", "try: f()\nexcept A: g()"),
    ("try: f()\nexcept A as e: g(e)", "try: f()\nexcept A: g(e)"),
    ("def h():\n e = 1\n try: f()\n except A as e: g()\n return e",
     "def h():\n e = 1\n try: f()\n except A: g()\n return e"),
    ("def h():\n try: f()\n except A as e: g(locals())", "def h():\n try: f()\n except A: g(locals())"),
    ("def h():\n with f() as e: g()", "def h():\n with f(): g()"),
    ("x = getattr(a, 'b', None)", "x = a.b"),
    ("x = getattr(a, '__b')", "x = a.__b"),
    ("x = getattr(a, 'b-c')", "x = a.b"),
    ("x = getattr(a, 'if')", "x = a.b"),
    ("x = getattr(a, b)", "x = a.b"),
    ("getattr = f\nx = getattr(a, 'b')", "getattr = f\nx = a.b"),
    ("x = setattr(a, 'b', 1)", "x = a.b"),
    ("x = getattr(*a, 'b')", "x = a.b"),
    ("class A(T):\n def f(self): a.assertEquals(b, 1)", "class A(T):\n def f(self): a.assertEqual(b, 1)"),
    ("class A(T):\n def assertEquals(self, a, b): g()\n def f(self): self.assertEquals(a, 1)",
     "class A(T):\n def assertEquals(self, a, b): g()\n def f(self): self.assertEqual(a, 1)"),
    ("x = list(sorted(a))", "x = list(a)"),
    ("x = tuple(sorted(a))", "x = tuple(a)"),
    ("x = any([f(a) for a in b])", "x = any(f(a) for a in b)"),
    ("x = sum([f(a) for a in b])", "x = sum(f(a) for a in b)"),
    ("x = c.join([a for a in b])", "x = c.join(a for a in b)"),
    ("x = ''.join([a for a in b], 1)", "x = ''.join((a for a in b), 2)"),
    ("x = tuple([a])", "x = (a)"),
    ("x = tuple(a)", "x = a"),
    ("x = a.get('b', None)", "x = a.get('b')"),
    ("os = f()\nx = os.getenv('b', None)", "os = f()\nx = os.getenv('b')"),
    ("print(' ')\nf()", "print()\nf()"),
    ("x = open(a, 'w')", "x = open(a)"),
    ("x, y = y, x\nf()", "x = y\ny = x\nf()"),
    ("x, y = 1\nf()", "x = 1\ny = 1\nf()"),
    ("a.x, y = 1, 2\nf()", "a.x = 1\ny = 2\nf()"),
    ("import a.b\na.b()", "from a import b\na.b()"),
    ("import a.b as a\na()", "from a import b as c\nc()"),
]  # fmt: skip


@pytest.mark.parametrize(("before", "after"), SAME)
def test_what_a_linter_writes_is_a_refactor(before: str, after: str) -> None:
    for old, new in ((before, after), (after, before)):
        verdict = judged({"a.py": (f"{old}\n", f"{new}\n")})["a.py"]
        assert verdict.mutation_class is MutationClass.AST_REFACTOR, verdict.reasons


@pytest.mark.parametrize(("before", "after"), OTHER)
def test_what_only_looks_like_a_linters_form_stays_behaviour(before: str, after: str) -> None:
    for old, new in ((before, after), (after, before)):
        verdict = judged({"a.py": (f"{old}\n", f"{new}\n")})["a.py"]
        assert verdict.mutation_class is MutationClass.INTENT_EVOLUTION, verdict.reasons
