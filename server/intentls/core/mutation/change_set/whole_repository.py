"""What the repository's other files say about a change set: names that all uses rename, names that are still used."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache, partial
from operator import attrgetter
from posixpath import basename, splitext

from msgspec.structs import replace

from intentls.core.mutation.calls.c_arguments import idle_arguments
from intentls.core.mutation.calls.c_macros import Visible, macro_places
from intentls.core.mutation.calls.followed_calls import followed_calls
from intentls.core.mutation.calls.go_results import nil_results
from intentls.core.mutation.calls.java_calls import java_calls
from intentls.core.mutation.canonical_trees import changed_trees, tree_of
from intentls.core.mutation.change_set.repository_facts import RepositoryFacts
from intentls.core.mutation.classes import MutationClass
from intentls.core.mutation.compare import Light
from intentls.core.mutation.file_class import FileClass
from intentls.core.mutation.file_versions import FileVersions
from intentls.core.mutation.moves.c_headers import HeaderMoves, header_moves
from intentls.core.mutation.moves.c_moves import CFile, c_moves
from intentls.core.mutation.moves.c_private_headers import hidden_names, unused_declarations
from intentls.core.mutation.moves.go_definitions import definitions_between_packages
from intentls.core.mutation.moves.go_directories import moved_packages
from intentls.core.mutation.moves.go_glances import may_be_between_packages
from intentls.core.mutation.moves.module_moves import moves_of_modules
from intentls.core.mutation.moves.moved_files import Moves
from intentls.core.mutation.moves.package_moves import moves_in_packages
from intentls.core.mutation.moves.rust_glances import may_move_in_crates
from intentls.core.mutation.moves.rust_moves import moves_in_crates
from intentls.core.mutation.moves.sole_declarations import sole_declarations
from intentls.core.mutation.names.homes import Homes, is_script
from intentls.core.mutation.names.loaded_modules import LoadedModules
from intentls.core.mutation.names.name_scopes import scopes_of
from intentls.core.mutation.names.prose import is_for_people, is_prose
from intentls.core.mutation.names.repository_text import RepositoryText
from intentls.core.mutation.names.tree_names import parts_of, places_of
from intentls.core.mutation.renames.rename_candidates import candidates
from intentls.core.mutation.renames.rust_items import item_renames
from intentls.core.mutation.renames.rust_members import member_renames
from intentls.core.mutation.renames.token_renames import is_c, renamed_lexemes, token_renames, tokens_of
from intentls.core.mutation.renames.tree_renames import LANGUAGES, WRITTEN_OUT, ChangedTree, TreeRenames
from intentls.core.syntax.canonicalize import DoesNotParse, NodeBudget, NotClassifiable
from intentls.core.syntax.languages import adapter_of
from intentls.core.syntax.languages.c.spans import Lexemes
from intentls.core.syntax.tree import Node, Role

# Whoever names a type of `java.lang.reflect` does not ask for names yet.
_NO_NAMES = re.compile(r"\bjava\.lang\.reflect\b")

# In these a name in what did not change may be another one. What is compared may be a smaller tree: of what changed.
_WHOLE = (".go", ".rs")


def light_of(edits: Sequence[FileVersions], others: RepositoryText, budget: NodeBudget) -> Light:
    """What the whole repository proves of a change set: the names that it renames everywhere, and what it moves."""

    def parse(path: str, content: bytes) -> Node | None:
        return _tree(path, content, budget)

    known = RepositoryFacts(edits, others, parse)
    facts = known.of
    parsable = [edit for edit in edits if _is_code(edit, budget)]
    files: list[ChangedTree] = []
    code: list[FileVersions] = []
    hopes = candidates((edit.before, edit.after) for edit in parsable if edit.before and edit.after)
    packages = moved_packages(edits, others)
    is_between = not packages.packages and may_be_between_packages(edits)
    is_elsewhere = packages.is_called_otherwise or is_between
    is_in_crate = may_move_in_crates(edits)
    for edit in parsable:
        try:
            files.append(
                _trees(edit, budget, is_whole=bool(hopes or is_elsewhere or is_in_crate) and edit.path.endswith(_WHOLE))
            )
            code.append(edit)
        except DoesNotParse:
            continue
        except NotClassifiable:
            return Light(facts=facts)
    pairs = hopes
    if len(code) < len(parsable):
        pairs = candidates((edit.before, edit.after) for edit in code if edit.before and edit.after)
    pairs |= _renamed_files(code)
    items = _items_of_rust(pairs, files, others, parse) if len(code) == len(parsable) else {}
    # A name in settings, in what does not parse, or in what is no text, may be anybody's.
    unread = [(edit.path, text) for edit in edits if edit not in code for text in _contents(edit)]
    rest = [text for path, text in unread if not is_for_people(path, text)]
    pairs = {old: new for old, new in pairs.items() if not any(_has_one(text, (old, new)) for text in rest)}

    renamed = TreeRenames(pairs, files, others, parse).proven() if pairs else {}
    # What does not parse may still import a file from its old place: of scripts, texts tell.
    unparsed = [edit for edit in parsable if edit not in code]
    is_whole = all(is_script(edit.path) for edit in unparsed)
    followed = [edit for edit in edits if not is_c(edit.path)]
    homes = Moves(followed, files, renamed, others, parse, unparsed, packages).homes() if is_whole else Homes()
    trees = {
        file.path: (file.before, file.after)
        for file in files
        if file.before and file.after and (is_elsewhere or not ((hopes or is_in_crate) and file.path.endswith(_WHOLE)))
    }
    moves = moves_in_packages(edits, files, renamed)
    between = definitions_between_packages(edits, files, renamed, others, parse) if is_between else {}
    before = {edit.old_path or edit.path: edit.before for edit in edits if edit.before is not None}
    after = {edit.path: edit.after for edit in edits if edit.after is not None}
    moves.update(moves_of_modules(files, renamed, LoadedModules(before, after, others)))
    tokens = token_renames(edits, others, budget.max_bytes, known.macros)
    in_c = _files_of_c(edits, tokens.everywhere, budget.max_bytes)
    guarded = cache(lambda: _guarded_headers(others))
    parts = c_moves(in_c, _renamed_files_of_c(edits) if in_c else [], guarded, partial(_is_nowhere, others))
    sole = sole_declarations(in_c, others, known.macros, lambda path: facts(path).is_included_nowhere())
    for path, more in sole.items():
        parts[path] = parts[path] | more if path in parts else more
    announced, hidden = hidden_names(in_c, others, known.macros, guarded)
    for more_parts in (unused_declarations(in_c, others, known.macros, guarded), announced):
        for path, more in more_parts.items():
            parts[path] = parts[path] | more if path in parts else more
    headers = _headers_of_c(edits, others, budget.max_bytes)
    arguments = idle_arguments(in_c, others, facts("").is_in_no_macro, is_prose)
    versions = [(edit.path, edit.before, edit.after) for edit in edits]
    changed = [(file.path, file.before, file.after) for file in files]
    results = nil_results(versions, changed, others, parse)
    macros = _macros_of_c(edits, others, budget.max_bytes)
    return Light(
        renamed,
        homes,
        trees,
        moves,
        tokens,
        parts,
        hidden,
        headers,
        arguments,
        results,
        items,
        macros,
        between=between,
        settled=moves_in_crates(edits, files, others, parse) if is_in_crate else {},
        calls=followed_calls(changed, others, java_calls(versions, changed, others, parse)),
        facts=facts,
    )


def _items_of_rust(
    pairs: Mapping[str, str],
    files: Sequence[ChangedTree],
    others: RepositoryText,
    parse: Callable[[str, bytes], Node | None],
) -> dict[str, dict[str, str]]:
    """The names of Rust that are other ones in each file: of what modules have, and of what types do."""
    members = member_renames(pairs, files, others, parse)
    items = item_renames(pairs, files, others, parse)
    return {path: {**members.get(path, {}), **items.get(path, {})} for path in {*members, *items}}


def _renamed_files(edits: Sequence[FileVersions]) -> dict[str, str]:
    """In Java a file has the name of its class."""
    pairs = [(edit.old_path or edit.path, edit.path) for edit in edits if edit.path.endswith(".java")]
    stems = {splitext(basename(old))[0]: splitext(basename(new))[0] for old, new in pairs}
    return {old: new for old, new in stems.items() if old != new and old.isidentifier() and new.isidentifier()}


def _files_of_c(edits: Sequence[FileVersions], renamed: Mapping[str, str], max_bytes: int) -> list[CFile]:
    """The files of C that stay in their place, under the names of today; none if one of them can't be split."""
    code = [edit for edit in edits if is_c(edit.path) and edit.old_path in (None, edit.path)]
    if any(len(content) > max_bytes for edit in code for content in _contents(edit)):
        return []
    files: list[CFile] = []
    for edit in code:
        before, after = tokens_of(edit.path, edit.before), tokens_of(edit.path, edit.after)
        if before is None or after is None:
            return []
        files.append(CFile(edit.path, renamed_lexemes(before, renamed), after))
    return files


