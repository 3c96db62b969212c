"""What the repository's other files say about a change set: names that all uses rename, names that are still used."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from intentls.core.mutation.classes import Change, MutationClass, infer
from intentls.core.mutation.compare import DARK, Light, changed_trees, tree_of
from intentls.core.mutation.file_change import FileClass, FileVersions
from intentls.core.mutation.moves import Moves
from intentls.core.mutation.names.name_scopes import scopes_of
from intentls.core.mutation.names.rename_candidates import candidates
from intentls.core.mutation.names.repository_text import RepositoryText
from intentls.core.mutation.names.tree_names import places_of
from intentls.core.mutation.tree_renames import LANGUAGES, WRITTEN_OUT, ChangedTree, TreeRenames
from intentls.core.syntax.canonicalize import NodeBudget, NotClassifiable
from intentls.core.syntax.languages import adapter_of
from intentls.core.syntax.tree import Node, Role


def light_of(edits: Sequence[FileVersions], others: RepositoryText, budget: NodeBudget) -> Light:
    """What the whole repository proves of a change set: the names that it renames everywhere, and what it moves."""
    code = [edit for edit in edits if _is_code(edit, budget)]
    pairs = candidates((edit.before or b"", edit.after or b"") for edit in code if edit.before and edit.after)
    # A name in settings, or in what is no text, may be anybody's.
    rest = [content for edit in edits if edit not in code and not _is_prose(edit.path) for content in _contents(edit)]
    pairs = {
        old: new for old, new in pairs.items() if not any(word.encode() in text for word in (old, new) for text in rest)
    }
    try:
        files = [_trees(edit, budget) for edit in code]
    except NotClassifiable:
        return DARK

    def parse(path: str, content: bytes) -> Node | None:
        return _tree(path, content, budget)

    renamed = TreeRenames(pairs, files, others, parse).proven() if pairs else {}
    return Light(renamed, Moves(edits, files, renamed, others, parse).homes())


def still_used(verdict: FileClass, others: RepositoryText, budget: NodeBudget) -> FileClass:
    """The verdict, unless a file beside the change set still uses a name that the change takes away."""
    for rename in verdict.renames:
        if rename.is_public and _is_used(rename.old, others, budget):
            reason = f"{rename.reason}, and another file still uses {rename.old}"
            return replace(verdict, mutation_class=MutationClass.INTENT_EVOLUTION, reasons=(reason,), renames=())
    return verdict


def _is_used(name: str, others: RepositoryText, budget: NodeBudget) -> bool:
    mentioning = others.mentioning((name,))
    return mentioning is None or any(
        not _is_prose(path) and _reaches(path, content, name, budget) for path, content in mentioning.items()
    )


def _reaches(path: str, content: bytes, name: str, budget: NodeBudget) -> bool:
    """Whether a file uses the name for something that it does not declare itself."""
    adapter, root = adapter_of(path), _tree(path, content, budget)
    if adapter is None or root is None:
        return True
    if places_of(root, {name}, path)[1]:
        return True
    scopes = scopes_of(root, adapter.bindings)
    uses = (use for use in scopes.uses if use.text == name)
    return any(use.role is not Role.NAME or scopes.resolve(use) is None for use in uses)


def _is_code(edit: FileVersions, budget: NodeBudget) -> bool:
    adapter = adapter_of(edit.path)
    contents = _contents(edit)
    return (
        adapter is not None
        and adapter.name in LANGUAGES
        and all(b"\0" not in content and len(content) <= budget.max_bytes for content in contents)
    )


def _contents(edit: FileVersions) -> list[bytes]:
    return [content for content in (edit.before, edit.after) if content is not None]


def _is_prose(path: str) -> bool:
    return infer(path, Change.MODIFY) is MutationClass.DOCUMENTATION


def _trees(edit: FileVersions, budget: NodeBudget) -> ChangedTree:
    adapter = adapter_of(edit.path)
    assert adapter is not None
    before: Node | None
    after: Node | None
    if edit.before is not None and edit.after is not None:
        before, after = changed_trees(edit.before, edit.after, adapter, budget)
    else:
        before, after = (None if text is None else tree_of(text, adapter, budget) for text in (edit.before, edit.after))
    is_written_out = any(WRITTEN_OUT.search(content.decode("utf-8", "replace")) for content in _contents(edit))
    return ChangedTree(edit.path, adapter, before, after, is_written_out)


def _tree(path: str, content: bytes, budget: NodeBudget) -> Node | None:
    """The tree of a file that the change set leaves alone; None where there is none."""
    adapter = adapter_of(path)
    if adapter is None or adapter.name not in LANGUAGES or b"\0" in content or len(content) > budget.max_bytes:
        return None
    try:
        return tree_of(content, adapter, budget)
    except NotClassifiable:
        return None
