"""Definitions of C that went to another file of their directory, with what they need: functions, variables, macros.

    core.c  before               core.c  after        loop.c  after
    #include "internal.h"        int main(void)       #include "internal.h"
    static int made;             { return run(); }    static int made;
    int run(void) { made++; }                         int run(void) { made++; }
    int main(void)
    { return run(); }

`made` and `run` are gone from one file and came to the other, token for token, under the same conditions. No name in
them is a macro, a type or a hidden variable of either file, or of a header that only one of the two includes; and
`made`, which only its file sees, has no use left and had none there. So they are taken out of both files' tokens
before these are compared, with the includes that this takes and the prototypes that announce what moved.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import cache
from itertools import chain
from posixpath import basename, dirname, splitext

from msgspec import Struct

from intentls.core.mutation.moves.c_headers import SYSTEM, HeaderPaths
from intentls.core.syntax.languages.c.declarations import (
    DIRECTIVE,
    FilePart,
    conditions_of,
    declared,
    included,
    macros_of,
    parts_of_file,
    words_of,
)
from intentls.core.syntax.languages.c.functions import KEYWORDS, is_function
from intentls.core.syntax.languages.c.spans import Lexemes
from intentls.core.syntax.lexemes import lexemes_of_c

Headers = Callable[[], Mapping[str, bytes] | None]
"""The repository's headers beside the change set, by path; None: that can't be told."""

MAX_BYTES = 1 << 18  # of a header that is read
_WORD = re.compile(r"[^\W\d]\w*")
# What a condition may ask for wherever it stands: the compiler gives it, or the whole build.
_GLOBAL = re.compile(r"_\w*|NDEBUG|HAVE_\w+|WITH_\w+|defined|if|ifdef|ifndef|elif|else|endif|of")
# What tells where it stands, or means one thing by one header of the system and another by the next.
_PLACED = frozenset(
    {"__FILE__", "__LINE__", "__COUNTER__", "__BASE_FILE__", "__INCLUDE_LEVEL__", "basename", "strerror_r"}
)
_ODD = frozenset({"<tgmath.h>", "<iso646.h>", "<altivec.h>"})


class CFile(Struct, frozen=True):
    """The tokens of a file of the change before it, under the new names, and after it; none where there is no file."""

    path: str
    before: Lexemes
    after: Lexemes


class MovedParts(Struct, frozen=True):
    """What left a file and came to it, the includes that may differ, the prototypes that mean nothing, and why."""

    gone: frozenset[Lexemes]
    came: frozenset[Lexemes]
    includes: frozenset[str]
    prototypes: frozenset[Lexemes]
    reasons: tuple[str, ...]

    def __or__(self, other: MovedParts) -> MovedParts:
        """These and others of the same file."""
        return MovedParts(
            self.gone | other.gone,
            self.came | other.came,
            self.includes | other.includes,
            self.prototypes | other.prototypes,
            tuple(dict.fromkeys((*self.reasons, *other.reasons))),
        )

    def shed(self, old: Lexemes, new: Lexemes) -> tuple[Lexemes, Lexemes]:
        """Both without them, if both are as they are to C++."""
        if old.count('"C"') != new.count('"C"'):
            return old, new
        return self._without(old, self.gone), self._without(new, self.came)

    def _without(self, lexemes: Lexemes, moved: Collection[Lexemes]) -> Lexemes:
        return tuple(
            token
            for part in parts_of_file(lexemes)
            if part.lexemes not in moved
            and not (part.included in self.includes and not part.conditions)
            and _plain(part.lexemes) not in self.prototypes
            for token in part.lexemes
        )


class _Headers:
    """The headers of a repository, before the change or after it."""

    def __init__(self, files: Mapping[str, Lexemes | None]) -> None:
        self._files, self._paths = files, HeaderPaths(files)
        self.hidden = cache(self._hidden)
        self.macros = cache(self._macros)
        self.words = cache(self._words)
        self.parts = cache(self._parts)

    def reached(self, path: str, includes: Collection[tuple[str, Lexemes]]) -> frozenset[str]:
        """What a file at `path` includes, and what that includes: paths, and texts of what is elsewhere.

        The conditions under which the file includes something stand before it.
        """
        seen: set[str] = set()
        todo = [(path, text, " ".join(conditions)) for text, conditions in includes]
        while todo:
            includer, text, condition = todo.pop()
            for place in self._paths.places(includer, text):
                key = f"{condition} {place}" if condition else place
                if key not in seen:
                    seen.add(key)
                    todo.extend((place, inner, condition) for inner in included(self._files.get(place) or ()))
        return frozenset(seen)

    def _hidden(self, path: str) -> set[str] | None:
        """The names that mean something where a header is included; None if that can't be told."""
        lexemes = self._files.get(path)
        if lexemes is None:
            return None
        parts = (part.lexemes for part in parts_of_file(lexemes) if not _is_forward(part.lexemes))
        return {name for part in parts for name in declared(part)[0]}

    def _macros(self, path: str) -> set[str]:
        return macros_of(self._files.get(path) or ())

    def _words(self, path: str) -> set[str]:
        return words_of(self._files.get(path) or ())

    def _parts(self, path: str) -> tuple[FilePart, ...]:
        """The parts of a header; the condition that it is read once is none."""
        parts = parts_of_file(self._files.get(path) or ())
        guard = " ".join(parts[0].lexemes[1:]) if parts and parts[0].lexemes[:2] == (DIRECTIVE, "ifndef") else ""
        return tuple(FilePart(part.lexemes, tuple(line for line in part.conditions if line != guard)) for part in parts)


