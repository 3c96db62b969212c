"""A client's settings: what it may say, and what becomes of nonsense."""

from __future__ import annotations

from typing import Any

import pytest

from intentls.faces.lsp.options import LspOptions, setting


@pytest.mark.parametrize(
    "settings", [None, [], "x", {}, {"intentls": 1}, {"codeLens": "no", "inlayHints": 1}, {"theirs": 1}]
)
def test_nonsense_leaves_the_defaults(settings: Any) -> None:
    """Lenses are on, everything else is off, whatever a client sends."""
    assert LspOptions.parse(settings) == LspOptions(trusted=False, interactive=False, code_lens=True, inlay_hints=False)


def test_settings_are_read_with_and_without_their_section() -> None:
    """In JSON the names are written as in `codeLens`."""
    options = LspOptions(code_lens=False, inlay_hints=True)
    assert LspOptions.parse({"codeLens": False, "inlayHints": True}) == options
    assert LspOptions.parse({"intentls": {"codeLens": False, "inlayHints": True}}) == options
    assert setting("inlay_hints") == "inlayHints"
