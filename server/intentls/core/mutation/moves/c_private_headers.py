"""What a repository of C declares in headers of its own, and nothing uses there: functions, prototypes, types, macros.

    src/list.h   int list_len(struct list *a);        src/list.c   int list_len(struct list *a)
                                                                   { return a->len; }

Nothing else has the word `list_len`, before and after, and `src/list.h` is for the repository alone: what others are
to include stands in a directory `include`. So the prototype and the function are taken out of the tokens of both files.
Where `src/list.c` itself calls the function, and nothing else does, the prototype means nothing, and neither does
`static` before the function.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence

from intentls.core.mutation.moves.c_meanings import is_for_systems
from intentls.core.mutation.moves.c_moves import CFile, MovedParts
from intentls.core.mutation.moves.sole_declarations import (
    MAX_FILES,
    announces,
    differing_parts,
    is_macro,
    is_no_code,
    is_type,
    lexemes_of_file,
    names_of,
)
from intentls.core.mutation.names.pasted_names import KnownMacros
from intentls.core.mutation.names.repository_text import RepositoryText
from intentls.core.syntax.languages.c.declarations import parts_of_file
from intentls.core.syntax.languages.c.forms.qualifiers import is_prototype
from intentls.core.syntax.languages.c.functions import is_function
from intentls.core.syntax.languages.c.macros import defined_by
from intentls.core.syntax.languages.c.spans import NAME, Lexemes, parameters_start

_PUBLIC = frozenset({"include", "public", "api"})
UNUSED = "unused declarations"

Parts = Mapping[Lexemes, Sequence[str]]  # by part, the files that it left
Paths = Callable[[], Collection[str] | None]
"""The repository's headers; None where they can't be told."""


def unused_declarations(
    files: Sequence[CFile], others: RepositoryText, macros: KnownMacros, headers: Paths
) -> dict[str, MovedParts]:
    """By path: the declarations that left a file, and that nothing used."""
    gone = differing_parts(files, is_before=True)
    left: Parts = {part: paths for part, paths in gone.items() if _may_go(part, paths)}
    announced = {announces(part) for part, paths in left.items() if is_prototype(part) and _are_headers(paths)}
    left = {
        part: paths
        for part, paths in left.items()
        if not is_function(part) or (names_of(part) <= announced and _is_plain(part, macros))
    }
    if not any(_are_headers(paths) for paths in left.values()):
        return {}
    left = _without_used(left, files)
    names = {name for part in left for name in names_of(part)}
    found = _searched(names, files, others, headers)
    if found is None:
        return {}
    texts, private = found
    kept = {name for path, text in texts.items() for name in names if _has(path, text, name)}
    kept |= {name for name in names if macros.pasted().has(name)}
    kept |= {
        name for part, paths in left.items() for name in names_of(part) if not all(path in private for path in paths)
    }
    left = _without_used({part: paths for part, paths in left.items() if names_of(part).isdisjoint(kept)}, files)
    return _by_path(left)


def hidden_names(
    files: Sequence[CFile], others: RepositoryText, macros: KnownMacros, headers: Paths
) -> tuple[dict[str, MovedParts], dict[str, set[str]]]:
    """What headers announced, or announce now, and one file alone uses; by the path of that file, the names of it."""
    gone, came = (differing_parts(files, is_before=is_before) for is_before in (True, False))
    parts = {
        part: (name, [*gone.get(part, ()), *came.get(part, ())])
        for part in gone.keys() ^ came.keys()
        for name in _announced(part)
    }
    parts = {part: (name, paths) for part, (name, paths) in parts.items() if _are_headers(paths)}
    names = {name for name, _ in parts.values()}
    searched = _searched(names, files, others, headers)
    if searched is None:
        return {}, {}
    texts, private = searched
    rest = {path: lexemes_of_file(path, text) for path, text in texts.items()}
    own: defaultdict[str, set[str]] = defaultdict(set)
    for name in sorted(names):
        known_texts = [*rest.items(), *_versions(files)]
        users = {path for path, lexemes in known_texts if lexemes is None or not _only_announces(lexemes, name)}
        is_found = any(f'"{name}"' in (lexemes or ()) for _, lexemes in known_texts)  # by a program that loads it
        definers = [file.path for file in files if _defines(file.before, name) and _defines(file.after, name)]
        is_own = len(users) == 1 and users == set(definers) and definers[0].endswith(".c")
        if is_own and not is_found and not macros.pasted().has(name):
            own[users.pop()].add(name)
    hidden = set().union(*own.values())
    found: defaultdict[str, dict[str, set[Lexemes]]] = defaultdict(lambda: defaultdict(set))
    for part, (name, paths) in parts.items():
        if name in hidden and all(path in private for path in paths):
            for side, places in (("gone", gone), ("came", came)):
                for path in places.get(part, ()):
                    found[path][side].add(part)
        else:
            own = defaultdict(set, {path: kept - {name} for path, kept in own.items()})
    return {
        path: MovedParts(
            frozenset(sides["gone"]), frozenset(sides["came"]), frozenset(), frozenset(), ("only one file uses it",)
        )
        for path, sides in found.items()
    }, dict(own)


def _searched(
    names: Collection[str], files: Sequence[CFile], others: RepositoryText, headers: Paths
) -> tuple[Mapping[str, bytes], frozenset[str]] | None:
    """What has one of the names beside the change, but for prose, and which files are for the repository alone.

    None if there is no name, or it can't be told.
    """
    known = headers() if names else None
    mentioning = others.mentioning(sorted(names)) if known is not None else None
    texts = {path: text for path, text in (mentioning or {}).items() if not is_no_code(path)}
    if known is None or mentioning is None or len(texts) > MAX_FILES:
        return None
    return texts, _private({*known, *(file.path for file in files)})


def _versions(files: Sequence[CFile]) -> Iterator[tuple[str, Lexemes]]:
    return ((file.path, lexemes) for file in files for lexemes in (file.before, file.after))


def _announced(part: Lexemes) -> Iterator[str]:
    """The function or the variable that a part only announces."""
    if is_prototype(part):
        yield announces(part)
    elif part[0] == "extern" and part[-1] == ";" and {"(", "{", ",", "="}.isdisjoint(part):
        end = part.index("[") if "[" in part else len(part) - 1
        yield part[end - 1]


def _defines(lexemes: Lexemes, name: str) -> bool:
    """Whether a file has the function or the variable itself."""
    parts = (part.lexemes for part in parts_of_file(lexemes) if name in part.lexemes)
    return any(name in names_of(part) and not [*_announced(part)] for part in parts)


def _only_announces(lexemes: Lexemes, name: str) -> bool:
    """Whether a file has a name in prototypes alone."""
    parts = (part.lexemes for part in parts_of_file(lexemes) if name in part.lexemes)
    return all([*_announced(part)] == [name] and part.count(name) == 1 for part in parts)


def _may_go(part: Lexemes, paths: Sequence[str]) -> bool:
    """Whether it is a kind of part that may be unused; a macro of which no system asks whether it is there."""
    if not names_of(part) or len(set(paths)) > 1:
        return False
    if is_macro(part):
        return _are_headers(paths) and not is_for_systems(part[2])
    return (_are_headers(paths) and (is_prototype(part) or is_type(part))) or is_function(part)


def _are_headers(paths: Iterable[str]) -> bool:
    return all(path.endswith(".h") for path in paths)


def _is_plain(function: Lexemes, macros: KnownMacros) -> bool:
    """Whether only words and stars stand before its name, none of which runs it when the program begins."""
    head = function[: parameters_start(function)]
    is_first = head != () and head[-1] in names_of(function)  # and no attribute has brackets before it
    return is_first and all(token == "*" or _is_word(token, macros) for token in head)


def _is_word(name: str, macros: KnownMacros) -> bool:
    found = [defined_by(line) for line in macros.called(name) or ()]
    is_told = macros.called(name) is not None and all(macro is not None for macro in found)
    return is_told and all(all(map(NAME.match, macro.body)) for macro in found if macro is not None)


def _without_used(left: Parts, files: Sequence[CFile]) -> Parts:
    """The parts of which no name stands elsewhere in the change, before and after."""
    found = dict(left)
    after = {token.strip('"') for file in files for token in file.after}  # a text of one may be there to find it
    found = {part: paths for part, paths in found.items() if names_of(part).isdisjoint(after)}
    parts = [part.lexemes for file in files for part in parts_of_file(file.before)]
    while True:  # it ends, as each round but the last takes some away
        used = {token.strip('"') for part in parts if part not in found for token in part}
        kept = {part: paths for part, paths in found.items() if names_of(part).isdisjoint(used)}
        if len(kept) == len(found):
            return kept
        found = kept


def _has(path: str, text: bytes, name: str) -> bool:
    """Whether a file beside the change has a name, unless it is prose."""
    lexemes = lexemes_of_file(path, text)
    return lexemes is None or name in lexemes or f'"{name}"' in lexemes


def _private(paths: Collection[str]) -> frozenset[str]:
    """The files that are for the repository alone: where there are headers for others, in a directory of them."""
    public = {path for path in paths if path.endswith(".h") and not _PUBLIC.isdisjoint(path.split("/")[:-1])}
    return frozenset(paths) - public if public else frozenset()


def _by_path(left: Parts) -> dict[str, MovedParts]:
    found: defaultdict[str, set[Lexemes]] = defaultdict(set)
    for part, paths in left.items():
        found[paths[0]].add(part)
    return {
        path: MovedParts(frozenset(parts), frozenset(), frozenset(), frozenset(), (UNUSED,))
        for path, parts in found.items()
    }
