"""The fast way to an answer: ask a running daemon (`daemon_server`), before anything else is loaded.

Any program of this user can pose as the daemon. So it is only asked where a wrong answer shows later: before a tool
that changes only the files it names and deletes none, or changes nothing. What such a tool did is recorded afterwards
by a process of its own, from the files. All other events are answered without a daemon.
"""

from __future__ import annotations

import _socket  # `socket` takes longer to import than a question takes
import os
import stat
import sys
from time import monotonic

import intentls
from intentls.faces.hook import MAX_EVENT_BYTES
from intentls.faces.hook.timeout import start_timeout

TYPE_CHECKING = False  # `typing` takes longer to import than all the rest of this program
if TYPE_CHECKING:
    from collections.abc import Iterable

MAX_ANSWER_S = 3.0
"""How long a daemon may take. The hook can still answer by itself after that, before the agent gives up."""

_EVENT, _TOOL, _BEFORE = b"hook_event_name", b"tool_name", b"PreToolUse"
DAEMON_SAFE_TOOLS = {
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
    "opencode": (
        (_EVENT, b"tool.execute.before"),
        (_TOOL, {b"write", b"edit", b"multiedit", b"read", b"glob", b"grep", b"list", b"webfetch", b"task"}),
    ),
    "copilot": (
        (_EVENT, _BEFORE),
        (_TOOL, {b"Write", b"Edit", b"MultiEdit", b"Read", b"Grep", b"Glob", b"WebFetch", b"Task"}),
    ),
}
"""By agent: (key, name) of the event and (key, names) of the tools that a daemon may be asked about."""

DAEMON_VARIABLE, DAEMON_OFF, DAEMON_MANUAL = "INTENTLS_HOOK_DAEMON", "off", "manual"
"""The environment variable with which a user says that no daemon is asked, or that none is started by a hook."""

CLIENT_VARIABLE = "INTENTLS_HOOK_CLIENT"
"""What the compiled client leaves in the environment: how many milliseconds it took, and what tells its file."""

_LENGTH = 8  # bytes of a part's length
_EXIT_OK, _EXIT_ERROR = b"0", b"2"
_HEX = frozenset("0123456789abcdef-")


class CompiledClient:
    """The compiled client that became this process: how long it took, and what tells its file from all others."""

    def __init__(self, seconds: float, key: str) -> None:
        self.seconds = seconds
        self.key = key


def compiled_client() -> CompiledClient | None:
    """What the compiled client left in the environment, which is taken out; None where it did not start this process.

    Example: "12 fd01-1f2e3-670000aa-0-3a98" is 0.012 seconds, and device, inode, times and size of the program.
    """
    words = os.environ.pop(CLIENT_VARIABLE, "").split(" ")
    if len(words) != 2 or not words[0].isdecimal() or not words[1] or not _HEX.issuperset(words[1]):
        return None
    return CompiledClient(int(words[0]) / 1000, words[1])


def socket_path() -> tuple[str, str]:
    """The daemon's directory, and the socket in it: one for each user and each installation of intentls."""
    runtime = os.environ.get("XDG_RUNTIME_DIR", "")
    directory = f"{runtime}/intentls" if runtime.startswith("/") else f"/tmp/intentls-{os.geteuid()}"
    installed = os.lstat(os.path.dirname(__file__))
    return directory, f"{directory}/hook-{installed.st_dev:x}-{installed.st_ino:x}.sock"


def may_ask() -> bool:
    """Whether there can be a daemon: not on Windows, and not where the user wants none."""
    return hasattr(_socket, "AF_UNIX") and os.environ.get(DAEMON_VARIABLE) != DAEMON_OFF


def is_private(directory: str) -> bool:
    """Whether this is a directory (no link) of this user, which other users can't enter, list or change."""
    try:
        status = os.lstat(directory)
    except OSError:
        return False
    return stat.S_ISDIR(status.st_mode) and status.st_uid == os.geteuid() and not status.st_mode & 0o077


def ask(agent: str, timeout_s: float, *, always: bool) -> int | bytes | None:
    """Answer the event on stdin with what a daemon says, within `timeout_s` seconds: the exit code.

    Without a daemon's answer: what was read of the event, for `main.serve`; None if nothing was read.
    """
    if not may_ask():
        return None
    directory, path = socket_path()
    if not is_private(directory) or not _is_own_socket(path):
        return None
    done = start_timeout(timeout_s)
    try:
        data = _read()
        if data is None or not is_daemon_safe(agent, data):
            return data
        return _relay(path, [identity(), agent.encode(), b"always" if always else b"", *process_context(), data])
    except (OSError, ValueError):
        return data
    finally:
        done()


def is_daemon_safe(agent: str, data: bytes) -> bool:
    """Whether a daemon may be asked about this event. In doubt it may not."""
    (event_key, event), (tool_key, tools) = DAEMON_SAFE_TOOLS[agent]
    return _text_at(data, event_key) == event and _text_at(data, tool_key) in tools


def identity() -> bytes:
    """This version and Python: a daemon with another of either might answer otherwise."""
    system = (sys.version, sys.prefix, sys.getfilesystemencoding())
    return repr((intentls.__version__, *system)).encode("utf-8", "backslashreplace")