def _renamed_files_of_c(edits: Sequence[FileVersions]) -> list[CFile]:
    """The files of C that are called otherwise, each as one that is gone and one that came."""
    code = [edit for edit in edits if is_c(edit.path) and edit.old_path not in (None, edit.path)]
    gone = [CFile(edit.old_path or "", tokens_of(edit.path, edit.before) or (), ()) for edit in code]
    return [*gone, *(CFile(edit.path, (), tokens_of(edit.path, edit.after) or ()) for edit in code)]


def _macros_of_c(edits: Sequence[FileVersions], others: RepositoryText, max_bytes: int) -> tuple[Visible, Visible]:
    """What macros are in the files of C, before the change and after it."""
    before, after = macro_places(_files_of_c(edits, {}, max_bytes), others)
    return before.visible, after.visible


def _guarded_headers(others: RepositoryText) -> Mapping[str, bytes] | None:
    """The headers beside the change, by path; None where they can't be told."""
    guarded = others.mentioning(("ifndef", "pragma"))
    return None if guarded is None else {path: text for path, text in guarded.items() if path.endswith(".h")}


def _is_nowhere(others: RepositoryText, name: str) -> bool:
    """Whether no file beside the change set has a word, but for prose."""
    mentioning = others.mentioning((name,))
    word = re.compile(rb"(?<!\w)" + re.escape(name.encode()) + rb"(?!\w)")
    return mentioning is not None and not any(
        word.search(content) for path, content in mentioning.items() if not is_for_people(path, content)
    )


