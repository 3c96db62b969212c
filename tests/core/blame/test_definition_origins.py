"""What the definitions of a changed file were before."""

from __future__ import annotations

from intentls.core.blame.definition_origins import origins_of
from intentls.core.definitions.find import definitions_in
from intentls.core.syntax.canonicalize import NodeBudget
from intentls.core.text.line_diff import changed_blocks
from intentls.core.text.line_hashes import bare_lines


def said(before: str, after: str) -> list[str]:
    old, new = before.encode(), after.encode()
    old_lines, new_lines = bare_lines(old), bare_lines(new)
    written = {line for _, _, start, end in changed_blocks(old_lines, new_lines) for line in range(start + 1, end + 1)}
    sides = [(definitions_in("a.py", text, NodeBudget(10_000)), bare_lines(text)) for text in (old, new)]
    return [f"{one.old_symbol}->{one.symbol}" for one in origins_of(sides[0], sides[1], written)]


def test_the_example_of_the_module_is_what_it_says() -> None:
    town = (
        "class Town:\n    def rain(self):\n        return measure(self)\n\n    def snow(self):\n        return [0, 1]\n"
    )
    city = town.replace("Town", "City").replace("snow", "hail")
    assert said(town, city) == ["Town->City", "Town.snow->City.hail"]


def test_a_definition_whose_body_alone_changed_is_left_out() -> None:
    rain = "def rain(city):\n    return measure(city)\n"
    assert said(rain, rain.replace("measure", "count")) == []
    assert said(rain, rain.replace("(city):", "(city, unit):")) == ["rain->rain"]
