"""Texts of Python that are put together in one way or another, and those that only seem to say the same."""

from __future__ import annotations

import pytest

from intentls.core.mutation.classes import MutationClass
from tests.core.mutation.repository import judged

SAME = [
    # `format`
    ("x = '{} {a}{{'.format(b, a=c.d)", "x = f'{b} {c.d}{{'"),
    ("x = '{0:>10} {1!r}'.format(a, b)", "x = f'{a:>10} {b!r}'"),
    ("x = '{0} {0} {1}'.format(a, b)", "x = f'{a} {a} {b}'"),
    ("x = '{b} {a}'.format(a=c, b=d)", "x = f'{d} {c}'"),
    ("x = '{v.major}.{v.minor}{}'.format(1, v=a)", "x = f'{a.major}.{a.minor}{1}'"),
    ("x = '{.b.c}'.format(a())", "x = f'{a().b.c}'"),
    ("def f(a):\n b = str(a)\n return '{}{}'.format(b, g())", "def f(a):\n b = str(a)\n return f'{b}{g()}'"),
    ("x = '{}{}'.format(type(a).__name__, b())", "x = f'{type(a).__name__}{b()}'"),
    ("x = '{}{}'.format('a', f())", "x = f'{\"a\"}{f()}'"),
    ("x = '{}{}'.format(' '.join(a), f())", "x = f'{\" \".join(a)}{f()}'"),
    ("x = '{}{}'.format(a, len(b))", "x = f'{a}{len(b)}'"),
    ("x = '{} {}'.format(a, ' '.strip())", "x = f'{a} {\" \".strip()}'"),
    # `%`
    ("x = '%s: %r%%' % (str(a), b)", "x = f'{str(a)}: {b!r}%'"),
    ("x = '%s' % (a,)", "x = f'{a!s}'"),
    ("x = '%s{' % len(a)", "x = f'{len(a)}{{'"),
    ("x = '%a' % (a,)", "x = f'{ascii(a)}'"),
    (
        "def f(a):\n b = repr(a)\n c = b\n return '%s' % c",
        "def f(a):\n b = repr(a)\n c = b\n return f'{c}'",
    ),
    # f-strings
    ("x = f'{str(a)} {repr(b):>3}'", "x = f'{a!s} {b!r:>3}'"),
    ("x = f'{a.b!s}' + f'{len(a)!s}'", "x = f'{a.b!s}' f'{len(a)}'"),
    ("x = 'a' + 'b' + f'{c}'", "x = f'ab{c}'"),
    ("x = b'a' + b'b'", "x = b'ab'"),
    ("x = 'a' + f'{b}' + ''", "x = f'a{b}' + ''"),
]
OTHER = [
    # The value is written by `str`, or by itself.
    ("x = '%s' % (a,)", "x = f'{a}'"),
    ("x = f'{a!s}'", "x = f'{a}'"),
    ("x = str(a)", "x = f'{a}'"),
    ("def f(a):\n return '%s' % (a,)", "def f(a):\n return f'{a}'"),
    ("def f():\n for a in b:\n  c('%s' % (a,))", "def f():\n for a in b:\n  c(f'{a}')"),
    ("def f():\n a = str(b)\n a += c\n return '%s' % (a,)", "def f():\n a = str(b)\n a += c\n return f'{a}'"),
    (
        "def f():\n a = str(b)\n def a(): pass\n return '%s' % (a,)",
        "def f():\n a = str(b)\n def a(): pass\n return f'{a}'",
    ),
    (
        "def f():\n a = str(b)\n def g():\n  nonlocal a\n  a = c\n return '%s' % (a,)",
        "def f():\n a = str(b)\n def g():\n  nonlocal a\n  a = c\n return f'{a}'",
    ),
    (
        "def f():\n a = str(b)\n class A:\n  a = 1\n return [a for a in c], '%s' % (d,)",
        "def f():\n a = str(b)\n class A:\n  a = 1\n return [a for a in c], f'{d}'",
    ),
    ("str = a\nx = '%s' % (str(b),)", "str = a\nx = f'{str(b)}'"),
    ("str = a\nx = f'{str(b)}'", "str = a\nx = f'{b!s}'"),
    ("type = a\nx = '%s' % (type(b).__name__,)", "type = a\nx = f'{type(b).__name__}'"),
    ("x = '%s' % (a.b().__name__,)", "x = f'{a.b().__name__}'"),
    ("x = '%s' % (a.join(b),)", "x = f'{a.join(b)}'"),
    ("x = f'{str(a, b)}'", "x = f'{a!s}'"),
    ("x = f'{str(*a)}'", "x = f'{a!s}'"),
    ("x = f'{str(a for a in b)}'", "x = f'{b!s}'"),
    # A tuple is taken apart, and a mapping looked up.
    ("x = '%s' % a", "x = f'{a!s}'"),
    ("x = '%r' % a", "x = f'{a!r}'"),
    ("x = '%d' % (a,)", "x = f'{a}'"),
    ("x = '%5s' % (a,)", "x = f'{a!s}'"),
    ("x = '%s' % (*a,)", "x = f'{a!s}'"),
    ("x = '%s %s' % (a,)", "x = f'{a!s}'"),
    ("x = '%s' % (a, b)", "x = f'{a!s}'"),
    ("x = b'%s' % (a,)", "x = b'a'"),
    # What is computed later may change what is written earlier.
    ("x = '{} {}'.format(a, a.pop())", "x = f'{a} {a.pop()}'"),
    ("x = '%s %s' % (a, b())", "x = f'{a!s} {b()!s}'"),
    ("x = '{} {}'.format(a, ' '.join(b))", "x = f'{a} {\" \".join(b)}'"),
    ("x = '{} {}'.format(a, (b := c))", "x = f'{a} {(b := c)}'"),
    ("x = '{} {}'.format(f(), g())", "x = f'{f()} {g()}'"),
    ("x = '{b} {a}'.format(a=f(), b=g())", "x = f'{g()} {f()}'"),
    ("x = '{0} {0}'.format(f())", "x = f'{f()} {f()}'"),
    # Fields that say something else.
    ("x = '{} {}'.format(a)", "x = f'{a}'"),
    ("x = '{}'.format(a, b)", "x = f'{a}'"),
    ("x = '{'.format(a)", "x = f'{a}'"),
    ("x = '{}'.format(*a)", "x = f'{a}'"),
    ("x = '{a}'.format(**a)", "x = f'{a}'"),
    ("x = '{:{}}'.format(a, b)", "x = f'{a:{b}}'"),
    ("x = '{0[b]}'.format(a)", "x = f'{a[b]}'"),
    ("x = '\\x7b{}'.format(a)", "x = f'\\x7b{a}'"),
    ("class A:\n x = '{.__b}'.format(a)", "class A:\n x = f'{a.__b}'"),
    ("x = '{} {a}'.format(b, a=c)", "x = f'{c} {b}'"),
    ("x = f'{a}'.format(b)", "x = f'{a}{b}'"),
    ("x = '{a=}'.format(a=b)", "x = f'{b=}'"),
    ("x = a.format(b)", "x = f'{b}'"),
    ("x = '\\1' + '2'", "x = '\\12'"),
    ("x = 'a' + b'b'", "x = 'ab'"),
    ("x = a + 'b'", "x = 'b' + a"),
]


@pytest.mark.parametrize(("before", "after"), SAME)
def test_texts_in_other_words_are_a_refactor(before: str, after: str) -> None:
    for old, new in ((before, after), (after, before)):
        verdict = judged({"a.py": (f"{old}\n", f"{new}\n")})["a.py"]
        assert verdict.mutation_class is MutationClass.AST_REFACTOR, verdict.reasons


@pytest.mark.parametrize(("before", "after"), OTHER)
def test_texts_that_may_say_something_else_stay_behaviour(before: str, after: str) -> None:
    for old, new in ((before, after), (after, before)):
        verdict = judged({"a.py": (f"{old}\n", f"{new}\n")})["a.py"]
        assert verdict.mutation_class is MutationClass.INTENT_EVOLUTION, verdict.reasons
