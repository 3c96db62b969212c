"""What a name means in a file of C: what that file and the headers that it includes declare under this name.

    list.h   #define FIRST(a) ((a)->first)         core.c   #include "list.h"
             struct list { item *first; };                  #include "item.h"
    item.h   typedef struct item item;             loop.c   #include "item.h"
                                                            #include "list.h"

`FIRST` is the same in both files: both see that one directive, and each name in it is the same in both again. Were
`item` another type in one of them, `struct list` would be another, and so whatever is made of it. A name that none of
these headers declares is a function or a variable of the whole program, or the system's: without it neither would
compile. A header of the system that only one of two files includes may still answer what a header of both asks for, as
in `#ifndef PATH_MAX`; so no name that depends on such a condition counts as the same.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator
from functools import cache
from itertools import chain, takewhile

from intentls.core.mutation.moves.c_contexts import CContext, Declaration, is_foreign, is_forward
from intentls.core.syntax.languages.adapter import kinds
from intentls.core.syntax.languages.c.declarations import DIRECTIVE, FilePart, conditions_of, declared, macros_of
from intentls.core.syntax.languages.c.forms.qualifiers import is_prototype
from intentls.core.syntax.languages.c.functions import KEYWORDS, is_function
from intentls.core.syntax.languages.c.spans import Lexemes, parameters_start

_WORD = re.compile(r"[^\W\d]\w*")
# What a condition may ask for wherever it stands: the compiler gives it, or the whole build.
_GLOBAL = re.compile(r"_\w*|NDEBUG|HAVE_\w+|WITH_\w+|defined|if|ifdef|ifndef|elif|else|endif|of")
_ODD = frozenset({"<tgmath.h>", "<iso646.h>", "<altivec.h>"})
_TYPES = frozenset({"typedef", "struct", "union", "enum"})
# What tells where it stands.
_PLACED = frozenset({"__FILE__", "__LINE__", "__COUNTER__", "__BASE_FILE__", "__INCLUDE_LEVEL__"})
_PLAIN = frozenset({"char", "double", "float", "int", "long", "short", "signed", "unsigned"})


Node = tuple[str, str]
"""A word, and where it stands: where it is used, as a member of something, in a condition, or in one that is early."""

_USED, _MEMBER, _ASKED, _ASKED_EARLY = "used", "member", "asked", "asked early"


class Meanings:
    """Which names are the same in a version of one file and in a version of another, or of the same file.

    `along` are names that go from one to the other. `own(one, name)`: what counts of that which a file declares itself.
    """

    def __init__(
        self,
        old: CContext,
        new: CContext,
        along: Collection[str],
        own: Callable[[CContext, str], Iterable[Declaration]],
    ) -> None:
        self._old, self._new, self._along, self._own = old, new, along, own
        self._sound: set[Node] = set()
        self._needs = cache(self._find_needs)
        self._unsettled = old.unsettled_in(new)
        differing = {
            place for place in {*old.reached, *new.reached} if old.reached.get(place) != new.reached.get(place)
        }
        shared = {*old.order}.intersection(new.order)
        swapped = {
            text for text in old.before.keys() & new.before.keys() if (old.before[text] ^ new.before[text]) & shared
        }
        self._systems = {place for place in differing if is_foreign(place)} | swapped
        self._are_systems_late = all(
            text in one.late for text in self._systems for one in (old, new) if text in one.reached
        )
        pairs = zip(*([part for part in one.parts if part.included] for one in (old, new)), strict=False)
        alike = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))
        self._early = old.reached_by(alike) & new.reached_by(alike)
        self.can_be_told = (
            old.is_plain
            and new.is_plain
            and _ODD.isdisjoint(self._systems)
            and all(
                one.tells(place) for one in (old, new) for place in differing - self._systems if place in one.reached
            )
            and not any(map(_is_pragma, self._parts(differing, old) | self._parts(differing, new)))
        )
        self.does_the_same = self._are_effects_equal(differing)

    def _parts(self, places: Iterable[str], one: CContext) -> set[Lexemes]:
        return {part.lexemes for place in places if place in one.reached for part in one.parts_of(place)}

    def _are_effects_equal(self, differing: Collection[str]) -> bool:
        """Whether the headers that differ define nothing, or the same, that is not for the file alone."""
        old, new = (
            {part for part in self._parts(differing, one) if _is_effect(part)} for one in (self._old, self._new)
        )
        return old == new and not any(_PLACED.intersection(part) for part in old)

    def are_same(self, part: FilePart) -> bool:
        """Whether each name in a part of the file itself is, and the conditions that it is under ask for what is."""
        lines = chain(part.conditions, _conditions_in(part.lexemes))
        asked = {word for word in _words(lines) if not _GLOBAL.fullmatch(word)}
        is_told = all(map(self._is_told, asked))
        return is_told and self._are_sound([*_spelled(part.lexemes), *((word, _ASKED) for word in asked)])

    def is_declared(self, name: str) -> bool:
        """Whether a header that one of the files sees, or such a file itself, gives a name a meaning there alone."""
        return any(one.is_hidden for each in (self._old, self._new) for one in self._meaning(each, name, _USED))

    def _is_told(self, word: str) -> bool:
        """Whether a condition below all includes is answered by what the project declares, or as it was before."""
        both = [one for each in (self._old, self._new) for one in self._meaning(each, word, _USED)]
        is_of_project = bool(both) and all(word not in _words(one.conditions) for one in both)
        return is_of_project or not may_be_of_a_system(word) or (self._old.path == self._new.path and not self._systems)

    def _are_sound(self, todo: list[Node]) -> bool:
        """Whether these are the same in both, and all that they are made of."""
        seen: set[Node] = set()
        while todo:
            node = todo.pop()
            if node in seen or node in self._sound or node[0] in self._along:
                continue
            seen.add(node)
            needs = self._needs(node)
            if needs is None:
                return False
            todo += needs
        self._sound |= seen
        return True

    def _find_needs(self, node: Node) -> Collection[Node] | None:
        """What else has to be the same for a node to be; None if it is not, whatever that is."""
        word, kind = node
        if kind in (_ASKED, _ASKED_EARLY) and _GLOBAL.fullmatch(word):
            return ()
        if word in self._unsettled:
            return None
        old, new = (self._meaning(one, word, kind) for one in (self._old, self._new))
        if any(one.is_members_of(word) for one in old) != any(one.is_members_of(word) for one in new):
            # Who is not told what a type is made of only hands on where one is.
            old, new = ({one for one in each if not one.is_members_of(word)} for each in (old, new))
        both = old | new
        is_hidden = any(one.is_hidden for one in both)
        is_apart = self._old.path != self._new.path
        texts = {one.lexemes for one in both if one.is_hidden}
        # Who does without what there is one of, and is no macro, does not compile.
        is_certain = len(texts) == 1 and bool(old and new) and not any(map(macros_of, texts))
        hidden = [
            {(one.lexemes, () if is_certain else one.conditions) for one in each if one.is_hidden}
            for each in (old, new)
        ]
        if hidden[0] != hidden[1] or (is_apart and any(one.is_object for one in old if one.is_hidden)):
            return None
        asked = {node for one in both for node in self._asked_by(one, is_certain=is_certain)} if is_hidden else set()
        is_of_project = bool(both) and not any(name == word for name, _ in asked)
        if kind == _ASKED and not (self._are_systems_late or is_of_project or not may_be_of_a_system(word)):
            return None
        return {*asked, *(node for one in both for node in _spelled(one.lexemes))}

    def _asked_by(self, one: Declaration, *, is_certain: bool) -> Iterator[Node]:
        """The words of the conditions that it is under, and in it."""
        lines = chain(() if is_certain else one.conditions, _conditions_in(one.lexemes))
        return ((word, _ASKED_EARLY if one.is_early else _ASKED) for word in _words(lines))

    def _meaning(self, one: CContext, word: str, kind: str) -> set[Declaration]:
        found = {*self._own(one, word), *one.seen(word, self._early)}
        return found if kind != _MEMBER else {each for each in found if each.may_replace_a_word}


# What headers of systems ask for, or define unless it is there.
_OF_SYSTEMS = kinds(
    "NDEBUG FD_SETSIZE MIN MAX TRUE FALSE NULL bool true false BUFSIZ PATH_MAX NAME_MAX OPEN_MAX IOV_MAX HOST_NAME_MAX"
    " MAXPATHLEN UNICODE STRICT NOMINMAX WIN32_LEAN_AND_MEAN WINVER VC_EXTRALEAN INLINE restrict inline offsetof"
    " container_of ARRAY_SIZE M_PI EWOULDBLOCK EAGAIN SOCKET INVALID_SOCKET SSIZE_MAX SIZE_MAX ssize_t alloca"
)


def is_for_systems(macro: str) -> bool:
    """Whether a header of a system may ask for a macro of this name."""
    return macro.startswith("_") or macro in _OF_SYSTEMS


# Macros of C and POSIX, and what they keep for themselves (POSIX.1-2017, 2.2.2); windows of consoles and networks.
_SYSTEM_NAME = re.compile(
    r"_.*|[^_]*|.*_(?:MAX|MIN|BIT|DIG|EXP|t)|(?:AF|AI|AIO|ARG|ATEXIT|BC|BUS|CHAR|CHILD|CLD|CLOCK|CMSG|COLL|DBL|DT|EAI|ECHO|EPOLL"
    r"|EXIT|EXPR|F|FD|FE|FILE|FLT|FNM|FP|FPE|GLOB|HOST|HUGE|IF|IFF|ILL|IN|IN6|INADDR|INET6?|INT\w*|IOV|IP|IPC|IPPROTO|IPV6"
    r"|ITIMER|L|LC|LDBL|LINE|LINK|LIO|LLONG|LOCK|LOG|LOGIN|LONG|M|MADV|MAP|MATH|MB|MCAST|MCL|MS|MSG|NAME|NGROUPS|NI|NL|O"
    r"|OPEN|P|PAGE|PATH|PF|PIPE|POLL\w*|POSIX|PRI\w*|PRIO|PROT|PTHREAD|PTRDIFF|R|RAND|RE|REG|RLIM|RLIMIT|RTLD|RUSAGE|S"
    r"|SA|SCHAR|SCHED|SCM|SCN\w*|SEEK|SEGV|SEM|SHM|SHRT|SHUT|SI|SIG\w*|SIZE|SO|SOCK|SOL|SPAWN|SS|SSIZE|ST|SV|SYS|SYMLINK"
    r"|SYMLOOP|TC\w*|TCP|TH|TIMER|TMP|TRAP|TTY|TZNAME|UCHAR|UDP|UINT\w*|ULLONG|ULONG|USER|USHRT|UTIME|W|WCHAR|WINT|X"
    r"|WIN\w*|MSC|NT)_.*"
)


def may_be_of_a_system(macro: str) -> bool:
    """Whether a header of a system may define a macro of this name, as none does that says what it is of."""
    return _SYSTEM_NAME.fullmatch(macro) is not None


def _spelled(part: Lexemes) -> Iterator[Node]:
    """The words of a part. What names a member or a parameter can only be changed by a macro."""
    parameters = {*_parameters(part)}
    members = {*_members(part)}
    last = ""
    for index, token in enumerate(part):
        if _WORD.fullmatch(token) and token not in KEYWORDS:
            is_own = last in (".", "->") or index in members or (token in parameters and last not in _TYPES)
            yield token, _MEMBER if is_own and part[index + 1 : index + 2] != ("(",) else _USED
        last = token


def _members(part: Lexemes) -> Iterator[int]:
    """Where the members of a type stand that declares some."""
    if part[0] not in _TYPES or "enum" in part or is_function(part):
        return
    depth = braces = 0
    for index, token in enumerate(part[:-1]):
        depth += (token in ("(", "[")) - (token in (")", "]"))
        braces += (token == "{") - (token == "}")
        last, following = part[index - 1], part[index + 1]
        is_word = _WORD.fullmatch(token) is not None and token not in KEYWORDS and last not in _TYPES
        is_last = following in (";", ",", "[", ":", ")")
        is_after_type = (
            last == "*" or (last == "," and depth == 0) or last in _PLAIN or _WORD.fullmatch(last) is not None
        )
        if braces and is_word and is_last and is_after_type:
            yield index


def _parameters(part: Lexemes) -> Iterator[str]:
    """The names that a function or a prototype gives to what it is given."""
    is_body = is_function(part)
    if "(" not in part or not (is_body or is_prototype(part)):
        return
    head = part[: part.index("{")] if is_body else part
    start = parameters_start(head)
    for last, token, following in zip(head[start:], head[start + 1 :], head[start + 2 :], strict=False):
        is_named = following in (",", ")", "[") and _WORD.fullmatch(token) is not None and token not in KEYWORDS
        if is_named and (last == "*" or last in _PLAIN or (_WORD.fullmatch(last) and last not in KEYWORDS)):
            yield token


def _conditions_in(part: Lexemes) -> Iterator[str]:
    return (line for line in conditions_of(part[1:]) if line.startswith(("if", "elif")))


def _words(lines: Iterable[str]) -> Iterator[str]:
    """The words of conditions."""
    return (word for line in lines for word in _WORD.findall(line))


def _is_pragma(part: Lexemes) -> bool:
    return part[:2] == (DIRECTIVE, "pragma") and part[2:] != ("once", "\n")


def _is_effect(part: Lexemes) -> bool:
    """Whether it may be more than a declaration, a type, a macro, or what only its file sees."""
    if part[0] in (DIRECTIVE, "static", "extern", "typedef") or is_forward(part) or is_prototype(part):
        return False
    hidden, shared = declared(part)
    start = parameters_start(part)
    if start > 0 and part[start - 1] in shared and "{" not in part and "=" not in part:
        return False
    return bool(shared) or (bool(hidden) and not is_function(part) and part[0] not in _TYPES)
