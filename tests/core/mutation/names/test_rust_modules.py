"""What paths of Rust name, from module to module."""

from __future__ import annotations

import pytest

from intentls.core.mutation.canonical_trees import tree_of
from intentls.core.mutation.names.rust_modules import Meanings, RustModules, place_of
from intentls.core.syntax.canonicalize import NodeBudget
from intentls.core.syntax.languages import adapter_of

FILES = {
    "src/lib.rs": (
        "mod a;\npub mod b;\nmod made;\nmod all;\npub use self::b::Kind;\nextern crate log;\n"
        "extern crate sent as got;\npub use all::*;\nmod round;\n"
    ),
    "src/a.rs": (
        "use super::b::{self, Kind as Sort};\nuse crate::b::*;\nuse std::fmt::{self as f, Write as _};\n"
        "fn own() {}\nuse std::io;\nuse io::Read;\nuse b::Kind::*;\n#[cfg(unix)]\nuse std::os as system;\n"
        "#[cfg(unix)]\nuse std::{env::self, net::*};\n#[cfg(unix)]\nmod deep {\n    pub struct Deep;\n}\n"
    ),
    "src/b.rs": "pub enum Kind { A }\nfn hidden() {}\nuse std::path::Path;\npub(crate) use super::made::X;\n",
    "src/made.rs": "lazy! { static ref X: u8 = 1; }\n",
    "src/all.rs": "pub use std::collections::*;\npub use crate::all::*;\nuse crate::a::*;\n",
    "src/round.rs": "use self::x as y;\nuse self::y as x;\npub use self::x::*;\n",
    "src/star.rs": "pub use crate::round::*;\n",
    "src/bin/tool/main.rs": "mod inner;\nuse my::Kind;\n",
    "src/bin/tool/inner.rs": "use my::b;\nuse ::my::b::Kind;\n",
}


def _modules(*, is_old: bool | None = False) -> RustModules:
    trees = {}
    for path, text in FILES.items():
        adapter = adapter_of(path)
        assert adapter is not None
        trees[path] = tree_of(text.encode(), adapter, NodeBudget(100_000))
    return RustModules(trees, {"my": "src"}, {"src": is_old, "src/bin/tool": is_old})


KIND = ("", "src", "b", "enum_item Kind")
A = ("src", "a")


@pytest.mark.parametrize(
    ("place", "path", "expected"),
    [
        (A, "own", {("", "src", "a", "function_item own")}),
        (A, "Sort::A", {(*KIND[:3], "enum_item Kind::A")}),
        (A, "b::Kind", {KIND}),
        (A, "crate::Kind", {KIND}),
        (A, "super::super::x", None),
        (A, "super::a::own", {("", "src", "a", "function_item own")}),
        (A, "f::Error", {("", "std::fmt::Error")}),
        (A, "io::Write", {("", "std::io::Write")}),
        (A, "Read", {("", "std::io::Read")}),
        (A, "system::x", {("#[cfg(unix)]", "std::os::x")}),
        (A, "env::x", {("#[cfg(unix)]", "std::env::x")}),
        (A, "deep::Deep", {("#[cfg(unix)]", "src", "a", "deep", "struct_item Deep")}),
        (A, "::other::x", {("", "other::x")}),
        (A, "crate::log::x", {("", "log::x")}),
        (A, "crate::got::x", {("", "sent::x")}),
        (A, "crate::b::hidden", set()),
        (A, "crate::b::Path", set()),
        (A, "crate::b::X", {("", "src", "made", "?X")}),
        (A, "", None),
        (("src", "b"), "hidden", {("", "src", "b", "function_item hidden")}),
        (("src", "round"), "x", None),
        (("src", "round"), "z", None),
        (("src", "star"), "z", None),
        (("src/bin/tool",), "Kind", {KIND}),
        (("src/bin/tool", "inner"), "b::Kind", {KIND}),
    ],
)
def test_a_path_leads_to_what_it_names(
    place: tuple[str, ...], path: str, expected: set[tuple[str, ...]] | None
) -> None:
    found = _modules().meaning(place, tuple(path.split("::")) if path else ())
    assert found == (None if expected is None else frozenset(expected))


def test_what_may_come_from_elsewhere_is_said_so() -> None:
    found = _modules().meaning(A, ("unknown",))
    assert found == {("", "src", "b", "enum_item Kind::?"), ("#[cfg(unix)]", "std::net::?")}
    found = _modules().meaning(A, ("Kind",))
    assert found is not None
    assert KIND in found
    found = _modules().meaning(("src", "all"), ("HashMap",))
    assert found is not None
    assert ("", "std::collections::?") in found


@pytest.mark.parametrize(
    ("is_old", "path", "expected"),
    [
        (True, "b::Kind", {KIND}),
        (True, "std::fmt", {("", "std::fmt")}),
        (True, "::b::Kind", {KIND}),
        (True, "::", {("", "src")}),
        (False, "b::Kind", {("", "src", "b", "enum_item Kind")}),
        (None, "b::Kind", None),
        (None, "std::fmt", {("", "std::fmt")}),
    ],
)
def test_an_import_begins_where_its_edition_says(
    is_old: bool | None, path: str, expected: set[tuple[str, ...]] | None
) -> None:
    parts = ("",) if path == "::" else tuple(path.split("::"))
    found: Meanings = _modules(is_old=is_old).meaning(A, parts, in_use=True)
    assert found == (None if expected is None else frozenset(expected))


def test_conditions_of_a_module_are_those_on_the_way() -> None:
    modules = _modules()
    assert modules.conditions_of(("src", "a", "deep")) == {"#[cfg(unix)]"}
    assert modules.conditions_of(("src", "nowhere")) is None
    assert modules.is_public(("src", "b"))
    assert not modules.is_public(("src", "a"))


@pytest.mark.parametrize(
    ("path", "place"),
    [
        ("src/lib.rs", ("src",)),
        ("p/src/main.rs", ("p/src",)),
        ("src/a/mod.rs", ("src", "a")),
        ("src/a/main.rs", ("src", "a", "main")),
        ("src/bin/b.rs", ("src/bin/b.rs",)),
        ("src/bin/b/main.rs", ("src/bin/b",)),
        ("src/bin/b/c.rs", ("src/bin/b", "c")),
        ("tests/a.rs", ("tests/a.rs",)),
    ],
)
def test_a_file_is_the_module_that_its_path_says(path: str, place: tuple[str, ...]) -> None:
    assert place_of(path) == place
