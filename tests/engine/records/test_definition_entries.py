"""What a record says of the definitions that a change touched, and that it never stands in the way of a write."""

from __future__ import annotations

import subprocess
import sys

import pytest

from intentls.core.definitions.find import definitions_in
from intentls.core.ledger.line_range import LineRange
from intentls.core.ledger.record import Contributor, ContributorType, Conversation, FileChange
from intentls.core.mutation.classes import Change
from intentls.core.syntax.canonicalize import NodeBudget
from intentls.engine.actions.mutation_class import Mutation
from intentls.engine.actions.request import PlannedEdit
from intentls.engine.records.definition_entries import with_definitions
from intentls.engine.records.file_entries import file_changes, ranges_of

CITY = b"""\
import re

class City:
    def parse(self, text):
        return re.split(",", text)

    def area(self):
        return 1

LIMIT = 3
"""


def described(before: bytes | None, after: bytes | None, path: str = "a.py") -> list[LineRange]:
    edit = PlannedEdit(path, Change.ADD if before is None else Change.MODIFY, before, after)
    conversation = Conversation("s", Contributor(ContributorType.AI), ranges_of(edit), "INT-001")
    (((done,), _),) = with_definitions([(edit, (conversation,))])
    return list(done.ranges)


def symbol(where: LineRange) -> str | None:
    return None if where.symbol is None else where.symbol.name


def test_a_changed_line_names_the_innermost_definition_that_it_is_in() -> None:
    """Its hashes are those of the whole definition, as it is now."""
    (where,) = described(CITY, CITY.replace(b"return 1", b"return 2"))
    assert (symbol(where), where.definitions) == ("City.area", ())
    whole = definitions_in("a.py", CITY.replace(b"return 1", b"return 2"), NodeBudget(100_000))
    assert where.symbol in whole


def test_lines_of_two_methods_are_in_their_class_and_lines_outside_in_nothing() -> None:
    """The module is no definition."""
    (where,) = described(
        CITY, CITY.replace(b"text)\n\n    def area(self)", b"text, 1)\n    # Size.\n    def size(self)")
    )
    assert symbol(where) == "City"
    assert [symbol(each) for each in described(CITY, CITY.replace(b"re\n", b"os\n"))] == [None]


def test_a_new_file_names_all_that_it_brings() -> None:
    """Outer ones first; a small constant is not found again by its content, so it is left out."""
    (where,) = described(None, CITY)
    assert (symbol(where), [each.name for each in where.definitions]) == (
        None,
        ["City", "City.parse", "City.area"],
    )


def test_a_definition_that_is_exactly_what_changed_is_the_symbol_alone() -> None:
    """It is not said twice."""
    (where,) = described(CITY, CITY.replace(b"def area(self):\n        return 1", b"def size(me):\n        return 4"))
    assert (symbol(where), where.definitions) == ("City.size", ())


def test_of_many_definitions_a_record_names_a_hundred() -> None:
    """The outermost, and of these the largest."""
    functions = b"".join(b"def f%d():\n    return %d%s\n\n" % (n, n, b" + n" * (n >= 20)) for n in range(120))
    (where,) = described(None, b"class C:\n  def m(self):\n    return [1, 2, 3]\n\n" + functions)
    assert [each.name for each in where.definitions] == ["C", *(f"f{n}" for n in range(20, 119))]


def test_of_two_definitions_in_one_line_neither_is_named() -> None:
    """What holds them both is."""
    before, after = b"class A { m() {} n() {} }\n", b"class A { m() {} n() { return 1 } }\n"
    (where,) = described(b"class A {\n m() {} n() {}\n}\n", b"class A {\n m() {} n() { return 1 }\n}\n", "a.js")
    assert symbol(where) == "A"
    (where,) = described(
        before + b"function f() {} function g() {}\n", before + b"function f() {} function h() {}\n", "a.js"
    )
    assert symbol(where) is None
    assert [symbol(each) for each in described(before, after, "a.js")] == ["A"]


@pytest.mark.parametrize(
    ("path", "after"), [("a.py", b"def f(:\n"), ("a.txt", b"def f(): 1\n"), ("a.py", b"x\n" * 80_000), ("a.py", None)]
)
def test_where_nothing_can_be_told_nothing_is(path: str, after: bytes | None) -> None:
    """What does not parse, another language, a large file, a deletion."""
    assert all((each.symbol, each.definitions) == (None, ()) for each in described(CITY, after, path))


def test_a_mistake_of_ours_costs_no_write(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is logged, and the range is recorded without."""

    def broken(*_: object) -> None:
        raise RuntimeError("broken")

    monkeypatch.setattr("intentls.core.definitions.find.definitions_in", broken)
    assert [(each.start_line, each.end_line, each.symbol) for each in described(None, CITY)] == [(1, 10, None)]


def test_a_record_has_the_definitions_of_each_range() -> None:
    """Under the keys of the ledger's ranges."""
    (where,) = described(None, CITY)
    conversation = Conversation("s", Contributor(ContributorType.AI), (where,), "INT-001")
    (written,) = conversation.to_json()["ranges"]
    assert written["definitions"] == [each.to_json() for each in where.definitions]
    assert [each["name"] for each in written["definitions"]] == ["City", "City.parse", "City.area"]


def test_without_changed_lines_no_grammar_is_loaded() -> None:
    """A refusal is recorded without them, so that a hook answers as quickly as before."""
    program = (
        "import sys\nfrom intentls.engine.records.definition_entries import with_definitions\n"
        "assert with_definitions([(None, ())]) == [((), False)]\n"
        "print([name for name in sys.modules if name.startswith(('tree_sitter', 'intentls.core.definitions'))])"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


def test_a_file_whose_definitions_are_not_looked_for_says_so() -> None:
    """128 KiB is the bound; a text that has no definitions is never too large."""
    large = b"".join(b"x%d = %d\n" % (line, line) for line in range(12_000))
    assert [file.is_too_large for file in changes_of("a.py", b"x = 1\n", large)] == [True]
    assert [file.to_json().get("too_large") for file in changes_of("a.py", b"x = 1\n", large)] == [True]
    assert [file.is_too_large for file in changes_of("a.py", b"x = 1\n", b"x = 2\n")] == [False]
    assert "too_large" not in changes_of("a.txt", b"x = 1\n", large)[0].to_json()


def test_a_change_whose_class_is_not_judged_says_so_at_the_file() -> None:
    """The comparison has bounds of its own."""
    large = b"".join(b"x%d = %d\n" % (line, line) for line in range(12_000))
    edit = PlannedEdit("a.py", Change.MODIFY, large, large.replace(b"x7 = 7", b"x7 = 8"))
    assert Mutation.of((edit,), None).too_large == {"a.py"}
    small = PlannedEdit("a.py", Change.MODIFY, b"x = 1\n", b"x = 2\n")
    assert Mutation.of((small,), None).too_large == frozenset()


def changes_of(path: str, before: bytes, after: bytes) -> tuple[FileChange, ...]:
    edit = PlannedEdit(path, Change.MODIFY, before, after)
    conversation = Conversation("s", Contributor(ContributorType.AI), ranges_of(edit), "INT-001")
    return file_changes([(edit, (conversation,))])
