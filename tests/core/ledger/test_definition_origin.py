"""What a record says a definition was before, and what is made of a record that anybody may have written."""

from __future__ import annotations

from typing import Any

import pytest

from intentls.core.ledger.definition_origin import DefinitionOrigin, read_definition_origin

TOWN = DefinitionOrigin("City", 3, "Town", 2, 1, 9)


def test_it_is_read_as_it_was_written() -> None:
    """A name that stayed stands there once."""
    kept = DefinitionOrigin("City", 3, "City", 2, 1, 9)
    assert "old_symbol" not in kept.to_json()
    assert [read_definition_origin(dict(one.to_json())) for one in (TOWN, kept)] == [TOWN, kept]


@pytest.mark.parametrize(
    "change",
    [
        {"symbol": ""}, {"symbol": 7}, {"line": 0}, {"line": "3"}, {"old_line": 10}, {"old_start_line": 0},
        {"old_end_line": None}, {"old_start_line": 3},
    ],
)  # fmt: skip
def test_another_shape_says_nothing(change: dict[str, Any]) -> None:
    assert read_definition_origin({**TOWN.to_json(), **change}) is None


def test_what_is_inside_was_called_by_the_former_name() -> None:
    assert [TOWN.former(name) for name in ("City", "City.rain", "CityHall", "rain")] == [
        "Town", "Town.rain", "CityHall", "rain",
    ]  # fmt: skip
