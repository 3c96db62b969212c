"""Declarations of C that are one thing wherever they stand: macros, types, prototypes that went to another file.

    urldata.h                          dict.c
    #define DICT_MATCH "/MATCH:"  ->   #define DICT_MATCH "/MATCH:"

Nothing else in the repository defines `DICT_MATCH`, takes it back or asks whether it is there, so each file that has
the word means this one, before and after: without it none would compile. So it is taken out of both files' tokens
before these are compared. That holds for a type too, as long as all that it is made of is one thing as well. A macro
that only its own file can see, and that nothing has the word of, may go. A prototype may go to another file where a
header announces the function then, or each file that has its name.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from intentls.core.mutation.classes import Change, MutationClass, infer
from intentls.core.mutation.moves.c_contexts import is_forward
from intentls.core.mutation.moves.c_meanings import is_for_systems
from intentls.core.mutation.moves.c_moves import CFile, MovedParts
from intentls.core.mutation.names.pasted_names import KnownMacros
from intentls.core.mutation.names.repository_text import RepositoryText
from intentls.core.syntax.languages.adapter import kinds
from intentls.core.syntax.languages.c.declarations import (
    DIRECTIVE,
    FilePart,
    conditions_of,
    declared,
    parts_of_file,
    words_of,
)
from intentls.core.syntax.languages.c.forms.qualifiers import head_of, is_prototype
from intentls.core.syntax.languages.c.functions import is_function
from intentls.core.syntax.languages.c.macros import Macros
from intentls.core.syntax.languages.c.spans import Lexemes, parameters_start
from intentls.core.syntax.lexemes import lexemes_of_c

MAX_FILES = 100  # beside the change, that may have one of the names
_MAX_BYTES = 1 << 20  # of one of them
_C = (".c", ".h")
_ASKS = ("if", "ifdef", "ifndef", "elif", "elifdef", "elifndef")
_TYPES = kinds("typedef struct union enum")
_PACKS = re.compile(r"# pragma (?!once \n)")
_GUARD = ("ifndef", "ifdef __cplusplus")


def sole_declarations(
    files: Sequence[CFile], others: RepositoryText, macros: KnownMacros, is_alone: Callable[[str], bool]
) -> dict[str, MovedParts]:
    """By path: the declarations that left a file or came to it and mean the same as before.

    `is_alone(path)`: no other file includes the one there.
    """
    gone, came = differing_parts(files, is_before=True), differing_parts(files, is_before=False)
    moved = {part for part in gone.keys() & came.keys() if len(gone[part]) == len(came[part]) == 1}
    moved = {part for part in moved if gone[part] != came[part] and _may_move(part, came[part][0])}
    unused = {
        part: paths[0]
        for part, paths in gone.items()
        if is_macro(part) and part not in came and len(paths) == 1 and paths[0].endswith(".c")
    }
    prototypes = {part for part in gone.keys() | came.keys() if is_prototype(part)}
    names = {name for part in (*moved, *unused) for name in names_of(part)}
    asked = names | {announces(part) for part in prototypes}
    mentioning = others.mentioning(sorted(asked)) if asked else {}
    texts = {path: text for path, text in (mentioning or {}).items() if not is_no_code(path)}
    if mentioning is None or not asked or len(texts) > MAX_FILES:
        return {}
    read = {path: lexemes_of_file(path, text) for path, text in texts.items()}
    rest = {path: lexemes for path, lexemes in read.items() if lexemes is not None}
    unread = [text for path, text in texts.items() if read[path] is None]
    if any(name.encode() in text for name in names for text in unread) or any(
        path.endswith(_C) for path in read.keys() - rest.keys()
    ):
        return {}  # what is no C may still say what a macro or a type is, and no prototype
    places = _Declarations(files, rest, macros)
    moved = {
        part
        for part in moved
        if places.is_for_no_system(part, (*gone[part], *came[part]))
        and places.is_followed(part, gone[part][0], came[part][0])
        and places.is_made_of_sole(part)
        and places.is_sole(part)
    }
    idle = {part for part, path in unused.items() if is_alone(path) and places.is_unused(part, path)}
    moving = gone.keys() & came.keys()
    announced = {part for part in prototypes if places.is_announced(part, is_moving=part in moving)}
    return _by_path(files, gone, came, (moved, idle, announced))


def _may_move(part: Lexemes, target: str) -> bool:
    """Whether it is a macro, a type, or a function that each file has that sees it."""
    return is_macro(part) or is_type(part) or (part[0] == "static" and is_function(part) and target.endswith(".h"))


def differing_parts(files: Iterable[CFile], *, is_before: bool) -> dict[Lexemes, list[str]]:
    """The parts of files that one version has and the other has not, or less often."""
    places: defaultdict[Lexemes, list[str]] = defaultdict(list)
    for file in files:
        own, other = (file.before, file.after) if is_before else (file.after, file.before)
        counts = Counter(map(_plainly, parts_of_file(own)))
        counts.subtract(map(_plainly, parts_of_file(other)))
        for (lexemes, is_plain), count in counts.items():
            if count > 0 and is_plain:
                places[lexemes] += [file.path] * count
    return places


def _plainly(part: FilePart) -> tuple[Lexemes, bool]:
    """A part, and whether it stands under no condition but the one that a header is read once, or is C alone."""
    return part.lexemes, all(line.startswith(_GUARD) for line in part.conditions)


def is_macro(part: Lexemes) -> bool:
    """Whether it defines a macro."""
    return part[:2] == (DIRECTIVE, "define") and len(part) > 3


def is_type(part: Lexemes) -> bool:
    """Whether it declares types, and nothing that is one thing in the whole program."""
    return part[0] in _TYPES and part[-1] == ";" and DIRECTIVE not in part and not declared(part)[1]


def names_of(part: Lexemes) -> set[str]:
    """What it declares, for its file alone or for the whole program."""
    return {name for names in declared(part) for name in names}


def announces(prototype: Lexemes) -> str:
    """The function that a prototype announces."""
    return prototype[parameters_start(prototype) - 1]


def is_no_code(path: str) -> bool:
    """Whether a file is settings or prose, by its name."""
    return infer(path, Change.MODIFY) is not MutationClass.INTENT_EVOLUTION


def lexemes_of_file(path: str, text: bytes) -> Lexemes | None:
    """The tokens of a file of C; None of what is none, or is too large."""
    is_read = path.endswith(_C) and len(text) <= _MAX_BYTES
    return lexemes_of_c(text.decode("utf-8", "surrogateescape")) if is_read else None


class _Declarations:
    """Where names stand: in the files of the change, in both versions, and in the `rest`."""

    def __init__(self, files: Sequence[CFile], rest: Mapping[str, Lexemes], macros: KnownMacros) -> None:
        self._files, self._macros = files, macros
        self._versions = tuple(
            [*((file.path, file.before if is_before else file.after) for file in files), *rest.items()]
            for is_before in (True, False)
        )

    def is_sole(self, part: Lexemes) -> bool:
        """Whether nothing else declares one of its names, or asks whether it is there, before and after."""
        names = names_of(part)
        if not names or any(self._macros.pasted().has(name) for name in names):
            return False
        for version in self._versions:
            having = [lexemes for _, lexemes in version if not names.isdisjoint(lexemes)]
            found = [other.lexemes for lexemes in having for other in parts_of_file(lexemes)]
            found = [other for other in found if not is_forward(other)]
            if sum(1 for other in found if not names.isdisjoint(names_of(other))) != 1 or any(
                _asks_for(lexemes, names) for lexemes in having
            ):
                return False
        return not any(map(_PACKS.search, map(" ".join, self._of_change()))) or is_macro(part)

    def is_followed(self, part: Lexemes, source: str, target: str) -> bool:
        """Whether what one file of C gave to another is used as before: none of them had the name without it."""
        files = {file.path: file for file in self._files}
        names = names_of(part)
        is_seen_by_others = not source.endswith(".c") or not target.endswith(".c")
        return is_seen_by_others or names.isdisjoint((*files[source].after, *files[target].before))

    def is_for_no_system(self, part: Lexemes, paths: Iterable[str]) -> bool:
        """Whether no header of a system may ask for a macro: it is used here, and stands below what a file includes."""
        if not is_macro(part):
            return True
        name = part[2]
        uses = sum(lexemes.count(name) for _, lexemes in self._versions[1])
        return uses > 1 and not is_for_systems(name) and self.is_below(part, paths)

    def is_below(self, part: Lexemes, paths: Iterable[str]) -> bool:
        """Whether it stands below all that these files include, as far as they are no headers."""
        return not any(
            "include" in lexemes[_end_of(lexemes, part) :]
            for file in self._files
            if file.path in paths and file.path.endswith(".c")
            for lexemes in (file.before, file.after)
        )

    def is_made_of_sole(self, part: Lexemes) -> bool:
        """Whether each word of a type is no macro, or one that is defined once; a macro's mean what they do in use."""
        if is_macro(part):
            return True
        lines = [self._macros.called(word) for word in words_of(part)]
        return all(found is not None and len(found) <= 1 for found in lines)

    def is_unused(self, part: Lexemes, path: str) -> bool:
        """Whether a macro of a file that nothing includes has no other place there, before or after."""
        own = [lexemes for file in self._files if file.path == path for lexemes in (file.before, file.after)]
        uses = sum(lexemes.count(part[2]) for lexemes in own)
        return uses == 1 and self.is_below(part, [path]) and not self._macros.pasted().has(part[2])

    def is_announced(self, part: Lexemes, *, is_moving: bool) -> bool:
        """Whether a header announces what a prototype does, or each file that has its name; and all say the same.

        One that only comes or goes, and does not move, needs a header that has it before and after.
        """
        name = announces(part)
        for version in self._versions:
            having = {path: parts_of_file(lexemes) for path, lexemes in version if name in lexemes}
            said = {path: self._announced(parts, name) for path, parts in having.items()}
            by_header = any(found and path.endswith(".h") for path, found in said.items())
            first = (next(part.lexemes for part in parts if name in part.lexemes) for parts in having.values())
            by_each = all(name in names_of(lexemes) for lexemes in first)
            if set().union(*said.values()) != {self._head(part)} or not (by_header or (by_each and is_moving)):
                return False
        return True

    def _announced(self, parts: Iterable[FilePart], name: str) -> set[Lexemes]:
        """What the functions and prototypes of this name are."""
        named = (part.lexemes for part in parts if name in names_of(part.lexemes))
        return {self._head(part) if is_prototype(part) or is_function(part) else part for part in named}

    def _head(self, part: Lexemes) -> Lexemes:
        """A function or a prototype up to its body, without `extern` and the names of parameters."""
        macros = Macros(lambda _name: False, lambda name: self._macros.called(name) == [])
        return head_of(part if "{" in part else (*part[:-1], "{"), macros)

    def _of_change(self) -> Iterator[Lexemes]:
        return (lexemes for file in self._files for lexemes in (file.before, file.after))


