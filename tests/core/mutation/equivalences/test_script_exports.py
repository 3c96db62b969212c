"""Exports of JavaScript and TypeScript, told one by one or in a list."""

from __future__ import annotations

import random

import pytest

from intentls.core.mutation.classes import MutationClass
from intentls.core.syntax.languages.javascript.exports import REASON
from tests.core.mutation.mutants import mutants
from tests.core.mutation.repository import judged

SAME = [
    (
        "a.js",
        "function f() {} export { f };",
        "export function f() {}",
    ),
    (
        "a.js",
        "const a = 1, b = 2; export { b, a as c };",
        "const a = 1; export const b = 2; export { a as c };",
    ),
    (
        "a.js",
        "class A {} export { A };",
        "export class A {}",
    ),
    (
        "a.js",
        "export { a } from 'x'; export { b } from 'x';",
        "export { b, a } from 'x';",
    ),
    (
        "a.ts",
        "export enum E { A } export const b = E.A;",
        "export enum E { A } const b = E.A; export { b };",
    ),
    (
        "a.js",
        "export const { a, b } = f(); function g() {} export { g };",
        "export const { a, b } = f(); export function g() {}",
    ),
    (
        "a.js",
        "export { b, a }; const a = 1, b = 2;",
        "const a = 1, b = 2; export { a, b };",
    ),
    (
        "a.ts",
        "const a: number = 1; class B<T> {} async function c() {} function* d() {}\nexport { a, B, c, d };",
        "export const a: number = 1; export class B<T> {} export async function c() {} export function* d() {}",
    ),
    (
        "a.js",
        "export { a } from 'x';\nexport { c } from 'y';\nexport { b } from 'x';",
        "export { a as a } from 'x';\nexport { c } from 'y';\nexport { b } from 'x';",
    ),
]
OTHER = [
    (
        "a.js",
        "function f() {} function g() {} export { f };",
        "function f() {} export function g() {}",
    ),
    (
        "a.js",
        "function f() {} export { f as g };",
        "export function f() {}",
    ),
    (
        "a.js",
        "function f() {} export { f as default };",
        "export function f() {}",
    ),
    (
        "a.js",
        "export function f() { return 1; }\nf();",
        "export function g() { return 1; }\ng();",
    ),
    (
        "a.js",
        "function f() { return 1; } export { f };",
        "function g() { return 1; } export { g };",
    ),
    (
        "a.js",
        "export function f() { return 1; }",
        "function g() { return 1; } export { g };",
    ),
    (
        "a.js",
        "export { a } from 'x'; export { b } from 'y';",
        "export { b } from 'y'; export { a } from 'x';",
    ),
    (
        "a.js",
        "export { a, b } from 'x';",
        "export { a } from 'x'; export { b } from 'y';",
    ),
    (
        "a.js",
        "export { a } from 'x';",
        "export { a };",
    ),
    (
        "a.ts",
        "export type { A } from 'x';",
        "export { A } from 'x';",
    ),
    ("a.js", "export { a } from 'x';\nexport * from 'x';", "export * from 'x';"),
    ("a.js", "var f = 1;\nexport { f };", "export let f = 1;"),
    ("a.js", "function f() { return 1; }\nexport { f };", "export function f() { return 2; }"),
    ("a.js", "const f = 1;\nexport { f };", "const g = 1;\nexport { g };"),
    ("a.js", "export { a, b } from 'x' with { type: 'json' };", "export { a, b } from 'x';"),
    ("a.ts", "@d() class A {}\nexport { A };", "export class A {}"),
]


@pytest.mark.parametrize(("path", "before", "after"), SAME)
def test_exports_that_are_told_in_another_way_are_a_refactor(path: str, before: str, after: str) -> None:
    for old, new in ((before, after), (after, before)):
        verdict = judged({path: (f"{old}\n", f"{new}\n")})[path]
        assert verdict.mutation_class is MutationClass.AST_REFACTOR, verdict.reasons
        assert REASON in verdict.reasons


@pytest.mark.parametrize(("path", "before", "after"), OTHER)
def test_exports_of_something_else_are_behaviour(path: str, before: str, after: str) -> None:
    for old, new in ((before, after), (after, before)):
        verdict = judged({path: (f"{old}\n", f"{new}\n")})[path]
        assert verdict.mutation_class is MutationClass.INTENT_EVOLUTION, verdict.reasons


def test_a_var_that_others_import_is_no_let() -> None:
    """One that is asked for too early is undefined, the other one an error."""
    for end in ("export { f };", "export { g, f as h };"):
        before = f"var f = 1;\n{end}\n"
        for old, new in ((before, before.replace("var", "let")), (before.replace("var", "let"), before)):
            assert judged({"a.js": (old, new)})["a.js"].mutation_class is MutationClass.INTENT_EVOLUTION
    own = "var f = 1;\ng(f);\nexport { h };\n"
    assert judged({"a.js": (own, own.replace("var", "let"))})["a.js"].mutation_class is MutationClass.AST_REFACTOR


def test_the_default_of_a_module_is_imported_by_either_word() -> None:
    before, after = "import { default as a } from 'x';\na();\n", "import a from 'x';\na();\n"
    for old, new in ((before, after), (after, before)):
        assert judged({"a.js": (old, new)})["a.js"].mutation_class is not MutationClass.INTENT_EVOLUTION


@pytest.mark.no_cover  # it looks for a wrong answer, in ways that other tests take
def test_no_mutant_of_exports_passes() -> None:
    chance = random.Random("exports")
    made = 0
    for path, before, after in SAME:
        for mutant in mutants(f"{after}\n", chance, 10, "js"):
            made += 1
            verdict = judged({path: (f"{before}\n", mutant.after)})[path]
            assert verdict.mutation_class is MutationClass.INTENT_EVOLUTION, mutant
    assert made > 5
