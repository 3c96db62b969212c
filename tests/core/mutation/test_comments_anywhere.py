"""A comment that counts may stand anywhere: each form that an equivalence knows is still judged with one in it."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from itertools import islice

import pytest

from intentls.core.mutation.classes import MutationClass
from tests.core.mutation.equivalences import (
    test_go_library_calls,
    test_go_linted,
    test_go_shorthands,
    test_go_switches,
    test_java_conditions,
    test_java_linted,
    test_java_newer,
    test_java_shorthands,
    test_java_statements,
    test_javascript_linted,
    test_javascript_shorthands,
    test_rust_calls,
    test_rust_linted,
    test_rust_shorthands,
    test_rust_tidy,
)
from tests.core.mutation.repository import judged

STEP = 1 if "INTENTLS_LONG" in os.environ else 6  # each place, or every so many, another one in each form
Pairs = Sequence[tuple[str, str]]
PURE, CODING, LINE = " /* #__PURE__ */ ", " /* coding: a */ ", " /*line a:1*/ "
IN_A_FUNCTION = [(f"func z() {{ {one} }}", f"func z() {{ {two} }}") for one, two in test_go_switches.SAME]
FORMS: dict[str, tuple[str, str, list[Pairs]]] = {
    "js": (PURE, "{}\n", [test_javascript_linted.SAME, test_javascript_shorthands.SAME]),
    "ts": (PURE, "{}\n", [test_javascript_linted.SAME, test_javascript_shorthands.SAME]),
    "go": (
        LINE,
        "package p\n\n{}\n",
        [test_go_library_calls.SAME, test_go_linted.SAME, test_go_shorthands.SAME, IN_A_FUNCTION],
    ),
    "java": (
        CODING,
        "class A {{ {} }}\n",
        [
            test_java_conditions.SAME,
            test_java_linted.SAME,
            test_java_newer.SAME,
            test_java_shorthands.SAME,
            test_java_statements.SAME,
        ],
    ),
    "rs": (
        CODING,
        "{}\n",
        [test_rust_calls.SAME, test_rust_linted.SAME, test_rust_shorthands.SAME, test_rust_tidy.SAME],
    ),
}


def _with_comments(code: str, comment: str, start: int) -> Iterator[str]:
    """The code with the comment in one place after the other between two words or signs, or in some of them."""
    for place in islice(re.finditer(r"\b|(?<=\W)(?=\W)", code), start % STEP, None, STEP):
        yield f"{code[: place.start()]}{comment}{code[place.start() :]}"


@pytest.mark.no_cover  # it is long, and shows no line that other tests don't
@pytest.mark.parametrize("suffix", FORMS)
def test_code_with_a_comment_that_counts_is_judged(suffix: str) -> None:
    comment, frame, lists = FORMS[suffix]
    made = 0
    for number, (before, after) in enumerate(pair for pairs in lists for pair in pairs):
        for code in _with_comments(before, comment, number):
            made += 1
            path = f"a.{suffix}"
            assert judged({path: (frame.format(code), frame.format(after))})[path].reasons, code
    assert made > 100


def test_what_stands_beside_such_a_comment_may_be_written_in_another_way() -> None:
    before = "export function f(a, b) { if (!(a && b)) { return /* #__PURE__ */ g(1) } h(a) }\n"
    verdict = judged({"a.js": (before, before.replace("!(a && b)", "!a || !b"))})["a.js"]
    assert (verdict.mutation_class, verdict.reasons) == (
        MutationClass.AST_REFACTOR,
        ("the same written in another way",),
    )
