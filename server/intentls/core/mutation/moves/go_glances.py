"""What files of Go declare, as a glance at their lines tells: whether a definition may have gone to another package.

shop/a.go before: func sum(..)       money/b.go after: func Sum(..)
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from posixpath import dirname

from intentls.core.mutation.file_versions import FileVersions

_SUFFIX = ".go"
_NAMES = r"(\w+(?:[ \t]*,[ \t]*\w+)*)"
_DECLARED = re.compile(rf"^(?:func(?:[ \t]*\([^)\n]*\))?|type|var|const)[ \t]+{_NAMES}".encode(), re.MULTILINE)
_GROUP = re.compile(rb"^(?:type|var|const)[ \t]*\(((?:\n|[^)\n][^\n]*\n)*)", re.MULTILINE)
_IN_GROUP = re.compile(rf"^[ \t]*{_NAMES}".encode(), re.MULTILINE)
_OTHER_NAME = re.compile(rb"^[ \t]*(?:(?:type|const)[ \t]+)?(\w+)[ \t]*=[ \t]*\w+\.\w+[ \t]*(?://.*)?$", re.MULTILINE)


def may_be_between_packages(edits: Sequence[FileVersions]) -> bool:
    """Whether one directory lost a definition that another one got, as a glance tells.

    What was another name for one of another package counts for none.
    """
    had, has, aliased = (defaultdict[str, set[str]](set) for _ in range(3))
    for edit in edits:
        for declared, path, text in ((had, edit.old_path or edit.path, edit.before), (has, edit.path, edit.after)):
            if path.endswith(_SUFFIX) and text is not None:
                declared[dirname(path)] |= set(map(folded, declared_names(text)))
        if edit.path.endswith(_SUFFIX) and edit.before is not None:
            aliased[dirname(edit.old_path or edit.path)] |= {
                folded(name.decode("utf-8", "replace")) for name in _OTHER_NAME.findall(edit.before)
            }
    gone = {(name, place) for place, names in had.items() for name in names - has[place]}
    came = {(name, place) for place, names in has.items() for name in names - (had[place] - aliased[place])}
    return any(name in {other for other, elsewhere in came if elsewhere != place} for name, place in gone)


def declared_names(text: bytes) -> Iterator[str]:
    """The names that a file declares at its top, as a glance tells: it may take other words for such ones."""
    groups = (line for group in _GROUP.findall(text) for line in _IN_GROUP.findall(group))
    for names in (*_DECLARED.findall(text), *groups):
        yield from names.decode("utf-8", "replace").replace(" ", "").replace("\t", "").split(",")


def folded(name: str) -> str:
    """A name, whether others see it or not: so it may change where a definition goes to another package."""
    return name[:1].lower() + name[1:]
