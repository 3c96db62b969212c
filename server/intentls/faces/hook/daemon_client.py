"""The short way to an answer: ask a daemon that runs (`faces/hook/daemon`), before anything else is loaded.

Whoever runs programs as this user can run a false daemon. So nothing is asked but what comes to light without its
answer: before a tool that changes only the files it names and deletes none, or changes nothing. What such a tool did is
recorded afterwards by a process of its own, from the files; the rest is never asked here.
"""

from __future__ import annotations

import _socket  # `socket` takes longer to import than a question takes
import os
import stat
import sys
from collections.abc import Iterable
from time import monotonic

import intentls
from intentls.faces.hook import MOST_BYTES
from intentls.faces.hook.timeout import limited

MOST_SECONDS = 3.0
"""How long a daemon may take for an answer: with it and what comes after, we are done before the agent gives up."""

_EVENT, _TOOL, _BEFORE = b"hook_event_name", b"tool_name", b"PreToolUse"
ASKED = {
    "claude-code": (
        (_EVENT, _BEFORE),
        (
            _TOOL,
            {
                *(b"Write", b"Edit", b"MultiEdit", b"NotebookEdit", b"Read", b"NotebookRead", b"Glob", b"Grep", b"LS"),
                *(b"WebFetch", b"WebSearch", b"Task", b"Agent", b"TodoWrite", b"BashOutput"),
            },
        ),
    ),
    "codex": ((_EVENT, _BEFORE), (_TOOL, {b"Read", b"update_plan", b"view_image", b"web_search"})),
    "cursor": (
        (_EVENT, b"preToolUse"),
        (_TOOL, {b"Write", b"StrReplace", b"Edit", b"MultiEdit", b"EditNotebook", b"Read", b"Grep", b"Glob", b"LS"}),
    ),
    "gemini": (
        (_EVENT, b"BeforeTool"),
        (
            _TOOL,
            {
                *(b"write_file", b"replace", b"read_file", b"read_many_files", b"list_directory", b"glob"),
                *(b"search_file_content", b"grep_search", b"google_web_search", b"web_fetch", b"write_todos"),
            },
        ),
    ),
    "cline": (
        (b"hookName", _BEFORE),
        (
            b"toolName",
            {
                *(b"write_to_file", b"replace_in_file", b"read_file", b"list_files", b"search_files"),
                *(b"list_code_definition_names", b"web_fetch", b"web_search"),
            },
        ),
    ),
}
"""By agent: the event and the tools that a daemon may be asked about, each with the key that names it."""

_LENGTH = 8  # bytes of a part's length
_CREDENTIALS = 12  # bytes: process, user and group of whoever listens
_FINE, _TROUBLE = b"0", b"2"


def meeting_place() -> tuple[str, str]:
    """Our folder, and the socket in it: one for each user and each installation of intentls."""
    runtime = os.environ.get("XDG_RUNTIME_DIR", "")
    folder = f"{runtime}/intentls" if runtime.startswith("/") else f"/tmp/intentls-{os.geteuid()}"
    installed = os.lstat(os.path.dirname(__file__))
    return folder, f"{folder}/hook-{installed.st_dev:x}-{installed.st_ino:x}.sock"


def is_private(folder: str) -> bool:
    """Whether this is a folder, no link, of ours, in which nobody else can do or see anything."""
    try:
        found = os.lstat(folder)
    except OSError:
        return False
    return stat.S_ISDIR(found.st_mode) and found.st_uid == os.geteuid() and not found.st_mode & 0o077


def ask(agent: str, timeout_s: float, *, always: bool) -> int | bytes | None:
    """Answer the event on stdin as a daemon says, within `timeout_s` seconds: the exit code.

    Else what was read of the event, for whoever finds the answer without one; None if nothing was read.
    """
    if not hasattr(_socket, "AF_UNIX"):
        return None
    folder, path = meeting_place()
    if not is_private(folder) or not _is_own_socket(path):
        return None
    done = limited(timeout_s)
    try:
        data = _read()
        if data is None or not may_be_asked(agent, data):
            return data
        return _asked(path, [identity(), agent.encode(), b"always" if always else b"", *surroundings(), data])
    except (OSError, ValueError):
        return data
    finally:
        done()