def _end_of(lexemes: Lexemes, part: Lexemes) -> int:
    """Where a part of a file ends; where the file ends if it is not there."""
    end = 0
    for other in parts_of_file(lexemes):
        end += len(other.lexemes)
        if other.lexemes == part:
            return end
    return len(lexemes)


def _asks_for(lexemes: Lexemes, names: Iterable[str]) -> bool:
    """Whether a directive asks for one of the names."""
    words = {word for line in conditions_of(lexemes) if line.startswith(_ASKS) for word in line.split()}
    return not words.isdisjoint(names)


def _by_path(
    files: Sequence[CFile],
    gone: Mapping[Lexemes, Sequence[str]],
    came: Mapping[Lexemes, Sequence[str]],
    kinds_of_parts: tuple[set[Lexemes], set[Lexemes], set[Lexemes]],
) -> dict[str, MovedParts]:
    moved, idle, announced = kinds_of_parts
    found: dict[str, MovedParts] = {}
    for file in files:
        left = {part for part in (*moved, *idle) if file.path in gone.get(part, ())}
        here = {part for part in moved if file.path in came.get(part, ())}
        # A prototype that the file has more often than before, or less, means nothing at all.
        said = {part for part in announced if file.path in (*gone.get(part, ()), *came.get(part, ()))}
        reasons = {
            *(f"moved {', '.join(sorted(names_of(part)))} to {came[part][0]}" for part in left & moved),
            *(f"moved {', '.join(sorted(names_of(part)))} from {gone[part][0]}" for part in here & moved),
            *("unused macros" for _ in left & idle),
            *(f"announces {announces(part)} elsewhere" for part in said if file.path in gone.get(part, ())),
            *(f"announces {announces(part)}" for part in said if file.path in came.get(part, ())),
        }
        if left or here or said:
            found[file.path] = MovedParts(
                frozenset(left | said), frozenset(here | said), frozenset(), frozenset(), tuple(sorted(reasons))
            )
    return found
