"""Go as staticcheck suggests it, and what only looks like that; the catalogue of linters has more."""

from __future__ import annotations

import pytest

from intentls.core.mutation.classes import MutationClass
from tests.core.mutation.repository import judged

BYTES, FMT = 'import "bytes"\n', 'import ("bytes"; "fmt"; "strings")\n'
SAME = [
    # Buffers.
    (
        FMT + 'func f(a T) { var b bytes.Buffer; c := b; g(c); b.WriteString(fmt.Sprintf("%d", a)) }',
        FMT + 'func f(a T) { var b bytes.Buffer; c := b; g(c); fmt.Fprintf(&b, "%d", a) }',
    ),
    (
        FMT + 'func f(a T) { b := new(strings.Builder); b.Write([]byte(fmt.Sprintf("%v", a))); g(b) }',
        FMT + 'func f(a T) { var b strings.Builder; fmt.Fprintf(&b, "%v", a); g(&b) }',
    ),
    (
        BYTES + "func f() string { b := bytes.NewBufferString(h()); g(b); return string(b.Bytes()) }",
        BYTES + "func f() string { b := bytes.NewBufferString(h()); g(b); return b.String() }",
    ),
    (
        BYTES + "func f() { g(&bytes.Buffer{}, bytes.NewBuffer(nil)) }",
        BYTES + "func f() { g(new(bytes.Buffer), new(bytes.Buffer)) }",
    ),
    (
        BYTES + "func f() string { var b bytes.Buffer; c := b; g(c); return string(b.Bytes()) }",
        BYTES + "func f() string { var b bytes.Buffer; c := b; g(c); return b.String() }",
    ),
    # A select of one case.
    ("func f() { select { case a <- b(): c() } }", "func f() { a <- b(); c() }"),
    ("func f() { var x T; select { case x = <-a: c(x) } }", "func f() { var x T; x = <-a; c(x) }"),
    ("func f() { select { case <-a: b(); break } }", "func f() { <-a; b() }"),
    (
        "func f() { for { select { case x, ok := <-a: if !ok { return }; b(x) } } }",
        "func f() { for { x, ok := <-a; if !ok { return }; b(x) } }",
    ),
    # Truths.
    ("func f(a, b T) { var x bool; if a != b { x = true }; g(x) }", "func f(a, b T) { x := a != b; g(x) }"),
    (
        "func f(a, b T) { var x bool; if a == b { x = false } else { x = true }; g(x) }",
        "func f(a, b T) { x := a != b; g(x) }",
    ),
    # Loops and searches.
    (
        "func f(a []T, b T) { for _, x := range a { if b == x { g(); return } }; h() }",
        'import "slices"\nfunc f(a []T, b T) { if slices.Contains(a, b) { g(); return }; h() }',
    ),
    (
        "func f() { for !a() { if b() { break }; if !c() { break }; d() } }",
        "func f() { for !a() && !b() && c() { d() } }",
    ),
    # Swapped.
    (
        "func f(a []T, i, j int) { t := a[i]; a[i] = a[j]; a[j] = t }",
        "func f(a []T, i, j int) { a[i], a[j] = a[j], a[i] }",
    ),
    # Ways out.
    (
        'func f(a T) T { if a == b { panic("a") } else { return c } }',
        'func f(a T) T { if a == b { panic("a") }; return c }',
    ),
]
OTHER = [
    (
        FMT + 'func f(b B, a T) { b.WriteString(fmt.Sprintf("%d", a)) }',
        FMT + 'func f(b B, a T) { fmt.Fprintf(&b, "%d", a) }',
    ),
    (
        FMT + "func f(a T) { var b strings.Builder; b.WriteString(h(a)); g(&b) }",
        FMT + "func f(a T) { var b strings.Builder; fmt.Fprint(&b, h(a)); g(&b) }",
    ),
    (
        FMT + 'func f(b *bytes.Buffer, c B) { c.Write([]byte(fmt.Sprintf("%v", a))) }',
        FMT + 'func f(b *bytes.Buffer, c B) { fmt.Fprintf(c, "%v", a) }',
    ),
    (
        FMT + "func f(b *bytes.Buffer) { b.Write(fmt.Sprintf(a)) }",
        FMT + "func f(b *bytes.Buffer) { fmt.Fprintf(b, a) }",
    ),
    (BYTES + "func new() T { g(&bytes.Buffer{}) }", BYTES + "func new() T { g(new(bytes.Buffer)) }"),
    (BYTES + "func f() { g(&bytes.Buffer{}, 1) }", BYTES + "func f() { g(new(bytes.Buffer), 2) }"),
    (
        BYTES + "func f() string { b := bytes.NewBufferString(h()); g(&b); return string(b.Bytes()) }",
        BYTES + "func f() string { b := bytes.NewBufferString(h()); g(&b); return b.String() }",
    ),
    (
        BYTES + "func f() { var b bytes.Buffer; g(T{b: 1}, b.Len()); h(&b) }",
        BYTES + "func f() { b := new(bytes.Buffer); g(T{b: 1}, b.Len()); k(b) }",
    ),
    ("func f() { select { case a[b()] = <-c: } }", "func f() { a[b()] = <-c }"),
    ("func f() { select { case <-a: for { break } } }", "func f() { <-a; for { break }; b() }"),
    ("func f(a, b T) { x := false; if c := a; c == b { x = true }; g(x) }", "func f(a, b T) { x := a == b; g(x, 1) }"),
    ("func f(a T) { x := false; if x == a { x = true }; g(x) }", "func f(a T) { x := x == a; g(x) }"),
    (
        "func f(a, b T) { true := false; x := false; if a == b { x = true }; g(x) }",
        "func f(a, b T) { true := false; x := a == b; g(x) }",
    ),
    ("func f(a, b T) { x := 1; if a == b { x = 2 }; g(x) }", "func f(a, b T) { x := a == b; g(x) }"),
    (
        "func f(a []T, b T) { for _, x := range a { if b == x { g(); continue } }; h() }",
        'import "slices"\nfunc f(a []T, b T) { if slices.Contains(a, b) { g() }; h() }',
    ),
    (
        "func f(a []T, b T) { for _, x := range a { if b == x { } }; h() }",
        'import "slices"\nfunc f(a []T, b T) { if slices.Contains(a, b) { }; h() }',
    ),
    ("func f(a [2]T, i, j int) { i := a[j]; a[j] = i; a[i] = j }", "func f(a [2]T, i, j int) { a[j], i = i, a[j] }"),
    ("func f(a, b T) { t, u := a, b; a = b; b = t; g(u) }", "func f(a, b T) { a, b = b, a; g(u) }"),
]


