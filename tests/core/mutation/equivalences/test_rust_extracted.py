"""Rust: functions that are taken out of others and put back, and bodies that may do something else there."""

from __future__ import annotations

import random

import pytest

from intentls.core.mutation.classes import MutationClass
from intentls.core.mutation.equivalences import rust_extracted
from tests.core.mutation.mutants import mutants
from tests.core.mutation.repository import judged

REFACTOR, EVOLUTION = MutationClass.AST_REFACTOR, MutationClass.INTENT_EVOLUTION
SHOW = "fn show(&self, out: &Sink, n: u8) -> Done {{ {} }}\n"


def _method(before: str, after: str, helper: str, head: str = SHOW) -> tuple[str, str]:
    """A method of which a part is taken out to another one of the type."""
    return f"impl A {{ {head.format(before)} }}\n", f"impl A {{ {head.format(after)} {helper} }}\n"


def _function(head: str, before: str, after: str, helper: str) -> tuple[str, str]:
    return f"{head} {{ {before} }}\n", f"{head} {{ {after} }}\n{helper}\n"


RIGHT: dict[str, tuple[str, str]] = {
    "the end of a method": _method(
        "out.open(); out.mark(self.mark, n + 1); out.write(self.text())",
        "out.open(); self.start(out, n)",
        "fn start(&self, o: &Sink, m: u8) -> Done { o.mark(self.mark, m + 1); o.write(self.text()) }",
    ),
    "statements": _method(
        "out.open(); out.mark(self.mark, n + 1); out.write(2)",
        "self.start(out, n); out.write(2)",
        "fn start(&self, o: &Sink, m: u8) { o.open(); o.mark(self.mark, m + 1) }",
    ),
    "a method of what may be changed": _method(
        "self.n = n; self.m += 1; out.write(2)",
        "self.count(n); out.write(2)",
        "fn count(&mut self, n: u8) { self.n = n; self.m += 1; }",
        SHOW.replace("&self", "&mut self"),
    ),
    "a method that only reads": _method(
        "let x = !self.n.is_empty(); out.write(x)",
        "let x = self.has_some(); out.write(x)",
        "fn has_some(&self) -> bool { !self.n.is_empty() }",
        SHOW.replace("&self", "&mut self"),
    ),
    "a function of the type": _method(
        "let x = n * 2 + n; out.write(x); out.write(n as u64)",
        "let x = Self::double(n); out.write(x); out.write(Self::wide(n))",
        "fn double(m: u8) -> u8 { m * 2 + m } fn wide(m: u8) -> u64 { m as u64 }",
    ),
    "conditions": _function(
        "fn f(a: &T, b: U) -> bool",
        "if a.n > 3 && !b.k { g(a); } h(a.n > 3 && !b.k)",
        "if wide(a, &b) { g(a); } h(wide(a, &b))",
        "fn wide(x: &T, y: &U) -> bool { x.n > 3 && !y.k }",
    ),
    "ways out at the end": _function(
        "fn f(a: &T) -> R<u8>",
        "g(1); let n = a.n()?; if n > 2 { return Err(b); } Ok(n)",
        "g(1); return go(a);",
        "fn go(x: &T) -> R<u8> { let n = x.n()?; if n > 2 { return Err(b); } Ok(n) }",
    ),
    "in two places": _function(
        "fn f(a: &T)",
        "if a.n > 1 { a.k(1); a.l(); } else { a.k(2); a.k(1); a.l(); } m(a);",
        "if a.n > 1 { go(a); } else { a.k(2); go(a); } m(a);",
        "fn go(b: &T) { b.k(1); b.l(); }",
    ),
    "a value with the name of a field": _function(
        "fn f(a: &T) -> S",
        "k(1); S { b: a, c: 1 }",
        "k(1); go(a)",
        "fn go(b: &T) -> S { S { b, c: 1 } }",
    ),
    "what is lent to be changed": _function(
        "fn f(a: T, c: &mut V)",
        "a.k(c); a.l(2); m(1);",
        "go(&mut a, c); m(1);",
        "fn go(b: &mut T, c: &mut V) { b.k(c); b.l(2); }",
    ),
    "constants": _function(
        "fn f(a: &T)",
        "a.k(true, \"b\"); a.l('c'); m(a);",
        "go(a, true, \"b\", 'c'); m(a);",
        "fn go(b: &T, k: bool, t: &str, c: char) { b.k(k, t); b.l(c); }",
    ),
    "in a module": (
        "mod n { fn f(a: &T) -> u8 { g(1); a.k(1) } }\n",
        "mod n { fn f(a: &T) -> u8 { g(1); go(a) } fn go(b: &T) -> u8 { b.k(1) } }\n",
    ),
    "a variable that says its type": _function(
        "fn f()",
        "let a: &T = g(); a.k(1); a.l(2); m(a);",
        "let a: &T = g(); go(a); m(a);",
        "fn go(b: &T) { b.k(1); b.l(2); }",
    ),
    "what is printed": _function(
        "fn f(a: &T)",
        'a.k(1); println!("b {}", a.n); m(a);',
        "go(a); m(a);",
        'fn go(c: &T) { c.k(1); println!("b {}", c.n); }',
    ),
}
_MADE = "for d in a.n() { c.push(d); c.push(1); }"
MADE: dict[str, tuple[str, str]] = {
    kind: _function(
        "fn f(a: &T)",
        f"g(1); let mut c = {value}; {_MADE} m(c);",
        "g(1); let mut c = go(a); m(c);",
        f"fn go(a: &T) -> {kind} {{ let mut x = {value}; {_MADE.replace('c.', 'x.')} x }}",
    )
    for kind, value in (("Vec<V>", "vec![k(2)]"), ("String", "String::new()"), ("Map<K, V>", "Map::with(a)"))
} | {
    "a type that it says": _function(
        "fn f(a: &T)",
        f"let mut c: u64 = 1; {_MADE} m(c);",
        "let mut c = go(a); m(c);",
        f"fn go(a: &T) -> u64 {{ let mut c: u64 = 1; {_MADE} c }}",
    )
}
_ONE = "fn f(a: &T)", "a.k(1); a.l(2); m(a);", "go(a); m(a);"
WRONG: dict[str, tuple[str, str]] = {
    "it does something else": _function(*_ONE, "fn go(b: &T) { b.k(1); b.l(3); }"),
    "it does it in another order": _function(*_ONE, "fn go(b: &T) { b.l(2); b.k(1); }"),
    "it takes another type": _function(*_ONE, "fn go(b: &dyn Q) { b.k(1); b.l(2); }"),
    "it takes any type": _function(*_ONE, "fn go<T>(b: &T) { b.k(1); b.l(2); }"),
    "others see it": _function(*_ONE, "pub fn go(b: &T) { b.k(1); b.l(2); }"),
    "a module of another file sees it": _function(*_ONE, "fn go(b: &T) { b.k(1); b.l(2); }\nmod n;"),
    "it is called elsewhere, too": _function(
        *_ONE, "fn go(b: &T) { b.k(1); b.l(2); }\nmod n { fn p() { super::go(q); } }"
    ),
    "it is handed on": _function(*_ONE, "fn go(b: &T) { b.k(1); b.l(2); }\nfn p() { q(go); }"),
    "it is marked": _function(*_ONE, "#[cold]\nfn go(b: &T) { b.k(1); b.l(2); }"),
    "it is unsafe": _function(*_ONE, "unsafe fn go(b: &T) { b.k(1); b.l(2); }"),
    "what it declares is dropped earlier": _function(
        "fn f(a: &T)",
        "let g = a.lock(); a.l(2); m(a);",
        "go(a); m(a);",
        "fn go(b: &T) { let g = b.lock(); b.l(2); }",
    ),
    "what it makes is dropped earlier": _function(
        "fn f(a: &T) -> u8",
        "let c = a.c(); a.lock().get()",
        "let c = a.c(); go(a)",
        "fn go(b: &T) -> u8 { b.lock().get() }",
    ),
    "it leaves in the middle": _function(
        "fn f(a: &T) -> R", "a.k(1)?; m(a)", "go(a); m(a)", "fn go(b: &T) -> R { b.k(1)?; Ok(()) }"
    ),
    "a macro may leave": _function("fn f(a: &T) -> R", "bail!(a); m(a)", "go(a); m(a)", "fn go(b: &T) { bail!(b); }"),
    "a macro is given a way out": _function(
        "fn f(a: &T) -> R", 'println!("{}", a?); m(a)', "go(a); m(a)", 'fn go(b: &T) { println!("{}", b?); }'
    ),
    "it gives another type at the end": _function(
        "fn f(a: &T) -> R<u8>", "a.k(1)?; Ok(m(a)?)", "go(a)?", "fn go(b: &T) -> R<u16> { b.k(1)?; Ok(m(b)?) }"
    ),
    "it is given a variable of a type that is not said": _function(
        "fn f()", "let a = g(); a.k(1); a.l(2); m(a);", "let a = g(); go(a); m(a);", "fn go(b: &T) { b.k(1); b.l(2); }"
    ),
    "it is given what it drops": _function(
        "fn f(a: T)", "a.k(1); a.l(2); m(1);", "go(a); m(1);", "fn go(b: T) { b.k(1); b.l(2); }"
    ),
    "it is given a value": _function("fn f(a: &T)", "g(a).k(1); m(a);", "go(g(a)); m(a);", "fn go(b: &T) { b.k(1); }"),
    "a number may be of another type": _function(
        "fn f()", "let b = 1; k(b << 40);", "go(1);", "fn go(b: u64) { k(b << 40); }"
    ),
    "a name of the body is the caller's": _function(
        "fn f(a: &T, m: &U)", "a.k(m); n(a);", "go(a); n(a);", "fn go(b: &T) { b.k(m); }"
    ),
    "a name that it declares is the caller's": _function(
        "fn f(a: &T) -> u8",
        "let c = 1; let c = a.k(); c",
        "let c = 1; go(a)",
        "fn go(b: &T) -> u8 { let c = b.k(); c }",
    ),
    "a text names what it is given": _function(
        "fn f(a: &T)", 'println!("{b}"); m(a);', "go(a); m(a);", 'fn go(b: &T) { println!("{b}"); }'
    ),
    "what it gives is lent": _function(
        "fn f(a: &T)", "let c = &a.k; m(c);", "let c = go(a); m(c);", "fn go(b: &T) -> &K { &b.k }"
    ),
    "what it gives is made a box": _function(
        "fn f(a: &T)", "let c = g(a); m(c);", "let c = go(a); m(c);", "fn go(b: &T) -> Box<dyn Q> { g(b) }"
    ),
    "what it gives may be changed": _function(
        "fn f(a: &T)", "a.n.k(1); m(a);", "go(a).k(1); m(a);", "fn go(b: &T) -> N { b.n }"
    ),
    "what it gives is a place": _function("fn f(a: &T)", "m(a.n);", "m(go(a));", "fn go(b: &T) -> N { b.n }"),
    "what it gives is kept open": _function(
        "fn f(a: &T)",
        "if let Some(c) = a.lock().get() { m(c); }",
        "if let Some(c) = go(a) { m(c); }",
        "fn go(b: &T) -> Option<u8> { b.lock().get() }",
    ),
    "what it gives is a lock that is asked": _function(
        "fn f(a: &T)", "m(a.lock().get(), a);", "m(go(a), a);", "fn go(b: &T) -> u8 { b.lock().get() }"
    ),
    "what it gives may be of another type": _function(
        "fn f(a: &T)", "let c = a.n + 1; m(c);", "let c = go(a); m(c);", "fn go(b: &T) -> u64 { b.n + 1 }"
    ),
    "what it gives is of another type": _function(
        "fn f(a: u8)", "m(a + k(1));", "m(go(a));", "fn go(b: u8) -> u8 { b + k(1) }"
    ),
    "it gives what is made": _function("fn f(a: &T)", "m(k(a));", "m(go(a));", "fn go(b: &T) -> u8 { k(b) }"),
    "it gives the opposite number": _function("fn f(a: i8)", "m(-a);", "m(go(a));", "fn go(b: i8) -> u8 { -b }"),
    "it gives numbers of some type": _function(
        "fn f(a: &T)",
        f"g(1); let mut c = Vec::new(); {_MADE} m(c);",
        "g(1); let mut c = go(a); m(c);",
        f"fn go(a: &T) -> Vec<u8> {{ let mut c = Vec::new(); {_MADE} c }}",
    ),
    "it makes it of something else": _function(
        "fn f(a: &T)",
        f"g(1); let mut c = k(); {_MADE} m(c);",
        "g(1); let mut c = go(a); m(c);",
        f"fn go(a: &T) -> Vec<V> {{ let mut c = k(); {_MADE} c }}",
    ),
    "it says another type": _function(
        "fn f(a: &T)",
        f"g(1); let mut c: Box<V> = k(); {_MADE} m(c);",
        "g(1); let mut c = go(a); m(c);",
        f"fn go(a: &T) -> Vec<V> {{ let mut c: Box<V> = k(); {_MADE} c }}",
    ),
    "the name was another one before": _function(
        "fn f(a: &T)",
        f"let c = g(1); let mut c = Vec::new(); {_MADE} m(c);",
        "let c = g(1); let mut c = go(a); m(c);",
        f"fn go(a: &T) -> Vec<V> {{ let mut c = Vec::new(); {_MADE} c }}",
    ),
    "it keeps another one to its end": _function(
        "fn f(a: &T)",
        f"g(1); let k = a.lock(); let mut c = Vec::new(); {_MADE} m(c);",
        "g(1); let mut c = go(a); m(c);",
        f"fn go(a: &T) -> Vec<V> {{ let k = a.lock(); let mut c = Vec::new(); {_MADE} c }}",
    ),
    "it leaves while it makes it": _function(
        "fn f(a: &T)",
        f"g(1); let mut c = Vec::new(); a.k()?; {_MADE} m(c);",
        "g(1); let mut c = go(a); m(c);",
        f"fn go(a: &T) -> Vec<V> {{ let mut c = Vec::new(); a.k()?; {_MADE} c }}",
    ),
    "a text names what it makes": _function(
        "fn f(a: &T)",
        f'g(1); let mut d = Vec::new(); println!("{{c:?}}"); {_MADE.replace("c.", "d.")} m(d);',
        "g(1); let mut d = go(a); m(d);",
        f'fn go(a: &T) -> Vec<V> {{ let mut c = Vec::new(); println!("{{c:?}}"); {_MADE} c }}',
    ),
    "in a closure": _function(
        "fn f(a: &T)", "g(|| { a.k(1); a.l(2); });", "g(|| { go(a); });", "fn go(b: &T) { b.k(1); b.l(2); }"
    ),
    "a type is asked in another one's way": (
        "impl A { fn f(&self) { self.k(1); self.l(2); m(1); } }\n",
        "impl A { fn f(&self) { self.go(); m(1); } }\nimpl B { fn go(&self) { self.k(1); self.l(2); } }\n",
    ),
    "of a trait": (
        "impl Q for A { fn f(&self) { self.k(1); self.l(2); m(1); } }\n",
        "impl Q for A { fn f(&self) { self.go(); m(1); } fn go(&self) { self.k(1); self.l(2); } }\n",
    ),
    "it takes itself": (
        "impl A { fn f(&self) { self.k(1); m(1); } }\n",
        "impl A { fn f(&self) { self.go(); m(1); } fn go(self) { self.k(1); } }\n",
    ),
    "a variable that is declared twice": _function(
        "fn f(a: &T)",
        "if g() { let a: &U = h(); a.k(1); m(a); }",
        "if g() { let a: &U = h(); go(a); m(a); }",
        "fn go(b: &T) { b.k(1); }",
    ),
    "it calls itself": _function(
        "fn f(a: &T)", "a.k(1); go(a); m(a);", "go(a); m(a);", "fn go(b: &T) { b.k(1); go(b); }"
    ),
    "it has a function in it": _function(
        "fn f(a: &T)", "fn q() {} a.k(q); m(a);", "go(a); m(a);", "fn go(b: &T) { fn q() {} b.k(q); }"
    ),
    "nothing is left of it": _function("fn f(a: &T)", "m(a);", "go(a); n(a);", "fn go(b: &T) { }"),
}


