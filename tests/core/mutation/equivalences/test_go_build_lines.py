"""`// +build` lines go where a `//go:build` line says the same."""

from __future__ import annotations

import pytest

from intentls.core.mutation.classes import MutationClass
from tests.core.mutation.repository import judged

NEW = "//go:build"
SAME = [
    (f"{NEW} linux\n", "// +build linux\n"),
    (f"{NEW} !tinygo\n", "//+build !tinygo\n"),
    (f"{NEW} linux && (cgo || !amd64)\n", "// +build linux\n// +build cgo !amd64\n"),
    (f"{NEW} (linux && cgo) || darwin\n", "// +build linux,cgo darwin\n"),
    (f"{NEW} darwin || cgo && linux\n", "//\t+build linux,cgo darwin\n"),
    (f"{NEW} !(a || b)\n", "// +build !a,!b\n"),
    (f"{NEW} go1.18\n", "// +build go1.18\n"),
    (f"// Copyright\n\n{NEW} a\n", "// +build a\n"),
]
OTHER = [
    ("", "// +build linux\n"),  # it is asked for by no other line
    (f"{NEW} linux\n", "// +build darwin\n"),
    (f"{NEW} a && b\n", "// +build a b\n"),
    (f"{NEW} a || b\n", "// +build a,b\n"),
    (f"{NEW} a || b\n", "// +build a\n// +build b\n"),
    (f"{NEW} a\n", "// +build !a\n"),
    (f"{NEW} a\n{NEW} a\n", "// +build a\n"),  # only one may be there
    (f"{NEW} a &&\n", "// +build a\n"),
    (f"{NEW} (a\n", "// +build a\n"),
    (f"{NEW} (a b)\n", "// +build a\n"),
    (f"{NEW} a b\n", "// +build a b\n"),
    (f"{NEW} a && ||\n", "// +build a\n"),
    (f"{NEW} a // why\n", "// +build a\n"),
    (f"{NEW} a\n", "// +build a,\n"),
    (f"{NEW} a\n", "// +build a // why\n"),
    (f"{NEW} a || b || c || d || e || f || g || h || i\n", "// +build a b c d e f g h i\n"),  # too many
    (f"/* */ package p\n{NEW} a\n", "// +build a\n"),  # neither is one there
]


def _file(head: str) -> str:
    return f"{head}\npackage p\n\nfunc f() {{ g() }}\n"


@pytest.mark.parametrize(("kept", "dropped"), SAME)
def test_lines_that_say_the_same_again_go(kept: str, dropped: str) -> None:
    for before, after in ((kept + dropped, kept), (kept, kept + dropped)):
        found = judged({"a.go": (_file(before), _file(after))})["a.go"]
        assert found.mutation_class is not MutationClass.INTENT_EVOLUTION


@pytest.mark.parametrize(("kept", "dropped"), OTHER)
def test_lines_that_no_other_line_repeats_stay(kept: str, dropped: str) -> None:
    found = judged({"a.go": (_file(kept + dropped), _file(kept))})["a.go"]
    assert found.mutation_class is MutationClass.INTENT_EVOLUTION


def test_a_file_of_comments_alone_is_none() -> None:
    found = judged({"a.go": (f"{NEW} a\n// +build a\n", f"{NEW} a\n")})["a.go"]
    assert found.mutation_class is not MutationClass.AST_REFACTOR


def test_a_line_after_the_package_is_for_no_one() -> None:
    before = f"{NEW} a\n\npackage p\n\n// +build a\n\nfunc f() {{}}\n"
    after = f"{NEW} a\n\npackage p\n\nfunc f() {{}}\n"
    assert judged({"a.go": (before, after)})["a.go"].mutation_class is MutationClass.INTENT_EVOLUTION
