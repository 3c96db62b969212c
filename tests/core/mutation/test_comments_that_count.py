"""Comments, attributes and annotations: documentation, unless a program is made of them."""

from __future__ import annotations

import pytest

from intentls.core.mutation.classes import Change, MutationClass
from intentls.core.mutation.classify import classify_change
from intentls.core.mutation.file_versions import FileVersions


def _class(path: str, before: str, after: str) -> MutationClass:
    return classify_change([FileVersions(path, Change.MODIFY, before.encode(), after.encode())])[0].mutation_class


_CLAP = "#[derive(Parser)]\nstruct A {\n  /// A.\n  b: u8,\n}\n"
_FENCE = "//! ```\n//! assert!(f());\n//! ```\n/// Say.\nfn f() {}\n"
_CGO = 'package a\n\n// #include <a.h>\nimport "C"\n\n// F is.\nfunc F() {}\n'
_EXAMPLE = "package a\n\n// Say.\nfunc ExampleF() {\n\tF()\n\t// Output: b\n}\n\nfunc F() {\n\t// Do.\n}\n"
_SCRIPT = "# /// script\n# dependencies = []\n# ///\nx = 1  # why\n"
_DOCS_GIVEN = """
def f():
  'Say.'
g.__doc__ = d or f.__doc__
h.__doc__ = 'x'
class A:
  __doc__ = getattr(f, '__doc__', None)
"""

DOCUMENTATION = [
    ("a.rs", "fn f() {}", "#![deny(a)]\n#![cfg_attr(b, allow(c), doc(d))]\n#[doc(hidden)]\nfn f() {}"),
    ("a.rs", "#![doc(html_root_url = 'a')]".replace("'", '"'), '#![doc(html_root_url = "b")]'),
    ("a.rs", "fn f() {}", '#![cfg_attr(docsrs, feature(a))]\n#[cfg_attr(feature = "cargo-clippy", b)]\nfn f() {}'),
    ("a.rs", "fn f() {}", '#[rustfmt::skip]\n#[clippy::a]\n#[doc = "b"]\nfn f() {}'),
    ("a.rs", _FENCE, _FENCE.replace("f()", "g()", 1).replace("Say", "Tell")),
    ("a.rs", _CLAP, _CLAP.replace("struct", "// Why.\n//! Inner.\n//// None.\nstruct")),
    (
        "a.rs",
        "#[derive(Debug, std::clone::Clone,)]\n/// A.\nstruct A;",
        "#[derive(Debug, std::clone::Clone)]\n/// B.\nstruct A;",
    ),
    ("a.rs", 'f("a \\\n     b");', 'f("a \\\n  b");'),
    ("a.rs", 'fn a() { println!("a \\\n     b"); }', 'fn a() { println!("a b"); }'),
    (
        "A.java",
        "class A { void f() {} }",
        '@SuppressWarnings("a")\nclass A { @java.lang.SuppressWarnings({"a"}) void f() {} }',
    ),
    ("a.go", "package a\nfunc f() {} // b", "package a\nfunc f() {} //nolint:b"),
    ("a.go", _CGO, _CGO.replace("F is", "F does")),
    ("a.go", _EXAMPLE, _EXAMPLE.replace("Say", "Tell").replace("Do.", "Output: c")),
    ("a.py", _SCRIPT, _SCRIPT.replace("why", "because")),
    ("a.py", _DOCS_GIVEN, _DOCS_GIVEN.replace("Say", "Tell")),
]


@pytest.mark.parametrize(("path", "before", "after"), DOCUMENTATION)
def test_what_only_people_and_tools_read_is_documentation(path: str, before: str, after: str) -> None:
    assert _class(path, before, after) is MutationClass.DOCUMENTATION
    assert _class(path, after, before) is MutationClass.DOCUMENTATION


