"""Modules that are loaded when they are needed: their names are found at once or later."""

from __future__ import annotations

import sys

import pytest

from intentls.late_module import LateModule


def test_a_late_module_is_loaded_by_its_first_use(monkeypatch: pytest.MonkeyPatch) -> None:
    """And then it is the module that everything else sees."""
    monkeypatch.delitem(sys.modules, "colorsys", raising=False)
    late = LateModule("colorsys")
    assert "colorsys" not in sys.modules
    assert late.rgb_to_yiq is sys.modules["colorsys"].rgb_to_yiq


def test_what_a_late_module_lacks_is_an_error() -> None:
    """As with a plain import."""
    with pytest.raises(AttributeError, match="no_such_name"):
        LateModule("colorsys").no_such_name  # noqa: B018
    with pytest.raises(ModuleNotFoundError):
        LateModule("intentls.no_such_module").name  # noqa: B018
