"""What Rust prints: values that are known stand in the text, and names do."""

from __future__ import annotations

import pytest

from intentls.core.mutation.classes import MutationClass
from tests.core.mutation.repository import judged

SAME = [
    ('fn f() { println!("{} is {:>5}", a, b); }', 'fn f() { println!("{a} is {b:>5}"); }'),
    ('fn f() { write!(c, "{}", a); }', 'fn f() { write!(c, "{a}"); }'),
    ('fn f() { write!(c, "{}", "closed"); }', 'fn f() { write!(c, "closed"); }'),
    ('fn f() { println!("{}: {}", "a", b.c()); }', 'fn f() { println!("a: {}", b.c()); }'),
    ('fn f() { println!("{} {} {}", a, 1, "{}"); }', 'fn f() { println!("{a} 1 {{}}"); }'),
    ('fn f() { println!("{{}} {}", "a\\n"); }', 'fn f() { println!("{{}} a\\n"); }'),
    (
        'macro_rules! m { ($a:expr) => {{ println!("a {}", b); if c { writeln!($a, "{:?}", d) } }}; }',
        'macro_rules! m { ($a:expr) => {{ println!("a {b}"); if c { writeln!($a, "{d:?}") } }}; }',
    ),
]
OTHER = [
    ('fn f() { println!("{} {}", a, b); }', 'fn f() { println!("{b} {a}"); }'),
    ('fn f() { println!("{:?}", "a"); }', 'fn f() { println!("a"); }'),
    ('fn f() { println!("{}", "a"); }', 'fn f() { println!("b"); }'),
    ('fn f() { println!("{1} {0}", a, "b"); }', 'fn f() { println!("{a} b"); }'),
    ('fn f() { println!("{}", 1.0); }', 'fn f() { println!("1.0"); }'),
    ('fn f() { println!("{}", 0x10); }', 'fn f() { println!("0x10"); }'),
    ('fn f() { println!("{}", 1u8); }', 'fn f() { println!("1u8"); }'),
    ('fn f() { println!("{}", "\\u{61}"); }', 'fn f() { println!("\\\\u{{61}}"); }'),
    ('fn f() { println!("{a}", a = "b"); }', 'fn f() { println!("b"); }'),
    ('fn f() { println!("{}", b"a"); }', 'fn f() { println!("a"); }'),
    ('fn f() { panic!("{}", a); }', 'fn f() { panic!("{a}"); }'),
    ('fn f() { m!("{}", a); }', 'fn f() { m!("{a}"); }'),
    ('macro_rules! m { () => { n!("{}", a) }; }', 'macro_rules! m { () => { n!("{a}") }; }'),
    ('macro_rules! m { () => { a::println!("{}", b) }; }', 'macro_rules! m { () => { a::println!("{b}") }; }'),
    ('macro_rules! m { ($a:expr) => { println!("{}", $a) }; }', 'macro_rules! m { ($a:expr) => { println!("{a}") }; }'),
    ('macro_rules! m { (println!("{}", a)) => { b }; }', 'macro_rules! m { (println!("{a}")) => { b }; }'),
]


@pytest.mark.parametrize(("before", "after"), SAME)
def test_a_value_that_the_text_has_is_a_refactor(before: str, after: str) -> None:
    for pair in ((before, after), (after, before)):
        verdict = judged({"a.rs": pair})["a.rs"]
        assert verdict.mutation_class is MutationClass.AST_REFACTOR, verdict.reasons


@pytest.mark.parametrize(("before", "after"), OTHER)
def test_what_may_print_something_else_stays_behaviour(before: str, after: str) -> None:
    for pair in ((before, after), (after, before)):
        assert judged({"a.rs": pair})["a.rs"].mutation_class is MutationClass.INTENT_EVOLUTION