@pytest.mark.parametrize("name", RIGHT | MADE)
def test_a_body_in_the_place_of_its_calls_is_a_refactor_both_ways(name: str) -> None:
    before, after = {**RIGHT, **MADE}[name]
    there, back = (judged({"a.rs": pair})["a.rs"] for pair in ((before, after), (after, before)))
    assert (there.mutation_class, back.mutation_class) == (REFACTOR, REFACTOR), there.reasons
    assert any(reason.startswith("extracted ") for reason in there.reasons)
    assert any(reason.startswith("inlined ") for reason in back.reasons)


@pytest.mark.no_cover  # it looks for a wrong answer, in ways that other tests take
@pytest.mark.parametrize("name", RIGHT)
def test_no_behaviour_mutant_passes_where_a_function_was_taken_out(name: str) -> None:
    before, after = RIGHT[name]
    made = 0
    for mutant in mutants(after, random.Random(name), 40, "rs"):
        made += 1
        assert judged({"a.rs": (before, mutant.after)})["a.rs"].mutation_class is EVOLUTION, mutant.after
    assert made > 3


@pytest.mark.parametrize("name", WRONG)
def test_what_may_do_something_else_there_is_no_refactor(name: str) -> None:
    before, after = WRONG[name]
    for pair in ((before, after), (after, before)):
        assert judged({"a.rs": pair})["a.rs"].mutation_class is EVOLUTION


@pytest.mark.no_cover  # it looks for a wrong answer, in ways that other tests take
@pytest.mark.parametrize("name", MADE)
def test_no_behaviour_mutant_passes_where_a_variable_is_made_elsewhere(name: str) -> None:
    before, after = MADE[name]
    kept = after.rpartition("{ let mut")[0]  # no other compiler would take another type
    made = 0
    for mutant in mutants(after, random.Random(name), 40, "rs"):
        if mutant.after.startswith(kept):
            made += 1
            assert judged({"a.rs": (before, mutant.after)})["a.rs"].mutation_class is EVOLUTION, mutant.after
    assert made > 1


def test_a_body_that_would_be_copied_too_often_stays_where_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rust_extracted, "MAX_COPIES", 10)
    assert judged({"a.rs": RIGHT["in two places"]})["a.rs"].mutation_class is EVOLUTION


def test_more_functions_than_are_looked_at_are_no_refactor(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rust_extracted, "MAX_HELPERS", 0)
    assert judged({"a.rs": RIGHT["in two places"]})["a.rs"].mutation_class is EVOLUTION
