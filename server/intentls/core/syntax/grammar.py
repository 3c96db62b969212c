"""The tree-sitter grammar of a language. They are an extra: without them a change is judged by its path alone."""

from __future__ import annotations

import importlib
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tree_sitter import Language, Parser

INSTALL = "pip install 'intentls[ast]'"


def parser(module: str, function: str) -> Parser | None:
    """A new parser of the grammar that `module` brings; None where it is not installed."""
    language = _language(module, function)
    if language is None:
        return None
    from tree_sitter import Parser  # an optional library, which is there where a grammar is

    return Parser(language)


@cache
def _language(module: str, function: str) -> Language | None:
    try:
        from tree_sitter import Language  # an optional library: the extra `ast` brings it

        grammar = importlib.import_module(module)
    except ImportError:
        return None
    return Language(getattr(grammar, function)())
