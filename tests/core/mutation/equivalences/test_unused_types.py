"""Types and constants of Go and Rust that nothing uses, with all that they have."""

from __future__ import annotations

import pytest

from intentls.core.mutation.classes import MutationClass
from tests.core.mutation.repository import judged

REST = "func F() int { return 1 }\n"
GONE = {
    "constants that are computed": (
        "const (\n\tmaxUint = ^uint(0)\n\tmaxInt = int(maxUint >> 1)\n\tminInt = -maxInt - 1\n)\n"
    ),
    "a type with its methods": (
        "type log struct{}\n\nfunc (log) Trace(m string) { g(m) }\n\nfunc (l *log) Warn() { l.Trace(h) }\n"
    ),
    "a type with a parameter": (
        "type list[T any] struct{ all []T }\n\nfunc (l list[T]) size() int { return len(l.all) }\n"
    ),
}
KEPT = {
    "a type that a value has": "type log struct{}\n\nfunc (log) Trace(m string) { g(m) }\n\nvar Out = log{}\n",
    "a type that others see": "type Log struct{}\n\nfunc (Log) Trace(m string) { g(m) }\n",
    "a variable that is computed": "var most = int(g(0))\n",
    "constants that count": "const (\n\ta = iota\n\tB\n)\n",
}


@pytest.mark.parametrize("name", GONE)
def test_what_go_has_for_no_one_goes_with_its_methods(name: str) -> None:
    found = judged({"p/a.go": (f"package p\n\n{GONE[name]}{REST}", f"package p\n\n{REST}")}, {})["p/a.go"]
    assert found.mutation_class is MutationClass.AST_REFACTOR, found.reasons
    assert "unused private definitions" in found.reasons


@pytest.mark.parametrize("name", KEPT)
def test_what_go_has_for_someone_stays(name: str) -> None:
    found = judged({"p/a.go": (f"package p\n\n{KEPT[name]}{REST}", f"package p\n\n{REST}")}, {})["p/a.go"]
    assert found.mutation_class is MutationClass.INTENT_EVOLUTION


@pytest.mark.parametrize(
    ("other", "expected"),
    [
        ("package p_test\n\nvar most = 2\n", MutationClass.AST_REFACTOR),
        ("package p\n\nvar a = most\n", MutationClass.INTENT_EVOLUTION),
        ("// package q\npackage p\n\nvar a = most\n", MutationClass.INTENT_EVOLUTION),
        ("/*\npackage q\n*/\npackage p\n\nvar a = most\n", MutationClass.INTENT_EVOLUTION),
        ('package p_test\n\nimport _ "unsafe"\n\n//go:linkname f p.most\nfunc f()\n', MutationClass.INTENT_EVOLUTION),
    ],
)
def test_a_test_of_go_may_be_a_package_of_its_own(other: str, expected: MutationClass) -> None:
    versions = {"p/a.go": (f"package p\n\nconst most = 2\n\n{REST}", f"package p\n\n{REST}")}
    assert judged(versions, {"p/b_test.go": other})["p/a.go"].mutation_class is expected


def test_assembler_of_the_same_package_may_have_the_name() -> None:
    versions = {"p/a.go": (f"package p\n\nconst most = 2\n\n{REST}", f"package p\n\n{REST}")}
    assert judged(versions, {"p/b.s": "MOVQ most, AX\n"})["p/a.go"].mutation_class is MutationClass.INTENT_EVOLUTION


DROP = "impl Drop for Log { fn drop(&mut self) { h() } }\n"
RUST = f"struct Log {{ a: u8 }}\n\nimpl Log {{ fn trace(&self) {{ g(self.a) }} }}\n\n{DROP}\n"


def test_a_type_of_rust_goes_with_what_is_said_of_it() -> None:
    rest = "pub fn f() -> u8 { 1 }\n"
    for before, after in ((RUST + rest, rest), (rest, rest + RUST)):
        assert judged({"src/a.rs": (before, after)}, {})["src/a.rs"].mutation_class is MutationClass.AST_REFACTOR
    used = RUST + rest.replace("1", "Log { a: 1 }.a")
    found = judged({"src/a.rs": (used, used.replace(DROP, ""))}, {})
    assert found["src/a.rs"].mutation_class is MutationClass.INTENT_EVOLUTION


UNUSED = [
    "private static final int[] SIZES = {1, 2};",
    'private static final Object[] NAMES = new String[] {"b"};',
    "private static final Logger LOG = Logger.getLogger(A.class.getName());",
    "private static final Log LOG = LogFactory.getLog(A.class);",
]
USED = [
    "private static final int[] SIZES = {b(), 2};",
    "private static final Logger LOG = b(A.class);",
    'private static final Logger LOG = Logger.getLogger("b");',
    "static final int[] SIZES = {1, 2};",
    "private final int[] sizes = {1, 2};",
]


@pytest.mark.parametrize("field", [*UNUSED, *USED])
def test_a_field_of_a_class_that_nothing_asks_for_may_go_if_its_value_does_nothing(field: str) -> None:
    rest = "  int b() {\n    return 1;\n  }\n}\n"
    for imports, is_asked in (("import a.Log;\n", False), ("import a.Log;\n", True)):
        asked = f"  Object c = {field.split(' =')[0].split()[-1]};\n" if is_asked else ""
        before, after = (f"{imports}class A {{\n{asked}{text}{rest}" for text in (f"  {field}\n", ""))
        verdict = judged({"A.java": (before, after)})["A.java"]
        is_refactor = verdict.mutation_class is MutationClass.AST_REFACTOR
        assert is_refactor is (field in UNUSED and not is_asked), verdict.reasons
