"""From what a caller wrote to the one real path it means: relative paths, URIs, `..` and symlinks.

Everything that decides about a path decides about the result of `real_path`, and everything that writes
goes through `rooted_files`, which refuses to follow a link: what is checked is what is written.

File systems that ignore case (macOS, Windows, some Linux directories): an existing name is spelled as the disk
spells it, so `SRC/A.py` can't slip past a rule for `src/a.py`. Limits: a name that does not exist yet keeps
the spelling it was given, and so does one in a directory that can be searched but not listed. Hard links and
bind mounts look like ordinary files and directories: nothing tells where else they lead.
"""

from __future__ import annotations

import errno
import os
import re
import stat
import time
import unicodedata
from collections.abc import Iterator
from pathlib import Path, PurePath

from intentls.core.errors import InvalidPath, StoreError
from intentls.core.patterns.protected_paths import check_name, check_windows_name
from intentls.late_pattern import late_pattern
from intentls.store.fs.intent_names import may_hold_intents
from intentls.store.fs.primitives import RACY_ANY_DISK_NS
from intentls.store.layout import INTENTS_NAME, ORCHESTRATION, Layout

_WINDOWS = os.name == "nt"
_MAX_LINKS = 40  # as many as Linux follows

_LEVELS = 2  # below a folder that is opened: packages/api
_MAX_LOOKED = 2_000

_MOST_NOTED = 1_000
_exact_directories: dict[tuple[int, int], int] = {}
"""Directories that tell upper from lower case, by device and inode, with the time of their last change (ns). It can be
switched in an empty one, which then has another time."""

# One letter is a Windows drive, not a scheme.
_SCHEME = late_pattern(r"([A-Za-z][A-Za-z0-9+.-]+):")
_BAD_ESCAPE = late_pattern(r"%(?![0-9A-Fa-f]{2})")
_URI_DRIVE = late_pattern(r"/[A-Za-z]:(?:/|$)")

_REASONS = {
    errno.EACCES: "permission denied",
    errno.EPERM: "the operation is not permitted",
    errno.ELOOP: "symbolic links lead in a circle or must not be followed",
    errno.ENAMETOOLONG: "the path is too long for this file system",
    errno.ENOTDIR: "a part of it is a file, not a folder",
    errno.EISDIR: "it is a folder",
    errno.ENOSPC: "the disk is full",
    errno.EROFS: "the file system is read-only",
}
_FULL = frozenset({errno.ENOSPC, errno.EDQUOT})


def because(error: OSError) -> str:
    """Why the system refused, in plain words and without the path."""
    return _REASONS.get(error.errno or 0) or error.strerror or type(error).__name__


def unusable(error: OSError, path: Path, use: str | None = None) -> StoreError:
    """What to say of a folder of ours that the system refuses: `path`, or without a `use` what `error` names.

    Example: ".state can't hold locks (No space left on device). Free some space." `use` is "hold locks".
    """
    is_full = error.errno in _FULL
    reason = error.strerror if is_full else because(error)  # people search for the system's words
    remedy = "Free some space." if is_full else "Make it a folder to write to."
    place = error.filename if use is None and error.filename else path
    return StoreError(f"{place} can't {use or 'be used'} ({reason}). {remedy}")


def system_reason(error: OSError) -> str:
    """Why the system refused, in its own words: what the ledger and its archives have always said."""
    return (error.strerror or str(error)).lower()


def find_root(path: Path, known: Path | None = None) -> Path | None:
    """The root that governs `path` (resolved; a file or a directory, existing or not), or None.

    That is the deepest directory at or above it with a file of intents, or with a ledger that has records:
    deleting the intents does not switch the gate off, nor does an agent's command that deleted them. An
    `.orchestration` that can't be looked into counts as a root, whose configuration then can't be trusted; so does
    one that is a link. `known` is one that was found just now: it is not looked at again.
    """
    directory, end = str(path), str(known)
    while directory != end:
        if _is_root(directory):
            return Path(directory)
        above = os.path.dirname(directory)
        if above == directory:
            return None
        directory = above
    return known


