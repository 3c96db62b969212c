"""The mutation classes, and what can be inferred from a change's kind and a file's type alone."""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum
from posixpath import basename, splitext


class Change(StrEnum):
    """What happens to a file."""

    ADD = "add"
    MODIFY = "modify"
    DELETE = "delete"
    RENAME = "rename"


class MutationClass(StrEnum):
    """What a change does, from most to least consequential reading: see `worst`."""

    AST_REFACTOR = "AST_REFACTOR"
    INTENT_EVOLUTION = "INTENT_EVOLUTION"
    BUG_FIX = "BUG_FIX"
    DOCUMENTATION = "DOCUMENTATION"
    CONFIGURATION = "CONFIGURATION"
    FILE_CREATION = "FILE_CREATION"
    FILE_DELETION = "FILE_DELETION"
    UNKNOWN = "UNKNOWN"


class ClassSource(StrEnum):
    """Where a mutation class comes from."""

    DECLARED = "declared"
    INFERRED = "inferred"


ALIASES = {"DOCS_UPDATE": MutationClass.DOCUMENTATION}

_PROSE = frozenset({".md", ".markdown", ".rst", ".txt", ".adoc", ".asciidoc", ".org", ".tex"})
_CONFIG = frozenset(
    {".toml", ".yaml", ".yml", ".json", ".jsonc", ".json5", ".ini", ".cfg", ".conf", ".properties", ".env", ".lock"}
)
_CONFIG_NAMES = frozenset({"dockerfile", "makefile", ".gitignore", ".gitattributes", ".editorconfig"})
_ORDER = (
    MutationClass.UNKNOWN,
    MutationClass.DOCUMENTATION,
    MutationClass.CONFIGURATION,
    MutationClass.AST_REFACTOR,
    MutationClass.FILE_DELETION,
    MutationClass.FILE_CREATION,
    MutationClass.BUG_FIX,
    MutationClass.INTENT_EVOLUTION,
)


def parse_mutation_class(text: str) -> MutationClass:
    """The class named `text`, aliases included. Raises ValueError for any other word."""
    return ALIASES.get(text) or MutationClass(text)


def infer(path: str, change: Change) -> MutationClass:
    """What one file's change is, judged by its kind and the file's name. When unsure: INTENT_EVOLUTION."""
    if change is Change.ADD:
        return MutationClass.FILE_CREATION
    if change is Change.DELETE:
        return MutationClass.FILE_DELETION
    name = basename(path).lower()
    suffix = splitext(name)[1]
    if suffix in _PROSE:
        return MutationClass.DOCUMENTATION
    if suffix in _CONFIG or name in _CONFIG_NAMES:
        return MutationClass.CONFIGURATION
    return MutationClass.INTENT_EVOLUTION


def worst(classes: Iterable[MutationClass]) -> MutationClass:
    """The class of a change of several files: the one a reviewer must look at hardest."""
    return max(classes, key=_ORDER.index, default=MutationClass.UNKNOWN)