def _is_forward(part: Lexemes) -> bool:
    """Whether it only says that there is a type: that is one whatever declares it."""
    return len(part) == 3 and part[0] in ("struct", "union")


class _Version:
    """One version of a file: its parts, what they declare, and the headers that it includes."""

    def __init__(self, file: CFile, headers: _Headers, *, is_before: bool) -> None:
        lexemes = file.before if is_before else file.after
        self.headers, self.words, self.parts = headers, words_of(lexemes), parts_of_file(lexemes)
        self.includes = frozenset((part.included, part.conditions) for part in self.parts if part.included)
        self.reached = headers.reached(file.path, self.includes)
        last = max((index for index, part in enumerate(self.parts) if part.included), default=0)
        # What may tell the headers what to be.
        self.setup = [part.lexemes for part in self.parts[:last] if declared(part.lexemes)[0]]
        project = [index for index, part in enumerate(self.parts) if part.included.endswith('"')]
        # What comes after the project's headers changes none of them.
        last = max(project, default=-1)
        self.late = {part.included for part in self.parts[last + 1 :] if part.included}
        self.early = {part.included for part in self.parts[: last + 1] if part.included}
        pragmas = [part.lexemes for part in self.parts if part.lexemes[:2] == (DIRECTIVE, "pragma")]
        # Else it may be compiled in another way, or include something in the middle of a function.
        self.is_plain = not pragmas and len(list(included(lexemes))) == sum(1 for part in self.parts if part.included)
        self.order = [self.parts[index].included for index in project]

    def hidden(self, moved: Collection[Lexemes]) -> set[str]:
        """The names that mean something in this file alone, by what stays in it."""
        stays = (part.lexemes for part in self.parts if part.lexemes not in moved)
        return {name for lexemes in stays for name in declared(lexemes)[0]}

    def conditions(self, lexemes: Lexemes) -> Lexemes:
        """Those under which a part stands."""
        return next(part.conditions for part in self.parts if part.lexemes == lexemes)


