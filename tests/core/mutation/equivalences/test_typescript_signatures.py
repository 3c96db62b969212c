"""Signatures of TypeScript that only a line break parts: the grammar has no tree of them as they stand."""

from __future__ import annotations

import pytest

from intentls.core.mutation.classes import MutationClass
from intentls.core.syntax.languages.javascript.signatures import with_signatures_apart
from tests.core.mutation.repository import judged

REFACTOR, EVOLUTION = MutationClass.AST_REFACTOR, MutationClass.INTENT_EVOLUTION

PICK = "export interface Pick<S> {\n  (): State<S>\n  <U>(of: S): U\n}\n"
TYPE = "type Pick<S> = {\n  (): State<S>\n  <U>(of: S): U\n}\nexport const pick: Pick<A> = f()\n"


@pytest.mark.parametrize("types", [PICK, TYPE])
def test_a_file_with_such_signatures_is_compared(types: str) -> None:
    before = f"{types}export function f(): void {{ const a = 1; g(a, a) }}\n"
    for path in ("a.ts", "a.tsx"):
        renamed = judged({path: (before, before.replace("const a = 1; g(a, a)", "const b = 1; g(b, b)"))})[path]
        assert renamed.mutation_class is REFACTOR, renamed.reasons
        other = judged({path: (before, before.replace("(of: S): U", "(of: U): U"))})[path]
        assert other.mutation_class is EVOLUTION
        assert "parse" not in other.reasons[0]


@pytest.mark.parametrize(
    "text",
    [
        "export const a = b\n  <U>(c)\n",
        "export const a = (\n  <b>c</b>\n",
        "export interface A {\n  (): B\n  <U>(c: U): U\n}\nexport const a = b\n  <U>(c)\n",
        "export interface A {\n  (): B[\n}\n",
    ],
)
def test_what_no_sign_parts_has_no_tree(text: str) -> None:
    verdict = judged({"a.ts": (text, text.replace("a", "d"))})["a.ts"]
    assert verdict.mutation_class is EVOLUTION


def test_the_sign_takes_the_place_of_a_space() -> None:
    assert with_signatures_apart(PICK.encode()) == PICK.replace("  <U>", " ;<U>").encode()
    assert with_signatures_apart(b"a\n<U>(b)") == b"a\n<U>(b)"