def _class(before: str, after: str) -> MutationClass:
    return judged({"a.go": (f"package p\n\n{before}\n", f"package p\n\n{after}\n")})["a.go"].mutation_class


@pytest.mark.parametrize(("before", "after"), SAME)
def test_what_is_suggested_is_the_same(before: str, after: str) -> None:
    assert _class(before, after) is MutationClass.AST_REFACTOR
    assert _class(after, before) is MutationClass.AST_REFACTOR


@pytest.mark.parametrize(("before", "after"), OTHER)
def test_what_only_looks_so_is_not(before: str, after: str) -> None:
    assert _class(before, after) is MutationClass.INTENT_EVOLUTION
    assert _class(after, before) is MutationClass.INTENT_EVOLUTION


def test_a_panic_of_the_repository_is_none() -> None:
    before = 'package p\n\nfunc f(a T) { if a == b { panic("a") } else { c() } }\n'
    after = 'package p\n\nfunc f(a T) { if a == b { panic("a") }; c() }\n'
    for other in ({}, {"b.go": "package p\n\nfunc panic(a string) {}\n"}):
        expected = MutationClass.INTENT_EVOLUTION if other else MutationClass.AST_REFACTOR
        assert judged({"a.go": (before, after)}, other)["a.go"].mutation_class is expected
