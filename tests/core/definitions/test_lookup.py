"""A definition is found by its name, and so is the line on which that stands."""

from __future__ import annotations

import pytest

from intentls.core.definitions.find import definitions_in
from intentls.core.definitions.lookup import definition_named, name_line
from intentls.core.errors import InvalidArgument
from intentls.core.syntax.canonicalize import NodeBudget
from intentls.core.text.line_hashes import bare_lines

SOURCE = b"""\
@cached
# of parse
@tool("parse")
def parse(text):
    return text


class City:
    def snow(self):
        return 1


class Town:
    def snow(self):
        return 2
"""
DEFINITIONS = definitions_in("a.py", SOURCE, NodeBudget(10_000))


def test_a_definition_is_known_by_its_whole_name_or_by_one_that_only_it_ends_in() -> None:
    assert definition_named(DEFINITIONS, "Town.snow", "a.py").start_line == 14
    assert definition_named(DEFINITIONS, "parse", "a.py").start_line == 1


def test_an_ambiguous_name_is_answered_with_all_that_it_may_mean() -> None:
    with pytest.raises(InvalidArgument, match=r"2 definitions named snow: City.snow \(line 9\), Town.snow \(line 14\)"):
        definition_named(DEFINITIONS, "snow", "a.py")


@pytest.mark.parametrize(
    ("name", "hint"), [("pasre", ". Near: parse"), ("Waterfall.snoww", ". Near: Town.snow"), ("qqq", "")]
)
def test_an_unknown_name_is_answered_with_those_that_are_near(name: str, hint: str) -> None:
    with pytest.raises(InvalidArgument) as refusal:
        definition_named(DEFINITIONS, name, "a.py")
    assert str(refusal.value).endswith(f"a.py has no definition {name}{hint}")


def test_the_line_with_the_name_is_neither_a_comment_nor_a_decorator() -> None:
    parse = DEFINITIONS[0]
    assert (parse.start_line, parse.own_line, name_line(parse, bare_lines(SOURCE))) == (1, 4, 4)


def test_an_annotation_that_is_a_part_of_the_definition_is_passed_over() -> None:
    source = b"class A {\n  @Rain\n  int\n  Rain() { return 1; }\n}\n"
    (_, rain) = definitions_in("A.java", source, NodeBudget(10_000))
    assert name_line(rain, bare_lines(source)) == 4
    assert name_line(rain, [b""] * 6) == rain.own_line
