"""`if` and `switch` of Go, what is written to the standard output, and lists of none."""

from __future__ import annotations

import pytest

from intentls.core.mutation.classes import MutationClass
from tests.core.mutation.repository import judged

SAME = [
    ("switch a { case 1: f(); case 2, 3: g(); default: h() }",
     "if a == 1 { f() } else if a == 2 || a == 3 { g() } else { h() }"),
    ("switch { case b(): f(); case c > 1: g() }", "if b() { f() } else if c > 1 { g() }"),
    ("switch a.b { case c.d: f() }", "if a.b == c.d { f() }"),
    ("switch true { default: g(); case a: f() }", "if a { f() } else { g() }"),
    ('switch a { case "x": for { break }; case "y": func() { for { break } }() }',
     'if a == "x" { for { break } } else if a == "y" { func() { for { break } }() }'),
    ("for { switch { case a: continue; default: g() } }", "for { if a { continue } else { g() } }"),
    ("c: for { switch { case a: break c; default: g() } }", "c: for { if a { break c } else { g() } }"),
    ("switch { case a, b: f() }", "if a || b { f() }"),
    ("d := make([]int, 0, 0); f(d, d)", "d := []int{}; f(d, d)"),
    ("if a { switch b.(type) { case T: return; default: f(); return } } else { g() }",
     "if a { switch b.(type) { case T: return; default: f(); return } }; g()"),
]  # fmt: skip
OTHER = [
    ("switch a { case 1: f(); case 2: g() }", "if a == 2 { f() } else if a == 1 { g() }"),
    ("switch a() { case 1: f(); case 2: g() }", "if a() == 1 { f() } else if a() == 2 { g() }"),
    ("switch a { case b(): f(); case c(): g() }", "if a == b() { f() } else if a == c() { g() }"),
    ("switch a { case 1: f(); fallthrough; case 2: g() }", "if a == 1 { f() } else if a == 2 { g() }"),
    ("for { switch a { case 1: f(); break; case 2: g() } }", "for { if a == 1 { f(); break } else if a == 2 { g() } }"),
    ("for { switch { case a: if b { break }; default: g() } }", "for { if a { if b { break } } else { g() } }"),
    ("switch a := f(); a { case 1: g(a) }", "if a == 1 { g(a) }"),
    ("switch a.(type) { case int: f() }", "if a == int { f() }"),
    ("switch a { default: f() }", "if a { f() }"),
    ("switch a { }", "f()"),
    ("d := make([]int, 0, 1); f(d, d)", "d := []int{}; f(d, d)"),
    ("d := make([]int, 1, 1); f(d, d)", "d := []int{}; f(d, d)"),
]  # fmt: skip


def _class(before: str, after: str, head: str = "") -> MutationClass:
    contents = (f"package p\n{head}\nfunc z(a, b, c T) {{ {text} }}\n" for text in (before, after))
    old, new = contents
    return judged({"a.go": (old, new)})["a.go"].mutation_class


@pytest.mark.parametrize(("before", "after"), SAME)
def test_a_switch_and_its_branches_are_a_refactor(before: str, after: str) -> None:
    assert {_class(before, after), _class(after, before)} == {MutationClass.AST_REFACTOR}


@pytest.mark.parametrize(("before", "after"), OTHER)
def test_what_asks_in_another_way_is_none(before: str, after: str) -> None:
    assert {_class(before, after), _class(after, before)} == {MutationClass.INTENT_EVOLUTION}


WRITTEN = {
    ('fmt.Fprintf(os.Stdout, "a %d", b)', 'fmt.Printf("a %d", b)'): MutationClass.AST_REFACTOR,
    ("fmt.Fprintln(os.Stdout)", "fmt.Println()"): MutationClass.AST_REFACTOR,
    ("fmt.Fprint(os.Stdout, a, b)", "fmt.Print(a, b)"): MutationClass.AST_REFACTOR,
    ('fmt.Fprintln(os.Stdout, fmt.Sprintf("a"))', 'fmt.Printf("a\\n")'): MutationClass.AST_REFACTOR,
    ('fmt.Fprintf(os.Stderr, "a")', 'fmt.Printf("a")'): MutationClass.INTENT_EVOLUTION,
    ('fmt.Fprintf(c.Stdout, "a")', 'fmt.Printf("a")'): MutationClass.INTENT_EVOLUTION,
    ('os := c; fmt.Fprintf(os.Stdout, "a")', 'os := c; fmt.Printf("a")'): MutationClass.INTENT_EVOLUTION,
    ("fmt.Fprintln(os.Stdout, a)", "fmt.Print(a)"): MutationClass.INTENT_EVOLUTION,
}


@pytest.mark.parametrize("pair", WRITTEN)
def test_what_is_written_to_the_standard_output_may_say_so(pair: tuple[str, str]) -> None:
    head = 'import (\n"fmt"\n"os"\n)\nvar w = os.Args\n'
    assert {_class(*pair, head), _class(*pair[::-1], head)} == {WRITTEN[pair]}
