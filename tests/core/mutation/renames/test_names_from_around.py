"""A name that a block declares is one from around until it is declared: there, another name is another variable.

Each program is made of parts: what declares the two names around, what uses the first before the block has its own, and
the declaration in the block. To rename the block's own with a use that comes before it takes another value.
"""

from __future__ import annotations

from itertools import product

import pytest

from intentls.core.mutation.classes import MutationClass
from tests.core.mutation.repository import classes, judged

REFACTOR, EVOLUTION = MutationClass.AST_REFACTOR, MutationClass.INTENT_EVOLUTION

PROGRAMS = {
    "a.go": (
        "package a\n{around}\n",
        ("func f(own, other []int) {{ if g() {{ {use}\n{declare} }} }}", "func f() {{ {use}\n{declare} }}"),
        ("h({name})", "func() {{ h({name}) }}()", "if h({name}) {{ return }}", ""),
        (
            "{name} := i({name})\nj({name}, {name})",
            "var {name} = i({name})\nj({name}, {name})",
            "for {name} := range {name} {{ j({name}) }}",
            "{name}, ok := i({name}), 1\nj({name}, ok)",
            "{name} := func() int {{ return i({name}) }}\nj({name}, {name})",
        ),
    ),
    "A.java": (
        "class A {{ int[] own, other; {around} }}\n",
        ("void f() {{ {use} {declare} }}", "void f(int k) {{ if (k > 0) {{ {use} {declare} }} }}"),
        ("h({name});", "k(() -> h({name}));", ""),
        (
            "int[] {name} = i(this.{name}); j({name}, {name});",
            "for (int {name} : {name}) {{ j({name}, {name}); }}",
            "try (R {name} = i({name})) {{ j({name}, {name}); }}",
        ),
    ),
}
CASES = [
    (path, whole, around, use, declare)
    for path, (whole, arounds, uses, declares) in PROGRAMS.items()
    for around, use, declare in product(arounds, uses, declares)
    if use or (("({name})" in declare or "range" in declare or " : {name}" in declare) and "this." not in declare)
]


@pytest.mark.parametrize(("path", "whole", "around", "use", "declare"), CASES)
def test_a_use_before_the_declaration_of_a_block_is_of_another_variable(
    path: str, whole: str, around: str, use: str, declare: str
) -> None:
    before, after = (
        whole.format(around=around.format(use=use.format(name=name), declare=declare.format(name=name)))
        for name in ("own", "other")
    )
    others = {"b.go": "package a\nvar own, other []int\n"}
    assert classes({path: (before, after)}, others) == {path: EVOLUTION}


@pytest.mark.parametrize(
    ("path", "before"),
    [
        ("a.go", "package a\nfunc f(own error) error { a, own := g(own)\nif a { return own }\nreturn nil }\n"),
        ("a.go", "package a\nfunc f() { for own := range g() { h(own, own) } }\n"),
        ("a.go", "package a\nfunc f() { own := 1\nif g() { own := own + 1\nh(own) }\nh(own) }\n"),
        ("A.java", "class A { void f() { for (int own : g()) { h(own, own); } } }\n"),
        ("A.java", "class A { void f() { int own = 1; k(() -> { h(own); }); own++; } }\n"),
    ],
)
def test_a_name_that_changes_around_as_well_is_a_refactor(path: str, before: str) -> None:
    verdict = judged({path: (before, before.replace("own", "other"))})[path]
    assert (verdict.mutation_class, verdict.reasons) == (REFACTOR, ("rename own->other",))
