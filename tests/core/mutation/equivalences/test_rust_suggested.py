"""Rust as its lints suggest it, and what only looks like that."""

from __future__ import annotations

import pytest

from intentls.core.mutation.classes import MutationClass
from tests.core.mutation.repository import judged

SAME = [
    # Texts.
    ('fn f() { g(r#"a"#, r##"a"b"##, br"c"); }', 'fn f() { g("a", r#"a"b"#, b"c"); }'),
    ('fn f() { g(format!("a"), format!("{}", b), format!("{{c}}")); }',
     'fn f() { g("a".to_string(), b.to_string(), "{c}".to_owned()); }'),
    # Questions, numbers and errors.
    ("fn f() { g(a == None, a.b != None); }", "fn f() { g(a.is_none(), a.b.is_some()); }"),
    ("fn f() { g(f64::from(a), f32::from(b.c)); }", "fn f() { g(a as f64, b.c as f32); }"),
    ("fn f() { g(io::Error::new(io::ErrorKind::Other, a())); }", "fn f() { g(io::Error::other(a())); }"),
    ("fn f() { g(a.map_err(|e| io::Error::new(io::ErrorKind::Other, e))); }",
     "fn f() { g(a.map_err(io::Error::other)); }"),
    # Fields in another order.
    ("fn f() { g(A { b, a: 1, c: d }); }", "fn f() { g(A { c: d, a: 1, b }); }"),
    ("fn f() { g(A { b: x(), a, ..c }); }", "fn f() { g(A { a, b: x(), ..c }); }"),
    ("fn f() { let A { b, mut a, .. } = c; g(&mut a, b) }", "fn f() { let A { mut a, b, .. } = c; g(&mut a, b) }"),
    # What is given to a program.
    ('fn f() { c.args(&["a", b]); }', 'fn f() { c.args(["a", b]); }'),
    # What is made in any case, and nobody can tell.
    ('fn f() { g(a.unwrap_or("x".to_string()), b.unwrap_or_else(|_| String::from("q"))); }',
     'fn f() { g(a.unwrap_or_else(|| "x".to_string()), b.unwrap_or("q".to_owned())); }'),
    ('fn f() { g(c.ok_or(io::Error::new(ErrorKind::Other, "x")), d.or_else(|| e)); }',
     'fn f() { g(c.ok_or_else(|| io::Error::new(ErrorKind::Other, "x")), d.or(e)); }'),
    ("fn f() { g(a.then_some(b), c.or_insert_with(|| 1), d.map_or_else(|| 2, e)); }",
     "fn f() { g(a.then(|| b), c.or_insert(1), d.map_or(2, e)); }"),
    # Closures that ask.
    ("fn f() { g(a.map(|x| x.to_string())); }", "fn f() { g(a.map(ToString::to_string)); }"),
    ("fn f() { g(a.map(|x| x.to_string())); }", "fn f() { g(a.map(std::string::ToString::to_string)); }"),
    ("struct A; fn f() { g(a.map(|x| x.b()), A::c()); }", "struct A; fn f() { g(a.map(A::b), A::c()); }"),
]  # fmt: skip
OTHER = [
    ('fn f() { g(r#"a"#); }', 'fn f() { g("b"); }'),
    ('fn f() { g(r"\\n"); }', 'fn f() { g("\\n"); }'),
    ('fn f() { m!(r#"a"#); }', 'fn f() { m!(r"a"); }'),
    ('#[a(r#"a"#)] fn f() {}', '#[a(r"a")] fn f() {}'),
    ('fn f() { g(format!("{}", a)); }', "fn f() { g(a); }"),
    ('fn f() { g(format!("{:?}", a)); }', "fn f() { g(a.to_string()); }"),
    ('impl A { fn to_string(&self) {} } fn f() { g(format!("{}", a)); }',
     "impl A { fn to_string(&self) {} } fn f() { g(a.to_string()); }"),
    ('macro_rules! format { () => {} } fn f() { g(format!("a")); }',
     'macro_rules! format { () => {} } fn f() { g("a".to_string()); }'),
    ("fn f() { g(a == None); }", "fn f() { g(a.is_some()); }"),
    ("enum A { None } fn f() { g(a == None); }", "enum A { None } fn f() { g(a.is_none()); }"),
    ("fn f() { g(f64::from(a)); }", "fn f() { g(a as f32); }"),
    ("fn f() { g(u8::from(a)); }", "fn f() { g(a as u8); }"),
    ("fn f() { g(io::Error::new(io::ErrorKind::NotFound, a)); }", "fn f() { g(io::Error::other(a)); }"),
    ("fn f() { g(Error::new(ErrorKind::Other, a)); }", "fn f() { g(Error::other(a)); }"),
    ("mod io {} fn f() { g(io::Error::new(io::ErrorKind::Other, a)); }",
     "mod io {} fn f() { g(io::Error::other(a)); }"),
    ("fn f() { g(A { b: x(), a: y() }); }", "fn f() { g(A { a: y(), b: x() }); }"),
    ("fn f() { g(A { b: x(a), a }); }", "fn f() { g(A { a, b: x(a) }); }"),
    ("fn f() { g(A { b: x(), a: COUNT }); }", "fn f() { g(A { a: COUNT, b: x() }); }"),
    ("fn f() { g(A { b: 1, a: 2 }); }", "fn f() { g(A { b: 2, a: 1 }); }"),
    ("fn f() { let A { #[x] b, a } = c; g(a, b) }", "fn f() { let A { #[x] a, b } = c; g(a, b) }"),
    ("fn f() { let A { b, a } = c; g(a, b) }", "fn f() { let A { b: a, a: b } = c; g(a, b) }"),
    ('fn f() { c.args(&["a", b]); }', 'fn f() { c.args([b, "a"]); }'),
    ("fn f() { c.args(&a); }", "fn f() { c.args(a); }"),
    ("fn f() { c.arg(&[a]); }", "fn f() { c.arg([a]); }"),
    ("fn args() {} fn f() { c.args(&[a]); }", "fn args() {} fn f() { c.args([a]); }"),
    ("fn f() { g(a.unwrap_or_else(|| b.len())); }", "fn f() { g(a.unwrap_or(b.len())); }"),
    ('fn f() { g(a.unwrap_or_else(|| B::new("a"))); }', 'fn f() { g(a.unwrap_or(B::new("a"))); }'),
    ('struct Path; fn f() { g(a.unwrap_or_else(|| Path::new("a"))); }',
     'struct Path; fn f() { g(a.unwrap_or(Path::new("a"))); }'),
    ("fn f() { g(a.unwrap_or_else(|b| b)); }", "fn f() { g(a.unwrap_or(b)); }"),
    ("fn f() { g(a.then_some(b())); }", "fn f() { g(a.then(|| b())); }"),
    ("fn f() { g(a.map(|x| x.to_string())); }", "fn f() { g(a.map(ToString::to_owned)); }"),
    ("fn f() { g(a.map(|x| x.b())); }", "fn f() { g(a.map(A::b)); }"),
    ("trait A {} fn f() { g(a.map(|x| x.b())); }", "trait A {} fn f() { g(a.map(A::b)); }"),
    ("struct A; fn f() { g(a.map(|x| y.b())); }", "struct A; fn f() { g(a.map(A::b)); }"),
    ("struct A; fn f() { g(a.map(|x| x.b(1))); }", "struct A; fn f() { g(a.map(A::b)); }"),
    ("struct A; struct B; fn f() { g(a.parse().map(A::b)); }",
     "struct A; struct B; fn f() { g(a.parse().map(B::b)); }"),
    ("struct A; struct B; fn f() { g(a.map(A::b), c.map(|x| x.b())); }",
     "struct A; struct B; fn f() { g(a.map(|x| x.b()), c.map(B::b)); }"),
    ("struct ToString; fn f() { g(a.map(|x| x.b())); }", "struct ToString; fn f() { g(a.map(ToString::c)); }"),
]  # fmt: skip


@pytest.mark.parametrize(("before", "after"), SAME)
def test_what_a_lint_suggests_is_a_refactor(before: str, after: str) -> None:
    for pair in ((before, after), (after, before)):
        verdict = judged({"a.rs": pair})["a.rs"]
        assert verdict.mutation_class is MutationClass.AST_REFACTOR, verdict.reasons


@pytest.mark.parametrize(("before", "after"), OTHER)
def test_what_only_looks_like_a_suggestion_is_none(before: str, after: str) -> None:
    for pair in ((before, after), (after, before)):
        assert judged({"a.rs": pair})["a.rs"].mutation_class is MutationClass.INTENT_EVOLUTION
