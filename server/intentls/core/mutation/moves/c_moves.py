"""Definitions of C that went to another file, with what they need: functions, variables, macros; and other includes.

    core.c  before               core.c  after        loop.c  after
    #include "internal.h"        int main(void)       #include "internal.h"
    static int made;             { return run(); }    static int made;
    int run(void) { made++; }                         int run(void) { made++; }
    int main(void)
    { return run(); }

`made` and `run` are gone from one file and came to the other, token for token, under the same conditions. Each name in
them means the same in both files, as `c_meanings` has it; and `made`, which only its file sees, has no use left and had
none there. So they are taken out of both files' tokens before these are compared, with the prototypes that announce
what moved. A function that only its file saw may be one of the whole program then, where no other file has its name.
Includes are taken out of a file too, if each name in what stays means the same without them.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from itertools import chain

from msgspec import Struct

from intentls.core.mutation.moves.c_contexts import CContext, CHeaders, Declaration, is_foreign, seen_of
from intentls.core.mutation.moves.c_headers import is_same_kind_of_place, is_standard
from intentls.core.mutation.moves.c_meanings import Meanings, is_for_systems
from intentls.core.syntax.languages.c.declarations import (
    BEGINS,
    BRANCHES,
    DIRECTIVE,
    ENDS,
    FilePart,
    declared,
    parts_of_file,
)
from intentls.core.syntax.languages.c.forms.qualifiers import head_of, is_prototype
from intentls.core.syntax.languages.c.functions import is_function
from intentls.core.syntax.languages.c.macros import Macros
from intentls.core.syntax.languages.c.spans import Lexemes, parameters_start

Headers = Callable[[], Mapping[str, bytes] | None]
"""The repository's headers beside the change set, by path; None: that can't be told."""

OTHER_INCLUDES = "other includes, in which each name means the same"

# What tells where it stands, or means one thing by one header of the system and another by the next.
_PLACED = frozenset(
    {"__FILE__", "__LINE__", "__COUNTER__", "__BASE_FILE__", "__INCLUDE_LEVEL__", "basename", "strerror_r"}
)
_TYPES = ("typedef", "struct", "union", "enum")


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
            for part in _without_includes(parts_of_file(lexemes), self.includes)
            if part.lexemes not in moved and part.lexemes not in self.prototypes
            for token in part.lexemes
        )


def _without_includes(parts: Iterable[FilePart], texts: Collection[str]) -> list[FilePart]:
    """The parts without these includes, and without the conditions that then have nothing to decide.

    `#ifdef HAVE_ERRNO_H`, `#include <errno.h>`, `#endif` is nothing, if `<errno.h>` goes.
    """
    kept: list[FilePart] = []
    begun: list[int] = []  # where each condition that is open stands in what is kept
    for part in parts:
        word = part.lexemes[1:2] if part.lexemes[0] == DIRECTIVE else ()
        if word in ENDS and begun:
            start = begun.pop()
            if all(each.lexemes[1:2] in BRANCHES for each in kept[start + 1 :]):
                del kept[start:]
                continue
        elif word in BEGINS:
            begun.append(len(kept))
        if part.included not in texts:
            kept.append(part)
    return kept


class _MovedPart(Struct, frozen=True):
    """A part as it was in one file and as it is in another."""

    gone: Lexemes
    came: Lexemes
    source: str
    target: str

    @property
    def names(self) -> set[str]:
        return set().union(*declared(self.gone))

    @property
    def is_opened(self) -> bool:
        """Whether only its file saw it before, and the whole program does now."""
        return self.gone[0] == "static" != self.came[0]

    @property
    def is_closed(self) -> bool:
        """Whether the whole program saw it before, and only its file does now."""
        return self.gone[0] != "static" == self.came[0]


def c_moves(
    files: Sequence[CFile],
    renamed: Sequence[CFile],
    headers: Headers,
    is_nowhere_beside: Callable[[str], bool],
) -> dict[str, MovedParts]:
    """By path: what a file of C gave to others, or took from them, and the includes that mean nothing to it.

    `renamed`: the files that are called otherwise, each as one that is gone and one that came.
    `is_nowhere_beside(name)`: no file beside the change set has the word.
    """
    moves = _candidates(files)
    code = [file for file in files if file.path.endswith(".c") and file.before and file.after]
    including = {file.path for file in code if _includes(file.before) != _includes(file.after)}
    others = headers() if moves or including else None
    if others is None:
        return {}
    sides = [
        CHeaders({file.path: side(file) for file in (*files, *renamed) if side(file)}, others)
        for side in (_before, _after)
    ]
    old = {file.path: CContext(file.path, file.before, sides[0]) for file in files}
    new = {file.path: CContext(file.path, file.after, sides[1]) for file in files}
    moves = [move for move in moves if _may_be_seen(move, old, new, is_nowhere_beside)]
    while True:  # it ends, as each round but the last takes some away
        kept = [move for move in moves if _is_sound(move, moves, old, new)]
        unsure = {path for path in including if not _may_shed(old[path], new[path], kept)}
        kept = [move for move in kept if unsure.isdisjoint((move.source, move.target))]
        if len(kept) == len(moves):
            return _moved_parts(files, kept, including - unsure)
        moves = kept


def _before(file: CFile) -> Lexemes:
    return file.before


def _after(file: CFile) -> Lexemes:
    return file.after


def _includes(lexemes: Lexemes) -> list[str]:
    return [part.included for part in parts_of_file(lexemes) if part.included]


def _other_includes(file: CFile) -> set[str]:
    """The includes that one version alone has; all of them where both have the same in another order."""
    old, new = _includes(file.before), _includes(file.after)
    shared = [[text for text in one if text in other] for one, other in ((old, new), (new, old))]
    return {*old} ^ {*new} if shared[0] == shared[1] else {*old, *new}


def _candidates(files: Sequence[CFile]) -> list[_MovedPart]:
    """What stands in one file before and in another after, and nowhere else in the change set."""
    gone, came = _changed(files, is_before=True), _changed(files, is_before=False)
    moves = [_MovedPart(gone[key][0], came[key][0], gone[key][1], came[key][1]) for key in gone.keys() & came.keys()]
    return [
        move
        for move in moves
        if move.source != move.target and move.source.endswith(".c") and is_same_kind_of_place(move.source, move.target)
    ]


def _changed(files: Sequence[CFile], *, is_before: bool) -> dict[Lexemes, tuple[Lexemes, str]]:
    """The definitions that stand in one version alone, by their tokens without `static`: they and their one file."""
    places: defaultdict[Lexemes, list[tuple[Lexemes, str]]] = defaultdict(list)
    for file in files:
        own, other = (file.before, file.after) if is_before else (file.after, file.before)
        there = {part.lexemes for part in parts_of_file(other)}
        for part in parts_of_file(own):
            if part.is_definition and part.lexemes not in there and not is_prototype(part.lexemes):
                places[part.lexemes[part.lexemes[0] == "static" :]].append((part.lexemes, file.path))
    return {key: found[0] for key, found in places.items() if len(found) == 1}


def _may_be_seen(
    move: _MovedPart, old: Mapping[str, CContext], new: Mapping[str, CContext], is_nowhere_beside: Callable[[str], bool]
) -> bool:
    """Whether all who see a part now, or saw it before, see it as they did."""
    if not (move.is_opened or move.is_closed):
        return True
    # Nothing else was called as what the whole program sees now, and nobody else uses what it does not see any more.
    versions, home = (old, move.source) if move.is_opened else (new, move.target)
    is_free = all(move.names.isdisjoint(one.words) for path, one in versions.items() if path != home)
    used = move.names & new[move.source].words if move.is_opened else set()
    is_told = all(any(not one.is_hidden for one in new[move.source].seen(name)) for name in used)
    return is_free and is_told and all(map(is_nowhere_beside, move.names))


def _is_sound(
    move: _MovedPart, moves: Sequence[_MovedPart], old: Mapping[str, CContext], new: Mapping[str, CContext]
) -> bool:
    """Whether each name in a part is the same thing in both files, and the part stands under the same conditions."""
    beside = [one for one in moves if (one.source, one.target) == (move.source, move.target)]
    along = {name for one in beside for name in one.names}
    source, target = old[move.source], new[move.target]
    meanings = Meanings(source, target, along, lambda one, name: _own(one, name, beside))
    if not meanings.can_be_told or not _are_settings_equal(source, target):
        return False
    # What only its file sees has no use where it was, and was nothing else where it is.
    hidden = set() if move.is_opened else declared(move.came)[0]
    others = new[move.source].words if move.is_closed else new[move.source].words | old[move.target].words
    was, is_now = _part(source, move.gone), _part(target, move.came)
    return (
        bool(move.names)
        and hidden.isdisjoint(others)
        and not any(meanings.is_declared(name) for name in along if name in move.gone)
        and _PLACED.isdisjoint(move.gone)
        and was.conditions == is_now.conditions
        and meanings.are_same(was)
    )


def _part(one: CContext, lexemes: Lexemes) -> FilePart:
    return next(part for part in one.parts if part.lexemes == lexemes)


def _own(one: CContext, name: str, moves: Iterable[_MovedPart]) -> Iterator[Declaration]:
    """What a file declares itself, but for what moves, and what announces it."""
    moved = {seen_of(part) for move in moves if name in move.names for part in (move.gone, move.came)}
    found = (each for each in one.own.get(name, ()) if each.lexemes not in moved)
    return (each for each in found if not (moved and is_prototype(each.lexemes)))


def _are_settings_equal(old: CContext, new: CContext) -> bool:
    """Whether both files tell the headers of the system the same, and no macro stands above includes in one alone."""
    settings = [{part.lexemes for part in one.settings} for one in (old, new)]
    differing = settings[0] ^ settings[1]
    names = {name for part in differing for name in declared(part)[0]}
    has_both = differing.intersection(part.lexemes for part in old.parts).intersection(
        part.lexemes for part in new.parts
    )
    return not has_both and not any(map(is_for_systems, names))


def _may_shed(old: CContext, new: CContext, moves: Sequence[_MovedPart]) -> bool:
    """Whether the includes that only one version of a file has mean nothing to what stays in it."""
    came = {move.came for move in moves if move.target == new.path}
    stays = [part for part in new.parts if part.lexemes not in came and not part.included]
    along = {name for move in moves for name in move.names}
    meanings = Meanings(old, new, along, _types_and_macros)
    differing = {text for text, _ in old.includes ^ new.includes if is_foreign(text)}
    return all(map(is_standard, differing)) and (
        meanings.can_be_told
        and meanings.does_the_same
        and _are_settings_equal(old, new)
        and all(map(meanings.are_same, stays))
    )


def _types_and_macros(one: CContext, name: str) -> Iterator[Declaration]:
    """What a file declares itself that may go to one of its headers; the rest is compared token by token."""
    return (each for each in one.own.get(name, ()) if each.lexemes[0] in (DIRECTIVE, *_TYPES))


def _moved_parts(
    files: Sequence[CFile], moves: Sequence[_MovedPart], shedding: Collection[str]
) -> dict[str, MovedParts]:
    found: dict[str, MovedParts] = {}
    for file in files:
        texts = _other_includes(file) if file.path in shedding else set()
        prototypes = frozenset(_announcements(file, moves))
        reasons = tuple(sorted(_reasons(moves, file.path)))
        if reasons or texts or prototypes:
            found[file.path] = MovedParts(
                frozenset(move.gone for move in moves if move.source == file.path),
                frozenset(move.came for move in moves if move.target == file.path),
                frozenset(texts),
                prototypes,
                reasons or ((OTHER_INCLUDES,) if texts else ("announces what moved",)),
            )
    return found


def _announcements(file: CFile, moves: Sequence[_MovedPart]) -> Iterator[Lexemes]:
    """What says in a file that there is what moved, and no more."""
    macros = Macros(lambda _name: False, lambda name: not name.isupper())
    functions = {_without_macro(_plain(head_of(move.gone, macros))) for move in moves if is_function(move.gone)}
    variables = {_plain(_valueless(move.gone)) for move in moves if not is_function(move.gone)}
    for part in chain(*map(parts_of_file, (file.before, file.after))):
        lexemes, plain = part.lexemes, _plain(part.lexemes)
        if is_prototype(lexemes):
            head = _without_macro(_plain(head_of((*lexemes[:-1], "{"), macros)))
            yield from [lexemes] if head in functions else []
        elif lexemes[0] == "extern" and plain in variables:
            yield lexemes


def _without_macro(head: Lexemes) -> Lexemes:
    """`int sum(int)` for `API(int) sum(int)`."""
    start = parameters_start(head)
    return head if start == head.index("(") else (*head[2 : start - 2], *head[start - 1 :])


def _valueless(variable: Lexemes) -> Lexemes:
    return (*variable[: variable.index("=")], ";") if "=" in variable else variable


def _reasons(moves: Iterable[_MovedPart], path: str) -> Iterator[str]:
    for move in moves:
        names = ", ".join(sorted(move.names))
        if path == move.source:
            yield f"moved {names} to {move.target}"
        elif path == move.target:
            yield f"moved {names} from {move.source}"


def _plain(lexemes: Lexemes) -> Lexemes:
    """A declaration without `extern` or `static` before it."""
    return lexemes[lexemes[:1] in (("extern",), ("static",)) :]