def roots_below(folder: Path) -> Iterator[Path]:
    """The roots in the folders of `folder`, and in the folders of those: where monorepos have them.

    At most 2,000 folders are looked at, in the order of their names; none that is hidden, or a link.
    """
    level = [folder]
    left = _MAX_LOOKED
    for _ in range(_LEVELS):
        below = [child for parent in level for child in _visible_folders(parent)][:left]
        left -= len(below)
        yield from filter(_is_root, below)
        level = below


def to_path(argument: str, base: Path) -> Path:
    """The path that `argument` means: relative to `base`, absolute, or a `file:` URI. Not resolved yet.

    A URI is percent-decoded, once; a plain path is taken literally, with its `%`, `~` and backslashes.
    Raises InvalidPath for other schemes (a file whose name looks like one is written `./untitled:1`), other
    hosts, a query or fragment, bad escapes, and all that `check_name` refuses.
    """
    scheme = _SCHEME.match(argument)
    plain = argument if scheme is None else _from_uri(argument, scheme)
    check_name(plain)
    return base / plain


def real_path(p: Path, known: Path | None = None) -> Path:
    """`p` with `.`, `..`, `//` and the links of every component resolved.

    A relative path starts at the working directory. Nothing needs to exist: what is missing is taken as it is
    written. `known` is a real path that was found just now: the components that `p` has of it are not looked at again.
    Raises InvalidPath for a circle of links, a path below a file, one that can't be looked up, and whatever
    `check_name` refuses.
    """
    text = str(p)
    check_name(text)
    try:
        real = _windows_walk(p) if _WINDOWS else _walk(os.fspath(p.absolute()), "/" if known is None else str(known))
    except OSError as error:
        raise InvalidPath(text, f"can't be resolved: {because(error)}") from error
    if real == text:
        return p
    check_name(real)
    return Path(real)


def relative_to_root(real: Path, root: Path) -> str | None:
    """`real` relative to `root` with `/` (the root itself is `.`), or None when it is outside.

    Both must come from `real_path`; then one file has one path, also where the file system ignores case.
    """
    if _WINDOWS:
        try:
            return real.relative_to(root).as_posix()
        except ValueError:
            return None
    path, directory = str(real), str(root)
    if path == directory:
        return "."
    inside = directory if directory.endswith("/") else directory + "/"
    return path[len(inside) :] if path.startswith(inside) else None


def _from_uri(argument: str, scheme: re.Match[str]) -> str:
    name = scheme[1]
    if name.lower() != "file":
        raise InvalidPath(
            argument,
            f"has the scheme {name!r}, but only file: URIs name files; write ./ before a plain file name",
        )
    if "?" in argument or "#" in argument:
        raise InvalidPath(argument, "is a URI with a query or fragment: write ? as %3F and # as %23")
    rest = argument[scheme.end() :]
    if rest.startswith("//"):
        host, slash, rest = rest[2:].partition("/")
        rest = slash + rest
        if host.lower() not in ("", "localhost"):
            raise InvalidPath(argument, f"is on the host {host!r}: only files of this machine can be used")
    if not rest.startswith("/"):
        raise InvalidPath(argument, "is a URI without an absolute path: write file:///folder/file")
    if _BAD_ESCAPE.search(rest):
        raise InvalidPath(argument, "has a % that starts no escape: write it as %25")
    from urllib.parse import unquote  # slow to import, and agents' hooks name no URIs

    try:
        plain = unquote(rest, errors="strict")
    except UnicodeDecodeError:
        raise InvalidPath(argument, "does not decode to UTF-8") from None
    return plain[1:] if _WINDOWS and _URI_DRIVE.match(plain) else plain


def _walk(path: str, start: str) -> str:
    """Resolve an absolute POSIX path the way the kernel does, but go on where nothing exists.

    `start` is a real path, from which on it is looked at if it lies below.
    """
    current, directory = "/", None  # where we are, and what that is, where that is known
    if path.startswith(start + "/"):
        current, path = start, path[len(start) + 1 :]
    todo = path.split("/")[::-1]
    links = 0
    while todo:
        name = todo.pop()
        if name == "..":
            current, directory = os.path.dirname(current), None
            continue
        if name in ("", "."):
            continue
        candidate = os.path.join(current, name)
        try:
            status = os.lstat(candidate)
        except FileNotFoundError:
            current, directory = candidate, None
            continue
        if not stat.S_ISLNK(status.st_mode):
            is_exact = directory is not None and name.isascii() and _tells_case(directory)
            current = candidate if is_exact else os.path.join(current, _spelled(current, name, status, directory))
            directory = status
            continue
        links += 1
        if links > _MAX_LINKS:
            raise OSError(errno.ELOOP, os.strerror(errno.ELOOP))
        target = str(Path(candidate).readlink())
        if target.startswith("/"):
            current, directory = "/", None
        todo.extend(target.split("/")[::-1])
    return current