def _headers_of_c(edits: Sequence[FileVersions], others: RepositoryText, max_bytes: int) -> HeaderMoves:
    """The files of C that moved."""
    code = [edit for edit in edits if is_c(edit.path)]
    moving = {edit.old_path: edit for edit in code if edit.old_path not in (None, edit.path)}
    guarded = others.mentioning(("ifndef", "pragma")) if moving else None
    if guarded is None or any(len(content) > max_bytes for edit in code for content in _contents(edit)):
        return HeaderMoves()

    def asking(path: str) -> Mapping[str, Lexemes | None] | None:
        name = basename(path)
        mentioning = others.mentioning((name, splitext(name)[0]))
        if mentioning is None:
            return None
        named = {place: content for place, content in mentioning.items() if name.encode() in content}
        code = {place: content for place, content in named.items() if not is_for_people(place, content)}
        return {place: tokens_of(place, content) if is_c(place) else None for place, content in code.items()}

    had, has = (
        {edit.path: tokens for edit in code if (tokens := tokens_of(edit.path, text(edit))) is not None}
        for text in (attrgetter("before"), attrgetter("after"))
    )
    if len(had) + len(has) < 2 * len(code):
        return HeaderMoves()  # one can't be split for certain
    return header_moves(
        {old: (edit.path, had[edit.path], has[edit.path]) for old, edit in moving.items() if old is not None},
        {edit.path: has[edit.path] for edit in code if edit.after is not None},
        [path for edit in code for path in (edit.old_path, edit.path) if path is not None],
        [path for path in guarded if is_c(path)],
        asking,
    )


def _has_one(text: bytes, words: Iterable[str]) -> bool:
    """Whether a text has one of the words, or a part that a program may make one of."""
    return any(part.encode() in text for word in words for part in (word, *parts_of(word)))


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
        not is_for_people(path, content) and _reaches(path, content, name, budget)
        for path, content in mentioning.items()
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


def _trees(edit: FileVersions, budget: NodeBudget, *, is_whole: bool) -> ChangedTree:
    """Trees of what changed; whole where a name in what did not may be another one."""
    adapter = adapter_of(edit.path)
    assert adapter is not None
    before: Node | None
    after: Node | None
    if edit.before is not None and edit.after is not None:
        before, after = changed_trees(edit.before, edit.after, adapter, budget, is_whole=is_whole)
    else:
        before, after = (None if text is None else tree_of(text, adapter, budget) for text in (edit.before, edit.after))
    texts = [content.decode("utf-8", "replace") for content in _contents(edit)]
    if adapter.name == "Java":
        texts = [_NO_NAMES.sub("", text) for text in texts]
    is_written_out = any(WRITTEN_OUT.search(text) for text in texts)
    return ChangedTree(edit.path, adapter, before, after, is_written_out, edit.old_path)


def _tree(path: str, content: bytes, budget: NodeBudget) -> Node | None:
    """The tree of a file that the change set leaves alone; None where there is none."""
    adapter = adapter_of(path)
    if adapter is None or adapter.name not in LANGUAGES or b"\0" in content or len(content) > budget.max_bytes:
        return None
    try:
        return tree_of(content, adapter, budget)
    except NotClassifiable:
        return None
