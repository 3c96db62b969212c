"""What Rust prints: values that are known stand in the text, and names do."""

from __future__ import annotations

import pytest

from intentls.core.mutation.classes import MutationClass
from tests.core.mutation.repository import Repository, judged

SAME = [
    ('fn f() { println!("{} is {:>5}", a, b); }', 'fn f() { println!("{a} is {b:>5}"); }'),
    ('fn f() { write!(c, "{}", a); }', 'fn f() { write!(c, "{a}"); }'),
    ('fn f() { write!(c, "{}", "closed"); }', 'fn f() { write!(c, "closed"); }'),
    ('fn f() { println!("{}: {}", "a", b.c()); }', 'fn f() { println!("a: {}", b.c()); }'),
    ('fn f() { println!("{a}", a = "b"); }', 'fn f() { println!("b"); }'),
    # Names stand in the text, and the rest behind it.
    ('fn f() { println!("{} {:?} {}", a.b(), c, d); }', 'fn f() { println!("{} {c:?} {d}", a.b()); }'),
    ('fn f() { println!("{0} {1} {0} {1}", a(), b); }', 'fn f() { println!("{0} {b} {0} {b}", a()); }'),
    ('fn f() { println!("{1} {0}", a(), b); }', 'fn f() { println!("{b} {}", a()); }'),
    ('fn f() { println!("{a} {b}", a = c, b = d()); }', 'fn f() { println!("{c} {}", d()); }'),
    (
        'fn f() { println!("{a}{{", a = a); println!("{:}", self); }',
        'fn f() { println!("{a}{{"); println!("{self}"); }',
    ),
    ('fn f() { panic!("{} {}", a, b.c()); }', 'fn f() { panic!("{a} {}", b.c()); }'),
    ('fn f() { assert_eq!(a, b, "{}", c); todo!("{}", d); }', 'fn f() { assert_eq!(a, b, "{c}"); todo!("{d}"); }'),
    # What is printed is only looked at.
    ('fn f() { println!("{} {:?}", &a.b, &c[0]); }', 'fn f() { println!("{} {:?}", a.b, c[0]); }'),
    ('fn f() { println!("{}", a.b()?.to_string()); }', 'fn f() { println!("{}", a.b()?); }'),
    # Macros of other crates.
    ('use log::info; fn f() { info!("{} {}", a, b.c()); }', 'use log::info; fn f() { info!("{a} {}", b.c()); }'),
    ('fn f() -> T { anyhow::ensure!(a, "{}", b); }', 'fn f() -> T { anyhow::ensure!(a, "{b}"); }'),
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
    ('fn f() { println!("{}", b"a"); }', 'fn f() { println!("a"); }'),
    ('fn f() { panic!("{}", a); }', 'fn f() { panic!("{a}"); }'),
    ('fn f() { println!("{0} {1}", a(), b()); }', 'fn f() { println!("{1} {0}", a(), b()); }'),
    ('fn f() { println!("{} {c:?}", a.b()); }', 'fn f() { println!("{c} {:?}", a.b()); }'),
    ('fn f() { println!("{:1$}", a, b); }', 'fn f() { println!("{:b$}", a); }'),
    ('fn f() { println!("{:p}", &a.b); }', 'fn f() { println!("{:p}", a.b); }'),
    ('fn f() { println!("{}", &a + b); }', 'fn f() { println!("{}", a + b); }'),
    ('fn f() { println!("{:?}", a.to_string()); }', 'fn f() { println!("{:?}", a); }'),
    ('fn f() { println!("{}", a + b.to_string()); }', 'fn f() { println!("{}", a + b); }'),
    ('impl A { fn to_string(&self) {} } fn f() { println!("{}", a.b().to_string()); }',
     'impl A { fn to_string(&self) {} } fn f() { println!("{}", a.b()); }'),
    ('fn f() { println!("{ }", a()); }', 'fn f() { println!("{}", a()); }'),
    ('fn f() { println!("{} {", a); }', 'fn f() { println!("{a} {"); }'),
    ('macro_rules! println { () => {} } fn f() { println!("{}", a); }',
     'macro_rules! println { () => {} } fn f() { println!("{a}"); }'),
    ('macro_rules! m { () => { n }; } macro_rules! print { () => { print!("{}", a) }; }',
     'macro_rules! m { () => { n }; } macro_rules! print { () => { print!("{a}") }; }'),
    ('fn f() { info!("{}", a); }', 'fn f() { info!("{a}"); }'),
    ('use my::info; fn f() { info!("{}", a); }', 'use my::info; fn f() { info!("{a}"); }'),
    ('fn f() { log::info!("{}", "a"); }', 'fn f() { log::info!("a"); }'),
    ('fn f() { m!("{}", a); }', 'fn f() { m!("{a}"); }'),
    ('macro_rules! m { () => { n!("{}", a) }; }', 'macro_rules! m { () => { n!("{a}") }; }'),
    ('macro_rules! m { () => { a::println!("{}", b) }; }', 'macro_rules! m { () => { a::println!("{b}") }; }'),
    ('macro_rules! m { ($a:expr) => { println!("{}", $a) }; }', 'macro_rules! m { ($a:expr) => { println!("{a}") }; }'),
    ('macro_rules! m { (println!("{}", a)) => { b }; }', 'macro_rules! m { (println!("{a}")) => { b }; }'),
]  # fmt: skip