def process_context() -> list[bytes]:
    """What an answer depends on in this process: directories, file mode mask, environment, number. Raises OSError."""
    mask = os.umask(0o077)
    os.umask(mask)
    names = b"\0".join(name + b"=" + value for name, value in os.environb.items())
    return [os.getcwdb(), cwd_identity(), str(mask).encode(), names, str(os.getpid()).encode()]  # noqa: PTH109  `pathlib` takes long to import


def cwd_identity() -> bytes:
    """The device and inode of the working directory and of `/`, whatever their paths are. Raises OSError.

    Example: b"65025:131 65025:2"
    """
    return b" ".join(b"%d:%d" % (status.st_dev, status.st_ino) for status in (os.lstat("."), os.lstat("/")))


def pack(parts: Iterable[bytes]) -> bytes:
    """`parts` as one message."""
    return b"".join(len(part).to_bytes(_LENGTH, "big") + part for part in parts)


def unpack(message: bytes, count: int) -> list[bytes]:
    """The parts of a message. Raises ValueError if they are not `count`, each whole."""
    parts, offset = [], 0
    while offset < len(message):
        start = offset + _LENGTH
        offset = start + int.from_bytes(message[offset:start], "big")
        parts.append(message[start:offset])
    if len(parts) != count or offset != len(message):
        raise ValueError("a message is cut short")
    return parts


def is_same_user(peer: _socket.socket) -> bool:
    """Whether the other end runs as this user, where the system tells."""
    credentials = _credentials(peer)
    return credentials is None or credentials[0] == os.geteuid()


def asking_process(peer: _socket.socket) -> int | None:
    """The number of the process at the other end; None where the system does not tell, or it can't be seen here."""
    credentials = _credentials(peer)
    return None if credentials is None else credentials[1] or None


def _credentials(peer: _socket.socket) -> tuple[int, int] | None:
    """User and process at the other end, as they were when it connected; None where the system does not tell."""
    platform: str = sys.platform
    if platform == "linux":  # struct ucred: process, user, group
        data = peer.getsockopt(_socket.SOL_SOCKET, _socket.SO_PEERCRED, 12)
        return _number(data, 4), _number(data, 0)
    if platform == "darwin":  # struct xucred: version, user, ...; both of level SOL_LOCAL, 0
        return _number(peer.getsockopt(0, _MAC_PEERCRED, 76), 4), _number(peer.getsockopt(0, _MAC_PEERPID, 4), 0)
    return None


def _number(data: bytes, start: int) -> int:
    return int.from_bytes(data[start : start + 4], sys.byteorder)


_MAC_PEERCRED, _MAC_PEERPID = 1, 2  # LOCAL_PEERCRED and LOCAL_PEERPID of macOS' <sys/un.h>


def is_served(path: str) -> bool:
    """Whether a daemon listens there; what one left behind that was killed does not count."""
    peer = _socket.socket(_socket.AF_UNIX, _socket.SOCK_STREAM)
    try:
        peer.settimeout(MAX_ANSWER_S)
        peer.connect(path)
    except BlockingIOError:  # too many ask
        return True
    except OSError:
        return False
    finally:
        peer.close()
    return True


def _is_own_socket(path: str) -> bool:
    try:
        status = os.lstat(path)
    except OSError:
        return False
    return stat.S_ISSOCK(status.st_mode) and status.st_uid == os.geteuid()


def _read() -> bytes | None:
    pieces, size = [], 0
    try:
        while size <= MAX_EVENT_BYTES and (piece := os.read(0, min(MAX_EVENT_BYTES + 1 - size, 1 << 20))):
            pieces.append(piece)
            size += len(piece)
    except OSError:
        return None
    return b"".join(pieces)


def _text_at(data: bytes, key: bytes) -> bytes:
    """The text value of `key`; b"" where the key occurs several times, or its value is anything but plain text."""
    quoted = b'"' + key + b'"'
    if data.count(quoted) != 1:
        return b""
    start = data.find(quoted) + len(quoted)
    colon, _, rest = data[start : start + 100].partition(b'"')
    text, end, _ = rest.partition(b'"')
    return text if colon.strip() == b":" and end and b"\\" not in text else b""


def _relay(path: str, question: list[bytes]) -> int:
    """Ask, and write both outputs; the exit code. Raises OSError and ValueError, also for half an answer."""
    code, out, err = unpack(_exchange(path, pack(question)), 3)
    if code not in (_EXIT_OK, _EXIT_ERROR):
        raise ValueError("this is no exit code of a hook")
    _write(1, out)
    _write(2, err)
    return int(code)


def _exchange(path: str, question: bytes) -> bytes:
    """What the daemon answers. Raises OSError, also where it takes too long or runs as another user."""
    deadline = monotonic() + MAX_ANSWER_S
    peer = _socket.socket(_socket.AF_UNIX, _socket.SOCK_STREAM)
    try:
        peer.settimeout(MAX_ANSWER_S)
        peer.connect(path)
        if not is_same_user(peer):
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
