"""Go in more or fewer words, and what only looks like that."""

from __future__ import annotations

import pytest

from intentls.core.mutation.classes import MutationClass
from tests.core.mutation.repository import judged

STRINGS, BYTES = 'import "strings"\n', 'import "bytes"\n'
SAME = [
    # Types that a literal repeats.
    ("var a = []T{T{1}, T{2}}", "var a = []T{{1}, {2}}"),
    ("var a = [2]T{0: T{1}}", "var a = [2]T{0: {1}}"),
    ('var a = map[string]*T{"b": &T{1}}', 'var a = map[string]*T{"b": {1}}'),
    ("var a = map[B]T{B{1}: T{2}}", "var a = map[B]T{{1}: {2}}"),
    # Slices.
    ("func f() { g(a[0:b], a[0:len(a)]) }", "func f() { g(a[:b], a[:]) }"),
    ("func f() { g(a[b:len(a)]) }", "func f() { g(a[b:]) }"),
    ("func f() { g(a[0:b:c]) }", "func f() { g(a[:b:c]) }"),
    # Variables and their types.
    ("func f() { var a int = 0; g(a, a) }", "func f() { var a int; g(a, a) }"),
    ("func f() { var a string; g(a, a) }", 'func f() { a := ""; g(a, a) }'),
    ("var a []T = nil", "var a []T"),
    ("var a bool = true", "var a = true"),
    ("var a float64 = 1.5", "var a = 1.5"),
    ("func f() { a = a + b }", "func f() { a += b }"),
    ("func f() { _ = g(); _, _ = h.i() }", "func f() { g(); h.i() }"),
    ("func f() { a := make([]string, 0); g(a, a) }", "func f() { a := []string{}; g(a, a) }"),
    ("func f() { a := make(map[string]T); g(a, a) }", "func f() { a := map[string]T{}; g(a, a) }"),
    ("func f() { g(`a`, 0644) }", 'func f() { g("a", 0o644) }'),
    # One of each.
    ("func f(a int, b int) (c, d T) { return g(a, b) }", "func f(a, b int) (c T, d T) { return g(a, b) }"),
    ("type a struct { b, c int; d int `e` }", "type a struct { b int; c int; d int `e` }"),
    ("const a = 1\nconst b = 2", "const (\n\ta = 1\n\tb = 2\n)"),
    ("var a = 1\nvar b T", "var (\n\ta = 1\n\tb T\n)"),
    ("type a int\ntype b = T", "type (\n\ta int\n\tb = T\n)"),
    ("func f() (int, error) { return 1, nil }", "func f() (n int, err error) { return 1, nil }"),
    ("func f() error { return nil }", "func f() (err error) { return nil }"),
    ("func (a *T) f() { g() }", "func (*T) f() { g() }"),
    # Branches and loops.
    ("func f() { switch a { case 1: b(); break; default: } }", "func f() { switch a { case 1: b() } }"),
    (
        "func f() { switch a.(type) { case int: b(); default: break } }",
        "func f() { switch a.(type) { case int: b() } }",
    ),
    ("func f() { select { case <-a: b(); break } }", "func f() { select { case <-a: b() } }"),
    ("func f() { for true { g() } }", "func f() { for { g() } }"),
    ("func f() { for ; a < 3; { g() } }", "func f() { for a < 3 { g() } }"),
    ("func f() { for ;; { g() } }", "func f() { for { g() } }"),
    ("func f() { if !(a == b) { g() } }", "func f() { if a != b { g() } }"),
    ("func f() bool { if g(a) { return true }\nreturn false }", "func f() bool { return g(a) }"),
    (
        "func f() { h(func() bool { if a == 1 && !(b < c) { return true }; return false }) }",
        "func f() { h(func() bool { return a == 1 && !(b < c) }) }",
    ),
    # The standard library.
    (f"{STRINGS}func f() {{ g(strings.Index(a, b) != -1) }}", f"{STRINGS}func f() {{ g(strings.Contains(a, b)) }}"),
    (f"{BYTES}func f() {{ g(bytes.IndexAny(a, b) < 0) }}", f"{BYTES}func f() {{ g(!bytes.ContainsAny(a, b)) }}"),
    (f"{BYTES}func f() {{ g(bytes.Compare(a, b) == 0) }}", f"{BYTES}func f() {{ g(bytes.Equal(a, b)) }}"),
    (f"{BYTES}func f() {{ g(bytes.Compare(a, b) != 0) }}", f"{BYTES}func f() {{ g(!bytes.Equal(a, b)) }}"),
    (
        'import "fmt"\nfunc f() error { return fmt.Errorf("a") }',
        'import "errors"\nfunc f() error { return errors.New("a") }',
    ),
    (
        'import (\n\t"errors"\n\t"fmt"\n)\nfunc f() error { return errors.New(fmt.Sprintf("a %s", b)) }',
        'import "fmt"\nfunc f() error { return fmt.Errorf("a %s", b) }',
    ),
]
OTHER = [
    (
        "func f() { h(func() b { if a + c { return true }; return false }) }",
        "func f() { h(func() b { return a + c }) }",
    ),
    ("func f() { return []T{}, T{1}, a(1)(2) }", "func f() { return []T{}, {1}, a(1)(2) }"),
    ("func f(int)", "func f(a int)"),
    ("func f() { a.b[int, B](2, 3) }", "func f() { a.b[int, B](2, 4) }"),
    ("var a = []B{T{1}}", "var a = []B{{1}}"),
    ("var a = []T{&T{1}}", "var a = []T{{1}}"),
    ("func f() { g(a[1:b]) }", "func f() { g(a[:b]) }"),
    ("func f() { g(a[b:len(c)]) }", "func f() { g(a[b:]) }"),
    ("func f() { g(a()[b:len(a())]) }", "func f() { g(a()[b:]) }"),
    ("func f(len B) { g(a[b:len(a)]) }", "func f(len B) { g(a[b:]) }"),
    ("func f() { g(a[b:len(a):c]) }", "func f() { g(a[b::c]) }"),
    ("func f() { var a int64 = 1; g(a, a) }", "func f() { var a = 1; g(a, a) }"),
    ("func f() { var a int64; g(a, a) }", "func f() { a := 0; g(a, a) }"),
    ("func f() { a = b + a }", "func f() { a += b }"),
    ("func f() { a = a - b - c }", "func f() { a -= b - c }"),
    ("func f() { a, _ = g() }", "func f() { g() }"),
    ("func f() { _ = a.b }", "func f() { }"),
    ("func f() { a := make([]string, 1); g(a, a) }", "func f() { a := []string{}; g(a, a) }"),
    ("func f() { a := make(chan T); g(a, a) }", "func f() { a := chan T{}; g(a, a) }"),
    ("func f() { g(`a\\n`) }", 'func f() { g("a\\n") }'),
    ("func f(a int, b int) { g(a, b) }", "func f(b, a int) { g(a, b) }"),
    ("const (\n\ta = iota\n\tb = iota\n)", "const a = iota\nconst b = iota"),
    ("const (\n\ta = 1\n\tb\n)", "const a = 1\nconst b = 2"),
    ("func f() (n int, err error) { n = 1; return n, nil }", "func f() (int, error) { n = 1; return n, nil }"),
    ("func f() (n int) { defer g(); return }", "func f() int { defer g(); return }"),
    ("func (a *T) f() { g(a) }", "func (*T) f() { g(a) }"),
    ("func f() { switch a { case 1: b(); default: c() } }", "func f() { switch a { case 1: b() } }"),
    ("func f() { select { case <-a: b(); default: } }", "func f() { select { case <-a: b() } }"),
    ("func f() { d: for { switch a { case 1: break d } } }", "func f() { d: for { switch a { case 1: } } }"),
    ("func f() { for false { g() } }", "func f() { for { g() } }"),
    ("func f() { for a(); b(); { g() } }", "func f() { for b() { g() } }"),
    ("func f() { if !(a < b) { g() } }", "func f() { if a >= b { g() } }"),
    ("func f() b { if g(a) { return true }\nreturn false }", "func f() b { return g(a) }"),
    (
        "func f() bool { h(func() b { if g() { return true }; return false }) }",
        "func f() bool { h(func() b { return g() }) }",
    ),
    (f"{STRINGS}func f() {{ g(strings.Index(a, b) > 0) }}", f"{STRINGS}func f() {{ g(strings.Contains(a, b)) }}"),
    ("func f(strings B) { g(strings.Index(a, b) != -1) }", "func f(strings B) { g(strings.Contains(a, b)) }"),
    (f"{BYTES}func f() {{ g(bytes.Compare(a, b) < 0) }}", f"{BYTES}func f() {{ g(bytes.Equal(a, b)) }}"),
    (
        'import "fmt"\nfunc f() { g(fmt.Errorf("a %w", b)) }',
        'import "fmt"\nfunc f() { g(errors.New(fmt.Sprintf("a %w", b))) }',
    ),
    ('import "fmt"\nfunc f() { g(fmt.Errorf("a", b)) }', 'import "errors"\nfunc f() { g(errors.New("a")) }'),
    ('import "fmt"\nfunc f() { g(fmt.Errorf(a)) }', 'import "errors"\nfunc f() { g(errors.New(a)) }'),
    ('import "fmt"\nfunc f() { g(fmt.Errorf("a%%")) }', 'import "errors"\nfunc f() { g(errors.New("a%%")) }'),
    ('import "b/errors"\nfunc f() { g(errors.New("a")) }', 'import "fmt"\nfunc f() { g(fmt.Errorf("a")) }'),
]


@pytest.mark.parametrize(("before", "after"), SAME)
def test_go_in_other_words_is_a_refactor(before: str, after: str) -> None:
    for old, new in ((before, after), (after, before)):
        verdict = judged({"p/a.go": (f"package p\n\n{old}\n", f"package p\n\n{new}\n")})["p/a.go"]
        assert verdict.mutation_class is MutationClass.AST_REFACTOR, verdict.reasons


@pytest.mark.parametrize(("before", "after"), OTHER)
def test_go_that_says_something_else_stays_behaviour(before: str, after: str) -> None:
    for old, new in ((before, after), (after, before)):
        verdict = judged({"p/a.go": (f"package p\n\n{old}\n", f"package p\n\n{new}\n")})["p/a.go"]
        assert verdict.mutation_class is MutationClass.INTENT_EVOLUTION, verdict.reasons