def may_be_asked(agent: str, data: bytes) -> bool:
    """Whether this event is one of those that a daemon may be asked about. In doubt it is not."""
    (event_key, event), (tool_key, tools) = ASKED[agent]
    return _text_at(data, event_key) == event and _text_at(data, tool_key) in tools


def identity() -> bytes:
    """Whose code answers: a daemon of another version, or on another Python, would not say the same."""
    system = (sys.version, sys.prefix, sys.getfilesystemencoding())
    return repr((intentls.__version__, *system)).encode("utf-8", "backslashreplace")


def surroundings() -> list[bytes]:
    """What of this process an answer depends on: its folders, file mode mask and environment. Raises OSError."""
    mask = os.umask(0o077)
    os.umask(mask)
    names = b"\0".join(name + b"=" + value for name, value in os.environb.items())
    return [os.getcwdb(), standing(), str(mask).encode(), names]  # noqa: PTH109  `pathlib` takes long to import


def standing() -> bytes:
    """Which files the working folder and the root folder really are, wherever they seem to be. Raises OSError."""
    found = (os.lstat("."), os.lstat("/"))
    return repr([(each.st_dev, each.st_ino) for each in found]).encode()


def pack(parts: Iterable[bytes]) -> bytes:
    """`parts` as one message."""
    return b"".join(len(part).to_bytes(_LENGTH, "big") + part for part in parts)


def unpack(message: bytes, count: int) -> list[bytes]:
    """The parts of a message. Raises ValueError if they are not `count`, each whole."""
    parts, place = [], 0
    while place < len(message):
        start = place + _LENGTH
        place = start + int.from_bytes(message[place:start], "big")
        parts.append(message[start:place])
    if len(parts) != count or place != len(message):
        raise ValueError("a message is cut short")
    return parts


def is_ours(peer: _socket.socket) -> bool:
    """Whether the other end runs as this user, where the system tells."""
    if not hasattr(_socket, "SO_PEERCRED"):
        return True
    found = peer.getsockopt(_socket.SOL_SOCKET, _socket.SO_PEERCRED, _CREDENTIALS)
    return int.from_bytes(found[4:8], sys.byteorder) == os.geteuid()


def _is_own_socket(path: str) -> bool:
    try:
        found = os.lstat(path)
    except OSError:
        return False
    return stat.S_ISSOCK(found.st_mode) and found.st_uid == os.geteuid()


def _read() -> bytes | None:
    pieces, size = [], 0
    try:
        while size <= MOST_BYTES and (piece := os.read(0, min(MOST_BYTES + 1 - size, 1 << 20))):
            pieces.append(piece)
            size += len(piece)
    except OSError:
        return None
    return b"".join(pieces)


def _text_at(data: bytes, key: bytes) -> bytes:
    """The text that the only `key` stands before; b"" where there are several, or anything but plain text."""
    quoted = b'"' + key + b'"'
    if data.count(quoted) != 1:
        return b""
    start = data.find(quoted) + len(quoted)
    colon, _, rest = data[start : start + 100].partition(b'"')
    text, end, _ = rest.partition(b'"')
    return text if colon.strip() == b":" and end and b"\\" not in text else b""


def _asked(path: str, question: list[bytes]) -> int:
    """The exit code that was answered, both outputs written. Raises OSError and ValueError, also for half an answer."""
    code, out, err = unpack(_exchange(path, pack(question)), 3)
    if code not in (_FINE, _TROUBLE):
        raise ValueError("this is no exit code of a hook")
    _write(1, out)
    _write(2, err)
    return int(code)


def _exchange(path: str, question: bytes) -> bytes:
    """What the daemon answers. Raises OSError, also where it takes too long or is somebody else's."""
    deadline = monotonic() + MOST_SECONDS
    peer = _socket.socket(_socket.AF_UNIX, _socket.SOCK_STREAM)
    try:
        peer.settimeout(MOST_SECONDS)
        peer.connect(path)
        if not is_ours(peer):
            raise PermissionError("this daemon is somebody else's")
        peer.sendall(question)
        peer.shutdown(_socket.SHUT_WR)
        answer = b""
        while (left := deadline - monotonic()) > 0:
            peer.settimeout(left)
            piece = peer.recv(1 << 16)
            if not piece:
                return answer
            answer += piece
        raise TimeoutError("the daemon takes too long")
    finally:
        peer.close()


def _write(descriptor: int, data: bytes) -> None:
    while data:
        data = data[os.write(descriptor, data) :]