@pytest.mark.parametrize(("before", "after"), SAME)
def test_a_value_that_the_text_has_is_a_refactor(before: str, after: str) -> None:
    for pair in ((before, after), (after, before)):
        verdict = judged({"a.rs": pair})["a.rs"]
        assert verdict.mutation_class is MutationClass.AST_REFACTOR, verdict.reasons


@pytest.mark.parametrize(("before", "after"), OTHER)
def test_what_may_print_something_else_stays_behaviour(before: str, after: str) -> None:
    for pair in ((before, after), (after, before)):
        assert judged({"a.rs": pair})["a.rs"].mutation_class is MutationClass.INTENT_EVOLUTION


_OF_2021 = '[package]\nauthors = ["a"]\nedition = "2021"\n'
_OF_WORKSPACE = "[package]\nedition.workspace = true\n"


@pytest.mark.parametrize(
    "settings",
    [
        {"Cargo.toml": _OF_2021},
        {"Cargo.toml": '[package]\nname = "a"\n', "a/Cargo.toml": _OF_2021},
        {"Cargo.toml": '[workspace.package]\nedition = "2024"\n', "a/Cargo.toml": _OF_WORKSPACE},
        {"a/Cargo.toml": '[package]\nedition = { workspace = true }\n[workspace.package]\nedition = "2024"\n'},
    ],
)
def test_a_text_alone_has_holes_since_the_edition_of_2021(settings: dict[str, str]) -> None:
    pair = ('fn f() { panic!("{}", a); assert!(b, "{:?}", c) }', 'fn f() { panic!("{a}"); assert!(b, "{c:?}") }')
    assert judged({"a/src/b.rs": pair}, settings)["a/src/b.rs"].mutation_class is MutationClass.AST_REFACTOR
    own = tuple(f"macro_rules! panic {{ () => {{}} }} {text}" for text in pair)
    verdict = judged({"a/src/b.rs": (own[0], own[1])}, settings)["a/src/b.rs"]
    assert verdict.mutation_class is MutationClass.INTENT_EVOLUTION


@pytest.mark.parametrize(
    "settings",
    [
        {},
        {"Cargo.toml": '[package]\nedition = "2018"\n'},
        {"Cargo.toml": _OF_2021, "a/Cargo.toml": '[package]\nname = "a"\n'},
        {"b/Cargo.toml": _OF_2021},
        {"Cargo.toml": '[workspace.package]\nedition = "2018"\n', "a/Cargo.toml": _OF_WORKSPACE},
        {"a/Cargo.toml": _OF_WORKSPACE},
    ],
)
def test_a_text_alone_has_no_holes_in_an_older_edition(settings: dict[str, str]) -> None:
    pair = ('fn f() { panic!("{}", a); }', 'fn f() { panic!("{a}"); }')
    assert judged({"a/src/b.rs": pair}, settings)["a/src/b.rs"].mutation_class is MutationClass.INTENT_EVOLUTION


def test_an_edition_that_changes_or_can_not_be_told_proves_nothing() -> None:
    pair = ('fn f() { panic!("{}", a); }', 'fn f() { panic!("{a}"); }')
    newer = ('[package]\nedition = "2018"\n', _OF_2021)
    for versions, others in (
        ({"src/b.rs": pair, "Cargo.toml": newer}, Repository({})),
        ({"src/b.rs": pair}, Repository({"Cargo.toml": _OF_2021}, can_search=False)),
    ):
        assert judged(versions, others)["src/b.rs"].mutation_class is MutationClass.INTENT_EVOLUTION
