"""Methods of Java that a whole repository renames, beside fields, variables and texts that have the same words."""

from __future__ import annotations

import pytest

from intentls.core.mutation.classes import MutationClass
from intentls.core.mutation.names.tree_names import may_call
from tests.core.mutation.repository import judged

REFACTOR, EVOLUTION = MutationClass.AST_REFACTOR, MutationClass.INTENT_EVOLUTION
HOME = "src/org/a/Town.java"
USER = "src/org/a/Lake.java"
TOWN = "package org.a;\nclass Town {{ {field} {access}Town {name}(int b) {{ c(); return this; }} }}\n"
LAKE = "package org.a;\nclass Lake {{ {more} void m(Town t) {{ t.{name}(1); d(t::{name}); }} }}\n"


def _versions(old: str, new: str, field: str = "", more: str = "") -> dict[str, tuple[str | None, str | None]]:
    towns = [TOWN.format(name=name, field=field, access="") for name in (old, new)]
    lakes = [LAKE.format(name=name, more=more) for name in (old, new)]
    return {HOME: (towns[0], towns[1]), USER: (lakes[0], lakes[1])}


def _classes(
    versions: dict[str, tuple[str | None, str | None]], others: dict[str, str] | None = None
) -> list[MutationClass]:
    return [verdict.mutation_class for verdict in judged(versions, others or {}).values()]


BESIDE = {
    "a field of the new name": {"field": "int grown = 1;"},
    "a field of the old name": {"field": "int grow = 1; int e = grow + 2;"},
    "a variable of the old name in a method that stays": {"more": "void f() { int grow = g(); h(grow); }"},
    "a text with a word": {"more": 'String s = "they grow well";'},
    "a comment with the call": {"more": "void f() { h(); /* don't grow(1) */ }"},
    "a static import of a field": {"field": "int grown = 1;", "more": "int e = 1;"},
}


@pytest.mark.parametrize("name", BESIDE)
def test_a_method_is_renamed_beside_what_else_has_its_word(name: str) -> None:
    assert _classes(_versions("grow", "grown", **BESIDE[name])) == [REFACTOR, REFACTOR]


def test_a_builder_gets_the_names_of_its_fields() -> None:
    versions = _versions("setSize", "size", field="int size = 1;")
    assert _classes(versions) == [EVOLUTION, EVOLUTION]  # `size` is a name of many
    assert _classes(_versions("withWidth", "width", field="int width = 1;")) == [REFACTOR, REFACTOR]


MEANT = {
    "a call that is left": {"more": "void f(Town t) { t.grow(2); }"},
    "a call that is left beside a text": {"more": 'void f(Town t) { h("a"); t.grow(2); }'},
    "a reference that is left": {"more": "void f(Town t) { h(t::grow); }"},
    "the name as a text": {"more": 'void f(Town t) { h(t, "grow"); }'},
    "the new name as a text": {"more": 'void f(Town t) { h(t, "grown"); }'},
    "a text that a program reads": {"more": 'void f(Town t) { h(t, "call #town.grow now"); }'},
    "a text that calls it": {"more": 'void f(Town t) { h(t, "do grow (1)"); }'},
    "a text that can't be told": {"more": 'void f(Town t) { char c = \'"\'; /* grow " */ String s = """ grow """; }'},
    "another method of the new name": {"more": "void f(Lake t) { t.grown(2); }"},
}


@pytest.mark.parametrize("name", MEANT)
def test_a_method_that_is_still_asked_for_by_its_old_or_new_name_is_behaviour(name: str) -> None:
    assert EVOLUTION in _classes(_versions("grow", "grown", **MEANT[name]))


@pytest.mark.parametrize(
    ("path", "text", "expected"),
    [
        ("pom.xml", "<a>grow</a>", REFACTOR),
        ("src/beans.xml", '<bean init-method="grow"/>', EVOLUTION),
        ("website/index.html", "<p>town.grow(1)</p>", REFACTOR),
        ("src/main/resources/a.html", "<p>${town.grow(1)}</p>", EVOLUTION),
        ("src/A.kt", "fun a(t: Town) = t.grow(1)", EVOLUTION),
        ("src/org/b/B.java", "package org.b;\nclass B { int grow; }\n", REFACTOR),
        ("src/org/b/B.java", "package org.b;\nclass B { void f(org.a.Town t) { t.grow(1); } }\n", EVOLUTION),
    ],
)
def test_other_files_may_have_the_word_if_it_is_no_method_there(path: str, text: str, expected: MutationClass) -> None:
    assert set(_classes(_versions("grow", "grown"), {path: text})) == {expected}


