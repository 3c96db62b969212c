"""What a record says of the definitions that a change touched, and that it never stands in the way of a write."""

from __future__ import annotations

import subprocess
import sys

import pytest

from intentls.core.ledger.record import Contributor, ContributorType, Conversation, FileChange
from intentls.core.mutation.classes import Change
from intentls.core.text.lines import diff
from intentls.engine.actions.mutation_class import Mutation
from intentls.engine.actions.request import PlannedEdit
from intentls.engine.records.definition_entries import FileDefinitions, with_definitions
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


def described(before: bytes | None, after: bytes | None, path: str = "a.py") -> FileDefinitions:
    edit = PlannedEdit(path, Change.ADD if before is None else Change.MODIFY, before, after)
    conversation = Conversation("s", Contributor(ContributorType.AI), ranges_of(edit), "INT-001")
    (found,) = with_definitions([(edit, (conversation,), diff(before, after))])
    return found


def named(before: bytes | None, after: bytes | None, path: str = "a.py") -> list[str]:
    (conversation,) = described(before, after, path).conversations
    return list(conversation.symbols)


def origins(before: bytes, after: bytes, path: str = "a.py") -> list[tuple[str, int, str, int, int, int]]:
    return [
        (one.symbol, one.line, one.old_symbol, one.old_line, one.old_start_line, one.old_end_line)
        for one in described(before, after, path).origins or ()
    ]


def test_a_changed_line_names_the_innermost_definition_that_it_is_in() -> None:
    """By its qualified name."""
    assert named(CITY, CITY.replace(b"return 1", b"return 2")) == ["City.area"]


def test_lines_of_two_methods_are_in_their_class_and_lines_outside_in_nothing() -> None:
    """The module is no definition."""
    assert named(CITY, CITY.replace(b"text)\n\n    def area(self)", b"text, 1)\n    # Size.\n    def size(self)")) == [
        "City"
    ]
    assert named(CITY, CITY.replace(b"re\n", b"os\n")) == []


def test_a_new_file_names_all_that_it_brings() -> None:
    """Outer ones first; a small constant says little, so it is left out."""
    assert named(None, CITY) == ["City", "City.parse", "City.area"]


def test_a_definition_is_named_once() -> None:
    """Also where it is exactly what changed, or changed in several places."""
    assert named(CITY, CITY.replace(b"def area(self):\n        return 1", b"def size(me):\n        return 4")) == [
        "City.size"
    ]
    twice = b"def f():\n    a = 1\n    b = 2\n    c = 3\n"
    assert named(twice, twice.replace(b"1", b"7").replace(b"3", b"9")) == ["f"]


def test_of_many_definitions_a_record_names_a_hundred() -> None:
    """The outermost, and of these the largest."""
    functions = b"".join(b"def f%d():\n    return %d%s\n\n" % (n, n, b" + n" * (n >= 20)) for n in range(120))
    names = named(None, b"class C:\n  def m(self):\n    return [1, 2, 3]\n\n" + functions)
    assert names == ["C", *(f"f{n}" for n in range(20, 119))]


def test_of_two_definitions_in_one_line_what_holds_them_both_comes_first() -> None:
    """Then both, since which of them changed can't be said by lines."""
    before, after = b"class A { m() {} n() {} }\n", b"class A { m() {} n() { return 1 } }\n"
    assert named(before, after, "a.js") == ["A", "A.n", "A.m"]
    functions, others = b"function f() {} function g() {}\n", b"function f() {} function h() {}\n"
    assert named(functions, others, "a.js") == ["f", "h"]


def test_a_renamed_definition_names_what_it_was_and_where() -> None:
    """And one whose name was written again, as with another parameter; not one whose body alone changed."""
    assert origins(CITY, CITY.replace(b"area", b"size")) == [("City.size", 7, "City.area", 7, 7, 8)]
    assert origins(CITY, b"# cities\n" + CITY.replace(b"area(self)", b"area(self, unit)")) == [
        ("City.area", 8, "City.area", 7, 7, 8)
    ]
    assert origins(CITY, CITY.replace(b"return 1", b"return 2")) == []
    assert origins(CITY, CITY + b"\ndef new():\n    return LIMIT\n") == []


def test_of_two_with_one_name_the_content_says_which_it_was() -> None:
    """A getter and its setter; if that does not tell them apart, nothing is said."""
    pair = b"def size():\n    return measure(1, 2)\n\n\ndef size():\n    return forecast(city)[0]\n"
    assert origins(pair, pair.replace(b"size():\n    return m", b"size(unit):\n    return m")) == [
        ("size", 1, "size", 1, 1, 2)
    ]
    twins = b"def size():\n    return 1\n\n\ndef size():\n    return 2\n"
    assert origins(twins, b"def size(unit):\n    return 3\n") == []


def test_what_is_inside_a_renamed_class_needs_no_word_of_its_own() -> None:
    renamed = CITY.replace(b"City", b"Town")
    assert origins(CITY, renamed) == [("Town", 3, "City", 3, 3, 8)]
    assert origins(CITY, renamed.replace(b"area", b"size")) == [
        ("Town", 3, "City", 3, 3, 8),
        ("Town.size", 7, "City.area", 7, 7, 8),
    ]


def test_one_that_stands_twice_unchanged_is_not_taken_for_the_renamed_one() -> None:
    """Of two alike the touched one alone is not the other's former self."""
    twins = b"def rain():\n    return measure(1, 2, 3, 4)\n\n\ndef snow():\n    return measure(1, 2, 3, 4)\n"
    moved = b"def snow():\n    return measure(1, 2, 3, 4)\n\n\ndef hail():\n    return measure(1, 2, 3, 4)\n"
    assert ("hail", "snow") not in [(one[0], one[2]) for one in origins(twins, moved)]


@pytest.mark.parametrize(
    ("path", "after"), [("a.py", b"def f(:\n"), ("a.txt", b"def f(): 1\n"), ("a.py", b"x\n" * 80_000), ("a.py", None)]
)
def test_where_nothing_can_be_told_nothing_is(path: str, after: bytes | None) -> None:
    """What does not parse, another language, a large file, a deletion."""
    assert named(CITY, after, path) == []


def test_a_mistake_of_ours_costs_no_write(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is logged, and the change is recorded without."""

    def broken(*_: object) -> None:
        raise RuntimeError("broken")

    monkeypatch.setattr("intentls.engine.records.definition_origins.former_definitions", broken)
    assert named(CITY, CITY.replace(b"area", b"size")) == ["City.size"]
    assert origins(CITY, CITY.replace(b"area", b"size")) == []
    monkeypatch.setattr("intentls.core.definitions.find.definitions_in", broken)
    assert named(None, CITY) == []


def test_without_changed_lines_no_grammar_is_loaded() -> None:
    """A refusal is recorded without them, so that a hook answers as quickly as before."""
    program = (
        "import sys\nfrom intentls.engine.records.definition_entries import FileDefinitions, with_definitions\n"
        "assert with_definitions([(None, (), ())]) == [FileDefinitions(())]\n"
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
