"""What a file of C sees: its own parts, and those of the headers that it includes, with what these declare.

    core.c   #include "list.h"          sees what both headers declare; `LIMIT` under the condition that `SMALL` is set
    list.h   #ifdef SMALL
             #include "limit.h"
             #endif

What stands between the lines that make a header be read once is seen in any case.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cache, cached_property
from itertools import combinations, pairwise
from posixpath import dirname

from msgspec import Struct
from msgspec.structs import replace

from intentls.core.mutation.moves.c_headers import HeaderPaths
from intentls.core.syntax.languages.c.declarations import (
    DIRECTIVE,
    FilePart,
    declared,
    included,
    macros_of,
    parts_of_file,
    words_of,
)
from intentls.core.syntax.languages.c.functions import KEYWORDS, is_function
from intentls.core.syntax.languages.c.spans import Lexemes, closing
from intentls.core.syntax.lexemes import lexemes_of_c

MAX_BYTES = 1 << 18  # of a header that is read
_TYPES = frozenset({"typedef", "struct", "union", "enum"})
_WORD = re.compile(r"[^\W\d]\w*")
_SETTINGS = re.compile(r"(?i)conf|version|settings|features|options|generated|build")
_BEGINS = frozenset({"struct", "union", "enum", "typedef", "static", "extern", "const", "inline"})
_OPAQUE = frozenset({"struct", "union"})


class Declaration(Struct, frozen=True):
    """What declares a name, as far as a user of it sees it, and the conditions under which a file sees that.

    `is_hidden`: it means something where it stands alone. `is_object`: each file that sees it has its own. `is_early`:
    all that comes before it comes before it in the other file, too.
    """

    lexemes: Lexemes
    conditions: frozenset[str]
    is_hidden: bool
    is_object: bool = False
    is_early: bool = False

    @property
    def may_replace_a_word(self) -> bool:
        """Whether it has a macro, and not just one that is called."""
        is_called = self.lexemes[:2] == (DIRECTIVE, "define") and self.lexemes[3:4] == ("(",)
        return DIRECTIVE in self.lexemes and not is_called

    def is_members_of(self, name: str) -> bool:
        """Whether it says what a `struct` or a `union` is made of: who does without it only hands on where one is."""
        return any(part[0] in _OPAQUE and part[1:] == (name, "{") for part in zip(*self._threes(), strict=False))

    def _threes(self) -> Iterator[Lexemes]:
        return (self.lexemes[start:] for start in range(3))


Declarations = Mapping[str, Collection[Declaration]]


class CHeaders:
    """The headers of a repository, before a change or after it; those of the change are `changed`."""

    def __init__(self, changed: Mapping[str, Lexemes], others: Mapping[str, bytes]) -> None:
        self._changed, self._others = changed, others
        self._paths = HeaderPaths({*changed, *others})
        self.lexemes = cache(self._lexemes)
        self.parts = cache(self._parts)
        self.declarations = cache(self._declarations)
        self.replaceable = cache(self._replaceable)
        self.macros = cache(self._macros)

    def reached(self, path: str, parts: Iterable[FilePart]) -> Mapping[str, frozenset[str]]:
        """What a file at `path` includes, and what that includes: paths, and texts of what is elsewhere.

        With the conditions under which it does so; none for what it includes in any case.
        """
        found: dict[str, frozenset[str]] = {}
        todo = [(path, part, frozenset[str]()) for part in parts if part.included]
        # What is included in any case comes first, so that no condition is noted for it.
        later: list[tuple[str, FilePart, frozenset[str]]] = []
        while todo or later:
            includer, part, outer = (todo or later).pop()
            conditions = outer | {*part.conditions}
            if conditions and todo:
                later.append((includer, part, outer))
                continue
            places = self._paths.places(includer, part.included)
            # Which of several it is may depend on where the file is that asks.
            for place in places if len(places) == 1 else [*places, f"{dirname(includer)} {part.included} ?"]:
                had = found.get(place)
                new = conditions if had is None else had | conditions if had else had
                if new != had:
                    found[place] = new
                    todo += [(place, inner, new) for inner in self.parts(place) if inner.included]
        return found

    def _lexemes(self, path: str) -> Lexemes | None:
        if path in self._changed:
            return self._changed[path]
        content = self._others.get(path)
        if content is None or len(content) > MAX_BYTES:
            return None
        return lexemes_of_c(content.decode("utf-8", "surrogateescape"))

    def _parts(self, path: str) -> tuple[FilePart, ...]:
        """The parts of a header; the condition that it is read once is none."""
        parts = parts_of_file(self.lexemes(path) or ())
        guards = {*_guards(parts)}
        return tuple(
            FilePart(part.lexemes, tuple(line for line in part.conditions if line not in guards)) for part in parts
        )

    def _macros(self, path: str) -> set[str]:
        """The macros of a header, as `name` or, if they are called, as `name(`."""
        lexemes = self.lexemes(path) or ()
        called = {
            f"{lexemes[index + 2]}("
            for index, token in enumerate(lexemes)
            if token == DIRECTIVE and lexemes[index + 1] == "define" and lexemes[index + 3] == "("
        }
        return {name for name in macros_of(lexemes) if f"{name}(" not in called} | called

    def _replaceable(self, path: str) -> set[str]:
        """The words of a header that a macro may stand for, as `macros` has them."""
        lexemes = self.lexemes(path) or ()
        called = {f"{word}(" for word, following in pairwise(lexemes) if following == "(" and _WORD.fullmatch(word)}
        return words_of(lexemes) | called

    def _declarations(self, path: str) -> Declarations | None:
        """What a header declares; None if that can't be told."""
        return None if self.lexemes(path) is None else declarations_of(self.parts(path))


