"""Directives of C that ask in another way whether a macro is defined."""

from __future__ import annotations

import pytest

from intentls.core.mutation.classes import MutationClass
from tests.core.mutation.repository import judged, no_mutant_of_c_passes

SAME = [
    ("#ifdef X", "#if defined(X)"),
    ("#ifdef X", "#if defined X"),
    ("#ifndef X", "#if !defined(X)"),
    ("#ifndef X", "#if ! defined X // as it is"),
]
OTHER = [
    ("#ifdef X", "#if !defined(X)"),
    ("#ifdef X", "#if defined(Y)"),
    ("#ifdef X", "#if X"),
    ("#ifdef X", "#if defined(X) && Y"),
    ("#ifdef X", "#if !!defined(X)"),
    ("#ifdef X", "#if defined(X"),
]


def _under(directive: str) -> str:
    return f"int a;\n{directive}\nint f(void);\n#else\nint g(void);\n#endif\n"


@pytest.mark.parametrize("path", ["a.c", "a.h"])
@pytest.mark.parametrize(("before", "after"), SAME)
def test_what_asks_for_one_macro_is_a_refactor(path: str, before: str, after: str) -> None:
    for old, new in ((before, after), (after, before)):
        verdict = judged({path: (_under(old), _under(new))})[path]
        assert verdict.mutation_class is MutationClass.AST_REFACTOR, verdict.reasons
        assert "conditions asked in another way" in verdict.reasons


@pytest.mark.parametrize(("before", "after"), OTHER)
def test_what_asks_for_something_else_stays_behaviour(before: str, after: str) -> None:
    for old, new in ((before, after), (after, before)):
        verdict = judged({"a.c": (_under(old), _under(new))})["a.c"]
        assert verdict.mutation_class is MutationClass.INTENT_EVOLUTION, verdict.reasons


@pytest.mark.no_cover  # it looks for a wrong answer, in ways that other tests take
def test_no_mutant_of_another_way_to_ask_passes() -> None:
    no_mutant_of_c_passes([(_under(old), _under(new)) for old, new in SAME], {}, "directives of C")
