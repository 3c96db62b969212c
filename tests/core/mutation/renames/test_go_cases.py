"""Names of Go beside and within labels, cases and type switches."""

from __future__ import annotations

import pytest

from intentls.core.mutation.classes import MutationClass
from intentls.core.mutation.file_class import FileClass
from tests.core.mutation.repository import judged

LABELLED = "func g(m M) {{\n{label}:\n\tfor {name} := range m {{\n\t\th({name})\n\t\tcontinue {label}\n\t}}\n}}\n"
TYPED = (
    "func g(m any, n int) {{\n\tswitch {alias} := m.(type) {{\n\tcase int:\n\t\t{one} := {alias}\n\t\th({one})\n"
    "\tcase string:\n\t\t{two} := 1\n\t\th({two})\n\t}}\n}}\n"
)
OTHER = "func f() {{ {0} := h(); i({0}) }}\n"
SAME = {
    "beside a label": (
        LABELLED.format(label="outer", name="k") + OTHER.format("kv"),
        LABELLED.format(label="outer", name="k") + OTHER.format("k"),
    ),
    "below a label": (LABELLED.format(label="outer", name="k"), LABELLED.format(label="outer", name="key")),
    "beside a type switch": (
        TYPED.format(alias="x", one="k", two="b") + OTHER.format("kv"),
        TYPED.format(alias="x", one="k", two="b") + OTHER.format("k"),
    ),
    "in a case of types": (TYPED.format(alias="x", one="k", two="k"), TYPED.format(alias="x", one="key", two="k")),
}
CHANGED = {
    "a label": (LABELLED.format(label="outer", name="k"), LABELLED.format(label="other", name="k")),
    "what a type switch declares": (
        TYPED.format(alias="x", one="k", two="b"),
        TYPED.format(alias="y", one="k", two="b"),
    ),
    "a name of two cases": (
        "func g(m any, k int) { switch x := m.(type) { case int: k := x; h(k); case string: h(k) } }\n",
        "func g(m any, k int) { switch x := m.(type) { case int: y := x; h(y); case string: h(y) } }\n",
    ),
    "a name that a type switch has anew": (
        "func g(m any, x int) { switch x := m.(type) { case int: h(x) }; h(x) }\n",
        "func g(m any, y int) { switch x := m.(type) { case int: h(y) }; h(y) }\n",
    ),
    "a name of the last case": (
        "func g(m, k int) { switch m { case 1: h(k); default: k := 2; h(k) } }\n",
        "func g(m, k int) { switch m { case 1: h(y); default: y := 2; h(y) } }\n",
    ),
}


def _class(before: str, after: str) -> MutationClass:
    return judged({"a.go": (f"package p\n\n{before}", f"package p\n\n{after}")})["a.go"].mutation_class


@pytest.mark.parametrize("name", SAME)
def test_a_variable_of_go_may_get_another_name(name: str) -> None:
    before, after = SAME[name]
    assert _class(before, after) is _class(after, before) is MutationClass.AST_REFACTOR


@pytest.mark.parametrize("name", CHANGED)
def test_what_means_two_things_is_not_renamed_as_one(name: str) -> None:
    before, after = CHANGED[name]
    assert _class(before, after) is _class(after, before) is MutationClass.INTENT_EVOLUTION


EXPORTED = {
    "a function": ("func {0}() int {{ return 1 }}\n", "{0}()"),
    "a variable": ("var {0} = 1\n", "{0}"),
    "one of two variables": ("var a, {0} = 1, 2\n", "{0}"),
    "a variable of a list": ("var (\n\ta = 1\n\t{0} = 2\n)\n", "{0}"),
    "a constant of a list": ("const (\n\ta = 1\n\t{0} = 2\n)\n", "{0}"),
    "a type": ("type {0} int\n", "int({0}(1))"),
}


def _of_two_files(name: str, old: str, new: str) -> tuple[FileClass, FileClass]:
    """What is said of the file that declares a name and of one that uses it, as it becomes another one."""
    declaration, use = EXPORTED[name]
    texts = {"a.go": f"package p\n\n{declaration}", "b.go": f"package p\n\nfunc use() int {{{{ return {use} }}}}\n"}
    said = judged({path: (text.format(old), text.format(new)) for path, text in texts.items()})
    return said["a.go"], said["b.go"]


@pytest.mark.parametrize("name", EXPORTED)
def test_what_other_packages_see_now_is_behaviour_of_its_own_file_and_a_refactor_for_who_uses_it(name: str) -> None:
    declared, used = _of_two_files(name, "parseAll", "ParseAll")
    assert used.mutation_class is MutationClass.AST_REFACTOR, used.reasons
    assert declared.mutation_class is MutationClass.INTENT_EVOLUTION
    assert declared.reasons == ("other packages see ParseAll now",)


@pytest.mark.parametrize(("old", "new"), [("ParseAll", "parseAll"), ("parseAll", "parse"), ("ParseAll", "Parse")])
@pytest.mark.parametrize("name", EXPORTED)
def test_what_no_other_package_sees_anew_is_renamed_as_ever(name: str, old: str, new: str) -> None:
    for said in _of_two_files(name, old, new):
        assert said.mutation_class is MutationClass.AST_REFACTOR, said.reasons
