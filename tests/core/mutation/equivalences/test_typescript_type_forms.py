"""Types of TypeScript that are the same in another form, and those that only look like it."""

from __future__ import annotations

import pytest

from intentls.core.mutation.classes import MutationClass
from tests.core.mutation.repository import judged

SAME = [
    ("export const f = (a: Array<B>): void => g(a)", "export const f = (a: B[]): void => g(a)"),
    ("export const f = (a: Array<B | C>): void => g(a)", "export const f = (a: (B | C)[]): void => g(a)"),
    ("export const f = (a: ReadonlyArray<B>): void => g(a)", "export const f = (a: readonly B[]): void => g(a)"),
    ("export function f<T>(a: T): T { return a }", "export function f<Item>(a: Item): Item { return a }"),
    ("export type F<T> = <U>(a: T, b: U) => T", "export type F<U> = <T>(a: U, b: T) => U"),
    ("export interface A<T extends B> { a: T }", "export interface A<S extends B> { a: S }"),
    (
        "export class A<T> { b: T; c<U>(d: U): T { return this.b } }",
        "export class A<V> { b: V; c<W>(d: W): V { return this.b } }",
    ),
    ("export type F<T> = { [K in keyof T]: K }", "export type F<S> = { [K in keyof S]: K }"),
]
OTHER = [
    ("export const f = (a: Array<B>): void => g(a)", "export const f = (a: readonly B[]): void => g(a)"),
    ("export const f = (a: Array<B>): void => g(a)", "export const f = (a: Set<B>): void => g(a)"),
    ("export const f = (a: Map<B, C>): void => g(a)", "export const f = (a: Map<C, B>): void => g(a)"),
    ("import {Array} from 'x'\nexport const a: Array<B> = c", "import {Array} from 'x'\nexport const a: B[] = c"),
    ("type Array<T> = T\nexport const a: Array<B> = c", "type Array<T> = T\nexport const a: B[] = c"),
    ("export type F<T> = <U>(a: T, b: U) => T", "export type F<T> = <U>(a: U, b: T) => T"),
    ("export type F<T> = <T>(a: T) => T", "export type F<T> = <U>(a: T) => T"),
    ("export type F<T, U> = (a: T) => U", "export type F<U, T> = (a: T) => U"),
    ("export type F<T, T> = (a: T) => T", "export type F<S, S> = (a: S) => S"),
    ("export type F<K> = { [K in keyof T]: K }", "export type F<S> = { [K in keyof T]: S }"),
    ("export function f<T>(a: T): B { return a }", "export function f<B>(a: B): B { return a }"),
]


@pytest.mark.parametrize(("before", "after"), SAME)
def test_a_type_in_another_form_is_a_refactor(before: str, after: str) -> None:
    for old, new in ((before, after), (after, before)):
        verdict = judged({"a.ts": (old, new)})["a.ts"]
        assert verdict.mutation_class is MutationClass.AST_REFACTOR, verdict.reasons


@pytest.mark.parametrize(("before", "after"), OTHER)
def test_another_type_is_what_callers_are_told(before: str, after: str) -> None:
    for old, new in ((before, after), (after, before)):
        assert judged({"a.ts": (old, new)})["a.ts"].mutation_class is MutationClass.INTENT_EVOLUTION


_SEEN_BY_NONE = (
    "import { f } from './f'\nconst a = f(1)\nf(a)\n",
    "import { f } from './f'\nconst a: number = f(1)\nf(a as number)\n",
)


@pytest.mark.parametrize("path", ["a.ts", "test/a.test.ts", "src/types.ts", "test/prototypes.ts", "src/types/a.ts"])
def test_a_type_that_no_caller_sees_is_a_refactor(path: str) -> None:
    assert judged({path: _SEEN_BY_NONE})[path].mutation_class is MutationClass.AST_REFACTOR


@pytest.mark.parametrize(
    "path",
    [
        *("a.test-d.ts", "test-d/a.ts", "tests/types.test.tsx", "tests/types/a.ts", "src/type.spec.ts"),
        *("type-tests/a.ts", "src/__tests__/deep/typings.ts"),
    ],
)
def test_a_type_in_a_test_of_types_is_what_is_tested(path: str) -> None:
    assert judged({path: _SEEN_BY_NONE})[path].mutation_class is MutationClass.INTENT_EVOLUTION


def test_a_type_beside_what_asserts_types_is_what_is_tested() -> None:
    before, after = (f"{text}expectTypeOf(a).toEqualTypeOf<number>()\n" for text in _SEEN_BY_NONE)
    assert judged({"a.test.ts": (before, after)})["a.test.ts"].mutation_class is MutationClass.INTENT_EVOLUTION