def _guards(parts: Sequence[FilePart]) -> Iterator[str]:
    """The conditions that all of a header from there on stands under, so that it is read once."""
    code = [part for part in parts if part.lexemes[:2] != (DIRECTIVE, "endif")]
    for part, following in pairwise(parts):
        line = " ".join(part.lexemes[1:])
        is_asked = part.lexemes[:2] == (DIRECTIVE, "ifndef")
        is_first = part is parts[0]
        is_set = following.lexemes[:2] == (DIRECTIVE, "define") and following.lexemes[2:] == part.lexemes[2:]
        if is_asked and (is_first or is_set) and line in code[-1].conditions:
            yield line


def declarations_of(parts: Iterable[FilePart]) -> Declarations:
    """By name what declares it among the parts of a file."""
    found: defaultdict[str, list[Declaration]] = defaultdict(list)
    pieces = (FilePart(piece, part.conditions) for part in parts for piece in _pieces(part.lexemes))
    for part in pieces:
        if not part.included and not is_forward(part.lexemes):
            hidden, shared = declared(part.lexemes)
            seen, conditions = seen_of(part.lexemes), frozenset(part.conditions)
            for name in hidden - _tags_of_call(part.lexemes):
                found[name].append(Declaration(seen, conditions, True, _is_object(part.lexemes)))
            for name in shared - hidden:
                found[name].append(Declaration(seen, conditions, False))
    return found


def _pieces(part: Lexemes) -> Iterator[Lexemes]:
    """A part without the macros that are called before it, with no `;` between them; and these."""
    while _is_call(part) and closing(part, 1) + 1 < len(part) and part[closing(part, 1) + 1] in _BEGINS:
        end = closing(part, 1) + 1
        yield (*part[:end], ";")
        part = part[end:]
    yield part


def _is_call(part: Lexemes) -> bool:
    return part[1:2] == ("(",) and part[0] not in KEYWORDS and part[0] != DIRECTIVE


def _tags_of_call(part: Lexemes) -> set[str]:
    """The types that a file gives to a macro outside of functions."""
    is_called = _is_call(part) and DIRECTIVE not in part
    return {word for tag, word in pairwise(part) if tag in _TYPES} if is_called else set()


def is_forward(part: Lexemes) -> bool:
    """Whether it only says that there is a type: that is one whatever declares it."""
    return len(part) == 3 and part[0] in ("struct", "union")