def test_a_method_that_is_imported_by_its_own_name_is_renamed_with_the_import() -> None:
    town = "package org.a;\nclass Town {{ static int {name}(int b) {{ return b; }} }}\n"
    user = "package org.b;\nimport static org.a.Town.{name};\nclass B {{ {more} int m() {{ return {name}(1); }} }}\n"
    for more, expected in (("", REFACTOR), ("void f() { h(grow); }", EVOLUTION)):
        versions: dict[str, tuple[str | None, str | None]] = {
            HOME: (town.format(name="grow"), town.format(name="grown")),
            "src/org/b/B.java": (user.format(name="grow", more=more), user.format(name="grown", more=more)),
        }
        assert _classes(versions)[1] is expected


def test_who_calls_a_method_that_is_renamed_and_seen_by_more_follows_it() -> None:
    versions = _versions("grow", "grown")
    versions[HOME] = (versions[HOME][0], TOWN.format(name="grown", field="", access="public "))
    assert _classes(versions) == [EVOLUTION, REFACTOR]
    both = {path: (before, after) for path, (before, after) in versions.items()}
    both[HOME] = tuple(
        TOWN.format(name=n, field="", access=f"{a} static ") for n, a in (("grow", "private"), ("grown", "public"))
    )  # type: ignore[assignment]
    assert _classes(both) == [EVOLUTION, REFACTOR]


def test_a_class_in_another_one_may_be_renamed_whatever_that_one_inherits() -> None:
    inner = "{name} d = new {name}(1); static class {name} {{ {name}(int b) {{ }} }}"
    text = f"package org.a;\nclass Town extends b.C {{{{ {inner} }}}}\n"
    assert _classes({HOME: (text.format(name="Mil"), text.format(name="Mill"))}) == [REFACTOR]


@pytest.mark.parametrize(
    ("base", "expected"),
    [
        ("", REFACTOR),
        ("implements Closeable, Comparable<Town> ", REFACTOR),
        ("extends Own<String, List<B>> ", REFACTOR),
        ("extends b.Other ", EVOLUTION),
        ("implements Other<Town> ", EVOLUTION),
    ],
)
def test_a_method_is_renamed_if_no_one_else_may_call_it_through_a_base(base: str, expected: MutationClass) -> None:
    versions = _versions("grow", "grown")
    old, new = versions[HOME]
    assert old is not None and new is not None
    versions[HOME] = (old.replace("Town {", f"Town {base}{{"), new.replace("Town {", f"Town {base}{{"))
    others = {"src/org/a/Own.java": "package org.a;\nclass Own<A, B> implements Runnable { }\n"}
    assert set(_classes(versions, others)) == {expected}


def test_a_method_of_an_object_with_a_class_of_its_own_belongs_to_what_that_extends() -> None:
    text = "package org.a;\nclass Lake {{ void m() {{ n(new {base}<B>() {{ public void {name}() {{ c(); }} }}); }} }}\n"
    listener = "package org.a;\ninterface Own<A> {{ void {name}(); }}\n"
    for base, expected in (("Own", REFACTOR), ("Other", EVOLUTION)):
        versions: dict[str, tuple[str | None, str | None]] = {
            USER: (text.format(base=base, name="grow"), text.format(base=base, name="grown")),
            "src/org/a/Own.java": (listener.format(name="grow"), listener.format(name="grown")),
        }
        assert set(_classes(versions)) == {expected}


def test_the_members_that_the_language_calls_keep_their_names() -> None:
    assert EVOLUTION in _classes(_versions("close", "shut"))
    assert EVOLUTION in _classes(_versions("onEventMain", "onMain"))
    assert _classes(_versions("onGrow", "onGrown")) == [REFACTOR, REFACTOR]


def test_a_word_in_code_that_can_not_be_read_may_be_a_call() -> None:
    assert may_call("b = ' grow", "grow")
    assert not may_call("b = ' '; // don't grow", "grow")


def test_a_file_that_moves_says_what_its_class_is_called_now() -> None:
    old, new = "package org.a;\nclass Town { int b; int c; }\n", "package org.a;\nclass City { int b; int c; }\n"
    user = "package org.a;\nclass Lake {{ int m({0} a) {{ return a.b; }} int n; {1} }}\n"
    versions: dict[str, tuple[str | None, str | None]] = {
        HOME: (old, new),
        USER: (user.format("Town", "Town d; String e;"), user.format("City", "City d; String f;")),
    }
    assert EVOLUTION in _classes(versions)


def test_parameters_of_a_function_in_a_declaration_may_be_renamed() -> None:
    text = "package org.a;\nclass Town {{ void m() {{ B c = d((JsonB<B>) ({0}, e) -> f({0} ? 1 : 0)).g(); h(c); }} }}\n"
    assert _classes({HOME: (text.format("s"), text.format("value"))}) == [REFACTOR]
    used = "package org.a;\nclass Town {{ void m(B s) {{ B value = d(s); B c = d(({0}, e) -> f(s)); h(c); }} }}\n"
    assert EVOLUTION in _classes({HOME: (used.format("s"), used.format("value"))})
