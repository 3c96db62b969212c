"""Files of C that moved, and the includes that follow them.

    include/uv-errno.h -> include/uv/errno.h        #include "uv-errno.h"      both include the same file:
                                                    #include "uv/errno.h"      `include/uv/errno.h` today

An include names the file beside the one that has it, or one whose path ends so. It follows where there is one such
file before and one after, and no other file asks for the old place.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from posixpath import basename, dirname, join, normpath

from msgspec import Struct, field

from intentls.core.syntax.languages.c.declarations import DIRECTIVE, included
from intentls.core.syntax.languages.c.spans import Lexemes

# A file for one system, which others do without.
_SYSTEM = re.compile(r"(?i)linux|darwin|win|mac|bsd|sun|solaris|aix|posix|unix|android|cygwin|os390|ibmi|haiku|qnx")
_STANDARD = re.compile(
    r"(assert|complex|ctype|errno|fenv|float|inttypes|iso646|limits|locale|math|setjmp|signal|stdalign|stdarg|stdatomic"
    r"|stdbool|stddef|stdint|stdio|stdlib|string|strings|tgmath|threads|time|uchar|unistd|wchar|wctype|fcntl|poll|search"
    r"|regex|glob|endian|sched|semaphore|syslog|termios|utime|ftw|pwd|grp|dirent|netdb|dlfcn|pthread)\.h"
)
_POSIX = re.compile(
    r"sys/(ioctl|ipc|mman|msg|param|resource|select|sem|shm|socket|stat|statvfs|time|times|types|uio|un|utsname|wait)\.h"
    r"|(arpa/inet|netinet/in|netinet/tcp|net/if)\.h"
)
_PLACED = frozenset({"__FILE__", "__BASE_FILE__", "__INCLUDE_LEVEL__"})
_APART = re.compile(r"(?i)test|example|bench|fuzz|third|vendor|contrib")  # of another program


def is_standard(text: str) -> bool:
    """Whether an include names a header of C or of POSIX, which keep to names of their own."""
    return text.startswith("<") and (_STANDARD.fullmatch(text[1:-1]) or _POSIX.fullmatch(text[1:-1])) is not None


class HeaderPaths:
    """Which files an include may name."""

    def __init__(self, paths: Iterable[str]) -> None:
        self._by_name: defaultdict[str, list[str]] = defaultdict(list)
        for path in paths:
            self._by_name[basename(path)].append(path)

    def places(self, includer: str, text: str) -> list[str]:
        """Their paths; the include's text, if there is none."""
        name = text[1:-1]
        beside = normpath(join(dirname(includer), name))
        near = self._by_name.get(basename(name), [])
        if text.startswith('"') and beside in near:
            return [beside]
        end = f"/{name.replace('../', '')}"
        return [path for path in near if f"/{path}".endswith(end)] or [text]

    def place(self, includer: str, text: str) -> str | None:
        """The one file of the repository that an include names; None if that is not certain."""
        places = self.places(includer, text)
        is_beside = text.startswith('"') and places == [normpath(join(dirname(includer), text[1:-1]))]
        is_own = is_beside or (("/" in text or text.startswith('"')) and not _STANDARD.fullmatch(text[1:-1]))
        return places[0] if is_own and places != [text] and len(places) == 1 else None


class HeaderMoves(Struct, frozen=True):
    """`files` that moved, from path to path, and the paths that there were `before` and are `after` the change.

    Who includes one of them may follow it. `settled` are those that no file asks for in their old place.
    """

    files: Mapping[str, str] = field(default_factory=dict)
    settled: frozenset[str] = frozenset()
    before: HeaderPaths = field(default_factory=lambda: HeaderPaths(()))
    after: HeaderPaths = field(default_factory=lambda: HeaderPaths(()))

    def follow(self, old: Lexemes, new: Lexemes, paths: tuple[str, str]) -> tuple[Lexemes, Lexemes, tuple[str, ...]]:
        """The tokens of a file at `paths`, before and after, that name what moved by its new path; and why."""
        if not self.files:
            return old, new, ()
        is_moved = paths[0] in self.files
        targets = set(self.files.values())
        named = {self.before.place(paths[0], text) for text in included(old)}
        followed = {new_path for old_path, new_path in self.files.items() if old_path in named}
        one = self._named(old, lambda text: self._home(self.before.place(paths[0], text), is_moved=is_moved))
        other = self._named(
            new, lambda text: path if (path := self.after.place(paths[1], text)) in targets or is_moved else None
        )
        return one, other, tuple(f"follows {path}" for path in sorted(followed))

    def _home(self, path: str | None, *, is_moved: bool) -> str | None:
        return self.files.get(path or "", path if is_moved else None)

    def _named(self, lexemes: Lexemes, home: Callable[[str], str | None]) -> Lexemes:
        kept = list(lexemes)
        for index, token in enumerate(lexemes):
            if lexemes[index - 2 : index] == (DIRECTIVE, "include"):
                path = home(token)
                kept[index] = token if path is None else f"\0{path}"
        return tuple(kept)


def header_moves(
    renamed: Mapping[str, tuple[str, Lexemes, Lexemes]],
    changed: Mapping[str, Lexemes],
    gone: Iterable[str],
    headers: Iterable[str],
    asking: Callable[[str], Mapping[str, Lexemes | None] | None],
) -> HeaderMoves:
    """The files of C that moved.

    `renamed`: by the old path the new one, and the tokens before and after. `changed`: by path the tokens of the files
    of the change as they are. `gone`: the paths that were. `headers`: the other files. `asking(path)`: the tokens of
    each other file that has a path's name, none for what is no C; None if that can't be told.
    """
    after = HeaderPaths({*changed, *headers})
    before = HeaderPaths({*changed, *headers, *gone} - {new for new, _, _ in renamed.values()})
    files = {old: new for old, (new, _, lexemes) in renamed.items() if _PLACED.isdisjoint(lexemes)}
    settled: set[str] = set()
    for old, new in files.items():
        _, had, has = renamed[old]
        kept = set(included(had)) & set(included(has))
        homes = {text: before.place(old, text) for text in kept}
        is_same = all(files.get(home or "", home) == after.place(new, text) for text, home in homes.items())
        others = asking(old) if is_same and is_same_kind_of_place(old, new) else None
        if others is None or any(tokens is None for tokens in others.values()):
            continue
        asked = [after.place(path, text) for path, tokens in others.items() for text in _namesakes(tokens or (), old)]
        asked_here = [after.place(path, text) for path, tokens in changed.items() for text in _namesakes(tokens, old)]
        if None not in (*asked, *asked_here) and new not in asked:
            settled.add(old)
    return HeaderMoves(files, frozenset(settled), before, after)


def is_same_kind_of_place(old: str, new: str) -> bool:
    """Whether no part of the path says that it is for another system or another program than before."""
    marks = [{mark for pattern in (_SYSTEM, _APART) for mark in pattern.findall(path.lower())} for path in (old, new)]
    return old[-2:] == new[-2:] and marks[0] == marks[1]


def _namesakes(tokens: Lexemes, path: str) -> Iterator[str]:
    """The includes of a file of that name."""
    return (text for text in included(tokens) if basename(text[1:-1]) == basename(path) and not text.startswith("<"))
