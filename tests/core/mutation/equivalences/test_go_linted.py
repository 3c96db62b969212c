"""Go as linters write it, and what only looks like that."""

from __future__ import annotations

import pytest

from intentls.core.mutation.classes import MutationClass
from tests.core.mutation.repository import judged

FMT, REFLECT, SLICES = 'import "fmt"\n', 'import "reflect"\n', 'import "slices"\n'
SAME = [
    # What is returned.
    ("func f() (n int, err error) { n = g(); return }", "func f() (n int, err error) { n = g(); return n, err }"),
    (
        "func f() (a, b T) { if c { return }; h(func() { return }); return }",
        "func f() (a, b T) { if c { return a, b }; h(func() { return }); return a, b }",
    ),
    (
        "func f() (a T) { if err := g(); h(err) { return }; return }",
        "func f() (a T) { if err := g(); h(err) { return a }; return a }",
    ),
    (
        "func f(a T) (b T) { switch a { case 1: b = g(); return; default: return }\nreturn }",
        "func f(a T) (b T) { switch a { case 1: b = g() }\nreturn }",
    ),
    ("func f() { switch a.(type) { case T: b(); return }\nreturn }", "func f() { switch a.(type) { case T: b() } }"),
    # Conditions.
    ("func f() { if a == false && (b || c == true) { g() } }", "func f() { if !a && (b || c) { g() } }"),
    ("func f() { for a() != true { g() } }", "func f() { for !a() { g() } }"),
    ("func f() { for i := 1; a() == true; i++ { g() } }", "func f() { for i := 1; a(); i++ { g() } }"),
    ("func f(a []T) { if a == nil || len(a) == 0 { g() } }", "func f(a []T) { if len(a) == 0 { g() } }"),
    ("func f(a ...T) { if b || a == nil || len(a) < 1 { g() } }", "func f(a ...T) { if b || len(a) == 0 { g() } }"),
    ("func f(a map[T]B) { if a != nil && len(a) > 0 { g() } }", "func f(a map[T]B) { if len(a) != 0 { g() } }"),
    ("func f() { if len(a) >= 1 || len(b) <= 0 { g() } }", "func f() { if len(a) > 0 || len(b) == 0 { g() } }"),
    ('func f() { g(a.b == "", h() != "") }', "func f() { g(len(a.b) == 0, len(h()) > 0) }"),
    (
        "func f() { if a == nil { g() } else if a != nil && b { h() } }",
        "func f() { if a == nil { g() } else if b { h() } }",
    ),
    (
        "func f() { if a.b != 1 { g() } else if a.b == 1 && b && c { h() } }",
        "func f() { if a.b != 1 { g() } else if b && c { h() } }",
    ),
    ("var a = func() { if b == false { c() } }", "var a = func() { if !b { c() } }"),
    # What decides nothing.
    (
        "func f(a []T) { if a != nil { for _, b := range a { g(b) } } }",
        "func f(a []T) { for _, b := range a { g(b) } }",
    ),
    (
        "func f() { var a map[T]B; g(a); if nil != a { for b := range a { g(b) } } }",
        "func f() { var a map[T]B; g(a); for b := range a { g(b) } }",
    ),
    ("func f() { if _, ok := a.b[c]; ok { delete(a.b, c) } }", "func f() { delete(a.b, c) }"),
    ("func f() { a, _ := b[c]; d, _ = <-e; g(a, a, d) }", "func f() { a := b[c]; d = <-e; g(a, a, d) }"),
    (
        "func f() { a := make(T, 0); b := make(map[T]B, 0); g(a, a, b, b) }",
        "func f() { a := make(T); b := make(map[T]B); g(a, a, b, b) }",
    ),
    # Loops.
    (
        "func f(a []T) { for i := 0; i < len(a); i++ { g(&a[i], i) } }",
        "func f(a []T) { for i := range a { g(&a[i], i) } }",
    ),
    (
        "func f() { a := []T{b}; for i := 0; i < len(a); i += 1 { a[i] = b } }",
        "func f() { a := []T{b}; for i := range a { a[i] = b } }",
    ),
    ("func f(n int) { for i := 0; i < n; i++ { g(i) } }", "func f(n int) { for i := range n { g(i) } }"),
    (
        "func f() { const n = 3; for i := 0; i < n; i++ { g(i) } }",
        "func f() { const n = 3; for i := range n { g(i) } }",
    ),
    ("func f() { for i := 0; i < 3; i++ { g(i) } }", "func f() { for i := range 3 { g(i) } }"),
    (
        "func f(b T) bool { for _, c := range a() { if c == b { return true } }\nreturn false }",
        f"{SLICES}func f(b T) bool {{ return slices.Contains(a(), b) }}",
    ),
    (
        'func f() bool { for _, c := range a { if "b" == c { return true } }\nreturn false }',
        f'{SLICES}func f() bool {{ return slices.Contains(a, "b") }}',
    ),
    # Names that say nothing.
    ("func f(a int, b T) { g(b) }", "func f(_ int, b T) { g(b) }"),
    ("func f() { g(func(a, b T, c ...B) { h() }) }", "func f() { g(func(T, T, ...B) { h() }) }"),
    ("func (a T) f(b int) int { return 1 }", "func (T) f(int) int { return 1 }"),
    ("type f func(a int, b T) (c B, err error)", "type f func(int, T) (B, error)"),
    ("type a interface { b(c, d int) (err error) }", "type a interface { b(int, int) (error) }"),
    # The standard library.
    (f'{FMT}func f() {{ g(fmt.Sprintf("a")) }}', 'func f() { g("a") }'),
    (f"{REFLECT}func f() {{ g(reflect.Ptr) }}", f"{REFLECT}func f() {{ g(reflect.Pointer) }}"),
    ("func f() { a.b = a.b + c }", "func f() { a.b += c }"),
    (
        "func f() T { if b { switch a { case 1: return c\ndefault: return d } }\nreturn e }",
        "func f() T { if b { switch a { case 1: return c\ndefault: return d } } else { return e } }",
    ),
]
OTHER = [
    ("func (x T) f(a A, b bool) { g(a, b) }", "func (x T) f(a A, b bool) { g(a, _) }"),
    (
        "func f() T { if b { switch a { case 1: return c\ndefault: if h { break }\nreturn d } }\nreturn e }",
        "func f() T { if b { switch a { case 1: return c\ndefault: if h { break }\nreturn d } } else { return e } }",
    ),
    (
        "func f() { if b { switch a { case 1: return\ncase 2: return } }\ng() }",
        "func f() { if b { switch a { case 1: return\ncase 2: return } } else { g() } }",
    ),
    ("func f() (n int, err error) { return }", "func f() (n int, err error) { return err, n }"),
    ("func f() (a, b T) { return }", "func f() (a, b T) { return a, c }"),
    ("func f() (_ T, b T) { return }", "func f() (_ T, b T) { return b, b }"),
    (
        "func f() (b T) { switch a { case 1: b = g(); return h }\nreturn b }",
        "func f() (b T) { switch a { case 1: b = g() }\nreturn b }",
    ),
    (
        "func f() T { switch b := a.(type) { case T: return b }\nreturn b }",
        "func f() T { switch b := a.(type) { case T: }\nreturn b }",
    ),
    (
        "func f() T { switch b := a(); b { case c: return b }\nreturn b }",
        "func f() T { switch b := a(); b { case c: }\nreturn b }",
    ),
    (
        "func f() T { switch a { case c: return b() }\nreturn b() }",
        "func f() T { switch a { case c: }\ne(); return b() }",
    ),
    ("func f() { if a == false { g() } }", "func f() { if a { g() } }"),
    ("func f() { g(a == true) }", "func f() { g(a) }"),
    ("func f(false T) { if a == false { g() } }", "func f(false T) { if !a { g() } }"),
    ("func f(a *[3]T) { if a == nil || len(a) == 0 { g() } }", "func f(a *[3]T) { if len(a) == 0 { g() } }"),
    ("func f(a []T) { if a == nil && len(a) == 0 { g() } }", "func f(a []T) { if len(a) == 0 { g() } }"),
    ("func f(a []T) { if a == nil || len(b) == 0 { g() } }", "func f(a []T) { if len(b) == 0 { g() } }"),
    (
        "func f() { if a == nil || len(a) == 0 { g() }; var a []T; g(a) }",
        "func f() { if len(a) == 0 { g() }; var a []T; g(a) }",
    ),
    ("func f(a []T) { if a != nil || len(a) != 0 { g() } }", "func f(a []T) { if len(a) != 0 { g() } }"),
    ("func f() { if len(a) >= 0 { g() } }", "func f() { if len(a) > 0 { g() } }"),
    ("func f() { if a >= 1 { g() } }", "func f() { if a != 0 { g() } }"),
    ('func f() { g(a == " ") }', "func f() { g(len(a) == 0) }"),
    ('func f() { g("a" == "") }', 'func f() { g(len("a") == 0) }'),
    ('func f(len T) { g(a == "", len) }', "func f(len T) { g(len(a) == 0, len) }"),
    ('func f(len T) { g(a == "") }', "func f(len T) { g(len(a) == 0) }"),
    (
        "func f() { if a == nil { g() } else if b != nil && b { h() } }",
        "func f() { if a == nil { g() } else if b { h() } }",
    ),
    (
        "func f() { if a() == nil { g() } else if a() != nil && b { h() } }",
        "func f() { if a() == nil { g() } else if b { h() } }",
    ),
    (
        "func f() { if a == nil { g() } else if a == nil && b { h() } }",
        "func f() { if a == nil { g() } else if b { h() } }",
    ),
    (
        "func f() { if a { g() } else if a := h(); a != nil && b { h() } }",
        "func f() { if a { g() } else if a := h(); b { h() } }",
    ),
    (
        "func f(a chan T) { if a != nil { for b := range a { g(b) } } }",
        "func f(a chan T) { for b := range a { g(b) } }",
    ),
    (
        "func f(a []T) { if a == nil { for _, b := range a { g(b) } } }",
        "func f(a []T) { for _, b := range a { g(b) } }",
    ),
    (
        "func f(a []T) { if c != nil { for _, b := range a { g(b) } } }",
        "func f(a []T) { for _, b := range a { g(b) } }",
    ),
    (
        "func f(a []T) { if a != nil { for _, b := range a { g(b) }; h() } }",
        "func f(a []T) { for _, b := range a { g(b) }; h() }",
    ),
    ("func f() { if _, ok := a[b]; ok { delete(a, c) } }", "func f() { delete(a, c) }"),
    ("func f() { if _, ok := a[b()]; ok { delete(a, b()) } }", "func f() { delete(a, b()) }"),
    ("func f() { if _, ok := a[ok]; ok { delete(a, ok) } }", "func f() { delete(a, ok) }"),
    ("func f() { if _, ok := a[b]; !ok { delete(a, b) } }", "func f() { delete(a, b) }"),
    ("func f() { if _, ok := a.(T); ok { delete(a, b) } }", "func f() { delete(a, b) }"),
    ("func f() { a, _ := b.(T); g(a, a) }", "func f() { a := b.(T); g(a, a) }"),
    ("func f() { _, a := b[c]; g(a, a) }", "func f() { a := b[c]; g(a, a) }"),
    ("func f() { a := make([]T, 0); g(a, a) }", "func f() { a := make(T); g(a, a) }"),
    ("func f() { a := make(T, 1); g(a, a) }", "func f() { a := make(T); g(a, a) }"),
    (
        "func f(a map[T]B) { for i := 0; i < len(a); i++ { g(a[i]) } }",
        "func f(a map[T]B) { for i := range a { g(a[i]) } }",
    ),
    (
        "func f(a string) { for i := 0; i < len(a); i++ { g(a[i]) } }",
        "func f(a string) { for i := range a { g(a[i]) } }",
    ),
    ("func f() { for i := 0; i < len(a); i++ { g(a[i]) } }", "func f() { for i := range a { g(a[i]) } }"),
    ("func f(a []T) { for i := 0; i < len(a); i++ { a = g(a) } }", "func f(a []T) { for i := range a { a = g(a) } }"),
    ("func f(a []T) { for i := 0; i < len(a); i++ { g(&a) } }", "func f(a []T) { for i := range a { g(&a) } }"),
    (
        "func f(a []T) { b := func() { a = c }; for i := 0; i < len(a); i++ { b() } }",
        "func f(a []T) { b := func() { a = c }; for i := range a { b() } }",
    ),
    ("func f(a []T) { for i := 0; i < len(a); i++ { i += 2 } }", "func f(a []T) { for i := range a { i += 2 } }"),
    ("func f(a []T) { for i := 0; i < len(a); i++ { g(&i) } }", "func f(a []T) { for i := range a { g(&i) } }"),
    (
        "func f(a []T) { for i := 0; i < len(a); i++ { g(func() { h(i) }) } }",
        "func f(a []T) { for i := range a { g(func() { h(i) }) } }",
    ),
    ("func f(a []T) { for i := 1; i < len(a); i++ { g(i) } }", "func f(a []T) { for i := range a { g(i) } }"),
    ("func f(a []T) { for i := 0; i <= len(a); i++ { g(i) } }", "func f(a []T) { for i := range a { g(i) } }"),
    ("func f(a []T) { for i := 0; i < len(a); i += 2 { g(i) } }", "func f(a []T) { for i := range a { g(i) } }"),
    ("func f() { for i := 0; i < n; i++ { g(i) } }", "func f() { for i := range n { g(i) } }"),
    ("func f(n int) { for i := 0; i < n; i++ { n-- } }", "func f(n int) { for i := range n { n-- } }"),
    (
        "func f() { for i := 0; i < n; i++ { g(i) }; n := 1; g(n) }",
        "func f() { for i := range n { g(i) }; n := 1; g(n) }",
    ),
    ("func f() { n := n; for i := 0; i < n; i++ { g(i) } }", "func f() { n := n; for i := range m { g(i) } }"),
    ("func f() { for i := 0; i < a.b; i++ { g(i) } }", "func f() { for i := range a.b { g(i) } }"),
    (
        "func f(b T) bool { for _, c := range a { if c == b { return false } }\nreturn false }",
        f"{SLICES}func f(b T) bool {{ return slices.Contains(a, b) }}",
    ),
    (
        "func f(b T) bool { for _, c := range a { if c != b { return true } }\nreturn false }",
        f"{SLICES}func f(b T) bool {{ return slices.Contains(a, b) }}",
    ),
    (
        "func f() bool { for _, c := range a() { if c == b { return true } }\nreturn false }",
        f"{SLICES}func f() bool {{ return slices.Contains(a(), b) }}",
    ),
    (
        "func f(b T) bool { for c := range a { if c == b { return true } }\nreturn false }",
        f"{SLICES}func f(b T) bool {{ return slices.Contains(a, b) }}",
    ),
    (
        "func f(b T) bool { for _, c := range a { if c == b { return true } }\ng(); return false }",
        f"{SLICES}func f(b T) bool {{ return slices.Contains(a, b) }}",
    ),
    (
        "func f(b T) bool { for _, c := range a { if c == b { return true } }\nreturn false }",
        f"{SLICES}func f(b T) bool {{ return slices.Contains(b, a) }}",
    ),
    ("func f(a int, b T) { g(b) }", "func f(a int, _ T) { g(b) }"),
    ("func f(a int, b T) { g(b) }", "func f(b int, a T) { g(b) }"),
    ("type f func(a int, b T)", "type f func(b T, a int)"),
    (f'{FMT}func f() {{ g(fmt.Sprintf("%%")) }}', 'func f() { g("%%") }'),
    ('func f() { g(fmt.Sprintf("a")) }', 'func f() { g("a") }'),
    (f'{FMT}func f() {{ g(fmt.Sprint("a", "b")) }}', 'func f() { g("ab") }'),
    (f"{REFLECT}func f() {{ g(reflect.Ptr) }}", f"{REFLECT}func f() {{ g(reflect.Map) }}"),
    ("func f() { a().b = a().b + c }", "func f() { a().b += c }"),
    ("func f() { a.b = a.c + d }", "func f() { a.b += d }"),
    ("func f() { a[b()] = a[b()] + c }", "func f() { a[b()] += c }"),
]


@pytest.mark.parametrize(("before", "after"), SAME)
def test_what_a_linter_writes_is_a_refactor(before: str, after: str) -> None:
    for old, new in ((before, after), (after, before)):
        verdict = judged({"p/a.go": (f"package p\n\n{old}\n", f"package p\n\n{new}\n")})["p/a.go"]
        assert verdict.mutation_class is MutationClass.AST_REFACTOR, verdict.reasons


@pytest.mark.parametrize(("before", "after"), OTHER)
def test_what_only_looks_like_a_linters_form_stays_behaviour(before: str, after: str) -> None:
    for old, new in ((before, after), (after, before)):
        verdict = judged({"p/a.go": (f"package p\n\n{old}\n", f"package p\n\n{new}\n")})["p/a.go"]
        assert verdict.mutation_class is MutationClass.INTENT_EVOLUTION, verdict.reasons