def c_moves(files: Sequence[CFile], headers: Headers) -> dict[str, MovedParts]:
    """By path: what a file of C gave to others of its directory, or took from them; a header may announce it."""
    gone, came = _changed(files, is_before=True), _changed(files, is_before=False)
    pairs = {lexemes: (gone[lexemes], came[lexemes]) for lexemes in gone.keys() & came.keys()}
    pairs = {lexemes: pair for lexemes, pair in pairs.items() if pair[0] != pair[1] and _may_move(*pair)}
    others = headers() if pairs else None
    if others is None:
        return {}
    texts = {path: _lexemes(content) for path, content in others.items()}
    sides = (
        _Headers({**texts, **{file.path: file.before for file in files}}),
        _Headers({**texts, **{file.path: file.after for file in files}}),
    )
    old = {file.path: _Version(file, sides[0], is_before=True) for file in files}
    new = {file.path: _Version(file, sides[1], is_before=False) for file in files}
    while True:  # it ends, as each round but the last takes some away
        kept: Pairs = {}
        for source, target in set(pairs.values()):
            moved = [lexemes for lexemes, pair in pairs.items() if pair == (source, target)]
            sound = _that_mean_the_same(moved, (old[source], new[source]), (old[target], new[target]))
            kept.update(dict.fromkeys(sound, (source, target)))
        moves = _moves(files, kept, old, new)
        unsure = {file.path for file in files if not _may_shed(moves[file.path], old[file.path], new[file.path])}
        kept = {lexemes: pair for lexemes, pair in kept.items() if unsure.isdisjoint(pair)}
        if len(kept) == len(pairs):
            return {path: move for path, move in moves.items() if path not in unsure} if kept else {}
        pairs = kept


Pairs = dict[Lexemes, tuple[str, str]]


def _lexemes(content: bytes) -> Lexemes | None:
    return lexemes_of_c(content.decode("utf-8", "surrogateescape")) if len(content) <= MAX_BYTES else None


def _changed(files: Sequence[CFile], *, is_before: bool) -> dict[Lexemes, str]:
    """The definitions that stand in one version alone, by their tokens: the one file that each of them is in."""
    places: defaultdict[Lexemes, list[str]] = defaultdict(list)
    for file in files:
        own, other = (file.before, file.after) if is_before else (file.after, file.before)
        there = {part.lexemes for part in parts_of_file(other)}
        for part in parts_of_file(own):
            if part.is_definition and part.lexemes not in there:
                places[part.lexemes].append(file.path)
    return {lexemes: paths[0] for lexemes, paths in places.items() if len(paths) == 1}


def _may_move(source: str, target: str) -> bool:
    names = [splitext(basename(path)) for path in (source, target)]
    is_here = dirname(source) == dirname(target) and all(suffix == ".c" for _, suffix in names)
    return is_here and not any(SYSTEM.search(name) for name, _ in names)


def _that_mean_the_same(
    moved: Sequence[Lexemes], source: tuple[_Version, _Version], target: tuple[_Version, _Version]
) -> Iterator[Lexemes]:
    """The parts that moved from one file to another in which each name is the same thing in both."""
    old, new = source[0], target[1]
    strange = _strange(old, new)
    orders = [[text for text in one.order if text in other.order] for one, other in ((old, new), (new, old))]
    if old.setup != new.setup or orders[0] != orders[1] or not (old.is_plain and new.is_plain) or strange is None:
        return
    hidden = old.hidden(moved) | new.hidden(moved)
    along = {name for lexemes in moved for name in declared(lexemes)[0]}
    # What only its file sees has no use where it was, and was nothing else where it is.
    torn = along & (source[1].words | target[0].words)
    for lexemes in moved:
        words = words_of(lexemes) - KEYWORDS
        conditions = old.conditions(lexemes)
        is_free = words.isdisjoint(hidden | torn | strange | _PLACED) and any(declared(lexemes))
        is_here = conditions == new.conditions(lexemes)
        if is_free and is_here and all(map(_is_global, chain(conditions, conditions_of(lexemes[1:])))):
            yield lexemes


def _is_global(condition: str) -> bool:
    """Whether a directive asks for nothing but what the compiler or the whole build gives."""
    return all(map(_GLOBAL.fullmatch, _WORD.findall(condition)))