BEHAVIOUR = [
    ("a.rs", _CLAP, _CLAP.replace("/// A", "/// B")),
    ("a.rs", _CLAP.replace("/// A.", '#[doc = "A."]'), _CLAP.replace("/// A.", '#[doc = "B."]')),
    ("a.rs", "#[command(a)]\n/// A.\nfn f() {}", "#[command(a)]\n/// B.\nfn f() {}"),
    ("a.rs", "#[cfg_attr(a, command)]\n/// A.\nfn f() {}", "#[cfg_attr(a, command)]\n/// B.\nfn f() {}"),
    (
        "a.rs",
        "#[cfg_attr(\n  a,\n  command\n)]\n/// A.\nfn f() {}",
        "#[cfg_attr(\n  a,\n  command\n)]\n/// B.\nfn f() {}",
    ),
    ("a.rs", "#[inline] #[command]\n/// A.\nfn f() {}", "#[inline] #[command]\n/// B.\nfn f() {}"),
    (
        "a.rs",
        f"#[cfg_attr(a, {'b, ' * 400}b)]\n/// A.\nfn f() {{}}",
        f"#[cfg_attr(a, {'b, ' * 400}b)]\n/// B.\nfn f() {{}}",
    ),
    ("a.rs", "#[cfg_attr(a, allow(b))]\nfn f() {}", "#[cfg_attr(a, inline)]\nfn f() {}"),
    ("a.rs", "#[cfg_attr(all(a, b), inline)]\nfn f() {}", "#[cfg_attr(all(a, b), cold)]\nfn f() {}"),
    ("a.rs", "fn f() {}", "#[cfg_attr(a)]\n#[cfg(b)]\nfn f() {}"),
    ("a.rs", "fn f() {}", "#[test]\nfn f() {}"),
    ("a.rs", "fn f() {}", "#[ ::a::b ]\nfn f() {}"),
    ("a.rs", 'f("a \\\n     b");', 'f("a \\\n  c");'),
    ("a.rs", 'f("a \\\\\n     b");', 'f("a \\\\\n  b");'),
    ("a.rs", 'fn a() { m!("a \\\n     b"); }', 'fn a() { m!("a \\\n  b"); }'),
    ("A.java", "class A { }", "@Deprecated\nclass A { }"),
    (
        "A.java",
        "import a.SuppressWarnings;\nclass A { }",
        'import a.SuppressWarnings;\n@SuppressWarnings("b")\nclass A { }',
    ),
    ("a.go", _CGO, _CGO.replace("a.h", "b.h")),
    (
        "a.go",
        _CGO.replace('import "C"', 'import (\n\t"a"\n\t"C"\n)'),
        _CGO.replace('import "C"', 'import (\n\t"a"\n\t// d\n\t"C"\n)'),
    ),
    ("a.go", _EXAMPLE, _EXAMPLE.replace("Output: b", "Output: c")),
    ("a.go", "package a\n//go:noinline\nfunc f() {}", "package a\nfunc f() {}"),
    ("a.py", _SCRIPT, _SCRIPT.replace("[]", "['a']")),
    ("a.py", "def f():\n  'Say.'\nx.__doc__ = g(f.__doc__)\n", "def f():\n  'Tell.'\nx.__doc__ = g(f.__doc__)\n"),
]


@pytest.mark.parametrize(("path", "before", "after"), BEHAVIOUR)
def test_what_a_program_is_made_of_is_no_documentation(path: str, before: str, after: str) -> None:
    assert _class(path, before, after) is MutationClass.INTENT_EVOLUTION
    assert _class(path, after, before) is MutationClass.INTENT_EVOLUTION


def test_a_docstring_that_stays_stands_in_no_ones_way_if_what_may_have_read_it_goes() -> None:
    said = "def f():\n    'Say.'\n"
    before = f"from setuptools.command.test import test as TestCommand\nimport sys\n{said}\nsys.exit()\n"
    after = f"import sys\n{said}\nsys.exit()\n"
    assert _class("a.py", before, after) is MutationClass.AST_REFACTOR
    assert _class("a.py", before, after.replace("Say", "Tell")) is MutationClass.INTENT_EVOLUTION
