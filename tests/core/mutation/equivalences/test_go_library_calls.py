"""Go that says the same by another name of its library, or by other signs, and what only looks like that."""

from __future__ import annotations

import pytest

from intentls.core.mutation.classes import MutationClass
from tests.core.mutation.repository import judged

FMT, SORT, STRCONV, STRINGS, TIME = (f'import "{name}"\n' for name in ("fmt", "sort", "strconv", "strings", "time"))
SAME = [
    # The library.
    (f"{TIME}func f() {{ g(t.Sub(time.Now())) }}", f"{TIME}func f() {{ g(time.Until(t)) }}"),
    (f'{FMT}func f() {{ g(fmt.Sprintf("%d", a)) }}', f"{STRCONV}func f() {{ g(strconv.Itoa(a)) }}"),
    (f"{SORT}func f() {{ sort.Sort(sort.StringSlice(a)) }}", f"{SORT}func f() {{ sort.Strings(a) }}"),
    (f'{FMT}func f() {{ fmt.Println(fmt.Sprintf("a %d", b)) }}', f'{FMT}func f() {{ fmt.Printf("a %d\\n", b) }}'),
    (f'{FMT}func f() {{ fmt.Fprintln(w, fmt.Sprintf("a")) }}', f'{FMT}func f() {{ fmt.Fprintf(w, "a\\n") }}'),
    (f'{STRINGS}func f() {{ if strings.HasPrefix(a.b, "c") {{ a.b = a.b[len("c"):] }} }}',
     f'{STRINGS}func f() {{ a.b = strings.TrimPrefix(a.b, "c") }}'),
    (f"{STRINGS}func f() {{ if strings.HasSuffix(a, b) {{ a = a[:len(a)-len(b)] }} }}",
     f"{STRINGS}func f() {{ a = strings.TrimSuffix(a, b) }}"),
    ("func f() { for _, v := range a.b { x = append(x, v) } }", "func f() { x = append(x, a.b...) }"),
    # Signs.
    ("func f() { g(!(a && b == 1), !(!c || d < 2)) }", "func f() { g(!a || b != 1, c && !(d < 2)) }"),
    ("func f() { g(a && (b && c)) }", "func f() { g((a && b) && c) }"),
    ("func f() { switch true { case a == 1: g() } }", "func f() { switch { case a == 1: g() } }"),
    ("func f() { _ = <-c; g() }", "func f() { <-c; g() }"),
    ("func f() { g(`a\\b\"c`) }", 'func f() { g("a\\\\b\\"c") }'),
]  # fmt: skip
OTHER = [
    (f"{TIME}func f() {{ g(t().Sub(time.Now())) }}", f"{TIME}func f() {{ g(time.Until(t())) }}"),
    (f"{TIME}func f() {{ g(t.Sub(u)) }}", f"{TIME}func f() {{ g(time.Until(t)) }}"),
    ("func f() { g(t.Sub(time.Now())) }", "func f() { g(time.Until(t)) }"),
    (f'{FMT}func f() {{ g(fmt.Sprintf("%x", a)) }}', f"{STRCONV}func f() {{ g(strconv.Itoa(a)) }}"),
    (f"{SORT}func f() {{ sort.Sort(a(b)) }}", f"{SORT}func f() {{ sort.Strings(b) }}"),
    (f"{SORT}func f() {{ sort.Sort(sort.IntSlice(a)) }}", f"{SORT}func f() {{ sort.Strings(a) }}"),
    (f'{FMT}func f() {{ fmt.Print(fmt.Sprintf("a")) }}', f'{FMT}func f() {{ fmt.Printf("a\\n") }}'),
    (f'{FMT}func f() {{ fmt.Println(fmt.Sprintf("a"), b) }}', f'{FMT}func f() {{ fmt.Printf("a\\n", b) }}'),
    (f"{FMT}func f() {{ fmt.Println(fmt.Sprintf(a)) }}", f"{FMT}func f() {{ fmt.Printf(a) }}"),
    (f'{STRINGS}func f() {{ if strings.HasPrefix(a, "c") {{ a = a[1:] }} }}',
     f'{STRINGS}func f() {{ a = strings.TrimPrefix(a, "c") }}'),
    (f'{STRINGS}func f() {{ if strings.HasPrefix(a, "c") {{ b = a[len("c"):] }} }}',
     f'{STRINGS}func f() {{ b = strings.TrimPrefix(a, "c") }}'),
    (f"{STRINGS}func f() {{ if strings.HasPrefix(a, b()) {{ a = a[len(b()):] }} }}",
     f"{STRINGS}func f() {{ a = strings.TrimPrefix(a, b()) }}"),
    (f"{STRINGS}func f() {{ if strings.Contains(a, b) {{ a = a[len(b):] }} }}",
     f"{STRINGS}func f() {{ a = strings.TrimPrefix(a, b) }}"),
    ("func f() { if g(a) { b = a[len(c):] } }", "func f() { if g(a) { b = a[len(d):] } }"),
    ("func f() { if a { b() } }", "func f() { if a { c() } }"),
    ("func f() { for i, v := range a { x = append(x, v) } }", "func f() { x = append(x, a...) }"),
    ("func f() { for _, v := range a() { x = append(x, v) } }", "func f() { x = append(x, a()...) }"),
    ("func f() { for _, v := range a { x = append(y, v) } }", "func f() { x = append(x, a...) }"),
    ("func f() { for _, v := range a { x = append(x, w) } }", "func f() { x = append(x, a...) }"),
    ("func f() { for _, v := range x { x = append(x, v) } }", "func f() { x = append(x, x...) }"),
    ("func f() { for _, v := range a { g(v) } }", "func f() { g(a...) }"),
    ("func f(append T) { for _, v := range a { x = append(x, v) } }", "func f(append T) { x = append(x, a...) }"),
    ("func f() { g(!(a && b)) }", "func f() { g(!a && !b) }"),
    ("func f() { g(!(a < b)) }", "func f() { g(a >= b) }"),
    ("func f() { g(-(a + b)) }", "func f() { g(a + b) }"),
    ("func f() { switch a { case a == 1: g() } }", "func f() { switch { case a == 1: g() } }"),
    ("func f(true T) { switch true { case a: g() } }", "func f(true T) { switch { case a: g() } }"),
    ("func f() { _ = a; g() }", "func f() { <-a; g() }"),
    ("func f() { b = <-a; g() }", "func f() { <-a; g() }"),
    ("func f() { g(`a\\b`) }", 'func f() { g("a\\b") }'),
    ("func f() { g(0xf0) }", "func f() { g(0xff) }"),
    ("func f() { g[int, T](a) }", "func f() { g[int, T](a, 1) }"),
]  # fmt: skip


@pytest.mark.parametrize(("before", "after"), SAME)
def test_another_name_for_the_same_is_a_refactor(before: str, after: str) -> None:
    for old, new in ((before, after), (after, before)):
        verdict = judged({"p/a.go": (f"package p\n\n{old}\n", f"package p\n\n{new}\n")})["p/a.go"]
        assert verdict.mutation_class is MutationClass.AST_REFACTOR, verdict.reasons


@pytest.mark.parametrize(("before", "after"), OTHER)
def test_what_only_looks_like_that_stays_behaviour(before: str, after: str) -> None:
    for old, new in ((before, after), (after, before)):
        verdict = judged({"p/a.go": (f"package p\n\n{old}\n", f"package p\n\n{new}\n")})["p/a.go"]
        assert verdict.mutation_class is MutationClass.INTENT_EVOLUTION, verdict.reasons