def _strange(old: _Version, new: _Version) -> set[str] | None:
    """The names that a header of only one of two versions gives a meaning; None if that can't be told.

    That is so where a macro of one may change what a header of both says, or two types of one name may. A header of the
    system declares what a file would not compile without; those that come before a project's header may change what
    that says.
    """
    differing, common = old.reached ^ new.reached, old.reached & new.reached
    strange: set[str] = set()
    hidden: dict[bool, set[str]] = {True: set(), False: set()}  # those of headers that the old version alone includes
    macros: set[str] = set()
    for header in differing:
        text = header.split()[-1]
        if text in _ODD:
            return None
        if text.endswith(">"):
            is_last = text in old.late | new.late and text not in old.early | new.early
            strange |= _PLACED | (set() if is_last else _unsure(common, new.headers))
            continue
        for version in (old, new):
            names = version.headers.hidden(header)
            if names is None:
                return None
            hidden[header in old.reached] |= names
            macros |= version.headers.macros(header)
    used = {word for path in common for word in new.headers.words(path)}
    is_told = used.isdisjoint(macros | (hidden[True] & hidden[False]))
    return strange | hidden[True] | hidden[False] if is_told else None


def _unsure(headers: Collection[str], files: _Headers) -> set[str]:
    """The names that these headers declare under a condition, and those that are made of them."""
    parts = {part for path in headers for part in files.parts(path)}
    asked = {part: {word for line in _lines(part) for word in _WORD.findall(line)} for part in parts}
    unsure = {word for words in asked.values() for word in words if not _GLOBAL.fullmatch(word)}
    asking = {part for part in parts if not unsure.isdisjoint(asked[part])}
    while asking:
        unsure |= {name for part in asking for names in declared(part.lexemes) for name in names}
        parts -= asking
        asking = {part for part in parts if not unsure.isdisjoint(words_of(part.lexemes))}
    return unsure


def _lines(part: FilePart) -> Iterator[str]:
    """The conditions around a part and in it."""
    return chain(part.conditions, conditions_of(part.lexemes[1:]))


def _moves(
    files: Sequence[CFile], pairs: Pairs, old: Mapping[str, _Version], new: Mapping[str, _Version]
) -> dict[str, MovedParts]:
    prototypes = frozenset(_plain((*lexemes[: lexemes.index("{")], ";")) for lexemes in pairs if is_function(lexemes))
    return {
        file.path: MovedParts(
            frozenset(lexemes for lexemes, (source, _) in pairs.items() if source == file.path),
            frozenset(lexemes for lexemes, (_, target) in pairs.items() if target == file.path),
            frozenset(
                text
                for text, _ in old[file.path].includes ^ new[file.path].includes
                if any(file.path in pair for pair in pairs.values())
            ),
            prototypes,
            tuple(sorted(_reasons(pairs, file.path))) or ("announces what moved",),
        )
        for file in files
    }


def _reasons(pairs: Pairs, path: str) -> Iterator[str]:
    for lexemes, (source, target) in pairs.items():
        names = ", ".join(sorted(set.union(*declared(lexemes))))
        if path == source:
            yield f"moved {names} to {target}"
        elif path == target:
            yield f"moved {names} from {source}"


def _may_shed(move: MovedParts, old: _Version, new: _Version) -> bool:
    """Whether the includes that only one version of a file has mean nothing to what stays in it."""
    stays = [part for part in new.parts if part.lexemes not in move.came and not part.included]
    words = {word for part in stays for word in words_of(part.lexemes)} - KEYWORDS
    lines = (line for part in stays for line in _lines(part))
    if old.reached == new.reached or not (old.parts and new.parts):
        return True
    strange = _strange(old, new)
    is_clear = strange is not None and words.isdisjoint(strange)
    return is_clear and old.is_plain and new.is_plain and all(map(_is_global, lines))


def _plain(lexemes: Lexemes) -> Lexemes:
    """A prototype without `extern`, which means nothing there."""
    return lexemes[1:] if lexemes[:1] == ("extern",) else lexemes