class CContext:
    """A version of a file of C: its parts, and what it sees of headers."""

    def __init__(self, path: str, lexemes: Lexemes, headers: CHeaders) -> None:
        self.path, self.lexemes, self._headers = path, lexemes, headers
        self._reach = cache(self._find_reach)
        self.parts = parts_of_file(lexemes)

    @cached_property
    def words(self) -> set[str]:
        return words_of(self.lexemes)

    @cached_property
    def includes(self) -> frozenset[tuple[str, Lexemes]]:
        """What it includes, with the conditions there."""
        return frozenset((part.included, part.conditions) for part in self.parts if part.included)

    @cached_property
    def settings(self) -> list[FilePart]:
        """What may tell the headers what to be."""
        last = max((index for index, part in enumerate(self.parts) if part.included), default=0)
        return [part for part in self.parts[:last] if part.lexemes[:2] == (DIRECTIVE, "define")]

    @cached_property
    def reached(self) -> Mapping[str, frozenset[str]]:
        """The headers that it sees, as `CHeaders.reached` has them."""
        return self._headers.reached(self.path, self.parts)

    @cached_property
    def order(self) -> list[str]:
        """What it includes of the project, in order."""
        return [part.included for part in self.parts if part.included.endswith('"')]

    def unsettled_in(self, other: CContext) -> set[str]:
        """The names that a header may see as another's macros in one of two files alone, as their order there differs.

        That is so for no header that includes what it needs.
        """
        orders = [[text for text in one.order if text in two.order] for one, two in ((self, other), (other, self))]
        if orders[0] == orders[1]:
            return set()
        places = [{text: index for index, text in enumerate(order)} for order in orders]
        swapped = {
            (one, two)
            for one, two in combinations(places[0], 2)
            if (places[0][one] < places[0][two]) != (places[1][one] < places[1][two])
        }
        return {name for one, two in swapped for name in self._shared(one, two) | self._shared(two, one)}

    def _shared(self, one: str, other: str) -> set[str]:
        """The macros of what only one include reaches that may stand for a word in what only another one reaches."""
        first, second = self._reach(one), self._reach(other)
        macros = {name for place in first - second for name in self._headers.macros(place)}
        words = {name for place in second - first for name in self._headers.replaceable(place)}
        return {name.rstrip("(") for name in words & macros}

    def _find_reach(self, text: str) -> set[str]:
        return {*self._headers.reached(self.path, [part for part in self.parts if part.included == text])}

    @cached_property
    def is_plain(self) -> bool:
        """Whether it is compiled as other files are, and includes nothing in the middle of a function."""
        pragmas = any(part.lexemes[:2] == (DIRECTIVE, "pragma") for part in self.parts)
        return not pragmas and len(list(included(self.lexemes))) == sum(1 for part in self.parts if part.included)

    @cached_property
    def before(self) -> Mapping[str, set[str]]:
        """By each header that is not the project's, what it includes of the project before that."""
        foreign = {part.included for part in self.parts if is_foreign(part.included)}
        texts = [part.included for part in self.parts if part.included]
        return {text: {*texts[: texts.index(text)]}.intersection(self.order) for text in foreign & {*texts}}

    @cached_property
    def late(self) -> set[str]:
        """What it includes after all headers of the project alone: that changes none of them."""
        last = max((index for index, part in enumerate(self.parts) if part.included.endswith('"')), default=-1)
        early = {part.included for part in self.parts[: last + 1]}
        return {part.included for part in self.parts[last + 1 :] if part.included} - early

    @cached_property
    def own(self) -> Declarations:
        """What it declares itself."""
        return declarations_of(self.parts)

    def seen(self, name: str, early: Collection[str] = ()) -> Iterator[Declaration]:
        """What declares a name in the headers that it sees, with all conditions; some of these headers are `early`."""
        for place, conditions in self._told.items():
            for one in (self._headers.declarations(place) or {}).get(name, ()):
                # Who does without what is no macro does not compile.
                more = conditions if macros_of(one.lexemes) else frozenset()
                yield replace(one, conditions=one.conditions | more, is_early=place in early)

    def reached_by(self, count: int) -> set[str]:
        """What the first of its includes reach."""
        including = [part for part in self.parts if part.included][:count]
        return {*self._headers.reached(self.path, including)}

    def parts_of(self, place: str) -> Sequence[FilePart]:
        """The parts of a header."""
        return self._headers.parts(place)

    def tells(self, place: str) -> bool:
        """Whether what a header declares can be told."""
        return self._headers.declarations(place) is not None

    @cached_property
    def _told(self) -> Mapping[str, frozenset[str]]:
        return {place: conditions for place, conditions in self.reached.items() if self.tells(place)}


def seen_of(part: Lexemes) -> Lexemes:
    """What of it a user of its names sees: not the body of a function of the whole program, or a variable's value."""
    if declared(part)[0]:
        return part
    if is_function(part):
        return part[: part.index("{")]
    return part[: part.index("=")] if "=" in part and DIRECTIVE not in part else part


def _is_object(part: Lexemes) -> bool:
    """Whether it is a variable, or has one: each file that sees it has its own."""
    if is_function(part):
        return "static" in part[part.index("{") :]
    return part[0] != DIRECTIVE and part[0] not in _TYPES


def is_foreign(place: str) -> bool:
    """Whether a header is the system's, another project's or the build's, and a file can't do without its names."""
    is_named_by_build = _WORD.fullmatch(place) is not None
    return (
        place.endswith(">")
        or is_named_by_build
        or (place.endswith('"') and "/" in place and not _SETTINGS.search(place))
    )