def _spelled(directory: str, name: str, status: os.stat_result, of_directory: os.stat_result | None) -> str:
    """`name` as `directory` lists it, where the file system also knows it under another case or normal form."""
    variants = {name.swapcase()}
    if not name.isascii():
        variants |= {unicodedata.normalize("NFC", name), unicodedata.normalize("NFD", name)}
    variants -= {name}
    if not any(_is_same(os.path.join(directory, variant), status) for variant in variants):
        if of_directory is not None and name.isascii() and variants:
            _note_case(of_directory)
        return name
    try:
        with os.scandir(directory) as entries:
            listed = {entry.name for entry in entries}
    except OSError:  # searchable, not listable: see the limits above
        return name
    if name in listed:
        return name
    return next((other for other in listed if _folded(other) == _folded(name)), name)


def _tells_case(directory: os.stat_result) -> bool:
    """Whether a directory was seen to tell upper from lower case, and did not change since: not in that either."""
    return _exact_directories.get((directory.st_dev, directory.st_ino)) == directory.st_ctime_ns


def _note_case(directory: os.stat_result) -> None:
    """Note that it does, unless it changed so lately that its next change may have the same time."""
    if time.time_ns() - directory.st_ctime_ns > RACY_ANY_DISK_NS:
        if len(_exact_directories) >= _MOST_NOTED:
            _exact_directories.clear()
        _exact_directories[directory.st_dev, directory.st_ino] = directory.st_ctime_ns


def _is_same(path: str, status: os.stat_result) -> bool:
    try:
        return os.path.samestat(os.lstat(path), status)
    except OSError:
        return False


def _folded(name: str) -> str:
    return unicodedata.normalize("NFD", unicodedata.normalize("NFD", name).casefold())


def _windows_walk(path: Path) -> str:
    """What Windows itself says: junctions, 8.3 names, substituted drives and case resolved."""
    argument = path.absolute()
    check_windows_name(_without_drive(argument))
    real = os.path.realpath(argument)
    check_windows_name(_without_drive(Path(real)))
    if Path(real).is_symlink():
        raise OSError(errno.ELOOP, os.strerror(errno.ELOOP))
    return real


def _without_drive(path: PurePath) -> str:
    return str(path)[len(path.anchor) :]


def _is_root(directory: str | Path) -> bool:
    orchestration = os.path.join(directory, ORCHESTRATION)
    try:
        status = os.lstat(orchestration)
    except (OSError, ValueError):  # most directories end here, and a name that no file can have
        return False
    if stat.S_ISLNK(status.st_mode) or _may_exist(os.path.join(orchestration, INTENTS_NAME)):
        return True
    layout = Layout(Path(directory))
    return (
        may_hold_intents(layout.intents_folder)
        or _has_records(layout.ledger)
        or _may_exist(layout.accepted_index)
        or _has_segments(layout.trace)
    )


def _visible_folders(parent: Path) -> list[Path]:
    try:
        with os.scandir(parent) as entries:
            names = [entry.name for entry in entries if entry.is_dir(follow_symlinks=False)]
    except OSError:
        return []
    return [parent / name for name in sorted(names) if not name.startswith(".") and name != "node_modules"]


def _may_exist(file: str | Path) -> bool:
    try:
        os.lstat(file)
    except OSError as error:
        return not isinstance(error, FileNotFoundError | NotADirectoryError)
    return True


def _has_segments(trace: Path) -> bool:
    try:
        with os.scandir(trace) as entries:
            return any(not entry.name.startswith(".") for entry in entries)
    except OSError:
        return False


def _has_records(ledger: Path) -> bool:
    try:
        status = ledger.stat()
    except OSError:
        return False
    return stat.S_ISREG(status.st_mode) and status.st_size > 0
