"""What is known of a working tree's files at one moment, and of the change of one.

Unknown is not absent: a file of which it is not known whether it was there is neither new nor gone.
"""

from __future__ import annotations

import stat
from collections.abc import Collection, Mapping
from enum import Enum
from typing import Any, Final

from msgspec import Struct, field
from msgspec.structs import replace

from intentls.store.fs.primitives import RACY_ANY_DISK_NS
from intentls.store.git.repository import KnownObjects
from intentls.store.layout import IGNORE_NAME, INTENTS_FOLDER_NAME, INTENTS_NAME, ORCHESTRATION

IGNORE_FILE: Final = ".gitignore"
_DECLARED = frozenset({INTENTS_NAME, "policy.yaml", IGNORE_NAME})

Inode = tuple[int, int, int, int, int]
"""Mode, size, mtime_ns, inode number and ctime_ns of what stands at a path, links not followed."""

NOTHING: Final[Inode] = (0, 0, 0, 0, 0)
"""Nothing stands there."""


class Presence(Enum):
    """Whether there is a file."""

    ABSENT = "absent"
    PRESENT = "present"
    UNKNOWN = "unknown"


class TreeContent(Struct, frozen=True):
    """A file at one moment. `data` None of a present one: what it holds is not known.

    Not `exact`: the disk may have held the same in another form, such as with other line ends.
    """

    presence: Presence
    data: bytes | None = None
    exact: bool = True

    @property
    def is_known(self) -> bool:
        """Whether it is known what was there, down to the content."""
        return self.presence is Presence.ABSENT or self.data is not None


ABSENT: Final = TreeContent(Presence.ABSENT)
UNKNOWN: Final = TreeContent(Presence.UNKNOWN)


class TreeChange(Struct, frozen=True):
    """A file that changed. `mode`: the permission bits that it had before, where they are known.

    `git_mode` is git's name of what stands there now: `100644`, `100755` or `120000`, "" for nothing. `may_be_gits`:
    git did it, by its own log, with a commit of which it can't be told whose it is.
    """

    path: str
    before: TreeContent
    after: TreeContent
    mode: int | None = None
    is_link: bool = False
    git_mode: str = ""
    may_be_gits: bool = False

    @property
    def is_unknown(self) -> bool:
        """Whether it is not even known if the file came, went or stayed."""
        return Presence.UNKNOWN in (self.before.presence, self.after.presence)

    @property
    def may_be_undone(self) -> bool:
        """Whether both sides are known byte by byte, and git did not do it.

        A link is left alone: it may lead anywhere.
        """
        sides = (self.before, self.after)
        return not self.is_link and not self.may_be_gits and all(side.is_known and side.exact for side in sides)


class TreeChanges(Struct, frozen=True):
    """What changed, by path. `git_failed`: git knew the tree before and can't tell any more, so there may be more.

    `git_is_back`: it could not tell before, and can now, so that what it did itself since is not known. `ignored`: what
    git ignores now and did not before, directories with a final slash.
    """

    files: tuple[TreeChange, ...]
    git_failed: bool = False
    git_is_back: bool = False
    ignored: tuple[str, ...] = ()


class PathState(Struct, frozen=True):
    """What stood at a path; `digest` where its content is kept."""

    inode: Inode = NOTHING
    digest: str | None = None

    @property
    def exists(self) -> bool:
        """Whether anything stood there."""
        return self.inode != NOTHING


class TreeState(Struct, frozen=True):
    """The working tree at one moment. `files` are those that are not as in the index; outside git, all.

    `ignored` are the paths that git ignored, directories with a final slash; `conversion` is the hash of what decides
    how git converts contents, but for `.gitattributes`. `is_truncated`: there are more files than were looked at.
    `roots` and `repositories` (these with a final slash) are the directories inside that are roots and repositories of
    their own, `top` is the top of the work tree, which is known even where git could not be asked. `staged` has the
    index's object (None: none) of each path that was not as in `revision`; `known` is what the repository's names led
    to. `rules` has, by directory from the top ("" is the top), the ignore rules that no comparison of the tree shows.
    `note` is the caller's.
    """

    at: str
    at_ns: int
    in_git: bool
    revision: str | None
    files: Mapping[str, PathState]
    ignored: Collection[str] = ()
    conversion: str = ""
    is_truncated: bool = False
    roots: Collection[str] = ()
    repositories: Collection[str] = ()
    top: str | None = None
    staged: Mapping[str, str | None] = field(default_factory=dict)
    known: KnownObjects = field(default_factory=KnownObjects)
    rules: Mapping[str, str] = field(default_factory=dict)
    note: str = ""

    def governs(self, path: str) -> bool:
        """Whether the path belonged to this root, and not to one inside it."""
        return not any(path.startswith(f"{root}/") for root in self.roots)

    def is_ours(self, path: str) -> bool:
        """What is written by intentls itself, in this root or one inside it: all in there but what people write.

        An `.orchestration` directory that is no root's is a directory like any other.
        """
        parts = path.split("/")
        if ORCHESTRATION not in parts:
            return False
        place = parts.index(ORCHESTRATION)
        owner, inner = "/".join(parts[:place]), parts[place + 1 :]
        is_declared = inner[:-1] == [INTENTS_FOLDER_NAME] or (len(inner) == 1 and inner[0] in _DECLARED)
        return not is_declared and (not owner or owner in self.roots)

    def ignores(self, path: str) -> bool:
        """Whether git ignored `path`, or a directory above it.

        Example: `ignored` has `build/`; then `build/out/x` was ignored, and `builder` was not.
        """
        parts = path.split("/")
        above = ("/".join(parts[:count]) + "/" for count in range(1, len(parts)))
        return path in self.ignored or any(directory in self.ignored for directory in above)

    def is_older(self, inode: Inode) -> bool:
        """Whether what stands there was surely not written since. The time of the last change can't be set back."""
        return max(inode[2], inode[4]) + RACY_ANY_DISK_NS < self.at_ns


def git_mode(inode: Inode) -> str:
    """Git's name of what stands there; "" for what git does not keep."""
    if stat.S_ISLNK(inode[0]):
        return "120000"
    return ("100755" if inode[0] & 0o100 else "100644") if stat.S_ISREG(inode[0]) else ""


def is_file(inode: Inode) -> bool:
    """Whether a regular file or a link stands there."""
    return stat.S_ISREG(inode[0]) or stat.S_ISLNK(inode[0])


def decode_tree_state(data: dict[str, Any]) -> TreeState:
    """A state from the JSON of its `asdict`. Raises TypeError, KeyError and AttributeError for any other."""
    files = {path: PathState(_inode(file["inode"]), file["digest"]) for path, file in data["files"].items()}
    known = KnownObjects(**data["known"])
    return replace(
        TreeState(**data),
        files=files,
        ignored=frozenset(data["ignored"]),
        roots=frozenset(data["roots"]),
        repositories=frozenset(data["repositories"]),
        known=replace(known, tips=tuple(known.tips), stashes=tuple(known.stashes)),
    )


def _inode(values: list[int]) -> Inode:
    mode, size, mtime_ns, number, ctime_ns = values
    return (mode, size, mtime_ns, number, ctime_ns)
